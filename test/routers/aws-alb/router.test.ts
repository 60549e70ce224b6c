import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { awsAlbRouter, routeOf } from '../../../src/routers';
import { buildModel } from '../../../src/routers/aws-alb';
import { ingress, SERVICES, service, worldOf } from './stack';

const routes = (...objects: readonly object[]) => awsAlbRouter().routes(worldOf([...SERVICES, ...objects]));

const weighted = (canary: number) =>
  JSON.stringify({
    type: 'forward',
    forwardConfig: {
      targetGroups: [
        { serviceName: 'web-canary', servicePort: 80, weight: canary },
        { serviceName: 'web', servicePort: 80, weight: 100 - canary },
      ],
      targetGroupStickinessConfig: { enabled: true, durationSeconds: 60 },
    },
  });

const weightedIngress = (canary: number) =>
  ingress('web', { annotations: { 'actions.web': weighted(canary) }, paths: [{ port: 'use-annotation' }] });

describe('the router', () => {
  it('reports the destination of a request, the rule and the manifest', () => {
    const { loadBalancers, unserved } = routes(weightedIngress(20), ingress('other', { className: 'nginx' }));
    expect(unserved.map(({ name }) => name)).toEqual(['other']);
    expect(loadBalancers.map(({ name }) => name)).toEqual(['shop/web']);
    const route = routeOf(loadBalancers[0]!, 80, { host: 'a.com', path: '/cart' })!;
    expect(route.answer).toEqual({
      kind: 'services',
      sticky: true,
      destinations: [
        { service: { namespace: 'shop', name: 'web-canary' }, port: 80, weight: 20, share: 0.2 },
        { service: { namespace: 'shop', name: 'web' }, port: 80, weight: 80, share: 0.8 },
      ],
    });
    expect(route.rule).toMatchObject({
      description: 'rule 1 of HTTP:80: host is "a.com" and path is "/*"',
      path: ['spec', 'rules', 0, 'http', 'paths', 0],
    });
    expect(route.rule!.manifest.name).toBe('web');
    expect(route.isDefault).toBe(false);
  });

  it('sends all requests to a single target, with and without a weight', () => {
    const { loadBalancers } = routes(ingress('web'));
    const { answer } = routeOf(loadBalancers[0]!, 80, { host: 'a.com', path: '/' })!;
    expect(answer).toMatchObject({ destinations: [{ share: 1, weight: 1 }], sticky: false });
  });

  it('distinguishes the default of the load balancer from that of an Ingress', () => {
    const elsewhere = { host: 'b.com', path: '/' };
    const own = routeOf(routes(ingress('web')).loadBalancers[0]!, 80, elsewhere)!;
    expect(own).toEqual({
      answer: { kind: 'fixed-response', statusCode: '404', contentType: 'text/plain' },
      isDefault: true,
    });
    const spec = { defaultBackend: { service: { name: 'web', port: { number: 80 } } } };
    const written = routeOf(routes(ingress('web', { spec })).loadBalancers[0]!, 80, elsewhere)!;
    expect(written).toMatchObject({
      isDefault: true,
      rule: { description: 'default of HTTP:80', path: ['spec', 'defaultBackend'] },
    });
  });

  it('answers with redirects', () => {
    const annotations = {
      'listen-ports': '[{"HTTP":80},{"HTTPS":443}]',
      'certificate-arn': 'arn:x',
      'ssl-redirect': '443',
    };
    const [loadBalancer] = routes(ingress('web', { annotations })).loadBalancers;
    expect(routeOf(loadBalancer!, 80, { host: 'a.com', path: '/' })!.answer).toEqual({
      kind: 'redirect',
      port: '443',
      protocol: 'HTTPS',
      statusCode: 'HTTP_301',
    });
    expect(routeOf(loadBalancer!, 8080, { host: 'a.com', path: '/' })).toBeUndefined();
  });

  it('is frozen with all its members if one has a mistake', () => {
    const grouped = (name: string, annotations: Record<string, string>) =>
      ingress(name, { annotations: { 'group.name': 'g', ...annotations }, paths: [{ port: 'use-annotation' }] });
    const [loadBalancer] = routes(
      grouped('good', {}),
      grouped('bad', { 'actions.web': '{"type":"Forward"}' }),
    ).loadBalancers;
    expect(loadBalancer).toMatchObject({ name: 'g', listeners: [] });
    expect(loadBalancer!.members.map(({ name }) => name)).toEqual(['bad', 'good']);
    const { answer } = routeOf(loadBalancer!, 80, { host: 'a.com', path: '/' })!;
    expect(answer).toMatchObject({
      kind: 'frozen',
      reason: 'action-type',
      why: 'ingress: shop/bad: unknown action type: Forward',
      path: ['metadata', 'annotations', 'alb.ingress.kubernetes.io/actions.web'],
    });
    expect(answer.kind === 'frozen' && answer.manifest?.name).toBe('bad');
  });

  it('reads the settings of a group again when one of them has changed', () => {
    const router = awsAlbRouter();
    const frozen = (annotations: Record<string, string>) => {
      const members = ['a', 'b'].map((name) =>
        ingress(name, { annotations: { 'group.name': 'g', ...(name === 'b' && annotations) } }),
      );
      return router.routes(worldOf([...SERVICES, ...members])).loadBalancers[0]!.frozen?.reason;
    };
    expect(frozen({ scheme: 'internal' })).toBeUndefined();
    expect(frozen({ scheme: 'public' })).toBe('group-setting');
    expect(frozen({ 'conditions.web': '[]' })).toBeUndefined();
  });

  it('describes rules in words', () => {
    const conditions = JSON.stringify([
      { field: 'http-header', httpHeaderConfig: { httpHeaderName: 'x-user', regexValues: ['^a$'] } },
      { field: 'query-string', queryStringConfig: { values: [{ key: 'v', value: '2' }, { value: 'x' }] } },
      { field: 'source-ip', sourceIPConfig: { values: ['10.0.0.0/8'] } },
    ]);
    const [loadBalancer] = routes(ingress('web', { annotations: { 'conditions.web': conditions } })).loadBalancers;
    expect(loadBalancer!.listeners[0]!.rules[0]!.description).toBe(
      'rule 1 of HTTP:80: header x-user matches "^a$" and query has "v=2" or "x" and source address is "10.0.0.0/8" and host is "a.com" and path is "/*"',
    );
  });

  it('has no shares where all weights are zero or none is positive', () => {
    const json = JSON.stringify({
      type: 'forward',
      forwardConfig: {
        targetGroups: [
          { serviceName: 'web', servicePort: 80, weight: 0 },
          { targetGroupARN: 'arn:x', weight: -1 },
        ],
      },
    });
    const [loadBalancer] = routes(
      ingress('web', { annotations: { 'actions.web': json }, paths: [{ port: 'use-annotation' }] }),
    ).loadBalancers;
    const { answer } = routeOf(loadBalancer!, 80, { host: 'a.com', path: '/' })!;
    expect(answer).toMatchObject({ destinations: [{ share: 0 }, { share: 0, target: 'arn:x' }] });
  });
});

const JSON_TEXTS = fc.constantFrom(
  '',
  '{',
  'null',
  '[]',
  '{}',
  weighted(10),
  '{"type":"redirect","redirectConfig":{"statusCode":"HTTP_301","host":"x"}}',
  '{"type":"fixed-response","fixedResponseConfig":{"statusCode":"200"}}',
  '[{"field":"http-header","httpHeaderConfig":{"httpHeaderName":"x","values":["1"]}}]',
  '[{"field":"path-pattern","pathPatternConfig":{"regexValues":["^(a+)+$"]}}]',
  '[{"HTTP":80},{"HTTPS":443}]',
  '[null,1,"x"]',
);

const ANNOTATIONS = fc.dictionary(
  fc.constantFrom(
    'alb.ingress.kubernetes.io/actions.web',
    'alb.ingress.kubernetes.io/conditions.web',
    'alb.ingress.kubernetes.io/transforms.web',
    'alb.ingress.kubernetes.io/listen-ports',
    'alb.ingress.kubernetes.io/group.name',
    'alb.ingress.kubernetes.io/group.order',
    'alb.ingress.kubernetes.io/ssl-redirect',
    'alb.ingress.kubernetes.io/target-type',
    'alb.ingress.kubernetes.io/tags',
    'alb.ingress.kubernetes.io/scheme',
    'alb.ingress.kubernetes.io/use-regex-path-match',
    'kubernetes.io/ingress.class',
    '__proto__',
  ),
  fc.oneof(JSON_TEXTS, fc.constantFrom('g', 'h', '1', '443', 'ip', 'alb', 'internal', 'a=b', 'true'), fc.string()),
);

const BACKEND = fc.oneof(
  fc.record({
    service: fc.record({
      name: fc.constantFrom('web', 'web-canary', 'ghost', 'constructor'),
      port: fc.constantFrom({ number: 80 }, { number: 1 }, { name: 'use-annotation' }, { name: 'http' }, {}),
    }),
  }),
  fc.anything(),
);

const PATH = fc.record(
  {
    path: fc.oneof(fc.constantFrom('/', '/a', '/a/', '/a*', '/^/a$'), fc.anything()),
    pathType: fc.constantFrom('Exact', 'Prefix', 'ImplementationSpecific', 'x', 1),
    backend: BACKEND,
  },
  { requiredKeys: [] },
);

const RULE = fc.oneof(
  fc.record(
    {
      host: fc.constantFrom('a.com', 'b.com', '', 1),
      http: fc.oneof(fc.record({ paths: fc.array(PATH, { maxLength: 3 }) }), fc.anything()),
    },
    { requiredKeys: [] },
  ),
  fc.anything(),
);

const INGRESS = fc.record({
  apiVersion: fc.constant('networking.k8s.io/v1'),
  kind: fc.constant('Ingress'),
  metadata: fc.record({
    namespace: fc.constantFrom('shop', 'a-b', 'a'),
    name: fc.constantFrom('web', 'web-canary', 'x', 'y'),
    annotations: fc.oneof(ANNOTATIONS, fc.anything()),
  }),
  spec: fc.oneof(
    fc.record(
      {
        ingressClassName: fc.constantFrom('alb', 'nginx', 'shared'),
        rules: fc.oneof(fc.array(RULE, { maxLength: 3 }), fc.anything()),
        defaultBackend: BACKEND,
      },
      { requiredKeys: [] },
    ),
    fc.anything(),
  ),
});

const OTHERS = [
  ...SERVICES,
  service('web', { namespace: 'a', spec: { type: 'NodePort' } }),
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: 'a-b', name: 'web' },
    spec: { ports: [null, { port: 'x' }] },
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: { name: 'shared' },
    spec: {
      controller: 'ingress.k8s.aws/alb',
      parameters: { apiGroup: 'elbv2.k8s.aws', kind: 'IngressClassParams', name: 'p' },
    },
  },
  {
    apiVersion: 'elbv2.k8s.aws/v1beta1',
    kind: 'IngressClassParams',
    metadata: { name: 'p' },
    spec: { tags: [1, { key: 'a' }], subnets: {}, targetType: 'ip', namespaceSelector: { matchExpressions: [null] } },
  },
];

/** What can be compared: manifests hold functions. */
function summary(objects: readonly object[]): unknown {
  const { groups, ungrouped } = buildModel(worldOf(objects));
  return {
    ungrouped: ungrouped.map(({ key }) => key),
    groups: groups.map(({ name, members, isOrdered, failure, listeners }) => ({
      name,
      members: isOrdered ? members.map(({ key }) => key) : members.map(({ key }) => key).sort(),
      failure: failure && [failure.errorClass, failure.message, failure.path],
      listeners: listeners.map(({ rules, defaultIngress, ...rest }) => ({
        ...rest,
        defaultIngress: defaultIngress?.key,
        rules: rules.map(({ ingress: { key }, ...rule }) => ({ ...rule, key })),
      })),
    })),
  };
}

describe('whatever the manifests hold', () => {
  it('the router never throws, and every listener answers', () => {
    fc.assert(
      fc.property(fc.array(INGRESS, { maxLength: 4 }), (ingresses) => {
        const { loadBalancers } = awsAlbRouter().routes(worldOf([...OTHERS, ...ingresses]));
        for (const loadBalancer of loadBalancers) {
          expect(loadBalancer.frozen === undefined || loadBalancer.listeners.length === 0).toBe(true);
          for (const listener of loadBalancer.listeners) {
            expect(listener.route({ host: 'a.com', path: '/a' }).answer.kind).toMatch(
              /^(services|fixed-response|redirect)$/,
            );
          }
        }
      }),
      { seed: 21, numRuns: 400 },
    );
  });

  it('the order of the manifests does not matter', () => {
    const distinct = fc.uniqueArray(INGRESS, {
      maxLength: 5,
      selector: ({ metadata: { namespace, name } }) => `${namespace}/${name}`,
    });
    const shuffled = distinct.chain((ingresses) =>
      fc.tuple(
        fc.constant(ingresses),
        fc.shuffledSubarray([...OTHERS, ...ingresses], { minLength: OTHERS.length + ingresses.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([ingresses, others]) => {
        expect(summary(others)).toEqual(summary([...OTHERS, ...ingresses]));
      }),
      { seed: 22, numRuns: 200 },
    );
  });
});

describe('a thousand Ingresses', () => {
  const many = (count: number) =>
    worldOf([
      ...SERVICES,
      ...Array.from({ length: count }, (_, index) =>
        ingress(`web-${index}`, {
          host: `h${index}.com`,
          annotations: {
            'group.name': 'g',
            'actions.web': weighted(10),
            'actions.away': '{"type":"redirect","redirectConfig":{"host":"x.com","statusCode":"HTTP_301"}}',
          },
          paths: [{ port: 'use-annotation' }, { path: '/old', service: 'away', port: 'use-annotation' }],
        }),
      ),
    ]);

  it('in one group, each with a redirect, are no matter of seconds', () => {
    const world = many(1000);
    const { loadBalancers } = awsAlbRouter().routes(world);
    expect(loadBalancers[0]!.listeners[0]!.rules).toHaveLength(2000);
  });
});
