/**
 * The smallest program: Kruise Rollouts and one Rollout in the cluster of the default provider. The program refers to the
 * shop's existing objects by name, so the checks see only the objects of the program.
 */
import * as pulumi from '@pulumi/pulumi';
import { KruiseRollout, KruiseRolloutInstall, KruiseRolloutStep, KruiseRolloutStrategy } from '../../src/pulumi';

const namespace = new pulumi.Config().get('namespace') ?? 'shop';

const install = new KruiseRolloutInstall('kruise');

const rollout = new KruiseRollout('web', {
  install,
  metadata: { namespace },
  workload: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
  trafficRouting: { service: 'web', ingress: 'web', classType: 'nginx' },
  strategy: KruiseRolloutStrategy.canary({
    steps: [KruiseRolloutStep.traffic('20%', { pause: { duration: 600 } }), KruiseRolloutStep.traffic('100%')],
  }),
});

export const rolloutName = rollout.name;
