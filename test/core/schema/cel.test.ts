import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/core';
import { predicateOf } from '../../../src/core/schema';

const PLAIN = "self.type == 'RegularExpression' || ";
const keeps = (rule: string, value: string, type = 'Exact') => predicateOf(rule)?.({ type, value }, undefined);

describe('predicateOf', () => {
  it.each([
    ["self.value.startsWith('/')", '/a', 'a'],
    ["!self.value.contains('//')", '/a/b', '/a//b'],
    ["!self.value.contains('/./')", '/a/.b', '/a/./b'],
    ["!self.value.contains('/../')", '/a/..', '/a/../b'],
    ["!self.value.contains('%2f')", '/%2F', '/%2f'],
    ["!self.value.contains('%2F')", '/%2f', '/%2F'],
    ["!self.value.contains('#')", '/a', '/a#b'],
    ["!self.value.endsWith('/..')", '/../a', '/a/..'],
    ["!self.value.endsWith('/.')", '/./a', '/a/.'],
    ['self.value.matches("^([-A-Za-z0-9/._~!$&\'()*+,;=:@]|%[0-9a-fA-F]{2})+$")', '/a%20b', '/a b'],
    ['self.value.matches("^([-A-Za-z0-9/._~!$&\'()*+,;=:@]|%[0-9a-fA-F]{2})+$")', '/~a', '/a%2'],
  ])('keeps %s', (rule, good, bad) => {
    expect(keeps(PLAIN + rule, good)).toBe(true);
    expect(keeps(PLAIN + rule, bad)).toBe(false);
    expect(keeps(PLAIN + rule, bad, 'RegularExpression')).toBe(true);
  });

  it('compares a value with the old one', () => {
    const isSame = predicateOf('self == oldSelf')!;
    expect(isSame({ a: [1] }, { a: [1] })).toBe(true);
    expect(isSame({ a: [1] }, { a: [2] })).toBe(false);
  });

  it.each<[string, Json, boolean]>([
    ['self.min <= self.max', { min: 1, max: 1 }, true],
    ['self.min <= self.max', { min: 2, max: 1 }, false],
    ["self.type in ['A', 'B']", { type: 'B' }, true],
    ["self.type in ['A', 'B']", { type: 'C' }, false],
    ["has(self.a) ? self.a != '' : true", {}, true],
    ["has(self.a) ? self.a != '' : true", { a: '' }, false],
    ['(has(self.a) ? 1 : 0) + (has(self.b) ? 1 : 0) <= 1', { a: 0, b: false }, false],
    ['!(has(self.a) && has(self.b))', { a: 0 }, true],
    ["has(self.__namespace__) && self.__namespace__ == ''", { namespace: '' }, true],
    ['self.all(x, x.name != y.name)', [], true],
    ['self.all(x, self.exists_one(y, x.name == y.name))', [{ name: 'a' }, { name: 'b' }], true],
    ['self.all(x, self.exists_one(y, x.name == y.name))', [{ name: 'a' }, { name: 'a' }], false],
    ['self.all(key, key.size() < 3)', { ab: 1, abc: 1 }, false],
    ["self.filter(f, f.type == 'A').size() <= 1", [{ type: 'A' }, { type: 'A' }], false],
    ['self[0].matches.size() - 1 == 2 * 1', [{ matches: [1, 2, 3] }], true],
    ["duration(self) >= duration('1ms')", '1h30m', true],
    ["duration(self) >= duration('1ms')", '1us', false],
    ["self.matches('^a\\\\.b$')", 'a.b', true],
    ['self.matches(r"""^(?i)[a-z]\\d$""")', 'A1', true],
    ["self.split('/')[0].size() < 3 || self.substring(0, 1) == 'x'", 'xyz/a', true],
    ["self.startsWith('unix://') ? !self.endsWith('/') : true", 'unix://a/', false],
  ])('evaluates %s for %j', (rule, value, expected) => {
    expect(predicateOf(rule)!(value, undefined)).toBe(expected);
  });

  it('takes an error for an answer only where the rest decides nothing', () => {
    const ask = (rule: string, value: Json) => predicateOf(rule)!(value, undefined);
    expect(ask('self.a == 1 || true', {})).toBe(true);
    expect(ask('self.a == 1 && false', {})).toBe(false);
    expect(() => ask('self.a == 1', {})).toThrow('no such key: a');
    expect(() => ask("duration(self) > duration('0s')", 'soon')).toThrow(
      "type conversion error from 'string' to 'google.protobuf.Duration'",
    );
  });

  it.each(['self.', 'self == ', "self.matches('a'", 'self.base64() == 1', 'now() > self', 'self.all(x)', '#'])(
    'leaves out %s, which it cannot read',
    (rule) => {
      expect(predicateOf(rule)).toBeUndefined();
    },
  );
});
