/** What upstream's tests use and the stage does not have. */
import type { KubernetesObject } from '../cluster/api';
import type { UpstreamStack } from './stack';

interface Unserved {
  readonly uses: (object: KubernetesObject) => boolean;
  readonly reason: string;
}

const UNSERVED: readonly Unserved[] = [
  {
    uses: ({ kind, spec }) => /AnalysisTemplate$/.test(kind) && JSON.stringify(spec).includes('"job":'),
    reason: 'its analysis runs a Job, and no container runs on the stage',
  },
  {
    uses: ({ kind, spec }) => kind === 'Rollout' && JSON.stringify(spec.strategy).includes('"plugin":'),
    reason: 'its steps call a plugin, which is a program beside the controller',
  },
  ...['appMesh', 'apisix', 'smi'].map((router) => ({
    uses: ({ kind, spec }: KubernetesObject) =>
      kind === 'Rollout' && spec.strategy.canary?.trafficRouting?.[router] !== undefined,
    reason: `trafficRouting.${router} is not on the stage`,
  })),
];

/** Why the stage cannot play a stack; undefined where it can. */
export function reasonNotPlayed({ objects, unread }: UpstreamStack): string | undefined {
  if (unread !== undefined) return unread;
  if (!objects.some(({ kind }) => kind === 'Rollout')) return 'it has no Rollout';
  return UNSERVED.find(({ uses }) => objects.some(uses))?.reason;
}
