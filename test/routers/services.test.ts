import { describe, expect, it } from 'vitest';
import { Services, type Subset } from '../../src/routers/services';
import { app, deployment, service, worldOf } from './stack';

function look(texts: readonly string[], name = 'web', port?: number | string, subset?: Subset) {
  const { workloads, unavailable } = new Services(worldOf(...texts)).resolve(
    { namespace: 'default', name },
    port,
    subset,
  );
  return { workloads: workloads?.map(({ kind, name: of }) => `${kind} ${of}`), why: unavailable?.why };
}

const text = (object: object) => JSON.stringify(object);

describe('a Service', () => {
  it('as a destination has its workloads, or why it has none', () => {
    const services = new Services(worldOf(app('web')));
    expect(services.destination({ namespace: 'default', name: 'web' }, 80, 3)).toMatchObject({
      service: { namespace: 'default', name: 'web' },
      port: 80,
      weight: 3,
      workloads: [{ kind: 'Deployment', name: 'web' }],
    });
    expect(services.destination({ namespace: 'default', name: 'none' }, 80, 3)).toEqual({
      service: { namespace: 'default', name: 'none' },
      port: 80,
      weight: 3,
      unavailable: { reason: 'service-not-found', why: 'Service default/none does not exist', statusCode: '503' },
    });
  });

  it('leads to the workloads whose pods it selects', () => {
    expect(look([app('web'), deployment('other')], 'web', 80)).toEqual({
      workloads: ['Deployment web'],
      why: undefined,
    });
    expect(look([app('web')], 'web', 'http').workloads).toEqual(['Deployment web']);
  });

  it.each([
    ['StatefulSet', 'apps/v1'],
    ['DaemonSet', 'apps/v1'],
    ['ReplicaSet', 'apps/v1'],
    ['CloneSet', 'apps.kruise.io/v1alpha1'],
    ['StatefulSet', 'apps.kruise.io/v1beta1'],
    ['DaemonSet', 'apps.kruise.io/v1alpha1'],
    ['Rollout', 'argoproj.io/v1alpha1'],
  ])('can lead to a %s of %s', (kind, apiVersion) => {
    const template = { metadata: { labels: { app: 'web' } } };
    const workload = text({ apiVersion, kind, metadata: { name: 'w' }, spec: { template } });
    expect(look([service('web'), workload], 'web', 80).workloads).toEqual([`${kind} w`]);
  });

  it('of an Argo Rollout can select the pods of a Deployment', () => {
    const ref = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    const rollout = text({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Rollout',
      metadata: { name: 'r' },
      spec: { workloadRef: ref },
    });
    const scaledDown = deployment('web').replace('spec:', 'spec:\n  replicas: 0');
    expect(look([service('web'), scaledDown, rollout], 'web', 80).workloads).toEqual(['Rollout r']);
  });

  it('reports why it does not answer', () => {
    expect(look([app('web')], 'none', 80).why).toBe('Service default/none does not exist');
    expect(look([app('web')], 'web', 81).why).toBe('Service default/web has no port 81');
    expect(look([app('web')], 'web', 'grpc').why).toBe('Service default/web has no port grpc');
    expect(look([service('web'), deployment('other')], 'web', 80).why).toBe(
      'Service default/web selects no pods: no workload has pods with the labels app=web',
    );
    expect(look([app('web')], 'web', 80, { name: 'v2', labels: { version: 'v2' } }).why).toBe(
      'Service default/web selects no pods: no workload has pods with the labels app=web,version=v2',
    );
  });

  it('needs pods', () => {
    const scaledDown = deployment('web').replace('spec:', 'spec:\n  replicas: 0');
    expect(look([service('web'), scaledDown, deployment('other')], 'web', 80).workloads).toEqual([]);
  });

  it('needs the named port in the pods', () => {
    const named = service('web').replace('targetPort: 8080', 'targetPort: main');
    const withPort = deployment('web').replace(
      "image: 'demo:1'",
      "image: 'demo:1', ports: [{name: main, containerPort: 1}]",
    );
    expect(look([named, deployment('web')], 'web', 80).why).toBe(
      'Service default/web sends to the container port "main", which Deployment web does not name',
    );
    expect(look([named, withPort], 'web', 80).workloads).toEqual(['Deployment web']);
  });

  it('selects by labels that only running pods have', () => {
    const pinned = service('web').replace('{app: web}', '{app: web, pod-template-hash: stable}');
    expect(look([pinned, deployment('web')], 'web', 80).workloads).toEqual(['Deployment web']);
    const pod = (hash: string) =>
      text({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name: `web-${hash}`,
          labels: { app: 'web', 'pod-template-hash': hash },
          ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }],
        },
      });
    expect(look([pinned, deployment('web'), pod('canary')], 'web', 80).workloads).toEqual([]);
    expect(look([pinned, deployment('web'), pod('canary'), pod('stable')], 'web', 80).workloads).toEqual([
      'Pod web-stable',
    ]);
  });

  it('is assumed to answer if its pods are unknown', () => {
    expect(look([service('web')], 'web', 80)).toEqual({ workloads: undefined, why: undefined });
    expect(
      look([service('web').replace('selector: {app: web}', 'type: ClusterIP'), deployment('x')], 'web', 80).why,
    ).toBeUndefined();
    const external = text({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'e' },
      spec: { type: 'ExternalName', externalName: 'x.com' },
    });
    expect(look([external, deployment('x')], 'e', 80)).toEqual({ workloads: undefined, why: undefined });
  });
});
