import type { StructuralSchema } from '../../core/schema/structural';
import { KruiseRolloutVersion } from '../version';
import { API_GROUP } from './names';
import schemas from './schemas.json';

/** The versions of the API, oldest first. Fields and CRD validation differ between them. */
const API_LEVELS = ['0.3', '0.4', '0.5', '0.6', 'next'] as const;

/** A version of the API; `next` is the release after 0.6. */
export type ApiLevel = (typeof API_LEVELS)[number];

/** The kinds of the API. */
export type ApiKind = 'BatchRelease' | 'Rollout' | 'RolloutHistory' | 'TrafficRouting';

/** The kinds of the API, sorted by name. */
export const API_KINDS: readonly ApiKind[] = ['BatchRelease', 'Rollout', 'RolloutHistory', 'TrafficRouting'];

/** A definition in schemas.json: definitions refer to each other, and have the API version that introduced them. */
interface Definition {
  readonly $ref?: string;
  readonly since?: ApiLevel;
  readonly from?: { readonly [level: string]: Definition };
  readonly properties?: { readonly [name: string]: Definition };
  readonly additionalProperties?: Definition;
  readonly items?: Definition;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

const definitions = schemas.definitions as unknown as { readonly [name: string]: Definition };

const expanded = new Map<string, StructuralSchema>();

/**
 * The schema of a kind in the CRD of a release; undefined if the release does not have the kind.
 * The titles in it are the names of the types in this folder.
 *
 * @example apiSchema('Rollout', 'v1beta1')
 */
export function apiSchema(
  kind: string,
  version: string,
  release: KruiseRolloutVersion = KruiseRolloutVersion.LATEST,
): StructuralSchema | undefined {
  const found = schemas.kinds.find((one) => one.kind === kind && one.version === version);
  const level = release.facts.api;
  if (found === undefined || !exists(definitions[found.definition]!, level)) return undefined;
  const key = `${found.definition} ${level}`;
  const known = expanded.get(key);
  if (known !== undefined) return known;
  const schema = expand({ $ref: found.definition }, level);
  expanded.set(key, schema);
  return schema;
}

/** The schema of an object by its own apiVersion and kind. */
export function apiSchemaOf(
  object: { readonly apiVersion: string; readonly kind: string },
  release: KruiseRolloutVersion = KruiseRolloutVersion.LATEST,
): StructuralSchema | undefined {
  const [group, version = '', ...more] = object.apiVersion.split('/');
  return group === API_GROUP && more.length === 0 ? apiSchema(object.kind, version, release) : undefined;
}

/** The API versions of a kind that a release serves, oldest first. */
export function apiVersionsOf(kind: ApiKind, release: KruiseRolloutVersion): string[] {
  return schemas.kinds
    .filter((one) => one.kind === kind && exists(definitions[one.definition]!, release.facts.api))
    .map(({ version }) => version);
}

function expand(definition: Definition, level: ApiLevel): StructuralSchema {
  const { since, from, $ref, properties, additionalProperties, items, required, ...keywords } = atLevel(
    definition,
    level,
  );
  const base = $ref === undefined ? {} : { ...expand(definitions[$ref]!, level) };
  const named = $ref !== undefined && definitions[$ref]!.properties !== undefined ? { title: $ref } : {};
  const kept = Object.entries(properties ?? {}).filter(([, one]) => exists(one, level));
  const names = kept.map(([name]) => name);
  const requiredNames = (required ?? []).filter((name) => names.includes(name));
  return {
    ...base,
    ...named,
    ...keywords,
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(kept.map(([name, one]) => [name, expand(one, level)])) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: expand(additionalProperties, level) }),
    ...(items === undefined ? {} : { items: expand(items, level) }),
    ...(requiredNames.length === 0 ? {} : { required: requiredNames }),
  };
}

/** A definition with the validation of an API level. */
function atLevel({ from = {}, ...definition }: Definition, level: ApiLevel): Definition {
  const parts = [
    definition,
    ...API_LEVELS.filter((one) => one in from && isReached(one, level)).map((one) => from[one]!),
  ];
  return Object.assign({}, ...parts, { required: parts.flatMap(({ required = [] }) => required) });
}

function exists({ since }: Definition, level: ApiLevel): boolean {
  return since === undefined || isReached(since, level);
}

function isReached(level: ApiLevel, by: ApiLevel): boolean {
  return API_LEVELS.indexOf(level) <= API_LEVELS.indexOf(by);
}
