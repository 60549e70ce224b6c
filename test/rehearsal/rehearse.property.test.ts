import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { objectsOf, ourScript, rehearseObjects } from './stack';

const RUNS = { seed: 20240229, numRuns: 60 };

/** Anything that YAML can hold. */
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.string({ maxLength: 8 }),
    tie('list'),
    tie('map'),
  ),
  list: fc.array(tie('any'), { maxLength: 3 }),
  map: fc.dictionary(fc.constantFrom('name', 'service', 'spec', 'http', 'port', '__proto__', 'x'), tie('any'), {
    maxKeys: 3,
  }),
})).any;

const STACKS = [
  objectsOf({ scripts: { 'lua.traffic.routing.ingress.aws-alb': ourScript('trafficrouting_ingress/aws-alb.lua') } }),
  objectsOf({
    ingressClassName: 'nginx',
    annotations: {},
    port: { number: 80 },
    route: { ingress: { name: 'web', classType: 'nginx' } },
  }),
  [
    ...objectsOf({ route: { gateway: { httpRouteName: 'web' } } }),
    {
      apiVersion: 'gateway.networking.k8s.io/v1',
      kind: 'HTTPRoute',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { parentRefs: [{ name: 'gw' }], rules: [{ backendRefs: [{ name: 'web', port: 80 }] }] },
    },
  ],
  [
    ...objectsOf({
      route: { customNetworkRefs: [{ apiVersion: 'networking.istio.io/v1', kind: 'VirtualService', name: 'web' }] },
    }),
    {
      apiVersion: 'networking.istio.io/v1',
      kind: 'VirtualService',
      metadata: { name: 'web', namespace: 'shop' },
      spec: { hosts: ['web'], http: [{ route: [{ destination: { host: 'web' } }] }] },
    },
  ],
];

/** Every way to a value of a manifest below its metadata. */
function pathsOf(data: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof data !== 'object' || data === null) return [path];
  return [path, ...Object.entries(data).flatMap(([key, member]) => pathsOf(member, [...path, key]))];
}

function replaced(data: unknown, [key, ...rest]: readonly (string | number)[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = structuredClone(data) as Record<string | number, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

const oddStack = fc
  .tuple(fc.constantFrom(...STACKS), fc.array(fc.tuple(fc.nat(), fc.nat(), value), { minLength: 1, maxLength: 3 }))
  .map(([stack, changes]) => {
    const objects = [...stack];
    for (const [which, where, by] of changes) {
      const index = which % objects.length;
      const { spec } = objects[index] as { spec?: unknown };
      const paths = pathsOf(spec);
      objects[index] = { ...objects[index], spec: replaced(spec, paths[where % paths.length]!, by) } as object;
    }
    return objects;
  });

describe('rehearse', () => {
  it('never throws on odd manifests, and its shares make one', () => {
    fc.assert(
      fc.property(oddStack, (objects) => {
        for (const { moments, requests } of rehearseObjects(objects)) {
          for (const { cells } of moments) {
            expect(cells).toHaveLength(requests.length);
            for (const { shares } of cells) {
              const { stable, canary, failed, other } = shares;
              expect(stable + canary + failed + other).toBeCloseTo(1, 6);
            }
          }
        }
      }),
      RUNS,
    );
  });

  it('gives the same for the same World, in whatever order its objects come', () => {
    fc.assert(
      fc.property(oddStack, fc.nat(), (objects, turn) => {
        const at = turn % objects.length;
        const turned = [...objects.slice(at), ...objects.slice(0, at)];

        expect(JSON.stringify(rehearseObjects(turned))).toBe(JSON.stringify(rehearseObjects(objects)));
      }),
      RUNS,
    );
  });

  it('costs as much for a Rollout among others as for one alone', () => {
    const applications = Array.from({ length: 40 }, (_unused, index) =>
      objectsOf({
        name: `app-${index}`,
        host: `app-${index}.example.com`,
        ingressClassName: 'nginx',
        annotations: {},
        port: { number: 80 },
        route: { ingress: { name: `app-${index}`, classType: 'nginx' } },
      }),
    );
    const [alone] = rehearseObjects(applications[7]!);
    const among = rehearseObjects(applications.flat()).find(({ rollout }) => rollout.name === 'app-7')!;

    expect(among.requests).toEqual(alone!.requests);
    expect(among.moments).toEqual(alone!.moments);
  });
});
