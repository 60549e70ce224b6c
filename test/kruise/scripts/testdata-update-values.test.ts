/** The text of each value that `--update` writes. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/core/json';
import type { Outcome } from '../../../src/kruise/scripts/case-runner';
import { ABSENT, failure, HEAD, object, update, updatedEnd, updatedIngress } from './testdata-update-cases';

/** The new text of a spec, written on one line. */
const specOnLine = (before: string, spec: Json) =>
  updatedEnd(`expected:\n- spec: ${before} # why\n`, [object(spec)]).replace(
    /^expected:\n- spec: (.*) # why\n$/s,
    '$1',
  );
/** The new text of the lines of a spec. */
const specLines = (before: string, spec: Json) => {
  const lines = before.replace(/^(?=.)/gm, '    ');
  const text = updatedEnd(`expected:\n- spec:\n${lines}\n`, [object(spec)]);
  expect(text.startsWith('expected:\n- spec:')).toBe(true);
  return text.slice('expected:\n- spec:'.length).replace(/^\n/, '').replace(/^ {4}/gm, '').replace(/\n$/, '');
};

describe('a scalar that changes', () => {
  it.each<[before: string, value: Json, after: string]>([
    ['50', 60, '60'],
    ['50', 60.5, '60.5'],
    ['50', 'x', 'x'],
    ['50', '60', '"60"'],
    ['50', true, 'true'],
    ['50', null, 'null'],
    ['true', false, 'false'],
    ['null', 'x', 'x'],
    ['~', 1, '1'],
    ["'x'", 'y', "'y'"],
    ["'x'", "it's", "'it''s'"],
    ["'x'", "''", "''''''"],
    ["'x'", '', "''"],
    ["'x'", ' ~', "' ~'"],
    ["'x'", '60', "'60'"],
    ["'x'", 'é', '"é"'],
    ["'x'", '\u001f', '"\\u001f"'],
    ["'x'", 'y\nz', '"y\\nz"'],
    ["'x'", 60, '60'],
    ['"x"', 'y', '"y"'],
    ['"x"', 'a "b"', '"a \\"b\\""'],
    ['"x"', 60, '60'],
    ['x', 'z', 'z'],
    ['x', 'Y1', 'Y1'],
    ['x', 'a b_c.d/e-f', 'a b_c.d/e-f'],
    ['x', 'yes', '"yes"'],
    ['x', 'No', '"No"'],
    ['x', 'on', '"on"'],
    ['x', 'null', '"null"'],
    ['x', 'true', '"true"'],
    ['x', '1e3', '"1e3"'],
    ['x', '12:30', '"12:30"'],
    ['x', '-y', '"-y"'],
    ['x', 'a: b', '"a: b"'],
    ['x', 'a #b', '"a #b"'],
    ['x', 'a ', '"a "'],
    ['x', ' a', '" a"'],
    ['x', 'a{', '"a{"'],
    ['x', 'a,b', '"a,b"'],
    ['x', 'a\nb', '"a\\nb"'],
    ['x', '', '""'],
    ['x', 60, '60'],
  ])('from %s to %j is written as %s', (before, value, after) => {
    expect(specOnLine(`{a:  ${before}}`, { a: value })).toBe(`{a:  ${after}}`);
    expect(specOnLine(`{a: [1,  ${before}, 2]}`, { a: [1, value, 2] })).toBe(`{a: [1,  ${after}, 2]}`);
  });

  it.each<[before: string, spec: Json, after: string]>([
    ['{a: 5, b:  6, c: 7}', { a: 500, b: 6000, c: 7 }, '{a: 500, b:  6000, c: 7}'],
    ['{a: 500, b:  6000}', { b: 6, a: 5 }, '{a: 5, b:  6}'],
    ['{b: {c: [x,  {d: 1}]}}', { b: { c: ['z', { d: 2 }] } }, '{b: {c: [z,  {d: 2}]}}'],
    ['[1,  2]', [3, 2], '[3,  2]'],
    ['{"a b": 1}', { 'a b': 2 }, '{"a b": 2}'],
    ['{1: x}', { 1: 'z' }, '{1: z}'],
    ['5', 6, '6'],
  ])('in %s leaves the rest of the line: %j', (before, spec, after) => {
    expect(specOnLine(before, spec)).toBe(after);
  });
});

describe('the lines of a value', () => {
  it.each<[what: string, before: string, spec: Json, after: string]>([
    ['an empty scalar', 'a:\nb:   1', { a: 'x', b: 1 }, 'a: x\nb:   1'],
    ['an empty item', 'a:\n-\n-   1', { a: ['x', 1] }, 'a:\n- x\n- 1'],
    ['an empty item with a blank', 'a:\n- \n-   1', { a: ['x', 1] }, 'a:\n- x\n-   1'],
    ['a plain scalar of two lines', 'a: x\n  y\nb:   1', { a: 'x z', b: 1 }, 'a: x z\nb:   1'],
    ['a block before a scalar', 'a: |\n  x\nb:   1', { a: 'x\n', b: 2 }, 'a: |\n  x\nb: 2'],
    ['a folded block before a scalar', 'a: >\n  x\nb:   1', { a: 'x\n', b: 2 }, 'a: >\n  x\nb: 2'],
    ['a block that changes', 'a: |\n  x\nb: 1 # why', { a: 'y\nz\n', b: 1 }, 'a: |\n  y\n  z\nb: 1 # why'],
    ['a list with an item more', 'a: [1,  2] # two\nb:   1', { a: [1, 2, 3], b: 1 }, 'a: [ 1, 2, 3 ] # two\nb: 1'],
    ['a list with an item less', 'a: [1,  2]\nb:   1', { a: [1], b: 1 }, 'a: [ 1 ]\nb: 1'],
    ['a list in lines', 'a:\n- 1 # one\n- 2 # two', { a: [1, 3, 4] }, 'a:\n- 1 # one\n- 3 # two\n- 4'],
    ['a list that gets an object', 'a: [1,  2]', { a: [1, { x: 1 }] }, 'a:\n- 1\n- x: 1'],
    ['a list that gets a list', 'a: [1,  2]', { a: [1, [2]] }, 'a:\n- 1\n- - 2'],
    ['an empty list that gets an object', 'a: []', { a: [{ x: 1 }] }, 'a:\n- x: 1'],
    ['an empty list that gets a scalar', 'a: []', { a: [1] }, 'a: [ 1 ]'],
    ['a list that becomes empty', 'a: [1]\nb:   1', { a: [], b: 1 }, 'a: []\nb: 1'],
    ['a map with a member more', 'a: {x: 1}', { a: { x: 1, z: 2 } }, 'a: { x: 1, z: 2 }'],
    ['a map with other members', 'a: {x: 1}', { a: { z: 2 } }, 'a:\n  z: 2'],
    ['an empty map that gets members', 'a: {}', { a: { x: { z: 1 } } }, 'a:\n  x:\n    z: 1'],
    ['a map that becomes empty', 'a: {x: 1}\nb:   1', { a: {}, b: 1 }, 'a: {}\nb: 1'],
    ['a map in lines that becomes empty', 'a:\n  x: 1\nb:   1', { a: {}, b: 1 }, 'a: {}\nb: 1'],
    ['a member less', 'a: {x: 1}\nb:   1 # one', { b: 1 }, 'b: 1 # one'],
    ['a member more', '# before a\na:   1 # one', { z: { x: 1 }, a: 1 }, '# before a\na: 1 # one\nz:\n  x: 1'],
    ['members in another order', 'b:   1\na: 2', { a: 3, b: 1 }, 'b:   1\na: 3'],
    [
      'comments and blank lines between the members',
      '# before a\na: 1\n\n# before b\nb:   "1" # one',
      { a: { x: 1 }, b: '2' },
      '# before a\na:\n  x: 1\n\n# before b\nb: "2" # one',
    ],
    ['single quotes', "a: 'x'\nb: 1", { a: 'y', z: 1 }, "a: 'y'\nz: 1"],
    ['double quotes', 'a: "x"\nb: 1', { a: 'y', z: 1 }, 'a: "y"\nz: 1'],
    ['quotes of a number', 'a: "x"\nb: 1', { a: 5, z: 1 }, 'a: 5\nz: 1'],
    ['a number that becomes text', 'a: 5 # five\nb: 1', { a: 'x', z: 1 }, 'a: x # five\nz: 1'],
    ['a word with a meaning', 'a: x\nb: 1', { a: 'yes', z: 'on' }, 'a: "yes"\nz: "on"'],
    ['a map that becomes null', 'a: {b: 1}', { a: null }, 'a: null'],
    ['a map that becomes a list', 'a: {b: 1}', { a: [1] }, 'a:\n- 1'],
    ['a list that becomes a scalar', 'a: [1]', { a: 1 }, 'a: 1'],
    ['a list that becomes a map', 'a: [1]', { a: { 0: 1 } }, 'a:\n  "0": 1'],
    ['a scalar that becomes a list', 'a: 1 # one', { a: [1] }, 'a:\n- 1'],
    ['a long text', `a: x\nb: 1`, { a: 'word '.repeat(40).trim() }, `a: ${'word '.repeat(40).trim()}`],
  ])('of %s', (_, before, spec, after) => {
    expect(specLines(before, spec)).toBe(after);
  });

  it.each<[before: string, spec: Json, after: string]>([
    ['a: &x 1\nb: *x', { a: 2, b: 2 }, 'a: &x 2\nb: *x'],
    ['a: &x 1\nb: *x', { a: 1, b: 2 }, 'a: &x 1\nb: 2'],
    ['a: &x 1\nb: *x', { a: 2, b: 1 }, 'a: &x 2\nb: 1'],
    ['a: &x 1\nb: *x', { b: 1 }, 'b: 1'],
    ['a: &x 1\nb:   2', { a: 1, b: 3 }, 'a: &x 1\nb: 3'],
    ['a: &x {c: 1}\nb: *x', { a: { c: 2 }, b: { c: 2 } }, 'a: &x { c: 2 }\nb: *x'],
    ['a: &x {c: 1}\nb: *x', { a: 5, b: 5 }, 'a: &x 5\nb: *x'],
    ['a: &x {c: 1}\nb: *x', { a: { c: 1 }, b: { c: 2 } }, 'a: &x { c: 1 }\nb:\n  c: 2'],
    ['a: &x\n  c: 1\nb:\n  <<: *x\n  d: 1', { a: { c: 1 }, b: { c: 1, d: 2 } }, 'a: &x\n  c: 1\nb:\n  d: 2\n  c: 1'],
    ['a: &x\n  c: 1\nb:\n  <<: *x\n  d: 1', { a: { c: 2 }, b: { c: 2, d: 1 } }, 'a: &x\n  c: 2\nb:\n  <<: *x\n  d: 1'],
  ])('with shared values, %j', (before, spec, after) => {
    expect(specLines(before, spec)).toBe(after);
  });
});

describe('an item', () => {
  it.each<[before: string, outcome: Outcome, after: string]>([
    ['spec: {a: 1}', object(undefined), '{}'],
    ['spec: {a: 1}', object({}), 'spec: {}'],
    ['spec: {}', object({}), 'spec: {}'],
    ['spec: null', object(undefined), 'spec: null'],
    ['metadata: {}', object(undefined), 'metadata: {}'],
    ['metadata: {annotations: null, labels: {}}', object(undefined), 'metadata: {annotations: null, labels: {}}'],
    [
      'metadata: {annotations: null, labels: {}}',
      object({ a: 1 }),
      'metadata: { annotations: null, labels: {} }\n  spec:\n    a: 1',
    ],
    ['spec: {}', object(undefined), '{}'],
    ['spec: null', object({}), 'spec: {}'],
    ['kind: Route', object({}), 'kind: Route\n  spec: {}'],
    ['kind: Route', object(undefined), 'kind: Route'],
    ['kind: Other\n  spec: {a: 1}', object({ a: 2 }), 'kind: Other\n  spec: {a: 2}'],
    ['metadata: {annotations: {a: "1"}}', object(undefined, { a: '2' }), 'metadata: {annotations: {a: "2"}}'],
    ['metadata: {annotations: {a: "1"}}', object(undefined), '{}'],
    ['metadata: {annotations: {}}', object(undefined), 'metadata: {annotations: {}}'],
    ['metadata: {annotations: {a: "1"}, name: web}', object(undefined), 'metadata: { name: web }'],
    ['metadata: {labels: {l: "1"}}', object(undefined, {}, { l: '2' }), 'metadata: {labels: {l: "2"}}'],
    ['metadata: {labels: {l: "1"}}', object(undefined), '{}'],
    ['metadata: {labels: {}, name: web}', object(undefined), 'metadata: {labels: {}, name: web}'],
    [
      'metadata: {name: web}',
      object({ s: 1 }, { a: '1' }, { l: '1' }),
      'metadata:\n    name: web\n    annotations:\n      a: "1"\n    labels:\n      l: "1"\n  spec:\n    s: 1',
    ],
    ['error: "no"', failure('<string>:1: oh no'), 'error: "no"'],
    ['error: "nope"', failure('<string>:12: oh no'), 'error: "oh no"'],
    ['error: nope', failure('oh <string>:12: no'), 'error: "oh <string>:12: no"'],
    ['error: nope', failure('<string>:2: <string>:1: oh'), 'error: "<string>:1: oh"'],
    ['error: nope', object({ a: 1 }), 'apiVersion: example.com/v1\n  kind: Route\n  spec:\n    a: 1'],
  ])('%j of a custom script', (before, outcome, after) => {
    const [start, end] = before.startsWith('metadata: {name') ? ['metadata:\n    name: web', after] : [before, after];
    expect(updatedEnd(`expected:\n- ${start}\n`, [outcome])).toBe(`expected:\n- ${end}\n`);
  });

  it.each<[before: string, outcome: Outcome, after: string]>([
    [
      'metadata: {annotations: {a: "1"}}',
      object({ s: 1 }, { a: '2' }, { l: '1' }),
      'metadata: {annotations: {a: "2"}}',
    ],
    [
      'metadata: {annotations: {a: "1"}, labels: {l: "0"}}',
      object({ s: 1 }, { a: '1' }, { l: '1' }),
      'metadata: {annotations: {a: "1"}, labels: {l: "1"}}',
    ],
    [
      'metadata: {annotations: {a: "1"}, labels: {l: "1"}}',
      object({ s: 1 }, { a: '1' }),
      'metadata: { annotations: { a: "1" } }',
    ],
    [
      'metadata: {annotations: {a: "1"}, labels: {}}',
      object({ s: 1 }, { a: '2' }),
      'metadata: {annotations: {a: "2"}, labels: {}}',
    ],
    ['spec: {s: 0}', object({ s: 1 }), 'spec: {s: 1}'],
    ['metadata: {annotations: {}}', object({ s: 1 }), 'metadata: {annotations: {}}'],
    ['metadata:', object({ s: 1 }), 'metadata:'],
    ['metadata: {labels: null}', object({ s: 1 }), 'metadata: {labels: null}'],
    ['spec: {s: 0}', object(undefined), '{}'],
    ['{}', object({ s: 1 }, {}, { l: '1' }), '{}'],
    ['null', object({ s: 1 }, { a: '1' }), 'metadata:\n    annotations:\n      a: "1"'],
    ['metadata: {annotations: {a: "1"}}', ABSENT, 'null'],
    ['null', ABSENT, 'null'],
  ])('%j of an ingress script', (before, outcome, after) => {
    expect(updatedIngress(`expected:\n- ${before}\n`, [outcome])).toBe(`expected:\n- ${after}\n`);
  });

  it('that is new has the names of a custom object', () => {
    const name = (metadata: string) => {
      const text = update(`${HEAD}  metadata: ${metadata}\n`, [object({ a: 1 })]).text;
      return text.slice(text.indexOf('expected:'));
    };
    const item = (metadata: string) => `expected:\n  - apiVersion: example.com/v1\n    kind: Route\n${metadata}`;
    const spec = '    spec:\n      a: 1\n';
    expect(name('{name: web, namespace: shop, labels: {l: "1"}}')).toBe(
      item(`    metadata:\n      name: web\n      namespace: shop\n${spec}`),
    );
    expect(name('{namespace: shop}')).toBe(item(`    metadata:\n      namespace: shop\n${spec}`));
    expect(name('{name: web}')).toBe(item(`    metadata:\n      name: web\n${spec}`));
    expect(name('{}')).toBe(item(spec));
    expect(updatedEnd('', [object(undefined, { a: '1' }, { l: '1' })])).toBe(
      item('    metadata:\n      annotations:\n        a: "1"\n      labels:\n        l: "1"\n'),
    );
  });

  it('that is new has only the annotations of an Ingress', () => {
    const outcomes = [object({ s: 1 }, { a: '1' }, { l: '1' }), ABSENT, object({ s: 1 })];
    expect(updatedIngress('', outcomes)).toBe(
      'expected:\n  - metadata:\n      annotations:\n        a: "1"\n  - null\n  - {}\n',
    );
  });
});

describe('a step that fails', () => {
  const refused = (step: number, message: string) =>
    `step ${step} fails: ${message}. If it should, write the item "error: <text>" by hand`;

  it.each<[before: string, outcomes: readonly Outcome[], after: string, refused: string | undefined]>([
    ['- spec: {a: 1}\n', [failure('no')], '- spec: {a: 1}\n', refused(0, 'no')],
    [
      '- spec: {a: 1}\n- spec: {a: 2}\n- spec: {a: 3}\n',
      [object({ a: 5 }), failure('<string>:1: no')],
      '- spec: {a: 5}\n- spec: {a: 2}\n- spec: {a: 3}\n',
      refused(1, '<string>:1: no'),
    ],
    ['- spec: {a: 1}\n', [object({ a: 1 }), failure('no')], '- spec: {a: 1}\n', refused(1, 'no')],
    [
      '- spec: {a: 1}\n- error: no # why\n- spec: {a: 3}\n',
      [failure('yes'), failure('no')],
      '- spec: {a: 1}\n- error: no # why\n- spec: {a: 3}\n',
      refused(0, 'yes'),
    ],
    [
      '- spec: {a: 1}\n- error: nope # why\n- spec: {a: 3}\n',
      [object({ a: 2 }), failure('nope'), object({ a: 4 })],
      '- spec: {a: 2}\n- error: nope # why\n',
      undefined,
    ],
    [
      '- error: nope\n- spec: {a: 2}\n',
      [object({ a: 2 }), failure('nope')],
      '- apiVersion: example.com/v1\n  kind: Route\n  spec:\n    a: 2\n- spec: {a: 2}\n',
      refused(1, 'nope'),
    ],
  ])('after %j', (before, outcomes, after, message) => {
    expect(update(`${HEAD}expected:\n${before.replace(/no( #|\n)/, '"no"$1')}`, outcomes)).toEqual({
      text: `${HEAD}expected:\n${after.replace(/no( #|\n)/, '"no"$1')}`,
      ...(message === undefined ? {} : { refused: message }),
    });
  });
});
