/** The same question to other load balancers, and releases that meet on one of them. */
import { describe, expect, it } from 'vitest';
import { objectsOf, ourScript, rehearseObjects, rehearseStack, rulesOf, type StackOptions, sharesOf } from './stack';

const PC = { headers: [{ type: 'Exact', name: 'user-agent', value: 'pc' }] };
const STEPS = [
  { replicas: '20%', matches: [PC] },
  { traffic: '20%', replicas: '20%' },
  { traffic: '100%', replicas: '100%' },
];

const virtualService = (http: object[]) => ({
  apiVersion: 'networking.istio.io/v1beta1',
  kind: 'VirtualService',
  metadata: { name: 'web', namespace: 'shop' },
  spec: { hosts: ['web'], http },
});
const ISTIO: StackOptions = {
  steps: STEPS,
  ingressClassName: 'of-another-vendor',
  route: { customNetworkRefs: [{ apiVersion: 'networking.istio.io/v1beta1', kind: 'VirtualService', name: 'web' }] },
};
const toWeb = { route: [{ destination: { host: 'web' } }] };

describe('Istio with the script that is built in', () => {
  it('goes as declared for a plain VirtualService', () => {
    const rehearsal = rehearseStack({ ...ISTIO, more: [virtualService([toWeb])] });

    expect(rehearsal.loadBalancers).toMatchObject([{ router: 'istio', name: 'mesh' }]);
    expect(rulesOf(rehearsal)).toEqual([]);
    expect(sharesOf(rehearsal)).toMatchObject({
      'steps[0]: user-agent: pc': { any: 0, 'user-agent: pc': 100, 'user-agent: pcx': 0 },
      'steps[1]: 20%': { any: 20 },
      'rollback: routes restored': { any: 0, 'user-agent: pc': 0 },
    });
  });

  it('leaves rules with a match out of the weights', () => {
    const cart = { match: [{ uri: { prefix: '/cart' } }], ...toWeb };
    const rehearsal = rehearseStack({ ...ISTIO, steps: STEPS.slice(1), more: [virtualService([cart, toWeb])] });

    expect(rehearsal.findings.filter(({ severity }) => severity === 'error')).toMatchObject([
      {
        rule: 'rehearsal-canary-gets-nothing',
        request: expect.stringContaining('/cart'),
        related: { object: { kind: 'VirtualService', name: 'web' } },
      },
    ]);
  });
});

describe('nginx with the script that is built in', () => {
  const nginx: StackOptions = {
    ingressClassName: 'nginx',
    annotations: {},
    port: { number: 80 },
    route: { ingress: { name: 'web', classType: 'nginx' } },
  };

  it('goes as declared for a header and weights', () => {
    expect(rulesOf(rehearseStack({ ...nginx, steps: STEPS }))).toEqual([]);
  });

  it('keeps only the last of several matches', () => {
    const mobile = { headers: [{ type: 'Exact', name: 'x-device', value: 'mobile' }] };
    const rehearsal = rehearseStack({ ...nginx, steps: [{ replicas: '20%', matches: [PC, mobile] }] });

    expect(rehearsal.findings).toMatchObject([
      { rule: 'rehearsal-match-ignored', request: expect.stringContaining('user-agent: pc') },
    ]);
  });

  it('sends nobody to the canary for a match on a path, which the script does not know', () => {
    const steps = [{ replicas: '20%', matches: [{ path: { type: 'PathPrefix', value: '/v2' } }] }];

    expect(rulesOf(rehearseStack({ ...nginx, steps }))).not.toEqual([]);
  });
});

describe('the gateway provider', () => {
  const httpRoute = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      parentRefs: [{ name: 'gw' }],
      hostnames: ['shop.example.com'],
      rules: [{ backendRefs: [{ name: 'web', port: 80 }] }],
    },
  };
  const gateway: StackOptions = {
    ingressClassName: 'of-another-vendor',
    route: { gateway: { httpRouteName: 'web' } },
    more: [httpRoute],
  };

  it('goes as declared for weights, and restores the route', () => {
    const rehearsal = rehearseStack(gateway);

    expect(rulesOf(rehearsal)).toEqual([]);
    expect(sharesOf(rehearsal)).toMatchObject({
      'steps[0]: 20%': { any: 20 },
      'rollback: routes restored': { any: 0 },
    });
  });

  it('keeps the rule of a match through the steps by weight', () => {
    const rehearsal = rehearseStack({ ...gateway, steps: STEPS });

    expect(sharesOf(rehearsal)['steps[1]: 20%']).toMatchObject({ any: 20, 'user-agent: pc': 100 });
    expect(rehearsal.findings).toMatchObject([{ rule: 'rehearsal-weight-differs', severity: 'warning' }]);
  });

  it('adds each match to each rule of the Service', () => {
    const query = { queryParams: [{ type: 'Exact', name: 'v', value: '2' }] };
    const rehearsal = rehearseStack({ ...gateway, steps: [{ replicas: '20%', matches: [PC, query] }] });

    expect(rulesOf(rehearsal)).toEqual([]);
  });
});

describe('two releases on one load balancer of Alibaba Cloud', () => {
  const application = (name: string, options: StackOptions): object[] =>
    objectsOf({
      name,
      host: `${name}.example.com`,
      steps: [{ replicas: '20%', matches: [PC] }],
      ingressClassName: 'alb',
      port: { number: 80 },
      route: { ingress: { name, classType: 'aliyun-alb' } },
      ...options,
    });
  const orders = (stable: string, canary: string) => ({
    'alb.ingress.kubernetes.io/order': stable,
    'rollout-constructs.io/canary-order': canary,
  });
  const scripts = { 'lua.traffic.routing.ingress.aliyun-alb': ourScript('trafficrouting_ingress/aliyun-alb.lua') };

  it('collide with the script that is built in, which gives all canaries the same order', () => {
    const rehearsals = rehearseObjects([
      ...application('echoserver', { annotations: {} }),
      ...application('echoserver-clone', { annotations: {} }),
    ]);

    expect(rehearsals.flatMap(({ findings }) => findings)).toMatchObject([
      {
        rule: 'rehearsal-canaries-collide',
        object: { name: 'echoserver-clone' },
        message: 'released at the same time as "echoserver", Ingress "echoserver-clone-canary" gets no rules',
      },
    ]);
  });

  it('each go as declared when they are alone', () => {
    expect(rulesOf(rehearseObjects(application('echoserver', { annotations: {} }))[0]!)).toEqual([]);
  });

  it('do not collide with orders of their own', () => {
    const rehearsals = rehearseObjects([
      ...application('echoserver', { annotations: orders('501', '1'), scripts }),
      ...application('echoserver-clone', { annotations: orders('502', '2') }),
    ]);

    expect(rehearsals.map(rulesOf)).toEqual([[], []]);
  });
});

describe('two releases that rewrite the same object', () => {
  it('collide, as the later one undoes the earlier', () => {
    const blog = objectsOf({ ...ISTIO, name: 'blog', steps: STEPS.slice(1), route: ISTIO.route });
    const shared = virtualService([
      { match: [{ uri: { prefix: '/blog' } }], route: [{ destination: { host: 'blog' } }] },
      toWeb,
    ]);
    const rehearsals = rehearseObjects([...objectsOf({ ...ISTIO, steps: STEPS.slice(1), more: [shared] }), ...blog]);

    expect(rehearsals.flatMap(({ findings }) => findings).map(({ rule }) => rule)).toContain(
      'rehearsal-canary-gets-nothing',
    );
  });
});
