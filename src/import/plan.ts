/** Chooses what writes each object of the input: a construct whose proof shows the same object, or the plain object. */
import { asObject, type Json, type JsonObject } from '../core/json';
import { Manifest } from '../core/manifest';
import { World } from '../core/world';
import { partsOf, value } from './code';
import { type Difference, differences, differenceText } from './difference';
import { RECOGNISERS } from './recognise';
import { type Context, type Recogniser, type Target, writable } from './recognise/context';
import { plainResource } from './resources';
import { keyOfManifest, patchesFor, type Statement } from './statement';

/** What a statement writes when the statements that it refers to exist. */
export type Proof = { readonly objects: readonly Json[] } | { readonly problem: string };

/** Makes the construct of a statement. The statements before it are those that it refers to. */
export type Prove = (statement: Statement, before: readonly Statement[]) => Proof;

/** An object that no construct writes, although there is one for its kind. */
export interface Fallback {
  readonly manifest: Manifest;
  /** `KruiseRollout` */
  readonly construct: string;
  readonly reasons: readonly string[];
}

/** An object that no program can write. */
export class CannotImport extends Error {}

function shown({ kind, name }: Manifest): string {
  return `${kind} "${name}" cannot be written`;
}

/** The statements of a program, each after those that it refers to. */
export interface ImportPlan {
  readonly target: Target;
  readonly statements: readonly Statement[];
  readonly fallbacks: readonly Fallback[];
}

/** The differences that a remark names; the rest would not help. */
const REASONS = 3;

/**
 * The plan of a program that writes exactly these objects.
 * @param onObject is called for every object, because each is proven
 */
export function planImport(
  manifests: readonly Manifest[],
  target: Target,
  prove: Prove,
  onObject: (done: number) => void = () => {},
): ImportPlan {
  return new Planner(manifests, target, prove, onObject).plan();
}

class Planner {
  private readonly world: World;
  private readonly statements = new Map<string, Statement>();
  private readonly taken = new Set<Manifest>();
  private readonly fallbacks = new Map<Manifest, Fallback>();

  constructor(
    private readonly manifests: readonly Manifest[],
    private readonly target: Target,
    private readonly prove: Prove,
    private readonly onObject: (done: number) => void,
  ) {
    this.world = World.of(manifests);
  }

  plan(): ImportPlan {
    for (const { construct, recognise, isLast = false } of RECOGNISERS) {
      // What refers to objects of any kind comes when those have their statements.
      if (isLast) this.writePlainObjects((manifest) => !this.isForLast(manifest));
      for (const manifest of this.manifests) {
        if (!this.taken.has(manifest)) this.tryConstruct(construct, recognise, manifest);
      }
    }
    this.writePlainObjects(() => true);
    return { target: this.target, statements: this.inOrder(), fallbacks: [...this.fallbacks.values()] };
  }

  private isForLast(manifest: Manifest): boolean {
    return RECOGNISERS.some(({ isLast, recognise }) => isLast && recognise(manifest, this.context) !== undefined);
  }

  private get context(): Context {
    return { target: this.target, world: this.world, statements: this.statements };
  }

  private tryConstruct(construct: string, recognise: Recogniser, manifest: Manifest): void {
    const recognised = recognise(manifest, this.context);
    if (recognised === undefined) return;
    if ('refusal' in recognised) {
      this.note(manifest, construct, [recognised.refusal]);
      return;
    }
    let reasons: readonly string[] = [];
    for (const statement of recognised) {
      if (statement.writes.some((each) => this.taken.has(each))) continue;
      reasons = [...this.unwritable(statement), ...this.unproven(statement)];
      if (reasons.length > 0) continue;
      for (const written of statement.writes) this.fallbacks.delete(written);
      this.accept(statement);
      return;
    }
    this.note(manifest, construct, reasons);
  }

  /** Why the components of Pulumi cannot write an object that constructs of cdk8s can. */
  private unwritable({ writes }: Statement): string[] {
    if (this.target === 'cdk8s') return [];
    return writes.flatMap(({ object }) =>
      Object.keys(asObject(object.metadata))
        .filter((key) => !COMPONENT_METADATA.includes(key))
        .map((key) => `a component has no metadata.${key}`),
    );
  }

  private unproven(statement: Statement): string[] {
    const proof = this.prove(statement, this.before(statement));
    if ('problem' in proof) return [proof.problem];
    const found = compared(statement.writes, proof.objects);
    return found.slice(0, REASONS).map(differenceText);
  }

  private note(manifest: Manifest, construct: string, reasons: readonly string[]): void {
    if (reasons.length > 0) this.fallbacks.set(manifest, { manifest, construct, reasons });
  }

  private accept(statement: Statement): void {
    this.statements.set(statement.key, statement);
    for (const manifest of statement.writes) this.taken.add(manifest);
    this.onObject(this.taken.size);
  }

  private writePlainObjects(isWanted: (manifest: Manifest) => boolean): void {
    for (const manifest of this.manifests) {
      if (!this.taken.has(manifest) && isWanted(manifest)) this.accept(this.plainObject(manifest));
    }
  }

  private plainObject(manifest: Manifest): Statement {
    const fallback = this.fallbacks.get(manifest);
    const remarks = fallback && { remarks: [`not ${withArticle(fallback.construct)}: ${fallback.reasons.join('; ')}`] };
    const base = { key: keyOfManifest(manifest), writes: [manifest], ...remarks };
    if (this.target === 'pulumi') return { ...base, ...plainResource(manifest) };
    return this.patched({ ...base, class: 'ApiObject', props: value(writable(manifest.object)) }, manifest);
  }

  /** An ApiObject with the changes that make it equal. */
  private patched(statement: Statement, manifest: Manifest): Statement {
    const patches = patchesFor(this.differencesOf(statement, manifest));
    if (patches.length === 0) return statement;
    const equal = { ...statement, patches };
    const [left] = this.differencesOf(equal, manifest);
    if (left !== undefined) throw new CannotImport(`${shown(manifest)}: ${differenceText(left)}`);
    return equal;
  }

  private differencesOf(statement: Statement, manifest: Manifest): Difference[] {
    const proof = this.prove(statement, []);
    if ('problem' in proof) throw new CannotImport(`${shown(manifest)}: ${proof.problem}`);
    return compared([manifest], proof.objects);
  }

  /** The statements that one refers to, each after those that it refers to itself. */
  private before(statement: Statement): Statement[] {
    const found = new Set<Statement>();
    const visit = (one: Statement): void => {
      for (const key of referencesOf(one)) {
        const other = this.statements.get(key)!;
        visit(other);
        found.add(other);
      }
    };
    visit(statement);
    return [...found];
  }

  /** In the order of the input, but each after those that it refers to. */
  private inOrder(): Statement[] {
    const place = new Map(this.manifests.map((manifest, index) => [manifest, index]));
    const first = ({ writes }: Statement) => Math.min(...writes.map((manifest) => place.get(manifest)!));
    const sorted = [...this.statements.values()].sort((a, b) => first(a) - first(b));
    return [...new Set(sorted.flatMap((statement) => [...this.before(statement), statement]))];
  }
}

/** The metadata that components of Pulumi take. */
const COMPONENT_METADATA = ['name', 'namespace', 'labels', 'annotations'];

/** The keys of the statements that one refers to. */
export function referencesOf({ props }: Statement): string[] {
  return [...new Set(partsOf(props).flatMap((code) => ('to' in code ? [code.to] : [])))];
}

/** What differs between objects of the input and what is written for them. */
export function compared(wanted: readonly Manifest[], written: readonly Json[]): Difference[] {
  if (wanted.length === 1 && written.length === 1) return differences(wanted[0]!.object, written[0]);
  const byKey = new Map(written.map((object) => [keyOfManifest(Manifest.of(object as JsonObject)), object]));
  const missing = wanted.flatMap((manifest) => {
    const key = keyOfManifest(manifest);
    const object = byKey.get(key);
    byKey.delete(key);
    return differences(manifest.object, object).map((one) => ({ ...one, path: [manifest.kind, ...one.path] }));
  });
  const extra = [...byKey.values()].map((object) => {
    const { kind, name } = Manifest.of(object as JsonObject);
    return { path: [kind, name], wanted: undefined, written: object };
  });
  return [...missing, ...extra];
}

function withArticle(name: string): string {
  return `${/^[AI]/.test(name) ? 'an' : 'a'} ${name}`;
}
