import { describe, expect, it } from 'vitest';
import { check, customWith, rulesAndLines, traefikService } from './check';

const refuse = 'if (obj.matches and #obj.matches > 0) or obj.requestHeaderModifier then error("by weight only") end';
const annotations = 'local a = obj.annotations or {} a.w = obj.weight';
const script = (...lines: string[]) => check([refuse, annotations, ...lines].join('\n'));
const custom = (result: string) => check(customWith().replace('return obj.data', result), traefikService);

describe('what a script returns', () => {
  it('is nothing if it ends without a return', () => {
    expect(script().map(({ rule, severity, message }) => [rule, severity, message])).toEqual([
      ['lua-no-return', 'error', 'the script ends without a return'],
    ]);
    expect(check('').map(({ rule }) => rule)).toEqual(['lua-no-return']);
  });

  it('is nothing on some path', () => {
    const findings = script('if obj.weight ~= "100" then', '  return a', 'end');

    expect(findings).toMatchObject([
      {
        rule: 'lua-no-return',
        severity: 'error',
        message: 'the script ends without a return in a step with traffic 100% on an Ingress with annotations',
        source: { line: 3 },
      },
    ]);
  });

  it('may be nothing on a path that no input covers', () => {
    const findings = script('if obj.weight ~= "77" then', '  return a', 'end');

    expect(findings).toMatchObject([
      { rule: 'lua-no-return', severity: 'warning', message: 'the script may end without a return' },
    ]);
  });

  it.each([
    [['if obj.weight == "100" then', '  return a', 'else', '  return a', 'end']],
    [['do', '  return a', 'end']],
    [['while true do', '  return a', 'end']],
    [['if obj.weight then', '  return a', 'end', 'error("no weight")']],
    [['local function stop(text) error(text) end', 'if obj.weight then', '  return a', 'end', 'stop("no weight")']],
    [['repeat', '  if obj.weight then', '    return a', '  end', 'until false', 'error("no weight")']],
  ])('is a table on every path of %j', (lines) => {
    expect(rulesAndLines(script(...lines))).toEqual([]);
  });

  it('is obj itself, and has no other finding', () => {
    const source = [
      'local a = obj.annotations or {}',
      'if obj.requestHeaderModifier then error("weights and matches only") end',
      'a.w, a.m = nil, nil',
      'if obj.matches and #obj.matches > 0 then a.m = assert(json.encode(obj.matches)) else a.w = obj.weight end',
      'return obj',
    ].join('\n');
    expect(check(source.replace(/obj$/, 'a'))).toEqual([]);
    expect(rulesAndLines(check(source))).toEqual(['lua-annotations-dropped:5']);
  });

  it.each([
    ['return', 'nothing'],
    ['return nil', 'nil'],
    ['return a, nil', 'nil as its last value'],
    ['return "a"', 'a string'],
    ['return function() end', 'a function'],
    ['return obj.weight', 'a string'],
    ['return #"abc"', 'a number'],
  ])('%s is not a table', (line, what) => {
    const findings = script(line);

    expect(rulesAndLines(findings)).toEqual(['lua-returns-no-table:3']);
    expect(findings[0]!.message).toBe(`the script returns ${what}, not a table`);
  });

  it('is checked in the script, not in its functions', () => {
    expect(script('local function name() return "a" end', 'a.name = name()', 'return a')).toEqual([]);
  });

  it.each([
    ['a[1] = "x"', 'mixed or invalid key types'],
    ['a.list = { 1, nil, 3 }', 'sparse array'],
    ['a.f = print', 'function'],
  ])('cannot be written: %s', (line, reason) => {
    const findings = script(line, 'return a');

    expect(rulesAndLines(findings)).toEqual(['lua-not-json:4']);
    expect(findings[0]!.message).toContain(reason);
  });
});

describe('annotations that an ingress script returns', () => {
  it.each([
    ['a["demo.example.com/n"] = 20', 'is the number 20', 'json: cannot unmarshal number into Go value of type string'],
    ['a["demo.example.com/n"] = true', 'is the boolean true', 'cannot unmarshal bool'],
    ['a["demo.example.com/n"] = {}', 'is an empty table', 'an empty string'],
    ['a["demo.example.com/n"] = { "x" }', 'is a list', 'cannot unmarshal array'],
  ])('are strings: %s', (line, what, reason) => {
    const findings = script(line, 'return a');

    expect(rulesAndLines(findings)).toEqual(['lua-annotation-not-string:3']);
    expect(findings[0]!.message).toContain(`annotation demo.example.com/n ${what}`);
    expect(findings[0]!.message).toContain(reason);
  });

  it('are not a list', () => {
    expect(rulesAndLines(script('return { "a" }'))).toEqual(['lua-annotation-not-string:3']);
  });

  it('keep other annotations', () => {
    expect(rulesAndLines(script('return { w = obj.weight }'))).toEqual(['lua-annotations-dropped:3']);
    expect(rulesAndLines(script('return {}'))).toContain('lua-annotations-dropped:3');
    expect(rulesAndLines(script('return obj'))).toEqual(['lua-annotations-dropped:3']);
  });
});

describe('objects that a custom script returns', () => {
  it.each(['return obj', 'return obj.data.spec', 'return {}', 'local spec = obj.data.spec return spec'])(
    '%s has no spec',
    (result) => {
      const findings = custom(result);

      expect(rulesAndLines(findings)).toContain('lua-object-wiped:4');
      expect(findings[0]!.message).toMatch(/returns (obj|obj\.data\.spec|\{\}), which has no spec/);
    },
  );

  it('is found by a run if the text does not show it', () => {
    const findings = custom(
      'local result = { labels = obj.data.labels, annotations = obj.data.annotations } return result',
    );

    expect(findings).toMatchObject([{ rule: 'lua-object-wiped', message: expect.stringContaining('has no spec') }]);
  });

  it('keep labels and annotations', () => {
    expect(custom('return { spec = obj.data.spec }')).toMatchObject([
      { rule: 'lua-metadata-dropped', message: expect.stringContaining('loses labels and annotations') },
    ]);
    expect(custom('return { spec = obj.data.spec, labels = obj.data.labels }')).toMatchObject([
      { rule: 'lua-metadata-dropped', message: expect.stringContaining('loses annotations') },
    ]);
    const all = '{ spec = obj.data.spec, labels = obj.data.labels, annotations = obj.data.annotations }';
    expect(custom(`return ${all}`)).toEqual([]);
  });

  it('are rejected if the controller cannot decode them', () => {
    const findings = custom('return { spec = obj.data.spec, labels = "a", annotations = obj.data.annotations }');

    expect(findings).toMatchObject([
      { rule: 'lua-object-wiped', message: expect.stringContaining('cannot unmarshal string') },
    ]);
  });
});

describe('a value that is no table', () => {
  it.each([
    ['"text"', 'a string'],
    ['5', 'a number'],
    ['true', 'a boolean'],
    ['function() end', 'a function'],
    ['nil', 'nil'],
    ['a, nil', 'nil as its last value'],
    ['', 'nothing'],
  ])('is not to be returned: %s', (value, what) => {
    // Also where no step of the trial gets to.
    const found = script(`if obj.weight == "77" then return ${value} end`, 'return a');
    expect(found.map(({ rule, message }) => [rule, message])).toEqual([
      ['lua-returns-no-table', `the script returns ${what}, not a table`],
    ]);
  });
});
