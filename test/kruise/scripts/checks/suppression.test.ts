import { describe, expect, it } from 'vitest';
import { byWeightWith, check, checkLines, rulesAndLines } from './check';

const ignore = (text: string) => `-- rollout-constructs.io/ignore ${text}`;

describe('a comment that accepts a finding', () => {
  it('removes the findings of its rule, from any line', () => {
    expect(checkLines('count = 1', ignore('lua-global: read by the debugger'))).toEqual([]);
    expect(checkLines(`count = 1 ${ignore('lua-global: read by the debugger')}`)).toEqual([]);
    expect(check(`${ignore('lua-global: read by the debugger')}\n${byWeightWith('count = 1')}`)).toEqual([]);
  });

  it('keeps the findings of other rules', () => {
    const findings = checkLines('count = 1', 'local t = os.time()', ignore('lua-global: read by the debugger'));

    expect(rulesAndLines(findings)).toEqual(['lua-unavailable:5']);
  });

  it('may name several rules', () => {
    expect(checkLines('count = 1', 'local t = os.time()', ignore('lua-global: a; lua-unavailable: b'))).toEqual([]);
  });

  it.each([
    ['lua-global', 'suppression-invalid', 'gives no reason'],
    ['lua-global:', 'suppression-invalid', 'gives no reason'],
    ['', 'suppression-invalid', 'names no rule'],
    ['lua-globl: because', 'suppression-unknown-rule', 'lua-globl'],
  ])('has to be complete: %j', (text, rule, message) => {
    const findings = checkLines('count = 1', ignore(text));

    expect(rulesAndLines(findings)).toEqual(['lua-global:4', `${rule}:5`]);
    expect(findings[1]!.message).toContain(message);
  });

  it('is a finding if it accepts nothing', () => {
    const findings = checkLines(ignore('lua-global: was needed once'));

    expect(findings).toMatchObject([{ rule: 'suppression-unused', source: { file: '<string>', line: 4, column: 1 } }]);
  });

  it('cannot accept findings about itself', () => {
    expect(rulesAndLines(checkLines(ignore('suppression-unused: never mind')))).toEqual(['suppression-invalid:4']);
  });

  it('is not reported as unused if its rule was not checked', () => {
    expect(checkLines(ignore('lua-testdata-missing: there is none yet'))).toEqual([]);
    expect(rulesAndLines(check(`x = = 1 ${ignore('lua-global: fine')}`))).toEqual(['lua-syntax:1']);
  });

  it('is distinguished from other comments', () => {
    expect(rulesAndLines(checkLines('count = 1 -- rollout-constructs.io/ignored lua-global: no'))).toEqual([
      'lua-global:4',
    ]);
  });
});
