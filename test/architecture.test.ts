import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = join(__dirname, '..');
const SRC = join(ROOT, 'src');

/**
 * What each folder of src may import of the others: arrows point one way. `core` and `lua` stand alone, a router uses
 * these two, a rollout controller also asks routers what they make of an Ingress, and only the shells (`cli`,
 * `constructs`, `pulumi`) see everything.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  lua: [],
  report: ['core'],
  release: ['core', 'lua'],
  kubernetes: ['core'],
  kruise: ['core', 'kubernetes', 'lua', 'release', 'routers'],
  ktenv: ['core', 'kubernetes', 'routers'],
  aws: ['core'],
  // What routers export about requests, and the queries over it.
  metrics: ['core'],
  argo: ['core', 'kubernetes', 'release', 'routers', 'aws', 'metrics'],
  routers: ['core', 'lua'],
  rehearsal: ['core', 'kubernetes', 'lua', 'release', 'kruise', 'argo', 'routers'],
  // What users state and what installs say about the cluster; of the systems it reads only versions and installs.
  settings: ['core', 'release', 'kruise', 'argo', 'ktenv', 'routers', 'rehearsal'],
  // JSON Schemas for editors and validators.
  schemas: ['core', 'kruise', 'argo', 'ktenv'],
  // Loads the bundles that the build makes of the others, and their tables.
  bundle: ['core'],
  // Files that shells on Node read and write.
  files: ['core', 'settings', 'kruise', 'lua'],
  check: ['core', 'kubernetes', 'release', 'kruise', 'argo', 'ktenv', 'routers', 'rehearsal', 'settings'],
  // The same manifests with two releases of what the cluster runs.
  upgrade: ['core', 'kruise', 'argo', 'ktenv', 'routers', 'check', 'settings'],
  // Compares two states that others have checked and rehearsed.
  diff: ['core', 'release', 'rehearsal'],
  doctor: ['core', 'release', 'kruise', 'argo', 'aws', 'ktenv', 'routers', 'rehearsal', 'check', 'settings'],
  // Follows a release in a cluster, as `doctor` sees it.
  watch: ['core', 'release', 'kruise', 'argo', 'routers', 'rehearsal', 'check', 'doctor', 'settings'],
  constructs: [
    'core',
    'kubernetes',
    'lua',
    'kruise',
    'argo',
    'aws',
    'ktenv',
    'routers',
    'rehearsal',
    'check',
    'report',
    'settings',
    'files',
    'validation',
  ],
  // Programs for manifests, as data and as text; which construct writes what is proven by whoever has cdk8s.
  import: ['core', 'kubernetes', 'kruise', 'argo', 'ktenv', 'routers'],
  synthesis: ['core', 'constructs', 'import'],
  validation: ['core', 'rehearsal', 'check', 'report', 'settings', 'files'],
  pulumi: [
    'core',
    'kubernetes',
    'lua',
    'kruise',
    'argo',
    'aws',
    'ktenv',
    'routers',
    'rehearsal',
    'check',
    'report',
    'settings',
    'files',
  ],
  // The rules of every system, with the options of the command line; of the components only what is no component.
  policy: ['core', 'kruise', 'argo', 'check', 'report', 'settings', 'files', 'pulumi'],
  // The page that has the heart in it; its folder `browser` runs nowhere else.
  playground: ['core', 'ktenv', 'rehearsal', 'check', 'report', 'settings'],
  cli: [
    'core',
    'lua',
    'kruise',
    'argo',
    'aws',
    'ktenv',
    'routers',
    'rehearsal',
    'check',
    'diff',
    'doctor',
    'upgrade',
    'report',
    'schemas',
    'settings',
    'files',
    'import',
    'synthesis',
    'watch',
  ],
};

/** Packages that only some folders may load; what is not listed here is for nobody. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  yaml: ['core', 'kruise', 'report', 'cli', 'files'],
  // Only its types: a configuration in TypeScript is compiled with what the project has.
  typescript: ['files'],
  cdk8s: ['constructs', 'synthesis', 'validation'],
  constructs: ['constructs', 'synthesis'],
  '@pulumi/pulumi': ['pulumi'],
  '@pulumi/kubernetes': ['pulumi'],
  '@pulumi/aws': ['pulumi'],
  // Only when a cluster is asked.
  '@kubernetes/client-node': ['cli'],
  // Only its types: policies are plain objects.
  '@pulumi/policy': ['policy'],
};

/** What runs where there is no file system and no process, such as the page of the playground. The shells and `files` are the rest. */
const HEART: readonly string[] = [
  'core',
  'lua',
  'release',
  'kubernetes',
  'kruise',
  'argo',
  'aws',
  'ktenv',
  'routers',
  'metrics',
  'rehearsal',
  'settings',
  'check',
  'doctor',
  'watch',
  'report',
  'playground',
  'diff',
  'upgrade',
  'schemas',
];

/** What only Node has. */
const OF_NODE: ReadonlySet<string> = new Set([
  'process',
  'Buffer',
  'NodeJS',
  '__dirname',
  '__filename',
  'setImmediate',
  'global',
]);

const MAX_LINES = 500;

interface Import {
  readonly file: string;
  readonly line: number;
  readonly target: string;
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => join(SRC, name))
  .sort();

function importsOf(file: string): Import[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2022, true);
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    const target = targetOf(node);
    if (target !== undefined) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push({ file: relative(ROOT, file), line: line + 1, target });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** The module of `import … from`, `export … from`, `import('…')` as a call or a type, and `require('…')`. */
function targetOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return literal(node.moduleSpecifier);
  if (ts.isExternalModuleReference(node)) return literal(node.expression);
  if (ts.isImportTypeNode(node))
    return ts.isLiteralTypeNode(node.argument) ? literal(node.argument.literal) : undefined;
  if (!ts.isCallExpression(node)) return undefined;
  const isLoad = node.expression.kind === ts.SyntaxKind.ImportKeyword || node.expression.getText() === 'require';
  return isLoad ? literal(node.arguments[0]) : undefined;
}

function literal(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
}

function folderOf(path: string): string {
  return relative(SRC, path).split(sep)[0]!;
}

function violationOf({ file, line, target }: Import): string | undefined {
  const from = folderOf(join(ROOT, file));
  if (target.startsWith('node:')) return undefined;
  if (!target.startsWith('.')) {
    const name = target.startsWith('@') ? target.split('/').slice(0, 2).join('/') : target.split('/')[0]!;
    return PACKAGES[name]?.includes(from) ? undefined : `${file}:${line}: ${from} may not load the package ${name}`;
  }
  const to = resolve(ROOT, dirname(file), target);
  if (!to.startsWith(SRC + sep)) return `${file}:${line}: imports ${target}, which is outside of src`;
  const folder = folderOf(to);
  if (folder === from || MAY_IMPORT[from]?.includes(folder)) return undefined;
  return `${file}:${line}: ${from} may not import ${folder} (${target})`;
}

/**
 * The parts of a room, the lowest first: a file imports only its own part and the layers below. The longest name that
 * fits a file is its part; `*` is the part of all files directly in the room that no other name fits. Parts of one layer
 * do not import each other.
 */
const LAYERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  core: [
    [
      'json',
      'shortened',
      'counted',
      'grouped',
      'did-you-mean',
      'construct-path',
      'duration',
      'text-diff',
      'props',
      'version-number',
      'lazy',
      'remembered',
      'bytes',
      'ip-address',
      'file-name',
      'image-tag',
      'site',
      'cluster-scoped',
      'variable',
      'kustomize',
      'regex',
      'budget',
      'shape',
    ],
    ['shape-words', 'keyed'],
    ['path', 'go-json', 'finding', 'merge-patch', 'release-history', 'sha256', 'go-json-syntax'],
    [
      'rule',
      'finding-store',
      'finding-shape',
      'prop-shape',
      'package-shapes',
      'field-changes',
      'environment-preview',
      'rehearsal-result',
      'test-result',
    ],
    ['checkup', 'routed-request', 'checked-calls', 'upgrade-result'],
    ['watched-release'],
    ['rules', 'manifest', 'example'],
    ['world', 'reader', 'schema', 'gitops', 'external'],
    ['absence', 'world-reads'],
    ['suppression'],
    ['stack-diff'],
    ['index'],
  ],
  kruise: [
    ['json', 'facts', 'gateway-kinds', 'health'],
    ['version'],
    ['api'],
    [
      'routing',
      'steps',
      'strategy',
      'references',
      'http-route-fields',
      'install/names',
      'install/options',
      'alb/annotations',
      'scripts/script-folder',
    ],
    ['subject', 'manifests', 'crds', 'gateway-rbac', 'scripts/contract', 'install/settings', 'scripts/packaged-folder'],
    ['objects', 'grants', 'held-fields', 'alb/provider', 'admission', 'scripts/library'],
    ['scripts/lookup', 'convert'],
    ['refused-write'],
    ['controller', 'install', 'load'],
    ['scripts'],
    ['rules', 'gateway-permissions', 'gitops', 'kustomize', 'merge'],
    ['alb', 'release'],
    ['catalogue'],
    ['scripts/checks', 'alb/aliyun-order-findings'],
    ['scripts/world', 'check'],
  ],
  argo: [
    ['values', 'facts'],
    ['version'],
    ['check-options'],
    ['api', 'ingress-versions', 'istio-rollout'],
    ['admission', 'steps', 'crds'],
    ['controller', 'install'],
    ['rules', 'gitops', 'kustomize', 'merge', 'analysis'],
    ['alb', 'release'],
  ],
  routers: [
    // The interface of routers, and what routers of several APIs share.
    ['*'],
    // What the routers of one API share: its kinds, and how they read it.
    ['ingress', 'http-route'],
    ['aliyun-alb', 'apisix', 'aws-alb', 'canary-ingress', 'contour', 'gateway-api', 'istio', 'kuma', 'traefik'],
    ['routers'],
    ['index'],
  ],
  lua: [
    ['types'],
    ['text'],
    // The interpreter owns the instructions: TypeScript inlines their numbers only within one file.
    ['syntax', 'vm'],
    ['compiler', 'library', 'convert'],
    ['load'],
    ['shipped'],
    ['engine'],
    ['index'],
  ],
  ktenv: [['api'], ['controller', 'requested', 'crds'], ['install', 'preview'], ['manifests', 'rules']],
  doctor: [
    ['kinds', 'last', 'difference', 'elapsed'],
    ['cluster'],
    ['conditions', 'declared', 'external', 'permissions', 'pods', 'question', 'releases'],
    ['progress', 'requests', 'release'],
    ['endless'],
    ['kruise', 'argo', 'ktenv'],
    ['examine', 'progress-of'],
    ['index'],
  ],
  report: [
    ['escape'],
    ['reporter', 'source-line'],
    ['*'],
    ['rehearsal', 'test-results', 'doctor'],
    ['upgrade'],
    ['environment-preview-html', 'diff', 'watch'],
    ['index'],
    ['files'],
  ],
  cli: [
    ['*'],
    ['cache', 'cluster', 'parallel'],
    ['check', 'diff', 'doctor', 'export', 'init', 'krm', 'report', 'test', 'watch'],
    ['commands'],
    ['main'],
  ],
  import: [
    ['code', 'difference'],
    ['evaluate', 'statement', 'typescript'],
    ['recognise', 'resources', 'names'],
    ['plan'],
    ['suppressions'],
    ['program'],
    ['index'],
  ],
  playground: [['limits', 'names', 'style'], ['answer', 'page'], ['marks', 'messages', 'share'], ['browser']],
};

/** The part of a file in its room, and how high it is. */
function partOf(room: string, file: string): { readonly part: string; readonly layer: number } | undefined {
  const name = file.slice(room.length + 1).replace(/(\/index)?\.ts$/, '');
  const fits = (part: string) => (part === '*' ? !name.includes('/') : name === part || name.startsWith(`${part}/`));
  const parts = LAYERS[room]!.flatMap((layer, height) => layer.map((part) => ({ part, layer: height })));
  // `*` is shorter than every name.
  return parts.filter(({ part }) => fits(part)).sort((a, b) => b.part.length - a.part.length)[0];
}

function inSrc(path: string): string {
  return relative(SRC, path).split(sep).join('/');
}

/** The file of src that an import leads to. */
function fileOf({ file, target }: Import): string | undefined {
  if (!target.startsWith('.')) return undefined;
  const path = resolve(ROOT, dirname(file), target);
  const found = [`${path}.ts`, join(path, 'index.ts'), path].find((one) => files.includes(one));
  return found === undefined ? undefined : inSrc(found);
}

function wrongLayer(each: Import): string | undefined {
  const from = inSrc(join(ROOT, each.file));
  const to = fileOf(each);
  const room = from.split('/')[0]!;
  if (to === undefined || LAYERS[room] === undefined || !to.startsWith(`${room}/`)) return undefined;
  const [a, b] = [partOf(room, from), partOf(room, to)];
  if (a === undefined || b === undefined || a.part === b.part || b.layer < a.layer) return undefined;
  return `${each.file}:${each.line}: ${a.part} may not import ${b.part} (${each.target})`;
}

/** Folders and files whose types refer to one another, so that their imports are a circle. No code runs in a circle. */
const CIRCLES: Readonly<Record<string, string>> = {
  'argo/alb/': 'a strategy has Ingresses, an Ingress has options, options have a strategy',
  'constructs/': 'checks report findings, and the report is typed by the props of checks',
  'kruise/scripts/': 'a ConfigMap holds scripts, and scripts are read from a ConfigMap',
  'lua/vm/': 'a value may be a function or a table, and both hold values',
  'release/': 'a moment has remarks, and a remark is about a moment',
  'routers/': 'a router declares kinds and candidates, which are typed by its requests',
  'validation/': 'the plugin loads the validation, which is typed by the plugin’s props',
};

/** The files that import themselves through others, types included. */
function circles(imports: readonly Import[]): string[] {
  const edges = new Map<string, Set<string>>();
  for (const each of imports) {
    const to = fileOf(each);
    const from = inSrc(join(ROOT, each.file));
    if (to !== undefined && to !== from) edges.set(from, (edges.get(from) ?? new Set()).add(to));
  }
  return [...edges.keys()].filter((file) => reachedFrom(file, edges).has(file)).sort();
}

function reachedFrom(file: string, edges: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>();
  const open = [file];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const to of edges.get(next) ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      open.push(to);
    }
  }
  return reached;
}

const all = files.flatMap(importsOf);

/** The names of Node that a file uses as a value or a type, and the modules of Node that it loads. */
function usesOfNode(file: string, text = readFileSync(file, 'utf8')): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const target = targetOf(node);
    const name = target?.startsWith('node:') ? target : ts.isIdentifier(node) && isFree(node) ? node.text : undefined;
    if (name !== undefined && (name === target || OF_NODE.has(name))) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${relative(ROOT, file)}:${line + 1}: ${name}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Whether a name is no member of something: `process`, and not `job.process`. */
function isFree(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  return !(ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isMethodDeclaration(parent));
}

describe('the architecture', () => {
  it('has a rule for every folder of src', () => {
    const folders = readdirSync(SRC, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    expect(folders.filter((folder) => MAY_IMPORT[folder] === undefined)).toEqual([]);
  });

  it('reads the imports of every kind', () => {
    expect(all.length).toBeGreaterThan(50);
    expect(all.some(({ file, target }) => file === 'src/core/world.ts' && target === './manifest')).toBe(true);
  });

  it('has arrows that point one way', () => {
    expect(all.flatMap((each) => violationOf(each) ?? [])).toEqual([]);
  });

  it.each([
    ['src/core/a.ts', '../lua', 'core may not import lua'],
    ['src/lua/vm/a.ts', '../../core', 'lua may not import core'],
    ['src/report/a.ts', '../kruise/api', 'report may not import kruise'],
    ['src/kruise/scripts/a.ts', '../../cli/io', 'kruise may not import cli'],
    ['src/cli/a.ts', '../constructs', 'cli may not import constructs'],
    ['src/core/a.ts', 'cdk8s', 'core may not load the package cdk8s'],
    ['src/constructs/a.ts', '@pulumi/pulumi/x', 'constructs may not load the package @pulumi/pulumi'],
    ['src/core/a.ts', '../../test/x', 'which is outside of src'],
  ])('would see %s import %s', (file, target, message) => {
    expect(violationOf({ file, line: 1, target })).toContain(message);
  });

  it('has a heart that runs where there is no Node', () => {
    const ofHeart = files.filter((file) => HEART.includes(folderOf(file)));
    expect(ofHeart.flatMap((file) => usesOfNode(file))).toEqual([]);
    // What the heart imports is of the heart, too: types alone may come from elsewhere, and none do.
    expect(HEART.flatMap((folder) => MAY_IMPORT[folder]!.filter((to) => !HEART.includes(to)))).toEqual([]);
  });

  it.each([
    ["import { join } from 'node:path';", 'node:path'],
    ["const fs = require('node:fs');", 'node:fs'],
    ["import type { Stats } from 'node:fs';", 'node:fs'],
    ['const here = __dirname;', '__dirname'],
    ["const bytes = Buffer.from('x');", 'Buffer'],
    ['let held: Buffer;', 'Buffer'],
    ['process.exit(1);', 'process'],
  ])('would see %s in it', (text, name) => {
    expect(usesOfNode(join(SRC, 'core', 'a.ts'), text)).toEqual([`src/core/a.ts:1: ${name}`]);
  });

  it.each(['job.process();', 'const a = { process: 1 };', '// Buffer'])('would not mind %s', (text) => {
    expect(usesOfNode(join(SRC, 'core', 'a.ts'), text)).toEqual([]);
  });

  it('has arrows that point one way within each room, too', () => {
    const unplaced = Object.keys(LAYERS).flatMap((room) =>
      files.map(inSrc).filter((file) => file.startsWith(`${room}/`) && partOf(room, file) === undefined),
    );
    expect(unplaced).toEqual([]);
    expect(all.flatMap((each) => wrongLayer(each) ?? [])).toEqual([]);
  });

  it.each([
    ['src/kruise/controller/a.ts', '../rules', 'controller may not import rules'],
    ['src/kruise/admission/a.ts', '../controller', 'admission may not import controller'],
    ['src/kruise/rules/a.ts', '../check', 'rules may not import check'],
    ['src/argo/controller/a.ts', '../rules', 'controller may not import rules'],
    ['src/doctor/kruise/a.ts', '../argo/rollout', 'kruise may not import argo'],
    ['src/routers/kuma/a.ts', '../istio', 'kuma may not import istio'],
    ['src/routers/ingress/a.ts', '../aws-alb', 'ingress may not import aws-alb'],
    ['src/routers/router.ts', './ingress/kinds', '* may not import ingress'],
    ['src/lua/vm/a.ts', '../compiler', 'vm may not import compiler'],
    ['src/lua/syntax/a.ts', '../vm/value', 'syntax may not import vm'],
    ['src/lua/library/a.ts', '../engine', 'library may not import engine'],
  ])('would see %s import %s within its room', (file, target, message) => {
    expect(wrongLayer({ file, line: 1, target })).toContain(message);
  });

  it('has no circles of imports but those that have a reason', () => {
    const known = Object.keys(CIRCLES);
    expect(circles(all).filter((file) => !known.some((folder) => file.startsWith(folder)))).toEqual([]);
  });

  it(`has no file of more than ${MAX_LINES} lines`, () => {
    const long = files
      .map((file) => ({ file: relative(ROOT, file), lines: readFileSync(file, 'utf8').trimEnd().split('\n').length }))
      .filter(({ lines }) => lines > MAX_LINES);
    expect(long).toEqual([]);
  });

  it.runIf(existsSync(join(SRC, 'constructs', 'index.ts')))(
    'loads neither Pulumi nor the Lua VM with the root export',
    () => {
      const script = `require(${JSON.stringify(join(SRC, 'constructs', 'index.ts'))});
      console.log(JSON.stringify(Object.keys(require.cache)));`;
      const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '-e', script], {
        cwd: ROOT,
        encoding: 'utf8',
      });
      expect(stderr.replace(/^\(node.*\n?/gm, '')).toBe('');
      const loaded: string[] = JSON.parse(stdout);
      expect(loaded.some((file) => file.includes(`${sep}cdk8s${sep}`))).toBe(true);
      expect(loaded.filter((file) => /[\\/](node_modules[\\/]@pulumi|lua[\\/]vm)[\\/]/.test(file))).toEqual([]);
    },
  );
});
