import { describe, expect, it } from 'vitest';
import { admissionFindings } from '../../../src/argo/admission';
import type {
  AlbTrafficRouting,
  AnalysisRun,
  AnalysisTemplate,
  CanaryStep,
  ClusterAnalysisTemplate,
  Experiment,
  MetricProvider,
  PodTemplateSpec,
  Rollout,
  RolloutStrategy,
} from '../../../src/argo/api';
import { Manifest, World } from '../../../src/core';
import type { JsonObject } from '../../../src/core/json';

/** The findings of typed objects, as `rule path`. */
function findings(...objects: readonly object[]): string[] {
  const world = World.of(objects.map((object) => Manifest.of(object as JsonObject)));
  return admissionFindings(world).map(({ rule, path }) => `${rule} ${path}`);
}

const apiVersion = 'argoproj.io/v1alpha1';
const metadata = { name: 'shop' };

const pods: PodTemplateSpec = {
  metadata: { labels: { app: 'shop' } },
  spec: {
    containers: [
      {
        name: 'web',
        image: 'shop:2',
        ports: [{ containerPort: 8080 }, { containerPort: 8080, protocol: 'UDP' }],
        resources: { limits: { memory: '1Gi', cpu: 1 } },
        readinessProbe: { httpGet: { port: 8080, path: '/ready' } },
        volumeMounts: [{ mountPath: '/data', name: 'data' }],
      },
    ],
    volumes: [{ name: 'data', emptyDir: {} }],
    affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone' }] } },
  },
};

/** Every kind of step that needs no router. */
const steps: CanaryStep[] = [
  { setWeight: 20 },
  { pause: {} },
  { pause: { duration: '10m' } },
  { pause: { duration: 30 } },
  { analysis: { templates: [{ templateName: 'shop' }], args: [{ name: 'host', value: 'shop' }] } },
  { experiment: { duration: '5m', templates: [{ name: 'old', specRef: 'stable', replicas: 1 }] } },
  { plugin: { name: 'example/step', config: { any: { thing: [1, 2] } } } },
];

const template: AnalysisTemplate = {
  apiVersion,
  kind: 'AnalysisTemplate',
  metadata,
  spec: {
    args: [{ name: 'host' }],
    metrics: [
      {
        name: 'ok',
        interval: '30s',
        count: 3,
        failureLimit: 1,
        successCondition: 'result >= 0.95',
        provider: { prometheus: { address: 'https://{{args.host}}', query: 'up' } },
      },
    ],
  },
};

describe('the types', () => {
  it('accept what the controller accepts, of every kind', () => {
    const rollout: Rollout = {
      apiVersion,
      kind: 'Rollout',
      metadata,
      spec: { selector: { matchLabels: { app: 'shop' } }, template: pods, strategy: { canary: { steps } } },
    };
    const shared: ClusterAnalysisTemplate = { ...template, kind: 'ClusterAnalysisTemplate' };
    const run: AnalysisRun = {
      apiVersion,
      kind: 'AnalysisRun',
      metadata,
      spec: {
        metrics: template.spec.metrics!,
        args: [{ name: 'host', value: 'shop' }],
        dryRun: [{ metricName: 'o.' }],
      },
    };
    const experiment: Experiment = {
      apiVersion,
      kind: 'Experiment',
      metadata,
      spec: {
        duration: '10m',
        templates: [{ name: 'new', selector: { matchLabels: { app: 'shop' } }, template: pods, service: {} }],
        analyses: [{ name: 'ok', templateName: 'shop', clusterScope: true, args: [{ name: 'host', value: 'shop' }] }],
      },
    };
    expect(findings(rollout, template, shared, run, experiment)).toEqual([]);
  });

  it('accept every provider of metrics', () => {
    const providers: MetricProvider[] = [
      { cloudWatch: { metricDataQueries: [{ id: 'a', metricStat: { metric: { metricName: 'x' }, period: 60 } }] } },
      { datadog: { apiVersion: 'v2', queries: { a: 'x' }, formula: 'a', aggregator: 'avg' } },
      { graphite: { address: 'http://graphite', query: 'x' } },
      { influxdb: { profile: 'influx', query: 'x' } },
      { job: { spec: { template: { spec: { containers: [{ name: 'test' }], restartPolicy: 'Never' } } } } },
      {
        kayenta: {
          address: 'http://kayenta',
          application: 'shop',
          canaryConfigName: 'shop',
          configurationAccountName: 'a',
          metricsAccountName: 'b',
          storageAccountName: 'c',
          threshold: { pass: 90, marginal: 75 },
          scopes: [
            {
              name: 'default',
              controlScope: { scope: 'old', region: 'eu', step: 60 },
              experimentScope: { scope: 'new', region: 'eu', step: 60 },
            },
          ],
        },
      },
      { newRelic: { query: 'FROM x SELECT y' } },
      { plugin: { 'example/metric': { any: 'thing' } } },
      { prometheus: { query: 'up', authentication: { sigv4: { region: 'eu-west-1' } } } },
      { skywalking: { query: 'x', interval: '5m' } },
      { wavefront: { query: 'x' } },
      { web: { url: 'https://shop', method: 'POST', jsonBody: { a: [1] }, jsonPath: '{$.ok}' } },
    ];
    const all: AnalysisTemplate = {
      ...template,
      spec: { metrics: providers.map((provider, index) => ({ name: `metric-${index}`, provider })) },
    };
    expect(findings(all)).toEqual([]);
  });

  it('reject both or neither of two alternatives', () => {
    // @ts-expect-error both strategies
    const both: RolloutStrategy = { canary: {}, blueGreen: { activeService: 'shop' } };
    // @ts-expect-error no strategy
    const neither: RolloutStrategy = {};
    // @ts-expect-error one Ingress and several
    const alb: AlbTrafficRouting = { servicePort: 80, ingress: 'a', ingresses: ['b'] };
    expect([both, neither, alb]).toHaveLength(3);
  });

  it('reject what only the controller would reject, and misspelt fields', () => {
    // @ts-expect-error pods without a selector
    const spec: Rollout['spec'] = { template: pods, strategy: { canary: {} } };
    // @ts-expect-error a header route without its name
    const route: CanaryStep = { setHeaderRoute: { match: [] } };
    // @ts-expect-error misspelt
    const step: CanaryStep = { setWieght: 20 };
    expect([spec, route, step]).toHaveLength(3);
  });
});
