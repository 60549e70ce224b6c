import { javascript, TextFile, typescript } from 'projen';
import { TypeScriptModuleResolution } from 'projen/lib/javascript';

/**
 * Where the project lives: fill it in before the first release. As long as it is the example, scripts/release-check.mjs refuses to
 * publish.
 */
const HOME = 'https://git.example.com/rollout-constructs/rollout-constructs';

const subpaths = ['lua', 'policy', 'pulumi', 'validation'];

const compilerOptions = {
  target: 'ES2022',
  lib: ['ES2022'],
  module: 'CommonJS',
  moduleResolution: TypeScriptModuleResolution.NODE,
  esModuleInterop: true,
  skipLibCheck: true,
  noImplicitOverride: true,
  inlineSourceMap: false,
  inlineSources: false,
  experimentalDecorators: false,
};

const project = new typescript.TypeScriptProject({
  name: 'rollout-constructs',
  description:
    'cdk8s constructs, Pulumi components and a command line for progressive delivery on Kubernetes, rehearsed before anything is applied',
  defaultReleaseBranch: 'main',
  homepage: HOME,
  repository: `git+${HOME}.git`,
  bugsUrl: `${HOME}/issues`,
  license: 'Apache-2.0',
  copyrightOwner: 'The rollout-constructs authors',
  keywords: ['kubernetes', 'cdk8s', 'pulumi', 'canary', 'progressive-delivery', 'openkruise', 'argo-rollouts', 'lua'],
  packageManager: javascript.NodePackageManager.NPM,
  minNodeVersion: '20.19.0',
  typescriptVersion: '~5.9.3',
  projenVersion: '0.103.25',
  entrypoint: 'lib/bundle/constructs.js',
  entrypointTypes: 'lib/constructs/index.d.ts',
  bin: {
    'rollout-constructs': 'bin/rollout-constructs',
    'rollout-constructs-krm': 'bin/rollout-constructs-krm',
    'kubectl-rollout_constructs': 'bin/kubectl-rollout_constructs',
  },

  deps: ['yaml@^2.9.1'],
  peerDeps: [
    'cdk8s@^2.68.0',
    'constructs@^10.3.0',
    '@pulumi/pulumi@^3.142.0',
    '@pulumi/kubernetes@^4.18.0',
    '@pulumi/aws@>=6 <8',
    '@pulumi/policy@^1.13.0',
    '@kubernetes/client-node@>=1.3.0 <3',
  ],
  devDeps: [
    '@biomejs/biome@~2.5.15',
    'cdk8s@^2.68.0',
    'constructs@^10.3.0',
    // Later ones need Node 22.
    '@pulumi/pulumi@3.248.0',
    '@pulumi/kubernetes@^4.34.2',
    '@pulumi/aws@^7.48.0',
    '@pulumi/policy@^1.21.0',
    // The second major version needs Node 22.
    '@kubernetes/client-node@^1.4.0',
    'cdk8s-cli@^2.207.60',
    '@types/node@^20',
    'fast-check@^4',
    // Another Lua, to compare the engine with: in benchmarks, and in tests of what all Luas agree on.
    'fengari@0.1.5',
    // Bundles the command line, which starts faster from few files; and the Lua engine for browsers in a test.
    'esbuild@^0.28.2',
    // Reads Markdown as GitHub does, to see what a report becomes there.
    'micromark@^4.0.3',
    'micromark-extension-gfm@^3.0.0',
    // The official schema of SARIF, and nothing else of it.
    '@microsoft/jest-sarif@^1.0.0-beta.0',
    // The schemas of Kubernetes' own kinds, to hold what the constructs write against.
    'kubernetes-models@^4.5.1',
    // Changes the sources, to see what the tests notice. Later ones need Node 22.
    '@stryker-mutator/instrumenter@~9.6.1',
    // The parts of vitest that run a test file, to run it once per change without a new process.
    '@vitest/expect@^4.1.12',
    '@vitest/runner@^4.1.12',
    'tsx@^4.23.15',
    'vitest@^4.1.12',
  ],
  peerDependencyOptions: { pinnedDevDependency: false },

  tsconfig: {
    compilerOptions,
    // It runs in a browser, with the types of one.
    exclude: ['src/playground/browser'],
  },
  tsconfigDev: {
    compilerOptions,
    include: ['../bench/**/*.ts', '../examples/**/*.ts'],
  },
  projenrcTs: true,
  projenrcTsOptions: { runner: typescript.TypeScriptRunner.tsx() },

  github: false,
  release: false,
  depsUpgrade: false,
  jest: false,
  eslint: false,
  sampleCode: false,
  npmIgnoreOptions: { ignorePatterns: [] },
  gitignore: [
    '/.bench/',
    '*.tgz',
    '*_obj.lua',
    '.rollout-constructs/',
    // What `npm run site` writes; `dist` is ignored anyway.
    '/site/pages/',
    '/site/dist/',
    '/site/.vitepress/cache/',
    '/site/.vitepress/.temp/',
  ],
});

// Each is for one door: who composes with cdk8s does not install Pulumi, and who never asks a cluster no client of it.
const optionalPeers = [
  '@pulumi/pulumi',
  '@pulumi/kubernetes',
  '@pulumi/aws',
  '@pulumi/policy',
  '@kubernetes/client-node',
];
project.package.addField(
  'peerDependenciesMeta',
  Object.fromEntries(optionalPeers.map((name) => [name, { optional: true }])),
);

project.package.addField('exports', {
  '.': { types: './lib/constructs/index.d.ts', default: './lib/bundle/constructs.js' },
  ...Object.fromEntries(
    subpaths.map((name) => [`./${name}`, { types: `./lib/${name}/index.d.ts`, default: `./lib/bundle/${name}.js` }]),
  ),
  './package.json': './package.json',
});
// The tsconfig that `cdk8s init` writes cannot see `exports`.
project.package.addField('typesVersions', {
  '*': Object.fromEntries(subpaths.map((name) => [name, [`lib/${name}/index.d.ts`]])),
});
project.package.addField('files', [
  'bin',
  'lib',
  // The mark by which set-up knows that it is compiled.
  '!lib/.built',
  'lua_configuration',
  'policy-pack',
  'templates',
  'config.schema.json',
  'story.schema.json',
  'README.md',
  'LICENSE',
]);
project.package.addField('sideEffects', false);
// Published by a CI system that signs for it, so that a package can be traced to the commit it was built from.
project.package.addField('publishConfig', { access: 'public', provenance: true });

const vitest = 'vitest run --project library --project pulumi --project speed';
project.testTask.reset(vitest, { receiveArgs: true });
project.compileTask.reset('tsc --build tsconfig.json');
project.postCompileTask.exec('node scripts/prove.mjs --all');
project.postCompileTask.exec('node scripts/bundle.mjs');
project.postCompileTask.exec('node scripts/playground.mjs');
project.addTask('lint', { exec: 'biome check .', receiveArgs: true });
project.addTask('typecheck', {
  exec: 'tsc --noEmit -p test/tsconfig.json && tsc -p src/playground/browser/tsconfig.json',
});

// A fresh clone has no node_modules yet, so these scripts set up by themselves instead of going through projen.
const setUp = 'node scripts/set-up.mjs';
project.package.setScript('start', `${setUp} && node --import tsx scripts/start.mjs`);
project.package.setScript('test', `${setUp} --build && ${vitest}`);
project.package.setScript('test:debian', `${setUp} --build && vitest run --project debian`);
project.package.setScript('conformance', `${setUp} && tsx test/conformance/main.ts`);
project.package.setScript('stage', `${setUp} && tsx test/stage/main.ts`);
project.package.setScript(
  'docs',
  `${setUp} && tsx scripts/write-rule-pages.ts && tsx scripts/write-api-reference.ts && tsx scripts/write-recordings-page.ts && tsx scripts/write-releases-page.ts`,
);
project.package.setScript(
  'schemas',
  `${setUp} && tsx scripts/write-api-schemas.ts && tsx scripts/write-prop-shapes.ts && tsx scripts/write-config-schema.ts && tsx scripts/write-fact-texts.ts && tsx scripts/write-packaged-scripts.ts`,
);
// npm runs it before it publishes, and not when it packs.
project.package.setScript('prepublishOnly', `node scripts/release-check.mjs && ${setUp} --build`);
project.package.setScript('fuzz', `${setUp} && tsx test/fuzz/main.ts`);
project.package.setScript('mutate', `${setUp} && tsx test/mutation/main.ts`);
project.package.setScript('sbom', `${setUp} && tsx scripts/write-sbom.ts`);
project.package.setScript('site', `${setUp} --build && tsx scripts/site/main.ts`);
project.package.setScript(
  'test:site',
  `${setUp} --build && tsx scripts/site/main.ts --base /rollout-constructs/ && tsc -p site/tsconfig.json && vitest run --config test/site/vitest.config.mts`,
);
project.package.setScript('pictures', `${setUp} --build && tsx scripts/pictures/main.ts`);
project.package.setScript('bench', `${setUp} --build && tsx bench/main.ts`);
// Written by `npm run docs`.
project.gitattributes.addAttributes('/docs/rules/**', 'linguist-generated');

project.npmrc.addConfig('omit-lockfile-registry-resolved', 'true');
project.npmrc.addConfig('fund', 'false');
project.npmrc.addConfig('audit', 'false');

new TextFile(project, '.nvmrc', { lines: ['20', ''] });

project.synth();
