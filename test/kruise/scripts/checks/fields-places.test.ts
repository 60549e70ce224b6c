/** What the checks of fields and of weights say, word for word, and the near misses where they say nothing. */
import { describe, expect, it } from 'vitest';
import { checkScript } from '../../../../src/kruise/scripts/checks';
import type { ScriptTarget } from '../../../../src/kruise/scripts/library';
import { KruiseRolloutVersion } from '../../../../src/kruise/version';
import { compileLua } from '../../../../src/lua';
import { demo, traefikService } from './check';

const { V0_3_0, V0_5_0 } = KruiseRolloutVersion;
const INGRESS = 'an ingress script';
const CUSTOM = 'a custom script';

/** The findings of a rule about lines that a script begins with. */
function found(rule: string, lines: string, target: ScriptTarget, version?: KruiseRolloutVersion) {
  const source = `${lines}\nreturn ${target === demo ? 'obj.annotations or {}' : 'obj.data'}`;
  return checkScript({ source, target, version })
    .filter((finding) => finding.rule === rule)
    .map(
      ({ severity, message, fix, source: place }) => `${severity} ${place?.line}:${place?.column} ${message} (${fix})`,
    );
}

describe('a field that obj never has', () => {
  const read = (expression: string, target: ScriptTarget, version?: KruiseRolloutVersion) =>
    found('lua-field-absent', `local x = ${expression}`, target, version);

  const SHARED: readonly [object: string, path: string, fields: string][] = [
    ['obj.matches[1]', 'obj.matches[]', 'headers, path, queryParams'],
    ['obj.matches[1].headers[1]', 'obj.matches[].headers[]', 'type, name, value'],
    ['obj.matches[1].path', 'obj.matches[].path', 'type, value'],
    ['obj.matches[1].queryParams[1]', 'obj.matches[].queryParams[]', 'type, name, value'],
    ['obj.requestHeaderModifier', 'obj.requestHeaderModifier', 'set, add, remove'],
    ['obj.requestHeaderModifier.set[1]', 'obj.requestHeaderModifier.set[]', 'name, value'],
    ['obj.requestHeaderModifier.add[1]', 'obj.requestHeaderModifier.add[]', 'name, value'],
  ];

  it.each<[object: string, path: string, fields: string]>([
    ['obj', 'obj', 'canaryService, matches, requestHeaderModifier, annotations, weight'],
    ...SHARED,
  ])('%s of an ingress script: all but %s has %s', (object, path, fields) => {
    expect(read(`${object}.zz`, demo)).toEqual([
      `error 1:11 ${path}.zz is always nil in ${INGRESS} (${path} has ${fields})`,
    ]);
    for (const field of fields.split(', ')) expect(read(`${object}.${field}`, demo)).toEqual([]);
  });

  it.each<[object: string, path: string, fields: string]>([
    ['obj', 'obj', 'canaryService, matches, requestHeaderModifier, stableService, canaryWeight, stableWeight, data'],
    ['obj.data', 'obj.data', 'spec, labels, annotations'],
    ...SHARED,
  ])('%s of a custom script: all but %s has %s', (object, path, fields) => {
    expect(read(`${object}.zz`, traefikService)).toEqual([
      `error 1:11 ${path}.zz is always nil in ${CUSTOM} (${path} has ${fields})`,
    ]);
    for (const field of fields.split(', ')) expect(read(`${object}.${field}`, traefikService)).toEqual([]);
  });

  it.each<[path: string, use: string]>([
    ['obj.stableService', 'string.gsub(obj.canaryService, "-canary$", "")'],
    ['obj.canaryWeight', 'tonumber(obj.weight)'],
    ['obj.stableWeight', '100 - tonumber(obj.weight)'],
    ['obj.data', 'obj.annotations; an ingress script gets no other part of the Ingress'],
    ['obj.spec', 'obj.annotations; an ingress script gets no other part of the Ingress'],
  ])('%s of an ingress script: use %s', (path, use) => {
    expect(read(path, demo)).toEqual([`error 1:11 ${path} is always nil in ${INGRESS} (use ${use})`]);
  });

  it.each<[path: string, use: string]>([
    ['obj.weight', 'obj.canaryWeight, a number'],
    ['obj.annotations', 'obj.data.annotations'],
    ['obj.labels', 'obj.data.labels'],
    ['obj.spec', 'obj.data.spec'],
    ['obj.data.metadata', 'obj.data.labels and obj.data.annotations; the controller does not pass the name'],
  ])('%s of a custom script: use %s', (path, use) => {
    expect(read(path, traefikService)).toEqual([`error 1:11 ${path} is always nil in ${CUSTOM} (use ${use})`]);
  });

  it.each<[path: string, meant: string]>([
    ['obj.wieght', 'obj.weight'],
    ['obj.matchs', 'obj.matches'],
    ['obj.matches[1].header', 'obj.matches[].headers'],
    ['obj.matches[1].headers[1].Value', 'obj.matches[].headers[].value'],
  ])('%s: did you mean %s?', (path, meant) => {
    const name = path.replace(/\[1\]/g, '[]');
    expect(read(path, demo)).toEqual([`error 1:11 ${name} is always nil in ${INGRESS} (did you mean ${meant}?)`]);
  });

  it.each<[lines: string, findings: readonly string[]]>([
    ['local x = obj["zz"]', ['1:11 obj.zz']],
    ['local o = obj local x = o.zz', ['1:25 obj.zz']],
    ['local x, y = obj.zz, obj.yy', ['1:14 obj.zz', '1:22 obj.yy']],
    ['local x = obj.zz.yy', ['1:11 obj.zz']],
    ['local x = 1 or obj.zz', ['1:16 obj.zz']],
    ['local x = obj.zz and 1', ['1:11 obj.zz']],
    ['for _, m in ipairs(obj.matches) do local x = m.zz end', ['1:46 obj.matches[].zz']],
    ['function obj.other() end local x = obj.zz', ['1:36 obj.zz']],
    ['local x = obj.zz or 1', []],
    ['local x = obj[1]', []],
    ['local x = obj[1].zz', []],
    ['local x = obj[obj.weight]', []],
    ['local x = obj.annotations.zz', []],
    ['local x = obj.weight.zz', []],
    ['local x = obj.matches.zz', []],
    ['local x = obj.matches[1].headers.zz', []],
    ['local x = obj.requestHeaderModifier.remove[1].zz', []],
    ['local x = other.zz', []],
    ['local x = {} local y = x.zz', []],
    ['local obj = {} local x = obj.zz', []],
    ['obj.zz = 1 local x = obj.zz', []],
    ['local x = obj.zz obj.zz = 1', []],
    ['local x x, obj.zz = 1, 2 local y = obj.zz', []],
    ['function obj.zz() end obj.zz()', []],
    ['obj = obj local x = obj.zz', []],
  ])('%j has %j', (lines, findings) => {
    expect(
      found('lua-field-absent', lines, demo).map((text) => text.replace(/^error (.*) is always.*$/, '$1')),
    ).toEqual(findings);
  });

  it.each<[expression: string, name: string, has: string]>([
    ['obj.requestHeaderModifier', 'obj.requestHeaderModifier', 'obj has canaryService, matches, annotations, weight'],
    [
      'obj.requestHeaderModifier.set[1]',
      'obj.requestHeaderModifier',
      'obj has canaryService, matches, annotations, weight',
    ],
    ['obj.matches[1].path', 'obj.matches[].path', 'obj.matches[] has headers'],
    ['obj.matches[1].queryParams[1].zz', 'obj.matches[].queryParams', 'obj.matches[] has headers'],
  ])('is a note where a later release has it: %s', (expression, name, has) => {
    const note = `note 1:11 ${name} is always nil in ${INGRESS} of Kruise Rollouts v0.3.0 (${has})`;
    expect(read(expression, demo, V0_3_0)).toEqual([note]);
    expect(read(expression.replace(/\.zz$/, ''), demo)).toEqual([]);
  });

  it('is an error where no release has it', () => {
    expect(read('obj.zz', demo, V0_3_0)).toEqual([
      `error 1:11 obj.zz is always nil in ${INGRESS} (obj has canaryService, matches, annotations, weight)`,
    ]);
    expect(read('obj.matches[1].zz', demo, V0_3_0)).toEqual([
      `error 1:11 obj.matches[].zz is always nil in ${INGRESS} (obj.matches[] has headers)`,
    ]);
  });

  it('depends on the kind of script', () => {
    expect(read('obj.requestHeaderModifier', demo, V0_5_0)).toEqual([]);
    expect(read('obj.requestHeaderModifier', traefikService, V0_5_0)).toEqual([
      `note 1:11 obj.requestHeaderModifier is always nil in ${CUSTOM} of Kruise Rollouts v0.5.0 (obj has canaryService, matches, stableService, canaryWeight, stableWeight, data)`,
    ]);
  });

  it('has a replacement that gives the name of the stable Service', () => {
    const result = compileLua('return { s = string.gsub(obj.canaryService, "-canary$", "") }').run({
      canaryService: 'web-canary',
    });
    expect(result).toMatchObject({ ok: true, json: '{"s":"web"}' });
  });
});

describe('a weight that is compared', () => {
  const compared = (expression: string, target: ScriptTarget) =>
    found('lua-weight-type', `local x = ${expression}`, target);
  const EFFECTS: readonly (readonly [operator: string, effect: string])[] = [
    ['==', 'the comparison is always false'],
    ['~=', 'the comparison is always true'],
    ['<', 'the script stops here'],
    ['<=', 'the script stops here'],
    ['>', 'the script stops here'],
    ['>=', 'the script stops here'],
  ];
  const text = (weight: string, effect: string, fix: string) =>
    `error 1:11 ${weight} is a string, but is compared with a number: ${effect} (write ${fix})`;
  const number = (weight: string, effect: string, fix: string) =>
    `error 1:11 ${weight} is a number, but is compared with a string: ${effect} (write ${fix})`;

  it.each(EFFECTS)('with a number by %s: %s', (operator, effect) => {
    const isEquality = effect !== 'the script stops here';
    const fix = (literal: string) =>
      isEquality ? `obj.weight ${operator} "${literal}"` : 'tonumber(obj.weight), or a string';
    const other = 'tonumber(obj.weight), or a string';
    expect(compared(`obj.weight ${operator} 20`, demo)).toEqual([text('obj.weight', effect, fix('20'))]);
    expect(compared(`20 ${operator} obj.weight`, demo)).toEqual([text('obj.weight', effect, fix('20'))]);
    expect(compared(`obj.weight ${operator} -1`, demo)).toEqual([text('obj.weight', effect, fix('-1'))]);
    expect(compared(`obj.weight ${operator} 1 + 1`, demo)).toEqual([text('obj.weight', effect, other)]);
    expect(compared(`obj.weight ${operator} tonumber("3")`, demo)).toEqual([text('obj.weight', effect, other)]);
    expect(compared(`obj.weight ${operator} #"a"`, demo)).toEqual([text('obj.weight', effect, other)]);
    expect(compared(`obj.weight ${operator} -(20)`, demo)).toEqual([text('obj.weight', effect, other)]);
  });

  it.each(EFFECTS)('with a string by %s: %s', (operator, effect) => {
    for (const weight of ['obj.canaryWeight', 'obj.stableWeight']) {
      const fix = `${weight} ${operator} 20`;
      expect(compared(`${weight} ${operator} "20"`, traefikService)).toEqual([number(weight, effect, fix)]);
      expect(compared(`"20" ${operator} ${weight}`, traefikService)).toEqual([number(weight, effect, fix)]);
      expect(compared(`${weight} ${operator} "x"`, traefikService)).toEqual([number(weight, effect, 'a number')]);
      expect(compared(`${weight} ${operator} tostring(3)`, traefikService)).toEqual([
        number(weight, effect, 'a number'),
      ]);
      expect(compared(`${weight} ${operator} "2" .. "0"`, traefikService)).toEqual([
        number(weight, effect, 'a number'),
      ]);
    }
    const converted = 'tonumber(obj.weight)';
    expect(compared(`${converted} ${operator} "20"`, demo)).toEqual([
      number(converted, effect, `${converted} ${operator} 20`),
    ]);
  });

  it.each<[expression: string, finding: string]>([
    [
      'tostring(obj.weight) == 5',
      text('tostring(obj.weight)', 'the comparison is always false', 'tostring(obj.weight) == "5"'),
    ],
    [
      'tostring(tonumber(obj.weight)) == 5',
      text('tostring(tonumber(obj.weight))', 'the comparison is always false', 'tostring(tonumber(obj.weight)) == "5"'),
    ],
    [
      'obj.weight == tonumber(obj.weight)',
      text('obj.weight', 'the comparison is always false', 'tonumber(obj.weight), or a string'),
    ],
    [
      'tonumber(obj.weight) == obj.weight',
      number('tonumber(obj.weight)', 'the comparison is always false', 'a number'),
    ],
    ['(obj.weight or "0") == 5', text('obj.weight', 'the comparison is always false', 'obj.weight == "5"')],
    ['obj.weight == (5)', text('obj.weight', 'the comparison is always false', 'obj.weight == "5"')],
    ['obj.weight == 0.5', text('obj.weight', 'the comparison is always false', 'obj.weight == "0.5"')],
  ])('%s', (expression, finding) => {
    expect(compared(expression, demo)).toEqual([finding]);
  });

  it('is found through locals', () => {
    const lines = 'local w, all = obj.weight, 100 local n = tonumber(w) local x = w == all local y = n == "5"';
    expect(found('lua-weight-type', lines, demo)).toEqual([
      'error 1:64 obj.weight is a string, but is compared with a number: the comparison is always false (write obj.weight == "100")',
      'error 1:83 tonumber(obj.weight) is a number, but is compared with a string: the comparison is always false (write tonumber(obj.weight) == 5)',
    ]);
  });

  it.each([
    'obj.weight == "20"',
    'obj.weight == obj.weight',
    'obj.weight == nil',
    'obj.weight == true',
    'obj.weight == other',
    'obj.weight == not 1',
    'obj.weight .. 20',
    'obj.weight + 20',
    'obj.weight and 20',
    'obj.weight or 20',
    'tonumber(obj.weight) == 20',
    'tostring(obj.weight) == "20"',
    'tonumber("1") == "1"',
    'string.len(obj.weight) == "1"',
    'math.floor(obj.weight) == "1"',
    'tonumber() == "1"',
    'other(obj.weight) == 20',
    'obj.canaryService == 20',
    'obj.canaryWeight == "20"',
    '#obj.weight == "2"',
    '20 == "20"',
  ])('says nothing of %s in an ingress script', (expression) => {
    expect(compared(expression, demo)).toEqual([]);
  });

  it.each([
    'obj.canaryWeight == 20',
    'obj.stableWeight < 20',
    'obj.weight == 20',
    'obj.canaryWeight == nil',
    '100 - obj.canaryWeight == "20"',
  ])('says nothing of %s in a custom script', (expression) => {
    expect(compared(expression, traefikService)).toEqual([]);
  });
});
