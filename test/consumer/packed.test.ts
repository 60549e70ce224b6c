/** The library as npm packs it, in projects as its users have them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Packed, packedLibrary } from '../package';
import { startPack } from '../policy/analyzer';
import { example, resourcesOf } from '../policy/stacks';
import { exampleFor, Project, ROOT } from './project';

/** Of compiling and packing, on a machine that has much else to do. */
const TIMEOUT = 600_000;

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const subpaths = Object.keys(manifest.exports).flatMap((path) => /^\.\/(\w+)$/.exec(path)?.[1] ?? []);

let packed: Packed;

/** The example on the page of a rule that it finds something in. */
function failingExample(rule: string): string {
  const page = readFileSync(join(ROOT, 'docs', 'rules', `${rule}.md`), 'utf8');
  return /```yaml\n([\s\S]*?)```/.exec(page)![1]!;
}

beforeAll(() => {
  packed = packedLibrary();
}, TIMEOUT);

describe('the package', () => {
  const filesOf = (folder: string) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      `${folder}/${file}`.replaceAll('\\', '/'),
    );

  it('holds what users need and nothing else', () => {
    const expected = new Set(['package.json', ...manifest.files.filter((file: string) => !file.startsWith('!'))]);
    const roots = new Set(packed.files.map(({ path }) => path.split('/')[0]!));
    expect(roots).toEqual(expected);
    const lib = packed.files.filter(({ path }) => path.startsWith('lib/')).map(({ path }) => path);
    expect(
      lib.filter(
        (path) =>
          !/^lib\/[\w./-]*(\.js|\.d\.ts|(schemas|shapes)\.json|(proofs|shipped|packaged|fact-texts)\.json|playground\.html|bundle\/[\w-]+\.table|bundle\/\w+\.js\.[\w.-]+\.code)$/.test(
            path,
          ),
      ),
    ).toEqual([]);
    const all = packed.files.map(({ path }) => path);
    expect(all.filter((path) => /(^|\/)(\.|node_modules\/)|\.(tgz|map)$/.test(path))).toEqual([]);
    // The apps of `init` have tests; the library keeps its own.
    expect(all.filter((path) => /\.test\.\w+$/.test(path) && !path.startsWith('templates/'))).toEqual([]);
  });

  it('has all that is compiled, and the types', () => {
    const lib = new Set(packed.files.map(({ path }) => path));
    const sources = filesOf('src').filter(
      // What runs in the page only is in the page.
      (file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !file.startsWith('src/playground/browser/'),
    );
    expect(sources.length).toBeGreaterThan(100);
    const compiled = sources.flatMap((file) => [file.replace(/\.ts$/, '.js'), file.replace(/\.ts$/, '.d.ts')]);
    expect(compiled.map((file) => file.replace(/^src/, 'lib')).filter((file) => !lib.has(file))).toEqual([]);
  });

  it('has every script of the library with its testdata', () => {
    const scripts = filesOf('lua_configuration').filter((file) => /\.(lua|yaml)$/.test(file));
    expect(scripts.some((file) => file.includes('testdata'))).toBe(true);
    const all = new Set(packed.files.map(({ path }) => path));
    expect(scripts.filter((file) => !all.has(file))).toEqual([]);
  });

  it('has a command that can be run', () => {
    const bin = packed.files.find(({ path }) => path === manifest.bin['rollout-constructs']);
    expect(bin!.mode & 0o111).toBe(0o111);
  });

  it('has types and code behind every path that it exports, and the same for compilers that read no exports', () => {
    for (const [path, target] of Object.entries<string | Record<string, string>>(manifest.exports)) {
      for (const file of typeof target === 'string' ? [target] : Object.values(target)) {
        expect(existsSync(join(packed.folder, file)), `${path}: ${file}`).toBe(true);
      }
    }
    expect(Object.keys(manifest.typesVersions['*']).sort()).toEqual([...subpaths].sort());
    for (const [path, [types]] of Object.entries<[string]>(manifest.typesVersions['*'])) {
      expect(`./${types}`).toBe(manifest.exports[`./${path}`].types);
    }
  });

  it('has types that load no provider of Pulumi as a whole', () => {
    const roots = ['@pulumi/aws', '@pulumi/kubernetes'];
    const reached = typesReachedFrom(join(packed.folder, 'lib', 'pulumi', 'index.d.ts'));
    expect(reached.files).toBeGreaterThan(30);
    expect([...reached.packages]).toContain('@pulumi/pulumi');
    expect([...reached.packages].filter((name) => roots.includes(name))).toEqual([]);
  });
});

/** The packages that the types of a file lead to, through all files of the library. */
function typesReachedFrom(entry: string): { files: number; packages: ReadonlySet<string> } {
  const packages = new Set<string>();
  const files = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    const { importedFiles, typeReferenceDirectives } = ts.preProcessFile(readFileSync(file, 'utf8'), true, true);
    for (const { fileName } of typeReferenceDirectives) packages.add(fileName);
    for (const { fileName } of importedFiles) {
      if (!fileName.startsWith('.')) {
        packages.add(fileName);
        continue;
      }
      const at = join(file, '..', fileName);
      const next = [`${at}.d.ts`, join(at, 'index.d.ts')].find((candidate) => existsSync(candidate));
      expect(next, `${fileName} of ${file}`).toBeDefined();
      visit(next!);
    }
  };
  visit(entry);
  return { files: files.size, packages };
}

describe('a project of cdk8s, without Pulumi', () => {
  let project: Project;

  beforeAll(() => {
    project = new Project(packed, ['cdk8s', 'constructs', '@types/node']);
    const template = join(ROOT, 'node_modules', 'cdk8s-cli', 'templates', 'typescript-app');
    project.write('tsconfig.json', readFileSync(join(template, 'tsconfig.json'), 'utf8'));
    project.write('main.ts', exampleFor('aws-alb-canary.ts'));
  });

  it(
    'compiles as `cdk8s init` sets it up',
    () => {
      expect(project.tsc()).toEqual({ status: 0, stdout: '', stderr: '' });
    },
    TIMEOUT,
  );

  it(
    'synthesises, and the command line checks and rehearses it',
    () => {
      const { status, stdout, stderr } = project.node('main.js');
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(resourcesOf(stdout)).toEqual(example('aws-alb-canary'));
      const bin = join('node_modules', 'rollout-constructs', manifest.bin['rollout-constructs']);
      project.write('shop.yaml', stdout);
      expect(project.node(bin, 'check', 'shop.yaml')).toMatchObject({ status: 0 });
      expect(project.node(bin, 'rehearse', 'shop.yaml')).toMatchObject({ status: 0 });
      project.write('wrong.yaml', failingExample('rehearsal-canary-gets-nothing'));
      const wrong = project.node(bin, 'check', 'wrong.yaml');
      expect(wrong.status).toBe(1);
      expect(wrong.stdout).toMatch(/error\[[a-z-]+\]/);
    },
    TIMEOUT,
  );

  it('loads neither Pulumi nor the Lua VM', () => {
    expect(project.node('-e', "require('@pulumi/pulumi')").status).not.toBe(0);
    const script = "require('rollout-constructs'); console.log(JSON.stringify(Object.keys(require.cache)))";
    const { stdout, stderr } = project.node('-e', script);
    expect(stderr).toBe('');
    const loaded: string[] = JSON.parse(stdout);
    expect(loaded.some((file) => /[\\/]cdk8s[\\/]/.test(file))).toBe(true);
    expect(loaded.filter((file) => /[\\/](@pulumi|lua[\\/]vm)[\\/]/.test(file))).toEqual([]);
  });

  it('has every other path that needs no Pulumi', () => {
    for (const path of subpaths.filter((each) => each !== 'pulumi')) {
      const { status, stderr } = project.node('-e', `require('rollout-constructs/${path}')`);
      expect({ path, status, stderr }).toEqual({ path, status: 0, stderr: '' });
    }
    expect(project.node('-p', "require('rollout-constructs/package.json').name").stdout.trim()).toBe(
      'rollout-constructs',
    );
  });
});

describe('a project of Pulumi', () => {
  /** The settings that `pulumi new kubernetes-typescript` writes, and the same with the modules of newer compilers. */
  const templates = [
    ['commonjs', { module: 'commonjs', moduleResolution: 'node' }],
    ['nodenext', { module: 'nodenext', moduleResolution: 'nodenext' }],
  ] as const;

  const compilerOptions = {
    strict: true,
    outDir: 'bin',
    target: 'es2020',
    sourceMap: true,
    experimentalDecorators: true,
    pretty: true,
    noFallthroughCasesInSwitch: true,
    noImplicitReturns: true,
    forceConsistentCasingInFileNames: true,
  };

  const policies = `import { PolicyPack } from '@pulumi/policy';
    import { policies, rolloutPolicies, type RolloutPoliciesOptions } from 'rollout-constructs/policy';
    const options: RolloutPoliciesOptions = {
      kruiseVersion: '0.6',
      rules: { 'kruise-grace-period-short': 'mandatory' },
      external: [{ kind: 'Service', name: 'web' }],
    };
    export const all = [...policies, ...rolloutPolicies(options)];
    export const start = () => new PolicyPack('ours', { policies: rolloutPolicies(options) });
  `;

  const mocks = `const pulumi = require('@pulumi/pulumi');
    const made = [];
    (async () => {
      await pulumi.runtime.setMocks({
        newResource: ({ type, name, inputs }) => { made.push(type); return { id: name, state: inputs }; },
        call: ({ inputs }) => inputs,
      }, 'shop', 'dev', false);
      const { rolloutName } = require('./bin/index.js');
      const { stackFindings } = require('rollout-constructs/pulumi');
      const findings = await stackFindings();
      rolloutName.apply((name) => console.log(JSON.stringify({ name, made, rules: findings.map(({ rule, severity }) => [rule, severity]), policies: require('./bin/policies.js').all.length })));
    })();
  `;

  let project: Project;
  /** What the compiler says of the types of @pulumi/policy alone, without skipLibCheck. */
  let ofPulumi: string;

  const compiled = (files: readonly string[], modules: object) => {
    project.write('tsconfig.json', JSON.stringify({ compilerOptions: { ...compilerOptions, ...modules }, files }));
    return project.tsc('--pretty', 'false', '--incremental');
  };

  beforeAll(() => {
    const pulumi = ['pulumi', 'kubernetes', 'aws', 'policy'].map((name) => `@pulumi/${name}`);
    project = new Project(packed, [...pulumi, '@types/node']);
    project.write('index.ts', exampleFor('pulumi/existing-cluster.ts'));
    project.write('policies.ts', policies);
    project.write('mocks.js', mocks);
    project.write('alone.ts', "export { PolicyPack } from '@pulumi/policy';");
    ofPulumi = compiled(['alone.ts'], templates[0][1]).stdout;
  }, TIMEOUT);

  it.each(templates)(
    'compiles with the settings of the template (%s), and runs',
    (_, modules) => {
      expect(compiled(['index.ts', 'policies.ts'], modules).stdout).toBe(ofPulumi);
      const { status, stdout, stderr } = project.node('mocks.js');
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      const { name, made, rules, policies: all } = JSON.parse(stdout.trim().split('\n').at(-1)!);
      expect(name).toBe('web');
      expect(made).toContain('rollout-constructs:index:KruiseRollout');
      expect(made).toContain('kubernetes:rollouts.kruise.io/v1beta1:Rollout');
      expect(rules.filter(([, severity]: string[]) => severity === 'error')).toEqual([]);
      expect(all).toBeGreaterThan(20);
    },
    TIMEOUT,
  );

  it('needs none of cdk8s', () => {
    expect(project.node('-e', "require('cdk8s')").status).not.toBe(0);
    for (const path of ['pulumi', 'policy', 'lua']) {
      const { status, stderr } = project.node('-e', `require('rollout-constructs/${path}')`);
      expect({ path, status, stderr }).toEqual({ path, status: 0, stderr: '' });
    }
  });

  it(
    'has a policy pack that Pulumi can start',
    async () => {
      const folder = join(project.folder, 'node_modules', 'rollout-constructs', 'policy-pack');
      const run = join(ROOT, 'node_modules', '@pulumi', 'pulumi', 'cmd', 'run-policy-pack');
      const running = await startPack(folder, [run, '127.0.0.1:0', folder]);
      try {
        expect(running).toMatchObject({ name: 'rollout-constructs', version: manifest.version });
        const found = await running.analyzeStack(resourcesOf(failingExample('rehearsal-canary-gets-nothing')));
        expect(found).toContainEqual(
          expect.objectContaining({
            policy: 'rehearsal',
            level: 'mandatory',
            message: expect.stringContaining('rehearsal-canary-gets-nothing'),
          }),
        );
      } finally {
        await running.stop();
      }
    },
    TIMEOUT,
  );
});
