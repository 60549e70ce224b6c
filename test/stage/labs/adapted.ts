/** Whole stacks of other people, as a lab plays them: versions have names, and nobody waits for minutes. */
import type { KubernetesObject } from '../cluster/api';

const WORKLOADS: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'CloneSet', 'DaemonSet', 'Rollout']);

/** With `v1` as the tag of the image that a story changes: recordings call each version by its tag. */
export function asVersion1(object: KubernetesObject): KubernetesObject {
  const containers = object.spec?.template?.spec?.containers;
  if (!WORKLOADS.has(object.kind) || containers === undefined) return object;
  const [first, ...rest] = containers;
  const { spec } = object;
  const { template } = spec;
  const tagged = { ...first, image: `${first.image.replace(/(?<=[^/]):[^/:]*$/, '')}:v1` };
  return {
    ...object,
    spec: { ...spec, template: { ...template, spec: { ...template.spec, containers: [tagged, ...rest] } } },
  };
}

const DELAYS = /^(scaleDownDelaySeconds|abortScaleDownDelaySeconds|autoPromotionSeconds)$/;

/** With pauses and delays of at most some seconds: what a controller writes does not depend on how long it waits. */
export function withShortPauses(rollout: KubernetesObject, seconds: number): KubernetesObject {
  return JSON.parse(JSON.stringify(rollout), (key, value) => {
    if (key === 'pause') return shortPause(value, seconds);
    return DELAYS.test(key) && value > seconds ? seconds : value;
  });
}

function shortPause(pause: KubernetesObject, seconds: number): KubernetesObject {
  return pause?.duration !== undefined && secondsOf(pause.duration) > seconds ? { duration: seconds } : pause;
}

const UNITS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3600 };

/** Seconds of a duration as Argo writes it, `10m`, or of a number. */
function secondsOf(duration: string | number): number {
  const [, number, unit = ''] = /^(\d+)([smh]?)$/.exec(String(duration)) ?? [];
  return Number(number) * (UNITS[unit] ?? 1);
}
