import type { StringMap } from '../../../core/json';
import { routingOfRollout, routingOfTrafficRouting } from '../../routing';
import type { KruiseRolloutVersion } from '../../version';
import {
  annotationsOf,
  type CustomObjectData,
  customScriptObject,
  formatOriginal,
  ingressScriptObject,
  parseOriginal,
  type ScriptObject,
} from '../contract';
import type { ScriptTarget } from '../library';
import type { Testdata } from '../testdata';
import type { SampleStep } from './step';

/** An object with its Services, to try a script on. */
export interface Stage {
  /** The stage in messages, after "on": `an Ingress without annotations`. */
  readonly name: string;
  readonly provider: ScriptTarget['provider'];
  /** The stable Ingress' annotations, or the custom object. */
  readonly data: CustomObjectData;
  readonly stableService: string;
  readonly canaryService: string;
  /** Whether the object is known to route to the stable Service, so that a step must change it. */
  readonly routes: boolean;
  readonly version: KruiseRolloutVersion;
}

/**
 * The `obj` that the controller passes to the script.
 *
 * @param annotations the annotations of the canary Ingress; a custom script always gets the original object
 */
export function inputFor(
  stage: Stage,
  strategy: SampleStep,
  annotations: StringMap | undefined = stage.data.annotations,
): ScriptObject {
  const { data, canaryService, stableService, version } = stage;
  return stage.provider === 'ingress'
    ? ingressScriptObject({ annotations, strategy, canaryService, version })
    : customScriptObject({ original: data, strategy, canaryService, stableService, version });
}

/** The distinct objects of the testdata, at most `atMost`, because each of them costs runs. */
export function testdataStages(
  cases: readonly Testdata[],
  target: ScriptTarget,
  version: KruiseRolloutVersion,
  atMost: number,
): readonly Stage[] {
  const stages = new Map<string, Stage>();
  for (const testdata of cases) {
    const stage = stageOf(testdata, target, version);
    const key = stage && JSON.stringify([stage.data, stage.stableService, stage.canaryService]);
    if (stage && key && !stages.has(key) && stages.size < atMost) stages.set(key, stage);
  }
  return [...stages.values()];
}

function stageOf(testdata: Testdata, target: ScriptTarget, version: KruiseRolloutVersion): Stage | undefined {
  const routing =
    testdata.routingKind === 'Rollout'
      ? routingOfRollout(testdata.routing, 0, { version })
      : routingOfTrafficRouting(testdata.routing, { version });
  if (routing === undefined) return undefined;
  return {
    name: `the object of testdata ${testdata.name}`,
    provider: target.provider,
    data:
      target.provider === 'ingress'
        ? { annotations: annotationsOf(testdata.original) }
        : parseOriginal(formatOriginal(testdata.original)),
    stableService: routing.stableService,
    canaryService: routing.canaryService,
    routes: false,
    version,
  };
}
