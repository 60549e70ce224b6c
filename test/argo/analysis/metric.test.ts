import { Chart, Duration, Testing } from 'cdk8s';
import { describe, expect, it } from 'vitest';
import { ArgoAnalysisTemplate, ArgoMetric, ArgoStep, type argo } from '../../../src/constructs';
import { applicationElbProblems, promqlProblems } from '../../../src/metrics';

const NGINX = { namespace: 'shop', canaryService: 'web-canary', port: 80 };
const ISTIO = { namespace: 'shop', service: 'web-canary' };
const queryOf = ({ provider }: argo.Metric) => provider.prometheus!.query;

describe('ready-made metrics', () => {
  it.each([
    ArgoMetric.nginxSuccessRate({ ...NGINX, minSuccessRate: 0.99 }),
    ArgoMetric.nginxLatency({ ...NGINX, maxMilliseconds: 500 }),
    ArgoMetric.istioSuccessRate({ ...ISTIO, minSuccessRate: '{{args.rate}}' }),
    ArgoMetric.istioLatency({
      ...ISTIO,
      maxMilliseconds: 500,
      percentile: 0.99,
      labels: { destination_version: 'v2' },
    }),
  ])('ask for what the router exports, of the canary alone: %#', (metric) => {
    expect(promqlProblems(queryOf(metric), true)).toEqual([]);
  });

  it.each([ArgoMetric.albSuccessRate({ minSuccessRate: 0.99 }), ArgoMetric.albLatency({ maxMilliseconds: 500 })])(
    'ask CloudWatch for what it has: %#',
    ({ provider }) => {
      const asked = provider.cloudWatch!.metricDataQueries.flatMap(({ metricStat }) => metricStat?.metric ?? []);
      expect(asked.length).toBeGreaterThan(0);
      for (const { metricName = '', dimensions = [] } of asked)
        expect(applicationElbProblems({ metricName, dimensions: dimensions as never }, true)).toEqual([]);
    },
  );

  it('write one query', () => {
    expect(queryOf(ArgoMetric.nginxSuccessRate({ ...NGINX, minSuccessRate: 0.99, range: '2m' }))).toBe(
      'sum(rate(nginx_ingress_controller_requests{canary="shop-web-canary-80", status!~"5.."}[2m])) / ' +
        'sum(rate(nginx_ingress_controller_requests{canary="shop-web-canary-80"}[2m]))',
    );
    expect(queryOf(ArgoMetric.istioLatency({ ...ISTIO, maxMilliseconds: 500 }))).toBe(
      'histogram_quantile(0.95, sum by (le) (rate(istio_request_duration_milliseconds_bucket{reporter="destination", ' +
        'destination_service_namespace="shop", destination_service_name="web-canary"}[5m])))',
    );
  });

  it('take durations, and the times of a measurement', () => {
    const metric = ArgoMetric.prometheus({
      name: 'a',
      query: 'up',
      interval: Duration.minutes(1),
      count: 3,
      failureLimit: 1,
    });
    expect(metric).toEqual({
      name: 'a',
      interval: '60s',
      count: 3,
      failureLimit: 1,
      provider: { prometheus: { query: 'up' } },
    });
    const web = ArgoMetric.web({ name: 'w', url: 'https://x', interval: '5s', count: 2, successCondition: 'result' });
    expect(web).toEqual({
      name: 'w',
      interval: '5s',
      count: 2,
      successCondition: 'result',
      provider: { web: { url: 'https://x' } },
    });
  });

  it.each([
    [
      () => ArgoMetric.nginxSuccessRate({ ...NGINX, minSuccessRate: 95 }),
      'minSuccessRate is 95: give a share from 0 to 1; did you mean 0.95?',
    ],
    [
      () => ArgoMetric.nginxLatency({ ...NGINX, maxMilliseconds: 0 }),
      'maxMilliseconds is 0: give milliseconds above 0',
    ],
    [
      () => ArgoMetric.istioLatency({ ...ISTIO, maxMilliseconds: 1, percentile: 99 }),
      'percentile is 99: give a share from 0 to 1; did you mean 0.99?',
    ],
    [
      () => ArgoMetric.albLatency({ maxMilliseconds: 1, range: '5min' }),
      'range is "5min": give a number and a unit, such as 30s, 5m or 1h',
    ],
  ])('refuse what cannot be meant: %#', (make, message) => {
    expect(make).toThrow(message);
  });
});

describe('ArgoAnalysisTemplate', () => {
  const make = (props: ConstructorParameters<typeof ArgoAnalysisTemplate>[2]) =>
    new ArgoAnalysisTemplate(new Chart(Testing.app(), 'chart', { namespace: 'shop' }), 'alb', props);

  it('declares the arguments that its metrics use, and has a reference for steps', () => {
    const template = make({
      metadata: { name: 'alb' },
      metrics: [ArgoMetric.albSuccessRate({ minSuccessRate: 0.99, interval: '1m', count: 5 })],
    });
    expect(template.apiObject.toJson().spec.args).toEqual([{ name: 'load-balancer' }, { name: 'target-group' }]);
    expect(ArgoStep.analysis([template.ref], { args: ArgoMetric.albArguments() })).toMatchObject({
      analysis: { templates: [{ templateName: 'alb' }], args: [{ name: 'load-balancer' }, { name: 'target-group' }] },
    });
    expect(template.findings()).toEqual([]);
  });

  it('is for the whole cluster, without a namespace', () => {
    const template = make({
      metadata: { name: 'up' },
      clusterScope: true,
      metrics: [ArgoMetric.prometheus({ name: 'up', query: 'up' })],
    });
    expect(template.apiObject.toJson()).toMatchObject({ kind: 'ClusterAnalysisTemplate', metadata: { name: 'up' } });
    expect(template.apiObject.toJson().metadata.namespace).toBeUndefined();
    expect(template.ref).toEqual({ templateName: 'up', clusterScope: true });
  });

  it('reports what its queries and conditions cannot do', () => {
    const template = make({
      metrics: [
        ArgoMetric.prometheus({
          name: 'a',
          query: 'sum(rate(istio_request_total[5m]))',
          successCondition: 'result > 1',
        }),
      ],
    });
    expect(template.findings().map(({ rule }) => rule)).toEqual([
      'argo-condition-invalid',
      'argo-query-metric-unknown',
    ]);
  });
});
