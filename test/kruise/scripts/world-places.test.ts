/** The whole findings about scripts in ConfigMaps, among the manifests of a stack. */
import { describe, expect, it } from 'vitest';
import { type Finding, Manifest, parseManifests, World } from '../../../src/core';
import { checkScriptsOfWorld } from '../../../src/kruise/scripts/world';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { rollout } from './cases';
import { byWeightWith } from './checks/check';

const PREFIX = 'lua.traffic.routing.';
const NAME = 'kruise-rollout-configuration';
const SCRIPT = byWeightWith('count = 1', '-- rollout-constructs.io/ignore lua-global: read by the debugger');
const HEAD = `apiVersion: v1
kind: ConfigMap
metadata: { name: ${NAME}, namespace: kruise-rollout }
data:
`;
const object = (namespace: string | undefined = 'kruise-rollout') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  ...(namespace === undefined ? {} : { namespace }),
  name: NAME,
});
const read = (text: string) => {
  const { manifests, findings } = parseManifests(text, 'map.yaml');
  expect(findings).toEqual([]);
  return manifests;
};
/** Findings without the texts of their rules. */
const short = (findings: readonly Finding[]) => findings.map(({ because: _b, fix: _f, docs: _d, ...rest }) => rest);
const block = (key: string, source: string) => `  ${PREFIX}${key}: |\n${source.replace(/^/gm, '    ')}\n`;
const configMap = (data: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: NAME, ...metadata },
  data,
});

describe('a finding about a script', () => {
  const GLOBAL = { rule: 'lua-global', severity: 'warning', object: object() };

  it('has the place of its line, and that of the comment that accepts it', () => {
    expect(short(checkScriptsOfWorld(World.of(read(HEAD + block('ingress.demo', SCRIPT)))))).toEqual([
      {
        ...GLOBAL,
        message: 'the script sets the global count',
        path: `data["${PREFIX}ingress.demo"]`,
        source: { file: 'map.yaml', line: 9, column: 5 },
        accepted: { reason: 'read by the debugger', by: 'comment', source: { file: 'map.yaml', line: 10, column: 5 } },
      },
    ]);
  });

  it('has the place of the script, if the file shows no lines', () => {
    const text = `${HEAD}  ${PREFIX}ingress.demo: ${JSON.stringify(SCRIPT)}\n`;
    const source = { file: 'map.yaml', line: 5, column: `  ${PREFIX}ingress.demo: `.length + 1 };
    expect(short(checkScriptsOfWorld(World.of(read(text))))).toEqual([
      {
        ...GLOBAL,
        message: 'the script sets the global count (line 4 of the script)',
        path: `data["${PREFIX}ingress.demo"]`,
        source,
        accepted: { reason: 'read by the debugger', by: 'comment', source },
      },
    ]);
  });

  it('has the construct of a ConfigMap that no file shows', () => {
    const map = Manifest.of(configMap({ [`${PREFIX}ingress.demo`]: SCRIPT }), { construct: 'App/Map' });
    expect(short(checkScriptsOfWorld(World.of([map])))).toStrictEqual([
      {
        ...GLOBAL,
        object: { apiVersion: 'v1', kind: 'ConfigMap', name: NAME },
        message: 'the script sets the global count (line 4 of the script)',
        path: `data["${PREFIX}ingress.demo"]`,
        accepted: { reason: 'read by the debugger', by: 'comment' },
        construct: 'App/Map',
      },
    ]);
  });
});

describe('a finding about the ConfigMap', () => {
  it('has the place of its data', () => {
    const text = HEAD + block('ingress.demo', '') + block('VirtualService.networking.istio.io', 'count = 1');
    expect(short(checkScriptsOfWorld(World.of(read(text))))).toMatchObject([
      { rule: 'lua-script-empty', path: 'data', object: object(), source: { file: 'map.yaml', line: 5, column: 3 } },
      { rule: 'lua-script-shadowed', path: 'data', object: object(), source: { file: 'map.yaml', line: 5, column: 3 } },
    ]);
  });

  it('has the place of a key that names nothing', () => {
    const keys = ['demo', '', 'demo.', 'ingress', 'ingress.demo'];
    const text = HEAD + keys.map((key) => `  "${PREFIX}${key}": ""\n`).join('');
    const nothing = (key: string, line: number) => ({
      rule: 'lua-script-key-invalid',
      severity: 'error',
      message: `the key "${PREFIX}${key}" names neither the class of an Ingress nor a kind with its group`,
      object: object(),
      path: `data["${PREFIX}${key}"]`,
      source: { file: 'map.yaml', line, column: `  "${PREFIX}${key}": `.length + 1 },
    });
    const findings = short(checkScriptsOfWorld(World.of(read(text))));
    expect(findings.filter(({ rule }) => rule === 'lua-script-key-invalid')).toEqual([
      nothing('demo', 5),
      nothing('', 6),
      nothing('ingress', 8),
    ]);
    expect(findings.map(({ rule }) => rule)).toEqual([...Array(3).fill('lua-script-key-invalid'), 'lua-script-empty']);
  });

  it('has the namespace of the ConfigMap', () => {
    const map = Manifest.of(configMap({ [`${PREFIX}ingress.a b`]: 'return {}' }, { namespace: 'other' }));
    const [finding] = checkScriptsOfWorld(World.of([map]));
    expect(finding).toMatchObject({ rule: 'lua-script-key-invalid', object: object('other') });
  });
});

describe('the scripts of a stack', () => {
  const count = { [`${PREFIX}ingress.demo`]: byWeightWith('count = 1') };
  const rules = (objects: readonly object[], version?: KruiseRolloutVersion) =>
    checkScriptsOfWorld(World.of(objects.map((one) => Manifest.of(one))), version).map(
      ({ rule, severity }) => `${severity} ${rule}`,
    );

  it('are in any ConfigMap with the name, of any namespace', () => {
    expect(rules([configMap(count), configMap(count, { namespace: 'b' })])).toEqual(
      Array(2).fill('warning lua-global'),
    );
    expect(rules([configMap(count, { name: 'other' })])).toEqual([]);
    expect(rules([{ ...configMap(count), kind: 'Secret' }])).toEqual([]);
    expect(rules([configMap({}), { ...configMap({}, { namespace: 'b' }), data: undefined }])).toEqual([]);
  });

  it('are those of a release', () => {
    const { V0_3_0, V0_4_0, LATEST } = KruiseRolloutVersion;
    const shadowed = configMap({ [`${PREFIX}VirtualService.networking.istio.io`]: 'count = 1 return obj.data' });
    expect(rules([shadowed])).toEqual(['error lua-script-shadowed']);
    expect(rules([shadowed], LATEST)).toEqual(['error lua-script-shadowed']);
    expect(rules([shadowed], V0_4_0)).toContain('warning lua-global');
    expect(rules([configMap(count)], V0_3_0)).toEqual(['warning lua-global', 'note lua-field-absent']);
  });

  it('are judged by the steps of the stack', () => {
    const source = byWeightWith().replace('(obj.matches and #obj.matches > 0) or ', '');
    const map = configMap({ [`${PREFIX}ingress.demo`]: source });
    const path = rollout([{ replicas: 1, matches: [{ path: { value: '/' } }] }]);
    const severity = (objects: readonly object[]) => rules(objects).filter((text) => text.includes('path-ignored'));
    expect(severity([map])).toEqual(['error lua-path-ignored']);
    expect(severity([map, path])).toEqual(['error lua-path-ignored']);
    expect(severity([map, rollout([{ traffic: '20%' }])])).toEqual(['note lua-path-ignored']);
  });
});
