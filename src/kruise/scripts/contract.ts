/**
 * The contract of a routing script: its input `obj` and the value that it must return. Both are plain data.
 * See docs/script-contract.md.
 */

import { goMembers, omitEmpty } from '../../core/go-json';
import { asObject, compact, isJsonObject, type StringMap } from '../../core/json';
import type { LuaData, LuaResult, LuaRunOptions, LuaScript, LuaType } from '../../lua';
import { compileLua } from '../../lua';
import type { HttpHeaderFilter, HttpRouteMatch, TrafficRoutingStrategy } from '../api';
import { ORIGINAL_SPEC_ANNOTATION } from '../api';
import { trafficWeight } from '../routing';
import { KruiseRolloutVersion } from '../version';

/** The input `obj` of an ingress script. An absent field is nil in Lua, an empty one an empty table. */
export interface IngressScriptObject {
  /** The current annotations of the canary Ingress; at creation, those of the stable Ingress. Nil if there are none. */
  readonly annotations?: StringMap;
  /** A **string**: `"0"` to `"100"`, or `"-1"` if the step has no traffic. */
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

/** The input `obj` of a custom script. An absent field is nil in Lua, an empty one an empty table. */
export interface CustomScriptObject {
  /** The object as it was before the rollout, in every run. */
  readonly data: CustomObjectData;
  /** A **number**: 0 to 100, or -1 if the step has no traffic. */
  readonly canaryWeight: number;
  /** 100 minus the canary's weight; 101 if the step has no traffic. */
  readonly stableWeight: number;
  readonly matches?: readonly HttpRouteMatch[];
  readonly canaryService: string;
  readonly stableService: string;
  /** Since release 0.6. */
  readonly requestHeaderModifier?: HttpHeaderFilter;
}

/** Either kind of `obj`. */
export type ScriptObject = IngressScriptObject | CustomScriptObject;

/** Runs a script with an `obj`; see {@link scriptRunner}. */
export type RunScript = (obj: ScriptObject) => LuaResult;

/** One run of a script: its input and its result. */
export interface ScriptCall<Obj extends ScriptObject = ScriptObject> {
  readonly obj: Obj;
  readonly result: LuaResult;
}

/**
 * Runs a script as one release of the controller does.
 *
 * @param options more options of the run: `onLine` for coverage, `mapOrderSeed`
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
  const run: RunScript = (obj) => compiled.run(obj as unknown as LuaData, { emptyTable, ...options });
  return options.onLine === undefined ? withLastResult(run) : run;
}

/** The reconcile that follows a change gives a script the same `obj` once more, and the same `obj` has the same result. */
function withLastResult(run: RunScript): RunScript {
  let last: { readonly given: string; readonly result: LuaResult } | undefined;
  return (obj) => {
    const given = JSON.stringify(obj);
    if (last?.given === given) return last.result;
    const result = run(obj);
    // A script that ran out of time may have more of it the next time.
    last = result.ok ? { given, result } : undefined;
    return result;
  };
}

/** The input for {@link ingressScriptObject}. */
export interface IngressScriptInput {
  /** The current annotations of the canary Ingress. */
  readonly annotations?: StringMap;
  /** The traffic of the step; omit it for the run that creates the canary Ingress. */
  readonly strategy?: TrafficRoutingStrategy;
  readonly canaryService: string;
  /** @default KruiseRolloutVersion.LATEST */
  readonly version?: KruiseRolloutVersion;
}

/** Builds the `obj` of an ingress script. Without a strategy it is the `obj` at creation, with weight `"0"` only. */
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

/** The input for {@link customScriptObject}. */
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
 * The exact text that the controller stores in {@link ORIGINAL_SPEC_ANNOTATION} before it first changes a custom object.
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
 * Reads the text of {@link ORIGINAL_SPEC_ANNOTATION} as the controller does. The controller ignores errors: text that is
 * not JSON gives an object without spec, labels and annotations.
 */
export function parseOriginal(text: string): CustomObjectData {
  if (isTooDeep(text)) return {};
  try {
    return decodeData(JSON.parse(text)).data;
  } catch {
    return {};
  }
}

/** The annotations of a manifest as the controller reads them: none if one of them is not a string. */
export function annotationsOf(manifest: unknown): StringMap | undefined {
  return stringMap(asObject(asObject(manifest).metadata).annotations);
}

/** The labels of a manifest as the controller reads them: none if one of them is not a string. */
export function labelsOf(manifest: unknown): StringMap | undefined {
  return stringMap(asObject(asObject(manifest).metadata).labels);
}

/** Why the controller can write nothing after a run, with the controller's own error. */
export interface ScriptFailure {
  readonly ok: false;
  /** The stage that failed: one of the engine, or `return` for a value of the wrong type. */
  readonly stage: 'parse' | 'run' | 'encode' | 'return';
  readonly error: string;
  readonly line?: number;
}

/** The result of an ingress script: the complete annotations of the canary Ingress. */
export type ReturnedAnnotations = { readonly ok: true; readonly annotations?: StringMap } | ScriptFailure;

/** The result of a custom script: the complete spec, labels and annotations of the object. */
export type ReturnedData = { readonly ok: true; readonly data: CustomObjectData } | ScriptFailure;

/** Reads the result of an ingress script as the controller does: a table of strings. */
export function returnedAnnotations(result: LuaResult): ReturnedAnnotations {
  const table = returnedTable(result);
  if (!table.ok) return table;
  // Since release 0.6 an empty table is `null`, which removes every annotation.
  if (table.value === null) return { ok: true };
  if (!isJsonObject(table.value)) return failedReturn(cannotUnmarshal(table.value, 'value of type map[string]string'));
  const { map, wrong } = decodeStringMap(table.value);
  if (wrong !== undefined) return failedReturn(cannotUnmarshal(wrong, 'value of type string'));
  return { ok: true, annotations: map };
}

/**
 * Reads the result of a custom script as the controller does. A table without `spec`, `labels` or `annotations` is not an
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
  // The controller checks the type before it encodes, so a returned function is a type error, not an encoding error.
  const returned = result.ok || result.stage === 'encode';
  if (returned && type !== 'table') return failedReturn(`expect table output from Lua script, not ${type}`);
  if (result.ok) return { ok: true, value: JSON.parse(result.json) };
  return compact({ ok: false as const, stage: result.stage, error: result.error, line: result.line });
}

function failedReturn(error: string): ScriptFailure {
  return { ok: false, stage: 'return', error };
}

/** Decodes into Go's `struct { Spec interface{}; Labels, Annotations map[string]string }` and returns the first error. */
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

/** Go ignores the case of a key when it looks for a struct's field, and treats the long s as an s. */
function fieldOfData(key: string): 'spec' | 'labels' | 'annotations' | undefined {
  const folded = key.replace(/\u017f/g, 's').toLowerCase();
  return folded === 'spec' || folded === 'labels' || folded === 'annotations' ? folded : undefined;
}

/** Decodes into Go's `map[string]string`: null and values of a wrong type become empty strings. */
function decodeStringMap(object: { readonly [key: string]: unknown }): { map: StringMap; wrong?: unknown } {
  if (Object.values(object).every((value) => typeof value === 'string')) return { map: object as StringMap };
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
 * The data as a Lua table holds it: a null in a map is an absent key, a null in a list is removed and later elements
 * move up, and every number is a double.
 */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(isPresent).map(withoutNulls);
  if (typeof value === 'bigint') return Number(value);
  if (!isJsonObject(value)) return value ?? undefined;
  const members = Object.entries(value).filter(([, member]) => isPresent(member));
  return Object.fromEntries(members.map(([key, member]) => [key, withoutNulls(member)]));
}

/** Go's decoder reports an error for a number outside the range of a double and leaves a null in its place. */
function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined && (typeof value !== 'number' || Number.isFinite(value));
}

/** The deepest nesting of JSON. The controller and the API server allow 10000; no manifest comes close to either. */
const MAX_DEPTH = 1000;

function isTooDeep(json: string): boolean {
  if ((json.match(/[{[]/g)?.length ?? 0) <= MAX_DEPTH) return false;
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
