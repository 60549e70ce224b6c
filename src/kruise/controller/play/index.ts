/** Plays a complete release on a World, from before the first step until after the last. */

import { asObject, stringsOf } from '../../../core/json';
import type { Manifest } from '../../../core/manifest';
import type { World } from '../../../core/world';
import { autoscalerOf, type Story, tellAll } from '../../../release';
import type { RolloutSubject, RouteSubject } from '../../subject';
import type { ControllerError } from '../error';
import { providersOf, type RolloutScripts } from '../providers';
import { type Ending, finalise, OLD_PODS_LEFT } from './finalising';
import { Journal, type RolloutMoment, type RolloutPhase } from './journal';
import { type Play, type Routing, Stopped } from './play';
import { initialiseRoutes } from './routes';
import type { RolloutStory } from './state';
import { finish, runStep } from './steps';
import { beginning, type Teller } from './story';
import { podManifests, podsOnly, type Workload, workloadOf } from './workload';

export type { RolloutMoment, RolloutPhase } from './journal';
export type { RolloutStory } from './state';

/** The result of playing a release. */
export interface RolloutPlay {
  readonly moments: readonly RolloutMoment[];
  /** The label that distinguishes the versions in Service selectors. */
  readonly revisionLabel: string;
  /**
   * The error that blocks the release.
   * @default - none: the release completed
   */
  readonly error?: ControllerError & { readonly step: number };
}

/**
 * Plays a Rollout: every step and the end, and separately a rollback after the first step that routes traffic. Never
 * throws: an error that stops the controller is part of the result.
 */
export function playRollout(world: World, rollout: RolloutSubject, scripts: RolloutScripts): RolloutPlay {
  const { journal, workload } = openingOf(world, rollout);
  const played = () => ({ moments: journal.moments, revisionLabel: workload.revisionLabel });
  const at: Place = { phase: 'before', step: 0 };
  journal.record(at.phase, undefined, 'before the release');
  try {
    playAll(playOf(rollout, scripts, workload, journal), at);
    return played();
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    if (journal.isUnrecorded) recordStop(journal, at);
    return { ...played(), error: { ...error.error, step: at.step } };
  }
}

/**
 * Plays stories of a Rollout. Never throws: an error that stops the controller is part of the result.
 *
 * @example
 * const actions = [{ release: 'v2' }, { until: { step: 1 } }, { release: 'v1' }] as const;
 * tellRollout(world, rollout, scripts, [{ name: 'roll-back@0', actions }])[0].end; // 'rolled back'
 */
export function tellRollout(
  world: World,
  rollout: RolloutSubject,
  scripts: RolloutScripts,
  stories: readonly Story[],
): RolloutStory[] {
  const { journal, workload } = openingOf(world, rollout);
  journal.record('before', undefined, 'before the release');
  const teller: Teller = { playOf: (edited, into, current) => playOf(edited, scripts, current, into) };
  try {
    return tellAll(beginning(playOf(rollout, scripts, workload, journal), teller), stories);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    const stopped = {
      end: 'stuck',
      moments: journal.moments,
      why: error.message,
      error: { ...error.error, step: 0 },
    } as const;
    return stories.map(({ name }) => ({ name, ...stopped }));
  }
}

/** How far a play has come. */
interface Place {
  phase: RolloutPhase;
  step: number;
}

function playAll(play: Play, at: Place): void {
  const { routing, journal, rollout } = play;
  if (routing !== undefined) initialiseRoutes(play, routing);
  at.phase = 'prepare';
  let routed: Routed | undefined;
  for (const step of rollout.steps.keys()) {
    at.step = step;
    const strategy = runStep(play, step);
    if (strategy !== undefined) routed ??= { world: journal.world, pods: journal.pods, step, strategy };
  }
  at.phase = 'finish';
  finish(play);
  if (routing === undefined || routed === undefined || rollout.workload === undefined) return;
  Object.assign(at, { phase: 'abort', step: routed.step });
  rollBack(play, routing, routed);
}

/** The first step that routes traffic. */
interface Routed extends Pick<Journal, 'world' | 'pods'>, Required<Pick<Ending, 'step' | 'strategy'>> {}

function rollBack(play: Play, routing: Routing, { step, strategy, ...state }: Routed): void {
  const { journal } = play;
  journal.branch(state);
  finalise(play, routing, 'rollback', { phase: 'abort', step, strategy });
  if (journal.pods !== journal.moments.at(-1)!.pods) journal.record('abort', step, OLD_PODS_LEFT);
}

/** The state in which a release stays for ever, after writes that lead nowhere. */
function recordStop(journal: Journal, { phase, step }: Place): void {
  const isStep = phase !== 'finish';
  const event = 'the controller gets no further';
  journal.record(phase, isStep ? step : undefined, event, phase === 'prepare' ? { isMixed: true } : {});
}

/** Plays a TrafficRouting: applies its strategy and removes it again, without a canary Service. */
export function playTrafficRouting(world: World, route: RouteSubject, scripts: RolloutScripts): RolloutPlay {
  return playRollout(world, subjectOf(route), scripts);
}

function subjectOf(route: RouteSubject): RolloutSubject {
  const { manifest, namespace } = route;
  const step = { index: 0, object: asObject(manifest.get('spec.strategy')), path: ['spec', 'strategy'] };
  return {
    manifest,
    namespace,
    v1alpha1: true,
    style: 'partition',
    strategy: { path: ['spec', 'strategy'], object: {} },
    steps: [{ ...step, hasMatches: false, routes: true }],
    route,
  };
}

function openingOf(world: World, { workload: named, namespace }: RolloutSubject) {
  const manifest = named === undefined ? undefined : world.get({ ...named.ref, namespace });
  const autoscaler = named === undefined ? undefined : autoscalerOf(world, named.ref, namespace);
  const workload = workloadOf(named?.ref, manifest, autoscaler);
  return { workload, journal: journalOf(world, workload, manifest, namespace) };
}

function journalOf(world: World, workload: Workload, manifest: Manifest | undefined, namespace: string): Journal {
  return new Journal(world, podsOnly(workload, 'stable'), (pods) =>
    manifest === undefined ? [] : podManifests(pods, manifest, namespace),
  );
}

function playOf(rollout: RolloutSubject, scripts: RolloutScripts, workload: Workload, journal: Journal): Play {
  const canaryLabels = stringsOf(asObject(rollout.strategy.object.patchPodTemplateMetadata).labels);
  const play = { rollout, version: scripts.version, workload, canaryLabels, journal };
  const { route, steps } = rollout;
  if (route === undefined || steps.length === 0) return play;
  const found = providersOf(route, scripts);
  if (!found.ok) throw new Stopped(found.error);
  return { ...play, routing: { route, providers: found.providers } };
}
