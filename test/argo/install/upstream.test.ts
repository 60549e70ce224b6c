import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type ArgoTrafficRouter, argoInstall } from '../../../src/argo/install';
import { granted, permissions, without } from './permissions';

const UPSTREAM = join(__dirname, '../../../../shared/upstream/argo-rollouts');

// biome-ignore lint/suspicious/noExplicitAny: manifests of many kinds
type Objects = any[];

function upstream(file: string): Objects {
  return parseAllDocuments(readFileSync(join(UPSTREAM, file), 'utf8')).map((document) => document.toJS());
}

const BUILT_IN: ArgoTrafficRouter[] = ['alb', 'ambassador', 'apisix', 'appMesh', 'istio', 'nginx', 'smi', 'traefik'];

/** With every option that upstream enables: the closest to its manifests. */
const OPTIONS = {
  crds: 'skip',
  trafficRouters: BUILT_IN,
  aws: { verifyTargetGroup: true, region: 'eu-west-1' },
} as const;
const ours: Objects = argoInstall({ ...OPTIONS, permissions: { upstream: true } });
const find = (objects: Objects, kind: string, name: string) =>
  objects.find((object) => object.kind === kind && object.metadata.name === name);

const FILES = ['deployment', 'metrics-service', 'sa', 'config', 'notification-secret', 'clusterrole'].map(
  (name) => `argo-rollouts-${name}.yaml`,
);
const ALL_FILES = [...FILES, 'argo-rollouts-clusterrolebinding.yaml', 'argo-rollouts-aggregate-roles.yaml'];
const key = ({ kind, metadata }: Objects[number]) => `${kind} ${metadata.name}`;

describe.runIf(existsSync(UPSTREAM))('the install, compared with the manifests of upstream', () => {
  it('has the same objects, apart from these', () => {
    const theirs = ALL_FILES.flatMap(upstream).map(key);
    const mine = ours.map(key);
    // It is useless when empty, and applying it would overwrite the contents of an existing one.
    expect(theirs.filter((one) => !mine.includes(one))).toEqual(['Secret argo-rollouts-notification-secret']);
    expect(mine.filter((one) => !theirs.includes(one)).sort()).toEqual([
      'Namespace argo-rollouts',
      'PodDisruptionBudget argo-rollouts',
      'Role argo-rollouts',
      'RoleBinding argo-rollouts',
    ]);
  });

  it.each(['argo-rollouts-sa.yaml', 'argo-rollouts-config.yaml'])('has the object of %s', (file) => {
    for (const their of upstream(file)) {
      const { namespace, ...metadata } = find(ours, their.kind, their.metadata.name).metadata;
      expect(namespace).toBe('argo-rollouts');
      expect({ ...find(ours, their.kind, their.metadata.name), metadata }).toEqual(their);
    }
  });

  it('binds the ClusterRole to the same ServiceAccount', () => {
    const [their] = upstream('argo-rollouts-clusterrolebinding.yaml');
    expect(find(ours, 'ClusterRoleBinding', 'argo-rollouts')).toEqual(their);
  });

  it.each(['view', 'edit', 'admin'])('adds the same permissions to the role %s of Kubernetes', (to) => {
    const name = `argo-rollouts-aggregate-to-${to}`;
    const their = find(upstream('argo-rollouts-aggregate-roles.yaml'), 'ClusterRole', name);
    const mine = find(ours, 'ClusterRole', name);
    expect(mine.metadata).toEqual(their.metadata);
    expect(permissions(mine.rules)).toEqual(permissions(their.rules));
  });

  it('has the Service of metrics, which leads to the port by its name', () => {
    const [their] = upstream('argo-rollouts-metrics-service.yaml');
    const mine = find(ours, 'Service', 'argo-rollouts-metrics');
    expect(mine.metadata).toEqual({ ...their.metadata, namespace: 'argo-rollouts' });
    expect(their.spec.ports[0].targetPort).toBe(8090);
    expect(mine.spec).toEqual({ ...their.spec, ports: [{ ...their.spec.ports[0], targetPort: 'metrics' }] });
  });

  it('grants what the ClusterRole grants, apart from intended restrictions', () => {
    const [their] = upstream('argo-rollouts-clusterrole.yaml');
    const theirs = permissions(their.rules);
    const mine = granted(ours, 'ClusterRole');
    expect(without(mine, theirs)).toEqual([]);
    expect(without(theirs, mine)).toEqual(
      [
        // This group has no such resource.
        '/deployments get,list,update,watch',
        'apps/podtemplates get,list,update,watch',
        // Only in the controller's own namespace.
        '/configmaps get,list,watch',
        '/secrets list,watch',
        'coordination.k8s.io/leases create,get,update',
        // Ingresses left this group with Kubernetes 1.22.
        'extensions/ingresses create,get,list,patch,update,watch',
        // EKS Auto Mode, where `aws.targetGroupBindingApiVersion` names it.
        'eks.amazonaws.com/targetgroupbindings get,list',
      ].sort(),
    );
    expect(granted(ours, 'Role')).toEqual(
      new Set([
        ...['create', 'get', 'update'].map((verb) => `coordination.k8s.io/leases ${verb}`),
        ...['get', 'list', 'watch'].flatMap((verb) => [`/configmaps ${verb}`, `/secrets ${verb}`]),
      ]),
    );
  });

  it('grants by default only what upstream does, and what its code needs beside', () => {
    const [their] = upstream('argo-rollouts-clusterrole.yaml');
    const needed = granted(argoInstall(OPTIONS), 'ClusterRole');
    // Pods are read again after a conflict, and header routes of APISIX are routes of their own.
    expect(without(needed, permissions(their.rules))).toEqual([
      '/pods get',
      'apisix.apache.org/apisixroutes create,delete',
    ]);
  });

  it('has the Deployment, apart from these fields', () => {
    const [their] = upstream('argo-rollouts-deployment.yaml');
    const mine = find(ours, 'Deployment', 'argo-rollouts');
    expect(mine.metadata.labels).toEqual(their.metadata.labels);
    expect(mine.spec.selector).toEqual(their.spec.selector);
    expect(differences(their.spec, mine.spec)).toEqual([
      'replicas: 1 -> 2',
      'template.metadata.labels.app.kubernetes.io/component: undefined -> "rollouts-controller"',
      'template.metadata.labels.app.kubernetes.io/part-of: undefined -> "argo-rollouts"',
      'template.spec.affinity: undefined -> object',
      'template.spec.containers.0.args: undefined -> object',
      'template.spec.containers.0.env: undefined -> object',
      'template.spec.containers.0.image: "quay.io/argoproj/argo-rollouts:latest" -> "quay.io/argoproj/argo-rollouts:v1.9.1"',
      'template.spec.containers.0.imagePullPolicy: "Always" -> "IfNotPresent"',
      'template.spec.containers.0.ports.0.protocol: undefined -> "TCP"',
      'template.spec.containers.0.ports.1.protocol: undefined -> "TCP"',
      'template.spec.containers.0.readinessProbe: undefined -> object',
      'template.spec.containers.0.resources.requests: undefined -> object',
      'template.spec.securityContext.seccompProfile: undefined -> object',
      'template.spec.topologySpreadConstraints: undefined -> object',
    ]);
  });
});

/** The differences between two values: `path: theirs -> ours`; a new subtree is `object`. */
function differences(theirs: unknown, mine: unknown, path: readonly string[] = []): string[] {
  if (JSON.stringify(theirs) === JSON.stringify(mine)) return [];
  const isMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
  if (isMap(theirs) && isMap(mine)) {
    const keys = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])].sort();
    return keys.flatMap((each) => differences(theirs[each], mine[each], [...path, each]));
  }
  const shown = (value: unknown) => (isMap(value) ? 'object' : JSON.stringify(value));
  return [`${path.join('.')}: ${shown(theirs)} -> ${shown(mine)}`];
}
