/** What is said of the ConfigMap of routing scripts, as whole findings. */
import { describe, expect, it } from 'vitest';
import {
  checkRoutingConfigMap,
  isNeverRun,
  ROUTING_CONFIG_MAP_PROPS,
  routingChecksum,
  routingConfigMap,
  scriptsIn,
  targetOfName,
} from '../../../src/kruise/scripts/config-map';
import { configMapRules } from '../../../src/kruise/scripts/config-map-rules';
import { type RoutingScript, type ScriptTarget, scriptName } from '../../../src/kruise/scripts/library';
import { KruiseRolloutVersion } from '../../../src/kruise/version';

const { LATEST, V0_4_0 } = KruiseRolloutVersion;
const PREFIX = 'lua.traffic.routing.';
const ingress = (classType: string): ScriptTarget => ({ provider: 'ingress', classType });
const custom = (kind: string, group: string): ScriptTarget => ({ provider: 'custom', kind, group });
const script = (target: ScriptTarget, source = 'return obj', file = 'a.lua'): RoutingScript => ({
  target,
  name: scriptName(target),
  file,
  source,
});
const object = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  namespace: 'kruise-rollout',
  name: 'kruise-rollout-configuration',
};
const start = (file = 'a.lua') => ({ file, line: 1, column: 1 });

/** A finding of a rule with the texts of the rule. */
function finding(id: keyof typeof configMapRules, details: object): object {
  const { because, fix } = configMapRules[id];
  return { rule: id, severity: 'error', because, fix, docs: `docs/rules/${id}.md`, object, ...details };
}
const found = (...scripts: readonly RoutingScript[]) => checkRoutingConfigMap(scripts);
const about = (key: string, message: string, file?: string) => ({
  message,
  path: `data["${PREFIX}${key}"]`,
  source: start(file),
});

describe('a key', () => {
  const CHARACTERS = 'has invalid characters: a ConfigMap key may hold letters, digits, "-", "_" and "."';
  const kind = (name: string) => `names the kind "${name}", but a kind starts with a capital letter`;
  const group = (name: string) =>
    `names the invalid API group "${name}" (write for example "projectcontour.io", without "/v1")`;
  const invalid = (target: ScriptTarget, problem: string) => {
    const key =
      target.provider === 'ingress'
        ? `ingress.${target.classType}`
        : `${target.kind}.${target.group.replace('/v1', '')}`;
    return [finding('lua-script-key-invalid', about(key, `the key "${PREFIX}${key}" ${problem}`))];
  };
  const long = (length: number) => 'x'.repeat(length - `${PREFIX}ingress.`.length);

  it.each<[target: ScriptTarget, problem: string]>([
    [ingress('a b'), CHARACTERS],
    [ingress('a/b'), CHARACTERS],
    [ingress(' a'), CHARACTERS],
    [ingress('a '), CHARACTERS],
    [ingress('ä'), CHARACTERS],
    [ingress('a\n'), CHARACTERS],
    [custom('A', 'b c'), CHARACTERS],
    [ingress(long(254)), 'is 254 characters long; 253 are allowed'],
    [ingress(`${long(254)}x`), 'is 255 characters long; 253 are allowed'],
    [custom('K', 'a'.repeat(253)), `is ${PREFIX.length + 255} characters long; 253 are allowed`],
    [custom('kind', 'a.b'), kind('kind')],
    [custom('1Kind', 'a.b'), kind('1Kind')],
    [custom('A-B', 'a.b'), kind('A-B')],
    [custom('A_', 'a.b'), kind('A_')],
    [custom('A', 'B'), group('B')],
    [custom('A', 'a.B'), group('a.B')],
    [custom('A', 'Ba'), group('Ba')],
    [custom('A', 'aB.c'), group('aB.c')],
    [custom('A', 'a..b'), group('a..b')],
    [custom('A', 'a.'), group('a.')],
    [custom('A', '.a'), group('.a')],
    [custom('A', '-a'), group('-a')],
    [custom('A', 'a-'), group('a-')],
    [custom('A', 'a-.b'), group('a-.b')],
    [custom('A', 'a.-b'), group('a.-b')],
    [custom('A', 'a.b-'), group('a.b-')],
    [custom('A', 'a_b'), group('a_b')],
    [custom('A', 'a.b/v1'), group('a.b/v1')],
  ])('of %j %s', (target, problem) => {
    expect(found(script(target))).toEqual(invalid(target, problem));
  });

  it.each<[target: ScriptTarget]>([
    [ingress('demo')],
    [ingress('A_b-c.9')],
    [ingress('-')],
    [ingress('kind')],
    [ingress(long(253))],
    [custom('A', 'a')],
    [custom('A1b', 'a')],
    [custom('HTTPProxy', 'projectcontour.io')],
    [custom('A', '1.2')],
    [custom('A', 'a-b.c--d.e')],
    [custom('A', 'ab.cd')],
    [custom('A', 'v1')],
  ])('of %j is valid', (target) => {
    expect(found(script(target))).toEqual([]);
  });
});

describe('a script of the ConfigMap', () => {
  const istio = custom('VirtualService', 'networking.istio.io');
  const empty = (key: string) => finding('lua-script-empty', about(key, `the script under "${PREFIX}${key}" is empty`));

  it('that the controller has itself is never read', () => {
    expect(found(script(istio))).toEqual([
      finding(
        'lua-script-shadowed',
        about(
          'VirtualService.networking.istio.io',
          `Kruise Rollouts ${LATEST} has a built-in script for VirtualService.networking.istio.io and never reads "${PREFIX}VirtualService.networking.istio.io"`,
        ),
      ),
    ]);
    expect(checkRoutingConfigMap([script(istio)], undefined, V0_4_0)).toEqual([]);
    expect(found(script(custom('VirtualService', 'other.io')))).toEqual([]);
    expect(found(script(ingress('nginx')))).toEqual([]);
  });

  it.each(['', ' ', '\n', '\t\r\n '])('that is %j is empty', (source) => {
    expect(found(script(ingress('demo'), source))).toEqual([empty('ingress.demo')]);
    expect(isNeverRun(script(ingress('demo'), source), LATEST)).toBe(true);
  });

  it('that is not empty runs, unless the controller has one itself', () => {
    expect(isNeverRun(script(ingress('demo'), '--'), LATEST)).toBe(false);
    expect(isNeverRun(script(istio), LATEST)).toBe(true);
    expect(isNeverRun(script(istio), V0_4_0)).toBe(false);
    expect(isNeverRun({ ...script(ingress('x')), name: 'VirtualService.networking.istio.io' }, LATEST)).toBe(false);
  });

  it('that is there twice has a finding for each but the first', () => {
    const files = ['a.lua', 'b.lua', 'c.lua'];
    const duplicate = (file: string) => ({
      ...finding(
        'lua-script-duplicate',
        about('ingress.demo', `there are two scripts for "${PREFIX}ingress.demo"`, file),
      ),
      related: { message: 'the first one is here', source: start('a.lua') },
    });
    expect(found(...files.map((file) => script(ingress('demo'), file, file)))).toEqual([
      duplicate('b.lua'),
      duplicate('c.lua'),
    ]);
    expect(found(script(ingress('a')), script(ingress('b')), script(custom('A', 'b')))).toEqual([]);
  });

  it('has the findings of each, then those of all', () => {
    const scripts = [script(ingress('a b'), ''), script(istio, ''), script(istio, 'x', 'b.lua')];
    expect(found(...scripts).map(({ rule, source }) => `${rule} ${source?.file}`)).toEqual([
      'lua-script-key-invalid a.lua',
      'lua-script-empty a.lua',
      'lua-script-shadowed a.lua',
      'lua-script-empty a.lua',
      'lua-script-shadowed b.lua',
      'lua-script-duplicate b.lua',
    ]);
  });

  it('is in the namespace of the controller', () => {
    const [found] = checkRoutingConfigMap([script(ingress('a b'))], 'other');
    expect(found?.object).toEqual({ ...object, namespace: 'other' });
  });
});

describe('the size of the scripts', () => {
  const sized = (bytes: number) => found(script(ingress('demo'), 'x'.repeat(bytes)));
  const large = (details: object) => [finding('lua-config-map-too-large', { path: 'data', ...details })];
  const applied = (bytes: number) =>
    large({
      severity: 'warning',
      message: `the scripts take ${bytes} bytes; client-side "kubectl apply" cannot store its copy of an object above 262144 bytes`,
      because:
        'kubectl apply stores the whole object in an annotation, and the annotations of an object may take 256 KiB in total',
      fix: 'run "kubectl apply --server-side", or remove scripts that no Rollout uses',
    });
  const close = (bytes: number) =>
    large({ severity: 'warning', message: `the scripts take ${bytes} bytes, close to the limit of 1048576` });

  it.each<[bytes: number, findings: readonly object[]]>([
    [235_929, []],
    [235_930, applied(235_930)],
    [943_718, applied(943_718)],
    [943_719, close(943_719)],
    [1_048_576, close(1_048_576)],
    [1_048_577, large({ message: 'the scripts take 1048577 bytes, more than the limit of 1048576' })],
  ])('of %i bytes has %#', (bytes, findings) => {
    expect(sized(bytes)).toEqual(findings);
  });
});

describe('the ConfigMap', () => {
  it('has the entries of its scripts, sorted', () => {
    const scripts = ['b', 'a', 'c'].map((name) => script(ingress(name), `${name}\r\n\r\n\n\r`));
    const { data } = routingConfigMap(scripts);
    expect(Object.entries(data)).toEqual([
      [`${PREFIX}ingress.a`, 'a\n\n\n\r'],
      [`${PREFIX}ingress.b`, 'b\n\n\n\r'],
      [`${PREFIX}ingress.c`, 'c\n\n\n\r'],
    ]);
  });

  it('has labels and annotations only if there are some', () => {
    const metadata = (marks?: Parameters<typeof routingConfigMap>[2]) =>
      routingConfigMap([], undefined, marks).metadata;
    const named = { name: 'kruise-rollout-configuration', namespace: 'kruise-rollout' };
    expect(metadata()).toStrictEqual(named);
    expect(metadata({})).toStrictEqual(named);
    expect(metadata({ labels: {}, annotations: {} })).toStrictEqual(named);
    expect(metadata({ labels: { a: 'b' } })).toStrictEqual({ ...named, labels: { a: 'b' } });
    expect(metadata({ annotations: { a: 'b' } })).toStrictEqual({ ...named, annotations: { a: 'b' } });
    const labels = { a: 'b' };
    expect(metadata({ labels }).labels).not.toBe(labels);
  });

  it('has the properties of its construct', () => {
    expect(Object.keys(ROUTING_CONFIG_MAP_PROPS).sort()).toEqual(['annotations', 'labels', 'namespace', 'scripts']);
  });

  it('has a digest of keys and sources', () => {
    const one = script(ingress('a'), 'x');
    expect(routingChecksum([one])).toBe(routingChecksum([{ ...one, file: 'other.lua' }]));
    const others = [script(ingress('b'), 'x'), script(ingress('a'), 'y'), script(custom('A', 'a'), 'x')];
    expect(new Set([one, ...others].map((each) => routingChecksum([each]))).size).toBe(4);
    expect(routingChecksum([])).not.toBe(routingChecksum([one]));
  });

  it.each<[name: string, target: ScriptTarget | undefined]>([
    ['ingress.demo', ingress('demo')],
    ['ingress.a.b.c', ingress('a.b.c')],
    ['Ingress.demo', custom('Ingress', 'demo')],
    ['A.b.c', custom('A', 'b.c')],
    ['ingress', undefined],
    ['ingress.', undefined],
    ['.demo', undefined],
    ['.', undefined],
    ['', undefined],
    ['A', undefined],
  ])('has the target of the name %j', (name, target) => {
    expect(targetOfName(name)).toEqual(target);
  });

  it.each<[data: unknown, scripts: readonly object[]]>([
    [
      { [`${PREFIX}ingress.a`]: 'x', [`${PREFIX}A.b.c`]: '' },
      [
        { key: `${PREFIX}ingress.a`, script: script(ingress('a'), 'x', `${PREFIX}ingress.a`) },
        { key: `${PREFIX}A.b.c`, script: script(custom('A', 'b.c'), '', `${PREFIX}A.b.c`) },
      ],
    ],
    [{ [`${PREFIX}ingress.a`]: 5, [`${PREFIX}A.b`]: null }, []],
    [{ 'ingress.a': 'x', [`x${PREFIX}ingress.a`]: 'x', [PREFIX]: 'x', [`${PREFIX}A`]: 'x' }, []],
    [undefined, []],
    ['text', []],
    [null, []],
  ])('in %j has %#', (data, scripts) => {
    expect(scriptsIn(data)).toEqual(scripts);
  });
});
