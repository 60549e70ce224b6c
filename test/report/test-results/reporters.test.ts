import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { TestReport } from '../../../src/core/test-result';
import { testReporters as all, type TestReporter } from '../../../src/report/test-results';
import { differenceLines } from '../../../src/report/test-results/difference';

const testReporters: Record<keyof typeof all, TestReporter> = all;

const PLAIN = { color: false, ascii: false };
const at = (line: number, file = 'routes/testdata/weight.yaml') => ({ file, line, column: 5 });

const REPORT: TestReport = {
  coverageThreshold: 90,
  scripts: [
    {
      name: 'Route.example.com',
      file: 'routes/trafficRouting.lua',
      findings: [
        {
          rule: 'lua-header-ignored',
          severity: 'error',
          message: 'the script ignores "x"',
          because: 'requests are lost',
          fix: 'write every header',
          docs: 'docs/rules/lua-header-ignored.md',
          source: at(2, 'routes/trafficRouting.lua'),
        },
      ],
      cases: [
        {
          name: 'weight',
          file: 'routes/testdata/weight.yaml',
          steps: [
            { name: 'step 0 (traffic 20%)', status: 'passed', differences: [], source: at(40) },
            {
              name: 'step 1 (traffic 50%)',
              status: 'failed',
              source: at(50),
              stdout: '::error::forged\n',
              differences: [
                { kind: 'changed', path: 'spec.http[0].route[1].weight', expected: 50, actual: 20 },
                { kind: 'missing', path: 'spec.timeout', expected: { idle: '5s' } },
                { kind: 'unexpected', path: 'metadata.annotations["a/<b>"]', actual: 'x' },
              ],
            },
            { name: 'step 2', status: 'skipped', message: 'step 1 fails', differences: [] },
          ],
        },
      ],
      coverage: { lines: 4, covered: 3, uncovered: [{ first: 7, last: 8, text: ['  error("x")', '  -- why'] }] },
    },
    {
      name: 'ingress.demo',
      file: 'demo.lua',
      findings: [],
      cases: [],
      problem: { message: 'the script does not parse: <string>:1: no', source: at(1, 'demo.lua') },
    },
  ],
};

const PASSED: TestReport = {
  scripts: [
    {
      ...REPORT.scripts[0]!,
      findings: [],
      coverage: undefined,
      cases: [{ ...REPORT.scripts[0]!.cases[0]!, steps: REPORT.scripts[0]!.cases[0]!.steps.slice(0, 1) }],
    },
  ],
};

describe('pretty', () => {
  it('has a line per case and step, differences, findings, coverage and totals', () => {
    expect(testReporters.pretty(REPORT, PLAIN)).toBe(`Route.example.com  routes/trafficRouting.lua
  ✓ weight › step 0 (traffic 20%)
  ✗ weight › step 1 (traffic 50%)
      routes/testdata/weight.yaml:50:5
      spec.http[0].route[1].weight: expected 50, got 20
      spec.timeout: missing, expected
        idle: 5s
      metadata.annotations["a/<b>"]: unexpected "x"
      the script printed:
        ::error::forged
  - weight › step 2 (skipped: step 1 fails)
  error[lua-header-ignored]: the script ignores "x"
   --> routes/trafficRouting.lua:2:5
    = because: requests are lost
    = fix: write every header
    = see: rollout-constructs explain lua-header-ignored
  75% of lines covered (3 of 4), below the threshold of 90%
    not executed: lines 7-8
         7 |   error("x")
         8 |   -- why

ingress.demo  demo.lua
  ✗ the script does not parse: <string>:1: no
    demo.lua:1:5

1 passed, 2 failed, 1 skipped, 1 error, 1 of 2 scripts below 90% coverage
`);
  });

  it('has ASCII marks for terminals without Unicode', () => {
    const text = testReporters.pretty(REPORT, { color: false, ascii: true });
    expect(text).toMatch(/^[\x00-\x7f]*$/);
    expect(text).toContain('  ok weight > step 0 (traffic 20%)\n  FAIL weight > step 1');
  });

  it('has colours only on request', () => {
    expect(testReporters.pretty(REPORT, PLAIN)).not.toContain('\u001b');
    expect(testReporters.pretty(PASSED, { color: true, ascii: false })).toContain('\u001b[32m✓\u001b[39m');
  });

  it('does not let text of a user become a terminal command', () => {
    const steps = [{ name: '\u001b[2J', status: 'failed' as const, message: '\u001b]0;x\u0007', differences: [] }];
    const hostile = {
      scripts: [{ ...PASSED.scripts[0]!, name: '\u001b[1m', cases: [{ name: 'a\nb', file: 'f', steps }] }],
    };
    expect(testReporters.pretty(hostile, PLAIN)).not.toContain('\u001b');
  });
});

describe('differenceLines', () => {
  it.each([
    [{ kind: 'changed', path: 'a', expected: '20', actual: 20 }, ['a: expected "20", got 20']],
    [{ kind: 'changed', path: 'a', expected: [], actual: null }, ['a: expected [], got null']],
    [{ kind: 'changed', path: 'a', expected: { b: 1 }, actual: 1 }, ['a: expected', '  b: 1', '  got 1']],
    [{ kind: 'changed', path: 'a', jsonPath: 'b[0]', expected: 1, actual: 2 }, ['a (JSON) b[0]: expected 1, got 2']],
    [
      { kind: 'reordered', path: 'a', expected: [1, 2, 3], actual: [3, 1, 2] },
      ['a: the expected items in another order (got [2], [0], [1])'],
    ],
    [{ kind: 'missing', path: '', expected: {} }, ['the whole object: missing, expected {}']],
  ] as const)('%j', (difference, lines) => {
    expect(differenceLines(difference)).toEqual(lines);
  });

  it('shows long strings around their first difference', () => {
    const text = (end: string) => `${'x'.repeat(100)}${end}${'y'.repeat(100)}`;
    const lines = differenceLines({ kind: 'changed', path: 'a', expected: text('left'), actual: text('right') });
    expect(lines[1]).toMatch(/^ {2}expected \.\.\."x{16}lefty+"\.\.\.$/);
    expect(lines[2]).toMatch(/^ {2}got {6}\.\.\."x{16}righty+"\.\.\.$/);
  });

  it('shortens a large subtree', () => {
    const lines = differenceLines({ kind: 'missing', path: 'a', expected: Array.from({ length: 50 }, (_, i) => i) });
    expect(lines).toHaveLength(14);
    expect(lines[13]).toBe('  ... 38 more lines');
  });
});

describe('json', () => {
  it('has everything, with the totals first', () => {
    const value = JSON.parse(testReporters.json(REPORT, PLAIN));
    expect(value).toMatchObject({ ok: false, summary: { passed: 1, failed: 2, skipped: 1, errors: 1 } });
    expect(value.scripts[0].coverage.percent).toBe(75);
    expect(value.scripts[0].cases[0].steps[1].differences[0]).toEqual({
      kind: 'changed',
      path: 'spec.http[0].route[1].weight',
      expected: 50,
      actual: 20,
    });
    expect(JSON.parse(testReporters.json(PASSED, PLAIN)).ok).toBe(true);
  });
});

describe('junit', () => {
  const xml = testReporters.junit(REPORT, PLAIN);

  it('counts its contents', () => {
    const count = (tag: string) => xml.split(`<${tag}`).length - 1;
    expect(xml).toContain('<testsuites name="rollout-constructs" tests="6" failures="4" skipped="1">');
    expect([count('testcase'), count('failure'), count('skipped')]).toEqual([6, 4, 1]);
  });

  it('escapes what users write', () => {
    expect(xml).toContain('metadata.annotations["a/&lt;b&gt;"]: unexpected');
    expect(xml).toContain(
      '<testcase classname="Route.example.com" name="weight &gt; step 0 (traffic 20%)" file="routes/testdata/weight.yaml"/>',
    );
  });
});

describe('github', () => {
  it('annotates the lines of what failed', () => {
    const commands = testReporters
      .github(REPORT, PLAIN)
      .split('\n')
      .filter((line) => /^::(error|warning|notice) /.test(line));
    expect(commands.map((line) => line.slice(0, line.indexOf(',col') + 1 || line.indexOf(',title')))).toEqual([
      '::error file=routes/testdata/weight.yaml,line=50,',
      '::error file=routes/trafficRouting.lua,line=2,',
      '::error file=routes/trafficRouting.lua,line=7',
      '::error file=demo.lua,line=1,',
    ]);
  });

  it('does not let a line of a script become a command of the runner', () => {
    const text = testReporters.github(REPORT, PLAIN);
    const [, token] = /^::stop-commands::([0-9a-f]{64})\n/.exec(text)!;
    const end = text.indexOf(`\n::${token}::\n`);
    expect(text.slice(0, end)).toContain('::error::forged');
    expect(text.slice(end)).not.toContain('\n::error::forged');
  });
});

describe('tap', () => {
  it('has a numbered point for each step, with a YAML block for each that failed', () => {
    const text = testReporters.tap(REPORT, PLAIN);
    const points = text.split('\n').filter((line) => /^(not )?ok /.test(line));
    expect(text.startsWith('TAP version 14\n1..6\n')).toBe(true);
    expect(points).toEqual([
      'ok 1 - Route.example.com > weight > step 0 (traffic 20%)',
      'not ok 2 - Route.example.com > weight > step 1 (traffic 50%)',
      'ok 3 - Route.example.com > weight > step 2 # SKIP step 1 fails',
      'not ok 4 - Route.example.com > lua-header-ignored',
      'not ok 5 - Route.example.com > coverage',
      'not ok 6 - ingress.demo',
    ]);
    const [block] = /^ {2}---\n([\s\S]*?)^ {2}\.\.\.$/m.exec(text)!.slice(1);
    expect(parse(block!)).toMatchObject({ at: { line: 50 }, message: expect.stringContaining('expected 50, got 20') });
  });
});

describe('coverage just below the threshold', () => {
  const coverage = { lines: 2000, covered: 1999, uncovered: [] };
  const report: TestReport = { scripts: [{ ...REPORT.scripts[0]!, coverage }], coverageThreshold: 100 };

  it.each(['pretty', 'junit', 'github'] as const)('is not rounded up to it: %s', (reporter) => {
    expect(testReporters[reporter](report, PLAIN)).toMatch(/99\.9%(25)? of lines covered/);
  });
});
