import { describe, expect, it } from 'vitest';
import { contourRouter } from '../../src/routers';
import { app, ask, worldOf } from './stack';

const router = contourRouter();

function proxy(name: string, spec: string, namespace = 'default'): string {
  return `apiVersion: projectcontour.io/v1\nkind: HTTPProxy\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {${spec}}`;
}

const HOST = 'virtualhost: {fqdn: a.com}';
const root = (routes: string, more = '') => proxy('root', `${HOST}, routes: [${routes}]${more}`);
const to = (name: string, conditions = '', more = '') =>
  `{services: [{name: ${name}, port: 80}], conditions: [${conditions}]${more}}`;

const APPS = ['a', 'b', 'c'].map((name) => app(name));

describe('the order of routes of Contour', () => {
  const order = (...conditions: readonly string[]) => {
    const routes = conditions.map((each) => to('a', each)).join(', ');
    const { rules } = router.routes(worldOf(...APPS, root(routes))).loadBalancers[0]!.listeners[0]!;
    return rules.map(({ path }) => path[2]);
  };
  const header = (comparison: string, name = 'h') => `{header: {name: ${name}, ${comparison}}}`;
  const query = (comparison: string, name = 'q') => `{queryParameter: {name: ${name}, ${comparison}}}`;

  it.each<[string, string, string]>([
    ['an exact path before an expression', '{exact: /x}', "{regex: '/xxxx'}"],
    ['an expression before a prefix', "{regex: '/x'}", '{prefix: /xxxx}'],
    ['a longer prefix', '{prefix: /xx}', '{prefix: /x}'],
    ['of equal length the later in the alphabet', '{prefix: /y}', '{prefix: /x}'],
    [
      'more headers',
      `${header('exact: v')}, ${header('exact: v', 'i')}`,
      `${header('exact: v')}, ${query('exact: v')}`,
    ],
    ['more parameters', `${query('exact: v')}, ${query('exact: v', 'r')}`, query('exact: v')],
    ['a header earlier in the alphabet', header('exact: v', 'g'), header('exact: v', 'h')],
    ['exact before an expression', header('exact: v'), header('regex: v')],
    ['an expression before a part', header('regex: v'), header('contains: v')],
    ['a part before presence', header('contains: v'), header('present: true')],
    ['a value earlier in the alphabet', header('exact: v'), header('exact: w')],
    ['a comparison before its opposite', header('exact: v'), header('notexact: v')],
    [
      'a comparison before its opposite, whatever the case',
      header('exact: v, ignoreCase: true'),
      header('notexact: v'),
    ],
    ['presence before absence', header('present: true'), header('notpresent: true')],
    ['a parameter by name', query('exact: v', 'p'), query('exact: v')],
    ['a parameter whose case counts', query('exact: v'), query('exact: v, ignoreCase: true')],
    ['exact before a prefix', query('exact: v'), query('prefix: v')],
    ['a prefix before a suffix', query('prefix: v'), query('suffix: v')],
    ['a suffix before a part of a parameter', query('suffix: v'), query('contains: v')],
    [
      'the header decides before the parameter',
      `${header('exact: v', 'g')}, ${query('present: true')}`,
      `${header('exact: v')}, ${query('exact: v')}`,
    ],
    [
      'the first header that differs decides',
      `${header('exact: v', 'm')}, ${header('exact: a', 'g')}`,
      `${header('exact: a', 'k')}, ${header('exact: b', 'g')}`,
    ],
  ])('%s', (_, first, second) => {
    expect(order(first, second)).toEqual([0, 1]);
    expect(order(second, first)).toEqual([1, 0]);
  });

  it('counts a missing header as a difference between routes, and the case of an expression or a presence not', () => {
    const missing = ', treatMissingAsEmpty: true';
    expect(order(header('notexact: v'), header(`notexact: v${missing}`)).sort()).toEqual([0, 1]);
    expect(order(header('exact: v'), header(`exact: v${missing}`))).toEqual([1]);
    expect(order(header('notpresent: true'), header(`notpresent: true${missing}`))).toEqual([1]);
    expect(order(header('regex: v'), header('regex: v, ignoreCase: true'))).toEqual([1]);
    expect(order(query('present: true'), query('present: true, ignoreCase: true'))).toEqual([1]);
    expect(order(header('exact: v'), query('exact: v', 'h')).sort()).toEqual([0, 1]);
  });

  it('keeps the last of equal routes only', () => {
    expect(order('{prefix: /x}', '', '{prefix: /x}')).toEqual([2, 1]);
    expect(order(`${header('exact: v')}, ${query('exact: v')}`, `${query('exact: v')}, ${header('exact: v')}`)).toEqual(
      [1],
    );
  });
});

describe('comparisons of Contour', () => {
  const takes = (condition: string, request: object) =>
    ask(router, worldOf(...APPS, root(to('a', condition))), request) === 'a';
  const parameter = (text: string) => `{queryParameter: {name: q, ${text}}}`;
  const header = (text: string) => `{header: {name: H, ${text}}}`;

  it.each<[string, readonly string[], readonly string[]]>([
    ['exact: Ab', ['Ab'], ['ab', 'Abc', '']],
    ['exact: Ab, ignoreCase: true', ['ab', 'AB'], ['abc', '']],
    ['prefix: Ab', ['Abc', 'Ab'], ['abc', 'xAb']],
    ['prefix: Ab, ignoreCase: true', ['abC'], ['xab']],
    ['suffix: Ab', ['xAb', 'Ab'], ['xab', 'Abx']],
    ['suffix: Ab, ignoreCase: true', ['xaB'], ['abx']],
    ['contains: Ab', ['xAby'], ['xaby', 'A']],
    ['contains: Ab, ignoreCase: true', ['xabY'], ['a']],
    ['regex: "[0-9]+"', ['12'], ['', '1a']],
    ['present: true', ['', 'x'], []],
  ])('%s of a parameter takes %j, and not %j', (text, taken, left) => {
    expect(taken.filter((q) => !takes(parameter(text), { query: { q } }))).toEqual([]);
    expect(left.filter((q) => takes(parameter(text), { query: { q } }))).toEqual([]);
    expect(takes(parameter(text), { query: { p: taken[0] } })).toBe(false);
  });

  it.each<[string, string]>([
    ['present: true, exact: v', 'is there'],
    ['notpresent: true, contains: v', 'is not there'],
    ['exact: v, contains: w', 'contains "w"'],
    ['notcontains: v, exact: w', 'does not contain "v"'],
    ['notexact: v, exact: w', 'is "w"'],
    ['regex: v, notexact: w', 'is not "w"'],
    ['regex: v, exact: ""', 'matches v'],
    ['regex: v, prefix: w', 'matches v'],
  ])('of several on a header the first counts: %s %s', (text, words) => {
    const [rule] = router.routes(worldOf(...APPS, root(to('a', header(text))))).loadBalancers[0]!.listeners[0]!.rules;
    expect(rule!.description).toBe(`HTTPProxy default/root for a.com: path prefix / and header H ${words}`);
  });

  it.each<[string, string]>([
    ['prefix: v, exact: w', 'the condition on the query parameter q has 2 comparisons, and it needs one'],
    [
      'suffix: v, regex: w, present: true',
      'the condition on the query parameter q has 3 comparisons, and it needs one',
    ],
    ['notexact: v', 'the condition on the query parameter q has 0 comparisons, and it needs one'],
  ])('of several on a parameter, or of none, the proxy is invalid: %s', (text, why) => {
    const { loadBalancers, ignored } = router.routes(worldOf(...APPS, root(to('a', parameter(text)))));
    expect(loadBalancers[0]!.listeners[0]!.rules).toEqual([]);
    expect(ignored!.map((each) => each.why)).toEqual([
      `${why}, so the whole HTTPProxy is invalid and none of its routes exists`,
    ]);
  });

  it('makes the proxy invalid where two exact ones name a parameter', () => {
    const both = `${parameter('exact: v')}, ${parameter('exact: w')}`;
    const { ignored } = router.routes(worldOf(...APPS, root(to('a', both))));
    expect(ignored!.map(({ why }) => why)).toEqual([
      'two exact conditions name the query parameter q, so the whole HTTPProxy is invalid and none of its routes exists',
    ]);
  });

  it.each([
    ['exact: v', 'exact: v, ignoreCase: true', 'v', 'V'],
    ['notexact: v', 'notexact: v, treatMissingAsEmpty: true', 'w', undefined],
  ])('on a header that differ only in a modifier have no order: %s, and %s', (one, other, both, only) => {
    const on = (text: string) => `{header: {name: h, ${text}}}`;
    const ofBoth = (second: string) => worldOf(...APPS, root(`${to('a', on(one))}, ${to(second, on(other))}`));
    const told = (second: string, value: string | undefined) =>
      ask(router, ofBoth(second), { headers: value === undefined ? {} : { h: value } });
    expect(told('b', both)).toMatch(
      /^not known: Contour has no order for conditions that differ only in ignoreCase or treatMissingAsEmpty, and the route with header h is/,
    );
    expect(told('b', only)).toBe('b');
    expect(told('a', both)).toBe('a');
  });

  it.each<[string, readonly string[], readonly string[], boolean]>([
    ['exact: Ab', ['Ab'], ['ab', ''], false],
    ['exact: Ab, ignoreCase: true', ['aB'], ['abc'], false],
    ['notexact: Ab', ['ab', ''], ['Ab'], false],
    ['notexact: Ab, ignoreCase: true', ['abc'], ['aB'], false],
    ['notexact: Ab, treatMissingAsEmpty: true', ['ab', ''], ['Ab'], true],
    ['contains: Ab', ['xAb'], ['xab'], false],
    ['contains: Ab, ignoreCase: true', ['xab'], ['xa'], false],
    ['notcontains: Ab', ['xab'], ['xAby'], false],
    ['notcontains: Ab, treatMissingAsEmpty: true', ['xab'], ['xAby'], true],
    ['regex: "[0-9]*"', ['', '12'], ['1a'], false],
    ['regex: "[0-9]*", treatMissingAsEmpty: true', ['', '12'], ['1a'], false],
    ['notexact: "", contains: a, treatMissingAsEmpty: true', ['a'], [''], false],
    ['exact: Ab, treatMissingAsEmpty: true', ['Ab'], [''], false],
    ['present: true', ['', 'x'], [], false],
    ['notpresent: true', [], ['', 'x'], true],
    ['notpresent: true, treatMissingAsEmpty: true', [], ['', 'x'], true],
  ])('%s of a header takes %j, and not %j; without it: %j', (text, taken, left, without) => {
    expect(taken.filter((h) => !takes(header(text), { headers: { h } }))).toEqual([]);
    expect(left.filter((h) => takes(header(text), { headers: { h } }))).toEqual([]);
    expect(takes(header(text), {})).toBe(without);
  });
});
