import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HttpRequest, traefikRouter } from '../../../src/routers';
import { app, worldOf } from '../stack';

const host = fc.constantFrom('a.example.com', 'B.example.com', 'c.example.com.', '*.example.com', '*', 'example.com');
const ofHosts = host.map((name) => `Host(\`${name}\`)`);
const matcher = fc.oneof(
  { weight: 4, arbitrary: ofHosts },
  fc.constantFrom(
    'PathPrefix(`/`)',
    'HostRegexp(`^[ab][.]`)',
    'ClientIP(`10.0.0.0/8`)',
    'Header(`x`, "Host(`a.example.com`)")',
  ),
);
const { rule } = fc.letrec<{ rule: string; part: string }>((tie) => ({
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    matcher,
    tie('rule').map((inner) => `(${inner})`),
    tie('part').map((inner) => `!${inner}`),
  ),
  rule: fc
    .tuple(fc.array(tie('part'), { minLength: 1, maxLength: 3 }), fc.constantFrom(' && ', ' && ', ' || '))
    .map(([parts, sign]) => parts.join(sign)),
}));
const written = fc.record({
  match: rule,
  kind: fc.constant('Rule'),
  priority: fc.constantFrom(0, 0, 1, 50),
  services: fc.constant([{ name: 'a', port: 80 }]),
});
const request = fc.record<HttpRequest>({
  host: fc.constantFrom('a.example.com', 'A.EXAMPLE.COM', 'b.example.com', 'c.example.com', 'd.example.com.', 'x'),
  path: fc.constant('/'),
});

describe('IngressRoutes for many hosts', () => {
  it('answer as if every route were tried', () => {
    const sets = fc.array(written, { minLength: 5, maxLength: 25 });
    fc.assert(
      fc.property(sets, fc.array(request, { minLength: 1, maxLength: 6 }), (routes, requests) => {
        const manifest = {
          apiVersion: 'traefik.io/v1alpha1',
          kind: 'IngressRoute',
          metadata: { name: 'all' },
          spec: { entryPoints: ['web'], routes },
        };
        const world = worldOf(app('a'), JSON.stringify(manifest));
        const [listener] = traefikRouter().routes(world).loadBalancers[0]!.listeners;
        for (const each of requests) {
          const tried = listener!.passedOver!(each);
          expect(listener!.route(each).rule?.description).toBe(listener!.rules[tried.length]?.description);
        }
      }),
      { seed: 5, numRuns: 400 },
    );
  });
});
