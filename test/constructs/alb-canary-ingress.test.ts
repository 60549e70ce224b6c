import { ApiObject, App, Chart, Duration, Testing } from 'cdk8s';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  AlbAuth,
  AlbBackend,
  AlbCanaryIngress,
  type AlbCanaryIngressProps,
  AlbCanaryMode,
  AlbIngressClass,
  AlbListenPort,
  AwsLoadBalancerControllerVersion,
  HeaderMatch,
  KruiseRollout,
  KruiseRolloutStep,
  KruiseRolloutStrategy,
  LuaRoutingConfigMap,
  LuaScripts,
  PathMatch,
  type ShippedScript,
} from '../../src/constructs';

let printed: string[];
beforeEach(() => {
  printed = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed.push(String(text));
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

/** A finding on Rollouts and Ingresses; a busy machine may have one on the time that scripts take. */
const FINDING = /\[(kruise|alb)-/;

const CERTIFICATE = 'arn:aws:acm:eu-west-1:123456789012:certificate/00000000-0000-0000-0000-000000000000';
const WAF = 'arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/shop/00000000-0000-0000-0000-000000000000';
const SERVICE = { name: 'web', port: 80 };

function chartOf(app = new App(), id = 'shop'): Chart {
  return new Chart(app, id, { namespace: 'shop', disableResourceNameHashes: true });
}

/** The Service and the Deployment to which the Ingress leads. */
function backend(chart: Chart, name = 'web', port = 80): ApiObject {
  const labels = { app: name };
  new ApiObject(chart, `${name}-service`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: labels, ports: [{ port }] },
  });
  return new ApiObject(chart, `${name}-deployment`, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas: 5,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] } },
    },
  });
}

function ingressOf(props: Partial<AlbCanaryIngressProps> = {}, chart = chartOf()): AlbCanaryIngress {
  return new AlbCanaryIngress(chart, 'ingress', { metadata: { name: 'web' }, service: SERVICE, ...props });
}

function manifestOf(props: Partial<AlbCanaryIngressProps> = {}) {
  return ingressOf(props).apiObject.toJson();
}

/** A whole app with one release through the Ingress. */
function release(
  props: Partial<AlbCanaryIngressProps> = {},
  options: { steps?: object[]; script?: ShippedScript } = {},
) {
  const app = new App();
  const chart = chartOf(app);
  const workload = backend(chart);
  const ingress = ingressOf(props, chart);
  const steps = options.steps ?? [
    KruiseRolloutStep.matches([HeaderMatch.exact('user-agent', 'pc')], { replicas: 1 }),
    KruiseRolloutStep.traffic('20%'),
    KruiseRolloutStep.traffic('100%'),
  ];
  new KruiseRollout(chart, 'rollout', {
    workload,
    strategy: KruiseRolloutStrategy.canary({ steps: steps as never }),
    trafficRouting: ingress.trafficRouting(),
  });
  const controller = new Chart(app, 'controller', { namespace: 'kruise-rollout', disableResourceNameHashes: true });
  new LuaRoutingConfigMap(controller, 'scripts', {
    scripts: [LuaScripts.fromLibrary(options.script ?? 'Ingress.networking.k8s.io')],
  });
  return { app, chart, ingress };
}

function failureOf({ app }: { app: App }): string {
  try {
    app.synthYaml();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

const CLONE = { mode: AlbCanaryMode.ingress({ group: 'shop', order: 10 }) };

describe('AlbCanaryIngress', () => {
  test('the main object is the default child', () => {
    const ingress = ingressOf();
    expect(ingress.node.defaultChild).toBe(ingress.apiObject);
    expect([ingress.apiVersion, ingress.kind, ingress.name]).toEqual(['networking.k8s.io/v1', 'Ingress', 'web']);
  });

  test('the least that it takes', () => {
    expect(manifestOf()).toStrictEqual({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: {
        name: 'web',
        namespace: 'shop',
        annotations: {
          'alb.ingress.kubernetes.io/actions.web':
            '{"type":"forward","forwardConfig":{"targetGroups":[{"serviceName":"web","servicePort":80}]}}',
          'alb.ingress.kubernetes.io/target-type': 'ip',
        },
      },
      spec: {
        ingressClassName: 'alb',
        rules: [
          {
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'Prefix',
                  backend: { service: { name: 'web', port: { name: 'use-annotation' } } },
                },
              ],
            },
          },
        ],
      },
    });
  });

  test('everything that it takes', () => {
    const manifest = manifestOf({
      metadata: {
        name: 'web',
        labels: { team: 'shop' },
        annotations: { 'alb.ingress.kubernetes.io/tags': 'team=shop' },
      },
      service: { name: 'web', port: 'http' },
      mode: AlbCanaryMode.ingress({ group: 'shop', order: 10, canaryOrder: 5 }),
      rules: [
        {
          host: 'shop.example.com',
          paths: [
            { path: '/healthz', pathType: 'Exact', backend: AlbBackend.fixedResponse('healthz', { statusCode: 204 }) },
            {
              path: '/old/*',
              pathType: 'ImplementationSpecific',
              backend: AlbBackend.redirect('old', { path: '/', permanent: true }),
            },
            { path: '/api', backend: AlbBackend.service({ name: 'api', port: 8080 }) },
            { path: '/' },
          ],
        },
        { host: '*.shop.example.com' },
      ],
      targetType: 'instance',
      scheme: 'internet-facing',
      listenPorts: [AlbListenPort.http(), AlbListenPort.https(8443)],
      certificates: [CERTIFICATE, CERTIFICATE.replace('0', '1')],
      sslPolicy: 'ELBSecurityPolicy-TLS13-1-2-2021-06',
      sslRedirect: true,
      wafAclArn: WAF,
      stickiness: Duration.hours(1),
      healthCheck: {
        path: '/healthz',
        port: 'traffic-port',
        protocol: 'HTTP',
        interval: Duration.seconds(10),
        timeout: 3,
        healthyThreshold: 2,
        unhealthyThreshold: 3,
        successCodes: '200-299',
      },
      auth: AlbAuth.oidc({
        issuer: 'https://id.example.com',
        authorizationEndpoint: 'https://id.example.com/authorize',
        tokenEndpoint: 'https://id.example.com/token',
        userInfoEndpoint: 'https://id.example.com/userinfo',
        secretName: 'oidc',
        scope: 'openid email',
        sessionTimeout: Duration.days(1),
      }),
    });
    expect(manifest).toMatchSnapshot();
  });

  test('writes the same at every synth', () => {
    const make = () => ingressOf({ ...CLONE, sslRedirect: true, stickiness: 60 }).toYaml();
    expect(make()).toBe(make());
  });

  test('infers the port of a Service of cdk8s-plus, and refuses one of another namespace', () => {
    class PlusService {
      readonly name = 'web';
      readonly metadata: { readonly namespace: string };
      constructor(namespace: string) {
        this.metadata = { namespace };
      }
      get port() {
        return 8080;
      }
    }
    expect(
      manifestOf({ service: new PlusService('shop') }).metadata.annotations['alb.ingress.kubernetes.io/actions.web'],
    ).toContain('"servicePort":8080');
    expect(() => manifestOf({ service: new PlusService('default') })).toThrow(
      'shop/ingress: the service "web" is in the namespace "default" and the Ingress in "shop": an Ingress reaches Services of its own namespace only',
    );
  });

  test.each<[string, Partial<AlbCanaryIngressProps>, string]>([
    ['a service without a name', { service: { name: '', port: 80 } }, 'service has no name'],
    ['no rules', { rules: [] }, 'rules is empty: leave it out to send everything to the service'],
    ['no paths', { rules: [{ host: 'a', paths: [] }] }, 'paths of the host "a" is empty'],
    ['a path without a slash', { rules: [{ paths: [{ path: 'api' }] }] }, 'path is "api": it must start with a slash'],
    ['no ports', { listenPorts: [] }, 'listenPorts is empty'],
    [
      'a port twice',
      { listenPorts: [AlbListenPort.http(80), AlbListenPort.https(80)] },
      'listenPorts has the port 80 twice',
    ],
    [
      'a redirect to nowhere',
      { sslRedirect: true, listenPorts: [AlbListenPort.http()] },
      'sslRedirect needs an HTTPS port to lead to',
    ],
    ['eternal stickiness', { stickiness: Duration.days(8) }, 'stickiness is 691200 seconds: give 1 to 604800 (7 days)'],
    [
      'the released Service as another one',
      { rules: [{ paths: [{ path: '/', backend: AlbBackend.service(SERVICE) }] }] },
      'backend is the service "web", which gets the canary: leave backend out',
    ],
    [
      'two actions of one name',
      {
        rules: [
          {
            paths: [
              { path: '/a', backend: AlbBackend.fixedResponse('gone', { statusCode: 404 }) },
              { path: '/b', backend: AlbBackend.fixedResponse('gone', { statusCode: 410 }) },
            ],
          },
        ],
      },
      'two different actions are called "gone"',
    ],
    [
      'an annotation that a prop writes',
      { metadata: { annotations: { 'alb.ingress.kubernetes.io/target-type': 'instance' } } },
      'the annotation alb.ingress.kubernetes.io/target-type belongs to the construct',
    ],
    [
      'a canary Ingress without a group',
      { mode: AlbCanaryMode.ingress({ order: 10 }) },
      'a canary Ingress without a group gets its own load balancer',
    ],
    [
      'a scheme that the class overrides',
      { scheme: 'internal', ingressClass: AlbIngressClass.fromName('public', { scheme: 'internet-facing' }) },
      'scheme is "internal", but the ingress class "public" sets it to "internet-facing", which wins: leave scheme out',
    ],
    [
      'a group that the class overrides',
      { ...CLONE, ingressClass: AlbIngressClass.fromName('public', { group: 'public' }) },
      'group is "shop", but the ingress class "public" puts all of its Ingresses into the group "public"',
    ],
  ])('refuses %s', (_, props, message) => {
    expect(() => manifestOf(props)).toThrow(`shop/ingress: ${message}`);
  });

  test.each<[string, () => unknown, string]>([
    [
      'an order that is none',
      () => AlbCanaryMode.ingress({ group: 'a', order: 1001 }),
      'order is 1001: give an integer from -1000 to 1000',
    ],
    ['no room below the order', () => AlbCanaryMode.ingress({ group: 'a', order: -1000 }), 'canaryOrder is -1001'],
    [
      'a canary behind the stable one',
      () => AlbCanaryMode.ingress({ group: 'a', order: 5, canaryOrder: 5 }),
      'canaryOrder is 5 and order is 5: the lower order is evaluated first, so the canary needs the lower one',
    ],
    ['a broken order in a group', () => AlbCanaryMode.customNetworkRefs({ order: 0.5 }), 'order is 0.5'],
    ['a port that is none', () => AlbListenPort.https(0), 'HTTPS port is 0: give an integer from 1 to 65535'],
    [
      'a redirect that goes round',
      () => AlbBackend.redirect('loop', {}),
      'redirect "loop" leads to where the request came from',
    ],
  ])('cannot be given %s', (_, make, message) => {
    expect(make).toThrow(message);
  });
});

describe('the side of the Rollout', () => {
  test('edits the Ingress in place by default', () => {
    expect(ingressOf().trafficRouting()).toStrictEqual({
      service: 'web',
      gracePeriodSeconds: 30,
      customNetworkRefs: [{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', name: 'web' }],
    });
  });

  test('clones it on request, with the given grace period', () => {
    expect(ingressOf(CLONE).trafficRouting(Duration.minutes(1))).toStrictEqual({
      service: 'web',
      gracePeriodSeconds: 60,
      ingress: { name: 'web', classType: 'aws-alb' },
    });
  });

  test('fits: a release in place has no finding', () => {
    expect(failureOf(release())).toBe('');
    expect(printed.join('')).not.toMatch(FINDING);
  });

  test('fits: a release by a canary Ingress has no finding', () => {
    expect(failureOf(release(CLONE, { script: 'aws-alb' }))).toBe('');
    expect(printed.join('')).not.toMatch(FINDING);
  });

  test('the script accepts a class of another name, because the Ingress has an annotation', () => {
    const { chart, app } = release({ ingressClass: 'alb-internal' });
    expect(Testing.synth(chart).find(({ kind }) => kind === 'Ingress').metadata.annotations).toHaveProperty([
      'rollout-constructs.io/alb-ingress-class',
    ]);
    expect(failureOf({ app })).toBe('');
    expect(printed.join('')).not.toMatch(FINDING);
  });
});

describe('AlbIngressClass', () => {
  test('writes the class and its parameters, in no namespace', () => {
    const chart = chartOf();
    new AlbIngressClass(chart, 'class', {
      metadata: { name: 'public', labels: { team: 'edge' } },
      group: 'public',
      scheme: 'internet-facing',
      targetType: 'ip',
      ipAddressType: 'dualstack',
      certificates: [CERTIFICATE],
      sslPolicy: 'ELBSecurityPolicy-TLS13-1-2-2021-06',
      inboundCidrs: ['10.0.0.0/8'],
      loadBalancerAttributes: { 'idle_timeout.timeout_seconds': '120' },
      tags: { team: 'edge' },
      namespaceSelector: { edge: 'true' },
      isDefault: true,
    });
    expect(Testing.synth(chart)).toMatchSnapshot();
  });

  test('generates a name for the parameters', () => {
    const chart = chartOf();
    const ingressClass = new AlbIngressClass(chart, 'class');
    const [params, object] = Testing.synth(chart);
    expect(object.metadata).toEqual({ name: ingressClass.name });
    expect(object.spec.parameters.name).toBe(params.metadata.name);
  });

  test('its group and target type count for the Ingress', () => {
    const app = new App();
    const chart = chartOf(app);
    const ingressClass = new AlbIngressClass(chart, 'class', {
      metadata: { name: 'public' },
      group: 'public',
      targetType: 'ip',
    });
    const ingress = new AlbCanaryIngress(chart, 'ingress', {
      service: SERVICE,
      ingressClass,
      mode: AlbCanaryMode.ingress({ order: 10 }),
    });
    expect(ingress.apiObject.toJson().metadata.annotations).toEqual({
      'alb.ingress.kubernetes.io/actions.web': expect.any(String),
      'alb.ingress.kubernetes.io/group.name': 'public',
      'alb.ingress.kubernetes.io/group.order': '10',
      'rollout-constructs.io/canary-group-order': '9',
    });
    expect(failureOf({ app })).toBe('');
  });
});

describe('the synth fails', () => {
  test('with all findings together, each once and with its construct', () => {
    const stack = release(
      { service: { name: 'web', port: 8080 }, ...CLONE },
      {
        steps: [
          KruiseRolloutStep.matches([HeaderMatch.exact('a', 'b'), HeaderMatch.exact('c', 'd')], { replicas: 1 }),
          KruiseRolloutStep.matches([PathMatch.prefix('/v2')], { replicas: 1 }),
          KruiseRolloutStep.traffic('100%'),
        ],
        script: 'aws-alb',
      },
    );
    const failure = failureOf(stack);
    expect(failure.match(/unable to find port 8080/g)).toHaveLength(1);
    expect(failure).toContain('[shop/ingress]');
    expect(failure).toContain('steps[0] has alternatives that differ in more than the value of one header');
    expect(failure).toContain('steps[1] matches the path "/v2", which a canary Ingress cannot narrow');
  });

  test('for an Ingress of the same group that is written by hand', () => {
    const stack = release(CLONE, { script: 'aws-alb' });
    new ApiObject(stack.chart, 'by-hand', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: {
        name: 'api',
        annotations: {
          'alb.ingress.kubernetes.io/group.name': 'shop',
          'alb.ingress.kubernetes.io/group.order': '2000',
        },
      },
      spec: { ingressClassName: 'alb', rules: [] },
    });
    expect(failureOf(stack)).toContain('alb.ingress.kubernetes.io/group.order is "2000"');
  });

  test('for regular expressions that the load balancer controller does not know', () => {
    const cookie = [
      KruiseRolloutStep.matches([HeaderMatch.exact('canary-by-cookie', 'beta')], { replicas: 1 }),
      KruiseRolloutStep.traffic('100%'),
    ];
    const older = AwsLoadBalancerControllerVersion.of('2.13.4');
    expect(failureOf(release({ awsLoadBalancerControllerVersion: older }, { steps: cookie }))).toContain(
      'kruise-alb-regex-version',
    );
    expect(failureOf(release({}, { steps: cookie }))).toBe('');
  });

  test('unless the finding is accepted with a reason', () => {
    const suppressions = [{ rule: 'alb-service-port', reason: 'the port is added by a mutating webhook' }];
    const service = { name: 'web', port: 8080 };
    expect(failureOf(release({ service }))).toContain('alb-service-port');
    expect(failureOf(release({ service, suppressions }))).toBe('');
  });
});
