import { describe, expect, it } from 'vitest';
import { checkScript } from '../../../../src/kruise/scripts/checks';
import { isVmError } from '../../../../src/kruise/scripts/checks/trial';
import { readTestdata } from '../../../../src/kruise/scripts/testdata';
import { check, customWith, demo, rulesAndLines, traefikService } from './check';

const start = 'local annotations = obj.annotations or {}\nannotations.w = obj.weight\n';
const end = '\nreturn annotations';
const crashOf = (line: string) => {
  const findings = check(start + line + end).filter(({ rule }) => /unguarded|crash/.test(rule));
  return findings.map(({ rule, source, message }) => ({ rule, line: source?.line, message }));
};

describe('inputs that stop a script', () => {
  it.each([
    ['local x = obj.annotations["a"]', 'lua-annotations-unguarded', 'obj.annotations is nil'],
    ['for k in pairs(obj.annotations) do end', 'lua-annotations-unguarded', 'obj.annotations is nil'],
    ['for _, match in ipairs(obj.matches) do end', 'lua-matches-unguarded', 'obj.matches is nil'],
    ['local n = #obj.matches', 'lua-matches-unguarded', 'obj.matches is nil'],
    ['local h = obj.matches and obj.matches[1].headers', 'lua-matches-unguarded', 'obj.matches[1] is nil'],
    [
      'for _, m in ipairs(obj.matches or {}) do for _, h in ipairs(m.headers) do end end',
      'lua-match-part-unguarded',
      'headers',
    ],
    ['for _, m in ipairs(obj.matches or {}) do local n = m.headers[1].name end', 'lua-match-part-unguarded', 'headers'],
    ['for _, m in ipairs(obj.matches or {}) do local v = m.path.value end', 'lua-match-part-unguarded', 'path of'],
    [
      'for _, m in ipairs(obj.matches or {}) do local n = #m.queryParams end',
      'lua-match-part-unguarded',
      'queryParams',
    ],
    ['local set = obj.requestHeaderModifier.set', 'lua-header-modifier-unguarded', 'obj.requestHeaderModifier'],
    [
      'if obj.requestHeaderModifier then local n = #obj.requestHeaderModifier.remove end',
      'lua-header-modifier-unguarded',
      'obj.requestHeaderModifier.remove is nil',
    ],
    ['local x = 1 + obj.weight .. {}', 'lua-crash', 'cannot perform'],
    ['local function f() return f() + 1 end f()', 'lua-crash', 'stack overflow'],
  ])('%s', (line, rule, message) => {
    expect(crashOf(line)).toEqual([{ rule, line: 3, message: expect.stringContaining(message) }]);
  });

  it.each([
    ['local l = obj.data.labels["a"]', 'lua-labels-unguarded', 'obj.data.labels is nil'],
    ['obj.data.annotations["a"] = "b"', 'lua-annotations-unguarded', 'obj.data.annotations is nil'],
  ])('custom: %s', (line, rule, message) => {
    expect(check(customWith(line), traefikService)).toMatchObject([
      { rule, source: { line: 4 }, message: expect.stringContaining(message) },
    ]);
  });

  it('tells the step and the error of the VM', () => {
    expect(crashOf('for _, m in ipairs(obj.matches or {}) do local v = m.path.value end')[0]!.message).toBe(
      'the script stops in a step with a match on header x-user: u1 on an Ingress with annotations, because path of the ' +
        "match is nil: line 3: attempt to index a non-table object(nil) with key 'value'",
    );
  });

  it.each([
    'if obj.matches then error("no matches") end',
    'assert(not obj.matches, "no matches")',
    'if obj.matches then error({ code = 1 }) end',
    'if obj.matches then error("cannot do that: no matches", 0) end if obj.matches then error() end',
  ])('do not include those that the script rejects: %s', (line) => {
    expect(crashOf(line)).toEqual([]);
  });

  it('are distinguished from the errors of the script', () => {
    expect(isVmError("<string>:3: attempt to index a non-table object(nil) with key 'x'")).toBe(true);
    expect(isVmError('<string>:3: bad argument #1 to ipairs (table expected, got nil)')).toBe(true);
    expect(isVmError('<string>:3: aws-alb: cannot match a path')).toBe(false);
    expect(isVmError('this ALB knows no cookies')).toBe(false);
  });

  it('include a canary Service that is the stable one', () => {
    const line = 'local stable = string.match(obj.canaryService, "^(.+)-canary$") annotations.s = stable .. "!"';

    expect(crashOf(line.replace('-canary', '%-canary'))).toEqual([
      { rule: 'lua-crash', line: 3, message: expect.stringContaining('without a canary Service') },
    ]);
  });

  it('are not reported again if a text check reports them', () => {
    expect(rulesAndLines(check(`${start}if obj.weight > 50 then error("a") end${end}`))).not.toContain('lua-crash:3');
  });
});

describe('kinds without samples', () => {
  const target = { provider: 'custom', group: 'example.com', kind: 'Route' } as const;
  const source = 'obj.data.spec.backends[1].weight = obj.stableWeight\nreturn obj.data';
  const testdata = (spec: string) => {
    const text = `rollout:
  apiVersion: rollouts.kruise.io/v1beta1
  kind: Rollout
  metadata: {name: shop}
  spec:
    workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web}
    strategy:
      canary:
        steps: [{traffic: 20%}]
        trafficRoutings: [{service: web, customNetworkRefs: [{apiVersion: example.com/v1, kind: Route, name: web}]}]
original:
  apiVersion: example.com/v1
  kind: Route
  metadata: {name: web}
  spec: ${spec}
`;
    return readTestdata(text, 'weight.yaml', target).testdata!;
  };

  it('are run on the objects of the testdata', () => {
    expect(checkScript({ source, target })).toEqual([]);
    expect(checkScript({ source, target, testdata: [testdata('{a: 1}')] })).toMatchObject([
      { rule: 'lua-crash', source: { line: 1 }, message: expect.stringContaining('the object of testdata weight') },
      { rule: 'lua-testdata-scenario-missing' },
    ]);
  });

  it('are checked for whether their result depends on a match', () => {
    const rules = checkScript({ source, target, testdata: [testdata('{backends: [{name: web}]}')] });

    expect(rules.map(({ rule }) => rule)).toContain('lua-header-ignored');
  });
});

describe('a limit', () => {
  const limited = (line: string) => check(start + line + end).map(({ rule, severity }) => `${severity} ${rule}`);

  it.each([
    'while true do end',
    'while true do pcall(function() while true do end end) end',
    'local s = string.rep("a", 200) string.find(s, string.rep("a*", 30) .. "b")',
  ])('on time ends all runs: %s', (line) => {
    expect(limited(line)).toEqual(['error lua-time-limit']);
  });

  it.each(['local s = "x" while true do s = s .. s end', 'string.rep("x", 10000000000)'])(
    'of memory ends all runs: %s',
    (line) => {
      expect(limited(line)).toEqual([expect.stringMatching(/error lua-(memory-limit|crash)/)]);
    },
  );

  it('on all runs together warns about a slow script', () => {
    const findings = limited('local x = 0 for i = 1, 250000 do x = x + i end');

    expect(findings).toContain('warning lua-time-limit');
  });

  it('keeps the findings of the text checks', () => {
    expect(limited('count = 1 while true do end')).toEqual(['error lua-time-limit', 'warning lua-global']);
  });

  it('is reached only if a run gets there', () => {
    expect(limited('if obj.weight == "77" then while true do end end')).toEqual(
      expect.not.arrayContaining(['error lua-time-limit']),
    );
  });
});

describe('the demo class', () => {
  it('is unknown to every rule', () => {
    expect(
      check(`${start}if obj.matches or obj.requestHeaderModifier then error("by weight only") end${end}`, demo),
    ).toEqual([]);
  });
});
