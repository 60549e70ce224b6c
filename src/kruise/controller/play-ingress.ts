/** A rollout on an Ingress: every step in order, until the first error. */
import { compileLua, type LuaRunOptions } from '../../lua';
import { compact } from '../json';
import { canaryServiceName, type RoutingOptions, readStrategy, routesTraffic } from '../routing';
import { type IngressScriptObject, type ScriptCall, scriptRunner } from '../scripts/contract';
import { lookupIngressScript, type ScriptLookup, type ScriptSources } from '../scripts/lookup';
import { KruiseRolloutVersion } from '../version';
import {
  type CanaryIngress,
  createCanaryIngress,
  type IngressPass,
  type IngressStep,
  runIngressStep,
} from './canary-ingress';
import type { ControllerError } from './error';

/** What `playIngress` needs to know. */
export interface IngressPlayOptions {
  /** The Ingress through which the stable Service is reached, as a manifest. */
  readonly stableIngress: unknown;
  /** The stable Service: `trafficRoutings[].service`. */
  readonly service: string;
  /** The steps of a v1beta1 Rollout; of each only `traffic`, `matches` and `requestHeaderModifier` count. */
  readonly steps: readonly unknown[];
  /**
   * `trafficRoutings[].ingress.classType`
   * @default 'nginx'
   */
  readonly classType?: string;
  /** Where scripts are looked for. */
  readonly scripts: ScriptSources;
  /** @default - the version of `scripts`, else KruiseRolloutVersion.LATEST */
  readonly version?: KruiseRolloutVersion;
  /** @default false */
  readonly disableGenerateCanaryService?: boolean;
  /**
   * The steps did not go through an API server, so a match without `type` stays without it.
   * @default false
   */
  readonly withoutCrdDefaults?: boolean;
  /**
   * What else each run of the script needs: `onLine` for coverage.
   * @default - nothing
   */
  readonly runOptions?: LuaRunOptions;
}

/** The canary Ingress through all the steps of a rollout. */
export interface IngressPlay {
  /** Where the script came from. */
  readonly script: ScriptLookup;
  /** The canary Ingress as first created, before any step is applied; undefined when it never was. */
  readonly created?: CanaryIngress;
  /** The step whose first reconcile created it, counted from 0. */
  readonly createdAtStep?: number;
  /** The canary Ingress once each step has settled, undefined while there is none; ends at the first error. */
  readonly afterSteps: readonly (CanaryIngress | undefined)[];
  /** Every run of the script, in order. */
  readonly calls: readonly ScriptCall<IngressScriptObject>[];
  /** The error at which the rollout stays, in creation or in a step. */
  readonly error?: ControllerError & { readonly phase: 'create' | 'step'; readonly step: number };
}

/**
 * Plays the steps of a rollout on an Ingress, as the controller's traffic routing manager does it. A step without
 * traffic and matches changes nothing here; that the Rollout controller first takes all routing back for such a step
 * is a matter of the Rollout, not of its routing.
 *
 * Never throws: odd manifests give odd Ingresses or errors, as in the controller.
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
    // The script is looked up before the first step already, whatever that step asks for.
    const { error: message } = script;
    const error = { class: 'script-not-found', message, log: `newNetworkProvider failed: ${message}` } as const;
    return { script, afterSteps: [], calls: [], error: { ...error, phase: 'create', step: 0 } };
  }
  const run = scriptRunner(compileLua(script.source), version, options.runOptions);
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

/** A play while it is being recorded. */
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
