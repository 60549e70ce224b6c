/** The list of what came of upstream's stacks: complete lines, and a reason for each that is not as rehearsed. */
import { describe, expect, test } from 'vitest';
import { PROGRAMS } from '../programs';
import { unusedReasons } from './reasons';
import { knownResults } from './result';

const results = knownResults();
const lineOf = ({ release, stack, story }: (typeof results)[number]) => `${release} ${stack} ${story ?? ''}`;

describe('what came of the stacks of upstream', () => {
  test('each story of a stack has one line, in their order', () => {
    const lines = results.map(lineOf);
    expect(lines.length).toBeGreaterThan(100);
    expect(lines).toEqual([...new Set(lines)].sort());
    expect(new Set(results.map(({ release }) => release))).toEqual(new Set(['argo@1.9.1', 'kruise@0.6.2']));
    expect(PROGRAMS.map(({ name }) => name)).toEqual(expect.arrayContaining(['argo@1.9.1', 'kruise@0.6.2']));
  });

  test('each line has a verdict, and only what was played has a story', () => {
    for (const result of results) {
      expect(result.verdict).toMatch(/^(as rehearsed|differs|not rehearsed|refused)$/);
      if (result.story === undefined) expect(result.verdict, lineOf(result)).toBe('not rehearsed');
      expect(Object.keys(result).filter((key) => !KEYS.has(key))).toEqual([]);
    }
  });

  test('most stacks that were played are as rehearsed', () => {
    const played = results.filter(({ story }) => story !== undefined);
    const agreeing = played.filter(({ verdict }) => verdict === 'as rehearsed');
    expect(agreeing.length / played.length).toBeGreaterThan(0.8);
  });

  test.each(results.filter(({ verdict, errors }) => verdict !== 'as rehearsed' || errors !== undefined))(
    '$release $stack $story: $verdict, for a reason',
    (result) => {
      expect(result.reason, `give a reason in reasons.ts: ${result.where}`).toMatch(/^\S.{10,}/);
    },
  );

  test('each reason is that of a line', () => {
    expect(unusedReasons(results)).toEqual([]);
  });
});

const KEYS = new Set(['release', 'stack', 'story', 'verdict', 'where', 'reason', 'errors']);
