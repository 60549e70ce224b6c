/** What the tests of plays read of them: each moment as one line. */
import { Manifest, World } from '../../../src/core';
import {
  playRollout,
  playTrafficRouting,
  type RolloutPlay,
  RolloutScripts,
  tellRollout,
} from '../../../src/kruise/controller';
import { builtinScripts } from '../../../src/kruise/scripts/library';
import { rolloutsOf, trafficRoutingsOf } from '../../../src/kruise/subject';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import type { StoryAction } from '../../../src/release';
import { deployment as deploymentOf, httpRoute, ingress, rollout, service } from '../rules/stack';

type Moment = RolloutPlay['moments'][number];

const podsIn = ({ pods }: Moment) =>
  pods.map(({ revision, hash = revision, replicas }) => `${replicas} ${hash}`).join(', ');
const versionsIn = ({ versions }: Moment) =>
  Object.entries(versions ?? {}).map(([revision, version]) => `${revision}=${version}`);

/** `prepare 0: canary Ingress created (goes on) | 10 stable, 2 canary | Service web, Ingress web-canary` */
export function lineOf(moment: Moment): string {
  const { phase, step, event, strategy, isMixed, goesOn, did, written } = moment;
  const notes = [
    ...(strategy === undefined ? [] : [JSON.stringify(strategy)]),
    ...(isMixed === undefined ? [] : ['mixed']),
    ...(goesOn === undefined ? [] : ['goes on']),
    ...versionsIn(moment),
  ];
  const at = step === undefined ? phase : `${phase} ${step}`;
  const deeds = did === undefined ? '' : `${did.join(', ')} -> `;
  const noted = notes.length === 0 ? '' : ` (${notes.join(' ')})`;
  const writes = written.map(({ kind, name }) => `${kind} ${name}`).join(', ');
  return `${deeds}${at}: ${event}${noted} | ${podsIn(moment)}${writes === '' ? '' : ` | ${writes}`}`;
}

const worldOf = (objects: readonly object[]) => World.of(objects.map((object) => Manifest.of(object)));
const scriptsOf = (version: KruiseRolloutVersion, data?: object) =>
  new RolloutScripts({
    builtins: builtinScripts(version),
    version,
    ...(data === undefined ? {} : { configMap: { data } }),
  });

/** The moments of the only Rollout, and the error at the end, with these scripts in the ConfigMap. */
export function playOf(objects: readonly object[], version = KruiseRolloutVersion.LATEST, data?: object) {
  const world = worldOf(objects);
  const played = playRollout(world, rolloutsOf(world, version)[0]!, scriptsOf(version, data));
  return { ...played, lines: played.moments.map(lineOf) };
}

/** The same of the only TrafficRouting. */
export function playOfRouting(objects: readonly object[], version = KruiseRolloutVersion.LATEST) {
  const world = worldOf(objects);
  const played = playTrafficRouting(world, trafficRoutingsOf(world)[0]!, scriptsOf(version));
  return { ...played, lines: played.moments.map(lineOf) };
}

/** A story of the only Rollout: its moments after the first one, how it ends, and why. */
export function storyOf(
  objects: readonly object[],
  actions: readonly StoryAction[],
  version = KruiseRolloutVersion.LATEST,
) {
  const world = worldOf(objects);
  const story = [{ name: 'told', actions }];
  const [told] = tellRollout(world, rolloutsOf(world, version)[0]!, scriptsOf(version), story);
  const { end, why, moments, error } = told!;
  return { lines: moments.slice(1).map(lineOf), end: why === undefined ? end : `${end}: ${why}`, error };
}

/** Ten pods with labels. */
export const deployment = deploymentOf({
  replicas: 10,
  template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'a:v1' }] } },
});

/** All objects of a release, with these options of the Rollout. */
export function stack(options: Parameters<typeof rollout>[0] = {}): object[] {
  return [rollout(options), deployment, service(), ingress(), httpRoute({ name: 'web', port: 80 })];
}

export const PARTITION = { strategy: { enableExtraWorkloadForCanary: false } };
export const ONE_SERVICE = { strategy: { disableGenerateCanaryService: true } };
