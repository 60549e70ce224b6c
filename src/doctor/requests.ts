/** Sends the requests of a rehearsal to the routers of the live objects. */

import type { Manifest, World } from '../core';
import type { CheckupItem, CheckupTraffic } from '../core/checkup';
import { groupedBy } from '../core/grouped';
import { textOf } from '../rehearsal/places';
import type { Run, RunOptions } from '../rehearsal/run';
import { runRehearsal } from '../rehearsal/run';
import { judge } from '../rehearsal/verdicts';
import { answerText } from '../rehearsal/words';
import { type Moment, type PodGroup, percent, type ReleasePlay } from '../release';
import type { LiveCluster } from './cluster';
import type { Written } from './declared';
import { Question } from './question';

/** The input of `requestsNow`. */
export interface RequestsNow extends Omit<RunOptions, 'play' | 'probes'>, Omit<ReleasePlay, 'moments' | 'stop'> {
  /** The state without a release. Requests are derived from it. */
  readonly before: Moment;
  /** The state of the cluster now. */
  readonly now: Moment;
  /** Whether the declared state is reached. */
  readonly isSettled: boolean;
}

/** Sends the derived requests to the live cluster, and compares the answers with what the Rollout declares now. */
export function requestsNow(id: string, asked: RequestsNow): CheckupItem {
  const { before, now, isSettled, revisionLabel, otherServices, ...options } = asked;
  const play = { revisionLabel, otherServices, moments: [before, now] };
  const run = runRehearsal({ ...options, play, probes: [] });
  const looked = [
    ...new Set(run.entries.map(({ router, name, port, protocol }) => `${router} ${name} ${protocol} ${port}`)),
  ];
  const question = new Question(id, 'where do requests go now?', looked);
  const frozen = [...run.seen[1]!.table.values()].flatMap(({ name, frozen: one }) =>
    one === undefined ? [] : [`load balancer ${name} takes no changes: ${one.why}`],
  );
  if (run.entries.length === 0 && frozen.length > 0) return question.problem(frozen[0]!, { details: frozen });
  if (run.entries.length === 0) {
    return question.open(
      `no load balancer that is known here sends requests to Service ${run.traffic.namespace}/${run.traffic.stableService}`,
    );
  }
  const { wrong } = judge(run);
  const isWrong = (index: number) => wrong.has(`1/${index}`);
  const details = [...frozen, ...linesOf(run, isWrong)];
  const errors = run.requests.flatMap((_, index) => (isWrong(index) ? [index] : []));
  const more = { details, traffic: trafficOf(run, isWrong) };
  if (frozen.length === 0 && errors.length === 0) return question.ok(summaryOf(run), more);
  if (errors.length === 0) return question.problem(frozen[0]!, more);
  const [first] = errors;
  if (!isSettled) return question.open(`not yet as declared: ${lineOf(run, first!)}`, more);
  return question.problem(`requests do not go where the Rollout declares it: ${lineOf(run, first!)}`, more);
}

function trafficOf({ entries, requests, ...run }: Run, isWrong: (index: number) => boolean): CheckupTraffic {
  return {
    loadBalancers: entries,
    requests: requests.map((sent, index) => {
      const { answer, shares, expectedCanary } = run.seen[1]!.cells[index]!;
      return {
        class: sent.class,
        label: sent.label,
        text: textOf({ entries }, sent),
        loadBalancer: sent.entry,
        answer,
        shares,
        ...(expectedCanary === undefined ? {} : { expectedCanary }),
        verdict: isWrong(index) ? 'wrong' : 'good',
      };
    }),
  };
}

function summaryOf(run: Run): string {
  const plain = run.requests.findIndex(({ class: one }) => one === 'no-match');
  const cell = run.seen[1]!.cells[Math.max(plain, 0)]!;
  return `${percent(cell.shares.canary)} of plain requests reach the new version: ${answerText(cell.answer)}`;
}

/** Shows requests near a match, or unrelated to the Rollout, only if their answer is wrong. */
function linesOf(run: Run, isWrong: (index: number) => boolean): string[] {
  const lines = run.requests.flatMap((sent, index) => {
    if (isWrong(index)) return [`! ${lineOf(run, index)}`];
    return sent.class === 'elsewhere' || sent.class === 'near' ? [] : [lineOf(run, index)];
  });
  return [...new Set(lines)];
}

function lineOf(run: Run, index: number): string {
  const cell = run.seen[1]!.cells[index]!;
  const declared = cell.expectedCanary === undefined ? '' : `, declared ${percent(cell.expectedCanary)}`;
  const share = `new version ${percent(cell.shares.canary)}${declared}`;
  return `${textOf(run, run.requests[index]!)}: ${share}; ${answerText(cell.answer)}`;
}

/** The ready pods of a workload, by version. */
export interface LivePods {
  readonly groups: readonly PodGroup[];
  /** The objects that were counted. */
  readonly looked: string;
}

/**
 * Counts the ready pods that have the labels of a template.
 * @param revisionOf returns the version of a hash
 */
export function livePods(
  cluster: LiveCluster,
  namespace: string,
  selector: Readonly<Record<string, string>>,
  revisionLabel: string,
  revisionOf: (hash: string) => PodGroup['revision'],
): LivePods | undefined {
  if (cluster.unread('Pod', namespace) !== undefined) return undefined;
  const pods = cluster.world.list('Pod', namespace).filter((pod) => isSelected(pod, selector) && isReady(pod));
  const byHash = groupedBy(pods, (pod) => pod.labels[revisionLabel] ?? '');
  const groups = [...byHash].map(([hash, members]): PodGroup => {
    return { revision: revisionOf(hash), labels: members[0]!.labels, replicas: members.length };
  });
  return { groups, looked: `${pods.length} ready pods in ${namespace}` };
}

function isSelected(pod: Manifest, selector: Readonly<Record<string, string>>): boolean {
  const wanted = Object.entries(selector);
  return wanted.length > 0 && wanted.every(([key, value]) => pod.labels[key] === value);
}

/** Whether a pod is ready. A pod without a status, as in a dump, counts. */
export function isReady(pod: Manifest): boolean {
  if (pod.get('metadata.deletionTimestamp') !== undefined) return false;
  const conditions = pod.get('status.conditions');
  if (!Array.isArray(conditions)) return true;
  return conditions.some(
    (one) => typeof one === 'object' && one !== null && 'type' in one && one.type === 'Ready' && one.status === 'True',
  );
}

/**
 * The live cluster with one release reverted. Other releases on the same load balancer stay.
 * @param idle the Rollout's own objects without a release
 */
export function withoutRelease(live: World, own: readonly Written[], idle: readonly Manifest[]): World {
  const made = own.filter(({ action }) => action === 'created').map(({ live: object }) => object);
  return live.without(...made).with(...idle);
}

/** The World without pods: only the pods of a workload count. */
export function withoutPods(world: World): World {
  return world.without(...world.list('Pod'));
}
