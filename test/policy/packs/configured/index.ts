import { PolicyPack } from '@pulumi/policy';
import { rolloutPolicies } from '../../../../src/policy';

const ours = {
  name: 'named-after-team',
  description: 'Objects have a team.',
  validateResource: () => undefined,
};

new PolicyPack('configured', {
  policies: [
    ...rolloutPolicies({
      kruiseVersion: '0.6',
      awsLoadBalancerControllerVersion: '2.14.1',
      rules: { 'alb-service-missing': 'advisory', 'kruise-alb-backend-port': 'disabled' },
      external: [{ kind: 'Service', name: 'billing', namespace: 'shop' }],
      rehearsal: false,
    }),
    ours,
  ],
});
