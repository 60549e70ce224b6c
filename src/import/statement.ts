/** The statements of a generated program. */
import type { Json } from '../core/json';
import type { Manifest } from '../core/manifest';
import type { Code } from './code';
import type { Difference } from './difference';

/** One construct, or one component of Pulumi. */
export interface Statement {
  /** The key of its main object; what refers to the statement uses it. */
  readonly key: string;
  /** The class: `KruiseRollout`; `ApiObject` for an object without a construct. */
  readonly class: string;
  readonly props: Code;
  /**
   * The props of the construct that proves a component of Pulumi.
   * @default - those of the component
   */
  readonly proof?: Code;
  /** The objects of the input that it writes, the main one first. */
  readonly writes: readonly Manifest[];
  /** What to change in the object, because cdk8s leaves empty values of an ApiObject out. */
  readonly patches?: readonly Patch[];
  /** Why there is no construct, or another remark for the reader of the program. */
  readonly remarks?: readonly string[];
}

/** A change of an ApiObject, as in JSON Patch. */
export type Patch =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  | { readonly op: 'remove'; readonly path: string };

/** The key of an object: API group, kind, namespace and name. */
export function keyOfManifest(manifest: Manifest): string {
  const { groupKind, namespace = '' } = manifest;
  return `${groupKind} ${namespace}/${manifest.name}`;
}

/** The key of an object of a kind in the namespace of another one. */
export function keyBeside({ namespace = '' }: Manifest, groupKind: string, name: string): string {
  return `${groupKind} ${namespace}/${name}`;
}

/** The changes that undo differences. */
export function patchesFor(differences: readonly Difference[]): Patch[] {
  return differences.map(({ path, wanted, written }) => {
    const pointer = path.map((part) => `/${String(part).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
    if (wanted === undefined) return { op: 'remove', path: pointer };
    const isItem = typeof path.at(-1) === 'number';
    return { op: written === undefined && !isItem ? 'add' : 'replace', path: pointer, value: wanted };
  });
}

/** Two objects with one name. The same manifest in two files counts, too. */
export function duplicateIn(manifests: readonly Manifest[]): readonly [Manifest, Manifest] | undefined {
  const byKey = new Map<string, Manifest>();
  for (const manifest of manifests) {
    if (manifest.name === '') continue;
    const key = keyOfManifest(manifest);
    const other = byKey.get(key);
    if (other !== undefined) return [other, manifest];
    byKey.set(key, manifest);
  }
  return undefined;
}
