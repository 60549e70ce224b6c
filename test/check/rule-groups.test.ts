import { expect, it } from 'vitest';
import { ruleGroups, wholeCatalogue } from '../../src/check';

it('each group of rules has a title, a system, and a way to accept its findings', () => {
  expect(ruleGroups.map(({ title, system, acceptedBy }) => `${title}: ${system}, ${acceptedBy}`)).toEqual([
    'Rehearsals: rehearsal, annotation',
    'Routing scripts: kruise, comment',
    'The ConfigMap of routing scripts: kruise, annotation',
    'Rollouts and TrafficRoutings: kruise, annotation',
    'Canaries on load balancers of AWS: kruise, annotation',
    'Canaries on load balancers of Alibaba Cloud: kruise, annotation',
    'Ingresses of load balancers of AWS: aws-load-balancers, annotation',
    'What the webhook of Kruise Rollouts refuses: kruise, annotation',
    'What Argo Rollouts refuses: argo, annotation',
    'Argo Rollouts on load balancers of AWS: argo, annotation',
    'Analyses of Argo Rollouts: argo, annotation',
    'What the API server refuses or drops: manifests, annotation',
    'Installs of Kruise Rollouts: kruise, annotation',
    'Permissions for gateways: kruise, annotation',
    'Virtual environments of KtEnv: ktenv, annotation',
    'Programs of Pulumi: manifests, annotation',
    'Releases of Kubernetes: manifests, annotation',
    'Files, manifests and suppressions: manifests, annotation',
  ]);
});

it('each rule is in one group, and in the catalogue', () => {
  const ids = ruleGroups.flatMap(({ rules }) => rules.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  expect([...wholeCatalogue()].map(({ id }) => id).sort()).toEqual(ids.sort());
  expect(ruleGroups.filter(({ rules }) => rules.length === 0)).toEqual([]);
});
