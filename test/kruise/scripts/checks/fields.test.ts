import { describe, expect, it } from 'vitest';
import { checkScript } from '../../../../src/kruise/scripts/checks';
import { KruiseRolloutVersion } from '../../../../src/kruise/version';
import {
  byWeightWith,
  check,
  checkLines,
  customWith,
  demo,
  firstExtraLine,
  rulesAndLines,
  traefikService,
} from './check';

const checkCustom = (...lines: string[]) => check(customWith(...lines), traefikService);

describe('unknown fields of obj', () => {
  it.each([
    ['local s = obj.stableService', 'obj.stableService is always nil', 'string.gsub(obj.canaryService'],
    ['local s = obj.canaryWeight', 'obj.canaryWeight is always nil', 'tonumber(obj.weight)'],
    ['local s = obj["data"]', 'obj.data is always nil', 'obj.annotations'],
    ['local o = obj local s = o.wieght', 'obj.wieght is always nil', 'did you mean obj.weight?'],
    [
      'for _, m in ipairs(obj.matches or {}) do local h = m.header end',
      'obj.matches[].header is always nil',
      'headers',
    ],
    ['local m = (obj.matches or {})[1] local x = m and m.headers[1].key', 'obj.matches[].headers[].key', 'type, name'],
  ])('ingress: %s', (line, message, fix) => {
    const [finding, ...others] = checkLines(line);

    expect(others).toEqual([]);
    expect(finding).toMatchObject({ rule: 'lua-field-absent', source: { line: firstExtraLine } });
    expect(finding!.message).toContain(message);
    expect(finding!.fix).toContain(fix);
  });

  it.each([
    ['local s = obj.weight', 'obj.canaryWeight, a number'],
    ['local s = obj.annotations', 'obj.data.annotations'],
    ['local s = obj.data.metadata', 'obj.data.labels and obj.data.annotations'],
  ])('custom: %s', (line, fix) => {
    const findings = checkCustom(line);

    expect(rulesAndLines(findings)).toEqual([`lua-field-absent:${firstExtraLine}`]);
    expect(findings[0]!.fix).toContain(fix);
  });

  it.each([
    'local s = obj.stableService or string.gsub(obj.canaryService, "-canary$", "")',
    'obj.mine = 1 local s = obj.mine',
    'local t = obj.annotations and obj.annotations.anything',
    'local s = obj[obj.canaryService]',
  ])('reports nothing for %s', (line) => {
    expect(rulesAndLines(checkLines(line))).toEqual([]);
  });

  it('depends on the release', () => {
    const source = byWeightWith();
    const old = (version: KruiseRolloutVersion) => rulesAndLines(checkScript({ source, target: demo, version }));

    expect(old(KruiseRolloutVersion.V0_6_0)).toEqual([]);
    expect(old(KruiseRolloutVersion.V0_3_0)).toEqual(['lua-field-absent:1']);
  });
});

describe('comparisons of weights', () => {
  it.each([
    ['if obj.weight == 20 then error("a") end', 'obj.weight is a string, but is compared with a number', '"20"'],
    ['if obj.weight ~= -1 then local x = 1 end', 'the comparison is always true', '"-1"'],
    ['if 100 == obj.weight then error("a") end', 'obj.weight is a string', '"100"'],
    ['if obj.weight > 50 then error("a") end', 'the script stops here', 'tonumber(obj.weight)'],
    ['local w = obj.weight if w == 20 then error("a") end', 'obj.weight is a string', '"20"'],
    ['if tonumber(obj.weight) == "20" then error("a") end', 'tonumber(obj.weight) is a number', '20'],
    ['local all = 100 if obj.weight == all then error("a") end', 'compared with a number', '"100"'],
  ])('ingress: %s', (line, message, fix) => {
    const findings = checkLines(line);

    expect(rulesAndLines(findings)).toEqual([`lua-weight-type:${firstExtraLine}`]);
    expect(findings[0]!.message).toContain(message);
    expect(findings[0]!.fix).toContain(fix);
  });

  it.each([
    ['if obj.canaryWeight == "20" then error("a") end', 'obj.canaryWeight == 20'],
    ['if obj.stableWeight ~= "0" then local x = 1 end', 'obj.stableWeight ~= 0'],
  ])('custom: %s', (line, fix) => {
    const findings = checkCustom(line);

    expect(rulesAndLines(findings)).toEqual([`lua-weight-type:${firstExtraLine}`]);
    expect(findings[0]!.fix).toContain(fix);
  });

  it.each([
    'if tonumber(obj.weight) == 20 then local x = 1 end',
    'if obj.weight == "20" or obj.weight ~= nil then local x = 1 end',
    'local w = tonumber(obj.weight) if w > 50 and w < 100 then local x = 1 end',
    'local w = obj.weight w = tonumber(w) if w == 20 then local x = 1 end',
    'if 100 - obj.weight == 20 then local x = 1 end',
  ])('reports nothing for %s', (line) => {
    expect(rulesAndLines(checkLines(line))).toEqual([]);
  });
});

describe('a script that replaces obj', () => {
  it('may read any field of it', () => {
    const absent = (...lines: string[]) => checkLines(...lines).filter(({ rule }) => rule === 'lua-field-absent');
    expect(absent('other = 1', 'local s = obj.stableService')).toHaveLength(1);
    expect(absent('other = 1', 'obj = { stableService = "a" }', 'local s = obj.stableService')).toEqual([]);
    expect(absent('obj = other', 'local s = obj.stableService')).toEqual([]);
  });
});
