import { describe, expect, it } from 'vitest';
import {
  parseBool,
  parseInt32,
  parseIntOrString,
  parseStringMap,
  printSet,
  splitList,
  trimSpace,
} from '../../src/routers/go-values';
import { nearExact, nearRegex, otherCase, sampleOf } from '../../src/routers/samples';
import { byAge, compareText, keyOf, nameOf, placedItems, portOf, valueIn } from '../../src/routers/values';
import { worldOf } from './stack';

const text = (object: object) => JSON.stringify(object);
describe('plain values', () => {
  it.each<[unknown, unknown, unknown]>([
    [80, undefined, 80],
    ['http', 'http', 'http'],
    ['', undefined, undefined],
    [true, undefined, undefined],
    [0, undefined, 0],
    [undefined, undefined, undefined],
    [null, undefined, undefined],
  ])('%j is the name %j and the port %j', (value, name, port) => {
    expect([nameOf(value as never), portOf(value as never)]).toEqual([name, port]);
  });

  it('are found by their keys, and have places', () => {
    expect([
      valueIn({ a: [{ b: 1 }] }, 'a', 0, 'b'),
      valueIn({ a: 1 }, 'a', 'b'),
      valueIn(undefined, 'a'),
      valueIn({}, 'toString'),
    ]).toEqual([1, undefined, undefined, undefined]);
    expect(placedItems(['x', 'y'], ['spec'])).toEqual([
      { value: 'x', at: ['spec', 0] },
      { value: 'y', at: ['spec', 1] },
    ]);
    expect([placedItems({}, []), placedItems(undefined, [])]).toEqual([[], []]);
  });

  it('are sorted by age, then by namespace and name', () => {
    const made = (name: string, namespace: string, creationTimestamp?: unknown) =>
      text({ apiVersion: 'v1', kind: 'Service', metadata: { name, namespace, creationTimestamp } });
    const world = worldOf(
      made('z', 'a'),
      made('a', 'b'),
      made('b', 'a'),
      made('young', 'a', '2024-02-01T00:00:00Z'),
      made('old', 'z', '2023-01-01T00:00:00Z'),
      made('wrong', 'a', 'x'),
      made('odd', 'a', 5),
    );
    expect(byAge(world, world.manifests).map((manifest) => keyOf(world, manifest))).toEqual([
      'z/old',
      'a/young',
      'a/b',
      'a/odd',
      'a/wrong',
      'a/z',
      'b/a',
    ]);
    expect([compareText('a', 'b'), compareText('b', 'a'), compareText('a', 'a')]).toEqual([-1, 1, 0]);
  });
});

describe('values in Go', () => {
  it.each([
    ['2147483647', 2147483647],
    ['2147483648', undefined],
    ['-2147483648', -2147483648],
    ['-2147483649', undefined],
    ['+0', 0],
    ['-0', 0],
    ['1e3', undefined],
    ['1\n', undefined],
  ])('the integer %j is %j', (value, expected) => expect(parseInt32(value)).toBe(expected));

  it.each(['1', 't', 'T', 'TRUE', 'true', 'True'])('%s is true', (value) => expect(parseBool(value)).toBe(true));
  it.each(['0', 'f', 'F', 'FALSE', 'false', 'False'])('%s is false', (value) => expect(parseBool(value)).toBe(false));

  it('white space and lists are those of Go', () => {
    expect(['\u00a0a\u3000', '\t\n\v\f\r a b ', '\u200ba', ''].map(trimSpace)).toEqual(['a', 'a b', '\u200ba', '']);
    expect([splitList(''), splitList(',,'), splitList('a'), splitList(' a b , c ')]).toEqual([
      [],
      [],
      ['a'],
      ['a b', 'c'],
    ]);
    expect([parseIntOrString('-1'), parseIntOrString(''), parseIntOrString('9999999999')]).toEqual([
      -1,
      '',
      '9999999999',
    ]);
    expect([printSet([]), printSet(['a']), printSet(['c', 'a', 'b'])]).toEqual([
      'map[]',
      'map[a:{}]',
      'map[a:{} b:{} c:{}]',
    ]);
  });

  it.each<[string, Record<string, string> | undefined]>([
    ['a=1', { a: '1' }],
    ['a=1,b=2', { a: '1', b: '2' }],
    [' a = 1 , b = 2 ', { a: '1', b: '2' }],
    ['a=1,2', undefined],
    ['a=1,,b=2', undefined],
    ['a=1, ', { a: '1,' }],
    ['a=1\\,2,b=3', { a: '1,2', b: '3' }],
    ['a=1\\', { a: '1\\' }],
    ['a=\\=', { a: '=' }],
    ['a=1=2,b=3', { a: '1=2', b: '3' }],
    ['a=,b=', { a: '', b: '' }],
    ['a=1,a=2', { a: '2' }],
    [' =1', undefined],
    ['a', undefined],
    [',', undefined],
    ['a=1,b', undefined],
    ['a=1,b=2,', { a: '1', b: '2,' }],
  ])('the map %j is %j', (value, expected) => {
    const map = parseStringMap(value);
    expect(map && Object.fromEntries(map)).toEqual(expected);
  });
});

describe('samples', () => {
  it.each<[string, string | undefined]>([
    ['a{0}', ''],
    ['a{2}', 'aa'],
    ['a{0,1}', 'a'],
    ['a{0,}', 'aa'],
    ['a{3,5}', 'aaa'],
    ['a{1,2}', 'aa'],
    ['a{2}?', 'aa'],
    ['a*?', 'aa'],
    ['a*', 'aa'],
    ['a+', 'aa'],
    ['a?', 'a'],
    ['(a|b)c', 'ac'],
    ['(?i:a)', 'a'],
    ['(?i)ab', 'ab'],
    ['(?P<name_1>a)', 'a'],
    ['(?:a)', 'a'],
    ['(?s)a', undefined],
    ['(?<n>a)', 'a'],
    ['a|', 'a'],
    ['|a', ''],
    ['()a', 'a'],
    ['[a-c]', 'a'],
    ['[x-z]', 'x'],
    ['[0-9]', '0'],
    ['[A-Z]', 'A'],
    ['[-]', '-'],
    ['[_]', '_'],
    ['[ ]', ' '],
    ['[/]', '/'],
    ['[.]', '.'],
    ['[=]', '='],
    ['[^a0]', 'A'],
    ['[#]', '#'],
    ['[\\]x]', ']'],
    ['\\d', '1'],
    ['\\w', 'a'],
    ['\\s', ' '],
    ['\\D', 'a'],
    ['\\W', '-'],
    ['\\S', 'a'],
    ['\\Ba', undefined],
    ['a\\z', undefined],
    ['a\\Bb', 'ab'],
    ['\\t', '\t'],
    ['\\/', '/'],
    ['\\.', '.'],
    ['^a$', 'a'],
    ['a$b', undefined],
    ['[', undefined],
    ['a)', undefined],
  ])('of %j: %j', (expression, sample) => expect(sampleOf(expression)).toBe(sample));

  it('of nested groups end somewhere', () => {
    expect(sampleOf(`${'('.repeat(90)}a${')'.repeat(90)}`)).toBe('a');
    expect(sampleOf(`${'('.repeat(101)}a${')'.repeat(101)}`)).toBeUndefined();
  });

  it('of groups, one inside the other or one after the other, are found up to a depth', () => {
    const nested = (depth: number) => `${'('.repeat(depth)}a${')'.repeat(depth)}`;
    expect([99, 100].map((depth) => sampleOf(nested(depth)))).toEqual(['a', undefined]);
    expect(sampleOf('(a)'.repeat(150))).toBe('a'.repeat(150));
    expect([sampleOf('(a'), sampleOf('a|(b|c)'), sampleOf('(?:b|)(c)?')]).toEqual([undefined, 'a', 'b']);
  });

  it('have texts near to them', () => {
    expect(nearRegex('^abc$', 'abc')).toEqual(['ab', 'bc']);
    expect(nearRegex('^a.c$', 'abc')).toEqual(['ab', 'bc']);
    expect(nearRegex('abc', 'abcabc')).toEqual(['rehearsal']);
    expect(nearRegex('^ab', 'ab')).toEqual(['a', 'b']);
    expect([nearExact(''), nearExact('a'), nearExact('ab')]).toEqual([
      ['x', 'x'],
      ['ax', 'xa'],
      ['abx', 'xab', 'a'],
    ]);
    expect(['ab', 'AB', 'Ab', '1', ''].map(otherCase)).toEqual(['AB', 'ab', 'AB', undefined, undefined]);
  });
});
