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

  it.each<[string, Json]>([
    ['1 + 2 * 3 == 7 && (1 + 2) * 3 == 9', 0],
    ['7 / 2 == 3 && -7 / 2 == -3 && 7 % 4 == 3 && 5 - 2 - 1 == 2', 0],
    ["'a' + 'b' == 'ab' && [1] + [2] == [1, 2] && 1.5 + 1 == 2.5", 0],
    ["'a' < 'b' && 'a' <= 'a' && 'b' > 'a' && 'b' >= 'b'", 0],
    ['1 < 2 && 1 <= 1 && 2 > 1 && 2 >= 2', 0],
    ['!(2 < 1) && !(2 <= 1) && !(1 > 2) && !(1 >= 2) && !(1 < 1) && !(1 > 1)', 0],
    ['1 != 2 && !(1 != 1) && [1, 2] != [2, 1] && null == null', 0],
    ["2 in [1, 2] && !(3 in [1, 2]) && 'a' in self && !('b' in self)", { a: 1 }],
    ['-self == -5 && !!true && - - 1 == 1', 5],
    ['true || false && false', 0],
    ['self.a ? false ? 0 == 0 : true : false', { a: true }],
    ['self ? 1 == 1 : 1 == 2', true],
    ['self.exists(x, x > 2) && !self.exists(x, x > 3)', [1, 2, 3]],
    ['self.all(x, x > 0) && !self.all(x, x > 1) && self.exists_one(x, x > 2)', [1, 2, 3]],
    ['!self.exists_one(x, x > 1) && self.filter(x, x > 1) == [2, 3] && self.map(x, x * 2) == [2, 4, 6]', [1, 2, 3]],
    ["self.exists(key, key == 'b') && self.map(key, key) == ['a', 'b']", { a: 1, b: 2 }],
    ["size('aé😀') == 3 && size([1, 2]) == 2 && size(self) == 1 && 'abc'.size() == 3", { a: 1 }],
    ["int('5') == 5 && double('1.5') == 1.5 && string(5) == '5' && string(true) == 'true'", 0],
    ["duration('1m') == duration('60s') && duration('1h') > duration('1m')", 0],
    ["'ABC'.lowerAscii() == 'abc' && 'a,b'.split(',') == ['a', 'b'] && 'abc'.substring(1) == 'bc'", 0],
    ["'abc'.substring(1, 2) == 'b' && 'abc'.substring(3) == '' && 'abc'.substring(0, 3) == 'abc'", 0],
    ["'abc'.contains('b') && !'abc'.contains('x') && 'abc'.endsWith('c') && !'abc'.endsWith('b')", 0],
    ["self['a'] == 1 && self.b[1] == 3 && has(self.a) && !has(self.c)", { a: 1, b: [2, 3] }],
    ["'\\n' == self && r'\\n' != self && '\\'' == \"'\" && '''a'b''' == \"a'b\"", '\n'],
    ["'\\t\\r' == self", '\t\r'],
    ['self.__if__ == 1 && self.x__a__ == 2 && self.____ == 3', { if: 1, x__a__: 2, ____: 3 }],
    ["self.matches('B') == false && self.matches('(?i)B')", 'abc'],
  ])('is true by %s', (rule, value) => {
    expect(predicateOf(rule)!(value, undefined)).toBe(true);
  });

  it.each<[string, Json, string]>([
    ['self + 1 == 2', 'a', 'no such overload'],
    ["1 + 'a' == 2", 0, 'no such overload'],
    ["'a' < 1", 0, 'no such overload'],
    ['[1] < [2]', 0, 'no such overload'],
    ['true < false', 0, 'no such overload'],
    ['null <= null', 0, 'no such overload'],
    ['-self == 1', 'a', 'no such overload'],
    ['!self', 1, 'no such overload'],
    ['self ? true : false', 1, 'no such overload'],
    ['self', 1, 'no such overload'],
    ['self.all(x, true)', 5, 'no such overload'],
    ['size(self) == 1', 5, 'no such overload'],
    ["self.startsWith('a')", 5, 'no such overload'],
    ["'a'.contains(self)", 5, 'no such overload'],
    ["'abc'.substring(self) == ''", 4, 'index out of range'],
    ["'abc'.substring(-1) == ''", 0, 'index out of range'],
    ["'abc'.substring(2, 1) == ''", 0, 'index out of range'],
    ["'abc'.substring(0, 4) == ''", 0, 'index out of range'],
    ["duration(self) == duration('1s')", 5, 'type conversion error'],
    ['self.b == 1', {}, 'no such key: b'],
    ['self[1] == 1', [1], 'no such key: 1'],
    ['other == 1', 0, 'no such key: other'],
    ['oldSelf == 1', 0, 'no such key: oldSelf'],
    ["self.matches('(')", 'a', 'no regular expression: ('],
    ['self.a == 1 && true', {}, 'no such key: a'],
    ['self.a == 1 || false', {}, 'no such key: a'],
    ['self.exists(x, x.a == 1)', [{}], 'no such key: a'],
  ])('has no answer by %s for %j', (rule, value, message) => {
    expect(() => predicateOf(rule)!(value, undefined)).toThrow(message);
  });

  it('asks the items until one decides', () => {
    expect(predicateOf('self.exists(x, x.a == 1)')!([{}, { a: 1 }], undefined)).toBe(true);
    expect(predicateOf('self.all(x, x.a == 1)')!([{}, { a: 2 }], undefined)).toBe(false);
  });

  it.each([
    ...['has(self)', 'has()', 'self.all(1, true)', 'self.all(x, true, 1)', 'unknown(1).size() == 1', '[now()] == []'],
    ...['self.x(1)', 'self[now()] == 1', '!now()', '-now() == 1', 'now() ? true : false', 'true ? now() : true'],
    ...['true ? true : now()', '1 == now()', 'now() == 1', 'now().all(x, true)', 'self.all(x, now())', 'now().a == 1'],
    ...['true false', '(true', 'self[0 == 1', '[1 2] == []', 'true ? true', "'a", '1 +', "'a\nb' == self", ')', ','],
    ...['size(now()) == 1', 'now().size() == 1', 'constructor(1)', 'self.constructor()'],
  ])('leaves out %j as well', (rule) => {
    expect(predicateOf(rule)).toBeUndefined();
  });

  it.each(['self.', 'self == ', "self.matches('a'", 'self.base64() == 1', 'now() > self', 'self.all(x)', '#'])(
    'leaves out %s, which it cannot read',
    (rule) => {
      expect(predicateOf(rule)).toBeUndefined();
    },
  );
});
