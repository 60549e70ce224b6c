/** Plays a rollout on custom objects: every step in order, until the first error. */
import type { JsonObject } from '../../core/json';
import { asObject, compact, textOf } from '../../core/json';
import type { LuaRunOptions } from '../../lua';
import { canaryServiceName, readStrategy, routesTraffic } from '../routing';
import type { CustomScriptObject, ScriptCall } from '../scripts/contract';
import type { ScriptSources } from '../scripts/lookup';
import { KruiseRolloutVersion } from '../version';
import { type CustomTarget, customScripts, finaliseCustom, runCustomStep } from './custom-network';
import type { ControllerError } from './error';

/** Options of `playCustom`. */
export interface CustomPlayOptions {
  /** The manifests of the objects in `customNetworkRefs`, in that order. */
  readonly objects: readonly unknown[];
  /** The stable Service: `trafficRoutings[].service`. */
  readonly service: string;
  /** The steps of a v1beta1 Rollout; only `traffic`, `matches` and `requestHeaderModifier` matter. */
  readonly steps: readonly unknown[];
  /** The sources of the scripts. */
  readonly scripts: ScriptSources;
  /** @default - the version of `scripts`, else KruiseRolloutVersion.LATEST */
  readonly version?: KruiseRolloutVersion;
  /** @default false */
  readonly disableGenerateCanaryService?: boolean;
  /**
   * Whether the steps lack the API server's defaults, so that a match may have no `type`.
   * @default false
   */
  readonly withoutCrdDefaults?: boolean;
  /**
   * More options of each script run: `onLine` for coverage.
   * @default - none
   */
  readonly runOptions?: LuaRunOptions;
}

/** The custom objects in all steps of a rollout. */
export interface CustomPlay {
  /** The objects after each settled step, until the first error. */
  readonly afterSteps: readonly (readonly JsonObject[])[];
  /** The objects after the rollout, restored from the stored originals; absent after an error. */
  readonly restored?: readonly JsonObject[];
  /** All script runs, in order. */
  readonly calls: readonly ScriptCall<CustomScriptObject>[];
  /** The error that blocks the rollout. */
  readonly error?: ControllerError & { readonly step: number };
}

/**
 * Plays the steps of a rollout on custom objects as the controller's traffic routing manager does, and restores the
 * objects at the end. Never throws.
 *
 * @example
 * const play = playCustom({
 *   objects: [virtualService], service: 'web',
 *   steps: [{ traffic: '20%' }, { traffic: '100%' }],
 *   scripts: { builtins: readScriptLibrary('lua_configuration/builtin') },
 * });
 * play.afterSteps[0][0].spec;
 */
export function playCustom(options: CustomPlayOptions): CustomPlay {
  const version = options.version ?? options.scripts.version ?? KruiseRolloutVersion.LATEST;
  const scripts = customScripts({ ...options.scripts, version }, options.runOptions);
  const sameService = options.disableGenerateCanaryService === true && version.facts.disableGenerateCanaryService;
  const canaryService = canaryServiceName(options.service, sameService);
  const namespace = namespaceOf(options.objects);
  const afterSteps: (readonly JsonObject[])[] = [];
  const calls: ScriptCall<CustomScriptObject>[] = [];
  let targets: readonly CustomTarget[] = options.objects.map(targetOf);
  for (const [step, value] of options.steps.entries()) {
    const strategy = readStrategy(value, { version, withoutCrdDefaults: options.withoutCrdDefaults });
    if (routesTraffic(strategy)) {
      const routing = { namespace, stableService: options.service, canaryService, strategy };
      const result = runCustomStep(targets, routing, scripts, version);
      calls.push(...result.passes.flatMap((pass) => pass.calls));
      if (result.error !== undefined) return { afterSteps, calls, error: { ...result.error, step } };
      targets = result.targets;
    }
    afterSteps.push(objectsOf(targets));
  }
  return compact({ afterSteps, restored: objectsOf(finaliseCustom(targets)), calls });
}

/** The object of a manifest, with the ref to it. */
export function targetOf(manifest: unknown): CustomTarget {
  const object = asObject(manifest);
  const ref = {
    apiVersion: textOf(object.apiVersion) ?? '',
    kind: textOf(object.kind) ?? '',
    name: textOf(asObject(object.metadata).name) ?? '',
  };
  return { ref, object };
}

function objectsOf(targets: readonly CustomTarget[]): JsonObject[] {
  return targets.map(({ object }) => object ?? {});
}

function namespaceOf(objects: readonly unknown[]): string {
  return textOf(asObject(asObject(objects[0]).metadata).namespace) ?? 'default';
}
