import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../src/core';
import type { Run } from '../../src/rehearsal/run';
import { tableKey } from '../../src/rehearsal/tables';
import { unreachableFindings } from '../../src/rehearsal/unreachable';
import { candidatesOf, nginxRouter } from '../../src/routers';
import { app, service, worldOf } from '../routers/stack';
import { runOf } from './runs';

const ingress = (namespace: string | undefined, services: readonly string[]) =>
  `{apiVersion: networking.k8s.io/v1, kind: Ingress, metadata: {name: web${namespace === undefined ? '' : `, namespace: ${namespace}`}}, spec: {ingressClassName: nginx, rules: [{host: a.com, http: {paths: [${services
    .map(
      (name, index) => `{path: /p${index}, pathType: Prefix, backend: {service: {name: ${name}, port: {number: 80}}}}`,
    )
    .join(', ')}]}}]}}`;

/** A run that begins with these objects; the release is in the namespace default, and its entry is the Service web. */
function runWith(world: World, more: Partial<Run['traffic']> = {}, release: Partial<Run['release']> = {}): Run {
  const router = nginxRouter();
  const table = new Map(
    router.routes(world).loadBalancers.map(({ name, listeners, members }) => {
      const state = { router: router.name, name, listeners, members, expressions: undefined };
      return [tableKey(state), { ...state, candidatesOf: (member: never) => candidatesOf(router, member) }];
    }),
  );
  const run = runOf(['no-match'], [{ cells: [{ shares: { stable: 1 } }], world }]);
  const seen = run.seen.map((moment) => ({ ...moment, table: table as never }));
  return {
    ...run,
    seen,
    release: { ...run.release, ...release },
    traffic: { ...run.traffic, stableService: 'stable', entryServices: ['web'], ...more },
  };
}

const found = (...args: Parameters<typeof runWith>) =>
  unreachableFindings(runWith(...args)).map(({ message, request, related, fix }) => [
    message,
    request,
    related?.object?.name,
    fix,
  ]);

describe('an Ingress that answers with errors before the release', () => {
  const MESSAGE =
    'before the release all requests for Ingress "web" get an error: 100% to an error, as Service default/web selects no pod';
  const EMPTY = service('web');

  it('is named with the request, once', () => {
    expect(found(worldOf(EMPTY, ingress('default', ['web', 'web'])))).toEqual([
      [MESSAGE, 'GET http://a.com/p0', 'web', expect.any(String)],
    ]);
    expect(found(worldOf(EMPTY, ingress(undefined, ['web']))).map(([message]) => message)).toEqual([MESSAGE]);
  });

  it('has a place in a file where it has one', () => {
    const world = worldOf(EMPTY, ingress('default', ['web']));
    const built = World.of(world.manifests.map(({ object }) => Manifest.of(object)));
    const [written, made] = [world, built].map((each) => unreachableFindings(runWith(each))[0]!.related!);
    expect(written!.source).toMatchObject({ file: 'test.yaml' });
    expect(made).not.toHaveProperty('source');
  });

  it('is found by any of its paths', () => {
    expect(found(worldOf(EMPTY, app('other'), ingress('default', ['other', 'web'])))).toHaveLength(1);
  });

  it('has the fix of the controller', () => {
    const fixUnreachable = ({ path, service: name }: { path: string; service: string }) => `${path} ${name}`;
    expect(found(worldOf(EMPTY, ingress('default', ['web'])), {}, { fixUnreachable })).toEqual([
      [MESSAGE, 'GET http://a.com/p0', 'web', 'spec.rules[0].http.paths[0] web'],
    ]);
  });

  it.each<[string, World, Partial<Run['traffic']>]>([
    ['another namespace', worldOf(service('web', 'pay'), ingress('pay', ['web'])), {}],
    ['another Service', worldOf(service('other'), ingress('default', ['other'])), {}],
    ['a release without an entry', worldOf(EMPTY, ingress('default', ['web'])), { entryServices: [] }],
  ])('is none of %s', (_, world, traffic) => expect(found(world, traffic)).toEqual([]));

  it('is none that leads to pods', () => {
    const run = runWith(worldOf(app('web'), ingress('default', ['web'])));
    const pods = [{ revision: 'stable' as const, replicas: 1, labels: { app: 'web' } }];
    const seen = run.seen.map((each) => ({ ...each, moment: { ...each.moment, pods } }));
    expect(unreachableFindings({ ...run, seen })).toEqual([]);
  });
});
