/** What the controller refuses in the analyses of a Rollout and in their templates. */
import { describe, expect, it } from 'vitest';
import { allProblems } from '../../../src/argo/admission/admit';
import type { Json, JsonObject } from '../../../src/core/json';
import { formatPath } from '../../../src/core/path';
import { canaryWith, rolloutWith } from './refusals';

const template = (name: string, spec: JsonObject, namespace = 'shop'): JsonObject => ({
  metadata: { name, namespace },
  spec,
});
const metric = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  provider: { web: { url: 'https://example.com' } },
  ...more,
});
const arg = (name: string, more: JsonObject = {}): JsonObject => ({ name, ...more });
const FROM: JsonObject = { valueFrom: { secretKeyRef: { name: 's', key: 'k' } } };
const spec = (metrics: JsonObject[], more: JsonObject = {}): JsonObject => ({ metrics, ...more });
const names = (...all: string[]): JsonObject => ({ templates: all.map((templateName) => ({ templateName })) });

interface Cluster {
  readonly own?: readonly JsonObject[];
  readonly shared?: readonly JsonObject[];
  readonly elsewhere?: readonly string[];
}

/** The messages of the controller, and where they come from. */
function refusals(rollout: JsonObject, { own = [], shared = [], elsewhere = [] }: Cluster): string[] {
  const cluster = {
    analysisTemplates: own,
    clusterAnalysisTemplates: shared,
    isExternal: ({ kind, name }: { readonly kind: string; readonly name: string }) =>
      elsewhere.includes(`${kind} ${name}`),
  };
  return allProblems(rollout, cluster).map(({ rule, class: check, field, path, message }) => {
    const at = formatPath(path).replace('spec.strategy.', '');
    const own = field === formatPath(path) ? '' : ` as ${field}`;
    return `${rule.replace('argo-analysis-', '')} ${check} ${at}${own}: ${message}`;
  });
}

const inStep = (analysis: JsonObject) => canaryWith({ steps: [{ setWeight: 5 }, { analysis }] });
const inBackground = (analysis: JsonObject) => canaryWith({ analysis });
const AT = 'invalid R-A1 canary.steps[1].analysis.templates';

describe('the templates of an analysis', () => {
  it('are looked up in each place that has an analysis', () => {
    const missing = (at: string, name: string) =>
      `template-not-found R-A1 ${at}.templates: AnalysisTemplate '${name}' not found`;
    expect(refusals(inStep(names('a', 'b')), {})).toEqual([
      missing('canary.steps[1].analysis', 'a'),
      missing('canary.steps[1].analysis', 'b'),
    ]);
    expect(refusals(inBackground(names('a')), {})).toEqual([missing('canary.analysis', 'a')]);
    const blueGreen = {
      activeService: '',
      previewService: 'x',
      prePromotionAnalysis: names('a'),
      postPromotionAnalysis: names('b'),
    };
    expect(refusals(rolloutWith({ strategy: { blueGreen } }), {}).slice(-2)).toEqual([
      missing('blueGreen.prePromotionAnalysis', 'a'),
      missing('blueGreen.postPromotionAnalysis', 'b'),
    ]);
  });

  it('are those of the namespace, or of the cluster where the reference says so', () => {
    const shared: JsonObject = { templates: [{ templateName: 'a', clusterScope: true }] };
    const good = template('a', spec([metric('m')]));
    expect(refusals(inStep(names('a')), { own: [good] })).toEqual([]);
    expect(refusals(inStep(names('a')), { own: [template('a', {}, 'other')] })).toHaveLength(1);
    expect(refusals(inStep(names('a')), { shared: [good] })).toHaveLength(1);
    expect(refusals(inStep(shared), { shared: [good] })).toEqual([]);
    expect(refusals(inStep(shared), { own: [good] })).toEqual([
      "template-not-found R-A1 canary.steps[1].analysis.templates: ClusterAnalysisTemplate 'a' not found",
    ]);
  });

  it('may refer to others, in any circle', () => {
    const own = [template('a', names('b')), template('b', { ...names('a', 'none'), metrics: [metric('m')] })];
    expect(refusals(inStep(names('a')), { own })).toEqual([
      "template-not-found R-A1 canary.steps[1].analysis.templates as spec.templates: AnalysisTemplate 'none' not found",
    ]);
    const circle = [template('a', names('b')), template('b', { ...names('a'), metrics: [metric('m')] })];
    expect(refusals(inStep(names('a', 'b')), { own: circle })).toEqual([]);
  });

  it('are not checked where one is missing, or cannot be read', () => {
    const wrong = template('wrong', spec([metric('m'), metric('m')]));
    expect(refusals(inStep(names('wrong')), { own: [wrong] })).toEqual([`${AT}: two metrics have the same name 'm'`]);
    expect(refusals(inStep(names('wrong', 'none')), { own: [wrong] })).toEqual([
      "template-not-found R-A1 canary.steps[1].analysis.templates: AnalysisTemplate 'none' not found",
    ]);
    expect(refusals(inStep(names('wrong', 'x')), { own: [wrong], elsewhere: ['AnalysisTemplate x'] })).toEqual([]);
    expect(
      refusals(inStep(names('wrong', 'x')), { own: [wrong], elsewhere: ['ClusterAnalysisTemplate x'] }),
    ).toHaveLength(1);
  });
});

describe('templates that are merged', () => {
  const merged = (specs: JsonObject[], analysis: JsonObject = {}) =>
    refusals(inStep({ ...names(...specs.map((_each, index) => `t${index}`)), ...analysis }), {
      own: specs.map((each, index) => template(`t${index}`, each)),
    }).map((line) => line.replace(`${AT}: `, ''));
  const rules = (field: string, ...metricNames: string[]) => ({
    [field]: metricNames.map((metricName) => ({ metricName })),
  });

  it.each<[string, JsonObject[], JsonObject, string[]]>([
    ['different metrics', [spec([metric('a')]), spec([metric('b')])], {}, []],
    ['metrics of one name', [spec([metric('a')]), spec([metric('a')])], {}, ["two metrics have the same name 'a'"]],
    [
      'dry runs of one name',
      [spec([metric('a')], rules('dryRun', 'x')), spec([metric('b')], rules('dryRun', 'x'))],
      {},
      ["two Dry-Run metric rules have the same name 'x'"],
    ],
    [
      'a dry run that the step has too',
      [spec([metric('a')], rules('dryRun', 'x'))],
      rules('dryRun', 'x'),
      ["two Dry-Run metric rules have the same name 'x'"],
    ],
    ['dry runs of different names', [spec([metric('a')], rules('dryRun', 'x'))], rules('dryRun', 'y'), []],
    [
      'retentions of one name',
      [spec([metric('a')], rules('measurementRetention', 'x', 'x'))],
      {},
      ["two Measurement Retention metric rules have the same name 'x'"],
    ],
    [
      'a retention that the step has too',
      [spec([metric('a')], rules('measurementRetention', 'x'))],
      rules('measurementRetention', 'x'),
      ["two Measurement Retention metric rules have the same name 'x'"],
    ],
    [
      'an argument with two values',
      [
        spec([metric('a')], { args: [arg('x', { value: '1' })] }),
        spec([metric('b')], { args: [arg('x', { value: '2' })] }),
      ],
      {},
      ["Argument `x` specified multiple times with different values: '1', '2'"],
    ],
    [
      'an argument with one value, twice',
      [
        spec([metric('a')], { args: [arg('x', { value: '1' })] }),
        spec([metric('b')], { args: [arg('x', { value: '1' })] }),
      ],
      {},
      [],
    ],
    [
      'an argument whose value is in the second template',
      [spec([metric('a')], { args: [arg('x')] }), spec([metric('b')], { args: [arg('x', { value: '1' })] })],
      {},
      [],
    ],
    ['an argument that nobody gives', [spec([metric('a')], { args: [arg('x')] })], {}, ['args.x was not resolved']],
    [
      'an argument that the step gives',
      [spec([metric('a')], { args: [arg('x')] })],
      { args: [arg('x', { value: '1' })] },
      [],
    ],
    ['an argument of a Secret', [spec([metric('a')], { args: [arg('x', FROM)] })], {}, []],
  ])('with %s', (_, specs, analysis, expected) => {
    expect(merged(specs, analysis)).toEqual(expected);
  });

  it('take no argument of the step where one of them refers to metadata that does not exist', () => {
    const given = (fieldPath: string, more: JsonObject = {}) => ({
      args: [arg('x', { valueFrom: { fieldRef: { fieldPath }, ...more } }), arg('y', { value: '1' })],
    });
    const specs = [spec([metric('a')], { args: [arg('x'), arg('y')] })];
    const argsOf = (analysis: JsonObject) => merged(specs, analysis).filter((line) => /resolved/.test(line));
    expect(argsOf(given("metadata.labels['a']"))).toEqual([]);
    expect(argsOf(given('metadata.other'))).toEqual(['args.x was not resolved']);
    expect(argsOf(given('metadata.other', { podTemplateHashValue: 'Stable' }))).toEqual([]);
    expect(argsOf(given('status.other'))).toEqual([]);
  });
});

describe('a metric of an analysis that must end', () => {
  const found = (metrics: JsonObject[], args: JsonObject[] = []) =>
    refusals(inStep(names('t')), { own: [template('t', spec(metrics, { args }))] }).map((line) =>
      line.replace(`${AT}: AnalysisTemplate t`, ''),
    );
  const endless = (count: Json | string) =>
    ` has metric m which runs indefinitely. Invalid value for count: ${count === undefined ? '<nil>' : count}`;

  it.each<[JsonObject, string[]]>([
    [metric('m'), []],
    [metric('m', { count: 1 }), []],
    [metric('m', { interval: '1m', count: 5 }), []],
    [metric('m', { interval: '1m', count: '5' }), []],
    [metric('m', { interval: '1m' }), [endless('<nil>')]],
    [metric('m', { interval: '1m', count: 0 }), [endless(0)]],
    [metric('m', { interval: '1m', count: 'x' }), [endless('x')]],
    [metric('m', { count: 0 }), []],
  ])('%j', (one, expected) => {
    expect(found([one])).toEqual(expected);
  });

  it('has the values of arguments, or one that stands for them', () => {
    const counted = metric('{{args.name}}', { interval: '1m', count: '{{ args.times }}' });
    const name = arg('name', { value: 'm' });
    expect(found([counted], [name, arg('times', { value: '3' })])).toEqual([]);
    expect(found([counted], [name, arg('times', FROM)])).toEqual([endless('dummy-value')]);
    expect(found([counted], [name])).toEqual([': failed to resolve {{ args.times }}']);
    expect(found([metric('m', { interval: '{{other}}' })])).toEqual([': failed to resolve {{other}}']);
    expect(found([metric('m')], [arg('x', { value: '1', ...FROM })])).toEqual([
      ": arg 'x' has both Value and ValueFrom fields",
    ]);
  });

  it('may run for ever in the background, where only its arguments count', () => {
    const own = [
      template('t', spec([metric('m', { interval: '1m' })], { args: [arg('x'), arg('y', { value: '1' })] })),
    ];
    const given = (...args: JsonObject[]) =>
      refusals(inBackground({ ...names('t'), args }), { own }).map((line) => line.replace(/^.*: /, ''));
    expect(given(arg('x', { value: '1' }))).toEqual([]);
    expect(given()).toEqual(['args.x was not resolved']);
  });
});
