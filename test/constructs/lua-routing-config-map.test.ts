import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Chart, Testing } from 'cdk8s';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  KruiseRolloutVersion,
  LuaRoutingConfigMap,
  type LuaRoutingConfigMapProps,
  LuaScripts,
} from '../../src/constructs';
import { packagedScripts } from '../../src/kruise/scripts/library';

/** A valid script for any class: the weight goes to one annotation, the first header to another. */
const GOOD = `local annotations = obj.annotations or {}
annotations["example.com/canary-weight"] = nil
annotations["example.com/canary-header"] = nil
if obj.matches then
  local parts = {}
  for _, match in ipairs(obj.matches) do
    local conditions = {}
    if match.path then
      conditions[#conditions + 1] = match.path.type .. " path " .. match.path.value
    end
    for _, header in ipairs(match.headers or {}) do
      conditions[#conditions + 1] = header.type .. " header " .. header.name .. "=" .. header.value
    end
    for _, parameter in ipairs(match.queryParams or {}) do
      conditions[#conditions + 1] = parameter.type .. " query " .. parameter.name .. "=" .. parameter.value
    end
    parts[#parts + 1] = table.concat(conditions, " and ")
  end
  annotations["example.com/canary-match"] = table.concat(parts, " or ")
else
  annotations["example.com/canary-match"] = nil
  annotations["example.com/canary-weight"] = obj.weight
end
if obj.requestHeaderModifier then
  error("example: header modifiers are not supported: use a mesh", 0)
end
return annotations
`;

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'scripts-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

function chartWith(...scripts: LuaScripts[]): Chart {
  return chartOf({ scripts });
}

function chartOf(props: LuaRoutingConfigMapProps): Chart {
  const chart = Testing.chart();
  new LuaRoutingConfigMap(chart, 'LuaScripts', props);
  return chart;
}

function failureOf(chart: Chart): string {
  try {
    Testing.synth(chart);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

const testdata = (weight: string) => `
rollout:
  apiVersion: rollouts.kruise.io/v1beta1
  kind: Rollout
  metadata: { name: web }
  spec:
    workloadRef: { apiVersion: apps/v1, kind: Deployment, name: web }
    strategy:
      canary:
        steps:
        - { traffic: 20%, replicas: 1 }
        trafficRoutings:
        - { service: web, ingress: { name: web, classType: example } }
original:
  apiVersion: networking.k8s.io/v1
  kind: Ingress
  metadata: { name: web, namespace: shop }
  spec:
    rules:
    - http:
        paths:
        - { path: /, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }
expected:
- metadata: { annotations: { example.com/canary-weight: "0" } }
- metadata: { annotations: { example.com/canary-weight: "${weight}" } }
`;

describe('the ConfigMap', () => {
  test('has the name and namespace in which the controller looks, and the key that it builds', () => {
    // GIVEN
    const chart = chartWith(LuaScripts.inline('ingress.example', GOOD));

    // THEN
    expect(Testing.synth(chart)).toStrictEqual([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'kruise-rollout-configuration', namespace: 'kruise-rollout' },
        data: { 'lua.traffic.routing.ingress.example': GOOD },
      },
    ]);
  });

  test('takes namespace, labels and annotations', () => {
    const chart = chartOf({
      scripts: [LuaScripts.fromLibrary('aws-alb')],
      namespace: 'rollouts',
      labels: { team: 'platform' },
      annotations: { 'argocd.argoproj.io/sync-wave': '-1' },
    });
    expect(Testing.synth(chart)[0].metadata).toStrictEqual({
      name: 'kruise-rollout-configuration',
      namespace: 'rollouts',
      labels: { team: 'platform' },
      annotations: { 'argocd.argoproj.io/sync-wave': '-1' },
    });
  });

  test('is the same whatever the order of the scripts, line ends included', () => {
    const windows = LuaScripts.inline('ingress.example', GOOD.replaceAll('\n', '\r\n'));
    const one = chartWith(LuaScripts.fromLibrary('aws-alb'), LuaScripts.inline('ingress.example', GOOD));
    const other = chartWith(windows, LuaScripts.fromLibrary('aws-alb'));
    expect(Testing.synth(one)).toStrictEqual(Testing.synth(other));
  });

  test('the main object is the default child', () => {
    const map = new LuaRoutingConfigMap(Testing.chart(), 'LuaScripts', { scripts: [] });
    expect(map.node.defaultChild).toBe(map.node.findChild('Resource'));
  });

  test('knows its keys, and a checksum of the scripts', () => {
    const chart = Testing.chart();
    const make = (id: string, source: string) =>
      new LuaRoutingConfigMap(chart, id, { scripts: [LuaScripts.inline('ingress.example', source)] });
    const map = make('A', GOOD);
    expect(map.keys).toStrictEqual(['lua.traffic.routing.ingress.example']);
    expect(map.checksum).toMatch(/^[0-9a-f]{64}$/);
    expect(make('B', GOOD).checksum).toBe(map.checksum);
    expect(make('C', `${GOOD}-- changed\n`).checksum).not.toBe(map.checksum);
  });

  test('takes every script of the library, by the name that its type offers', () => {
    const names = packagedScripts().scripts.map((script) => script.name.replace(/^ingress\./, ''));
    const all = names.map((name) => LuaScripts.fromLibrary(name as Parameters<typeof LuaScripts.fromLibrary>[0]));
    expect(Testing.synth(chartWith(...all))).toMatchObject([{ kind: 'ConfigMap' }]);
    expect(names.sort()).toStrictEqual([
      'ApisixRoute.apisix.apache.org',
      'HTTPProxy.projectcontour.io',
      'Ingress.networking.k8s.io',
      'IngressRoute.traefik.io',
      'MeshHTTPRoute.kuma.io',
      'TraefikService.traefik.io',
      'TrafficRoute.kuma.io',
      'aliyun-alb',
      'aws-alb',
    ]);
  });
});

describe('synth fails', () => {
  test('with all findings of all scripts together', () => {
    const message = failureOf(
      chartWith(
        LuaScripts.inline('ingress.broken', 'if x then'),
        LuaScripts.inline('VirtualService.networking.istio.io', GOOD),
        LuaScripts.inline('ingress.empty', '  \n'),
      ),
    );
    expect(message).toContain('error[lua-syntax]');
    expect(message).toContain('error[lua-script-shadowed]');
    expect(message).toContain('error[lua-script-empty]');
  });

  test('and names the construct, the place in the script, the reason and the fix', () => {
    const folder = folderWith({
      'trafficrouting_ingress/example.lua': 'local a = obj.annotations\na.x = 5\nreturn a\n',
    });
    const message = failureOf(chartWith(LuaScripts.fromFolder(folder)));
    expect(message).toContain('[test/LuaScripts]');
    expect(message).toContain('trafficrouting_ingress/example.lua:');
    expect(message).toMatch(/because: .+/);
    expect(message).toMatch(/fix: .+/);
  });

  test('when testdata is not met, and not when it is', () => {
    const files = (weight: string) => ({
      'trafficrouting_ingress/example.lua': `-- rollout-constructs.io/ignore lua-testdata-scenario-missing: one case is enough here
${GOOD}`,
      'trafficrouting_ingress/testdata/example/weight.yaml': testdata(weight),
    });
    const wrong = failureOf(chartWith(LuaScripts.fromFolder(folderWith(files('21')))));
    expect(wrong).toContain('error[lua-testdata-failed]: ingress.example > weight > step 0');
    expect(wrong).toContain('is "20", expected "21"');
    expect(failureOf(chartWith(LuaScripts.fromFolder(folderWith(files('20')))))).not.toContain('lua-testdata-failed');
  });

  test('for a kind that is built into this version of the controller, and for no other', () => {
    const scripts = [LuaScripts.inline('VirtualService.networking.istio.io', GOOD)];
    expect(failureOf(chartOf({ scripts }))).toContain('error[lua-script-shadowed]');
    const { facts } = KruiseRolloutVersion.V0_6_2;
    const kruiseVersion = KruiseRolloutVersion.of('0.6.2-ours', { ...facts, builtinCustomScripts: [] });
    expect(failureOf(chartOf({ scripts, kruiseVersion }))).not.toContain('lua-script-shadowed');
  });

  test.each([
    ['a class with a character that no key may have', 'ingress.aws/alb', 'lua-script-key-invalid'],
    ['a kind that does not start with a capital letter', 'httpproxy.projectcontour.io', 'lua-script-key-invalid'],
    ['a group with its version', 'HTTPProxy.projectcontour.io/v1', 'lua-script-key-invalid'],
  ])('for %s', (_, name, rule) => {
    expect(failureOf(chartWith(LuaScripts.inline(name, GOOD)))).toContain(`error[${rule}]`);
  });

  test('for two scripts with one key', () => {
    const message = failureOf(chartWith(LuaScripts.fromLibrary('aws-alb'), LuaScripts.inline('ingress.aws-alb', GOOD)));
    expect(message).toContain(
      'error[lua-script-duplicate]: there are two scripts for "lua.traffic.routing.ingress.aws-alb"',
    );
  });

  test.each([
    [1_048_576 - 1_000, 'warning', 'print'],
    [1_048_576 + 1, 'error', 'print'],
    [1_048_576 - 1_000, 'warning', 'fail'],
  ] as const)('or warns for %i bytes: %s, with warnings: %s', (bytes, severity, warnings) => {
    const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      const source = `${GOOD}--${'x'.repeat(bytes - GOOD.length - 2)}`;
      const message = failureOf(chartOf({ scripts: [LuaScripts.inline('ingress.example', source)], warnings }));
      const printed = stderr.mock.calls.map(([text]) => String(text)).join('');
      const finding = `${severity}[lua-config-map-too-large]`;
      expect(message.includes(finding)).toBe(severity === 'error' || warnings === 'fail');
      expect(printed.includes(finding)).toBe(severity === 'warning' && warnings === 'print');
    } finally {
      stderr.mockRestore();
    }
  });

  test('not for a finding that is suppressed with a reason; a suppression that matches nothing is reported', () => {
    const scripts = [LuaScripts.inline('VirtualService.networking.istio.io', GOOD)];
    const message = failureOf(
      chartOf({
        scripts,
        warnings: 'fail',
        suppressions: [
          { rule: 'lua-script-shadowed', reason: 'the image is our own, without built-in scripts' },
          { rule: 'lua-script-empty', reason: 'matches nothing' },
        ],
      }),
    );
    expect(message).not.toContain('lua-script-shadowed]');
    expect(message).toContain('[suppression-unused]');
  });
});

describe('a mistake in the program is reported when the construct is created', () => {
  test('a name that is not in the library', () => {
    expect(() => LuaScripts.fromLibrary('aws-elb' as 'aws-alb')).toThrow(
      'LuaScripts.fromLibrary: "names[0]" is the string "aws-elb": did you mean "aws-alb"?',
    );
  });

  test('a name that names no script', () => {
    expect(() => LuaScripts.inline('aws-alb', GOOD)).toThrow(
      /"aws-alb" is not the name of a routing script: write "ingress\./,
    );
  });

  test('is a file that cannot be read', () => {
    expect(() => LuaScripts.fromFile('ingress.demo', './no-such.lua')).toThrow(
      'cannot read the script of "ingress.demo": ENOENT: no such file or directory, open \'./no-such.lua\'',
    );
    expect(() => LuaScripts.inline('ingress.demo', undefined as unknown as string)).toThrow(
      'LuaScripts.inline: "source" is missing: give a string',
    );
  });

  test('a folder that is not there, or holds no script', () => {
    expect(() => LuaScripts.fromFolder('no/such/folder')).toThrow(/no folder of Lua scripts at "no\/such\/folder"/);
    expect(() => LuaScripts.fromFolder(folderWith({ 'a.txt': '' }))).toThrow(/no Lua script in/);
  });
});
