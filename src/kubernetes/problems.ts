/** Checks of options that all installs of controllers share. */
import type { ControllerSettings } from './controller-settings';

/** Checks the name of a namespace. */
export function namespaceProblems(namespace: string): string[] {
  if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace)) return [];
  return [`namespace is "${namespace}": must be at most 63 lower-case letters, digits and "-"`];
}

/** Checks a number of replicas. */
export function replicaProblems(name: string, count: number): string[] {
  return Number.isInteger(count) && count >= 1 ? [] : [`${name} is ${count}: must be a whole number from 1 on`];
}

/** Checks the tag and the digest of an image. */
export function tagProblems(where: string, { tag, digest }: { readonly tag?: string; readonly digest?: string }) {
  const problems: string[] = [];
  if (tag !== undefined && !/^\w[\w.-]{0,127}$/.test(tag)) {
    problems.push(`${where}.tag is "${tag}": must be at most 128 letters, digits, "_", "." and "-"`);
  }
  if (digest !== undefined && !/^sha256:[0-9a-f]{64}$/.test(digest)) {
    problems.push(`${where}.digest is "${digest}": must be "sha256:" and 64 hexadecimal digits`);
  }
  return problems;
}

/** Checks ports, which a process without root cannot open below 1024. */
export function portProblems(ports: readonly (readonly [name: string, port: number])[]): string[] {
  return ports
    .filter(([, port]) => !Number.isInteger(port) || port < 1024 || port > 65535)
    .map(([name, port]) => `${name} is ${port}: must be a whole number from 1024 to 65535, as the process is not root`);
}

/** Checks that a budget has one limit, and that nodes can still be drained. */
export function budgetProblems({ podDisruptionBudget: budget }: ControllerSettings, replicas: number): string[] {
  if (budget === undefined) return [];
  const { minAvailable, maxUnavailable } = budget;
  if ((minAvailable === undefined) === (maxUnavailable === undefined)) {
    return ['podDisruptionBudget needs exactly one of minAvailable and maxUnavailable'];
  }
  const name = minAvailable === undefined ? 'maxUnavailable' : 'minAvailable';
  const value = (minAvailable ?? maxUnavailable)!;
  const pods = podsOf(value, replicas);
  if (pods === undefined) {
    return [`podDisruptionBudget.${name} is ${value}: must be a whole number, or a percentage as in "50%"`];
  }
  const left = name === 'minAvailable' ? replicas - pods : pods;
  if (left > 0) return [];
  return [
    `podDisruptionBudget.${name} is ${value} with ${replicas} replicas: no node with a controller could be drained`,
  ];
}

/** A number or a percentage as a number of pods, rounded up as Kubernetes does. */
function podsOf(value: number | string, replicas: number): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value : undefined;
  const percent = /^(\d{1,3})%$/.exec(value)?.[1];
  return percent === undefined ? undefined : Math.ceil((Number(percent) * replicas) / 100);
}
