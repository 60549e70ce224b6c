/** Reads PromQL as Prometheus does: test/vectors/analysis/promql.jsonl has the answers of its own parser. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPromql, type Selector } from '../../src/metrics';

interface Answer {
  readonly query: string;
  readonly error?: string;
  readonly type?: string;
  readonly selectors?: readonly Selector[];
}

const answers = readFileSync(join(__dirname, '../vectors/analysis/promql.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Answer);

/** Words that are read as no name of a metric, although Prometheus allows them. */
const KEYWORDS = new Set(['by', 'offset{a="b"}', '{__name__=~"up|down"}']);

function sorted(selectors: readonly Selector[]): string[] {
  return selectors
    .map(({ metric, matchers }) => JSON.stringify([metric, matchers.filter(({ label }) => label !== '__name__')]))
    .sort();
}

describe('PromQL', () => {
  it.each(answers.filter(({ error }) => error === undefined))('reads $query', ({ query, type, selectors = [] }) => {
    const read = readPromql(query);
    expect(read.mistake).toBeUndefined();
    if (!KEYWORDS.has(query)) expect(sorted(read.selectors)).toEqual(sorted(selectors));
    // A list is never taken for one number where a condition is judged.
    if (!read.mayBeNumber) expect(type).not.toBe('scalar');
  });

  it('finds most of what Prometheus refuses', () => {
    const refused = answers.filter(({ error }) => error !== undefined);
    const found = refused.filter(({ query }) => readPromql(query).mistake !== undefined);
    expect(found.length).toBeGreaterThan(45);
    expect(found.length / refused.length).toBeGreaterThan(0.6);
  });

  it.each([
    ['up{code=200}', 'the value of the label code is not quoted', 'put it in quotes: code="200"'],
    ['up{code=="200"}', 'the label code is compared with "=="', 'compare a label with =, !=, =~ or !~'],
    ['sum(rate(up[5m])', '"(" is not closed', 'close it with ")"'],
    ['up{a="b" c="d"}', 'there is no comma behind "b"', 'put a comma between two labels'],
    ['rate(up[5min])', '[5min] is no duration', 'write the unit with one letter: 30s, 5m, 1h'],
    ['up{a="b}', 'the text "b} is not closed', 'close the quotation mark'],
    ['rate(up)', 'rate() needs the values of a time range, and "up" has none', expect.stringContaining('[5m]')],
    ['', 'it is empty', 'write a query'],
  ])('says what is wrong with %j', (query, text, fix) => {
    expect(readPromql(query).mistake).toMatchObject({ text, fix });
  });

  it.each([
    'sum(rate(istio_requests_total{destination_service=~"{{args.service}}"}[{{args.range}}]))',
    '{{args.metric}}{a="b"}',
    'up{ {{args.matchers}} }',
    'up{a={{args.quoted}}, b="c"} > {{args.limit}}',
    '{{args.query}}',
  ])('leaves arguments of the analysis open: %s', (query) => {
    expect(readPromql(query).mistake).toBeUndefined();
  });

  it('ends for every text', () => {
    const piece = fc.constantFrom(
      'up',
      '{',
      '}',
      '(',
      ')',
      '[',
      ']',
      '"',
      "'",
      '`',
      ',',
      '=',
      '=~',
      'by',
      '5m',
      '{{',
      '}}',
      '#',
      '\n',
      '\\',
    );
    fc.assert(fc.property(fc.array(piece, { maxLength: 30 }), (parts) => void readPromql(parts.join(''))));
    fc.assert(fc.property(fc.string(), (text) => void readPromql(text)));
  });
});
