/** What is read of Go, on the forms that upstream's tests are written in. */
import { describe, expect, test } from 'vitest';
import { type Expression, functionsOf, importsOf, statementsOf, titledBodies, tokensOf } from './go';

const read = (text: string): Expression => {
  const [statement] = statementsOf(tokensOf(`value := ${text}\n`));
  if (statement?.is !== 'assignment') throw new Error(`no assignment is read in ${text}`);
  return statement.value;
};

describe('an expression of Go', () => {
  test.each([
    ['"a\\n"', { is: 'text', value: 'a\n' }],
    ['`a\nb`', { is: 'text', value: 'a\nb' }],
    ['12 // twelve', { is: 'number', value: 12 }],
    ['&count', { is: 'name', name: 'count' }],
    ['a.B', { is: 'field', of: { is: 'name', name: 'a' }, name: 'B' }],
    ['f("x",\n\t1,\n)', { is: 'call', of: { is: 'name', name: 'f' }, args: [read('"x"'), read('1')] }],
    ['a[0]', { is: 'index', of: { is: 'name', name: 'a' }, at: { is: 'number', value: 0 } }],
    ['"a" + "b"', { is: 'sum', parts: [read('"a"'), read('"b"')] }],
    ['&v1.Pod{}', { is: 'literal', type: 'Pod', entries: [] }],
    ['func() bool { return "}" == "" }', { is: 'other' }],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test('a list of structs, a map, and a table whose type has no name', () => {
    expect(read('[]v1.Step{{Weight: 1}, {}}')).toEqual({
      is: 'literal',
      type: 'list',
      entries: [
        {
          value: {
            is: 'literal',
            type: '',
            entries: [{ key: { is: 'name', name: 'Weight' }, value: { is: 'number', value: 1 } }],
          },
        },
        { value: { is: 'literal', type: '', entries: [] } },
      ],
    });
    expect(read('map[string]string{"a": "b"}')).toMatchObject({ type: 'map', entries: [{ key: { value: 'a' } }] });
    expect(read('[]struct {\n\tfile string\n\ttls bool\n}{\n\t{"x", true},\n}')).toMatchObject({
      type: 'list',
      fields: ['file', 'tls'],
      entries: [{ value: { entries: [{ value: { value: 'x' } }, { value: { name: 'true' } }] } }],
    });
  });
});

describe('a file of Go', () => {
  const source = `package e2e

import (
	v1 "k8s.io/api/core/v1"
	"k8s.io/api/apps"
)

// func Commented() {}
func (s *Suite) TestOne() {
	s.Given().
		Apply("x")
	if a {
		skipped()
	}
	for _, tc := range tests { run(tc.file) }
}

var _ = Describe("all", func() {
	It("scales", func() {
		scale()
	})
})
`;

  test('has functions with statements; those of conditions are left out', () => {
    const [one, ...others] = functionsOf(tokensOf(source));
    expect(others).toEqual([]);
    expect(one!.name).toBe('TestOne');
    expect(statementsOf(one!.tokens)).toMatchObject([
      { is: 'expression', value: { is: 'call', of: { name: 'Apply' }, args: [{ value: 'x' }] } },
      { is: 'loop', name: 'tc', over: { name: 'tests' }, body: [{ value: { is: 'call' } }] },
    ]);
  });

  test('has tests with titles', () => {
    const [scales] = titledBodies(tokensOf(source), 'It');
    expect(scales!.name).toBe('scales');
    expect(statementsOf(scales!.tokens)).toMatchObject([{ value: { is: 'call', of: { name: 'scale' } } }]);
  });

  test('imports packages by alias, or by the end of their path', () => {
    expect([...importsOf(source)]).toEqual([
      ['v1', 'k8s.io/api/core/v1'],
      ['apps', 'k8s.io/api/apps'],
    ]);
  });
});
