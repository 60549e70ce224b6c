/** Rehearsals of the stacks that are played on gateways. */
import { Manifest, World } from '../../../src/core';
import type { JsonObject } from '../../../src/core/json';
import type { RehearsedCell, RehearsedStory } from '../../../src/core/rehearsal-result';
import { rehearse } from '../../../src/rehearsal';
import type { StoryAction } from '../../../src/release';
import { agree, type Shares } from '../../routers/answers';
import type { KubernetesObject } from '../cluster/api';
import { MODELS } from '../models';
import { type ReleaseStack, releaseStacks } from './cases/releases';

const RELEASES = { kruise: '0.6.2', argo: '1.9.1' } as const;
/** How often each request is sent. */
export const SENT = 400;

type Stories = Readonly<Record<string, readonly StoryAction[]>>;

/** Where people wait at the first pause, and at the second. */
const PAUSED: Readonly<Record<ReleaseStack['controller'], readonly [StoryAction, StoryAction]>> = {
  kruise: [{ until: { step: 1, state: 'StepPaused' } }, { until: { step: 2, state: 'StepPaused' } }],
  argo: [{ until: { step: 1, phase: 'Paused' } }, { until: { step: 3, phase: 'Paused' } }],
};

function storiesOf({ controller, hasManyStories }: ReleaseStack): Stories {
  const [first, second] = PAUSED[controller];
  const start: StoryAction = { release: 'v2' };
  return {
    straight: [start, 'finish'],
    'roll-back': [start, first, { release: 'v1' }, 'finish'],
    ...(hasManyStories && {
      'roll-back-late': [start, first, 'approve', second, { release: 'v1' }, 'finish'],
      'third-revision': [start, first, { release: 'v3' }, 'finish'],
      deleted: [start, first, 'delete', { watch: 5 }],
    }),
  };
}

/** A story of a stack, moment by moment. */
export interface RehearsedRelease {
  readonly name: string;
  readonly namespace: string;
  readonly requests: readonly (string | undefined)[];
  readonly story: RehearsedStory;
  readonly start: readonly KubernetesObject[];
}

/** A release with the shares that the gateway gave to each version. */
export interface PlayedRelease {
  readonly release: string;
  readonly moments: readonly {
    readonly title: string;
    readonly cells: readonly { readonly request: string; readonly real: Shares }[];
  }[];
}

/** Each story of each stack of a gateway. */
export function rehearsedReleases(gateway: string): RehearsedRelease[] {
  return releaseStacks(gateway).flatMap(rehearsedStories);
}

function rehearsedStories(stack: ReleaseStack): RehearsedRelease[] {
  const model = MODELS[stack.controller]!;
  const version = RELEASES[stack.controller];
  return Object.entries(storiesOf(stack)).flatMap(([story, actions], index) => {
    const namespace = `${stack.name}-${index}`;
    const host = `${namespace}.test`;
    const start = stack.objects(namespace, host);
    const world = World.of([...start, ...model.install(version)].map((one) => Manifest.of(one as JsonObject)));
    const options = { ...model.options(version), stories: [{ name: story, actions }] };
    const [rehearsal] = rehearse(world, options);
    const told = rehearsal?.stories?.at(-1);
    if (rehearsal === undefined || told === undefined) throw new Error(`${stack.name} is not rehearsed`);
    const requests = rehearsal.requests.map(({ text }) => (text.includes(`http://${host}`) ? text : undefined));
    if (requests.every((request) => request === undefined)) throw new Error(`no request reaches ${stack.name}`);
    return [{ name: `${stack.name} ${story}`, namespace, requests, story: told, start }];
  });
}

/** The cells that the gateway answered differently. */
export function differencesOf(release: RehearsedRelease, played: PlayedRelease): string[] {
  const { name, story } = release;
  return played.moments.flatMap(({ title, cells }, index) => {
    if (story.moments[index]?.title !== title) return [`${name}: the rehearsal has no moment "${title}"`];
    return cells.flatMap(({ request, real }) => {
      const expected = expectedOf(release, index, request);
      if (expected !== undefined && agree(expected, real, SENT)) return [];
      const said = `the rehearsal says ${JSON.stringify(expected)}, and the gateway ${JSON.stringify(real)}`;
      return [`${name}, ${title}: ${request}: ${said}`];
    });
  });
}

/** The shares of a request at a moment, as they are rehearsed. */
export function expectedOf({ requests, story }: RehearsedRelease, moment: number, request: string): Shares | undefined {
  const cell = story.moments[moment]?.cells[requests.indexOf(request)];
  return cell === undefined ? undefined : sharesOf(cell);
}

function sharesOf({ shares: { stable, canary, failed, other } }: RehearsedCell): Shares {
  return { stable, canary, none: failed + other };
}
