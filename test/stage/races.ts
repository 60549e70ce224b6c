/** What no two plays of a lab have in common. */
import { mergePatch } from '../../src/core/merge-patch';
import type { RehearsedStoryMoment } from '../../src/core/rehearsal-result';
import type { KubernetesObject } from './cluster/api';
import type { Lab } from './play';
import type { Event } from './recording';

/** With `dynamicStableScale`, weights follow the stable pods that come back, as fast as the cluster starts them. */
const FOLLOWS_PODS = /not all (stable pods are|of its pods are) back yet$/;

/** Stands for any number of routes. */
const ANY_ROUTES = 'any routes';

const ROUTE = /^(Ingress|VirtualService)\//;

/** What is written at a moment, and the mark where that is up to the cluster. */
export function toldAt(moment: RehearsedStoryMoment, writesAt: (moment: RehearsedStoryMoment) => string[]): string[] {
  const writes = writesAt(moment);
  return FOLLOWS_PODS.test(moment.title) ? [...writes.filter((write) => !ROUTE.test(write)), ANY_ROUTES] : writes;
}

/** With what was recorded in the place of each mark. */
export function filledIn(told: readonly string[], recorded: readonly string[]): string[] {
  const filled: string[] = [];
  for (const [index, write] of told.entries()) {
    if (write !== ANY_ROUTES) {
      filled.push(write);
      continue;
    }
    const next = told.slice(index + 1).find((later) => later !== ANY_ROUTES);
    for (let at = filled.length; at < recorded.length; at = filled.length) {
      const seen = recorded[at]!;
      if (seen === next || !ROUTE.test(seen)) break;
      filled.push(seen);
    }
  }
  return filled;
}

/**
 * Without what the canary Service does while the last new pods go: it selects them once more, or not, as the controller comes to see
 * them first or last.
 */
export function withoutLastFlap({ manifests, story }: Lab, events: readonly Event[]): readonly Event[] {
  const declared = manifests.find(({ kind }) => kind === 'Rollout')!;
  const edits = story.flatMap((action) => (typeof action === 'object' && 'patch' in action ? [action.patch] : []));
  const edited: KubernetesObject = edits
    .filter(({ kind }) => kind === 'Rollout')
    .reduce((object, patch) => mergePatch(object, patch.with ?? {}), declared);
  const lastEdit = events.map((event) => 'did' in event && event.did.startsWith('patch Rollout/')).lastIndexOf(true);
  return events.filter((event, at) => !isFlap(event) || staysForAWhile(at < lastEdit ? declared : edited));
}

function isFlap(event: Event): boolean {
  return 'repeats' in event && event.repeats.every((each) => 'object' in each && each.object.startsWith('Service/'));
}

/** Whether the new pods of an aborted release stay so long that everybody sees the flaps. */
function staysForAWhile({ spec }: KubernetesObject): boolean {
  const { dynamicStableScale, abortScaleDownDelaySeconds = 0 } = spec.strategy?.canary ?? {};
  return dynamicStableScale !== true || abortScaleDownDelaySeconds > 0;
}

/**
 * Without the flaps of a Service, where people act while it still goes to new pods and back: only the last of its writes that follow each
 * other, as where it is when they act is chance.
 */
export function withoutFlapsAtDeeds({ story }: Lab, writes: readonly string[]): readonly string[] {
  const aborted = story.indexOf('abort');
  const isSoon =
    aborted >= 0 &&
    !story.slice(aborted + 1, aborted + 3).some((action) => typeof action === 'object' && 'watch' in action);
  if (!isSoon || aborted + 2 >= story.length) return writes;
  const serviceOf = (write: string | undefined) => /^Service\/\S+/.exec(write ?? '')?.[0];
  return writes.filter((write, at) => serviceOf(write) === undefined || serviceOf(writes[at + 1]) !== serviceOf(write));
}
