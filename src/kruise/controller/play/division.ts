/**
 * How many pods of a workload have which version, in a step and after the workload has been scaled. The controller writes a
 * share into the workload, and only ever one that lets more pods be new.
 */

import type { RollingStyle } from '../../subject';
import {
  allPodsOf,
  type Division,
  maxPodsOf,
  oldPodsOf,
  type PodCount,
  podsIn,
  type Share,
  twoVersions,
  type Workload,
} from './workload';

/** What decides about a division besides the step. */
export interface DivisionMemory {
  /**
   * What the controller has written last: `partition` or `maxSurge`.
   * @default - it has written nothing yet
   */
  readonly written?: Share;
  /**
   * The most pods that the Deployment might have when its old ReplicaSet was last scaled, as the ReplicaSet says.
   * @default - that of the Deployment before the release
   */
  readonly oldMax?: number;
}

/** How many pods have which version, and what decides about it. */
export interface Divided extends DivisionMemory {
  readonly division: Division;
}

/** A write of another version. */
export interface Rewriting {
  readonly step: Share;
  readonly from: Workload;
  readonly to: Workload;
  /** The revision labels of the pods of the release that gives way, and of those which the other version has already. */
  readonly labels: { readonly from: string; readonly to: string };
}

/** What a style and a kind of workload do with the pods. */
export interface Divider {
  /** The pods that a step leads to. */
  upgrade(now: Divided, step: Share, workload: Workload): Divided;
  /** The pods after the workload has got another number of them in the middle of a step. */
  scale(now: Divided, step: Share, from: Workload, to: Workload): Divided;
  /**
   * Whether the newest pods give way first, even to a version that others of them already have.
   * @default false
   */
  readonly isByAge?: boolean;
  /** How many pods of the new version must be ready before the step goes on. */
  awaits(step: Share, workload: Workload): number;
}

/** What a style and a kind of workload do with the pods. */
export function dividerOf(style: RollingStyle, { kind }: Workload): Divider {
  if (style === 'canary') return CANARY;
  if (style === 'blueGreen') return kind === 'CloneSet' ? BLUE_GREEN_CLONE_SET : BLUE_GREEN;
  if (kind === 'Deployment') return DEPLOYMENT;
  return kind === 'CloneSet' ? CLONE_SET : BY_NUMBER;
}

const atMost = (replicas: number, share: Share) => Math.min(replicas, podsIn(share, replicas));

// ---- Canary style: a second Deployment, which only grows ----

const CANARY: Divider = {
  upgrade({ division }, step, { replicas }) {
    const canary = Math.max(division.canary, atMost(replicas, step));
    return { division: twoVersions(replicas, canary) };
  },
  // Without any pod the controller waits.
  scale: (now, step, _from, to) =>
    to.replicas === 0 ? { division: twoVersions(0, now.division.canary) } : CANARY.upgrade(now, step, to),
  awaits: (step, { replicas }) => atMost(replicas, step),
};

// ---- Blue-green style: Kubernetes scales a Deployment, which may have more pods by a surge ----

/** The most pods of both versions that a surge lets a Deployment have. */
const maxDuring = ({ replicas }: Workload, surge: Share) => replicas + podsIn(surge, replicas);

const BLUE_GREEN: Divider = {
  upgrade({ division, written = 0, ...memory }, step, { replicas }) {
    const surge = podsIn(step, replicas) > podsIn(written, replicas) ? step : written;
    const canary = Math.max(
      division.canary,
      Math.min(replicas, replicas + podsIn(surge, replicas) - oldPodsOf(division)),
    );
    return { ...memory, written: surge, division: { ...division, canary } };
  },
  scale({ division, written = 0, oldMax }, _step, from, to) {
    const { replicas } = to;
    const [before, after] = [maxDuring(from, written), maxDuring(to, written)];
    const maxima = { stable: oldMax ?? maxPodsOf(from), others: before };
    const scaled = inProportion(division, { replicas, total: replicas === 0 ? 0 : after, maxima, after });
    const stable = Math.min(oldPodsOf(scaled), replicas);
    const canary = Math.min(replicas, Math.max(scaled.canary, after - stable));
    return { written, oldMax: after, division: twoVersions(stable, canary) };
  },
  awaits: (step, { replicas }) => atMost(replicas, step),
};

/** During the release no pod counts as available, so a CloneSet deletes none. It adds new ones up to its surge. */
const BLUE_GREEN_CLONE_SET: Divider = {
  ...BLUE_GREEN,
  upgrade({ division, written = 0 }, step, { replicas }) {
    const surge = podsIn(step, replicas) > podsIn(written, replicas) ? step : written;
    return { written: surge, division: surged(division, surge, replicas) };
  },
  scale: ({ division, written = 0 }, _step, _from, { replicas }) => ({
    written,
    division: surged(division, written, replicas),
  }),
};

function surged(division: Division, share: Share, replicas: number): Division {
  const { canary } = division;
  const stable = oldPodsOf(division);
  const surge = Math.max(0, Math.min(podsIn(share, replicas), stable, replicas - canary));
  const added = Math.max(0, replicas + surge - stable - canary);
  return { ...division, canary: canary + added };
}

// ---- Partition style of a Deployment: Kruise Rollouts scales its ReplicaSets, instead of Kubernetes ----

const DEPLOYMENT: Divider = {
  upgrade({ division, written = 0 }, step, { replicas }) {
    const partition = letsAsMany(written, step) ? written : step;
    return { written: partition, division: rolled(division, partition, replicas) };
  },
  scale({ division, written = 0 }, _step, from, to) {
    const { replicas } = to;
    const before = maxPodsOf(from);
    const maxima = { stable: before, others: before };
    const scaled = inProportion(division, { replicas, total: replicas, maxima, after: maxPodsOf(to) });
    return { written, division: rolled(scaled, written, replicas) };
  },
  awaits: (step, { replicas }) => limitOf(step, replicas),
};

/** A Deployment as large as the one for which the controller compares shares: there 1% is more than any number of pods. */
const LARGE = 10_000_000;

const letsAsMany = (written: Share, step: Share) => podsIn(written, LARGE) >= podsIn(step, LARGE);

/** How many pods a partition is: all of them only as 100% or as a number. */
function limitOf(partition: Share, replicas: number): number {
  const pods = atMost(replicas, partition);
  return replicas > 1 && typeof partition === 'string' && partition !== '100%' ? Math.min(pods, replicas - 1) : pods;
}

/** The pods after a rolling update: no new one goes, and new ones alone are all. */
function rolled(division: Division, partition: Share, replicas: number): Division {
  if (oldPodsOf(division) === 0) return { old: [], canary: replicas };
  return withNew(division, Math.min(replicas, Math.max(division.canary, limitOf(partition, replicas))), replicas);
}

// ---- Partition style of other kinds: their own controllers keep as many old pods as the partition says ----

const CLONE_SET: Divider = keepsOld('100%', (old, step, replicas) =>
  typeof step === 'string' ? percentageOf(old, step, replicas) : old,
);

/** The partition before the first step: more pods than anybody has. */
const ALL_OLD = 32_767;

const BY_NUMBER: Divider = keepsOld(ALL_OLD, (old) => old);

/** @param partitionFor the partition that keeps a number of old pods in a step */
function keepsOld(first: Share, partitionFor: (old: number, step: Share, replicas: number) => Share): Divider {
  const divide = ({ division, written = first }: Divided, step: Share, replicas: number, least: number): Divided => {
    if (replicas === 0) return { written, division: { old: [], canary: 0 } };
    const wanted = partitionFor(replicas - atMost(replicas, step), step, replicas);
    const partition = podsIn(written, replicas) <= podsIn(wanted, replicas) ? written : wanted;
    const canary = Math.max(least, replicas - limitOf(partition, replicas));
    return { written: partition, division: withNew(division, canary, replicas) };
  };
  return {
    upgrade: (now, step, { replicas }) => divide(now, step, replicas, now.division.canary),
    // A workload without pods takes the new version for the only one.
    scale: (now, step, from, { replicas }) =>
      from.replicas === 0 ? { ...now, division: { old: [], canary: replicas } } : divide(now, step, replicas, 0),
    isByAge: true,
    awaits: (step, { replicas }) => atMost(replicas, step),
  };
}

/** The pods after somebody has written the partition of such a workload. */
export function repartitioned({ division }: Divided, partition: Share, { replicas }: Workload): Divided {
  const canary = Math.max(division.canary, replicas - limitOf(partition, replicas));
  return { written: partition, division: withNew(division, canary, replicas) };
}

/** The percentage that the controller writes for a number of old pods; it rounds down, and lets at least one pod be old. */
function percentageOf(old: number, step: string, replicas: number): string {
  if (old >= replicas) return '100%';
  if (old <= 0) return '0%';
  const percentage = `${Math.floor((old * 100) / replicas)}%`;
  return podsIn(percentage, replicas) <= 0 && step !== '100%' ? '1%' : percentage;
}

// ---- Numbers of pods ----

/** Gives a number of pods to the new version. Old pods that are added have the old version. */
function withNew({ old }: Division, canary: number, replicas: number): Division {
  let left = Math.max(0, replicas - canary);
  const kept = old.map(({ hash, replicas: pods }) => {
    const count = Math.min(pods, left);
    left -= count;
    return { hash, replicas: count };
  });
  return { old: [...kept, { hash: 'stable', replicas: left }].filter(({ replicas: pods }) => pods > 0), canary };
}

/**
 * The pods after another version has been written in the middle of a step of partition style, maybe with another number of
 * pods: the controller lets as many be new as the step says, and as the partition that is still written.
 */
export function rewritten(
  divider: Divider,
  { division: now, ...memory }: Divided,
  { step, from, to, labels }: Rewriting,
): Division {
  const abandoned = { old: relabelled(allPodsOf(now), 'canary', labels.from), canary: 0 };
  const { division } = divider.scale({ ...memory, division: abandoned }, step, from, to);
  if (labels.from === labels.to) return division;
  if (divider.isByAge === true) return { ...division, old: relabelled(division.old, labels.to, 'canary') };
  const others = division.old.filter(({ hash }) => hash !== labels.to);
  return { old: others, canary: division.canary + oldPodsOf(division, labels.to) };
}

function relabelled(pods: readonly PodCount[], from: string, to: string): PodCount[] {
  return pods.map(({ hash, replicas }) => ({ hash: hash === from ? to : hash, replicas }));
}

/** What ReplicaSets are scaled to. */
interface Scaling {
  readonly replicas: number;
  /** The pods that all versions get together. */
  readonly total: number;
  /** The most pods that the Deployment might have, as the ReplicaSet of each version says. */
  readonly maxima: { readonly stable: number; readonly others: number };
  /** The most pods that the Deployment may have now. */
  readonly after: number;
}

/** Scales all ReplicaSets in proportion, the largest one first, which gets what rounding leaves over. */
function inProportion(division: Division, { replicas, total, maxima, after }: Scaling): Division {
  const sets = allPodsOf(division).map((set) => ({ ...set }));
  const oldestFirst = sets.filter((set) => set.replicas > 0);
  if (oldestFirst.length <= 1) {
    // One that is alone gets all pods; where there are none, the new one does.
    (oldestFirst[0] ?? sets.at(-1)!).replicas = replicas;
    return divisionFrom(sets);
  }
  const change = total - oldestFirst.reduce((sum, set) => sum + set.replicas, 0);
  const sorted = (change > 0 ? oldestFirst.reverse() : oldestFirst).sort((a, b) => b.replicas - a.replicas);
  let left = change;
  for (const set of sorted) {
    const most = set.hash === 'stable' ? maxima.stable : maxima.others;
    const share = (total === 0 ? 0 : Math.round((set.replicas * after) / most)) - set.replicas;
    const part = left === 0 ? 0 : change > 0 ? Math.min(share, left) : Math.max(share, left);
    set.replicas += part;
    left -= part;
  }
  sorted[0]!.replicas = Math.max(0, sorted[0]!.replicas + left);
  return divisionFrom(sets);
}

const divisionFrom = (sets: readonly PodCount[]): Division => ({
  old: sets.slice(0, -1),
  canary: sets.at(-1)!.replicas,
});
