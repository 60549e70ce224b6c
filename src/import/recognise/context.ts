/** What recognisers are given, and what they answer. */
import { isJsonObject, type Json, type JsonObject } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import { type Code, value } from '../code';
import { keyOfManifest, type Statement } from '../statement';

/** The tool that the program is for. */
export type Target = 'cdk8s' | 'pulumi';

/** What is known when a manifest is looked at. */
export interface Context {
  readonly target: Target;
  /** All objects of the input. */
  readonly world: World;
  /** The statements so far, by the key of their main object. */
  readonly statements: ReadonlyMap<string, Statement>;
}

/** The statements that may write a manifest, the best first; or why none can. */
export type Recognised = readonly Statement[] | { readonly refusal: string };

/** Looks at one manifest. Undefined where it is of no concern. */
export type Recogniser = (manifest: Manifest, context: Context) => Recognised | undefined;

/** A statement for a manifest alone. */
export function statementFor(manifest: Manifest, name: string, props: Code): Statement {
  return { key: keyOfManifest(manifest), class: name, props, writes: [manifest] };
}

/** The metadata of a manifest as a prop. */
export function metadataOf(manifest: Manifest, without: readonly string[] = []): Code {
  const metadata = writable(manifest.object.metadata ?? {}) as JsonObject;
  const annotations = Object.entries((metadata.annotations ?? {}) as JsonObject).filter(
    ([key]) => !without.includes(key),
  );
  const { annotations: given, ...rest } = metadata;
  return value(
    given === undefined || (annotations.length === 0 && without.length > 0)
      ? rest
      : { ...rest, annotations: Object.fromEntries(annotations) },
  );
}

/**
 * Without what cdk8s cannot write: keys whose value is null, which it leaves out, and the key `constructor`, by which it
 * knows an instance of a class.
 */
export function writable(json: Json): Json {
  if (Array.isArray(json)) return json.map(writable);
  if (!isJsonObject(json)) return json;
  const entries = Object.entries(json).filter(([key, entry]) => entry !== null && key !== 'constructor');
  return Object.fromEntries(entries.map(([key, entry]) => [key, writable(entry)]));
}
