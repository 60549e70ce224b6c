import { ApiObject, App, Chart, Duration, Testing, Yaml } from 'cdk8s';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  AlbIngressClass,
  ArgoAlbClass,
  ArgoAlbRollout,
  type ArgoAlbRolloutProps,
  ArgoAlbService,
  ArgoAlbStrategy,
  ArgoGitOps,
  ArgoStep,
  argoAnalysis,
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

const TEMPLATE = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'example.com/web:1.0.0', ports: [{ containerPort: 8080 }] }] },
};
const STEPS = [ArgoStep.setWeight(20), ArgoStep.pause(Duration.minutes(10)), ArgoStep.setWeight(60), ArgoStep.pause()];
const PROPS: ArgoAlbRolloutProps = {
  metadata: { name: 'web' },
  template: TEMPLATE,
  replicas: 5,
  strategy: ArgoAlbStrategy.canary({ steps: STEPS }),
  ingress: { rules: [{ host: 'shop.example.com' }] },
};

function chartOf(app = new App(), id = 'shop'): Chart {
  return new Chart(app, id, { namespace: 'shop', disableResourceNameHashes: true });
}

function rolloutOf(props: Partial<ArgoAlbRolloutProps> = {}, chart = chartOf()): ArgoAlbRollout {
  return new ArgoAlbRollout(chart, 'web', { ...PROPS, ...props });
}

function failureOf(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

/** The rules of errors and warnings. Notes are about properties of every canary of a kind. */
const seriousOf = (rollout: ArgoAlbRollout) =>
  rollout
    .findings()
    .filter(({ severity }) => severity !== 'note')
    .map(({ rule }) => rule);
const synthFailureOf = (rollout: ArgoAlbRollout) => failureOf(() => (rollout.node.root as App).synthYaml());

describe('ArgoAlbRollout', () => {
  test('the Rollout is the default child, and the others are at hand', () => {
    const rollout = rolloutOf();
    expect(rollout.node.defaultChild).toBe(rollout.apiObject);
    expect([rollout.apiVersion, rollout.kind, rollout.name]).toEqual(['argoproj.io/v1alpha1', 'Rollout', 'web']);
    expect(rollout.services.map(({ name }) => name)).toEqual(['web-stable', 'web-canary']);
    expect(rollout.ingresses.map(({ name }) => name)).toEqual(['web']);
  });

  test('all of a canary passes the checks and the rehearsal', () => {
    const chart = chartOf();
    const rollout = rolloutOf({}, chart);
    expect(synthFailureOf(rollout)).toBe('');
    expect(printed.join('')).toBe('');
    expect(seriousOf(rollout)).toEqual([]);
    expect(Testing.synth(chart)).toMatchSnapshot();
    expect(rollout.toYaml()).toBe(Yaml.stringify(...Testing.synth(chart)));
  });

  test('names follow from the place in the tree, and the namespace from the chart or the Rollout', () => {
    const chart = new Chart(new App(), 'shop', { namespace: 'shop' });
    const rollout = rolloutOf({ metadata: undefined }, chart);
    expect(rollout.name).toMatch(/^shop-web-c[0-9a-f]+$/);
    expect(rollout.services.map(({ name }) => name)).toEqual([`${rollout.name}-stable`, `${rollout.name}-canary`]);
    expect(rollout.ingresses[0]!.toJson().spec.rules[0].http.paths[0].backend.service.name).toBe(
      `${rollout.name}-stable`,
    );
    const elsewhere = rolloutOf({ metadata: { name: 'web', namespace: 'other' } });
    const all = [elsewhere.apiObject, ...elsewhere.services, ...elsewhere.ingresses];
    expect(new Set(all.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['other']));
  });

  test('labels and annotations of the Rollout stay', () => {
    const metadata = { name: 'web', labels: { team: 'shop' }, annotations: { note: 'as agreed' } };
    expect(rolloutOf({ metadata }).apiObject.toJson().metadata).toMatchObject(metadata);
  });

  test('what Argo or AWS would refuse is one error with the construct and all problems', () => {
    const strategy = ArgoAlbStrategy.canary({ steps: [ArgoStep.setWeight(120)], stickiness: 0 });
    const failure = failureOf(() => rolloutOf({ strategy, port: 0 }));
    expect(failure.split('\n').map((line) => line.trim().slice(0, 40))).toEqual([
      'shop/web:',
      '- port is 0: give an integer from 1 to 6',
      '- steps[0].setWeight: 120 is not between',
      '- trafficRouting.alb.stickinessConfig.du',
    ]);
  });

  test('what depends on other objects is a finding at synth', () => {
    const strategy = ArgoAlbStrategy.canary({ steps: STEPS, analysis: argoAnalysis(['errors']) });
    // A warning, as the chart has no other AnalysisTemplate: they may be in another repository.
    expect(synthFailureOf(rolloutOf({ strategy }))).toBe('');
    expect(synthFailureOf(rolloutOf({ strategy, warnings: 'fail' }))).toContain('argo-analysis-template-not-found');
  });

  test('an object of another repository is external', () => {
    const strategy = ArgoAlbStrategy.canary({ steps: STEPS, stableService: ArgoAlbService.existing('live') });
    const live = { kind: 'Service', name: 'live' };
    expect(synthFailureOf(rolloutOf({ strategy }))).toContain('argo-service-not-found');
    expect(synthFailureOf(rolloutOf({ strategy, external: [live] }))).not.toContain('argo-service-not-found');
  });

  test('a finding can be accepted with a reason', () => {
    const strategy = ArgoAlbStrategy.canary({ steps: STEPS, annotationPrefix: 'alb.example.com' });
    const rule = 'argo-alb-annotation-prefix';
    expect(
      rolloutOf({ strategy })
        .findings()
        .map((finding) => finding.rule),
    ).toContain(rule);
    const reason = 'our build of the load balancer controller reads it';
    const accepted = rolloutOf({ strategy, suppressions: [{ rule, reason }] });
    expect(accepted.findings().map((finding) => finding.rule)).not.toContain(rule);
  });

  test('a header route that comes after the pods rehearses clean, one before does not', () => {
    const route = ArgoStep.setHeaderRoute('beta', { 'x-beta': '1' });
    const of = (...steps: readonly (typeof route)[]) => rolloutOf({ strategy: ArgoAlbStrategy.canary({ steps }) });
    expect(synthFailureOf(of(ArgoStep.setCanaryScale({ replicas: 1 }), route, ArgoStep.pause()))).toBe('');
    expect(
      of(route, ArgoStep.pause())
        .findings()
        .map(({ rule }) => rule),
    ).toContain('argo-alb-header-before-canary');
  });

  test('a class with parameters and the construct agree', () => {
    const chart = chartOf();
    const albClass = new AlbIngressClass(chart, 'class', {
      metadata: { name: 'public' },
      group: 'edge',
      targetType: 'ip',
      scheme: 'internet-facing',
    });
    const rollout = rolloutOf({ ingress: { ...PROPS.ingress, ingressClass: ArgoAlbClass.field(albClass) } }, chart);
    expect(synthFailureOf(rollout)).toBe('');
    const { metadata, spec } = rollout.ingresses[0]!.toJson();
    expect(spec.ingressClassName).toBe('public');
    expect(metadata.annotations['alb.ingress.kubernetes.io/group.name']).toBe('edge');
  });

  test('the first step of a migration is accepted as it is, and needs the live Service', () => {
    const chart = chartOf();
    const service = new ApiObject(chart, 'service', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'live' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
    });
    const strategy = ArgoAlbStrategy.canary({ steps: STEPS, stableService: ArgoAlbService.existing(service) });
    const rollout = rolloutOf({ strategy, migration: 'prepare' }, chart);
    expect(synthFailureOf(rollout)).toBe('');
    expect(printed.join('')).toBe('');
    const [path] = rollout.ingresses[0]!.toJson().spec.rules[0].http.paths;
    expect(path.backend).toEqual({ service: { name: 'live', port: { number: 80 } } });
    expect(seriousOf(rollout)).toEqual([]);
  });

  test('suppressions of the first step of a migration add to those of the user', () => {
    const ignore = 'rollout-constructs.io/ignore';
    const metadata = { name: 'web', annotations: { [ignore]: 'argo-alb-annotation-prefix: ours' } };
    const strategy = ArgoAlbStrategy.canary({ steps: STEPS, annotationPrefix: 'alb.example.com' });
    const rollout = rolloutOf({ metadata, strategy, migration: 'prepare' });
    expect(rollout.apiObject.toJson().metadata.annotations[ignore]).toBe(
      'argo-alb-annotation-prefix: ours\n' +
        'rehearsal-canary-gets-nothing: the first step of the change to actions: there is no release before the second step',
    );
    expect(seriousOf(rollout)).toEqual([]);
  });
});

describe('readiness gates', () => {
  const namespaceOf = (chart: Chart, kind = 'Namespace') =>
    new ApiObject(chart, 'namespace', { apiVersion: 'v1', kind, metadata: { name: 'shop' } });
  const of = (inject: boolean) => {
    const app = new App();
    const namespace = namespaceOf(new Chart(app, 'cluster', { disableResourceNameHashes: true }));
    if (inject) ArgoAlbRollout.injectReadinessGates(namespace);
    return rolloutOf({ strategy: ArgoAlbStrategy.pingPong({ steps: STEPS }) }, chartOf(app));
  };

  test('are a label of the Namespace, and a missing one is a finding', () => {
    expect(seriousOf(of(false))).toEqual(['argo-alb-no-readiness-gate']);
    expect(seriousOf(of(true))).toEqual([]);
  });

  test('are a matter of Namespaces alone', () => {
    expect(() => ArgoAlbRollout.injectReadinessGates(namespaceOf(chartOf(), 'ConfigMap'))).toThrow(
      'shop/namespace is a ConfigMap: readiness gates are a label of the Namespace',
    );
  });
});

describe('the fields that GitOps tools ignore', () => {
  const service = (name: string) => ({
    group: '',
    kind: 'Service',
    namespace: 'shop',
    name,
    jsonPointers: ['/spec/selector/rollouts-pod-template-hash'],
  });

  test('are only the selectors of the Services, if nothing else is rewritten', () => {
    const rollout = rolloutOf();
    expect(rollout.argoCdIgnoreDifferences()).toEqual([service('web-canary'), service('web-stable')]);
    expect(rollout.fluxIgnoreRules()[0]).toEqual({
      paths: ['/spec/selector/rollouts-pod-template-hash'],
      target: { kind: 'Service', namespace: 'shop', name: 'web-canary' },
    });
  });

  test('are the rules of Ingresses with header routes, and the replicas of a workload', () => {
    const chart = chartOf();
    new ApiObject(chart, 'deployment', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: { app: 'web' } }, template: TEMPLATE },
    });
    const rollout = rolloutOf(
      {
        template: undefined,
        workloadRef: { name: 'web', scaleDown: 'onsuccess' },
        selector: { app: 'web' },
        strategy: ArgoAlbStrategy.canary({
          steps: [ArgoStep.setCanaryScale({ replicas: 1 }), ArgoStep.setHeaderRoute('beta', { 'x-beta': '1' })],
        }),
      },
      chart,
    );
    expect(rollout.argoCdIgnoreDifferences().map(({ kind, name, jsonPointers }) => [kind, name, jsonPointers])).toEqual(
      [
        ['Deployment', 'web', ['/spec/replicas']],
        ['Ingress', 'web', ['/spec/rules']],
        ['Service', 'web-canary', ['/spec/selector/rollouts-pod-template-hash']],
        ['Service', 'web-stable', ['/spec/selector/rollouts-pod-template-hash']],
      ],
    );
  });

  test('are an action that a manifest declares, by a pointer that is escaped', () => {
    const chart = chartOf();
    const rollout = rolloutOf({}, chart);
    rollout.ingresses[0]!.metadata.addAnnotation('alb.ingress.kubernetes.io/actions.web-stable', '{}');
    expect(ArgoGitOps.argoCdIgnoreDifferences(chart)[0]).toMatchObject({
      kind: 'Ingress',
      jsonPointers: ['/metadata/annotations/alb.ingress.kubernetes.io~1actions.web-stable'],
    });
  });

  test('are those of one scope, or of the whole app', () => {
    const app = new App();
    const rollout = rolloutOf({}, chartOf(app));
    const other = new ArgoAlbRollout(chartOf(app, 'blog'), 'blog', {
      ...PROPS,
      metadata: { name: 'blog' },
      strategy: ArgoAlbStrategy.blueGreen(),
    });
    const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);
    expect(names(rollout.argoCdIgnoreDifferences())).toEqual(['web-canary', 'web-stable']);
    expect(names(other.argoCdIgnoreDifferences())).toEqual(['blog-active', 'blog-preview']);
    expect(names(ArgoGitOps.argoCdIgnoreDifferences(app))).toEqual([
      'blog-active',
      'blog-preview',
      'web-canary',
      'web-stable',
    ]);
    expect(names(ArgoGitOps.fluxIgnoreRules(app).map(({ target }) => target))).toHaveLength(4);
  });
});

test('says which port of the pods and which requests are taken for granted, until the props say so', () => {
  const bare = { metadata: TEMPLATE.metadata, spec: { containers: [{ name: 'web', image: 'example.com/web:1.0.0' }] } };
  const { ingress, ...withoutIngress } = PROPS;
  const assumedOf = (props: ArgoAlbRolloutProps) =>
    seriousOf(new ArgoAlbRollout(chartOf(), 'web', props)).filter((rule) => rule.endsWith('-assumed'));

  expect(assumedOf({ ...withoutIngress, template: bare })).toEqual([
    'argo-alb-entrance-assumed',
    'argo-alb-port-assumed',
  ]);
  expect(assumedOf({ ...PROPS, template: bare })).toEqual(['argo-alb-port-assumed']);
  expect(assumedOf({ ...PROPS, template: bare, targetPort: 80 })).toEqual([]);
  expect(assumedOf({ ...withoutIngress, ingress: {} })).toEqual([]);
  expect(assumedOf(PROPS)).toEqual([]);
  const accepted = { ...PROPS, template: bare, suppressions: [{ rule: 'argo-alb-port-assumed', reason: 'it is 80' }] };
  expect(seriousOf(new ArgoAlbRollout(chartOf(), 'web', accepted))).toEqual([]);
});
