import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PACKAGED_FOLDER, readScriptLibrary } from '../../../src/files/scripts/library';
import { testScript } from '../../../src/files/scripts/script-tester';
import { builtinScripts, type ScriptTarget } from '../../../src/kruise/scripts/library';
import { lookupIngressScript, runnerOfFound } from '../../../src/kruise/scripts/lookup';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { compileLua, type LuaData, type LuaResult, type LuaRunOptions } from '../../../src/lua';
import builtinScriptVectors from '../../conformance/sets/builtin-scripts';

type Annotations = Record<string, string>;

const INGRESS_CLASSES = ['aliyun-alb', 'higress', 'mse', 'nginx'];
const exact = (name: string, value: string) => ({ type: 'Exact', name, value });
const regex = (name: string, value: string) => ({ type: 'RegularExpression', name, value });

function run(target: ScriptTarget, obj: LuaData, options: LuaRunOptions = {}, version = KruiseRolloutVersion.LATEST) {
  return compileLua(builtinScripts(version).find(target)!.source).run(obj, options);
}

function runIngress(classType: string, obj: { [key: string]: LuaData }, version?: KruiseRolloutVersion): LuaResult {
  return run({ provider: 'ingress', classType }, { weight: '-1', canaryService: 'shop-canary', ...obj }, {}, version);
}

function annotationsOf(result: LuaResult): Annotations {
  if (!result.ok) throw new Error(result.error);
  return JSON.parse(result.json);
}

const VECTORS = readFileSync(join(__dirname, '../../vectors/builtin-scripts.jsonl'), 'utf8');

describe('recorded answers of the controller', () => {
  for (const vector of VECTORS.trim()
    .split('\n')
    .map((line) => JSON.parse(line))) {
    test(vector.name, () => expect(builtinScriptVectors.check(vector)).toMatchObject({ same: true }));
  }

  test('an error is a part of what the controller logs, without a line of its script', () => {
    const failing = VECTORS.trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ expect: { ok } }) => !ok);
    expect(failing.length).toBeGreaterThan(5);
    for (const { input, expect: logged } of failing) {
      const found = lookupIngressScript(input.script.replace('ingress.', ''), {
        builtins: builtinScripts(KruiseRolloutVersion.LATEST),
      });
      if (!found.found) throw new Error(found.error);
      const result = runnerOfFound(found)(input.obj);
      expect(result).toMatchObject({ ok: false });
      expect(result).not.toHaveProperty('line');
      expect(logged.error).toContain((result as { error: string }).error);
      expect((result as { error: string }).error).not.toContain('<string>');
    }
  });

  test('a wrong answer is reported', () => {
    const input = { script: 'ingress.nginx', obj: { weight: '20' } };
    const wrong = { ok: true, type: 'table', json: '{"nginx.ingress.kubernetes.io/canary":"true"}' };
    expect(builtinScriptVectors.check({ input, expect: wrong })).toMatchObject({
      same: false,
      difference: expect.stringContaining('canary-weight'),
    });
    expect(builtinScriptVectors.check({ input, expect: { ok: false } }).same).toBe(false);
    expect(builtinScriptVectors.check({ input: { script: 'ingress.haproxy', obj: {} }, expect: wrong }).same).toBe(
      false,
    );
  });
});

describe.each([
  ['.', KruiseRolloutVersion.LATEST],
  ['before-0.6', KruiseRolloutVersion.V0_5_0],
  ['before-0.4', KruiseRolloutVersion.V0_3_0],
])('testdata in builtin/%s', (folder, version) => {
  for (const script of readScriptLibrary(join(PACKAGED_FOLDER, 'builtin', folder)).scripts) {
    test(`${script.name} passes and covers every line`, async () => {
      const { result } = await testScript(script, { version, coverage: true, display: (file) => basename(file) });
      const steps = result.cases.flatMap((each) => each.steps.map((step) => ({ case: each.name, ...step })));
      expect(steps.filter(({ status }) => status !== 'passed')).toEqual([]);
      expect(steps.length).toBeGreaterThan(script.testdata.length - 1);
      expect(result.coverage?.uncovered).toEqual([]);
    });
  }
});

describe.each(INGRESS_CLASSES)('ingress script %s', (classType) => {
  const prefix = classType === 'aliyun-alb' ? 'alb.ingress.kubernetes.io/' : 'nginx.ingress.kubernetes.io/';
  const annotations = { 'example.com/team': 'shop' };
  const always: Annotations =
    classType === 'aliyun-alb'
      ? { ...annotations, [`${prefix}canary`]: 'true', [`${prefix}order`]: '1' }
      : { ...annotations, [`${prefix}canary`]: 'true' };
  const withKeys = (keys: Annotations) => ({
    ...always,
    ...Object.fromEntries(Object.entries(keys).map(([key, value]) => [`${prefix}canary-${key}`, value])),
  });

  test('reads the first header of a match only', () => {
    const matches = [{ headers: [exact('a', '1'), exact('b', '2')] }];
    expect(annotationsOf(runIngress(classType, { annotations, matches }))).toEqual(
      withKeys({ 'by-header': 'a', 'by-header-value': '1' }),
    );
  });

  test('uses the last match, and keeps annotations that it does not write', () => {
    const matches = [{ headers: [exact('a', '1')] }, { headers: [regex('b', '2')] }];
    expect(annotationsOf(runIngress(classType, { annotations, matches }))).toEqual(
      withKeys({ 'by-header': 'b', 'by-header-value': '1', 'by-header-pattern': '2' }),
    );
  });

  test('uses the value of a header named canary-by-cookie as the name of a cookie, for any type', () => {
    const matches = [{ headers: [regex('canary-by-cookie', 'beta')] }];
    expect(annotationsOf(runIngress(classType, { annotations, matches }))).toEqual(withKeys({ 'by-cookie': 'beta' }));
  });

  test('treats a header without a type as exact', () => {
    const matches = [{ headers: [{ name: 'a', value: '1' }] }];
    expect(annotationsOf(runIngress(classType, { annotations, matches }))).toEqual(
      withKeys({ 'by-header': 'a', 'by-header-value': '1' }),
    );
  });

  test('writes a weight together with matches, including weight 0, and none for -1', () => {
    const matches = [{ headers: [exact('a', '1')] }];
    const conditions = { 'by-header': 'a', 'by-header-value': '1' };
    for (const weight of ['0', '30', '100']) {
      expect(annotationsOf(runIngress(classType, { annotations, matches, weight }))).toEqual(
        withKeys({ ...conditions, weight }),
      );
    }
    expect(annotationsOf(runIngress(classType, { annotations, weight: '-1' }))).toEqual(always);
  });

  test('ignores path', () => {
    const matches = [{ headers: [exact('a', '1')], path: { type: 'Exact', value: '/' } }];
    expect(annotationsOf(runIngress(classType, { annotations, matches }))).toEqual(
      withKeys({ 'by-header': 'a', 'by-header-value': '1' }),
    );
  });

  test.each([
    ['path', [{ path: { type: 'PathPrefix', value: '/' } }]],
    ['nothing', [{}]],
    ['an empty list of headers', [{ headers: [] }]],
  ])('meets a match of %s', (_, matches) => {
    const result = runIngress(classType, { annotations, matches, weight: '10' });
    if (classType === 'nginx' || classType === 'mse') expect(annotationsOf(result)).toEqual(withKeys({ weight: '10' }));
    else expect(result).toMatchObject({ ok: false, stage: 'run' });
  });

  test('adds its annotations to an Ingress without annotations; mse fails', () => {
    const result = runIngress(classType, { weight: '20' });
    if (classType === 'mse') expect(result).toMatchObject({ ok: false, stage: 'run' });
    else expect(annotationsOf(result)[`${prefix}canary-weight`]).toBe('20');
  });

  const header = fc.record({
    type: fc.constantFrom('Exact', 'RegularExpression'),
    name: fc.constantFrom('a', 'b', 'canary-by-cookie'),
    value: fc.string(),
  });
  const step = fc.record({
    weight: fc.constantFrom('-1', '0', '20', '100'),
    matches: fc.array(fc.record({ headers: fc.array(header, { minLength: 1, maxLength: 3 }) }), { maxLength: 3 }),
  });

  test('gives the same result after any step, and changes nothing when run on its own output', () => {
    fc.assert(
      fc.property(step, step, (before, after) => {
        const fresh = annotationsOf(runIngress(classType, { annotations, ...after }));
        const dirty = annotationsOf(runIngress(classType, { annotations, ...before }));
        expect(annotationsOf(runIngress(classType, { annotations: dirty, ...after }))).toEqual(fresh);
        expect(annotationsOf(runIngress(classType, { annotations: fresh, ...after }))).toEqual(fresh);
      }),
      { seed: 1, numRuns: 25 },
    );
  });
});

describe('behaviour of a single ingress script', () => {
  const NGINX = 'nginx.ingress.kubernetes.io/';
  const MSE = 'mse.ingress.kubernetes.io/';

  test('mse: any subset becomes gray, none stays none', () => {
    const subsetAfter = (annotations: Annotations) =>
      annotationsOf(runIngress('mse', { annotations, weight: '0' }))[`${MSE}service-subset`];
    expect(subsetAfter({ [`${MSE}service-subset`]: '' })).toBe('gray');
    expect(subsetAfter({ [`${MSE}service-subset`]: 'base' })).toBe('gray');
    expect(subsetAfter({ a: 'b' })).toBeUndefined();
  });

  test('mse: headers to set are concatenated without a separator', () => {
    const requestHeaderModifier = {
      set: [
        { name: 'a', value: '1' },
        { name: 'b', value: '2' },
      ],
      add: [],
      remove: ['x'],
    };
    const result = runIngress('mse', { annotations: { a: 'b' }, weight: '10', requestHeaderModifier });
    expect(annotationsOf(result)[`${MSE}request-header-control-update`]).toBe('a 1b 2');
  });

  test.each<LuaData>([{ add: [{ name: 'a', value: '1' }] }, { remove: ['a'] }, {}])(
    'mse: fails on the modifier %j',
    (modifier) => {
      const result = runIngress('mse', { annotations: { a: 'b' }, weight: '10', requestHeaderModifier: modifier });
      expect(result).toMatchObject({ ok: false, stage: 'run' });
    },
  );

  test('mse: a query parameter remains after its step, because the script clears other keys', () => {
    const matches = [{ queryParams: [exact('version', 'v2'), exact('region', 'eu')] }];
    const first = annotationsOf(runIngress('mse', { annotations: { [`${MSE}canary-by-query`]: 'mine' }, matches }));
    expect(first).toEqual({
      [`${NGINX}canary`]: 'true',
      [`${NGINX}canary-by-query`]: 'version',
      [`${NGINX}canary-by-query-value`]: 'v2',
    });
    expect(annotationsOf(runIngress('mse', { annotations: first, weight: '50' }))).toEqual({
      ...first,
      [`${NGINX}canary-weight`]: '50',
    });
  });

  test.each(['aliyun-alb', 'higress', 'nginx'])('%s: ignores a requestHeaderModifier', (classType) => {
    const requestHeaderModifier = { set: [{ name: 'a', value: '1' }] };
    expect(annotationsOf(runIngress(classType, { weight: '10', requestHeaderModifier }))).toEqual(
      annotationsOf(runIngress(classType, { weight: '10' })),
    );
  });

  test('aliyun-alb: order is 1 for any stable Ingress, from 0.4', () => {
    const annotations = { 'alb.ingress.kubernetes.io/order': '501' };
    const orderIn = (version: KruiseRolloutVersion) =>
      annotationsOf(runIngress('aliyun-alb', { annotations, weight: '10' }, version))[
        'alb.ingress.kubernetes.io/order'
      ];
    expect(orderIn(KruiseRolloutVersion.V0_3_0)).toBe('501');
    expect(orderIn(KruiseRolloutVersion.V0_4_0)).toBe('1');
    expect(orderIn(KruiseRolloutVersion.V0_6_2)).toBe('1');
  });

  test.each(['mse', 'nginx'])('%s: a match without headers is an error before 0.6', (classType) => {
    const obj = { annotations: { a: 'b' }, matches: [{ headers: [] }] };
    expect(runIngress(classType, obj, KruiseRolloutVersion.V0_5_0)).toMatchObject({ ok: false, stage: 'run' });
    expect(runIngress(classType, obj, KruiseRolloutVersion.V0_6_0)).toMatchObject({ ok: true });
  });
});

describe('VirtualService', () => {
  const target: ScriptTarget = { provider: 'custom', group: 'networking.istio.io', kind: 'VirtualService' };
  const to = (host: string, weight?: number) => ({
    destination: { host },
    ...(weight === undefined ? {} : { weight }),
  });
  const runWith = (spec: LuaData, obj: { [key: string]: LuaData }, options?: LuaRunOptions): LuaResult => {
    const canaryWeight = (obj.canaryWeight as number | undefined) ?? -1;
    const services = { canaryService: 'shop-canary', stableService: 'shop' };
    return run(
      target,
      { data: { spec }, canaryWeight, stableWeight: 100 - canaryWeight, ...services, ...obj },
      options,
    );
  };
  const specOf = (result: LuaResult) => {
    if (!result.ok) throw new Error(result.error);
    return JSON.parse(result.json).spec;
  };
  const weigh = (routes: LuaData[], canaryWeight: number) =>
    specOf(runWith({ http: [{ route: routes }] }, { canaryWeight })).http[0].route;
  const plain = { http: [{ route: [to('shop')] }] };

  test('two destinations to the stable Service are scaled twice', () => {
    expect(weigh([to('shop', 50), to('shop', 50)], 20)).toEqual([
      to('shop', 32),
      to('shop', 32),
      to('shop-canary', 16),
      to('shop-canary', 20),
    ]);
  });

  test('destinations to other hosts are also scaled, and rounding loses one percent', () => {
    expect(weigh([to('shop', 33), to('reviews', 67)], 20)).toEqual([
      to('shop', 26),
      to('reviews', 53),
      to('shop-canary', 20),
    ]);
  });

  test('a host is compared up to its first dot', () => {
    expect(weigh([to('shop.another-namespace.svc.cluster.local')], 20)).toEqual([
      to('shop.another-namespace.svc.cluster.local', 80),
      to('shop-canary', 20),
    ]);
    expect(weigh([to('shop-2.default')], 20)).toEqual([to('shop-2.default')]);
  });

  test('weight -1 without matches sends everything to the canary', () => {
    expect(weigh([to('shop')], -1)).toEqual([to('shop', 0), to('shop-canary', 100)]);
  });

  test('a weight of 0 is a weight', () => {
    expect(weigh([to('shop', 0), to('reviews', 100)], 10)).toEqual([
      to('shop', 0),
      to('reviews', 90),
      to('shop-canary', 10),
    ]);
  });

  test('rules with a match are skipped in a weight step, even one that matches everything', () => {
    const spec: LuaData = {
      http: [
        { match: [], route: [to('shop')] },
        { match: [{}], redirect: { uri: '/' } },
      ],
    };
    const { http } = specOf(runWith(spec, { canaryWeight: 20 }));
    expect(http[0].route).toEqual([to('shop')]);
    expect(http[1].redirect).toEqual({ uri: '/' });
  });

  test('a rule without route fails a weight step, and not a match step', () => {
    const spec = { http: [{ redirect: { uri: '/' } }] };
    expect(runWith(spec, { canaryWeight: 20 })).toMatchObject({ ok: false, stage: 'run' });
    expect(runWith(spec, { matches: [{ headers: [exact('a', '1')] }] })).toMatchObject({ ok: true });
  });

  test('a VirtualService without http fails a match step, and not a weight step', () => {
    expect(runWith({ tcp: [] }, { matches: [{ headers: [exact('a', '1')] }] })).toMatchObject({
      ok: false,
      stage: 'run',
    });
    const { tcp } = specOf(runWith({ tcp: [{ route: [to('shop')] }] }, { canaryWeight: 20 }));
    expect(tcp[0].route).toEqual([to('shop', 80), to('shop-canary', 20)]);
  });

  test('a spec that was lost fails', () => {
    expect(runWith(null, { canaryWeight: 20 })).toMatchObject({ ok: false, stage: 'run' });
    expect(runWith(null, { matches: [{ headers: [exact('a', '1')] }] })).toMatchObject({ ok: false, stage: 'run' });
  });

  test('several matches come in reverse order before the existing rules', () => {
    const matches = [{ headers: [exact('a', '1')] }, { headers: [exact('b', '2')] }];
    expect(specOf(runWith(plain, { matches })).http).toEqual([
      { match: [{ headers: { b: { exact: '2' } } }], route: [to('shop-canary')] },
      { match: [{ headers: { a: { exact: '1' } } }], route: [to('shop-canary')] },
      { route: [to('shop')] },
    ]);
  });

  test('the canary without a Service of its own is a subset', () => {
    const subset = { destination: { host: 'shop', subset: 'canary' } };
    const matched = specOf(runWith(plain, { matches: [{ headers: [exact('a', '1')] }], canaryService: 'shop' }));
    expect(matched.http[0].route).toEqual([subset]);
    const weighed = specOf(runWith(plain, { canaryWeight: 5, canaryService: 'shop' }));
    expect(weighed.http[0].route).toEqual([to('shop', 95), { ...subset, weight: 5 }]);
  });

  describe('a condition without a type', () => {
    const untyped = (name: string, value: string) => ({ name, value });
    const path = { type: 'PathPrefix', value: '/a' };

    test.each([
      ['header', { headers: [untyped('h', 'b')] }],
      ['query parameter', { queryParams: [untyped('q', 'b')] }],
      ['path', { path: { value: '/a' } }],
    ])('is an error if it is the first: %s', (_, match) => {
      expect(runWith(plain, { matches: [match] })).toMatchObject({ ok: false, stage: 'run' });
    });

    test('takes the type of the one before it, in the same list or in an earlier match', () => {
      const match = (match: LuaData[]) => specOf(runWith(plain, { matches: match })).http[0].match;
      expect(match([{ headers: [regex('a', '1'), untyped('b', '2')] }])).toEqual([
        { headers: { a: { regex: '1' }, b: { regex: '2' } } },
      ]);
      expect(match([{ path }, { headers: [untyped('h', 'b')] }])).toEqual([{ headers: { h: { prefix: 'b' } } }]);
    });

    test('next to a typed path depends on which the controller reads first', () => {
      const headers = [untyped('h', 'b')];
      const { match } = specOf(runWith(plain, { matches: [{ path, headers }] })).http[0];
      expect(match).toEqual([{ uri: { prefix: '/a' }, headers: { h: { prefix: 'b' } } }]);
      expect(runWith(plain, { matches: [{ headers, path }] })).toMatchObject({ ok: false, stage: 'run' });
      const seeds = Array.from({ length: 40 }, (_, index) => index + 1);
      const runs = seeds.map((mapOrderSeed) => runWith(plain, { matches: [{ path, headers }] }, { mapOrderSeed }).ok);
      expect(new Set(runs)).toEqual(new Set([true, false]));
    });
  });

  test('weights never exceed what there was, and the canary is never rounded', () => {
    const routes = fc.array(fc.tuple(fc.constantFrom('shop', 'reviews'), fc.integer({ min: 0, max: 100 })), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(routes, fc.integer({ min: 0, max: 100 }), (given, canaryWeight) => {
        const result = weigh(
          given.map(([host, weight]) => to(host, weight)),
          canaryWeight,
        );
        const times = given.filter(([host]) => host === 'shop').length;
        expect(result).toHaveLength(given.length + times);
        if (times > 0) expect(result[result.length - 1]).toEqual(to('shop-canary', canaryWeight));
        given.forEach(([host, weight], index) => {
          expect(result[index].destination.host).toBe(host);
          expect(result[index].weight).toBeLessThanOrEqual(weight);
          expect(Number.isInteger(result[index].weight)).toBe(true);
          if (times === 0) expect(result[index].weight).toBe(weight);
        });
      }),
      { seed: 1, numRuns: 50 },
    );
  });
});

describe('DestinationRule', () => {
  const target: ScriptTarget = { provider: 'custom', group: 'networking.istio.io', kind: 'DestinationRule' };
  const services = { canaryWeight: 20, stableWeight: 80, canaryService: 'shop-canary', stableService: 'shop' };

  test('adds a subset called canary, even if one exists', () => {
    const canary = { name: 'canary', labels: { 'istio.service.tag': 'gray' } };
    const subsets = [{ name: 'canary', labels: { version: 'v2' } }];
    const result = run(target, { data: { spec: { host: 'shop', subsets }, labels: { a: 'b' } }, ...services });
    expect(result).toMatchObject({ ok: true });
    expect(JSON.parse(result.ok ? result.json : '')).toEqual({
      spec: { host: 'shop', subsets: [...subsets, canary] },
      labels: { a: 'b' },
    });
  });

  test('fails without subsets', () => {
    expect(run(target, { data: { spec: { host: 'shop' } }, ...services })).toMatchObject({ ok: false, stage: 'run' });
  });
});
