import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admissionFindings } from '../../../src/argo/admission';
import type { ArgoCheckOptions } from '../../../src/argo/check-options';
import { ArgoRolloutsVersion } from '../../../src/argo/version';
import { Manifest, parseManifests, World } from '../../../src/core';
import type { Json, JsonObject } from '../../../src/core/json';

/** The findings, as `severity rule path`. */
function found(text: string, options?: ArgoCheckOptions): string[] {
  const { manifests, findings } = parseManifests(text, 'argo.yaml');
  expect(findings).toEqual([]);
  return admissionFindings(World.of(manifests), options).map(
    ({ severity, rule, path }) => `${severity} ${rule} ${path}`,
  );
}

const object = (kind: string, spec: string, metadata = '{name: shop}') =>
  `apiVersion: argoproj.io/v1alpha1\nkind: ${kind}\nmetadata: ${metadata}\nspec: ${spec}\n---\n`;
const WEB = 'provider: {web: {url: "https://shop"}}';
const template = (metric: string, more = '') => object('AnalysisTemplate', `{${more}metrics: [{name: ok, ${metric}}]}`);
const run = (metric: string, more = '') => object('AnalysisRun', `{${more}metrics: [{name: ok, ${metric}}]}`);
const METRIC = 'spec.metrics[0]';

describe('metrics', () => {
  it.each([
    [
      'two providers',
      'provider: {web: {url: x}, job: {spec: {template: {}}}}',
      `argo-metric-provider ${METRIC}.provider`,
    ],
    ['two plugins', 'provider: {plugin: {a/b: {}, c/d: {}}}', `argo-metric-provider ${METRIC}.provider`],
    ['a plugin without a name', 'provider: {plugin: {}}', `argo-metric-provider ${METRIC}.provider`],
    ['an interval without a unit', `interval: "30", ${WEB}`, `argo-metric-interval ${METRIC}.interval`],
    ['a delay in days', `initialDelay: 1d, ${WEB}`, `argo-metric-interval ${METRIC}.initialDelay`],
    ['a count as text without an interval', `count: "2", ${WEB}`, `argo-metric-interval ${METRIC}.interval`],
    [
      'more inconclusive than all',
      `count: 1, inconclusiveLimit: 2, ${WEB}`,
      `argo-metric-limit ${METRIC}.inconclusiveLimit`,
    ],
    [
      'a negative limit of errors',
      `consecutiveErrorLimit: -1, ${WEB}`,
      `argo-metric-limit ${METRIC}.consecutiveErrorLimit`,
    ],
    ['a negative limit of failures', `failureLimit: -2, ${WEB}`, `argo-metric-limit ${METRIC}.failureLimit`],
  ])('%s', (_, metric, expected) => {
    expect(found(template(metric))).toEqual([`error ${expected}`]);
  });

  it.each([
    ['one plugin', 'provider: {plugin: {a/b: {}}}'],
    ['a count of one without an interval', `count: 1, ${WEB}`],
    ['an interval without a count, which never ends', `interval: 1m, ${WEB}`],
    ['limits without a count', `interval: 1m, failureLimit: 5, ${WEB}`],
    ['more errors in a row than measurements', `count: 2, interval: 1h30m, consecutiveErrorLimit: 4, ${WEB}`],
  ])('accept %s', (_, metric) => {
    expect(found(template(metric))).toEqual([]);
  });

  const LIMIT = `error argo-metric-limit ${METRIC}`;
  it.each([
    ['count: 5, interval: 1s, failureLimit: 3, consecutiveSuccessLimit: 3', [`${LIMIT}.failureLimit`], []],
    ['count: 5, interval: 1s, failureLimit: 2, consecutiveSuccessLimit: 3', [], []],
    ['count: 5, interval: 1s, failureLimit: 6', [`${LIMIT}.failureLimit`], [`${LIMIT}.failureLimit`]],
    ['count: 5, interval: 1s, failureLimit: -1', [`${LIMIT}.failureLimit`], [`${LIMIT}.failureLimit`]],
    ['failureLimit: -1', [`${LIMIT}.failureLimit`], [`${LIMIT}.failureLimit`]],
    ['count: 5, interval: 1s, failureLimit: -1, consecutiveSuccessLimit: 5', [], [`${LIMIT}.failureLimit`]],
    [
      'count: 5, interval: 1s, failureLimit: -1, consecutiveSuccessLimit: 6',
      [`${LIMIT}.consecutiveSuccessLimit`],
      [`${LIMIT}.failureLimit`],
    ],
    ['consecutiveSuccessLimit: -1', [`${LIMIT}.consecutiveSuccessLimit`], []],
  ])('%s, in release 1.9 and in 1.7', (metric, since18, before) => {
    const inRelease = (version: string) =>
      found(template(`${metric}, ${WEB}`), { version: ArgoRolloutsVersion.of(version) }).filter(
        (each) => !/field-unknown/.test(each),
      );
    expect(inRelease('1.9.1')).toEqual(since18);
    expect(inRelease('1.7.2')).toEqual(before);
  });

  it.each([
    ['1.7.2', ['consecutiveSuccessLimit', 'provider.prometheus.rangeQuery', 'provider.kayenta.lookback']],
    ['1.8.5', ['provider.kayenta.lookback']],
    ['1.9.1', []],
  ])('of %s do not have fields of later releases', (version, fields) => {
    const spec =
      '{metrics: [{name: ok, consecutiveSuccessLimit: 1, provider: {prometheus: {rangeQuery: {step: 1m}}}}, ' +
      '{name: more, provider: {kayenta: {lookback: true}}}]}';
    const unknown = found(object('AnalysisTemplate', spec), { version: ArgoRolloutsVersion.of(version) })
      .filter((each) => /field-unknown/.test(each))
      .map((each) => each.replace(/^.*metrics\[\d\]\./, ''));
    expect(unknown).toEqual(fields);
  });

  it('are accepted if a placeholder hides their value', () => {
    const metric = `count: "{{args.times}}", interval: "{{ args.every }}", failureLimit: "{{args.times}}", ${WEB}`;
    expect(found(template(metric, 'args: [{name: times}, {name: every}], '))).toEqual([]);
  });

  it('of a run are checked with the values of its arguments', () => {
    const args = (count: number, every: string) =>
      `args: [{name: times, value: "${count}"}, {name: every, value: "${every}"}], `;
    const metric = `count: "{{args.times}}", interval: "{{ args.every }}", failureLimit: 3, ${WEB}`;
    expect(found(run(metric, args(5, '30s')))).toEqual([]);
    expect(found(run(metric, args(2, 'often')))).toEqual([
      `error argo-metric-limit ${METRIC}.failureLimit`,
      `error argo-metric-interval ${METRIC}.interval`,
    ]);
  });
});

describe('arguments', () => {
  const metric = (tag: string) => `provider: {web: {url: "https://{{${tag}}}"}}`;

  it('that a template does not declare are a warning, as another template may declare them', () => {
    expect(found(template(metric('args.host')))).toEqual([
      `warning argo-placeholder-unknown ${METRIC}.provider.web.url`,
    ]);
    expect(found(run(metric('args.host')))).toEqual([`error argo-placeholder-unknown ${METRIC}.provider.web.url`]);
  });

  it('are the only allowed placeholders', () => {
    expect(found(template(metric('host'), 'args: [{name: host}], '))).toEqual([
      `error argo-placeholder-unknown ${METRIC}.provider.web.url`,
    ]);
  });

  it('of a run may come only from a Secret', () => {
    const from = (source: string) => run(metric('args.key'), `args: [{name: key, valueFrom: {${source}}}], `);
    expect(found(from('secretKeyRef: {name: a, key: b}'))).toEqual([]);
    expect(found(from('fieldRef: {fieldPath: metadata.name}'))).toEqual([
      'error argo-argument-without-value spec.args[0]',
    ]);
  });
});

describe('rules on metrics by name', () => {
  it.each([
    ['a part of the name', 'o', true],
    ['an expression', '^o.$', true],
    ['an expression of Go that is none here', '(?i)OK', true],
    ['another name', 'latency', false],
  ])('%s', (_, name, matches) => {
    const more = `measurementRetention: [{metricName: "${name}", limit: 5}], `;
    const path = 'spec.measurementRetention[0].metricName';
    expect(found(run(WEB, more))).toEqual(matches ? [] : [`error argo-metric-rule-unmatched ${path}`]);
    expect(found(template(WEB, more))).toEqual(matches ? [] : [`warning argo-metric-rule-unmatched ${path}`]);
  });

  it('may be for the metrics of another template', () => {
    const more = 'templates: [{templateName: other}], dryRun: [{metricName: latency}], ';
    expect(found(template(WEB, more))).toEqual([]);
  });
});

describe('templates', () => {
  it('may have only references to other templates', () => {
    expect(found(object('AnalysisTemplate', '{templates: [{templateName: other}]}'))).toEqual([]);
    expect(found(object('ClusterAnalysisTemplate', '{args: [{name: a}]}'))).toEqual([
      'error argo-analysis-without-metrics spec.metrics',
    ]);
  });
});

describe('Experiments', () => {
  const PODS = 'template: {metadata: {labels: {app: shop}}, spec: {containers: [{name: web, image: x}]}}';
  const SELECTOR = 'selector: {matchLabels: {app: shop}}';
  const experiment = (templates: string, more = '') => object('Experiment', `{${more}templates: [${templates}]}`);
  const AT = 'spec.templates[0]';

  it.each([
    ['an empty selector', `{name: a, selector: {}, ${PODS}}`, `${AT}.selector`],
    [
      'an invalid selector',
      `{name: a, selector: {matchExpressions: [{key: a, operator: In}]}, ${PODS}}`,
      `${AT}.selector.matchExpressions[0].values`,
    ],
    ['no name', `{name: "", ${SELECTOR}, ${PODS}}`, `${AT}.name`],
    ['a name twice', `{name: a, ${SELECTOR}, ${PODS}}, {name: a, ${SELECTOR}, ${PODS}}`, 'spec.templates[1].name'],
    ['pods that are ready too late', `{name: a, minReadySeconds: 601, ${SELECTOR}, ${PODS}}`, `${AT}.minReadySeconds`],
    [
      'pods without an image',
      `{name: a, ${SELECTOR}, ${PODS.replace(', image: x', '')}}`,
      `${AT}.template.spec.containers[0].image`,
    ],
  ])('with %s', (_, templates, path) => {
    expect(found(experiment(templates))).toEqual([`error argo-experiment-invalid ${path}`]);
  });

  it('with two templates without a name: each is empty, and neither is a duplicate', () => {
    const template = `{name: "", ${SELECTOR}, ${PODS}}`;
    const { manifests } = parseManifests(experiment(`${template}, ${template}`), 'argo.yaml');
    const texts = admissionFindings(World.of(manifests)).map(({ path, message }) => [path, message]);
    expect(texts).toEqual([
      [`${AT}.name`, expect.stringContaining('is empty')],
      ['spec.templates[1].name', expect.stringContaining('is empty')],
    ]);
  });

  it('may wait longer', () => {
    const template = `{name: a, minReadySeconds: 601, ${SELECTOR}, ${PODS}}`;
    expect(found(experiment(template, 'progressDeadlineSeconds: 601, '))).toEqual([]);
  });

  it('find templates in their namespace, in the cluster, or outside of the manifests', () => {
    const named = (scope: string) =>
      experiment(`{name: a, ${SELECTOR}, ${PODS}}`, `analyses: [{name: x, templateName: shop${scope}}], `);
    const missing = (severity: string) => [
      `${severity} argo-experiment-template-not-found spec.analyses[0].templateName`,
    ];
    const elsewhere = object('AnalysisTemplate', `{metrics: [{name: ok, ${WEB}}]}`, '{name: shop, namespace: other}');
    const shared = object('ClusterAnalysisTemplate', `{metrics: [{name: ok, ${WEB}}]}`);
    expect(found(named('') + template(WEB))).toEqual([]);
    expect(found(named('') + elsewhere)).toEqual(missing('error'));
    // Nothing else is known of the namespace.
    expect(found(named('') + shared)).toEqual(missing('note'));
    expect(found(named(', clusterScope: true') + shared)).toEqual([]);
    expect(found(named(''), { external: [{ kind: 'AnalysisTemplate', name: 'shop' }] })).toEqual([]);
  });
});

describe('numbers', () => {
  it('out of range are reported once', () => {
    const spec = `{metrics: [{name: ok, count: 3000000000, interval: 1s, ${WEB}}]}`;
    expect(found(object('AnalysisTemplate', spec))).toEqual([`warning argo-value-unreadable ${METRIC}.count`]);
  });
});

describe('amounts', () => {
  const PODS = '{spec: {containers: [{name: a, image: b, resources: {requests: {memory: much}}}]}}';
  const AMOUNT = 'spec.containers[0].resources.requests.memory';
  const JOB = 'provider.job.spec.template';

  it.each(['AnalysisTemplate', 'ClusterAnalysisTemplate', 'AnalysisRun'])('in the jobs of %s', (kind) => {
    const spec = `{metrics: [{name: ok, provider: {job: {spec: {template: ${PODS}}}}}]}`;
    expect(found(object(kind, spec))).toEqual([`warning argo-value-unreadable ${METRIC}.${JOB}.${AMOUNT}`]);
  });

  it('in the pods of an Experiment', () => {
    const template = `{name: a, selector: {matchLabels: {app: a}}, template: {metadata: {labels: {app: a}}, ${PODS.slice(1)}}`;
    expect(found(object('Experiment', `{templates: [${template}]}`))).toEqual([
      `warning argo-value-unreadable spec.templates[0].template.${AMOUNT}`,
    ]);
  });

  it('end what the controller reads of a Rollout, so that later mistakes are no errors yet', () => {
    const rollout = (memory: string) =>
      object(
        'Rollout',
        `{selector: {matchLabels: {app: a}}, strategy: {canary: {}}, template: {metadata: {labels: {app: a}}, spec: {
          ephemeralContainers: [{name: e, image: b}],
          containers: [{name: a, image: b, resources: {requests: {memory: ${memory}}}}]}}}`,
      );
    const mistake = 'argo-pod-template-invalid spec.template.spec.ephemeralContainers';
    expect(found(rollout('1Gi'))).toEqual([`error ${mistake}`]);
    expect(found(rollout('much'))).toEqual([
      `warning argo-value-unreadable spec.template.${AMOUNT}`,
      `warning ${mistake}`,
    ]);
  });
});

describe('versions', () => {
  it.each(['AnalysisRun', 'AnalysisTemplate', 'ClusterAnalysisTemplate', 'Experiment', 'Rollout'])('of %s', (kind) => {
    const text = object(kind, '{}').replace('v1alpha1', 'v1beta1');
    expect(found(text)).toEqual(['error argo-version-unknown apiVersion']);
  });
});

describe('any object', () => {
  const word = fc.constantFrom(
    'metrics',
    'templates',
    'args',
    'name',
    'provider',
    'plugin',
    'count',
    'interval',
    'selector',
    'template',
    'value',
    'valueFrom',
    'dryRun',
    'metricName',
    '{{args.a}}',
    '((',
  );
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      word,
      fc.constantFrom<Json>(null, true, 0, 2, -1, 1e12, ''),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(word, tie('value'), { maxKeys: 4 }),
    ),
  }));

  it.each(['AnalysisRun', 'AnalysisTemplate', 'ClusterAnalysisTemplate', 'Experiment'])(
    'of kind %s is judged',
    (kind) => {
      fc.assert(
        fc.property(fc.dictionary(word, value, { maxKeys: 4 }), (spec) => {
          const whole: JsonObject = { apiVersion: 'argoproj.io/v1alpha1', kind, metadata: { name: 'shop' }, spec };
          const world = World.of([Manifest.of(whole)]);
          const once = admissionFindings(world);
          expect(once.every(({ message, path }) => message.startsWith(`${path}`))).toBe(true);
          expect(admissionFindings(world)).toEqual(once);
        }),
        { seed: 5, numRuns: 300 },
      );
    },
  );
});
