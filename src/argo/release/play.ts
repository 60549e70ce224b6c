/** The play of a Rollout, with what each moment declares. */

import type { World } from '../../core';
import { remembered } from '../../core/remembered';
import {
  type DeclaredShare,
  type Moment,
  percent,
  type ReleasePlay,
  type SeenOutcome,
  type Story,
  summaryOfAll,
  type ToldStory,
} from '../../release';
import {
  ARGO_REVISION_LABEL,
  type ArgoController,
  type ArgoMoment,
  type ArgoPlay,
  playArgoBlueGreen,
  playArgoCanary,
  tellArgoRollout,
} from '../controller';
import { neverEnds } from '../controller/never-ends';
import type { ArgoRolloutsVersion } from '../version';
import { declaredMatches, matchesOf } from './matches';
import { stopOf, waitOf } from './stop';
import type { ArgoSubject } from './subject';

/** The state before a release that is not played. */
export function before(world: World): ReleasePlay {
  return {
    moments: [{ phase: 'before', event: 'idle', world, pods: [] }],
    revisionLabel: ARGO_REVISION_LABEL,
  };
}

/** Plays a Rollout; one with another traffic router keeps the state before the release. */
export function playArgo(world: World, subject: ArgoSubject, version?: ArgoRolloutsVersion): ReleasePlay {
  const play = argoPlay(world, subject, version);
  if (play === undefined) return before(world);
  return {
    moments: play.moments.map(momentOf),
    revisionLabel: ARGO_REVISION_LABEL,
    otherServices: [...play.services, ...subject.sharedServices],
    ...(play.error === undefined ? {} : { stop: stopOf(play.error, subject, play.moments) }),
    ...(play.waits === undefined
      ? {}
      : { stop: waitOf(play.waits, subject, neverEnds(subject.manifest, world, version) !== undefined) }),
  };
}

/** Plays stories; undefined for a Rollout whose stories are not known. */
export function tellArgo(
  world: World,
  subject: ArgoSubject,
  stories: readonly Story[],
  controller: ArgoController = {},
): ToldStory[] | undefined {
  const told = tellArgoRollout(world, subject.manifest, stories, controller);
  return told?.map(({ name, end, moments, why, error }) => ({
    name,
    end,
    moments: moments.map(momentOf),
    ...(why === undefined ? {} : { why }),
    ...(error === undefined ? {} : { stop: stopOf(error, subject, moments) }),
  }));
}

function argoPlay(
  world: World,
  { manifest, style }: ArgoSubject,
  version: ArgoRolloutsVersion | undefined,
): ArgoPlay | undefined {
  return style === 'argo-canary' ? playArgoCanary(world, manifest, version) : playArgoBlueGreen(world, manifest);
}

/** Each moment once: stories share moments, and compare them by identity. */
const momentOf = remembered(neutralMoment);

function neutralMoment(moment: ArgoMoment): Moment {
  const { phase, event, step, world, served, written, passed, pods, did, versions, lasts } = moment;
  const declared = declaredAt(moment);
  return {
    phase,
    event,
    world,
    ...(served === undefined ? {} : { served }),
    written,
    ...(passed === undefined ? {} : { passed }),
    pods,
    ...(lasts === undefined ? {} : { lasts }),
    ...(did === undefined ? {} : { did }),
    ...(versions === undefined ? {} : { versions }),
    ...(step === undefined ? {} : { step }),
    ...(declared === undefined ? {} : { declared }),
    ...(phase === 'step' && declared !== undefined ? { routesTraffic: true, summary: summaryOfStep(moment) } : {}),
  };
}

function declaredAt({ declared }: ArgoMoment): DeclaredShare | undefined {
  if (declared === undefined) return undefined;
  const { weight, headerRoutes, preview } = declared;
  return {
    share: weight / 100,
    matches: headerRoutes.flatMap(declaredMatches),
    ...(preview === undefined ? {} : { preview }),
  };
}

/** `setWeight: 20%`, `setHeaderRoute: 20%, all of x-beta: 1`. */
function summaryOfStep({ event, declared }: ArgoMoment): string {
  const routed = summaryOfAll(declared?.headerRoutes.flatMap(matchesOf) ?? []);
  return `${event}: ${percent((declared?.weight ?? 0) / 100)}${routed === '' ? '' : `, all of ${routed}`}`;
}

/**
 * Argo splits the requests that come through the routes of a canary. Other routes, and those that lead to the canary
 * Service only, stay as they are. Without a router, requests are split where a Service selects the pods of both versions.
 */
export function entranceOf({ answer, manifest }: Pick<SeenOutcome, 'answer' | 'manifest'>, subject: ArgoSubject) {
  const { style, traffic, routed, hasRouting, sharedServices } = subject;
  const { namespace, stableService, canaryService } = traffic;
  const reached = answer.kind === 'services' ? answer.destinations.filter(({ share }) => share > 0) : [];
  const leadsToCanary = reached.every(({ name }) => name === `${namespace}/${canaryService}`);
  if (canaryService !== stableService && reached.length > 0 && leadsToCanary) {
    return style === 'argo-canary' ? 'canary' : 'preview';
  }
  if (style === 'argo-blue-green') return 'split';
  if (hasRouting)
    return manifest !== undefined && routed.includes(`${manifest.kind}/${manifest.name}`) ? 'split' : 'unmanaged';
  const isShared = reached.every(({ name }) => sharedServices.some((shared) => name === `${namespace}/${shared}`));
  return isShared ? 'split' : 'unmanaged';
}
