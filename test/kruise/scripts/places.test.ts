/** Where a finding about a script is: in its text, and in the ConfigMap that holds it. */
import { describe, expect, it, test } from 'vitest';
import { parseManifests, World } from '../../../src/core';
import { checkScriptsOfWorld } from '../../../src/kruise/scripts/world';
import { byWeightWith, check } from './checks/check';

const KEY = 'lua.traffic.routing.ingress.demo';
const HEAD = `apiVersion: v1
kind: ConfigMap
metadata: { name: kruise-rollout-configuration, namespace: kruise-rollout }
data:
`;
const block = (source: string, key = KEY) => `  ${key}: |\n${source.replace(/^/gm, '    ')}\n`;

function found(text: string) {
  const { manifests, findings } = parseManifests(text, 'map.yaml');
  expect(findings).toEqual([]);
  return checkScriptsOfWorld(World.of(manifests));
}

describe('a finding about a script in a ConfigMap', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    namespace: 'kruise-rollout',
    name: 'kruise-rollout-configuration',
  };

  it('has the line of the script in the file', () => {
    const findings = found(HEAD + block(byWeightWith('count = 1')));
    expect(findings).toMatchObject([
      { rule: 'lua-global', object, path: `data["${KEY}"]`, source: { file: 'map.yaml', line: 9 } },
    ]);
    expect(findings[0]!.message).not.toContain('of the script)');
  });

  it('has the line of the key, and names the line of the script, where the file escapes the text', () => {
    const findings = found(`${HEAD}  ${KEY}: ${JSON.stringify(byWeightWith('count = 1'))}\n`);
    expect(findings).toMatchObject([{ rule: 'lua-global', path: `data["${KEY}"]`, source: { line: 5 } }]);
    expect(findings[0]!.message).toMatch(/ \(line 4 of the script\)$/);
  });

  it('is accepted by a comment, which has its line too', () => {
    const comment = '-- rollout-constructs.io/ignore lua-global: read by the debugger';
    expect(found(HEAD + block(byWeightWith('count = 1', comment))).filter(({ accepted }) => !accepted)).toEqual([]);
  });

  it('is one about a key that the controller never looks up', () => {
    const keys = ['lua.traffic.routing.demo', 'lua.traffic.routing.', 'other', 'other.lua'];
    const findings = found(HEAD + keys.map((key) => `  ${key}: x\n`).join(''));
    expect(findings.map(({ rule, path, source, message }) => [rule, path, source?.line, message])).toEqual([
      [
        'lua-script-key-invalid',
        'data["lua.traffic.routing.demo"]',
        5,
        'the key "lua.traffic.routing.demo" names neither the class of an Ingress nor a kind with its group',
      ],
      [
        'lua-script-key-invalid',
        'data["lua.traffic.routing."]',
        6,
        'the key "lua.traffic.routing." names neither the class of an Ingress nor a kind with its group',
      ],
    ]);
  });

  it('is one only, if the script never runs', () => {
    const findings = found(HEAD + block('count = 1', 'lua.traffic.routing.VirtualService.networking.istio.io'));
    expect(findings.map(({ rule, source, path }) => [rule, source?.line, path])).toEqual([
      ['lua-script-shadowed', 5, 'data'],
    ]);
  });

  it('is in no other ConfigMap', () => {
    expect(found(HEAD.replace('kruise-rollout-configuration', 'other') + block('count = 1'))).toEqual([]);
  });
});

describe('the place of a finding in a script', () => {
  const at = (source: string) =>
    check(source).map(({ rule, source: place }) => `${rule} ${place?.line}:${place?.column}`);

  const ALL_IGNORED = ['alternative', 'header', 'path', 'query'].map((part) => `lua-${part}-ignored 1:1`);

  test.each([
    ['return {}', ['lua-annotations-dropped 1:1']],
    ['local a = obj.annotations\nreturn { a = "1" }', ['lua-annotations-dropped 2:1']],
    ['local a = obj.annotations or {}\nlocal w = obj.weight\na.b = "1"\nreturn a', ['lua-step-ignored 2:11']],
    ['local a = obj.annotations or {}\na.b = "1"\nlocal m = obj.matches\nreturn a', ['lua-step-ignored 3:11']],
    ['local function f() return {} end\nlocal m = obj.matches\nreturn f()', ['lua-annotations-dropped 1:1']],
    [
      'if obj.weight == "20" then\n  return 5\nend\nif obj.weight == "21" then return {} end\nreturn { w = obj.weight }',
      [...ALL_IGNORED, 'lua-returns-no-table 2:3', 'lua-annotations-dropped 5:1', 'lua-header-modifier-ignored 1:1'],
    ],
    [
      'local a = { w = obj.weight }\nif obj.weight == "100" then\n  return {\n    w = print\n  }\nend\nreturn a',
      [...ALL_IGNORED, 'lua-not-json 3:3', 'lua-annotations-dropped 7:1', 'lua-header-modifier-ignored 1:1'],
    ],
  ])('%j', (source, expected) => {
    expect(at(source)).toEqual(expected);
  });
});
