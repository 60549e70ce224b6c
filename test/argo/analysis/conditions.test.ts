/** Conditions, held against the answers of Argo's own code: test/vectors/analysis/conditions.jsonl. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkAnalyses } from '../../../src/argo/analysis/checks';
import { conditionMistake } from '../../../src/argo/analysis/checks/conditions';
import { conditionsOf } from '../../../src/argo/analysis/ready-conditions';
import { parseManifests, World } from '../../../src/core';

interface Answer {
  readonly provider: 'prometheus' | 'scalar' | 'cloudWatch';
  readonly result: readonly unknown[];
  readonly success?: string;
  readonly failure?: string;
  readonly phase: string;
  readonly error?: string;
}

const answers = readFileSync(join(__dirname, '../../vectors/analysis/conditions.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Answer);
const SHAPES = { prometheus: 'list', scalar: 'unknown', cloudWatch: 'series' } as const;

describe('conditions', () => {
  it.each(answers)('$provider $result: $success, $failure', ({ provider, success = '', failure = '', error }) => {
    const mistakes = [success, failure].flatMap((text) => conditionMistake(text, SHAPES[provider]) ?? []);
    if (error === undefined) expect(mistakes).toEqual([]);
  });

  it('are found where Argo refuses them', () => {
    const refused = answers.filter(({ error }) => error !== undefined && !error.includes('out of range'));
    const found = refused.filter(({ provider, success = '' }) => conditionMistake(success, SHAPES[provider]));
    expect(found.map(({ success }) => success)).toEqual(
      expect.arrayContaining([
        'result >= 0.95',
        '0.95 <= result',
        'result[0] = 0.99',
        'result[0] >= 0.95)',
        'result[0] => 0.95',
      ]),
    );
    expect(found.length).toBeGreaterThan(14);
  });

  it.each([
    ['inconclusive', 'Inconclusive'],
    ['failure', 'Failed'],
    ['success', 'Successful'],
  ] as const)('of ready-made metrics are never an error without requests, and count as %s', (without, phase) => {
    for (const [provider, value] of [
      ['prometheus', 'result[0]'],
      ['cloudWatch', 'result[0].Values[0]'],
    ] as const) {
      const { successCondition, failureCondition } = conditionsOf(
        { value, limit: '0.95', isGood: '>=', isBad: '<' },
        without,
      );
      const asked = answers.filter(
        (each) => each.provider === provider && each.success === successCondition && each.failure === failureCondition,
      );
      const empty = asked.filter(({ result }) => ['[]', '[[]]', '["NaN"]'].includes(JSON.stringify(result)));
      expect(empty.length).toBe(2);
      expect(empty.map((each) => each.phase)).toEqual([phase, phase]);
      expect(asked.map(({ error }) => error).filter((error) => error !== undefined)).toEqual([]);
    }
  });
});

describe('the mistake in a condition', () => {
  const LIST = '"result" is a list of numbers, and is compared with one value';
  const SERIES = '"result" is a list of series, and is compared with one value';
  it.each<[string, 'list' | 'series' | 'unknown', string | undefined]>([
    ['result[0] > 1', 'list', undefined],
    ['result[0]) > 1', 'list', '")" has no partner'],
    ['(result[0] > 1', 'list', '"(" has no partner'],
    ['(result[0] > 1]', 'list', '"]" has no partner'],
    ['any(result, {# > 1})', 'list', undefined],
    ['any(result, {# > 1)', 'list', '")" has no partner'],
    ['result[0] = 1', 'unknown', '"=" is no operator'],
    ['result[0] => 1', 'unknown', '"=>" is no operator'],
    ['result[0] >= 1 && result[0] <= 2 && result[0] != 3 && result[0] == 4', 'list', undefined],
    ['let x = result[0]; x > 1', 'list', undefined],
    ['result[0] == "a=b)"', 'list', undefined],
    [`result[0] == 'a\\'=b('`, 'list', undefined],
    ['result[0] == `=(`', 'list', undefined],
    ['result[0] > {{args.limit=}}', 'list', undefined],
    ['result > 1', 'list', LIST],
    ['result > 1', 'series', SERIES],
    ['result > 1', 'unknown', undefined],
    ['1 < result', 'list', LIST],
    ['result == nil', 'list', undefined],
    ['result == [1]', 'list', undefined],
    ['nil != result', 'list', undefined],
    ['[1] == result', 'list', undefined],
    ['1 < result[0]', 'list', undefined],
    ['1 < result.x', 'list', undefined],
    ['1 < result (0)', 'list', undefined],
    ['1 < results', 'list', undefined],
    ['my.result > 1', 'list', undefined],
    ['len(result) > 1', 'list', undefined],
    ['result[0].Values[0] > 1', 'series', undefined],
    ['result[0].values[0] > 1', 'series', '"values" is no field of a series'],
    ['result[0].values[0] > 1', 'list', undefined],
    ['result[0] > 1', 'series', '"result[0]" is a series, and is compared with one value'],
    ['result[0].Values > 1', 'series', '"result[0].Values" is a list of numbers, and is compared with one value'],
    ['1 < result[ 12 ].Values', 'series', '"result[0].Values" is a list of numbers, and is compared with one value'],
  ])('%s, where the result is %s: %s', (condition, shape, text) => {
    expect(conditionMistake(condition, shape)?.text).toBe(text);
  });

  it('comes with what to write instead', () => {
    const fixes = (['result >', 'result[0] = 1', 'result[0] => 1', '(', 'result[0].values[0] > 1'] as const).map(
      (condition) => conditionMistake(condition, 'series')?.fix,
    );
    expect(fixes).toEqual([
      'compare the first value: result[0].Values[0]',
      'compare with ==',
      'write >=',
      'open and close brackets in pairs',
      'write Values',
    ]);
    expect(conditionMistake('result > 1', 'list')?.fix).toBe('compare the first value: result[0]');
  });
});

describe('a metric of an AnalysisTemplate', () => {
  const found = (metric: string) => {
    const yaml = `apiVersion: argoproj.io/v1alpha1\nkind: AnalysisTemplate\nmetadata: {name: a}\nspec: {metrics: [{name: m, ${metric}}]}\n`;
    return checkAnalyses(World.of(parseManifests(yaml, 'a.yaml').manifests))
      .filter(({ rule }) => rule === 'argo-condition-invalid')
      .map(({ path, message }) => [path, message.startsWith(`${path}: `)]);
  };
  const PROMETHEUS = 'provider: {prometheus: {query: up}}';

  it('may have a mistake in each of its conditions', () => {
    expect(found(`successCondition: 'result >', ${PROMETHEUS}`)).toEqual([['spec.metrics[0].successCondition', true]]);
    expect(found(`failureCondition: 'result >', ${PROMETHEUS}`)).toEqual([['spec.metrics[0].failureCondition', true]]);
    expect(found(`successCondition: '', failureCondition: 'result[0] > 1', ${PROMETHEUS}`)).toEqual([]);
  });
});
