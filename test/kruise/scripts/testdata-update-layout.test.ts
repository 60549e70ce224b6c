/** What `--update` leaves as it is: comments, blank lines, indentation, and the rest of the file. */
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Json } from '../../../src/core/json';
import { ROUTE, rollout, route, verdicts } from './cases';
import { HEAD, object, update, updatedEnd } from './testdata-update-cases';

const specs = (...values: readonly (Json | undefined)[]) => values.map((spec) => object(spec));
const ANCHORS = 'the file shares values by anchors in a way that --update cannot rewrite: change it by hand';
const NEW = '- apiVersion: example.com/v1\n  kind: Route\n  spec:\n    b: 1\n';
const ONE = { b: 1 };

describe('a list of items', () => {
  it.each<[what: string, before: string, now: readonly Json[], after: string]>([
    [
      'keeps the items that hold',
      '- spec: {a:   1} # one\n# two\n- spec: {a: 2}\n# end\n',
      [{ a: 1 }, { a: 3 }],
      '- spec: {a:   1} # one\n# two\n- spec: {a: 3}\n# end\n',
    ],
    [
      'keeps the items that hold behind one that is written anew',
      '- spec: {a:   1} # one\n# two\n-   spec: {a: 2}\n# end\n',
      [{ z: 1 }, { a: 2 }],
      '- spec:\n    z: 1\n    # one\n# two\n-   spec: {a: 2}\n# end\n',
    ],
    [
      'gets items before its last comments',
      '- spec: {a:   1} # one\n\n# end\n',
      [{ a: 1 }, ONE],
      `- spec: {a:   1} # one\n${NEW}\n# end\n`,
    ],
    [
      'gets items behind comments of its last item',
      '- spec:\n    a: 1\n    # later\n# end\n',
      [{ a: 1 }, ONE],
      `- spec:\n    a: 1\n    # later\n${NEW}# end\n`,
    ],
    ['gets items behind a last line without an end', '- spec: {a:   1}', [{ a: 1 }, ONE], `- spec: {a:   1}\n${NEW}`],
    ['gets two items', '- spec: {a:   1}\n', [{ a: 1 }, ONE, ONE], `- spec: {a:   1}\n${NEW}${NEW}`],
    [
      'loses surplus items',
      '- spec: {a:   1} # one\n- spec: {a: 2}\n- spec: {a: 3}\n# end\n',
      [{ a: 1 }],
      '- spec: {a:   1} # one\n# end\n',
    ],
    [
      'loses surplus items behind one that changes',
      '- spec: {a:   1} # one\n- spec: {a: 2} # two\n- spec: {a: 3}\n\n# end\n',
      [{ a: 1 }, { a: 5 }],
      '- spec: {a:   1} # one\n- spec: {a: 5} # two\n\n# end\n',
    ],
    ['keeps a last line without an end', '- spec: {a:   1}', [{ a: 2 }], '- spec: {a:   2}'],
    [
      'keeps dashes on their own lines',
      '-\n  spec: {a: 1}\n-  # two\n  spec: {a: 2}\n',
      [{ a: 3 }, { a: 4 }],
      '-\n  spec: {a: 3}\n-  # two\n  spec: {a: 4}\n',
    ],
    [
      'is written anew with its comments',
      '-\n  spec: {a: 1}\n-  # two\n  spec: {a: 2}\n',
      [ONE, { a: 2 }],
      '- spec:\n    b: 1\n-  # two\n  spec: {a: 2}\n',
    ],
    [
      'keeps the blank lines of a block',
      '- spec: {a: 1}\n- spec:\n    a: |+\n      x\n\n# end\n',
      [{ a: 2 }, { a: 'x\n\n' }],
      '- spec: {a: 2}\n- spec:\n    a: |+\n      x\n\n# end\n',
    ],
  ])('%s', (_, before, now, after) => {
    expect(updatedEnd(`expected:\n${before}`, specs(...now))).toBe(`expected:\n${after}`);
  });

  it.each([0, 1, 2, 3, 4, 7])('keeps an indentation of %i', (columns) => {
    const indented = (text: string) => text.replace(/^(?=.)/gm, ' '.repeat(columns));
    const before = `expected:\n${indented('- spec: {a:   1} # one\n# two\n- spec:\n    b: 1 # b\n# end\n')}`;
    const changed = '- spec:\n    b: 1 # b\n    c: 2\n';
    expect(updatedEnd(before, specs({ a: 1 }, { b: 1, c: 2 }, { b: 1 }))).toBe(
      `expected:\n${indented(`- spec: {a:   1} # one\n# two\n${changed}${NEW}# end\n`)}`,
    );
  });

  it('keeps what follows it', () => {
    const text = (list: string, end: string) =>
      HEAD.replace('original:', `expected:\n${list}# the object\n\noriginal:`) + end;
    const end = '  spec: {x:   1}\n# end\n';
    expect(update(text('- spec: {a:  1}\n', end), specs({ a: 2 })).text).toBe(text('- spec: {a:  2}\n', end));
    expect(update(text('- spec: {a:  1}\n', end), specs({ a: 1 }, ONE)).text).toBe(
      text(`- spec: {a:  1}\n${NEW}`, end),
    );
    expect(update(text('- spec: {a:  1}\n- spec: {a: 2}\n', end), specs({ a: 1 })).text).toBe(
      text('- spec: {a:  1}\n', end),
    );
    expect(update(text('- spec: {a:  1}\n', end), specs({ a: 1 })).text).toBe(text('- spec: {a:  1}\n', end));
  });

  it('is empty if no step is played', () => {
    expect(updatedEnd('expected:\n- spec: {a: 1}\n# end\n', [])).toBe('expected: []\n# end\n');
    expect(updatedEnd('expected: []\n', [])).toBe('expected: []\n');
  });

  it('may have a key in quotes, an anchor or a tag', () => {
    for (const key of ['"expected":', "'expected':", 'expected: &e', 'expected: !!seq', 'expected: # the steps']) {
      expect(updatedEnd(`${key}\n- spec: {a:   1}\n`, specs({ a: 2 }))).toBe(`${key}\n- spec: {a:   2}\n`);
    }
  });

  it('is written anew behind an explicit key', () => {
    const text = '? expected\n: - spec: {a: 1}\n  - spec: {a: 2}\n';
    expect(updatedEnd(text, specs({ a: 2 }, { a: 3 }))).toBe(
      'expected:\n  - spec:\n      a: 2\n  - spec:\n      a: 3\n',
    );
  });
});

describe('a file without a list in lines', () => {
  const LIST = 'expected:\n  - apiVersion: example.com/v1\n    kind: Route\n    spec:\n      b: 1\n';

  it.each<[before: string, after: string]>([
    ['', LIST],
    ['# end', `# end\n${LIST}`],
    ['# end\n\n', `# end\n\n${LIST}`],
    ['expected:\n', LIST],
    ['expected:', LIST],
    ['expected: ~\n', LIST],
    ['expected: []\n', LIST],
    ['expected: []', LIST],
    ['expected: [] # none\n', LIST],
    ['expected: []\n# end\n', `${LIST}# end\n`],
    ['expected: []\n\n# end\n', `${LIST}\n# end\n`],
    ['expected: []\n  # none\n\n# end', `${LIST}\n# end`],
    ['expected: [{spec: {b: 2}}]\n# end\n', 'expected:\n  - spec:\n      b: 1\n# end\n'],
    ['expected: [\n  {spec: {b: 2}},\n  {}\n]\n# end\n', 'expected:\n  - spec:\n      b: 1\n# end\n'],
    ['"expected": []\n', LIST],
  ])('but %j gets one', (before, after) => {
    expect(updatedEnd(before, specs(ONE))).toBe(after);
  });

  it('gets it in the place of its key', () => {
    const text = (list: string) => HEAD.replace('original:', `${list}# the object\n\noriginal:`);
    expect(update(text('expected: []\n'), specs(ONE)).text).toBe(text(LIST));
    expect(update(text('expected: [] # none\n'), specs(ONE)).text).toBe(text(LIST));
  });

  it('gets it behind a last line without an end', () => {
    expect(update(HEAD.trimEnd(), specs(ONE)).text).toBe(HEAD + LIST);
  });

  it('quotes words with a meaning in its items, and folds no line', () => {
    const long = 'word '.repeat(40).trim();
    expect(updatedEnd('', specs({ a: 'yes', b: long }))).toBe(LIST.replace('b: 1', `a: "yes"\n      b: ${long}`));
  });

  it.each<[indent: number, indentSeq: boolean, list: string]>([
    [2, true, '  - apiVersion: example.com/v1\n    kind: Route\n    metadata:\n      name: web\n'],
    [2, false, '- apiVersion: example.com/v1\n  kind: Route\n  metadata:\n    name: web\n'],
    [4, true, '    - apiVersion: example.com/v1\n      kind: Route\n      metadata:\n          name: web\n'],
    [
      8,
      true,
      '        - apiVersion: example.com/v1\n          kind: Route\n          metadata:\n                  name: web\n',
    ],
    [
      9,
      true,
      '        - apiVersion: example.com/v1\n          kind: Route\n          metadata:\n                  name: web\n',
    ],
    [1, true, ' - apiVersion: example.com/v1\n   kind: Route\n   metadata:\n    name: web\n'],
  ])('has the indentation of the file, %i at most 8, with indented lists: %j', (indent, indentSeq, list) => {
    const testdata = { rollout: rollout([{ traffic: '20%' }]), original: route({ a: 1 }) };
    const text = stringify(testdata, { indent, indentSeq });
    expect(update(text, specs(undefined))).toEqual({ text: `${text}expected:\n${list}` });
  });

  it('looks for the indentation behind a key with nothing else on its line', () => {
    const text = (first: string) => `${first}${HEAD.slice(HEAD.indexOf('\n') + 1).replace(/^ {2}/gm, '   ')}`;
    const list = 'expected:\n   - spec:\n        b: 1\n';
    const changed = (first: string) => update(`${text(first)}expected: [{spec: {b: 2}}]\n`, specs(ONE)).text;
    expect(changed('rollout:\n')).toBe(`${text('rollout:\n')}${list}`);
    expect(changed('rollout: \t\n')).toBe(`${text('rollout: \t\n')}${list}`);
    expect(changed('# see:\n#  x\nrollout:\n')).toBe(`${text('# see:\n#  x\nrollout:\n')}${list}`);
  });
});

describe('a file in JSON', () => {
  const original = { apiVersion: 'example.com/v1', kind: 'Route' };
  const testdata = { rollout: rollout([{ traffic: '20%' }]), original, expected: [{ spec: { a: 1 } }] };
  const expected = [{ spec: { a: 2 } }, { apiVersion: 'example.com/v1', kind: 'Route', spec: { b: 1 } }];

  it.each([0, 2, 4, '\t'])('keeps its indentation: %j', (indent) => {
    for (const end of ['', '\n']) {
      const text = JSON.stringify(testdata, null, indent) + end;
      const after = JSON.stringify({ ...testdata, expected }, null, indent) + end;
      expect(update(text, specs({ a: 2 }, ONE))).toEqual({ text: after });
    }
  });

  it('gets the items that it lacks', () => {
    const { expected: _none, ...without } = testdata;
    const item = { apiVersion: 'example.com/v1', kind: 'Route', spec: { b: 1 } };
    expect(update(JSON.stringify(without, null, 2), specs(ONE))).toEqual({
      text: JSON.stringify({ ...without, expected: [item] }, null, 2),
    });
  });

  it.each([
    ['blanks', (text: string) => text.replaceAll(':', ': ')],
    ['two line ends', (text: string) => `${text}\n\n`],
    ['no quotes', (text: string) => text.replace('"expected"', 'expected')],
  ])('is written in the format of YAML if it has %s', (_, format) => {
    const own = format(JSON.stringify({ ...testdata, rollout: rollout([{ traffic: '20%' }]) }));
    const { text: after, refused } = update(own, specs({ a: 2 }));
    expect(refused).toBeUndefined();
    expect(after).toMatch(
      /^\{ "rollout": \{ .* "kind": "Route" \}, "?expected"?: \[ \{ "spec": \{ "a": 2 \} \} \] \}\n$/,
    );
    expect(verdicts('return { spec = { a = 2 } }', after, ROUTE)).toEqual(['passed']);
  });
});

describe('values that the file shares', () => {
  it.each<[before: string, now: readonly Json[], after: string]>([
    ['- &i\n  spec: {a: 1}\n- *i\n', [{ a: 1 }, { a: 2 }], '- &i\n  spec: {a: 1}\n- spec:\n    a: 2\n'],
    ['- &i\n  spec: {a: 1}\n- *i\n', [{ a: 2 }, { a: 2 }], '- &i\n  spec: {a: 2}\n- *i\n'],
    ['- spec: &s {a: 1}\n- spec: *s\n', [{ a: 2 }, { a: 1 }], '- spec:\n    a: 2\n- spec:\n    a: 1\n'],
    ['- spec: {a: &e 1, b: *e}\n- spec: {a: *e}\n', [{ b: 1 }, { a: 1 }], '- spec:\n    b: 1\n- spec:\n    a: 1\n'],
  ])('in %j stay shared where the text shows that they are equal', (before, now, after) => {
    expect(updatedEnd(`expected:\n${before}`, specs(...now))).toBe(`expected:\n${after}`);
  });

  it('with the Rollout behind them are not rewritten', () => {
    const behind = HEAD.replace('kind: Rollout', 'kind: Rollout\n  metadata: {annotations: *e}');
    const text = `expected:\n- spec: &e {a: b}\n${behind}`;
    expect(update(text, specs({ a: 'c' }))).toEqual({ text, refused: ANCHORS });
    expect(update(text, specs({ a: 'b' }))).toEqual({ text });
  });

  it('with the object are separated', () => {
    const text = `${HEAD}  spec: &s {a:  1}\n`;
    expect(update(`${text}expected:\n- spec: *s\n`, specs({ a: 2 }))).toEqual({
      text: `${text}expected:\n- spec:\n    a: 2\n`,
    });
  });

  it.each([
    ['the list', '&e\n- spec: {a: 1}\n', '{x: *e}', { a: 2 }],
    ['a spec', '\n- spec: &e {a: 1}\n', '*e', { a: 2 }],
    ['a scalar', '\n- spec: {a: &e 1}\n', '{a: *e}', { a: 2 }],
    ['a member that is no longer there', '\n- spec: {a: &e 1}\n', '{a: *e}', { b: 2 }],
    ['an item', '\n- &e\n  spec: {a: 1}\n', '*e', { a: 2 }],
  ])('with the object behind them are not rewritten: %s', (_, list, alias, now) => {
    const text = `${HEAD.replace('original:', `expected: ${list}original:`)}  spec: ${alias}\n`;
    expect(update(text, specs(now))).toEqual({ text, refused: ANCHORS });
  });
});
