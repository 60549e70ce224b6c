/** The rights of roles that no kept install has, each rule in one line. */
import { expect, it } from 'vitest';
import { type ArgoInstallOptions, argoInstall } from '../../../src/argo/install';
import type { PolicyRule } from '../../../src/kubernetes/api';

function rightsOf(options: ArgoInstallOptions, kind: string, name: string): string[] {
  const objects = argoInstall({ crds: 'skip', trafficRouters: [], ...options });
  const role = objects.find((object) => object.kind === kind && object.metadata.name === name)!;
  return ((role.rules ?? []) as readonly PolicyRule[]).map(
    ({ apiGroups, resources, verbs }) => `${apiGroups.join()}: ${resources.join()}: ${verbs.join()}`,
  );
}

it('the controller has the rights of upstream, where the install asks for them', () => {
  const permissions = { upstream: true };
  expect(rightsOf({ permissions }, 'ClusterRole', 'argo-rollouts')).toEqual([
    'argoproj.io: rollouts,rollouts/finalizers,rollouts/status: get,list,patch,update,watch',
    'argoproj.io: analysisruns,analysisruns/finalizers,experiments,experiments/finalizers: create,delete,get,list,patch,update,watch',
    'argoproj.io: analysistemplates,clusteranalysistemplates: get,list,watch',
    'apps: replicasets: create,delete,get,list,patch,update,watch',
    'apps: deployments: get,list,update,watch',
    ': podtemplates: get,list,update,watch',
    ': services: create,delete,get,list,patch,watch',
    ': pods: list,update,watch',
    ': pods/eviction: create',
    ': events: create,patch,update',
    'batch: jobs: create,delete,get,list,patch,update,watch',
    'networking.k8s.io: ingresses: get,list,watch',
    ': secrets: get',
  ]);
  const withoutJobs = rightsOf(
    { permissions: { upstream: true, analysisJobs: false } },
    'ClusterRole',
    'argo-rollouts',
  );
  expect(withoutJobs).toContain('batch: jobs: get,list,watch');
});

it('the controller of one namespace has all of its rights in a Role, and reads no cluster-wide template', () => {
  expect(rightsOf({ namespaced: true, namespace: 'shop' }, 'Role', 'argo-rollouts')).toEqual([
    'coordination.k8s.io: leases: create,get,update',
    ': configmaps,secrets: get,list,watch',
    'argoproj.io: rollouts: get,list,patch,update,watch',
    'argoproj.io: rollouts/status: patch,update',
    'argoproj.io: analysisruns,experiments: create,delete,get,list,patch,watch',
    'argoproj.io: analysisruns/finalizers,experiments/finalizers,rollouts/finalizers: update',
    'argoproj.io: analysistemplates: get,list,watch',
    'apps: replicasets: create,delete,get,list,patch,update,watch',
    'apps: deployments: get,list,update,watch',
    ': podtemplates: get,list,watch',
    ': services: create,delete,get,list,patch,watch',
    ': pods: get,list,update',
    ': pods/eviction: create',
    ': events: create,patch',
    'batch: jobs: create,delete,get,list,watch',
    'networking.k8s.io: ingresses: get,list,watch',
  ]);
});

const SHOWN = [
  'argoproj.io: analysisruns,analysistemplates,clusteranalysistemplates,experiments,rollouts: get,list,watch',
  'apps: replicasets: get,list,watch',
  ': pods: list,watch',
];
const CHANGED = ['argoproj.io: rollouts,rollouts/status: patch,update', 'apps: deployments: get,update'];

it('the dashboard shows Rollouts and changes them, or only shows them', () => {
  expect(rightsOf({ dashboard: {} }, 'ClusterRole', 'argo-rollouts-dashboard')).toEqual([...SHOWN, ...CHANGED]);
  expect(rightsOf({ dashboard: { readOnly: true } }, 'ClusterRole', 'argo-rollouts-dashboard')).toEqual(SHOWN);
  const own = { dashboard: {}, namespaced: true, namespace: 'shop' };
  expect(rightsOf(own, 'Role', 'argo-rollouts-dashboard')).toEqual([
    SHOWN[0]!.replace(',clusteranalysistemplates', ''),
    ...SHOWN.slice(1),
    ...CHANGED,
  ]);
});
