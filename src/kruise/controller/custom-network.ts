/** The custom provider: scripts rewrite the objects in `customNetworkRefs` in place, always from the stored original. */

import { goJson, omitEmpty, sameStringMap } from '../../core/go-json';
import type { Json, JsonObject } from '../../core/json';
import { compact } from '../../core/json';
import type { LuaRunOptions } from '../../lua';
import { type ObjectRef, ORIGINAL_SPEC_ANNOTATION } from '../api';
import type { Routing } from '../routing';
import {
  annotationsOf,
  type CustomObjectData,
  type CustomScriptObject,
  customScriptObject,
  formatOriginal,
  labelsOf,
  parseOriginal,
  type RunScript,
  returnedData,
  type ScriptCall,
} from '../scripts/contract';
import { lookupCustomScript, runnerOfFound, type ScriptSources } from '../scripts/lookup';
import { KruiseRolloutVersion } from '../version';
import { annotationsRefusal, pathsOfNulls, prunedOfNulls, withMetadata } from './api-server';
import { type ControllerError, MAX_PASSES, scriptsUnknown } from './error';

/** One step for the custom provider. */
export type CustomRouting = Pick<Routing, 'namespace' | 'stableService' | 'canaryService' | 'strategy'>;

/** Returns the script for the object of a ref, or the controller's error if there is none. */
export type CustomScripts = (
  ref: ObjectRef,
) =>
  | { readonly ok: true; readonly run: RunScript }
  | { readonly ok: false; readonly error: string; readonly unknownIn?: string };

/** One object of `customNetworkRefs` in the cluster. */
export interface CustomTarget {
  readonly ref: ObjectRef;
  /** The manifest; absent if the object does not exist. */
  readonly object?: JsonObject;
}

/** The result of one reconcile of the custom provider. */
export interface CustomPass {
  /** The objects after the reconcile, in the order of the refs. */
  readonly targets: readonly CustomTarget[];
  /** Whether the controller rewrote the object of each ref. Before the first rewrite it also stores the original. */
  readonly written: readonly boolean[];
  /** Whether the controller considers the step done. */
  readonly done: boolean;
  /** The runs of the scripts, in the order of the refs. */
  readonly calls: readonly ScriptCall<CustomScriptObject>[];
  readonly error?: ControllerError;
}

/**
 * Looks up scripts as the controller does, and compiles each once.
 *
 * @param options more options of each run: `onLine` for coverage
 */
export function customScripts(sources: ScriptSources, options?: LuaRunOptions): CustomScripts {
  const cache = new Map<string, ReturnType<CustomScripts>>();
  return (ref) => {
    const key = `${ref.kind}.${ref.apiVersion}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const script = lookupCustomScript(ref, sources);
    const found = script.found
      ? { ok: true as const, run: runnerOfFound(script, sources.version, options) }
      : compact({ ok: false as const, error: script.error, unknownIn: script.unknownIn });
    cache.set(key, found);
    return found;
  };
}

/** The error for the first object or script that does not exist; a release then does not begin. */
export function missingCustom(
  targets: readonly CustomTarget[],
  namespace: string,
  scripts: CustomScripts,
): ControllerError | undefined {
  for (const { ref, object } of targets) {
    if (object === undefined) return notFound(ref, { namespace });
    const script = scripts(ref);
    if (!script.ok) return scriptMissing(ref, { namespace }, script);
  }
  return undefined;
}

/**
 * One reconcile: reads all objects, stores missing originals, runs all scripts on the originals, and then writes. If a
 * script fails, no object changes, apart from the stored original.
 */
export function ensureCustomRoutes(
  targets: readonly CustomTarget[],
  routing: CustomRouting,
  scripts: CustomScripts,
  version: KruiseRolloutVersion = KruiseRolloutVersion.LATEST,
): CustomPass {
  const untouched = targets.map(() => false);
  if (!version.facts.customRunsAtZero && routing.strategy.traffic === '0%') {
    return { targets, written: untouched, done: true, calls: [] };
  }
  const missing = targets.find((target) => target.object === undefined);
  if (missing !== undefined) {
    return { targets, written: untouched, done: false, calls: [], error: notFound(missing.ref, routing) };
  }
  const stored: CustomTarget[] = [];
  for (const target of targets) {
    const { object, refusal } = withOriginal(target.object ?? {});
    if (refusal !== undefined) {
      const error = rejected(target.ref, routing, refusal);
      return {
        targets: [...stored, ...targets.slice(stored.length)],
        written: untouched,
        done: false,
        calls: [],
        error,
      };
    }
    stored.push({ ...target, object });
  }
  return rewrite(stored, routing, scripts, version);
}

function rewrite(
  targets: readonly CustomTarget[],
  routing: CustomRouting,
  scripts: CustomScripts,
  version: KruiseRolloutVersion,
): CustomPass {
  const calls: ScriptCall<CustomScriptObject>[] = [];
  const planned: CustomObjectData[] = [];
  const failed = (error: ControllerError, after = targets, written = targets.map(() => false)): CustomPass => ({
    targets: after,
    written,
    done: false,
    calls,
    error,
  });
  for (const { ref, object } of targets) {
    const original = annotationsOf(object)?.[ORIGINAL_SPEC_ANNOTATION] ?? '';
    if (original === '') return failed(originalMissing(ref, routing));
    const script = scripts(ref);
    if (!script.ok) return failed(scriptMissing(ref, routing, script));
    const obj = customScriptObject({ ...routing, original: parseOriginal(original), version });
    const call = { obj, result: script.run(obj) };
    calls.push(call);
    const returned = returnedData(call.result);
    if (!returned.ok) return failed(luaFailed(ref, routing, returned.error, returned.line));
    planned.push(returned.data);
  }
  const after: CustomTarget[] = [];
  const written: boolean[] = [];
  for (const [index, target] of targets.entries()) {
    const { object, updated, refusal } = compareAndUpdate(target.object ?? {}, planned[index]);
    if (refusal !== undefined) {
      const rest = targets.slice(index);
      const error = rejected(target.ref, routing, refusal);
      return failed(error, [...after, ...rest], [...written, ...rest.map(() => false)]);
    }
    after.push({ ...target, object });
    written.push(updated);
  }
  return { targets: after, written, done: !written.includes(true), calls };
}

/** The result of a step for the objects, from its first reconcile until it settles or fails. */
export interface CustomStep {
  readonly targets: readonly CustomTarget[];
  /** All reconciles, in order. */
  readonly passes: readonly CustomPass[];
  readonly error?: ControllerError;
}

/**
 * Reconciles one step until it settles. A step never settles if the API server stores a different value than the script
 * returned, usually because an empty table became null. The result is then an error of class `never-settles`.
 */
export function runCustomStep(
  targets: readonly CustomTarget[],
  routing: CustomRouting,
  scripts: CustomScripts,
  version: KruiseRolloutVersion = KruiseRolloutVersion.LATEST,
): CustomStep {
  const passes: CustomPass[] = [];
  let current = targets;
  while (passes.length < MAX_PASSES) {
    const pass = ensureCustomRoutes(current, routing, scripts, version);
    passes.push(pass);
    current = pass.targets;
    if (pass.done || pass.error !== undefined) return compact({ targets: current, passes, error: pass.error });
  }
  return { targets: current, passes, error: neverSettles(passes, routing) };
}

/**
 * Ends a rollout: restores the stored spec, labels and annotations of each object and discards all changes since then. An
 * object without a stored original stays unchanged. An object loses its spec if the stored original is not JSON.
 */
export function finaliseCustom(targets: readonly CustomTarget[]): readonly CustomTarget[] {
  return targets.map((target) =>
    target.object === undefined ? target : { ...target, object: restored(target.object) },
  );
}

function restored(object: JsonObject): JsonObject {
  const original = annotationsOf(object)?.[ORIGINAL_SPEC_ANNOTATION] ?? '';
  if (original === '') return object;
  const { spec, labels, annotations } = parseOriginal(original);
  return withData(object, { spec, labels, annotations });
}

function withOriginal(object: JsonObject): { readonly object: JsonObject; readonly refusal?: string } {
  const annotations = annotationsOf(object) ?? {};
  if (Object.hasOwn(annotations, ORIGINAL_SPEC_ANNOTATION)) return { object };
  // The API server dropped the nulls before the controller read the object.
  const pruned = withSpec(object, prunedOfNulls(object.spec));
  const change = { ...annotations, [ORIGINAL_SPEC_ANNOTATION]: formatOriginal(pruned) };
  return { object: withMetadata(pruned, { annotations: change }), refusal: annotationsRefusal(change) };
}

interface Update {
  readonly object: JsonObject;
  readonly updated: boolean;
  readonly refusal?: string;
}

function compareAndUpdate(object: JsonObject, data: CustomObjectData): Update {
  const current = annotationsOf(object) ?? {};
  const annotations = { ...data.annotations, [ORIGINAL_SPEC_ANNOTATION]: current[ORIGINAL_SPEC_ANNOTATION] };
  const labels = omitEmpty(data.labels);
  const same =
    goJson(object.spec) === goJson(data.spec) &&
    sameStringMap(current, annotations) &&
    sameStringMap(labelsOf(object), labels);
  if (same) return { object, updated: false };
  const refusal = annotationsRefusal(annotations);
  return { object: withData(object, { spec: data.spec, labels, annotations }), updated: true, refusal };
}

function withData(object: JsonObject, data: CustomObjectData): JsonObject {
  const { labels, annotations } = data;
  return withMetadata(withSpec(object, prunedOfNulls(data.spec)), { labels, annotations });
}

function withSpec(object: JsonObject, spec: unknown): JsonObject {
  const { spec: _before, ...others } = object;
  return spec === undefined || spec === null ? others : { ...others, spec: spec as Json };
}

type InNamespace = Pick<CustomRouting, 'namespace'>;

function nameOf(ref: ObjectRef, routing: InNamespace) {
  return { kind: ref.kind, namespace: routing.namespace, name: ref.name };
}

function label(ref: ObjectRef, routing: InNamespace): string {
  return `${ref.kind}(${routing.namespace}/${ref.name})`;
}

function notFound(ref: ObjectRef, routing: InNamespace): ControllerError {
  const message = `${ref.kind} "${ref.name}" not found`;
  const log = `failed to get custom network provider ${label(ref, routing)}: ${message}`;
  return { class: 'not-found', message, log, object: nameOf(ref, routing) };
}

function originalMissing(ref: ObjectRef, routing: InNamespace): ControllerError {
  const message = `failed to get original spec from annotation for ${label(ref, routing)}`;
  const path = `metadata.annotations["${ORIGINAL_SPEC_ANNOTATION}"]`;
  return { class: 'original-missing', message, log: message, object: nameOf(ref, routing), path };
}

function scriptMissing(
  ref: ObjectRef,
  routing: InNamespace,
  { error: message, unknownIn }: Extract<ReturnType<CustomScripts>, { ok: false }>,
): ControllerError {
  if (unknownIn !== undefined) return scriptsUnknown(unknownIn);
  const log = `failed to get lua script for ${label(ref, routing)}: ${message}`;
  return { class: 'script-not-found', message, log, object: nameOf(ref, routing) };
}

function luaFailed(ref: ObjectRef, routing: InNamespace, message: string, line?: number): ControllerError {
  const log = `failed to execute lua for ${label(ref, routing)}: ${message}`;
  return compact({ class: 'lua' as const, message, log, line, object: nameOf(ref, routing) });
}

function rejected(ref: ObjectRef, routing: InNamespace, message: string): ControllerError {
  return { class: 'rejected', message, object: nameOf(ref, routing), path: 'metadata.annotations' };
}

function neverSettles(passes: readonly CustomPass[], routing: CustomRouting): ControllerError {
  const last = passes[passes.length - 1];
  const index = Math.max(0, last.written.indexOf(true));
  const { ref } = last.targets[index];
  const returned = returnedData(last.calls[index].result);
  const nulls = returned.ok ? pathsOfNulls(returned.data.spec, 'spec') : [];
  const message =
    nulls.length > 0
      ? `the controller writes ${label(ref, routing)} in every reconcile: the script returned null at ${nulls.join(', ')}, ` +
        'because an empty table is encoded as null, and the API server does not store nulls'
      : `the controller writes ${label(ref, routing)} in every reconcile: the script returns a different result each time`;
  return compact({ class: 'never-settles' as const, message, object: nameOf(ref, routing), path: nulls[0] });
}
