/** Plays a rollout on an Ingress: every step in order, until the first error. */

import { compact } from '../../core/json';
import type { LuaRunOptions } from '../../lua';
import { canaryServiceName, type RoutingOptions, readStrategy, routesTraffic } from '../routing';
import type { IngressScriptObject, ScriptCall } from '../scripts/contract';
import { lookupIngressScript, runnerOfFound, type ScriptLookup, type ScriptSources } from '../scripts/lookup';
import { KruiseRolloutVersion } from '../version';
import {
  type CanaryIngress,
  createCanaryIngress,
  type IngressPass,
  type IngressStep,
  runIngressStep,
} from './canary-ingress';
import type { ControllerError } from './error';

/** Options of `playIngress`. */
export interface IngressPlayOptions {
  /** The manifest of the Ingress that routes to the stable Service. */
  readonly stableIngress: unknown;
  /** The stable Service: `trafficRoutings[].service`. */
  readonly service: string;
  /** The steps of a v1beta1 Rollout; only `traffic`, `matches` and `requestHeaderModifier` matter. */
  readonly steps: readonly unknown[];
  /**
   * `trafficRoutings[].ingress.classType`
   * @default 'nginx'
   */
  readonly classType?: string;
  /** The sources of the script. */
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

/** The canary Ingress in all steps of a rollout. */
export interface IngressPlay {
  /** The result of the script lookup. */
  readonly script: ScriptLookup;
  /** The canary Ingress as created, before any step is applied; undefined if it was never created. */
  readonly created?: CanaryIngress;
  /** The step that created it, counted from 0. */
  readonly createdAtStep?: number;
  /** The canary Ingress after each settled step, undefined if there is none yet; until the first error. */
  readonly afterSteps: readonly (CanaryIngress | undefined)[];
  /** All script runs, in order. */
  readonly calls: readonly ScriptCall<IngressScriptObject>[];
  /** The error that blocks the rollout, at creation or in a step. */
  readonly error?: ControllerError & { readonly phase: 'create' | 'step'; readonly step: number };
}

/**
 * Plays the steps of a rollout on an Ingress as the controller's traffic routing manager does. A step without traffic and
 * matches changes nothing here; `playRollout` models how the Rollout controller removes all routing in such a step.
 *
 * Never throws: invalid manifests give invalid Ingresses or errors, as in the controller.
 *
 * @example
 * const play = playIngress({
 *   stableIngress, service: 'web', classType: 'nginx',
 *   steps: [{ traffic: '20%' }, { traffic: '100%' }],
 *   scripts: { builtins: readScriptLibrary('lua_configuration/builtin') },
 * });
 * play.afterSteps[0]?.metadata.annotations;
 */
export function playIngress(options: IngressPlayOptions): IngressPlay {
  const version = options.version ?? options.scripts.version ?? KruiseRolloutVersion.LATEST;
  const script = lookupIngressScript(options.classType ?? '', { ...options.scripts, version });
  if (!script.found) {
    // The controller looks up the script before the first step, regardless of that step.
    const { error: message } = script;
    const error = { class: 'script-not-found', message, log: `newNetworkProvider failed: ${message}` } as const;
    return { script, afterSteps: [], calls: [], error: { ...error, phase: 'create', step: 0 } };
  }
  const run = runnerOfFound(script, version, options.runOptions);
  const readOptions: RoutingOptions = { version, withoutCrdDefaults: options.withoutCrdDefaults };
  const sameService = options.disableGenerateCanaryService === true && version.facts.disableGenerateCanaryService;
  const services = {
    stableService: options.service,
    canaryService: canaryServiceName(options.service, sameService),
  };
  const play = new Play(script);
  if (version.facts.canaryIngressCreatedIn === 'Initialize' && options.steps.length > 0) {
    play.initialise(createCanaryIngress(options.stableIngress, services, run, version));
  }
  for (const [step, value] of options.steps.entries()) {
    if (play.stopped) break;
    const strategy = readStrategy(value, readOptions);
    const state = { stableIngress: options.stableIngress, canaryIngress: play.canaryIngress };
    if (routesTraffic(strategy)) play.add(step, runIngressStep(state, { ...services, strategy }, run, version));
    else play.skip();
  }
  return play.result();
}

/** Records a play. */
class Play {
  canaryIngress?: CanaryIngress;
  private created?: CanaryIngress;
  private createdAtStep?: number;
  private error?: IngressPlay['error'];
  private readonly afterSteps: (CanaryIngress | undefined)[] = [];
  private readonly calls: ScriptCall<IngressScriptObject>[] = [];

  constructor(private readonly script: ScriptLookup) {}

  get stopped(): boolean {
    return this.error !== undefined;
  }

  initialise(pass: IngressPass): void {
    this.record(0, {
      canaryIngress: pass.canaryIngress,
      created: pass.canaryIngress,
      passes: [pass],
      error: pass.error,
    });
  }

  add(step: number, result: IngressStep): void {
    this.record(step, result);
    if (!this.stopped) this.afterSteps.push(this.canaryIngress);
  }

  skip(): void {
    this.afterSteps.push(this.canaryIngress);
  }

  result(): IngressPlay {
    const { script, created, createdAtStep, afterSteps, calls, error } = this;
    return compact({ script, created, createdAtStep, afterSteps, calls, error });
  }

  private record(step: number, result: IngressStep): void {
    this.calls.push(...result.passes.flatMap((pass) => (pass.call === undefined ? [] : [pass.call])));
    this.canaryIngress = result.canaryIngress;
    if (result.created !== undefined) {
      this.created = result.created;
      this.createdAtStep = step;
    }
    if (result.error !== undefined) {
      this.error = { ...result.error, phase: this.canaryIngress === undefined ? 'create' : 'step', step };
    }
  }
}
