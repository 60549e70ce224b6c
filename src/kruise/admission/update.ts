import type { JsonObject } from '../../core/json';
import { asList, asObject, asText, sameJson } from '../../core/json';
import type { Path } from '../../core/path';
import { ROLLING_STYLE_ANNOTATION } from '../api';
import type { KruiseRolloutFacts } from '../facts';
import { type AdmissionProblem, firstReported, type Problem } from './problem';
import { rollingStyleOf } from './rollout-v1alpha1';
import { comparableRoutings } from './traffic-routing';
import { isSameWorkload, workloadRefOf } from './workload';

/** In these phases, most fields of a Rollout may not change. */
const LOCKED_PHASES = ['Progressing', 'Terminating'];

/** Whether the webhook restricts updates of a Rollout. */
export function isLocked(old: JsonObject): boolean {
  return LOCKED_PHASES.includes(asText(asObject(old.status).phase));
}

/** The changes that the webhook refuses in a v1beta1 Rollout while it is in progress. */
export function checkChangesV1beta1(
  old: JsonObject,
  rollout: JsonObject,
  { blueGreen, validation }: KruiseRolloutFacts,
): AdmissionProblem[] {
  const either = blueGreen ? 'Canary|BlueGreen' : 'Canary';
  const before = strategyOf(old);
  const after = strategyOf(rollout);
  const workloadOf = ({ spec }: JsonObject) => workloadRefOf(asObject(spec).workloadRef);
  return firstReported([
    ...(isSameWorkload(workloadOf(old), workloadOf(rollout)) ? [] : [workloadChanged(['spec', 'workloadRef'])]),
    ...(sameJson(comparableRoutings(before.object), comparableRoutings(after.object))
      ? []
      : [routingsChanged(either, after.path)]),
    ...(styleText(before) === styleText(after)
      ? []
      : [
          changed({
            rule: 'rollout-style-immutable',
            field: `Spec.Strategy.${either}`,
            message: `Rollout ${blueGreen ? 'style and enableExtraWorkloadForCanary are' : 'enableExtraWorkloadForCanary is'} immutable`,
            path: after.path,
            text: `changes from ${styleText(before)} to ${styleText(after)}`,
          }),
        ]),
    ...(validation === '0.3' || stepsOf(before) === stepsOf(after)
      ? []
      : [
          changed({
            rule: 'rollout-step-count-immutable',
            field: 'Spec.Strategy.Canary|BlueGreen',
            message: 'Amount of Rollout steps are immutable',
            path: [...after.path, 'steps'],
            text: `changes from ${stepsOf(before)} steps to ${stepsOf(after)}`,
          }),
        ]),
  ]);
}

/** The changes that the webhook refuses in a v1alpha1 Rollout while it is in progress. The number of steps may change. */
export function checkChangesV1alpha1(old: JsonObject, rollout: JsonObject): AdmissionProblem[] {
  const path = ['spec', 'strategy', 'canary'];
  const workloadOf = ({ spec }: JsonObject) => asObject(asObject(spec).objectRef).workloadRef;
  const routingsOf = ({ spec }: JsonObject) => comparableRoutings(asObject(asObject(asObject(spec).strategy).canary));
  return firstReported([
    ...(sameJson(workloadOf(old), workloadOf(rollout)) ? [] : [workloadChanged(['spec', 'objectRef', 'workloadRef'])]),
    ...(sameJson(routingsOf(old), routingsOf(rollout)) ? [] : [routingsChanged('Canary', path)]),
    ...(rollingStyleOf(old).toLowerCase() === rollingStyleOf(rollout).toLowerCase()
      ? []
      : [
          changed({
            rule: 'rollout-style-immutable',
            field: 'Metadata.Annotation',
            message: "Rollout 'Rolling-Style' annotation is immutable",
            path: ['metadata', 'annotations', ROLLING_STYLE_ANNOTATION],
            text: `changes from "${rollingStyleOf(old)}" to "${rollingStyleOf(rollout)}"`,
          }),
        ]),
  ]);
}

/** Whether the webhook panics because the current v1alpha1 Rollout has no strategy to compare with. */
export function crashesOnUpdate(old: JsonObject): boolean {
  return asObject(asObject(old.spec).strategy).canary === undefined;
}

interface Strategy {
  readonly name: 'blueGreen' | 'canary';
  readonly object: JsonObject;
  readonly path: Path;
}

function strategyOf(rollout: JsonObject): Strategy {
  const { canary, blueGreen } = asObject(asObject(rollout.spec).strategy);
  const name = blueGreen === undefined ? 'canary' : 'blueGreen';
  return { name, object: asObject(blueGreen ?? canary), path: ['spec', 'strategy', name] };
}

function styleText({ name, object }: Strategy): string {
  if (name === 'blueGreen') return 'blueGreen';
  return `canary with${object.enableExtraWorkloadForCanary === true ? '' : 'out'} enableExtraWorkloadForCanary`;
}

function stepsOf({ object }: Strategy): number {
  return asList(object.steps).length;
}

function workloadChanged(path: Path): Problem {
  return changed({
    rule: 'rollout-workload-immutable',
    field: 'Spec.ObjectRef',
    message: "Rollout 'ObjectRef' field is immutable",
    path,
    text: 'changes',
  });
}

function routingsChanged(strategy: string, path: Path): Problem {
  return changed({
    rule: 'rollout-traffic-routings-immutable',
    field: `Spec.Strategy.${strategy}.TrafficRoutings`,
    message: `Rollout 'Strategy.${strategy}.TrafficRoutings' field is immutable`,
    path: [...path, 'trafficRoutings'],
    text: 'changes',
  });
}

function changed(problem: Problem): Problem {
  return { type: 'FieldValueForbidden', ...problem, text: `${problem.text} while a release is in progress` };
}
