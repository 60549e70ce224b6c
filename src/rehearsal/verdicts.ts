/** Judges a run: compares each moment with what the release declares. */
import type { Finding, Manifest } from '../core';
import { counted } from '../core/counted';
import { groupedBy } from '../core/grouped';
import { type Advice, percent, type SeenOutcome, whenOf } from '../release';
import { placeAt, textOf } from './places';
import { type RehearsalRuleId, rehearsalRules } from './rules';
import type { Cell, Entry, Run, SeenMoment, SentRequest } from './run';
import { entranceOf, reachedStable } from './run';
import { tableKey } from './tables';
import { targetGroupFindings } from './target-groups';
import { answerText, canaryText } from './words';

/** Shares are whole percentages, and scripts round them. */
const TOLERANCE = 0.0101;

/** A wrong outcome of one request at one moment. */
interface Problem {
  readonly rule: RehearsalRuleId;
  readonly moment: number;
  readonly request: number;
  readonly message: string;
  readonly severity?: Finding['severity'];
}

/** The findings, and the cells that they are about. */
export interface Verdicts {
  readonly findings: readonly Finding[];
  /** `moment/request` of each wrong cell. */
  readonly wrong: ReadonlySet<string>;
}

/** Judges a run. Combines equal problems of several moments and requests into one finding. */
export function judge(run: Run): Verdicts {
  const problems: Problem[] = [];
  for (const [moment, seen] of run.seen.entries()) {
    const when = whenOf(seen.moment);
    for (let request = 0; request < run.requests.length; request++) {
      problems.push(...judgeCell(run, seen, moment, request, when));
    }
  }
  const wrong = new Set(problems.filter(isWrong).map(({ moment, request }) => `${moment}/${request}`));
  return { findings: [...grouped(run, problems), ...loadBalancerFindings(run)], wrong };
}

function isWrong({ rule }: Problem): boolean {
  return rehearsalRules[rule].severity !== 'note';
}

function judgeCell(run: Run, seen: SeenMoment, moment: number, request: number, when: string): Problem[] {
  const sent = run.requests[request]!;
  const cell = seen.cells[request]!;
  const baseline = run.seen[0]!.cells[request]!;
  const at = (rule: RehearsalRuleId, message: string, severity?: Finding['severity']): Problem[] => [
    { rule, moment, request, message, ...(severity === undefined ? {} : { severity }) },
  ];
  if (moment === 0) return [];
  // What nobody can tell is no verdict.
  if (cell.answer.kind === 'unknown') {
    return cell.answer.decidedBy === 'implementation'
      ? at('rehearsal-implementation-unknown', `${when} nobody can tell who answers: ${cell.answer.why}`)
      : [];
  }
  if (baseline.answer.kind === 'unknown') return [];
  if (!reachedStable(baseline)) return judgeOther(cell, baseline, when, at);
  if (isForNewVersion(run, seen, baseline)) return [];
  if (cell.shares.failed > baseline.shares.failed + 0.0001) {
    return at(
      'rehearsal-requests-fail',
      `${when} ${percent(cell.shares.failed)} of the requests get an error that they did not get before: ${answerText(cell.answer)}`,
    );
  }
  if (cell.shares.other > baseline.shares.other + TOLERANCE) {
    return at(
      'rehearsal-requests-fail',
      `${when} requests no longer reach the application: ${answerText(cell.answer)} instead of ${answerText(baseline.answer)}`,
    );
  }
  return [
    ...judgeCase(run, sent, seen, cell, at),
    ...judgeShare(run, { sent, seen, cell, baseline }, when, at),
    ...judgeStickiness(seen, cell, baseline, when, at),
    ...judgeDirection(run, moment, request, when, at),
  ];
}

/**
 * Whether a request is only for the new version: a route to the canary Service follows its pods, even when there are none.
 * So does a route to the preview Service while nothing is declared for it.
 */
function isForNewVersion({ release }: Run, { moment }: SeenMoment, baseline: SeenOutcome): boolean {
  const entrance = entranceOf(release, baseline);
  return entrance === 'canary' || (entrance === 'preview' && moment.declared?.preview === undefined);
}

type At = (rule: RehearsalRuleId, message: string, severity?: Finding['severity']) => Problem[];

/** Judges a request that did not lead to the release before it began. */
function judgeOther(cell: Cell, baseline: Cell, when: string, at: At): Problem[] {
  if (cell.key === baseline.key) return [];
  const instead = `${answerText(cell.answer)} instead of ${answerText(baseline.answer)}`;
  if (cell.shares.failed > baseline.shares.failed && cell.shares.canary === 0) {
    return at('rehearsal-requests-fail', `${when} requests that have nothing to do with the release fail: ${instead}`);
  }
  return at(
    'rehearsal-path-shadowed',
    `${when} requests that have nothing to do with the release go elsewhere: ${instead}`,
  );
}

function judgeCase(_run: Run, sent: SentRequest, { moment }: SeenMoment, cell: Cell, at: At): Problem[] {
  if (sent.differsInCase !== true || moment.phase !== 'step' || cell.expectedCanary !== undefined) return [];
  if (moment.routesTraffic !== true || cell.shares.canary === 0) return [];
  return at('rehearsal-match-ignores-case', `${sent.label} counts as a match too`);
}

interface Judged {
  readonly sent: SentRequest;
  readonly seen: SeenMoment;
  readonly cell: Cell;
  readonly baseline: Cell;
}

function judgeShare(run: Run, { sent, seen, cell, baseline }: Judged, when: string, at: At): Problem[] {
  const { expectedCanary: expected, shares } = cell;
  const { phase } = seen.moment;
  if (expected === undefined || Math.abs(shares.canary - expected) <= TOLERANCE) return [];
  const declared = seen.moment.declared!;
  const instead = `${canaryText(shares)}, not ${percent(expected)}`;
  if (phase === 'prepare') return at('rehearsal-canary-too-early', `${when} ${canaryText(shares)} already`);
  if (phase === 'abort') return at('rehearsal-rollback-incomplete', `${when} ${canaryText(shares)}`);
  // The declared share of requests without a match.
  const rest = declared.share * baseline.shares.stable;
  const isWeight = declared.matches.length === 0 || (expected > 0 && expected === rest);
  if (isWeight && !isWidened(run, sent, seen, cell))
    return judgeWeight(run, sent, seen, cell, `${when} ${instead}`, at);
  if (expected > rest) {
    if (sent.amongCookies === true)
      return at('rehearsal-cookie-alone', `${when} ${canaryText(shares)}, as the client sends other cookies too`);
    const isLost = shares.canary === 0 && !othersReach(run, seen);
    if (isLost) return at('rehearsal-canary-gets-nothing', `${when} ${instead}`);
    return at(
      'rehearsal-match-ignored',
      `${when} requests meet the match "${sent.label}", but ${canaryText(shares, 'them')}, not ${percent(expected)}`,
    );
  }
  if (sent.class === 'near' || sent.class === 'match') {
    // If requests without a match reach the canary too, this value is not the cause.
    if (unmatchedReach(run, seen)) return [];
    return at(
      'rehearsal-match-widened',
      `${when} requests with ${sent.label} meet no match, but ${canaryText(shares, 'them')}`,
    );
  }
  const rule = shares.canary >= 1 ? 'rehearsal-canary-gets-everything' : 'rehearsal-unmatched-reach-canary';
  return at(rule, `${when} requests meet no match, but ${canaryText(shares, 'them')}`);
}

/** Whether only requests that almost meet a match get more than their weight. */
function isWidened(
  run: Run,
  { class: kind }: SentRequest,
  seen: SeenMoment,
  { shares, expectedCanary }: Cell,
): boolean {
  if (kind !== 'near' || seen.moment.declared!.matches.length === 0) return false;
  return shares.canary > expectedCanary! && !unmatchedReach(run, seen);
}

function judgeWeight(run: Run, sent: SentRequest, seen: SeenMoment, cell: Cell, message: string, at: At): Problem[] {
  // Only users of an earlier match see this, and they already had the new version.
  if (sent.class !== 'no-match' && !plainDiffer(run, seen)) return at('rehearsal-weight-differs', message, 'warning');
  if (cell.shares.canary === 0) return at('rehearsal-canary-gets-nothing', message);
  return at(cell.shares.canary >= 1 ? 'rehearsal-canary-gets-everything' : 'rehearsal-weight-differs', message);
}

function plainDiffer(run: Run, { cells }: SeenMoment): boolean {
  return run.requests.some((sent, index) => {
    const { expectedCanary, shares } = cells[index]!;
    return sent.class === 'no-match' && Math.abs(shares.canary - (expectedCanary ?? shares.canary)) > TOLERANCE;
  });
}

/** Whether any request that belongs to the canary reaches it at this moment. */
function othersReach(run: Run, { cells }: SeenMoment): boolean {
  return run.requests.some((_sent, index) => {
    const { expectedCanary = 0, shares } = cells[index]!;
    return expectedCanary > 0 && shares.canary > 0;
  });
}

function unmatchedReach(run: Run, { cells }: SeenMoment): boolean {
  return run.requests.some(
    (sent, index) =>
      sent.class === 'no-match' && cells[index]!.shares.canary > (cells[index]!.expectedCanary ?? 1) + TOLERANCE,
  );
}

function judgeStickiness({ moment }: SeenMoment, cell: Cell, baseline: Cell, when: string, at: At): Problem[] {
  const { answer } = cell;
  if (moment.phase !== 'step' || baseline.answer.kind !== 'services' || !baseline.answer.sticky) return [];
  if (answer.kind !== 'services' || answer.sticky) return [];
  if (answer.destinations.filter(({ share }) => share > 0).length < 2) return [];
  return at(
    'rehearsal-stickiness-lost',
    `${when} clients no longer stay with one version, as they stayed with one target group before`,
  );
}

/** Compares the share of requests without a match with the step before. */
function judgeDirection(run: Run, moment: number, request: number, when: string, at: At): Problem[] {
  if (run.requests[request]!.class !== 'no-match') return [];
  const { moment: now, cells } = run.seen[moment]!;
  if (now.phase !== 'step' || now.step === undefined || now.step === 0) return [];
  const before = run.seen.find((seen) => seen.moment.phase === 'step' && seen.moment.step === now.step! - 1);
  const [was, is] = [before?.cells[request]?.shares.canary ?? 0, cells[request]!.shares.canary];
  if (is >= was - TOLERANCE) return [];
  return at(
    'rehearsal-weight-backwards',
    `${when} the canary gets ${percent(is)} of the requests, after ${percent(was)} at the step before`,
  );
}

/** Makes one finding for each rule and load balancer, which counts the other problems of the same kind. */
function grouped(run: Run, problems: readonly Problem[]): Finding[] {
  const groups = groupedBy(problems, (problem) => {
    const sent = run.requests[problem.request]!;
    const part =
      problem.rule === 'rehearsal-match-ignored' || problem.rule === 'rehearsal-match-widened' ? sent.match : '';
    const phase = run.seen[problem.moment]!.moment.phase;
    const where = problem.rule === 'rehearsal-requests-fail' ? phase : '';
    return JSON.stringify([problem.rule, sent.entry, part, where]);
  });
  return [...groups.values()].map((group) => findingOf(run, group));
}

function findingOf(run: Run, group: readonly Problem[]): Finding {
  const { rule, moment, request, message, severity } = group[0]!;
  const sent = run.requests[request]!;
  const { moment: at, cells } = run.seen[moment]!;
  const cell = cells[request]!;
  const entry = run.entries[sent.entry]!;
  const { rule: taking } = cell;
  const { fix, because, severity: advised = severity } = adviceOf(run, group[0]!);
  return run.release.manifest.finding(rehearsalRules[rule], {
    message: `${message}${alsoAt(run, group)}`,
    ...placeAt(run, at.step),
    request: textOf(run, sent),
    ...(advised === undefined ? {} : { severity: advised }),
    ...(fix === undefined ? {} : { fix }),
    ...(because === undefined ? {} : { because }),
    ...(taking === undefined
      ? {}
      : {
          related: {
            message: ruleText(entry, taking.description),
            object: taking.object,
            ...(taking.source === undefined ? {} : { source: taking.source }),
          },
        }),
  });
}

function adviceOf({ release, requests, entries, seen }: Run, { rule, moment: index, request }: Problem): Advice {
  const { moment, table, cells } = seen[index]!;
  const entry = entries[requests[request]!.entry]!;
  const { expectedCanary, ...outcome } = cells[request]!;
  const situation = {
    rule,
    router: entry.router,
    isFrozen: table.get(tableKey(entry))?.frozen !== undefined,
    moment,
    outcome,
    ...(expectedCanary === undefined ? {} : { expectedCanary }),
  };
  return release.advise?.(situation) ?? {};
}

function ruleText({ router, name }: Entry, description: string): string {
  return `${description} of ${router} "${name}" takes the request`;
}

function alsoAt(run: Run, group: readonly Problem[]): string {
  const [first] = group;
  const requests = new Set(group.filter(({ moment }) => moment === first!.moment).map(({ request }) => request));
  const later = [...new Set(group.map(({ moment }) => moment))]
    .slice(1)
    .map((moment) => whenOf(run.seen[moment]!.moment));
  const others = requests.size > 1 ? [`${requests.size - 1} more request${requests.size > 2 ? 's' : ''}`] : [];
  const rest = later.length - 3;
  const parts = [...others, ...later.slice(0, 3), ...(rest > 0 ? [`at ${counted(rest, 'more moment')}`] : [])];
  return parts.length === 0 ? '' : ` (also ${parts.join(', ')})`;
}

/** Findings about whole load balancers. */
function loadBalancerFindings(run: Run): Finding[] {
  return [
    ...freezes(run),
    ...secondLoadBalancers(run),
    ...(run.release.changesTargetGroups === true ? targetGroupFindings(run) : []),
  ];
}

function freezes(run: Run): Finding[] {
  const found = new Set<string>();
  return run.seen.flatMap(({ moment, table }, index) =>
    [...table.values()].flatMap(({ router, name, frozen, members }) => {
      if (frozen === undefined || found.has(`${router} ${name}`)) return [];
      found.add(`${router} ${name}`);
      const neighbours = members.filter((member) => !isOwn(run, member)).map((member) => nameOf(member));
      const others =
        neighbours.length === 0
          ? ''
          : `, and with it ${neighbours.slice(0, 3).join(', ')}${neighbours.length > 3 ? ` and ${neighbours.length - 3} more` : ''}`;
      const what = index === 0 ? `is already frozen ${whenOf(moment)}` : `freezes ${whenOf(moment)}`;
      const at = frozen.manifest ?? run.release.manifest;
      const source = at.sourceOf(frozen.path ?? []);
      return [
        run.release.manifest.finding(rehearsalRules['rehearsal-group-freezes'], {
          message: `the load balancer "${name}" ${what}${others}: ${frozen.why}`,
          ...placeAt(run, moment.step),
          ...(frozen.manifest === undefined
            ? {}
            : {
                related: {
                  message: 'the mistake is here',
                  object: at.ref,
                  ...(source === undefined ? {} : { source }),
                },
              }),
        }),
      ];
    }),
  );
}

function isOwn({ traffic }: Run, manifest: Manifest): boolean {
  return traffic.objects.some(
    ({ kind, name, namespace = traffic.namespace }) =>
      kind === manifest.kind && name === manifest.name && (manifest.namespace ?? namespace) === namespace,
  );
}

function nameOf({ kind, namespace, name }: Manifest): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/** Load balancers that exist only because of objects that the controller wrote. */
function secondLoadBalancers(run: Run): Finding[] {
  const before = run.seen[0]!.table;
  const found = new Set<string>();
  return run.seen.flatMap(({ moment, table }) =>
    [...table.values()].flatMap((state) => {
      const key = tableKey(state);
      if (before.has(key) || found.has(key) || state.members.length === 0) return [];
      found.add(key);
      const first = [...before.values()].find(({ router }) => router === state.router);
      return [
        run.release.manifest.finding(rehearsalRules['rehearsal-second-load-balancer'], {
          message:
            `${whenOf(moment)} ${nameOf(state.members[0]!)} gets a load balancer of its own, "${state.name}"` +
            `${first === undefined ? '' : `, in addition to "${first.name}"`}`,
          ...placeAt(run, moment.step),
        }),
      ];
    }),
  );
}
