/** What differs in one release. */
import { fieldChanges, fieldChangeText } from '../core/field-changes';
import { asList, type Json, type JsonObject, sameJson } from '../core/json';
import type { Manifest } from '../core/manifest';
import { formatPath, valueAt } from '../core/path';
import type { Rehearsal } from '../core/rehearsal-result';
import type { DiffedMoment, DiffedRequest, ReleaseDiff, ReleaseRemark } from '../core/stack-diff';
import { type Match, type Release, summaryOfAll } from '../release';
import { cellRemarks, newErrors, newRequestRemarks, requestNames } from './cells';
import { joinRehearsals, type MomentPair } from './rehearsals';
import { pairSteps, type StepPair, stepLabel } from './steps';

/** A Rollout in one of the states. */
export interface ReleaseSide {
  readonly manifest: Manifest;
  /**
   * The release that it declares.
   * @default - its controller has no model of it
   */
  readonly release?: Release | undefined;
  /**
   * Its rehearsal.
   * @default - it was not rehearsed
   */
  readonly rehearsal?: Rehearsal | undefined;
}

/** What differs; undefined if nothing does. At least one side is there. */
export function compareRelease(
  before: ReleaseSide | undefined,
  after: ReleaseSide | undefined,
): ReleaseDiff | undefined {
  const steps = pairSteps(rawSteps(before), rawSteps(after));
  const { pairs, ...joined } = joinRehearsals(before?.rehearsal, after?.rehearsal, steps);
  const remarks =
    before === undefined || after === undefined
      ? [wholeRemark(before, after)]
      : [
          ...stepRemarks(before, after, steps),
          ...requestRemarks(joined, pairs),
          ...stopRemarks(before.rehearsal, after.rehearsal),
          ...fieldRemarks(before, after),
        ];
  if (remarks.length === 0 && !joined.moments.some(isDifferent)) return undefined;
  return {
    rollout: (after ?? before)!.manifest.ref,
    change: before === undefined ? 'new' : after === undefined ? 'gone' : 'changed',
    remarks: inOrder(remarks),
    ...joined,
    ...(before && { before: before.manifest.object }),
    ...(after && { after: after.manifest.object }),
  };
}

const TONES: readonly ReleaseRemark['tone'][] = ['worse', 'plain', 'better'];

function inOrder(remarks: readonly ReleaseRemark[]): ReleaseRemark[] {
  return TONES.flatMap((tone) => remarks.filter((remark) => remark.tone === tone));
}

function isDifferent({ on, cells }: DiffedMoment): boolean {
  return on !== 'both' || cells.some((cell) => cell.differs);
}

function rawSteps(side: ReleaseSide | undefined): readonly Json[] {
  const { canary, blueGreen } = (side?.manifest.get('spec.strategy') ?? {}) as JsonObject;
  return asList(valueAt(blueGreen !== undefined && canary === undefined ? blueGreen : canary, ['steps']));
}

function wholeRemark(before: ReleaseSide | undefined, after: ReleaseSide | undefined): ReleaseRemark {
  const steps = rawSteps(after ?? before);
  const count = `${steps.length} step${steps.length === 1 ? '' : 's'}`;
  const labels = steps.length === 0 ? '' : `: ${count}: ${steps.map(stepLabel).join(', ')}`;
  const { kind } = (after ?? before)!.manifest;
  return { tone: 'plain', text: `the ${kind} is ${before === undefined ? 'new' : 'gone'}${labels}` };
}

/** Steps that come, go or change, with their header routes. */
function stepRemarks(before: ReleaseSide, after: ReleaseSide, pairs: readonly StepPair[]): ReleaseRemark[] {
  const [old, now] = [rawSteps(before), rawSteps(after)];
  return pairs.flatMap(({ before: from, after: to }) => {
    if (from === undefined) return [stepChange(to!, 'is new', now[to!], matchesAt(after, to!))];
    if (to === undefined) return [stepChange(from, 'is gone', old[from], matchesAt(before, from))];
    return editRemarks(
      { step: old[from], matches: matchesAt(before, from) },
      { step: now[to], matches: matchesAt(after, to) },
      to,
    );
  });
}

function stepChange(index: number, what: string, step: Json | undefined, matches: readonly Match[]): ReleaseRemark {
  const text =
    matches.length > 0
      ? `the ${routeName(matches)} at step ${index + 1} ${what}: ${summaryOfAll(matches)}`
      : `step ${index + 1} ${what}: ${stepLabel(step)}`;
  return { tone: 'plain', text, step: index };
}

interface StepSide {
  readonly step: Json | undefined;
  readonly matches: readonly Match[];
}

function editRemarks(before: StepSide, after: StepSide, index: number): ReleaseRemark[] {
  const name = `step ${index + 1}`;
  const remark = (text: string): ReleaseRemark => ({ tone: 'plain', text, step: index });
  const isOfMatches = (path: readonly (string | number)[]) => path[0] === 'matches' || path[0] === 'setHeaderRoute';
  const others = fieldChanges(before.step, after.step).filter(({ path }) => !isOfMatches(path));
  const fields = others.map((change) => remark(`${name}: ${fieldChangeText(change, formatPath(change.path) || 'it')}`));
  return [...matchRemarks(before.matches, after.matches, name).map(remark), ...fields];
}

function matchRemarks(before: readonly Match[], after: readonly Match[], name: string): string[] {
  if (sameJson(before as unknown as Json, after as unknown as Json)) return [];
  if (before.length === 0) return [`the ${routeName(after)} at ${name} is new: ${summaryOfAll(after)}`];
  if (after.length === 0) return [`${name} loses its ${routeName(before)}: ${summaryOfAll(before)}`];
  return [`the ${routeName(after)} at ${name} changes from ${summaryOfAll(before)} to ${summaryOfAll(after)}`];
}

function routeName(matches: readonly Match[]): string {
  return matches.every(({ headers = [] }) => headers.length > 0) ? 'header route' : 'route by matches';
}

function matchesAt({ release }: ReleaseSide, index: number): readonly Match[] {
  return release?.steps[index]?.matches ?? [];
}

/** A request that only the head has. Requests for the matches of a step are left out: the remark on the step names them. */
function isNewRequest({ on, class: kind }: DiffedRequest): boolean {
  return on === 'head' && kind !== 'match' && kind !== 'near';
}

/** What users meet at the end of each step that both have, and errors in between. */
function requestRemarks(
  { requests, moments }: { readonly requests: readonly DiffedRequest[]; readonly moments: readonly DiffedMoment[] },
  pairs: readonly MomentPair[],
): ReleaseRemark[] {
  const names = requestNames(requests);
  const reached = new Set<number>();
  return moments.flatMap(({ cells }, index): ReleaseRemark[] => {
    const { before, after } = pairs[index]!;
    if (before === undefined || after === undefined) return [];
    const both = cells.flatMap(({ before: old, after: now }, at) =>
      old && now ? [{ request: names[at]!, before: old, after: now }] : [],
    );
    if (after.phase !== 'step') return cellRemarks(`${momentName(after)}, the load balancer`, newErrors(both));
    const step = after.step ?? 0;
    const later = moments.slice(index + 1).some((_, next) => {
      const other = pairs[index + 1 + next]!.after;
      return other?.phase === 'step' && other.step === after.step;
    });
    if (later) return [];
    const added = cells.flatMap(({ after: now }, at) =>
      now && isNewRequest(requests[at]!) && !reached.has(at) && now.shares.canary + now.shares.failed > 0
        ? [{ request: names[at]!, after: now, at }]
        : [],
    );
    for (const { at } of added) reached.add(at);
    const when = `step ${step + 1}`;
    return [...cellRemarks(when, both), ...newRequestRemarks(when, added)].map((remark) => ({
      ...remark,
      text: remark.text.replace(`${when} :`, `${when}:`),
      step,
    }));
  });
}

function momentName({ phase, step, title }: NonNullable<MomentPair['after']>): string {
  const event = title.replace(/^[^:]*: /, '');
  switch (phase) {
    case 'before':
      return 'before the release';
    case 'abort':
      return `on a rollback (${event})`;
    case 'finish':
      return `at the end (${event})`;
    default:
      return `before step ${(step ?? 0) + 1} takes effect (${event})`;
  }
}

function stopRemarks(before: Rehearsal | undefined, after: Rehearsal | undefined): ReleaseRemark[] {
  const [old, now] = [before?.stopped, after?.stopped];
  if (now !== undefined && old?.message !== now.message) {
    return [{ tone: 'worse', text: `the controller stops at step ${now.step + 1}: ${now.message}`, step: now.step }];
  }
  if (old === undefined || now !== undefined) return [];
  return [{ tone: 'better', text: `the controller does not stop at step ${old.step + 1} any more: ${old.message}` }];
}

const MOST_FIELDS = 10;

/** Changed fields of the Rollout. Other remarks cover its steps and its pods. */
function fieldRemarks(before: ReleaseSide, after: ReleaseSide): ReleaseRemark[] {
  const changes = fieldChanges(othersOf(before.manifest), othersOf(after.manifest));
  const shown = changes.slice(0, MOST_FIELDS).map(
    (change): ReleaseRemark => ({
      tone: 'plain',
      text: fieldChangeText(change),
    }),
  );
  const more = changes.length - shown.length;
  return more === 0
    ? shown
    : [...shown, { tone: 'plain', text: `and ${more} more fields of the ${after.manifest.kind}` }];
}

function othersOf({ object, apiVersion, labels, annotations }: Manifest): JsonObject {
  const { template: _template, strategy, ...spec } = (object.spec ?? {}) as JsonObject;
  const styles = Object.entries((strategy ?? {}) as JsonObject).map(([style, value]) => {
    const { steps: _steps, ...rest } = (typeof value === 'object' && value !== null ? value : {}) as JsonObject;
    return [style, typeof value === 'object' ? rest : value] as const;
  });
  return {
    apiVersion,
    metadata: { labels: { ...labels }, annotations: { ...annotations } },
    spec: { ...spec, ...(strategy === undefined ? {} : { strategy: Object.fromEntries(styles) }) },
  };
}
