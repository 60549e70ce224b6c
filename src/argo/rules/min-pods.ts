import type { Finding } from '../../core/finding';
import { asObject, isSet, numberOf } from '../../core/json';
import { defineRules } from '../../core/rule';
import { autoscalerOf } from '../../release';
import { ARGO_ROLLOUT } from '../admission/findings';
import { canary } from '../admission/rules/examples';
import { ArgoRolloutsVersion } from '../version';
import type { ArgoAlbChecker } from './context';

const withMinPods = (replicas: number) => canary({ rest: 'minPodsPerReplicaSet: 2', spec: `replicas: ${replicas}` });

/** Rules for the number of pods of a canary. */
export const argoMinPodsRules = defineRules({
  'argo-min-pods-above-replicas': {
    severity: 'warning',
    title: 'minPodsPerReplicaSet is more than spec.replicas',
    because:
      'before release 1.10 the controller runs minPodsPerReplicaSet pods even where spec.replicas says fewer, and waits for exactly ' +
      'spec.replicas pods: after progressDeadlineSeconds the Rollout is Degraded (ProgressDeadlineExceeded), also without a release; ' +
      'before 1.9 no release ends, and the new version never becomes stable',
    fix: 'raise spec.replicas to minPodsPerReplicaSet at least, or lower minPodsPerReplicaSet',
    basis: 'run',
    rehearsedAs: ['rehearsal-step-never-ends'],
    sources: ['https://github.com/argoproj/argo-rollouts/blob/v1.9.1/utils/replicaset/canary.go'],
    failing: withMinPods(1),
    corrected: withMinPods(2),
  },
});

/** Checks that a Rollout can become healthy with the pods that the controller runs. */
export const checkMinPods: ArgoAlbChecker = ({ world, options: { version = ArgoRolloutsVersion.LATEST } }) =>
  world.list(ARGO_ROLLOUT).flatMap((manifest): Finding[] => {
    if (version.facts.minPodsCappedAtReplicas) return [];
    const spec = asObject(manifest.object.spec);
    const { minPodsPerReplicaSet, trafficRouting } = asObject(asObject(spec.strategy).canary);
    const least = numberOf(minPodsPerReplicaSet) ?? 0;
    const replicas = isSet(spec.replicas) ? numberOf(spec.replicas) : 1;
    if (replicas === undefined || replicas <= 0 || replicas >= least || !isSet(trafficRouting)) return [];
    if (autoscalerOf(world, manifest, world.namespaceOf(manifest)) !== undefined) return [];
    const consequence = version.facts.promotesWithMorePods
      ? 'and calls it Degraded after progressDeadlineSeconds'
      : 'and never ends a release, because it waits for exactly that many';
    return [
      manifest.finding(argoMinPodsRules['argo-min-pods-above-replicas'], {
        path: ['spec', 'strategy', 'canary', 'minPodsPerReplicaSet'],
        message: `Argo Rollouts ${version} runs ${least} pods of Rollout "${manifest.name}" where spec.replicas asks for ${replicas}, ${consequence}`,
      }),
    ];
  });
