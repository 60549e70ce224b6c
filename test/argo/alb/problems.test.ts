import { describe, expect, it } from 'vitest';
import {
  ArgoAlbClass,
  ArgoAlbService,
  ArgoAlbStrategy,
  type ArgoCanaryOptions,
  argoAlbObjects,
} from '../../../src/argo/alb';
import { ArgoStep } from '../../../src/argo/steps';
import { AlbBackend } from '../../../src/routers/aws-alb/ingress-options';
import { canary, problemsOf, TEMPLATE } from './options';

const { setWeight, setHeaderRoute, setCanaryScale } = ArgoStep;
const ROUTED = canary(setCanaryScale({ replicas: 1 }), setHeaderRoute('beta', { 'x-beta': '1' }));
const withCanary = (options: Partial<ArgoCanaryOptions>) =>
  problemsOf({ strategy: ArgoAlbStrategy.canary({ steps: [setWeight(20)], ...options }) });
const withSteps = (...steps: readonly object[]) => problemsOf({ strategy: canary(...(steps as never[])) });
const { existing, named } = ArgoAlbService;

describe('a Rollout', () => {
  it('is taken as it is in the other tests', () => {
    expect(problemsOf()).toEqual([]);
    expect(problemsOf({ strategy: ROUTED })).toEqual([]);
  });

  it('that has nothing right says everything at once', () => {
    const problems = problemsOf({
      workloadRef: { name: 'web' },
      port: 0,
      targetPort: 70000,
      ingress: {},
      ingresses: [],
      strategy: ArgoAlbStrategy.canary({ steps: [setWeight(120)], stickiness: 0 }),
    });
    for (const part of [
      'template and workloadRef are both given',
      'port is 0',
      'targetPort is 70000',
      'ingress and ingresses are both given',
      'ingresses is empty',
      'steps[0].setWeight: 120 is not between 0 and 100',
    ]) {
      expect(problems.filter((problem) => problem.includes(part))).toHaveLength(1);
    }
  });

  it('names itself and the mistakes, each once', () => {
    const make = () => argoAlbObjects({ template: TEMPLATE, port: 0, strategy: canary() }, { name: 'web' });
    expect(make).toThrow(/^\n {2}- port is 0: give an integer from 1 to 65535$/);
  });

  it.each([
    ['no pods', { template: undefined }, 'there are no pods: give template or workloadRef'],
    [
      'no labels',
      { template: { spec: TEMPLATE.spec } },
      'the template has no labels: give metadata.labels, which select the pods',
    ],
    [
      'a workload without selector',
      { template: undefined, workloadRef: { name: 'web' } },
      'selector is missing: give the labels of the pods of Deployment "web"',
    ],
    [
      'a selector that is not of the pods',
      { selector: { app: 'shop' } },
      'selector has app: shop, which is not among the labels of the template',
    ],
    ['a broken pod', { template: { ...TEMPLATE, spec: { containers: [] } } }, 'template.spec.containers'],
    ['negative replicas', { replicas: -1 }, 'replicas: -1 is less than 0'],
    ['a deadline that is too short', { minReady: 600 }, 'progressDeadlineSeconds'],
  ])('has %s', (_, options, problem) => {
    expect(problemsOf(options as never).join('\n')).toContain(problem);
  });
});

describe('steps', () => {
  it.each([
    [
      'two actions',
      { setWeight: 5, setCanaryScale: { weight: 5 } },
      'steps[0] has setWeight and setCanaryScale: give it one',
    ],
    ['nothing', {}, 'steps[0] has nothing: give it one of them'],
    ['a weight below 0', setWeight(-1), 'steps[0].setWeight: -1 is not between 0 and 100'],
    ['a pause below 0', ArgoStep.pause(-1), 'steps[0].pause.duration: -1 is not a valid duration'],
    ['a pause of nonsense', ArgoStep.pause('soon'), 'steps[0].pause.duration: "soon" is not a valid duration'],
    ['a scale of two kinds', { setCanaryScale: { weight: 1, replicas: 1 } }, 'steps[0].setCanaryScale has 2 of weight'],
    ['a scale of no kind', { setCanaryScale: {} }, 'steps[0].setCanaryScale has 0 of weight'],
    [
      'half a pod',
      setCanaryScale({ replicas: 0.5 }),
      'steps[0].setCanaryScale.replicas is 0.5: give an integer of at least 0',
    ],
    [
      'too much of a scale',
      setCanaryScale({ weight: 101 }),
      'steps[0].setCanaryScale.weight is 101: give an integer from 0 to 100',
    ],
    [
      'a scale that matches no weight',
      { setCanaryScale: { matchTrafficWeight: false } },
      'steps[0].setCanaryScale.matchTrafficWeight is false: give true or leave it out',
    ],
    [
      'a mirror',
      { setMirrorRoute: { name: 'copy', percentage: 5 } },
      'steps[0].setMirrorRoute: needs trafficRouting through istio',
    ],
    [
      'a header route without a header',
      setHeaderRoute('beta', {}),
      'steps[0] sets the header route "beta" without a header',
    ],
    ['a route that is not there', ArgoStep.removeHeaderRoute('beta'), 'steps[0] removes the header route "beta"'],
    ['a route with a bad name', setHeaderRoute('Beta', { a: '1' }), '"Beta" cannot be the name of a backend'],
    ['a route called as a Service', setHeaderRoute('web-stable', { a: '1' }), '"web-stable" is already in the Ingress'],
    [
      'a prefix',
      { setHeaderRoute: { name: 'b', match: [{ headerName: 'a', headerValue: { prefix: '1' } }] } },
      'an ALB supports only exact',
    ],
    ['four values', setHeaderRoute('beta', { a: ['1', '2', '3', '4'] }), 'the header a has 4 values'],
    ['the header Host', setHeaderRoute('beta', { Host: 'a' }), 'an ALB cannot match the header "Host"'],
    ['a long value', setHeaderRoute('beta', { a: 'x'.repeat(129) }), 'the value has 129 characters'],
  ])('with %s', (_, step, problem) => {
    expect(withSteps(step).join('\n')).toContain(problem);
  });

  it('with five values where there is a host', () => {
    const rules = [{ host: 'shop.example.com' }];
    const steps = [setCanaryScale({ replicas: 1 }), setHeaderRoute('beta', { a: '1', b: ['1', '2'], c: '1' })];
    expect(problemsOf({ strategy: canary(...steps) })).toEqual([]);
    expect(problemsOf({ strategy: canary(...steps), ingress: { rules } }).join()).toContain('the rule has 6 values');
  });

  it('with an experiment', () => {
    const experiment = (weight: number) =>
      ArgoStep.experiment({ templates: [{ name: 'a', specRef: 'canary', weight }] });
    expect(problemsOf({ port: 8080, strategy: canary(setWeight(60), experiment(40)) })).toEqual([]);
    expect(problemsOf({ port: 8080, strategy: canary(setWeight(60), experiment(41)) }).join()).toContain(
      'the weights add up to 101, with setWeight 60',
    );
    expect(withSteps(experiment(5)).join()).toContain(
      'servicePort 80 is not a port of the containers, which have 8080',
    );
    // The ports of another object are not known here.
    const elsewhere = { template: undefined, workloadRef: { name: 'web' }, selector: { app: 'web' } };
    expect(problemsOf({ ...elsewhere, strategy: canary(experiment(5)) })).toEqual([]);
  });
});

describe('a canary', () => {
  it.each([
    ['stickiness of 8 days', { stickiness: 8 * 86_400 }, '691200 is not between 1 and 604800'],
    [
      'two ways of scaling down',
      { scaleDownDelay: 30, dynamicStableScale: true },
      'is enabled, but scaleDownDelaySeconds is 30',
    ],
    ['no room for a pod', { maxSurge: 0, maxUnavailable: '0%' }, 'is 0 pods, and so is maxUnavailable'],
    ['no kind of antiAffinity', { antiAffinity: {} }, 'is neither preferred nor required'],
  ])('with %s', (_, options, problem) => {
    expect(withCanary(options).join('\n')).toContain(problem);
  });
});

describe('Services', () => {
  const services = (options: object) =>
    problemsOf({ strategy: ArgoAlbStrategy.canary({ steps: [], ...options }) }).join('\n');

  it.each([
    [
      'that are one',
      { stableService: existing('web'), canaryService: existing('web') },
      'canaryService is "web", which is also the name of another Service',
    ],
    [
      'with a name of Kubernetes’ Services not',
      { stableService: named('1-web') },
      'stableService has the name "1-web"',
    ],
    [
      'whose root is one of them',
      { stableService: named('web'), rootService: named('web') },
      'rootService is "web", which is also the name of another Service',
    ],
    [
      'with authentication',
      { canaryService: named('c', { annotations: { 'alb.ingress.kubernetes.io/auth-type': 'oidc' } }) },
      'canaryService has the annotation alb.ingress.kubernetes.io/auth-type, which is ignored',
    ],
    ['with a name that is too long', { rootService: 'r'.repeat(56) }, 'has 56 characters, more than the limit of 55'],
  ])('%s', (_, options, problem) => {
    expect(services(options)).toContain(problem);
  });

  it('may have the name of the root as a name alone', () => {
    expect(services({ stableService: named('web'), rootService: 'web' })).toBe('');
  });

  it('of ping-pong are two', () => {
    const same = { pingService: named('web'), pongService: named('web') };
    expect(problemsOf({ strategy: ArgoAlbStrategy.pingPong({ steps: [], ...same }) }).join()).toContain(
      'pongService is "web", which is also the name of another Service',
    );
  });

  it('of blue-green are two', () => {
    const same = { activeService: existing('web'), previewService: existing('web') };
    expect(problemsOf({ strategy: ArgoAlbStrategy.blueGreen(same) }).join()).toContain('previewService is "web"');
  });

  it('get names from that of the Rollout, which may be too long for them', () => {
    expect(problemsOf({}, 'w'.repeat(60)).join('\n')).toContain('default names are derived from metadata.name');
  });
});

describe('an Ingress', () => {
  const of = (ingress: object, strategy = canary(setWeight(20))) => problemsOf({ ingress, strategy }).join('\n');
  const annotated = (key: string, value = 'x') => ({
    metadata: { annotations: { [`alb.ingress.kubernetes.io/${key}`]: value } },
  });

  it.each([
    ['with the action of Argo', annotated('actions.web-stable'), 'which Argo writes: every apply would reset it'],
    ['with an annotation of a prop', annotated('target-type', 'instance'), 'which a prop sets'],
    [
      'in another namespace',
      { metadata: { namespace: 'other' } },
      'is in the namespace "other" and the Rollout in "shop"',
    ],
    [
      'with two classes',
      { metadata: { annotations: { 'kubernetes.io/ingress.class': 'alb' } } },
      'use ArgoAlbClass.annotation(), which omits the field',
    ],
    ['without a name of its class', { ingressClass: ArgoAlbClass.field('') }, 'ingress.ingressClass has no name'],
    [
      'against its class',
      { targetType: 'ip', ingressClass: ArgoAlbClass.field({ name: 'public', targetType: 'instance' }) },
      'ingress.targetType is "ip", but the ingress class "public" sets it to "instance", which wins',
    ],
    [
      'that redirects to nowhere',
      { sslRedirect: true, listenPorts: [{ protocol: 'HTTP', port: 80 }] },
      'needs an HTTPS port',
    ],
    ['that listens nowhere', { listenPorts: [] }, 'ingress.listenPorts is empty'],
    ['without rules', { rules: [] }, 'ingress.rules is empty'],
    ['without paths', { rules: [{ host: 'a.example.com', paths: [] }] }, 'the host "a.example.com" has no paths'],
    ['without a slash', { rules: [{ paths: [{ path: 'cart' }] }] }, 'the path "cart" does not start with a slash'],
    [
      'that leads elsewhere alone',
      { rules: [{ paths: [{ path: '/', backend: AlbBackend.service({ name: 'blog', port: 80 }) }] }] },
      'ingress has no path that leads to the Rollout',
    ],
    [
      'with an action of a Service',
      {
        rules: [
          {
            paths: [
              { path: '/a', backend: AlbBackend.fixedResponse('web-stable', { statusCode: 200 }) },
              { path: '/' },
            ],
          },
        ],
      },
      'has an action "web-stable", which is also the name of a Service of the Rollout',
    ],
    ['with a wildcard in a prefix', { rules: [{ paths: [{ path: '/a*', pathType: 'Prefix' }] }] }, '/a*'],
    ['with an order that is none', { group: { name: 'shop', order: 2000 } }, '2000'],
    ['with a group that is none', { group: { name: 'Shop!' } }, 'Shop!'],
    ['with a condition that cannot be read', annotated('conditions.web-stable', '[{'), 'conditions.web-stable'],
  ])('%s', (_, ingress, problem) => {
    expect(of(ingress)).toContain(problem);
  });

  it.each([
    [
      'with a path before the route',
      { rules: [{ paths: [{ path: '/', pathType: 'Prefix' }] }] },
      'comes before the header route',
    ],
    [
      'with a path of others',
      {
        rules: [{ paths: [{ path: '/blog', backend: AlbBackend.service({ name: 'blog', port: 80 }) }, { path: '/' }] }],
      },
      'the header route would also take requests for the backend "blog"',
    ],
    [
      'with regular expressions',
      annotated('use-regex-path-match', 'true'),
      'use-regex-path-match is true, but Argo inserts',
    ],
    ['with the action of the route', annotated('actions.beta'), 'which Argo writes'],
  ])('of a header route %s', (_, ingress, problem) => {
    expect(of(ingress, ROUTED)).toContain(problem);
  });

  it('is one of several', () => {
    const two = (first: object, second: object) => problemsOf({ ingresses: [first, second] }).join('\n');
    expect(two({}, {})).toBe('');
    expect(two({}, { metadata: { name: 'web' } })).toContain('ingresses[1] has the name "web" of another Ingress');
    expect(two({ targetType: 'ip' }, { targetType: 'instance' })).toContain('the Ingresses have different targetTypes');
    expect(
      problemsOf({ strategy: ArgoAlbStrategy.blueGreen({ previewIngress: { listenPorts: [] } }) }).join(),
    ).toContain('previewIngress.listenPorts is empty');
  });

  it('of a class that is not called alb is checked as well', () => {
    const group = { name: 'Shop!' };
    expect(of({ group, ingressClass: ArgoAlbClass.field('public') })).toContain('Shop!');
    expect(of({ group, ingressClass: ArgoAlbClass.annotation('public') })).toContain('Shop!');
  });
});

describe('a migration', () => {
  it('needs the live Service as the stable one', () => {
    const migration = 'prepare' as const;
    const steps = [setWeight(20)];
    expect(problemsOf({ migration })).toEqual([]);
    const other = ArgoAlbStrategy.canary({ steps, rootService: 'root' });
    expect(problemsOf({ migration, strategy: other }).join()).toContain(
      'the action is "root" and the stable Service is "web-stable"',
    );
    expect(problemsOf({ migration, strategy: ArgoAlbStrategy.pingPong({ steps }) }).join()).toContain(
      'would leave the live Service of a ping-pong without pods',
    );
    expect(problemsOf({ migration, strategy: ArgoAlbStrategy.blueGreen() }).join()).toContain('remove migration');
  });
});

describe('the scale of a step', () => {
  it.each([{ matchTrafficWeight: true }, { weight: 0 }, { weight: 100 }, { replicas: 0 }, { replicas: 101 }])(
    'may be %j',
    (scale) => {
      expect(withSteps({ setCanaryScale: scale })).toEqual([]);
    },
  );
});
