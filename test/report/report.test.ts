import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coreRules, type Finding, RuleCatalogue } from '../../src/core';
import { type ReportContext, reporters } from '../../src/report';
import { ANY_FINDING, ERROR, PLAIN, SOURCES, UNSAFE, WARNING } from './findings';

const COLOURS = /\u001b\[\d+m/g;

describe('pretty', () => {
  it('puts findings of one cause together, what traffic does first, and says where to begin', () => {
    const web = { kind: 'Rollout', namespace: 'shop', name: 'web' };
    const made = (rule: string, message: string, severity: Finding['severity'] = 'error'): Finding => ({
      ...ERROR,
      rule,
      message,
      severity,
      object: web,
    });
    const report = reporters.pretty(
      [
        made('lua-global', 'sets a'),
        made('kruise-a', 'one'),
        made('lua-global', 'sets b'),
        made('rehearsal-canary-gets-nothing', 'no request\nat all'),
        made('kruise-b', 'two', 'warning'),
        made('kruise-c', 'three', 'note'),
      ],
      PLAIN,
    );
    expect(report.split('\n').slice(0, 3)).toEqual([
      '5 causes, 3 of errors, 1 of warnings, 1 of notes, in 1 object',
      'begin with rehearsal-canary-gets-nothing in Rollout shop/web: no request',
      '',
    ]);
    const titles = report.split('\n').filter((line) => /^(?:(?:error|warning|note)\[|also:)/.test(line));
    expect(titles.map((line) => line.replace(/ -->.*/, ''))).toEqual([
      'error[rehearsal-canary-gets-nothing]: no request',
      'error[kruise-a]: one',
      'error[lua-global]: sets a',
      'also: sets b',
      'warning[kruise-b]: two',
      'note[kruise-c]: three',
    ]);
    expect(report).toContain('4 errors, 1 warning, 1 note');
  });

  it('lists what a rehearsal saw under the finding that it follows from', () => {
    const ingress = { kind: 'Ingress', namespace: 'shop', name: 'web' };
    const rollout = { kind: 'Rollout', namespace: 'shop', name: 'web' };
    const order: Finding = { ...WARNING, rule: 'kruise-alb-order', message: 'odd', object: ingress };
    const seen = { ...ERROR, rule: 'rehearsal-canary-gets-nothing', message: 'no\nrequest', object: rollout };
    const cause = { rule: 'kruise-alb-order', object: ingress };
    const other = { ...WARNING, rule: 'kruise-pause-zero', object: rollout };

    const report = reporters.pretty([{ ...seen, cause }, other, order], PLAIN).split('\n');
    expect(report.filter((line) => /^\S/.test(line))).toEqual([
      'warning[kruise-alb-order]: odd',
      'so: error[rehearsal-canary-gets-nothing]: no',
      'warning[kruise-pause-zero]: odd',
      '1 error, 2 warnings',
    ]);
    expect(report).toContain('    request --> Rollout shop/web');
    expect(JSON.parse(reporters.json([{ ...seen, cause }], PLAIN)).findings[0].cause).toEqual(cause);

    // What it follows from was accepted, or is in another report: the finding stands for itself.
    const alone = reporters.pretty([{ ...seen, cause }], PLAIN);
    expect(alone).toContain('error[rehearsal-canary-gets-nothing]: no');
  });

  it('shows what happened, where, why and the fix', () => {
    expect(reporters.pretty([ERROR, WARNING], { ...PLAIN, sources: SOURCES })).toBe(
      `error[a-rule]: the Service "web" does not exist
  --> deploy/web.yaml:2:7
   |
 2 | host: example.com # x
   |       ^^^^^^^^^^^
   = in: Ingress shop/web, spec.rules[0].host, steps[1], GET https://shop.example.com/
   = because: the load balancer answers 503
   = fix: create it
   = see: rollout-constructs explain a-rule
note: the stable Ingress is here
  --> deploy/web.yaml:10:1
   |
10 | kind: Ingress
   | ^^^^^

warning[b-rule]: odd
  = because: it is
  = fix: mend it
  = see: rollout-constructs explain b-rule

1 error, 1 warning
`,
    );
  });

  it('omits the line if the text is not known', () => {
    const report = reporters.pretty([ERROR], PLAIN);
    expect(report).toContain(' --> deploy/web.yaml:2:7\n   = in:');
  });

  it.each([
    ['\thost: x', 8, '    host: x', '          ^'],
    ['日本: "a b" # c', 5, '日本: "a b" # c', '      ^^^^^'],
    ['\u001b[2J: x', 7, '\\x1b[2J: x', '         ^'],
    [`${'x'.repeat(1000)}: y`, 1003, `...${'x'.repeat(23)}: y`, `${' '.repeat(28)}^`],
    ['key:', 5, 'key:', '    ^'],
  ])('marks the place in %j', (line, column, text, marker) => {
    const finding: Finding = { ...WARNING, source: { file: 'a', line: 1, column } };
    const report = reporters.pretty([finding], { ...PLAIN, sources: new Map([['a', `${line}\n`]]) });
    expect(report.split('\n').slice(3, 5)).toEqual([`1 | ${text}`, `  | ${marker}`]);
  });

  it('uses colours only if allowed', () => {
    const colour = reporters.pretty([ERROR, WARNING], { ...PLAIN, color: true, sources: SOURCES });
    const plain = reporters.pretty([ERROR, WARNING], { ...PLAIN, sources: SOURCES });
    expect(plain).not.toMatch(COLOURS);
    expect(colour).toMatch(COLOURS);
    expect(colour.replace(COLOURS, '')).toBe(plain);
  });

  it('counts suppressed findings', () => {
    const suppressed = [{ finding: ERROR, reason: 'known' }];
    expect(reporters.pretty([], { ...PLAIN, suppressed })).toBe(
      'no findings (1 suppressed)\nsuppressed: a-rule of Ingress shop/web: known\n',
    );
  });

  it.each(Object.keys(reporters) as (keyof typeof reporters)[])(
    'names what is suppressed or lowered, by whom and why: %s',
    (format) => {
      const source = { file: 'deploy/own.yaml', line: 7, column: 5 };
      const suppressed = [
        { finding: ERROR, reason: 'internal by design', by: 'annotation', source } as const,
        { finding: { ...ERROR, rule: 'lua-time-limit' }, reason: 'quick here', by: 'comment' } as const,
      ];
      const lowered = { ...WARNING, lowered: { from: 'error', by: 'rules of "own.config.yaml"' } as const };
      const text = reporters[format]([lowered], { ...PLAIN, suppressed })
        .replace(/\\(.)/g, '$1')
        .replace(/&quot;/g, '"');
      for (const word of [
        'a-rule',
        'internal by design',
        'deploy/own.yaml',
        '7',
        'lua-time-limit',
        'quick here',
        'own.config.yaml',
      ])
        expect(text, word).toContain(word);
    },
  );
});

describe('json', () => {
  it('has the findings as they are, in a fixed order of fields', () => {
    const report = JSON.parse(
      reporters.json([ERROR, WARNING], { ...PLAIN, suppressed: [{ finding: WARNING, reason: 'r' }] }),
    );
    expect(report).toEqual({
      ok: false,
      summary: { errors: 1, warnings: 1, notes: 0, suppressed: 1 },
      findings: [ERROR, WARNING],
      suppressed: [{ reason: 'r', finding: WARNING }],
    });
    const reordered = Object.fromEntries(Object.entries(ERROR).reverse()) as unknown as Finding;
    expect(reporters.json([reordered], PLAIN)).toBe(reporters.json([ERROR], PLAIN));
    expect(JSON.parse(reporters.json([WARNING], PLAIN)).ok).toBe(true);
  });
});

describe('junit', () => {
  it('fails for errors, and passes for warnings', () => {
    expect(reporters.junit([ERROR, WARNING], PLAIN)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="rollout-constructs" tests="2" failures="1">
  <testsuite name="rollout-constructs" tests="2" failures="1">
    <testcase classname="rollout-constructs" name="a-rule deploy/web.yaml:2:7" file="deploy/web.yaml" line="2">
      <failure type="a-rule" message="the Service &quot;web&quot; does not exist">deploy/web.yaml:2:7
Ingress shop/web, spec.rules[0].host, steps[1], GET https://shop.example.com/
the Service "web" does not exist
the load balancer answers 503
fix: create it
docs/rules/a-rule.md</failure>
    </testcase>
    <testcase classname="rollout-constructs" name="b-rule">
      <system-out>warning: odd
it is
fix: mend it
docs/rules/b-rule.md</system-out>
    </testcase>
  </testsuite>
</testsuites>
`);
  });

  it('has a passed test if there are no findings', () => {
    expect(reporters.junit([], PLAIN)).toContain('tests="1" failures="0"');
  });
});

describe('github', () => {
  it('annotates the lines', () => {
    const piped: Finding = { ...WARNING, severity: 'note', source: { file: '<stdin>', line: 1, column: 1 } };
    expect(reporters.github([ERROR, WARNING, piped], PLAIN).split('\n')).toEqual([
      '::error file=deploy/web.yaml,line=2,col=7,title=a-rule::the Service "web" does not exist%0AIngress shop/web, spec.rules[0].host, steps[1], GET https://shop.example.com/%0Athe load balancer answers 503%0Afix: create it',
      '::warning title=b-rule::odd%0Ait is%0Afix: mend it',
      '::notice title=b-rule::odd%0Ait is%0Afix: mend it',
      '1 error, 1 warning, 1 note',
      '',
    ]);
  });

  it('has no line that starts in a value', () => {
    fc.assert(
      fc.property(fc.array(ANY_FINDING, { maxLength: 4 }), (findings) => {
        const lines = reporters.github(findings, PLAIN).split('\n');
        expect(lines).toHaveLength(findings.length + 2);
        for (const line of lines.slice(0, findings.length)) expect(line).toMatch(/^::(error|warning|notice) [^:]*::/);
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});

describe('markdown', () => {
  it('is a table', () => {
    expect(reporters.markdown([ERROR, WARNING], PLAIN)).toBe(`### 1 error, 1 warning

| | Where | Finding |
| --- | --- | --- |
| error | \`deploy/web.yaml:2:7\`<br>\`Ingress shop/web, spec.rules[0].host, steps[1], GET https://shop.example.com/\` | **a\\-rule**: the Service "web" does not exist<br>the load balancer answers 503<br>**Fix:** create it |
| warning |  | **b\\-rule**: odd<br>it is<br>**Fix:** mend it |
`);
    expect(reporters.markdown([], PLAIN)).toBe('### no findings\n');
  });

  it('keeps its three columns with any text', () => {
    fc.assert(
      fc.property(ANY_FINDING, (finding) => {
        const [, , , , row, ...rest] = reporters.markdown([finding], PLAIN).split('\n');
        expect(rest).toEqual(['']);
        expect(row!.replace(/\\./g, '').split('|')).toHaveLength(5);
      }),
      { seed: 8, numRuns: 300 },
    );
  });
});

describe('sarif', () => {
  const context: ReportContext = { ...PLAIN, version: '1.2.3', suppressed: [{ finding: WARNING, reason: 'known' }] };

  it('is SARIF 2.1.0', () => {
    const log = JSON.parse(reporters.sarif([ERROR], context));
    expect(log).toMatchObject({
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: { name: 'rollout-constructs', version: '1.2.3', rules: [{ id: 'a-rule' }, { id: 'b-rule' }] },
          },
          results: [
            {
              ruleId: 'a-rule',
              ruleIndex: 0,
              level: 'error',
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'deploy/web.yaml' },
                    region: { startLine: 2, startColumn: 7 },
                  },
                },
              ],
              relatedLocations: [{ message: { text: 'the stable Ingress is here' } }],
            },
            { ruleId: 'b-rule', ruleIndex: 1, suppressions: [{ kind: 'inSource', justification: 'known' }] },
          ],
        },
      ],
    });
  });

  it('describes the rules of the catalogue', () => {
    const catalogue = RuleCatalogue.of(coreRules);
    const { rules } = JSON.parse(reporters.sarif([], { ...PLAIN, catalogue })).runs[0].tool.driver;
    expect(rules).toHaveLength(Object.keys(coreRules).length);
    expect(rules[0]).toMatchObject({ id: 'budget-spent', defaultConfiguration: { level: 'error' } });
    expect(rules[0].help.text).toContain('Fix: ');
  });

  it('gives a problem the same identity when lines above it are added', () => {
    const moved = { ...ERROR, source: { ...ERROR.source!, line: 90 } };
    const fingerprint = (finding: Finding) =>
      JSON.parse(reporters.sarif([finding], PLAIN)).runs[0].results[0].partialFingerprints['rolloutConstructs/v1'];
    expect(fingerprint(moved)).toBe(fingerprint(ERROR));
    expect(fingerprint({ ...ERROR, message: 'another' })).not.toBe(fingerprint(ERROR));
  });

  it.each([
    ['./a b/ü.yaml', 'a%20b/%C3%BC.yaml'],
    ['/tmp/a b.yaml', 'file:///tmp/a%20b.yaml'],
    ['<stdin>', '%3Cstdin%3E'],
  ])('writes the file %s as %s', (file, uri) => {
    const log = JSON.parse(reporters.sarif([{ ...ERROR, source: { file, line: 1, column: 1 } }], PLAIN));
    expect(log.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toBe(uri);
  });
});

describe('every format', () => {
  const sources = new Map([['a.yaml', 'a: \u001b[31m\u202e\nb: "\u0007\n\n']]);

  for (const [name, report] of Object.entries(reporters)) {
    it(`${name} accepts any text, and writes no terminal commands`, () => {
      fc.assert(
        fc.property(fc.array(ANY_FINDING, { maxLength: 3 }), (findings) => {
          const text = report(findings, { ...PLAIN, sources });
          expect(text).not.toMatch(UNSAFE);
          expect(text.endsWith('\n')).toBe(true);
          expect(report(findings, { ...PLAIN, sources })).toBe(text);
        }),
        { seed: 9, numRuns: 300 },
      );
    });
  }
});
