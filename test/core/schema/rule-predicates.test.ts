import { describe, expect, it } from 'vitest';
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

  it('knows no other rule', () => {
    expect(predicateOf('self.min <= self.max')).toBeUndefined();
    expect(predicateOf('toString')).toBeUndefined();
  });
});
