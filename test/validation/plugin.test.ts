import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { wholeCatalogue } from '../../src/check';
import type { Finding } from '../../src/core';
import { RolloutConstructsValidation, type RolloutConstructsValidationProps } from '../../src/validation';
import { blocks, document } from '../cli/doc-blocks';
import { cli, folderWith } from '../cli/fixture';
import { installedLibrary } from '../package';

// Plain imports of its types cannot see the `exports` of a package.
const { ValidationContext } = createRequire(__filename)('cdk8s-cli/plugins') as typeof import('cdk8s-cli/lib/plugins');

const TEXT = document('cdk8s-plugin.md');
const [PLUGIN, WITH_PROPERTIES, , BY_NAME] = blocks(TEXT, 'yaml') as [string, string, string, string];

const object = (chart: string, id: string, manifest: object) =>
  `new ApiObject(${chart}, ${JSON.stringify(id)}, ${JSON.stringify(manifest)});`;

const SERVICE = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { type: 'NodePort', selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
};

const ingress = (order: string, name = 'web') => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: {
    name,
    annotations: { 'alb.ingress.kubernetes.io/group.name': 'shop', 'alb.ingress.kubernetes.io/group.order': order },
  },
  spec: {
    ingressClassName: 'alb',
    rules: [
      {
        host: 'shop.example.com',
        http: {
          paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }],
        },
      },
    ],
  },
});

const BUDGET = {
  apiVersion: 'policy/v1beta1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'budget' },
  spec: { maxUnavailable: 1 },
};

/** An app of plain ApiObjects, without anything of this library. */
const app = (...objects: readonly string[]) => `const { ApiObject, App, Chart } = require('cdk8s');
const app = new App();
const shop = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });
${objects.join('\n')}
app.synth();
`;

interface Synth {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly folder: string;
  /** The report as JSON. */
  report(): Report;
}

interface Report {
  readonly violations: readonly {
    readonly ruleName: string;
    readonly recommendation: string;
    readonly fix: string;
    readonly violatingConstructs: readonly {
      readonly constructPath?: string;
      readonly resourceName: string;
      readonly manifestPath: string;
      readonly locations: readonly string[];
    }[];
  }[];
  readonly summary: { readonly status: string; readonly metadata: Readonly<Record<string, string>> };
}

let modules: string;
beforeAll(() => {
  modules = installedLibrary(['cdk8s', 'cdk8s-cli', 'constructs', 'yaml']);
}, 300_000);

/** Runs the real cdk8s-cli. */
async function synth(
  main: string,
  { properties = '', args = [], plugin = PLUGIN, files = {}, command = 'node main.js' }: Options = {},
): Promise<Synth> {
  const folder = folderWith({
    'main.js': main,
    'cdk8s.yaml': `language: typescript\napp: ${command}\n${plugin}${properties}`,
    ...files,
  });
  symlinkSync(modules, join(folder, 'node_modules'), 'dir');
  const bin = join(folder, 'node_modules', '.bin', 'cdk8s');
  const report = ['--validation-reports-output-file', 'report.json'];
  const child = spawn(process.execPath, [bin, 'synth', '--check-upgrade=false', ...report, ...args], {
    cwd: folder,
    env: { ...process.env, CI: '1' },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return {
    code,
    stdout,
    stderr,
    folder,
    report: () => JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')).reports[0],
  };
}

interface Options {
  readonly properties?: string;
  readonly command?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  readonly plugin?: string;
}

const SHOP = app(object('shop', 'service', SERVICE), object('shop', 'door', ingress('2000', 'door')));

describe('the plugin in the real cdk8s-cli', () => {
  it('lets an app through that is right', async () => {
    const { code, stdout, report } = await synth(
      app(object('shop', 'service', SERVICE), object('shop', 'ingress', ingress('10'))),
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('Validations ended succesfully') });
    expect(report().violations).toEqual([]);
    expect(report().summary.metadata).toMatchObject({ Errors: '0', Objects: '2', 'Kruise Rollouts': '0.6.2' });
  });

  it('fails an app with the construct, the place, the reason and the fix', async () => {
    const { code, stdout, report } = await synth(SHOP);
    expect(code).toBe(2);
    // Without the colours that cdk8s-cli always writes.
    expect(stdout.replace(/\u001b\[\d+m/g, '')).toContain(blocks(TEXT, 'text')[0]);
    const [violation, ...others] = report().violations;
    expect(others).toEqual([]);
    expect(violation).toMatchObject({
      ruleName: 'alb-group-order',
      recommendation: expect.stringContaining('the controller then applies nothing of the whole group'),
      fix: expect.stringMatching(/^use an integer .* \(npx rollout-constructs explain alb-group-order\)$/),
    });
    expect(violation!.violatingConstructs).toEqual([
      {
        constructPath: 'shop/door',
        resourceName: 'Ingress shop/door',
        manifestPath: 'dist/shop.k8s.yaml',
        locations: [
          'error at dist/shop.k8s.yaml:19:44, metadata.annotations["alb.ingress.kubernetes.io/group.order"]: ' +
            'alb.ingress.kubernetes.io/group.order is "2000" (construct shop/door)',
        ],
      },
    ]);
  });

  it('is found by the name of the package, too', async () => {
    const main = app(object('shop', 'door', ingress('2000', 'door')));
    const plugins = folderWith({});
    const place = join(plugins, 'rollout-constructs', '1.0.0');
    mkdirSync(place, { recursive: true });
    symlinkSync(modules, join(place, 'node_modules'), 'dir');
    const { code, folder, report } = await synth(main, { plugin: BY_NAME, args: ['--plugins-dir', plugins] });
    expect(code).toBe(2);
    expect(report().violations.map(({ ruleName }) => ruleName)).toContain('alb-group-order');
    const script = `const { RolloutConstructsValidation } = require('rollout-constructs');
      if (require('rollout-constructs/validation').RolloutConstructsValidation !== RolloutConstructsValidation) throw new Error('two');
      console.log(Object.keys(require.cache).filter((file) => /lib.(validation.validate|check|cli)\b/.test(file)).length);`;
    const loaded = spawnSync(process.execPath, ['-e', script], { cwd: folder, encoding: 'utf8' });
    expect(loaded).toMatchObject({ stdout: '0\n', stderr: '' });
  });

  it('takes properties as the document shows them', async () => {
    const { code, report } = await synth(SHOP, {
      plugin: WITH_PROPERTIES,
      files: {
        'platform/rollout-constructs.config.yaml': 'maxWarnings: 9\nargoVersion: "1.8"\nkruiseVersion: "0.5"\n',
      },
    });
    expect(code).toBe(2);
    expect(report().summary.metadata).toMatchObject({
      Errors: '0',
      Warnings: '1',
      'Kruise Rollouts': expect.stringMatching(/^0\.6\./),
      'Argo Rollouts': expect.stringMatching(/^1\.8\./),
    });
  });

  it('names every construct where the app records them, also those of one name', async () => {
    const main = app(
      object('shop', 'door', ingress('2000')),
      "const inner = new Chart(shop, 'inner', { namespace: 'inner', disableResourceNameHashes: true });",
      object('inner', 'gate', ingress('2001')),
      object('inner', 'service', SERVICE),
      object('shop', 'service', SERVICE),
    );
    const told = async (command: string) => {
      const { code, stderr, report, folder } = await synth(main, { command });
      expect(code, stderr).toBe(2);
      const orders = report().violations.filter(({ ruleName }) => ruleName === 'alb-group-order');
      const constructs = orders.flatMap(({ violatingConstructs }) => violatingConstructs);
      const paths = constructs.map(({ resourceName, constructPath }) => `${resourceName}: ${constructPath}`);
      return { paths: paths.sort(), folder };
    };
    // As cdk8s records them, at most the chart is known.
    expect((await told('node main.js')).paths).toEqual(['Ingress inner/web: undefined', 'Ingress shop/web: shop']);
    const [, command] = /^app: (node --require \S+) --import tsx main\.ts$/m.exec(TEXT)!;
    const { paths, folder } = await told(`${command} main.js`);
    expect(paths).toEqual(['Ingress inner/web: shop/inner/gate', 'Ingress shop/web: shop/door']);
    const check = await cli(['check', 'dist', '--no-config'], { cwd: folder });
    expect(check.stdout).not.toContain('construct-paths');
    writeFileSync(join(folder, 'dist', '.construct-paths'), '{');
    const files = readdirSync(join(folder, 'dist')).filter((name) => name.endsWith('.yaml'));
    const spoilt = await validatedIn(join(folder, 'dist'), files, { config: false });
    expect(spoilt.rules).toContain('alb-group-order');
  });

  it('names no temporary file where the manifests go to stdout', async () => {
    const { code, report } = await synth(SHOP, { args: ['--stdout'] });
    expect(code).toBe(2);
    const [{ manifestPath, locations }] = report().violations[0]!.violatingConstructs as [Construct];
    expect({ manifestPath, locations }).toEqual({
      manifestPath: 'STDOUT',
      locations: [expect.stringMatching(/^error at shop\.k8s\.yaml:19:44, /)],
    });
  });

  it('says what is wrong with its properties, without a stack', async () => {
    const { code, stderr } = await synth(SHOP, { properties: '    properties: {kruiseVersoin: x}\n' });
    expect(code).toBe(1);
    expect(stderr).toContain(
      'rollout-constructs: the configuration "properties in cdk8s.yaml" has an unknown field "kruiseVersoin"; did you mean "kruiseVersion"?\n' +
        '  known fields: $schema, files, clusters, kruiseVersion, ',
    );
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

type Construct = Report['violations'][number]['violatingConstructs'][number];

/** Validates these files as cdk8s-cli would have them, in this process. */
async function validated(
  files: Readonly<Record<string, string>>,
  properties: RolloutConstructsValidationProps = {},
  paths: Readonly<Record<string, string>> = {},
) {
  const folder = folderWith(files);
  const config = properties.config ?? (CONFIG in files ? join(folder, CONFIG) : false);
  const manifests = Object.keys(files).filter((name) => name !== CONFIG);
  return { ...(await validatedIn(folder, manifests, { ...properties, config }, paths)), folder };
}

async function validatedIn(
  folder: string,
  names: readonly string[],
  properties: RolloutConstructsValidationProps,
  paths: Readonly<Record<string, string>> = {},
) {
  const manifests = names.map((name) => join(folder, name));
  const metadata = Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, { path }]));
  const context = new ValidationContext(manifests, 'rollout-constructs', '1.0.0', metadata);
  await new RolloutConstructsValidation(properties).validate(context);
  const report = context.report.toJson() as unknown as Report;
  return { ...report, success: context.report.success, rules: report.violations.map(({ ruleName }) => ruleName) };
}

const CONFIG = 'rollout-constructs.config.json';
const yaml = (...objects: readonly object[]) => objects.map((each) => JSON.stringify(each)).join('\n---\n');
const constructsOf = ({ violations }: Report) =>
  violations.flatMap(({ violatingConstructs }) => violatingConstructs.map(({ constructPath }) => constructPath));

describe('the path of the construct', () => {
  const wrong = (name: string) => ingress('2000', name);

  it.each([
    ['the last of a name, whose path it is', [SERVICE, wrong('web')], { web: 'shop/door' }, 'shop/door'],
    ['not the last: the chart', [wrong('web'), SERVICE, BUDGET], { web: 'shop/service', budget: 'shop/b' }, 'shop'],
    ['a name that is recorded for nobody', [SERVICE, wrong('door')], {}, undefined],
    ['a name that objects inherit', [SERVICE, wrong('constructor')], { web: 'shop/x' }, 'shop'],
  ])('of %s', async (_, objects, paths, path) => {
    const report = await validated({ 'dist/shop.k8s.yaml': yaml(...objects) }, {}, paths);
    expect(constructsOf(report).filter((_, index) => report.rules[index] === 'alb-group-order')).toEqual([path]);
  });

  it('is never that of an object of the same name in another chart', async () => {
    const files = {
      'dist/0000-blue.k8s.yaml': yaml(wrong('web'), BUDGET),
      'dist/0001-green.k8s.yaml': yaml(SERVICE),
    };
    expect(constructsOf(await validated(files, {}, { web: 'green/service', budget: 'blue/budget' }))).toEqual([
      'blue',
      'blue/budget',
    ]);
    expect(constructsOf(await validated(files, {}, { web: 'blue/door', budget: 'blue/budget' }))).toEqual([
      'blue/door',
      'blue/budget',
    ]);
  });

  it('is left open where charts are within charts, or all are in one file', async () => {
    const nested = {
      'dist/green.k8s.yaml': yaml(wrong('web')),
      'dist/blue-inner-c8aaaaaa.k8s.yaml': yaml(SERVICE),
    };
    expect(constructsOf(await validated(nested, {}, { web: 'blue/inner/service' }))).toEqual([undefined]);
    const one = { 'dist/app.k8s.yaml': yaml(BUDGET, wrong('web'), SERVICE) };
    const paths = { web: 'app/service', budget: 'other/budget' };
    expect(constructsOf(await validated(one, {}, paths))).toEqual(['other/budget', undefined]);
  });
});

describe('what the plugin finds', () => {
  // A sample: that every rule is found where it should be is held by the tests of rules.
  const yamlRules = [...wholeCatalogue()].filter(
    ({ failing }, index) => failing.language === 'yaml' && index % 8 === 0,
  );

  it('is what the command finds, for the examples of rules', async () => {
    expect(yamlRules.length).toBeGreaterThan(30);
    const folder = folderWith(
      Object.fromEntries(yamlRules.map(({ id, failing }) => [`${id}/a.k8s.yaml`, failing.text])),
    );
    for (const { id } of yamlRules) {
      const report = await validatedIn(folder, [`${id}/a.k8s.yaml`], { config: false });
      const { stdout } = await cli(['check', `${id}/a.k8s.yaml`, '--format', 'json', '--no-config'], { cwd: folder });
      const told: readonly Finding[] = JSON.parse(stdout).findings;
      const ours = told.filter(({ severity }) => severity !== 'note');
      expect(new Set(report.rules), id).toEqual(new Set(ours.map(({ rule }) => rule)));
      const places = report.violations.flatMap(({ violatingConstructs }) =>
        violatingConstructs.flatMap(({ locations }) => locations),
      );
      expect(places, id).toHaveLength(ours.length);
      expect(report.success, id).toBe(ours.every(({ severity }) => severity !== 'error'));
    }
  });

  const files = { 'dist/a.k8s.yaml': yaml(SERVICE, SERVICE), 'dist/b.k8s.yaml': yaml(BUDGET) };

  it('takes its properties, and the configuration file', async () => {
    const both = ['kubernetes-api-removed', 'manifest-duplicate'];
    expect(await validated(files)).toMatchObject({ rules: both, success: false });
    const old: RolloutConstructsValidationProps = { kubernetesVersion: '1.24' };
    expect(await validated(files, old)).toMatchObject({ rules: ['manifest-duplicate'], success: true });
    expect(await validated(files, { ...old, maxWarnings: 0 })).toMatchObject({ success: false });
    expect(await validated(files, { ...old, rules: { 'manifest-duplicate': 'off' } })).toMatchObject({ rules: [] });
    const accepted = [{ rule: 'manifest-duplicate', reason: 'the second is for the other site' }];
    expect(await validated(files, { ...old, suppressions: accepted })).toMatchObject({
      rules: [],
      summary: { metadata: { Accepted: '1' } },
    });
    const config = JSON.stringify({ kubernetesVersion: '1.24', kruiseVersion: '0.5', maxWarnings: 0 });
    expect(await validated({ ...files, [CONFIG]: config })).toMatchObject({
      rules: ['manifest-duplicate'],
      success: false,
    });
    expect(
      await validated({ ...files, [CONFIG]: config }, { kubernetesVersion: '1.30', maxWarnings: 9 }),
    ).toMatchObject({
      rules: both,
      summary: { metadata: { Kubernetes: '1.30', 'Kruise Rollouts': expect.stringMatching(/^0\.5\./) } },
    });
  });

  it('leaves out what the baseline knows', async () => {
    const { folder } = await validated(files);
    await cli(['check', 'dist', '--no-config', '--baseline', 'known.json', '--update-baseline'], { cwd: folder });
    expect(await validated(files, { baseline: join(folder, 'known.json') })).toMatchObject({
      rules: [],
      success: true,
    });
  });

  it.each([
    [{ files: ['a'] } as RolloutConstructsValidationProps, 'files in the properties in cdk8s.yaml: cdk8s says which'],
    [{ probes: ['FETCH'] }, 'probes[0] of the properties in cdk8s.yaml: '],
    [{ kruiseVersion: '0.9' }, 'kruiseVersion of the properties in cdk8s.yaml is "0.9"'],
    [{ rules: { 'alb-group-ordr': 'off' as const } }, 'rules of the properties in cdk8s.yaml: there is no rule'],
    [{ config: 'none.json' }, 'cannot read the configuration "none.json"'],
    [{ baseline: 'none.json' }, 'there is no baseline "none.json"'],
  ])('refuses %j', async (properties, message) => {
    await expect(validated(files, properties)).rejects.toThrow(message);
  });

  it('fails on what cannot be read', async () => {
    const report = await validated({ 'dist/a.k8s.yaml': 'kind: [\n' });
    expect(report).toMatchObject({ rules: ['yaml-invalid'], success: false });
    expect(report.violations[0]!.violatingConstructs[0]!.resourceName).toMatch(/a\.k8s\.yaml$/);
  });

  it('lets no control character of a manifest reach the terminal', async () => {
    const report = await validated({ 'dist/a.k8s.yaml': yaml(ingress('\u001b[2J\n::error::x', 'a\u001b[2J')) });
    expect(report.rules).toContain('alb-group-order');
    expect(JSON.stringify(report.violations)).not.toMatch(/(?<!\\)\\(u001b|n)/);
  });
});
