/** What the controller says of the metrics of runs and templates. */
import { describe, expect, it } from 'vitest';
import { analysisRunProblems, templateProblems } from '../../../src/argo/admission/analysis-objects';
import type { Problem } from '../../../src/argo/admission/problem';
import type { JsonObject } from '../../../src/core/json';
import { formatPath } from '../../../src/core/path';

const metric = (more: JsonObject = {}, name = 'm'): JsonObject => ({ name, provider: { web: { url: 'x' } }, ...more });
const lines = (problems: readonly Problem[]) =>
  problems.map(
    ({ rule, path, message, severity }) =>
      `${severity ?? 'error'} ${rule} ${formatPath(path).replace('spec.', '')}: ${message}`,
  );
const run = (spec: JsonObject) => lines(analysisRunProblems({ spec }, {}));
const template = (spec: JsonObject) => lines(templateProblems({ spec }, {}));
const AT = 'metrics[0]';

describe('metrics', () => {
  it.each<[JsonObject, string[]]>([
    [metric(), []],
    [metric({ interval: '1m', initialDelay: '30s' }), []],
    [
      metric({ interval: 'x' }),
      [`error argo-metric-interval ${AT}.interval: invalid interval string: time: invalid duration "x"`],
    ],
    [
      metric({ initialDelay: 'x' }),
      [`error argo-metric-interval ${AT}.initialDelay: invalid startDelay string: time: invalid duration "x"`],
    ],
    [metric({ count: 2 }), [`error argo-metric-interval ${AT}.interval: interval must be specified when count > 1`]],
    [metric({ count: 1 }), []],
    [
      metric({ inconclusiveLimit: -1 }),
      [`error argo-metric-limit ${AT}.inconclusiveLimit: inconclusiveLimit must be >= 0`],
    ],
    [
      metric({ count: 2, interval: '1m', inconclusiveLimit: 3 }),
      [`error argo-metric-limit ${AT}.inconclusiveLimit: count must be >= inconclusiveLimit`],
    ],
    [
      metric({ consecutiveErrorLimit: '-1' }),
      [`error argo-metric-limit ${AT}.consecutiveErrorLimit: consecutiveErrorLimit must be >= 0`],
    ],
    [
      metric({ failureLimit: -1 }),
      [`error argo-metric-limit ${AT}.failureLimit: failureLimit and consecutiveSuccessLimit cannot both be disabled`],
    ],
    [metric({ failureLimit: -1, consecutiveSuccessLimit: 1 }), []],
    [metric({ failureLimit: -2 }), [`error argo-metric-limit ${AT}.failureLimit: failureLimit must be >= 0`]],
    [
      metric({ count: 3, interval: '1m', failureLimit: 2, consecutiveSuccessLimit: 2 }),
      [
        `error argo-metric-limit ${AT}.failureLimit: count (3) must be >= failureLimit + consecutiveSuccessLimit (2 + 2) if both >= 0`,
      ],
    ],
    [metric({ count: 4, interval: '1m', failureLimit: 2, consecutiveSuccessLimit: 2 }), []],
    [
      metric({ count: 1, failureLimit: -1, consecutiveSuccessLimit: 2 }),
      [`error argo-metric-limit ${AT}.consecutiveSuccessLimit: count must be >= consecutiveSuccessLimit`],
    ],
    [{ name: 'm', provider: {} }, [`error argo-metric-provider ${AT}.provider: no provider specified`]],
    [
      { name: 'm', provider: { web: {}, plugin: { 'a/b': {} } } },
      [`error argo-metric-provider ${AT}.provider: multiple providers specified`],
    ],
    [{ name: 'm', provider: { plugin: { 'a/b': {} } } }, []],
    ...[
      'prometheus',
      'job',
      'wavefront',
      'kayenta',
      'datadog',
      'newRelic',
      'cloudWatch',
      'graphite',
      'influxdb',
      'skywalking',
    ].map((name): [JsonObject, string[]] => [{ name: 'm', provider: { [name]: {} } }, []]),
  ])('%j', (one, expected) => {
    expect(run({ metrics: [one] })).toEqual(expected);
    expect(template({ metrics: [one] })).toEqual(expected);
  });

  it('have different names', () => {
    expect(run({ metrics: [metric(), metric({}, 'n'), metric()] })).toEqual([
      "error argo-metric-name-twice metrics[2].name: duplicate name 'm'",
    ]);
  });
});

describe('an AnalysisRun', () => {
  it('has metrics, and a value for each argument', () => {
    expect(run({})).toEqual(['error argo-analysis-without-metrics metrics: no metrics specified']);
    const args: JsonObject[] = [
      { name: 'a' },
      { name: 'b', value: '1' },
      { name: 'c', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
      { name: 'd', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    ];
    expect(run({ args, metrics: [metric()] })).toEqual([
      'error argo-argument-without-value args[0]: argument "a" was not supplied',
      'error argo-argument-without-value args[3]: argument "d" was not supplied',
    ]);
  });

  it('has the values of its arguments in metrics and in rules for them, also in lists', () => {
    const args: JsonObject[] = [
      { name: 'name', value: 'm' },
      { name: 'times', value: '2' },
      { name: 'secret', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
    ];
    const web = { url: 'x', headers: [{ key: 'a', value: '{{args.secret}}' }] };
    const counted = { name: '{{args.name}}', count: '{{ args.times }}', provider: { web } };
    expect(run({ args, metrics: [counted] })).toEqual([
      'error argo-metric-interval metrics[0].interval: interval must be specified when count > 1',
    ]);
    const rules = {
      dryRun: [{ metricName: 'm' }, { metricName: 'n' }],
      measurementRetention: [{ metricName: 'x.*', limit: 1 }],
    };
    expect(run({ args, metrics: [{ ...counted, interval: '1m' }], ...rules })).toEqual([
      "error argo-metric-rule-unmatched dryRun[1].metricName: dryRun[1]: Rule didn't match any metric name(s)",
      "error argo-metric-rule-unmatched measurementRetention[0].metricName: measurementRetention[0]: Rule didn't match any metric name(s)",
    ]);
  });

  it('has no placeholder but its arguments, and each is named where it stands', () => {
    const web = { url: '{{args.none}}', headers: [{ key: 'a', value: '{{ other }} {{other}} {{ other }}' }] };
    expect(run({ metrics: [{ name: 'm', provider: { web } }] })).toEqual([
      'error argo-placeholder-unknown metrics[0].provider.web.url: failed to resolve {{args.none}}',
      'error argo-placeholder-unknown metrics[0].provider.web.headers[0].value: failed to resolve {{ other }}',
      'error argo-placeholder-unknown metrics[0].provider.web.headers[0].value: failed to resolve {{other}}',
    ]);
  });
});

describe('a template', () => {
  it('has metrics, or other templates', () => {
    expect(template({})).toEqual(['error argo-analysis-without-metrics metrics: no metrics specified']);
    expect(template({ templates: [{ templateName: 'a' }] })).toEqual([]);
  });

  it('has one value for an argument, or none', () => {
    const from = { secretKeyRef: { name: 's', key: 'k' } };
    const args: JsonObject[] = [
      { name: 'a' },
      { name: 'b', value: '1', valueFrom: from },
      { name: 'c', valueFrom: from },
    ];
    expect(template({ args, metrics: [metric()] })).toEqual([
      "error argo-argument-two-values args[1]: arg 'b' has both Value and ValueFrom fields",
    ]);
  });

  it('may leave arguments and metrics to other templates', () => {
    const web = { url: '{{args.none}}/{{other}}' };
    expect(template({ metrics: [{ name: 'm', provider: { web } }] })).toEqual([
      'warning argo-placeholder-unknown metrics[0].provider.web.url: failed to resolve {{args.none}}',
      'error argo-placeholder-unknown metrics[0].provider.web.url: failed to resolve {{other}}',
    ]);
    const dryRun = [{ metricName: 'n' }];
    expect(template({ metrics: [metric()], dryRun })).toEqual([
      "warning argo-metric-rule-unmatched dryRun[0].metricName: dryRun[0]: Rule didn't match any metric name(s)",
    ]);
    expect(template({ metrics: [metric()], dryRun, templates: [{ templateName: 'a' }] })).toEqual([]);
    expect(template({ metrics: [metric({}, '{{args.x}}')], args: [{ name: 'x' }], dryRun })).toEqual([]);
    expect(template({ metrics: [metric()], dryRun: [{ metricName: '{{args.x}}' }] })).toEqual([]);
  });
});

it('the text about a placeholder says whether it is no argument, or one that is not declared', () => {
  const web = { url: '{{args.none}}/{{other}}' };
  const texts = analysisRunProblems({ spec: { metrics: [{ name: 'm', provider: { web } }] } }, {}).map(
    ({ text }) => text,
  );
  expect(texts).toEqual([
    '{{args.none}} refers to the argument "none", which spec.args does not have',
    '{{other}} is not an argument: the controller replaces only {{args.<name>}}',
  ]);
});
