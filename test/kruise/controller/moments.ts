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

/** A step of so many percent of the traffic and of the pods, which waits. */
export const percentStep = (percent: number) => ({ traffic: `${percent}%`, replicas: `${percent}%`, pause: {} });

/** Two steps that wait, and the last one. */
export const STEPS = [percentStep(20), percentStep(50), { traffic: '100%', replicas: '100%' }];

/** What is told of a story with these steps. */
export const told = (options: object, ...actions: readonly StoryAction[]) =>
  storyOf(stack({ steps: STEPS, ...options }), actions);

export const release = (version: string): StoryAction => ({ release: version });
export const until = (step: number): StoryAction => ({ until: { step } });

/** What a release that begins does first. */
const begun = (stable: number) => [
  `release v2 -> prepare 0: canary Ingress created (goes on stable=v1 canary=v2) | ${stable} stable, 2 canary | Service web, Service web-canary, Ingress web-canary`,
  `step 0: settled ({"traffic":"20%"} stable=v1 canary=v2) | ${stable} stable, 2 canary | Ingress web-canary`,
];
export const BEGUN = begun(10);
export const BEGUN_IN_PARTITION = begun(8);
