import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../../src/core';
import { awsAlbRouter, routeOf } from '../../../src/routers';
import { sameForTargets } from '../../../src/routers/services';
import { ingress, PREFIX, SERVICES, service, withAction, worldOf } from './stack';

const router = awsAlbRouter();
const targets = (...groups: object[]) => ({ type: 'forward', forwardConfig: { targetGroups: groups } });

describe('what was built before', () => {
  const at = (world: World, host = 'a.com', path = '/', port = 80) => {
    const [loadBalancer] = router.routes(world).loadBalancers;
    const answer = loadBalancer === undefined ? undefined : routeOf(loadBalancer, port, { host, path })?.answer;
    if (answer?.kind === 'services')
      return answer.destinations.map(({ service: of, port: on, share }) => `${of?.name}:${on} ${share}`).join(', ');
    return answer?.kind === 'fixed-response' || answer?.kind === 'redirect' ? answer.statusCode : answer?.kind;
  };
  const split = (canary: number) =>
    withAction(
      targets(
        { serviceName: 'web', servicePort: 80, weight: 100 - canary },
        { serviceName: 'web-canary', servicePort: 80, weight: canary },
      ),
    );
  const manifest = (object: object) => Manifest.of(object as never);

  it('follows each change of an action', () => {
    const world = worldOf([...SERVICES, split(0)]);
    const weights = [0, 20, 20, 100, 0].map((weight) => at(world.with(manifest(split(weight)))));
    expect(weights).toEqual([
      'web:80 1, web-canary:80 0',
      'web:80 0.8, web-canary:80 0.2',
      'web:80 0.8, web-canary:80 0.2',
      'web:80 0, web-canary:80 1',
      'web:80 1, web-canary:80 0',
    ]);
  });

  it('follows Services that come, go and change', () => {
    const world = worldOf([...SERVICES, ingress('i', { paths: [{ service: 'web', port: 80 }] })]);
    const ref = { apiVersion: 'v1', kind: 'Service', namespace: 'shop', name: 'web' };
    expect(at(world)).toBe('web:80 1');
    expect(at(world.without(ref))).toBe('503');
    expect(at(world.with(manifest(service('web', { spec: { ports: [{ port: 81 }] } }))))).toBe('frozen');
    expect(at(world.with(manifest(service('web', { spec: { selector: { app: 'x' } } }))))).toBe('web:80 1');
    expect(at(world.with(manifest(service('web', { annotations: { [`${PREFIX}/target-type`]: 'x' } }))))).toBe(
      'frozen',
    );
    expect(at(world)).toBe('web:80 1');
  });

  it('follows classes, namespaces and parameters', () => {
    const world = worldOf([...SERVICES, ingress('i', { className: 'mine' })]);
    const ingressClass = (controller: string) =>
      manifest({
        apiVersion: 'networking.k8s.io/v1',
        kind: 'IngressClass',
        metadata: { name: 'mine' },
        spec: { controller },
      });
    expect([
      at(world),
      at(world.with(ingressClass('ingress.k8s.aws/alb'))),
      at(world.with(ingressClass('x'))),
      at(world),
    ]).toEqual([undefined, 'web:80 1', undefined, undefined]);
    const withParams = (spec: object) =>
      world.with(
        manifest({
          apiVersion: 'networking.k8s.io/v1',
          kind: 'IngressClass',
          metadata: { name: 'mine' },
          spec: {
            controller: 'ingress.k8s.aws/alb',
            parameters: { apiGroup: 'elbv2.k8s.aws', kind: 'IngressClassParams', name: 'p' },
          },
        }),
        manifest({ apiVersion: 'elbv2.k8s.aws/v1beta1', kind: 'IngressClassParams', metadata: { name: 'p' }, spec }),
      );
    const selector = { namespaceSelector: { matchLabels: { team: 'x' } } };
    expect([at(withParams({})), at(withParams({ scheme: 'x' })), at(withParams(selector))]).toEqual([
      'web:80 1',
      'frozen',
      undefined,
    ]);
    const namespace = (labels: object) =>
      manifest({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels } });
    expect([
      at(withParams(selector).with(namespace({ team: 'x' }))),
      at(withParams(selector).with(namespace({ team: 'z' }))),
    ]).toEqual(['web:80 1', undefined]);
  });

  it('follows the default namespace', () => {
    const classless = manifest({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'i' },
      spec: { ingressClassName: 'alb' },
    });
    const names = [undefined, 'x', undefined].map((defaultNamespace) =>
      router.routes(World.of([classless], { defaultNamespace })).loadBalancers.map(({ name }) => name),
    );
    expect(names).toEqual([['default/i'], ['x/i'], ['default/i']]);
  });

  it('follows settings of the load balancer, and the ports', () => {
    const world = worldOf([...SERVICES, ingress('i')]);
    const changed = (annotations: Readonly<Record<string, string>>) =>
      world.with(manifest(ingress('i', { annotations })));
    expect(at(changed({ 'listen-ports': '[{"HTTP":81}]' }))).toBeUndefined();
    expect(at(changed({ 'listen-ports': '[{"HTTP":81}]' }), 'a.com', '/', 81)).toBe('web:80 1');
    expect([
      at(changed({ scheme: 'x' })),
      at(changed({ 'group.order': '5' })),
      at(changed({ 'group.order': '1001' })),
      at(changed({})),
    ]).toEqual(['frozen', 'web:80 1', 'frozen', 'web:80 1']);
  });

  it('counts a Service as the same where only its selector has changed', () => {
    const of = (object: object) => manifest(object);
    const plain = of(service('web'));
    const like = (changes: object, metadata: unknown = plain.object.metadata) =>
      of({ ...plain.object, metadata, spec: { ...(plain.object.spec as object), ...changes } });
    expect(sameForTargets(plain, plain)).toBe(true);
    expect(sameForTargets(undefined, undefined)).toBe(true);
    expect([sameForTargets(plain, undefined), sameForTargets(undefined, plain)]).toEqual([false, false]);
    expect(sameForTargets(plain, like({ selector: { app: 'x' } }))).toBe(true);
    expect(sameForTargets(plain, like({ selector: undefined }))).toBe(true);
    expect([
      sameForTargets(plain, like({ type: 'NodePort' })),
      sameForTargets(like({ type: 'NodePort' }), plain),
    ]).toEqual([false, false]);
    expect(sameForTargets(plain, like({}, { ...(plain.object.metadata as object) }))).toBe(false);
    expect(sameForTargets(plain, of({ ...plain.object, spec: undefined }))).toBe(false);
  });

  it('keeps the table where only the selector of a Service changes, and makes it again where another part does', () => {
    const world = worldOf([...SERVICES, ingress('i')]);
    const web = world.find('Service', 'web', 'shop')!;
    const first = router.routes(world);
    const changed = (spec: object) =>
      world.with(manifest({ ...web.object, spec: { ...(web.object.spec as object), ...spec } }));
    expect(router.routes(changed({ selector: { app: 'x' } }))).toBe(first);
    expect(router.routes(changed({ type: 'NodePort' }))).not.toBe(first);
  });

  it('is the same table for a World that differs in nothing that the controller reads', () => {
    const world = worldOf([...SERVICES, ingress('i')]);
    const deployment = manifest({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd', namespace: 'shop' },
    });
    const first = router.routes(world);
    expect(router.routes(world.with(deployment))).toBe(first);
    expect(router.routes(world.with(manifest(ingress('j', { host: 'b.com' }))))).not.toBe(first);
    expect(
      router.routes(world.with(manifest({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }))),
    ).not.toBe(first);
    const tables = [1, 2, 3, 4].map((order) =>
      router.routes(world.with(manifest(ingress('i', { annotations: { 'group.order': `${order}` } })))),
    );
    expect(new Set(tables).size).toBe(4);
    expect(router.routes(world)).toBe(first);
  });
});
