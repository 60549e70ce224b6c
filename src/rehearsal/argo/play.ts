/** The play of a Rollout of Argo, with what each moment declares for each request. */

import { type ArgoMoment, type ArgoPlay, playArgoBlueGreen, playArgoCanary } from '../../argo/controller';
import type { World } from '../../core';
import type { HttpRouteMatch, TrafficRoutingStrategy } from '../../kruise/api';
import type { Outcome } from '../answers';
import { summaryOf } from '../requests';
import type { PlayedMoment } from '../run';
import { anyOf, matchesOf, meetsRoute } from './matches';
import type { ArgoSubject } from './subject';

/** A release as a run takes it. */
export interface PlayedArgo {
  readonly moments: readonly PlayedMoment[];
  readonly services: readonly string[];
  readonly error?: ArgoPlay['error'];
}

/** Plays a Rollout; one of another traffic router stays as it is. */
export function playArgo(world: World, subject: ArgoSubject): PlayedArgo {
  const { manifest, style } = subject;
  const play = style === 'argo-canary' ? playArgoCanary(world, manifest) : playArgoBlueGreen(world, manifest);
  if (play === undefined) return { moments: [{ phase: 'before', event: 'idle', world, pods: [] }], services: [] };
  return { ...play, moments: play.moments.map((moment) => playedMoment(moment, subject)) };
}

function playedMoment(moment: ArgoMoment, subject: ArgoSubject): PlayedMoment {
  const { declared, phase, event, step, world, pods } = moment;
  const matches = declared?.headerRoutes.flatMap(matchesOf) ?? [];
  const strategy: TrafficRoutingStrategy | undefined =
    phase !== 'step' || declared === undefined
      ? undefined
      : { traffic: `${declared.weight}%`, ...(matches.length > 0 ? { matches } : {}) };
  return {
    phase,
    event,
    world,
    pods,
    ...(step === undefined ? {} : { step }),
    ...(strategy === undefined ? {} : { strategy, summary: summaryOfStep(event, strategy) }),
    restShare: (declared?.weight ?? 0) / 100,
    expects: (request, baseline) => {
      if (declared === undefined) return undefined;
      const way = wayOf(baseline, subject);
      if (way !== 'stable') return way === 'preview' && phase !== 'abort' ? Number(phase !== 'before') : undefined;
      const matched = anyOf(declared.headerRoutes.map((route) => meetsRoute(request, route)));
      if (matched === undefined) return undefined;
      return matched ? 1 : declared.weight / 100;
    },
  };
}

/** `setWeight: 20%`, `setHeaderRoute: 20%, all of x-beta: 1`. */
function summaryOfStep(event: string, { matches = [], traffic }: TrafficRoutingStrategy): string {
  const routed = matches.map((match: HttpRouteMatch) => summaryOf(match)).join(' or ');
  return `${event}: ${traffic}${routed === '' ? '' : `, all of ${routed}`}`;
}

/**
 * By which of a Rollout's Services a request came before the release. What leads past the Ingresses of a canary, or
 * straight to its canary Service, is not Argo's to split; the preview Service of a blue-green release is.
 */
export function wayOf({ answer, manifest }: Outcome, subject: ArgoSubject): 'stable' | 'canary' | 'preview' | 'beside' {
  const { style, route, ingresses } = subject;
  const reached = answer.kind === 'services' ? answer.destinations.filter(({ share }) => share > 0) : [];
  const isNew = route.canaryService !== route.service;
  const leadsToCanary = reached.every(({ name }) => name === `${route.namespace}/${route.canaryService}`);
  if (isNew && reached.length > 0 && leadsToCanary) return style === 'argo-canary' ? 'canary' : 'preview';
  if (style === 'argo-blue-green') return 'stable';
  return manifest !== undefined && ingresses.includes(manifest.name) ? 'stable' : 'beside';
}
