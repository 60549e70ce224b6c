import { describe, expect, it, test } from 'vitest';
import {
  checkRoutingConfigMap,
  isNeverRun,
  routingChecksum,
  routingConfigMap,
  scriptsIn,
  targetOfName,
} from '../../../src/kruise/scripts/config-map';
import type { RoutingScript, ScriptTarget } from '../../../src/kruise/scripts/library';
import { KruiseRolloutVersion } from '../../../src/kruise/version';

const ingress = (classType: string): ScriptTarget => ({ provider: 'ingress', classType });
const custom = (kind: string, group: string): ScriptTarget => ({ provider: 'custom', kind, group });
const script = (target: ScriptTarget, source = 'return obj', file = 'a.lua'): RoutingScript => ({
  target,
  name: target.provider === 'ingress' ? target.classType : `${target.kind}.${target.group}`,
  file,
  source,
});
const found = (...scripts: RoutingScript[]) =>
  checkRoutingConfigMap(scripts).map(({ rule, severity, message }) => `${severity} ${rule}: ${message}`);
const KEY = 'lua.traffic.routing.ingress.demo';

describe('the ConfigMap of routing scripts', () => {
  it('has a key for each script, in order, with line ends of Unix', () => {
    const scripts = [script(ingress('demo'), 'a\r\nb\r\n'), script(custom('HTTPProxy', 'projectcontour.io'), 'c')];
    expect(routingConfigMap(scripts)).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kruise-rollout-configuration', namespace: 'kruise-rollout' },
      data: { 'lua.traffic.routing.HTTPProxy.projectcontour.io': 'c', [KEY]: 'a\nb\n' },
    });
    expect(Object.keys(routingConfigMap([...scripts].reverse()).data)).toEqual([
      'lua.traffic.routing.HTTPProxy.projectcontour.io',
      KEY,
    ]);
    expect(routingConfigMap([], 'other', { labels: { a: 'b' }, annotations: { c: 'd' } }).metadata).toEqual({
      name: 'kruise-rollout-configuration',
      namespace: 'other',
      labels: { a: 'b' },
      annotations: { c: 'd' },
    });
  });

  it('has a digest of its scripts in any order', () => {
    const [one, other] = [script(ingress('a'), 'x'), script(ingress('b'), 'y')];
    expect(routingChecksum([one, other])).toBe(routingChecksum([other, one]));
    expect(routingChecksum([one])).not.toBe(routingChecksum([script(ingress('a'), 'z')]));
    expect(routingChecksum([one])).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each([
    ['ingress.demo', ingress('demo')],
    ['ingress.a.b', ingress('a.b')],
    ['HTTPProxy.projectcontour.io', custom('HTTPProxy', 'projectcontour.io')],
    ['ingress', undefined],
    ['ingress.', undefined],
    ['.demo', undefined],
    ['', undefined],
  ])('has a target for the name %j', (name, target) => {
    expect(targetOfName(name)).toEqual(target);
  });

  it('is read back', () => {
    const data = { [KEY]: 'x', 'lua.traffic.routing.ingress': 'x', other: 'x', 'lua.traffic.routing.A.b': 5 };
    expect(scriptsIn(data)).toEqual([
      { key: KEY, script: { target: ingress('demo'), name: 'ingress.demo', file: KEY, source: 'x' } },
    ]);
    expect(scriptsIn(undefined)).toEqual([]);
  });
});

describe('what is wrong with a key', () => {
  test.each<[ScriptTarget, string | undefined]>([
    [ingress('demo'), undefined],
    [ingress('a b'), 'has invalid characters'],
    [ingress('a/b'), 'has invalid characters'],
    [ingress('x'.repeat(253 - 'lua.traffic.routing.ingress.'.length)), undefined],
    [ingress('x'.repeat(254 - 'lua.traffic.routing.ingress.'.length)), 'is 254 characters long; 253 are allowed'],
    [custom('HTTPProxy', 'projectcontour.io'), undefined],
    [custom('httpProxy', 'projectcontour.io'), 'names the kind "httpProxy", but a kind starts with a capital letter'],
    [custom('HTTP-Proxy', 'projectcontour.io'), 'names the kind "HTTP-Proxy"'],
    [custom('HTTPProxy', 'Projectcontour.io'), 'names the invalid API group "Projectcontour.io"'],
    [custom('HTTPProxy', 'a..b'), 'names the invalid API group "a..b"'],
    [custom('HTTPProxy', '-a.b'), 'names the invalid API group "-a.b"'],
  ])('%j', (target, problem) => {
    const findings = found(script(target));
    expect(findings).toHaveLength(problem === undefined ? 0 : 1);
    if (problem !== undefined) expect(findings[0]).toContain(problem);
  });

  it('has its place', () => {
    const [finding] = checkRoutingConfigMap([script(ingress('a b'), 'x', 'demo.lua')], 'other');
    expect(finding).toMatchObject({
      rule: 'lua-script-key-invalid',
      path: 'data["lua.traffic.routing.ingress.a b"]',
      source: { file: 'demo.lua', line: 1, column: 1 },
      object: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'other', name: 'kruise-rollout-configuration' },
    });
  });
});

describe('a script that never runs', () => {
  const istio = script(custom('VirtualService', 'networking.istio.io'));

  it('is one that the controller has itself', () => {
    const { V0_4_0, LATEST } = KruiseRolloutVersion;
    expect(checkRoutingConfigMap([istio], undefined, LATEST).map(({ rule }) => rule)).toEqual(['lua-script-shadowed']);
    expect(checkRoutingConfigMap([istio], undefined, V0_4_0)).toEqual([]);
    expect([isNeverRun(istio, LATEST), isNeverRun(istio, V0_4_0)]).toEqual([true, false]);
    expect(isNeverRun(script(ingress('nginx')), LATEST)).toBe(false);
  });

  it('is an empty one, and the second of two', () => {
    expect(found(script(ingress('demo'), ' \n'))).toEqual([
      `error lua-script-empty: the script under "${KEY}" is empty`,
    ]);
    expect(isNeverRun(script(ingress('demo'), ' \n'), KruiseRolloutVersion.LATEST)).toBe(true);
    const [finding, ...more] = checkRoutingConfigMap([
      script(ingress('demo'), 'a', 'one.lua'),
      script(ingress('demo'), 'b', 'two.lua'),
      script(ingress('other'), 'c'),
    ]);
    expect(more).toEqual([]);
    expect(finding).toMatchObject({
      rule: 'lua-script-duplicate',
      message: `there are two scripts for "${KEY}"`,
      source: { file: 'two.lua' },
      related: { source: { file: 'one.lua', line: 1, column: 1 } },
    });
  });
});

describe('the size of all scripts', () => {
  const sized = (bytes: number) => found(script(ingress('demo'), 'x'.repeat(bytes)));

  test.each([
    [235_929, undefined],
    [
      235_930,
      'warning lua-config-map-too-large: the scripts take 235930 bytes; client-side "kubectl apply" cannot store',
    ],
    [943_718, 'client-side "kubectl apply" cannot store'],
    [943_719, 'warning lua-config-map-too-large: the scripts take 943719 bytes, close to the limit of 1048576'],
    [1_048_576, 'close to the limit of 1048576'],
    [1_048_577, 'error lua-config-map-too-large: the scripts take 1048577 bytes, more than the limit of 1048576'],
  ])('may be %i', (bytes, problem) => {
    const findings = sized(bytes);
    expect(findings).toHaveLength(problem === undefined ? 0 : 1);
    if (problem !== undefined) expect(findings[0]).toContain(problem);
  });

  it('counts bytes, of all together', () => {
    expect(found(script(ingress('a'), 'é'.repeat(524_288)), script(ingress('b'), 'x'))).toEqual([
      expect.stringContaining('the scripts take 1048577 bytes, more than'),
    ]);
  });
});
