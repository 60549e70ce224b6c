import { describe, expect, it } from 'vitest';
import { Manifest } from '../../src/core';
import { portsOf, Services, type Subset, servicesAnswer } from '../../src/routers/services';
import { app, deployment, service, worldOf } from './stack';

const WEB = { namespace: 'default', name: 'web' };

function resolved(texts: readonly string[], port?: number | string, subset?: Subset) {
  const { service: found, workloads, unavailable } = new Services(worldOf(...texts)).resolve(WEB, port, subset);
  return { service: found?.name, workloads: workloads?.map(({ kind, name }) => `${kind} ${name}`), unavailable };
}

const text = (object: object) => JSON.stringify(object);
const workload = (kind: string, apiVersion: string, name: string, spec: object = {}, labels: object = { app: 'web' }) =>
  text({ apiVersion, kind, metadata: { name }, spec: { template: { metadata: { labels } }, ...spec } });
const pod = (name: string, owner?: object, labels: object = { app: 'web' }) =>
  text({ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels, ...(owner && { ownerReferences: [owner] }) } });

describe('a Service resolves', () => {
  it.each<[string, readonly string[], number | string | undefined, unknown]>([
    ['to its workloads', [app('web')], 80, { service: 'web', workloads: ['Deployment web'], unavailable: undefined }],
    [
      'to nothing without the Service',
      [app('other')],
      80,
      {
        service: undefined,
        workloads: undefined,
        unavailable: { reason: 'service-not-found', why: 'Service default/web does not exist' },
      },
    ],
    [
      'to nothing without the port',
      [app('web')],
      81,
      {
        service: 'web',
        workloads: undefined,
        unavailable: { reason: 'port-not-found', why: 'Service default/web has no port 81' },
      },
    ],
    [
      'to nothing without the name of a port',
      [app('web')],
      'grpc',
      {
        service: 'web',
        workloads: undefined,
        unavailable: { reason: 'port-not-found', why: 'Service default/web has no port grpc' },
      },
    ],
    [
      'to nothing for a number as a name',
      [app('web')],
      '80',
      {
        service: 'web',
        workloads: undefined,
        unavailable: { reason: 'port-not-found', why: 'Service default/web has no port 80' },
      },
    ],
    [
      'as a whole without a port',
      [app('web')],
      undefined,
      { service: 'web', workloads: ['Deployment web'], unavailable: undefined },
    ],
    [
      'to nothing without pods',
      [service('web'), deployment('other')],
      80,
      {
        service: 'web',
        workloads: [],
        unavailable: {
          reason: 'no-pods',
          why: 'Service default/web selects no pods: no workload has pods with the labels app=web',
        },
      },
    ],
    [
      'to an unknown where there are no workloads',
      [service('web')],
      80,
      { service: 'web', workloads: undefined, unavailable: undefined },
    ],
    [
      'to an unknown without a selector',
      [service('web').replace('{app: web}', '{}'), deployment('other')],
      80,
      { service: 'web', workloads: undefined, unavailable: undefined },
    ],
    [
      'to an unknown outside of the cluster, whatever the port',
      [service('web').replace('spec:', 'spec:\n  type: ExternalName'), deployment('other')],
      81,
      { service: 'web', workloads: undefined, unavailable: undefined },
    ],
    [
      'to several workloads',
      [service('web'), deployment('web'), workload('StatefulSet', 'apps/v1', 's')],
      80,
      { service: 'web', workloads: ['Deployment web', 'StatefulSet s'], unavailable: undefined },
    ],
    [
      'to no workload of another namespace',
      [service('web'), deployment('web', 'team'), deployment('other')],
      80,
      {
        service: 'web',
        workloads: [],
        unavailable: {
          reason: 'no-pods',
          why: 'Service default/web selects no pods: no workload has pods with the labels app=web',
        },
      },
    ],
    [
      'to no workload that lacks a label',
      [service('web').replace('{app: web}', '{app: web, tier: x}'), deployment('web')],
      80,
      {
        service: 'web',
        workloads: [],
        unavailable: {
          reason: 'no-pods',
          why: 'Service default/web selects no pods: no workload has pods with the labels app=web,tier=x',
        },
      },
    ],
    [
      'to no workload with another value',
      [service('web').replace('{app: web}', '{app: other}'), deployment('web')],
      80,
      {
        service: 'web',
        workloads: [],
        unavailable: {
          reason: 'no-pods',
          why: 'Service default/web selects no pods: no workload has pods with the labels app=other',
        },
      },
    ],
    [
      'to no workload without replicas',
      [service('web'), deployment('web').replace('spec:', 'spec:\n  replicas: 0'), deployment('other')],
      80,
      {
        service: 'web',
        workloads: [],
        unavailable: {
          reason: 'no-pods',
          why: 'Service default/web selects no pods: no workload has pods with the labels app=web',
        },
      },
    ],
    [
      'to nothing where no workload has replicas',
      [service('web'), deployment('web').replace('spec:', 'spec:\n  replicas: 0')],
      80,
      {
        service: 'web',
        workloads: [],
        unavailable: {
          reason: 'no-pods',
          why: 'Service default/web selects no pods: no workload has pods with the labels app=web',
        },
      },
    ],
    [
      'to a workload with replicas',
      [service('web'), deployment('web').replace('spec:', 'spec:\n  replicas: 1')],
      80,
      { service: 'web', workloads: ['Deployment web'], unavailable: undefined },
    ],
    [
      'to no object that has no pods',
      [service('web'), workload('Job', 'batch/v1', 'j'), workload('Deployment', 'x.io/v1', 'd'), deployment('other')],
      80,
      {
        service: 'web',
        workloads: [],
        unavailable: {
          reason: 'no-pods',
          why: 'Service default/web selects no pods: no workload has pods with the labels app=web',
        },
      },
    ],
    [
      'to a ReplicationController',
      [service('web'), workload('ReplicationController', 'v1', 'rc')],
      80,
      { service: 'web', workloads: ['ReplicationController rc'], unavailable: undefined },
    ],
    ['to a Pod', [service('web'), pod('p')], 80, { service: 'web', workloads: ['Pod p'], unavailable: undefined }],
    [
      'to a Pod instead of its owner',
      [service('web'), pod('p', { kind: 'Deployment', name: 'web' }), deployment('web')],
      80,
      { service: 'web', workloads: ['Pod p'], unavailable: undefined },
    ],
    [
      'to a Pod beside others',
      [service('web'), pod('p', { kind: 'ReplicaSet', name: 'web' }), deployment('web')],
      80,
      { service: 'web', workloads: ['Deployment web', 'Pod p'], unavailable: undefined },
    ],
    [
      'not to an owner whose Pod has other labels',
      [service('web'), pod('p', { kind: 'Deployment', name: 'web' }, { app: 'x' }), deployment('web')],
      80,
      {
        service: 'web',
        workloads: [],
        unavailable: {
          reason: 'no-pods',
          why: 'Service default/web selects no pods: no workload has pods with the labels app=web',
        },
      },
    ],
  ])('%s', (_, texts, port, expected) => expect(resolved(texts, port)).toEqual(expected));

  it.each([
    'pod-template-hash',
    'controller-revision-hash',
    'rollouts-pod-template-hash',
    'statefulset.kubernetes.io/pod-name',
    'apps.kubernetes.io/pod-index',
  ])('by the label %s of running pods, which templates lack', (label) => {
    const pinned = service('web').replace('{app: web}', `{${label}: x, app: web}`);
    expect(resolved([pinned, deployment('web')], 80).workloads).toEqual(['Deployment web']);
    expect(
      resolved([pinned, workload('Deployment', 'apps/v1', 'd', {}, { app: 'web', [label]: 'y' })], 80).workloads,
    ).toEqual([]);
    expect(resolved([pinned.replace(', app: web', ''), deployment('web')], 80).workloads).toEqual(['Deployment web']);
  });

  it('to the subset of its pods', () => {
    const subset = { name: 'v', labels: { version: 'v2' } };
    const texts = [app('web'), deployment('web', 'default', ', version: v2').replace('name: web,', 'name: web2,')];
    expect(resolved(texts, 80, subset)).toEqual({
      service: 'web',
      workloads: ['Deployment web2'],
      unavailable: undefined,
    });
    expect(resolved(texts.slice(0, 1), 80, subset)).toEqual({
      service: 'web',
      workloads: [],
      unavailable: {
        reason: 'no-pods',
        why: 'Service default/web selects no pods: no workload has pods with the labels app=web,version=v2',
      },
    });
    const services = new Services(worldOf(...texts));
    expect(services.resolve(WEB, 80)).toBe(services.resolve({ ...WEB }, 80));
    expect(services.resolve(WEB, 80, subset)).not.toBe(services.resolve(WEB, 80));
    expect(services.resolve(WEB, 9000)).not.toBe(services.resolve(WEB, 80));
  });

  it.each<[string, object | undefined, string[]]>([
    [
      'containers',
      { containers: [{ ports: [{ name: 'x' }] }, { ports: [{ name: 'y1' }, { name: 'main' }] }] },
      ['Deployment d'],
    ],
    ['initContainers', { containers: [], initContainers: [{ ports: [{ name: 'main' }] }] }, ['Deployment d']],
    ['no container', { containers: [{}] }, []],
    ['no pod', undefined, []],
  ])('to pods that name its port in %s', (_, spec, expected) => {
    const named = service('web').replace('targetPort: 8080', 'targetPort: main');
    const template = { metadata: { labels: { app: 'web' } }, ...(spec && { spec }) };
    expect(
      resolved(
        [named, text({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec: { template } })],
        80,
      ).workloads,
    ).toEqual(expected);
  });

  it('to nothing where no pod names its port, and says who', () => {
    const named = service('web').replace('targetPort: 8080', 'targetPort: main');
    expect(resolved([named, deployment('web'), workload('StatefulSet', 'apps/v1', 's')], 80).unavailable).toEqual({
      reason: 'no-pods',
      why: 'Service default/web sends to the container port "main", which Deployment web, StatefulSet s do not name',
    });
    expect(resolved([named, deployment('web')]).workloads).toEqual(['Deployment web']);
    const only = named.replace(', {name: admin, port: 9000}', '');
    expect(resolved([only, deployment('web')]).unavailable).toEqual({
      reason: 'no-pods',
      why: 'Service default/web sends to the container port "main", which Deployment web does not name',
    });
  });

  it.each<[string, object, string[]]>([
    ['a Deployment', { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, ['Rollout r']],
    ['a Deployment, as the default', { name: 'web' }, ['Rollout r']],
    ['a workload of another kind', { kind: 'StatefulSet', name: 'web' }, []],
    ['one that is missing', { name: 'gone' }, []],
    ['nothing', {}, []],
  ])('to a Rollout that refers to %s', (_, workloadRef, expected) => {
    const rollout = text({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Rollout',
      metadata: { name: 'r' },
      spec: { workloadRef },
    });
    expect(
      resolved([service('web'), deployment('web').replace('spec:', 'spec:\n  replicas: 0'), rollout], 80).workloads,
    ).toEqual(expected);
  });
});

describe('destinations', () => {
  it('have what is given, and the status of what is missing', () => {
    const services = new Services(worldOf(app('web')), (reason) => (reason === 'no-pods' ? 1 : 2));
    const of = (...args: Parameters<Services['destination']>) => {
      const { workloads, ...rest } = services.destination(...args);
      return { ...rest, workloads: workloads?.length };
    };
    expect(of(WEB, undefined, 0)).toEqual({ service: { namespace: 'default', name: 'web' }, weight: 0, workloads: 1 });
    expect(of(WEB, 'x', 1)).toEqual({
      service: { namespace: 'default', name: 'web' },
      port: 'x',
      weight: 1,
      unavailable: { reason: 'port-not-found', why: 'Service default/web has no port x', statusCode: '2' },
      workloads: undefined,
    });
    expect(of(WEB, 80, 1, { name: 'v', labels: { a: 'b' } })).toEqual({
      service: { namespace: 'default', name: 'web' },
      port: 80,
      subset: { name: 'v', labels: { a: 'b' } },
      weight: 1,
      unavailable: {
        reason: 'no-pods',
        why: 'Service default/web selects no pods: no workload has pods with the labels app=web,a=b',
        statusCode: '1',
      },
      workloads: 0,
    });
    expect(services.withStatus({ reason: 'not-permitted', why: 'w' })).toEqual({
      reason: 'not-permitted',
      why: 'w',
      statusCode: '2',
    });
  });

  it('use the only port of a Service', () => {
    const services = new Services(
      worldOf(
        service('web'),
        service('one').replace(', {name: admin, port: 9000}', ''),
        service('none').replace(/ports: .*/, 'ports: []'),
      ),
    );
    expect(['web', 'one', 'none', 'gone'].map((name) => services.onlyPort({ namespace: 'default', name }))).toEqual([
      undefined,
      80,
      undefined,
      undefined,
    ]);
    expect(portsOf(undefined)).toEqual([]);
    expect(
      portsOf(
        Manifest.of({
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name: 's' },
          spec: { ports: [1, { port: 2 }, null] },
        } as never),
      ),
    ).toEqual([{ port: 2 }]);
  });

  it('make an answer', () => {
    expect(servicesAnswer([])).toEqual({ kind: 'services', destinations: [], sticky: false });
    expect(servicesAnswer([{ target: 't', weight: 2 }], { sticky: true, countsPodsOnce: true })).toEqual({
      kind: 'services',
      destinations: [{ target: 't', weight: 2, share: 1 }],
      sticky: true,
      countsPodsOnce: true,
    });
  });
});
