/** What is wrong in stories: only what this stack makes worse than the straight road, one finding for each cause. */
import type { Finding } from '../core';
import { groupedBy } from '../core/grouped';
import { type PodGroup, percent, type Revision } from '../release';
import { placeAt, textOf } from './places';
import { rehearsalRules } from './rules';
import { type Cell, entranceOf, type Run, reachedStable, type SeenMoment } from './run';
import { answerText, titleOf } from './words';

/** Smaller differences of shares come from rounding. */
const LEAST = 0.0101;

/** Pods that take this many times their requests from before the release are no matter of rounding. */
const TOO_MANY_TIMES = 2;

/** Something wrong at a moment of a story. */
interface Problem {
  readonly rule: 'rehearsal-story-requests-fail' | 'rehearsal-pods-overloaded';
  /** Equal for the same cause, whatever the story. */
  readonly cause: string;
  readonly message: string;
  readonly story: string;
  readonly at: SeenMoment;
  readonly request: number;
}

/** The findings about the stories of a run. */
export function storyFindings(run: Run): Finding[] {
  if (run.stories.length === 0) return [];
  const straight = straightRoad(run);
  const problems = run.stories.flatMap(({ story, seen }) =>
    seen.slice(1).flatMap((at) => [...failures(straight, story.name, at), ...overloads(straight, story.name, at)]),
  );
  const byCause = groupedBy(problems, ({ rule, cause }) => `${rule} ${cause}`);
  return [...[...byCause.values()].map((group) => findingOf(run, group)), ...stops(run)];
}

/** What stories are compared with. */
interface StraightRoad {
  /** The largest share of each request that fails on it; undefined for requests that are not of everybody. */
  readonly failed: readonly (number | undefined)[];
  /** The request that tells how many go to each version; -1 if none does. */
  readonly plain: number;
  /** The number of pods before the release. */
  readonly declared: number;
}

function straightRoad(run: Run): StraightRoad {
  const failed = run.requests.map((_sent, request) =>
    isOfEverybody(run, request) ? Math.max(...run.seen.map(({ cells }) => cells[request]!.shares.failed)) : undefined,
  );
  return {
    failed,
    plain: run.requests.findIndex((sent, request) => sent.class === 'no-match' && failed[request] !== undefined),
    declared: countOf(run.seen[0]!.moment.pods, 'stable'),
  };
}

/** Requests that fail, although they do not on the straight road. */
function failures(straight: StraightRoad, story: string, at: SeenMoment): Problem[] {
  // Whatever is deleted with its pods answers nobody; that is in the text of the story.
  if (at.moment.pods.every(({ replicas }) => replicas === 0)) return [];
  return at.cells.flatMap((cell, request): Problem[] => {
    const { failed } = cell.shares;
    const before = straight.failed[request];
    if (before === undefined || failed <= before + LEAST) return [];
    const message = `${percent(failed)} of the requests get an error: ${answerText(cell.answer)}`;
    return [{ rule: 'rehearsal-story-requests-fail', cause: causeOf(cell), message, story, at, request }];
  });
}

/** Shares differ from moment to moment; the cause is what cannot answer. */
function causeOf({ answer }: Cell): string {
  const failed =
    answer.kind === 'services' ? answer.destinations.find(({ failure }) => failure !== undefined) : undefined;
  return failed?.failure ?? answerText(answer);
}

/** Whether a request led to the old pods before the release, and not by a route that only the new ones have. */
function isOfEverybody(run: Run, request: number): boolean {
  const baseline = run.seen[0]!.cells[request]!;
  return reachedStable(baseline) && entranceOf(run.release, baseline) === 'split';
}

/** Too many requests for too few pods. */
function overloads({ declared, plain: request }: StraightRoad, story: string, at: SeenMoment): Problem[] {
  if (request < 0 || declared <= 1) return [];
  const { shares } = at.cells[request]!;
  return (['stable', 'canary'] as const).flatMap((side): Problem[] => {
    const pods = countOf(at.moment.pods, side);
    const times = (shares[side] * declared) / pods;
    if (pods === 0 || times < TOO_MANY_TIMES) return [];
    const name = side === 'canary' ? 'new' : 'old';
    const message =
      `${percent(shares[side])} of the requests go to ${pods} ${name} pod${pods === 1 ? '' : 's'}, ` +
      `${percent(pods / declared)} of the ${declared} before the release: each takes ${Math.round(times * 10) / 10} times as many as before`;
    return [{ rule: 'rehearsal-pods-overloaded', cause: side, message, story, at, request }];
  });
}

function countOf(pods: readonly PodGroup[], side: Revision): number {
  return pods.reduce((sum, { revision, replicas }) => sum + (revision === side ? replicas : 0), 0);
}

function findingOf(run: Run, group: readonly Problem[]): Finding {
  const { rule, message, at, request } = group[0]!;
  const { moment } = at;
  const stories = [...new Set(group.map(({ story }) => story))];
  return run.release.manifest.finding(rehearsalRules[rule], {
    message: `${message}, ${storiesText(stories)} at "${titleOf(moment)}"`,
    ...placeAt(run, moment.step),
    request: textOf(run, run.requests[request]!),
  });
}

/** At most three names, so that the line can be read. */
function storiesText(names: readonly string[]): string {
  const [first, ...others] = names;
  const named = others.slice(0, 2).join(', ');
  const more = others.length > 2 ? ` and ${others.length - 2} more` : '';
  return `in the story ${first}${others.length === 0 ? '' : ` (also ${named}${more})`}`;
}

/** Errors that stop the controller in a story, and not on the straight road. */
function stops({ release, play, stories }: Run): Finding[] {
  if (play.stop !== undefined) return [];
  const byMessage = new Map<string, { readonly names: string[]; readonly step: number }>();
  for (const { story } of stories) {
    if (story.stop === undefined) continue;
    const { message, step } = story.stop;
    const known = byMessage.get(message) ?? { names: [], step };
    known.names.push(story.name);
    byMessage.set(message, known);
  }
  return [...byMessage].map(([message, { names, step }]) =>
    release.manifest.finding(rehearsalRules['rehearsal-story-stuck'], {
      message: `the controller cannot go on ${storiesText(names)}: ${message}`,
      path: release.steps[step]?.trafficPath ?? release.path,
      step,
    }),
  );
}
