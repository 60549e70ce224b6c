import type { Path } from '../../core';
import { asObject, isSet } from '../../core/json';
import { type ReleaseStep, waitsForPeople } from '../../release';
import { pauseSeconds } from '../admission/go-values';
import { isEndless, readHeaderRoute } from '../controller';
import { declaredMatches } from './matches';
import type { ArgoSubject } from './subject';

/** The fields of a step that declare traffic; the first one that is set counts. */
const TRAFFIC_FIELDS = ['setHeaderRoute', 'setWeight', 'experiment'];

/** The steps of a Rollout. */
export function stepsOf(subject: ArgoSubject): ReleaseStep[] {
  return subject.steps.map((step, index) => {
    const { pause, setHeaderRoute } = step;
    const { duration } = asObject(pause);
    const seconds = duration === undefined ? -1 : pauseSeconds(duration);
    return {
      path: [...subject.path, 'steps', index],
      trafficPath: trafficPathOf(subject, index),
      ...(isSet(setHeaderRoute)
        ? { matches: declaredMatches(readHeaderRoute(setHeaderRoute, subject.manifest.object)) }
        : {}),
      ...(waitsForPeople(pause) || isEndless(step) ? { approval: 'promote' as const } : {}),
      ...(seconds < 0 ? {} : { lasts: { seconds, field: 'pause.duration' } }),
    };
  });
}

/** The field that declares the traffic of a step; the strategy where there is no such step. */
export function trafficPathOf({ path, steps }: ArgoSubject, index: number): Path {
  const step = steps[index];
  if (step === undefined) return path;
  const field = TRAFFIC_FIELDS.find((name) => Object.hasOwn(step, name));
  return [...path, 'steps', index, ...(field === undefined ? [] : [field])];
}
