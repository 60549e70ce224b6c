/**
 * What a routing script is given as `obj`, and what it must return: pure data in both directions.
 * See docs/script-contract.md.
 */

import { goMembers, omitEmpty } from '../../core/go-json';
import { isJsonObject } from '../../core/json';
import type { LuaData, LuaResult, LuaRunOptions, LuaScript, LuaType } from '../../lua';
import { compileLua } from '../../lua';
import type { HttpHeaderFilter, HttpRouteMatch, TrafficRoutingStrategy } from '../api';
import { ORIGINAL_SPEC_ANNOTATION } from '../api';
import { asObject, compact, type StringMap } from '../json';
import { trafficWeight } from '../routing';
import { KruiseRolloutVersion } from '../version';

/** What an ingress script is given as `obj`. An absent field is nil in Lua, an empty one an empty table. */
export interface IngressScriptObject {
  /** Annotations of the canary Ingress as it is now; of the stable Ingress at creation. Nil when there are none. */
  readonly annotations?: StringMap;
  /** A **string**: `"0"` to `"100"`, `"-1"` when the step names no traffic. */
  readonly weight: string;
  readonly matches?: readonly HttpRouteMatch[];
  readonly canaryService: string;
  readonly requestHeaderModifier?: HttpHeaderFilter;
}

/** The part of a custom object that a script sees and returns. */
export interface CustomObjectData {
  readonly spec?: unknown;
  readonly labels?: StringMap;
  readonly annotations?: StringMap;
}

/** What a custom script is given as `obj`. An absent field is nil in Lua, an empty one an empty table. */
export interface CustomScriptObject {
  /** The object as it was before the rollout, every time. */
  readonly data: CustomObjectData;
  /** A **number**: 0 to 100, -1 when the step names no traffic. */
  readonly canaryWeight: number;
  /** 100 less the canary's weight; 101 when the step names no traffic. */
  readonly stableWeight: number;
  readonly matches?: readonly HttpRouteMatch[];
  readonly canaryService: string;
  readonly stableService: string;
  /** From 0.6 on. */
  readonly requestHeaderModifier?: HttpHeaderFilter;
}

/** Either kind of `obj`. */
export type ScriptObject = IngressScriptObject | CustomScriptObject;

/** Runs a script with an `obj`; see {@link scriptRunner}. */
export type RunScript = (obj: ScriptObject) => LuaResult;

/** One run of a script: what it was given, and how it ended. */
export interface ScriptCall<Obj extends ScriptObject = ScriptObject> {
  readonly obj: Obj;
  readonly result: LuaResult;
}

/**
 * A script as one release of the controller runs it.
 *
 * @param options what else the run needs: `onLine` for coverage, `mapOrderSeed`
 * @example
 * const run = scriptRunner('return obj.annotations', KruiseRolloutVersion.V0_5_0);
 */
export function scriptRunner(
  script: string | LuaScript,
  version: KruiseRolloutVersion = KruiseRolloutVersion.LATEST,
  options: LuaRunOptions = {},
): RunScript {
  const compiled = typeof script === 'string' ? compileLua(script) : script;
  const { emptyTable } = version.facts;
  return (obj) => compiled.run(obj as unknown as LuaData, { emptyTable, ...options });
}

/** From what the `obj` of an ingress script is made. */
export interface IngressScriptInput {
  /** Those of the canary Ingress as it is now. */
  readonly annotations?: StringMap;
  /** Traffic of the step; leave it out for the run that creates the canary Ingress. */
  readonly strategy?: TrafficRoutingStrategy;
  readonly canaryService: string;
  /** @default KruiseRolloutVersion.LATEST */
  readonly version?: KruiseRolloutVersion;
}

/** Builds the `obj` of an ingress script. Without a strategy it is the one at creation: weight `"0"` and nothing else. */
export function ingressScriptObject(input: IngressScriptInput): IngressScriptObject {
  const { facts } = input.version ?? KruiseRolloutVersion.LATEST;
  return compact({
    annotations: omitEmpty(input.annotations),
    weight: input.strategy === undefined ? '0' : String(trafficWeight(input.strategy)),
    matches: input.strategy?.matches,
    canaryService: input.canaryService,
    requestHeaderModifier: facts.ingressRequestHeaderModifier ? input.strategy?.requestHeaderModifier : undefined,
  });
}

/** From what the `obj` of a custom script is made. */
export interface CustomScriptInput {
  /** The object before the rollout: see {@link parseOriginal}. */
  readonly original: CustomObjectData;
  readonly strategy: TrafficRoutingStrategy;
  readonly canaryService: string;
  readonly stableService: string;
  /** @default KruiseRolloutVersion.LATEST */
  readonly version?: KruiseRolloutVersion;
}

/** Builds the `obj` of a custom script. */
export function customScriptObject(input: CustomScriptInput): CustomScriptObject {
  const { facts } = input.version ?? KruiseRolloutVersion.LATEST;
  const canaryWeight = trafficWeight(input.strategy);
  return compact({
    data: compact({
      spec: withoutNulls(input.original.spec),
      labels: omitEmpty(input.original.labels),
      annotations: omitEmpty(input.original.annotations),
    }),
    canaryWeight,
    stableWeight: 100 - canaryWeight,
    matches: input.strategy.matches,
    canaryService: input.canaryService,
    stableService: input.stableService,
    requestHeaderModifier: facts.customRequestHeaderModifier ? input.strategy.requestHeaderModifier : undefined,
  });
}

/**
 * What the controller stores in {@link ORIGINAL_SPEC_ANNOTATION} before it first changes a custom object, to the letter.
 * The annotation itself is not part of it.
 */
export function formatOriginal(object: unknown): string {
  const manifest = asObject(object);
  const { [ORIGINAL_SPEC_ANNOTATION]: _own, ...annotations } = annotationsOf(manifest) ?? {};
  return goMembers([
    ['spec', manifest.spec ?? undefined],
    ['labels', omitEmpty(labelsOf(manifest))],
    ['annotations', omitEmpty(annotations)],
  ]);
}

/**
 * What the controller reads back from {@link ORIGINAL_SPEC_ANNOTATION}. It ignores errors: text that is no JSON is an
 * object without spec, labels and annotations.
 */
export function parseOriginal(text: string): CustomObjectData {
  if (isTooDeep(text)) return {};
  try {
    return decodeData(JSON.parse(text)).data;
  } catch {
    return {};
  }
}

/** The annotations of a manifest as the controller reads them: none at all where one of them is not a string. */
export function annotationsOf(manifest: unknown): StringMap | undefined {
  return stringMap(asObject(asObject(manifest).metadata).annotations);
}

/** The labels of a manifest as the controller reads them: none at all where one of them is not a string. */
export function labelsOf(manifest: unknown): StringMap | undefined {
  return stringMap(asObject(asObject(manifest).metadata).labels);
}

/** Why a run of a script gave nothing to write, in the controller's own words. */
export interface ScriptFailure {
  readonly ok: false;
  /** Where it failed: the engine's stages, or `return` for a value of the wrong kind. */
  readonly stage: 'parse' | 'run' | 'encode' | 'return';
  readonly error: string;
  readonly line?: number;
}

/** What an ingress script returned: all the annotations that the canary Ingress is to have, or none. */
export type ReturnedAnnotations = { readonly ok: true; readonly annotations?: StringMap } | ScriptFailure;

/** What a custom script returned: all that the object is to have. */
export type ReturnedData = { readonly ok: true; readonly data: CustomObjectData } | ScriptFailure;

/** Reads what an ingress script returned as the controller does: a table of strings. */
export function returnedAnnotations(result: LuaResult): ReturnedAnnotations {
  const table = returnedTable(result);
  if (!table.ok) return table;
  // An empty table is `null` from 0.6 on, which removes every annotation.
  if (table.value === null) return { ok: true };
  if (!isJsonObject(table.value)) return failedReturn(cannotUnmarshal(table.value, 'value of type map[string]string'));
  const { map, wrong } = decodeStringMap(table.value);
  if (wrong !== undefined) return failedReturn(cannotUnmarshal(wrong, 'value of type string'));
  return { ok: true, annotations: map };
}

/**
 * Reads what a custom script returned as the controller does. A table without `spec`, `labels` or `annotations` is no
 * error: it removes them.
 */
export function returnedData(result: LuaResult): ReturnedData {
  if (result.ok && isTooDeep(result.json)) {
    return failedReturn(`the returned table is nested deeper than ${MAX_DEPTH} levels`);
  }
  const table = returnedTable(result);
  if (!table.ok) return table;
  const { data, error } = decodeData(table.value);
  return error === undefined ? { ok: true, data } : failedReturn(error);
}

type ReturnedTable = { readonly ok: true; readonly value: unknown } | ScriptFailure;

function returnedTable(result: LuaResult): ReturnedTable {
  const type: LuaType = result.type ?? 'table';
  // The controller looks at the type before it encodes, so a returned function is a wrong type and no encoding error.
  const returned = result.ok || result.stage === 'encode';
  if (returned && type !== 'table') return failedReturn(`expect table output from Lua script, not ${type}`);
  if (result.ok) return { ok: true, value: JSON.parse(result.json) };
  return compact({ ok: false as const, stage: result.stage, error: result.error, line: result.line });
}

function failedReturn(error: string): ScriptFailure {
  return { ok: false, stage: 'return', error };
}

/** Decodes into Go's `struct { Spec interface{}; Labels, Annotations map[string]string }`, with the first error. */
function decodeData(value: unknown): { readonly data: CustomObjectData; readonly error?: string } {
  if (value === null) return { data: {} };
  if (!isJsonObject(value)) return { data: {}, error: cannotUnmarshal(value, 'value of type custom.Data') };
  const data: { spec?: unknown; labels?: StringMap; annotations?: StringMap } = {};
  let error: string | undefined;
  for (const [key, member] of Object.entries(value)) {
    const field = fieldOfData(key);
    if (field === 'spec') data.spec = member ?? undefined;
    else if (field !== undefined && member === null) data[field] = undefined;
    else if (field !== undefined && !isJsonObject(member)) {
      error ??= cannotUnmarshal(member, `struct field Data.${field} of type map[string]string`);
    } else if (field !== undefined) {
      const { map, wrong } = decodeStringMap(asObject(member));
      data[field] = { ...data[field], ...map };
      if (wrong !== undefined) error ??= cannotUnmarshal(wrong, `struct field Data.${field} of type string`);
    }
  }
  return { data: compact(data), error };
}

/** Go finds a struct's field whatever the case of the key, the long s included. */
function fieldOfData(key: string): 'spec' | 'labels' | 'annotations' | undefined {
  const folded = key.replace(/\u017f/g, 's').toLowerCase();
  return folded === 'spec' || folded === 'labels' || folded === 'annotations' ? folded : undefined;
}

/** Decodes into Go's `map[string]string`: null becomes an empty string, and so does a value of a wrong type. */
function decodeStringMap(object: { readonly [key: string]: unknown }): { map: StringMap; wrong?: unknown } {
  const entries = Object.entries(object);
  return {
    map: Object.fromEntries(entries.map(([key, value]) => [key, typeof value === 'string' ? value : ''])),
    wrong: entries.find(([, value]) => value !== null && typeof value !== 'string')?.[1],
  };
}

function cannotUnmarshal(value: unknown, target: string): string {
  const kinds: Record<string, string> = { boolean: 'bool', number: 'number', string: 'string' };
  const kind = kinds[typeof value] ?? (Array.isArray(value) ? 'array' : 'object');
  return `json: cannot unmarshal ${kind} into Go ${target}`;
}

function stringMap(value: unknown): StringMap | undefined {
  if (!isJsonObject(value) || Object.values(value).some((item) => typeof item !== 'string')) return undefined;
  return omitEmpty(value as StringMap);
}

/**
 * The data as a Lua table holds it: a null in a map is an absent key, a null in a list disappears and the following
 * elements move up, and every number is a double.
 */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(isPresent).map(withoutNulls);
  if (typeof value === 'bigint') return Number(value);
  if (!isJsonObject(value)) return value ?? undefined;
  const members = Object.entries(value).filter(([, member]) => isPresent(member));
  return Object.fromEntries(members.map(([key, member]) => [key, withoutNulls(member)]));
}

/** A number beyond the range of a double is an error to Go's decoder, which leaves a null in its place. */
function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined && (typeof value !== 'number' || Number.isFinite(value));
}

/** How deep JSON may nest here. The controller and the API server stop at 10000; no manifest comes near either. */
const MAX_DEPTH = 1000;

function isTooDeep(json: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (inString && character === '\\') at++;
    else if (character === '"') inString = !inString;
    else if (!inString && (character === '{' || character === '[') && ++depth > MAX_DEPTH) return true;
    else if (!inString && (character === '}' || character === ']')) depth--;
  }
  return false;
}
