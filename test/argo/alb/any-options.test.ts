import fc from 'fast-check';
import { expect, it } from 'vitest';
import { admissionFindings } from '../../../src/argo/admission';
import {
  ArgoAlbClass,
  type ArgoAlbRolloutOptions,
  ArgoAlbService,
  ArgoAlbStrategy,
  argoAlbObjects,
} from '../../../src/argo/alb';
import { playArgoCanary } from '../../../src/argo/controller';
import { checkArgoAlb } from '../../../src/argo/rules';
import { type ArgoCanaryStep, ArgoStep, argoAnalysis } from '../../../src/argo/steps';
import { awsAlbRouter } from '../../../src/routers/aws-alb';
import { checkAwsAlb } from '../../../src/routers/aws-alb/checks';
import { TEMPLATE, worldOf } from './options';

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
/** Mostly right, and now and then not. */
const mostly = <T>(right: fc.Arbitrary<T>, wrong: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 24, arbitrary: right }, { weight: 1, arbitrary: wrong });
const percent = mostly(fc.integer({ min: 0, max: 100 }), fc.integer({ min: -5, max: 130 }));
const word = mostly(
  fc.constantFrom('web', 'beta', 'next', 'other', 'more'),
  fc.constantFrom('web-stable', 'Beta', '1st', 'a'.repeat(60)),
);
const headers = fc.dictionary(
  mostly(fc.constantFrom('x-beta', 'x-region'), fc.constantFrom('Host', 'x b')),
  fc.array(mostly(fc.constantFrom('1', 'eu', 'us', 'b*'), fc.constant('')), { minLength: 1, maxLength: 2 }),
  { minKeys: 1, maxKeys: 2 },
);
const step: fc.Arbitrary<ArgoCanaryStep> = fc.oneof(
  percent.map((weight) => ArgoStep.setWeight(weight)),
  maybe(mostly<number | string>(fc.integer({ min: 0, max: 600 }), fc.constantFrom(-1, '10m', 'soon'))).map((time) =>
    ArgoStep.pause(time),
  ),
  fc
    .oneof(
      percent.map((weight) => ({ weight })),
      mostly(fc.integer({ min: 0, max: 5 }), fc.constant(-1)).map((replicas) => ({ replicas })),
      fc.constant({ matchTrafficWeight: true } as const),
    )
    .map((scale) => ArgoStep.setCanaryScale(scale)),
  fc.tuple(word, headers).map(([name, match]) => ArgoStep.setHeaderRoute(name, match)),
  word.map((name) => ArgoStep.removeHeaderRoute(name)),
  maybe(fc.integer({ min: 0, max: 20 })).map((weight) =>
    ArgoStep.experiment({ templates: [{ name: 'a', specRef: 'canary', weight }] }),
  ),
  fc.constant(ArgoStep.analysis(['errors'])),
);
const service = maybe(
  fc.oneof(
    word.map((name) => ArgoAlbService.named(name)),
    fc.constant(ArgoAlbService.existing('live')),
  ),
);
const shared = {
  steps: fc.array(step, { maxLength: 5 }),
  stickiness: maybe(mostly(fc.constantFrom(1, 604_800), fc.constantFrom(0, 604_801))),
  scaleDownDelay: maybe(fc.constantFrom(0, 60)),
  dynamicStableScale: maybe(fc.boolean()),
  analysis: maybe(fc.constant(argoAnalysis(['errors']))),
};
const root = maybe(
  fc.oneof(
    word,
    word.map((name) => ArgoAlbService.named(name)),
  ),
);
const strategy = fc.oneof(
  fc
    .record({ ...shared, stableService: service, canaryService: service, rootService: root })
    .map((options) => ArgoAlbStrategy.canary(options)),
  fc
    .record({ ...shared, pingService: service, pongService: service, rootService: root })
    .map((options) => ArgoAlbStrategy.pingPong(options)),
  fc
    .record({ activeService: service, previewService: service, scaleDownDelay: shared.scaleDownDelay })
    .map((options) => ArgoAlbStrategy.blueGreen(options)),
);
const path = fc.record({
  path: mostly(fc.constantFrom('/', '/cart', '/cart/', '/*', '/*.png'), fc.constantFrom('cart', '/a b')),
  pathType: fc.option(fc.constantFrom('Exact' as const, 'Prefix' as const, 'ImplementationSpecific' as const), {
    nil: undefined,
    freq: 1,
  }),
});
const ingress = fc.record({
  rules: maybe(
    fc.array(
      fc.record({
        host: maybe(fc.constantFrom('a.example.com', '*.example.com')),
        paths: maybe(fc.array(path, { minLength: 1, maxLength: 3 })),
      }),
      { minLength: 1, maxLength: 2 },
    ),
  ),
  ingressClass: maybe(fc.constantFrom(ArgoAlbClass.annotation('alb'), ArgoAlbClass.field('alb'))),
  targetType: maybe(fc.constantFrom('ip' as const, 'instance' as const)),
  group: maybe(
    fc.record({
      name: maybe(mostly(fc.constant('shop'), fc.constant('Shop!'))),
      order: maybe(mostly(fc.constantFrom(0, 5), fc.constant(2000))),
    }),
  ),
  sslRedirect: maybe(fc.boolean()),
});
const options: fc.Arbitrary<ArgoAlbRolloutOptions> = fc.record({
  template: fc.constant(TEMPLATE),
  strategy,
  replicas: maybe(fc.integer({ min: 0, max: 5 })),
  port: mostly(fc.constantFrom(8080), fc.constantFrom(80, 0)),
  ingress: maybe(ingress),
});

/** What Helm charts and other repositories would bring. */
const OTHERS = [
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'live', namespace: 'shop' },
    spec: { type: 'NodePort', selector: { app: 'web' }, ports: [80, 8080].map((port) => ({ name: `p${port}`, port })) },
  },
  {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AnalysisTemplate',
    metadata: { name: 'errors', namespace: 'shop' },
    spec: {
      metrics: [
        { name: 'errors', count: 1, provider: { prometheus: { address: 'http://prometheus:9090', query: 'up' } } },
      ],
    },
  },
];

it('takes nothing that Argo, Kubernetes or AWS would refuse, and plays what it takes', () => {
  let taken = 0;
  const property = fc.property(options, (given) => {
    let objects: ReturnType<typeof argoAlbObjects>;
    try {
      objects = argoAlbObjects(given, { name: 'web', namespace: 'shop' });
    } catch (error) {
      expect((error as Error).message).toMatch(/^(\n {2}- [^\n]+)+$/);
      return;
    }
    taken++;
    const world = worldOf(objects, ...OTHERS);
    const findings = [...admissionFindings(world), ...checkArgoAlb(world), ...checkAwsAlb(world)];
    expect(findings.filter(({ severity }) => severity === 'error').map(({ message }) => message)).toEqual([]);
    const [rollout] = world.list('Rollout.argoproj.io');
    for (const moment of playArgoCanary(world, rollout!)?.moments ?? []) {
      const { loadBalancers, unserved } = awsAlbRouter().routes(moment.world);
      expect([unserved.length, loadBalancers.map(({ frozen }) => frozen?.why)]).toEqual([0, [undefined]]);
    }
  });
  fc.assert(property, { seed: 20261122, numRuns: 400 });
  // What is refused all the time would show nothing.
  expect(taken).toBeGreaterThan(100);
});
