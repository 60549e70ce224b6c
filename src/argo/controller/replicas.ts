/** How many pods each version has in a canary without a traffic router, where the numbers of pods are the weights. */
import type { JsonObject } from '../../core/json';
import { asText, numberOf } from '../../core/json';

/** The pods of both versions. */
export interface PodCounts {
  readonly canary: number;
  readonly stable: number;
}

/** The numbers of pods that come closest to a weight; one pod more than `replicas` where a surge is allowed. */
export function closestCounts(replicas: number, weight: number, maxSurge: number): PodCounts {
  const exact = (replicas * weight) / 100;
  const [up, down] = [Math.ceil(exact), Math.floor(exact)];
  const takesZero = weight === 100 || weight === 0 || (replicas === 1 && maxSurge === 0);
  const isTied = (total: number) => (total * weight) / 100 - Math.floor((total * weight) / 100) === 0.5;
  const takesDown = (total: number) => !isTied(total) && (down !== 0 || takesZero);
  const options = [
    ...(up < replicas || takesZero ? [{ canary: up, total: replicas }] : []),
    ...(takesDown(replicas) ? [{ canary: down, total: replicas }] : []),
    ...(maxSurge > 0 ? [{ canary: up, total: replicas + 1 }] : []),
    ...(maxSurge > 0 && takesDown(replicas + 1) ? [{ canary: down, total: replicas + 1 }] : []),
  ];
  const distance = ({ canary, total }: { canary: number; total: number }) => Math.abs((canary * 100) / total - weight);
  const best = options.reduce<(typeof options)[number] | undefined>(
    (known, option) => (known === undefined || distance(option) < distance(known) ? option : known),
    undefined,
  ) ?? { canary: 0, total: replicas };
  return { canary: best.canary, stable: best.total - best.canary };
}

/** `maxSurge` as a number of pods. */
export function maxSurgeOf(canary: JsonObject, replicas: number): number {
  return podsOfShare(canary.maxSurge, replicas, Math.ceil);
}

/** `maxUnavailable` as a number of pods; one if nothing may surge either. */
export function maxUnavailableOf(canary: JsonObject, replicas: number): number {
  const pods = podsOfShare(canary.maxUnavailable, replicas, Math.floor);
  return Math.min(replicas, pods === 0 && maxSurgeOf(canary, replicas) === 0 ? 1 : pods);
}

/** The default of both. */
const QUARTER = '25%';

function podsOfShare(value: unknown, replicas: number, round: (pods: number) => number): number {
  const percent = /^(\d+)%$/.exec(asText(value ?? QUARTER))?.[1];
  return percent === undefined ? (numberOf(value) ?? 0) : round((replicas * Number(percent)) / 100);
}
