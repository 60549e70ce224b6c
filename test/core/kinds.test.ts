import { describe, expect, it, test } from 'vitest';
import { type Finding, Manifest, parseManifests, World } from '../../src/core';
import { fileUrl, isAbsolutePath, joinedPath } from '../../src/core/file-name';
import { findingTexts, fingerprintOf, identityOf, withRemark } from '../../src/core/finding';
import { callProblems, shapeProblems } from '../../src/core/prop-shape';
import { hasFormat } from '../../src/core/schema/format';
import { pruneObject } from '../../src/core/schema/prune';
import { brokenRules } from '../../src/core/schema/validation-rules';
import type { Shape } from '../../src/core/shape';
import { coveragePercent, passes, type ScriptResult, summarize } from '../../src/core/test-result';

describe('formats of texts', () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ['date', ['2024-02-29', '1999-12-31'], ['2023-02-29', '2024-13-01', '2024-1-1', '2024-01-01x', 'x2024-01-01', '']],
    [
      'date-time',
      ['2024-02-29T23:59:60Z', '2024-01-01t00:00:00z', '2024-01-01T00:00:00.123+01:00', '2024-01-01T00:00:00-23:30'],
      [
        '2024-01-01',
        '2024-01-01T24:00:00Z',
        '2024-01-01T00:60:00Z',
        '2024-01-01T00:00:61Z',
        '2023-02-29T00:00:00Z',
        '2024-01-01T00:00:00',
        'x2024-01-01T00:00:00Z',
        '2024-01-01T00:00:00Zx',
      ],
    ],
    ['byte', ['', 'YQ==', 'YWI=', 'YWJj', '+/+/'], ['YQ', 'YQ=', 'Y===', 'YW-_', 'YWJjx', '=YWJ']],
    [
      'ipv4',
      ['0.0.0.0', '255.249.199.99', '10.1.2.3'],
      ['256.1.1.1', '1.1.1', '1.1.1.1.1', '01.1.1.1', 'x1.1.1.1', '1.1.1.1x'],
    ],
    [
      'uuid',
      ['01234567-89ab-cdef-0123-456789ABCDEF', '0123456789abcdef0123456789abcdef'],
      [
        '0123',
        '0123456g-89ab-cdef-0123-456789abcdef',
        'x0123456789abcdef0123456789abcdef',
        '0123456789abcdef0123456789abcdefx',
      ],
    ],
    ['of-nobody', ['anything', ''], []],
    ['constructor', ['anything'], []],
  ])('%s', (format, right, wrong) => {
    expect(right.filter((text) => !hasFormat(text, format))).toEqual([]);
    expect(wrong.filter((text) => hasFormat(text, format))).toEqual([]);
  });
});

describe('paths', () => {
  it('may start at the root of a disk', () => {
    expect(['/srv', 'C:\\web', 'c:/web', '\\\\server\\web'].filter((path) => !isAbsolutePath(path))).toEqual([]);
    expect(['srv', './srv', 'C:web', '1:\\web', 'xC:\\web', '', 'a/C:\\x'].filter(isAbsolutePath)).toEqual([]);
  });

  test.each([
    ['/srv/web.yaml', 'file:///srv/web.yaml'],
    ['/a b/c#d?e', 'file:///a%20b/c%23d%3Fe'],
    ['/a%20b', 'file:///a%2520b'],
    ['/a\\b', 'file:///a%5Cb'],
    ['/a\nb\tc\rd', 'file:///a%0Ab%09c%0Dd'],
    ['C:\\web\\a.yaml', 'file:///C:/web/a.yaml'],
  ])('%j has the address %s', (path, url) => expect(fileUrl(path)).toBe(url));

  test.each([
    [['a', 'b'], 'a/b'],
    [['a/./b//c'], 'a/b/c'],
    [['a', '..'], '.'],
    [['..', 'a', '..'], '..'],
    [['../..', 'a'], '../../a'],
    [['/', '..', 'a'], '/a'],
    [['/'], '/'],
    [['', ''], '.'],
    [[], '.'],
  ])('%j are put together', (parts, joined) => expect(joinedPath(...parts)).toBe(joined));
});

describe('a finding in short', () => {
  const finding: Finding = {
    rule: 'a-rule',
    severity: 'error',
    message: 'wrong',
    because: 'b',
    fix: 'f',
    docs: 'd',
    object: { kind: 'Service', namespace: 'shop', name: 'web' },
    path: 'spec',
    source: { file: 'a.yaml', line: 1, column: 1 },
    related: { message: 'there' },
  };
  const { object: _object, path: _path, related: _related, ...bare } = finding;

  it('has a fingerprint without its place', () => {
    const short = { rule: 'a-rule', object: 'Service shop/web', path: 'spec', message: 'wrong' };
    expect(fingerprintOf(finding)).toEqual(short);
    expect(fingerprintOf({ ...finding, source: { file: 'b.yaml', line: 9, column: 9 } })).toEqual(short);
    expect(fingerprintOf(bare)).toEqual({ rule: 'a-rule', object: '', path: '', message: 'wrong' });
    expect(fingerprintOf({ ...bare, construct: 'app/web' }).object).toBe('app/web');
    expect(fingerprintOf({ ...bare, object: { kind: 'Node', name: 'a' } }).object).toBe('Node /a');
  });

  it('has texts, an identity, and remarks', () => {
    expect(findingTexts(finding)).toEqual({ message: 'wrong', because: 'b', fix: 'f', note: 'there' });
    expect(findingTexts(bare).note).toBe('');
    expect(identityOf(finding)).not.toBe(identityOf(bare));
    expect(withRemark(finding, 'in prod')).toEqual({ ...finding, message: 'wrong (in prod)' });
  });
});

describe('the tests of scripts', () => {
  const script = (more: Partial<ScriptResult>): ScriptResult => ({
    name: 'a',
    file: 'a.lua',
    cases: [],
    findings: [],
    ...more,
  });
  const steps = (...statuses: ('passed' | 'failed' | 'skipped')[]) => [
    { name: 'c', file: 'c.yaml', steps: statuses.map((status) => ({ name: 's', status, differences: [] })) },
  ];
  const found = (severity: 'error' | 'warning' | 'note') => ({ severity }) as Finding;
  const coverage = (lines: number, covered: number) => ({ lines, covered, uncovered: [] });

  it('are counted', () => {
    const warned = { name: 's', status: 'passed' as const, differences: [], warning: 'careful' };
    const summary = summarize({
      scripts: [
        script({ cases: steps('passed', 'failed', 'passed', 'skipped'), findings: [found('error'), found('warning')] }),
        script({ name: 'b', problem: { message: 'x', source: { file: 'b.lua', line: 1, column: 1 } } }),
        script({ name: 'c', cases: [{ name: 'c', file: 'c.yaml', steps: [warned] }], findings: [found('note')] }),
      ],
    });
    expect(summary).toEqual({ passed: 3, failed: 2, skipped: 1, errors: 1, warnings: 2, belowThreshold: [] });
  });

  it('cover lines, as many as are asked for', () => {
    expect([coveragePercent(coverage(0, 0)), coveragePercent(coverage(4, 3)), coveragePercent(coverage(2, 0))]).toEqual(
      [100, 75, 0],
    );
    const scripts = [
      script({ name: 'low', coverage: coverage(4, 2) }),
      script({ name: 'enough', coverage: coverage(4, 3) }),
      script({ name: 'unknown' }),
    ];
    expect(summarize({ scripts, coverageThreshold: 75 }).belowThreshold).toEqual(['low']);
    expect(summarize({ scripts }).belowThreshold).toEqual([]);
  });

  it('pass without a failure, an error, and too little coverage', () => {
    const right = { passed: 1, failed: 0, skipped: 1, errors: 0, warnings: 1, belowThreshold: [] };
    expect(passes(right)).toBe(true);
    for (const wrong of [{ failed: 1 }, { errors: 1 }, { belowThreshold: ['a'] }]) {
      expect(passes({ ...right, ...wrong })).toBe(false);
    }
  });
});

describe('shapes of values', () => {
  class Base {}
  class Derived extends Base {}
  const problems = (value: unknown, shape: Shape) => shapeProblems(value, shape, {}, 'it');
  const output = { __pulumiOutput: true };

  test.each<[Shape, readonly unknown[], readonly unknown[]]>([
    ['any', [null, undefined, 1, {}, output], []],
    ['null', [null], [0, '', {}]],
    ['string', ['', 'a'], [1, null, {}, output]],
    ['number', [0, -1.5], ['1', Number.POSITIVE_INFINITY, Number.NaN, null]],
    ['boolean', [true, false], [0, 'true']],
    ['function', [() => 1], [{}, 'x']],
    ['output', [output, Promise.resolve(1)], [{}, null, 'x', { __pulumiOutput: 1 }]],
    ['resource', [{ __pulumiResource: true }], [{}, null, 'x']],
    ['construct', [{ node: { path: 'a' } }], [{}, { node: {} }, { node: null }, null, { path: 'a' }]],
    [{ values: ['a', 1] }, ['a', 1], ['b', 2, '1']],
    [{ list: 'string' }, [[], ['a']], [{}, 'a', [1]]],
    [{ map: 'string' }, [{}, { a: 'b' }, { a: undefined }], [[], 'a', { a: 1 }, output, null]],
    [{ props: { 'a?': 'string' } }, [{}, { a: 'b' }, { a: undefined }], [{ a: 1 }, { b: 1 }, [], null, output]],
    [{ props: { a: 'string' }, open: true }, [{ a: 'b', c: 1 }], [{}, { c: 1 }]],
    [{ class: 'Base' }, [new Base(), new Derived()], [{}, new Map(), null]],
    [{ oneOf: ['string', { list: 'number' }] }, ['a', [1]], [1, ['a']]],
    [{ type: 'unknown' }, [1, {}], []],
  ])('%j', (shape, right, wrong) => {
    expect(right.filter((value) => problems(value, shape).length > 0)).toEqual([]);
    expect(wrong.filter((value) => problems(value, shape).length === 0)).toEqual([]);
  });

  it('may be that of an instance, which may have more', () => {
    const shape: Shape = { props: { a: 'string' } };
    const instance = Object.assign(new Base(), { a: 'b', more: 1 });
    expect(problems(instance, shape)).toEqual([]);
    expect(problems({ a: 'b', more: 1 }, shape)).toEqual(['"it.more" is no property: the properties are a']);
  });

  it('are told by what comes closest, and at most five times', () => {
    const either: Shape = { oneOf: [{ props: { a: 'string', b: 'string' } }, { props: { c: 'string' } }] };
    expect(problems({ c: 1 }, either)).toEqual(['"it.c" is the number 1: give a string']);
    expect(problems({ a: 'x' }, either)).toEqual(['"it.b" is missing: give a string']);
    expect(problems([1, 2, 3, 4, 5, 6, 7], { list: 'string' })).toHaveLength(5);
    expect(problems({ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1 }, { map: 'string' })).toHaveLength(5);
    expect(problems('alb', { values: ['nlb', 'all'] })).toEqual(['"it" is the string "alb": did you mean "nlb"?']);
    expect(shapeProblems(1, { props: {} }, {})).toEqual(['the properties are the number 1: give an object']);
  });

  it('are those of arguments', () => {
    const parameters = [
      { name: 'name', shape: 'string' },
      { name: 'size', shape: 'number', optional: true },
      { name: 'rest', shape: 'string', rest: true },
    ] as const;
    const of = (...given: unknown[]) => callProblems(given, parameters, {});
    expect([of('a'), of('a', 1), of('a', undefined, 'b', 'c')]).toEqual([[], [], []]);
    expect(of()).toEqual(['"name" is missing: give a string']);
    expect(of(1, 'x', 'b', 2)).toEqual([
      '"name" is the number 1: give a string',
      '"size" is the string "x": give a number',
      '"rest[1]" is the number 2: give a string',
    ]);
    expect(of(1, 'x', 1, 1, 1, 1, 1)).toHaveLength(5);
  });
});

describe('a rule on a change', () => {
  const rules = [{ rule: 'self.size >= oldSelf.size', message: 'it may not shrink' }];
  const item = { type: 'object', 'x-kubernetes-validations': rules } as const;
  const map = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: item,
  } as const;
  const broken = (value: unknown, old: unknown, schema: object = map) =>
    brokenRules(value as never, schema as never, old as never).map(({ path, detail }) => `${path.join('.')} ${detail}`);

  it('compares items of a list with those of the same keys', () => {
    const before = [
      { name: 'a', size: 2 },
      { name: 'b', size: 5 },
    ];
    expect(
      broken(
        [
          { name: 'b', size: 4 },
          { name: 'a', size: 2 },
        ],
        before,
      ),
    ).toEqual(['0 it may not shrink']);
    expect(broken([{ name: 'c', size: 1 }], before)).toEqual([]);
    expect(broken([{ name: 'b', size: 4 }], undefined)).toEqual([]);
    expect(broken([{ name: 'b', size: 4 }], before, { ...map, 'x-kubernetes-list-type': 'atomic' })).toEqual([]);
    expect(broken([{ name: 'b', size: 4 }], before, { type: 'array' })).toEqual([]);
  });

  it('compares fields, and says what cannot be evaluated', () => {
    const object = { type: 'object', properties: { of: item } };
    expect(broken({ of: { size: 1 } }, { of: { size: 2 } }, object)).toEqual(['of it may not shrink']);
    expect(broken({ of: { size: 1 } }, {}, object)).toEqual([]);
    expect(broken({ of: {} }, { of: { size: 2 } }, object)).toEqual([
      'of no such key: size evaluating rule: it may not shrink',
    ]);
    const plain = { type: 'object', 'x-kubernetes-validations': [{ rule: 'self.a == 1' }, { rule: 'unreadable(' }] };
    expect(broken({ a: 2 }, undefined, plain)).toEqual([' failed rule: self.a == 1']);
  });
});

describe('Worlds of one origin', () => {
  const named = (name: string, value = '') =>
    Manifest.of({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop' }, data: { value } });
  const names = (manifests: readonly Manifest[]) => manifests.map(({ name }) => name).sort();

  it('know what is new or changed since another', () => {
    const first = World.of([named('a'), named('b')]);
    const later = first.with(named('c')).without(first.find('ConfigMap', 'a', 'shop')!);
    expect(names(later.since(first))).toEqual(['c']);
    expect(names(first.since(later))).toEqual(['a']);
    expect(names(World.of([named('a'), named('x')]).since(first))).toEqual(['a', 'x']);
    expect(first.since(first)).toEqual([]);
  });

  it('stay right with many changes', () => {
    let world = World.of([named('first')]);
    for (let index = 0; index < 400; index++) world = world.with(named(`n${index}`));
    for (let index = 0; index < 300; index++) world = world.without(world.find('ConfigMap', `n${index}`, 'shop')!);
    expect(world.manifests).toHaveLength(101);
    expect(world.find('ConfigMap', 'n299', 'shop')).toBeUndefined();
    expect(world.find('ConfigMap', 'n300', 'shop')?.name).toBe('n300');
    expect(world.list('ConfigMap')).toHaveLength(101);
  });
});

describe('an object without a name', () => {
  const rules = (apiVersion: string, kind = 'Thing') =>
    parseManifests(`apiVersion: ${apiVersion}\nkind: ${kind}\n`, 'a.yaml').findings.map(({ rule }) => rule);

  test.each([
    ...[
      'config.k8s.io/v1',
      'kustomize.config.k8s.io/v1beta1',
      'kubeadm.k8s.io/v1beta3',
      'client.authentication.k8s.io/v1',
    ],
    ...['ctlptl.dev/v1', 'dev.dev/v1', 'kpt.dev/v1', 'tilt.dev/v1', 'kind.x-k8s.io/v1alpha4', 'k3d.io/v1alpha5'],
    ...['k0s.k0sproject.io/v1', 'eksctl.io/v1alpha5', 'skaffold/v4beta11', 'minikube.sigs.k8s.io/v1', 'kots.io/v1'],
    ...['apiserver.k8s.io/v1', 'audit.k8s.io/v1', 'troubleshoot.sh/v1beta2'],
  ])('may be the configuration of a program: %s', (apiVersion) => expect(rules(apiVersion)).toEqual([]));

  test.each([
    ...[
      'apps/v1',
      'myconfig.k8s.io/v1',
      'config.k8s.io.example.com/v1',
      'x.kpt.dev/v1',
      'kpt.dev.io/v1',
      'xskaffold/v1',
    ],
    ...['skaffold.io/v1', 'kind.x-k8s.io.a/v1', 'v1'],
  ])('is a mistake of %s', (apiVersion) => expect(rules(apiVersion)).toEqual(['object-without-name']));

  it('may be a kubeconfig', () => expect(rules('v1', 'Config')).toEqual([]));
});

describe('an object within an object', () => {
  it('has the fields of every object, if its schema says that it is one', () => {
    const within = (more: object) => ({
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: { of: { type: 'object', properties: { spec: { type: 'object' } }, ...more } },
        },
      },
    });
    const object = {
      metadata: { name: 'a' },
      spec: { of: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'b' }, other: 1 } },
    };
    const unknown = (more: object) =>
      pruneObject(object as never, within(more) as never).unknown.map(({ path, known }) => [path.join('.'), known]);
    const known = ['apiVersion', 'kind', 'metadata', 'spec'];
    expect(unknown({ 'x-kubernetes-embedded-resource': true })).toEqual([['spec.of.other', known]]);
    expect(unknown({}).map(([path]) => path)).toEqual([
      'spec.of.apiVersion',
      'spec.of.kind',
      'spec.of.metadata',
      'spec.of.other',
    ]);
    expect(unknown({ 'x-kubernetes-preserve-unknown-fields': true })).toEqual([]);
  });
});
