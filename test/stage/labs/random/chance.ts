/** What random labs of all controllers have in common. */
import * as fc from 'fast-check';
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import type { Lab } from '../../play';
import { applied } from '../applied';
import { beginPaused } from '../paused';

export type Unnamed = Omit<Lab, 'name'>;

/** Most labs are plain: what makes one special is seldom there. */
export const rarely = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** From one to four shares in their order. */
export const SHARES = fc
  .uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 4 })
  .map((shares) => shares.sort((a, b) => a - b));

export const RELEASE: StoryAction = { release: 'v2' };
export const BACK: StoryAction = { release: 'v1' };
export const THIRD: StoryAction = { release: 'v3' };
const SECONDS_TO_SEE = 15;
export const LOOK: StoryAction = { watch: SECONDS_TO_SEE };

/** What people make of a list of steps in the middle of a release: one step changed, added or left out, or another list. */
export const edited = (steps: readonly KubernetesObject[], others: fc.Arbitrary<KubernetesObject[]>) =>
  fc
    .record({
      at: fc.nat({ max: steps.length - 1 }),
      others,
      other: fc.nat({ max: 4 }),
      by: fc.integer({ min: 0, max: 4 }),
    })
    .map(({ at, others, other, by }) => {
      const step = others[Math.min(other, others.length - 1)]!;
      if (by === 0) return others;
      if (by === 1) return [...steps.slice(0, at), step, ...steps.slice(at)];
      if (by === 2 && steps.length > 1) return [...steps.slice(0, at), ...steps.slice(at + 1)];
      return [...steps.slice(0, at), step, ...steps.slice(at + 1)];
    });

/** Edits of the Rollout of a lab. */
export function editsOf(apiVersion: string) {
  const edit = (spec: KubernetesObject): StoryAction => ({
    patch: { apiVersion, kind: 'Rollout', name: 'shop', with: { spec } },
  });
  return {
    edit,
    steps: (strategy: string, steps: readonly KubernetesObject[]) => edit({ strategy: { [strategy]: { steps } } }),
    /** Makes the strategy of one lab that of another. */
    strategy: (before: readonly KubernetesObject[], after: readonly KubernetesObject[]) =>
      edit({ strategy: changeOf(strategyOf(before), strategyOf(after)) }),
  };
}

function strategyOf(manifests: readonly KubernetesObject[]): KubernetesObject {
  const rollout = manifests.find(({ kind }) => kind === 'Rollout')!;
  return (rollout.spec as KubernetesObject).strategy as KubernetesObject;
}

/** The JSON merge patch that makes one object of another. */
function changeOf(before: KubernetesObject, after: KubernetesObject): KubernetesObject {
  const gone = Object.keys(before).filter((key) => after[key] === undefined);
  const changed = Object.entries(after).map(([key, value]) => [
    key,
    isObject(before[key]) && isObject(value) ? changeOf(before[key], value) : value,
  ]);
  return { ...Object.fromEntries(gone.map((key) => [key, null])), ...Object.fromEntries(changed) };
}

function isObject(value: unknown): value is KubernetesObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Somebody pauses the Rollout, does some things, and resumes it; each is seen before the next. */
export const paused = (pause: (paused: boolean) => StoryAction, deeds: fc.Arbitrary<StoryAction>) =>
  fc
    .array(deeds, { minLength: 0, maxLength: 2 })
    .map((done) => [...beginPaused(pause), ...done.flatMap((deed) => [deed, LOOK]), pause(false), LOOK]);

/** The kinds that the Services and routes of labs have no part in. */
const OTHERS = ['Rollout', 'Deployment', 'StatefulSet', 'CloneSet', 'TrafficRouting', 'AnalysisTemplate'];

/** A tool applies a Service or a route of the stack again, as a GitOps tool does that finds it changed. */
export function appliedAgain(manifests: readonly KubernetesObject[]): fc.Arbitrary<StoryAction> {
  const routes = manifests.filter(({ kind }) => !OTHERS.includes(kind as string));
  return fc.constantFrom(...routes).map(applied);
}
