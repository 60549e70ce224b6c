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
  argo: ['core', 'kubernetes', 'release', 'routers', 'aws'],
  routers: ['core', 'lua'],
  rehearsal: ['core', 'lua', 'release', 'kruise', 'argo', 'routers'],
  check: ['core', 'release', 'kruise', 'argo', 'ktenv', 'routers', 'rehearsal'],
  doctor: ['core', 'release', 'kruise', 'argo', 'aws', 'ktenv', 'routers', 'rehearsal', 'check'],
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
    'validation',
  ],
  // The plugin does what the command `check` does, with the same configuration.
  validation: ['core', 'rehearsal', 'check', 'report', 'cli'],
  pulumi: ['core', 'kubernetes', 'lua', 'kruise', 'argo', 'aws', 'ktenv', 'routers', 'rehearsal', 'check', 'report'],
  // The rules of every system, with the options of the command line; of the components only what is no component.
  policy: ['core', 'kruise', 'argo', 'check', 'report', 'cli', 'pulumi'],
  cli: ['core', 'lua', 'kruise', 'argo', 'aws', 'ktenv', 'routers', 'rehearsal', 'check', 'doctor', 'report'],
};

/** Packages that only some folders may load; what is not listed here is for nobody. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  yaml: ['core', 'kruise', 'report', 'cli'],
  fengari: ['lua'],
  // Only its types: a configuration in TypeScript is compiled with what the project has.
  typescript: ['cli'],
  cdk8s: ['constructs', 'validation'],
  constructs: ['constructs'],
  '@pulumi/pulumi': ['pulumi'],
  '@pulumi/kubernetes': ['pulumi'],
  '@pulumi/aws': ['pulumi'],
  // Only by doctor, and only when it asks a cluster.
  '@kubernetes/client-node': ['cli'],
  // Only its types: policies are plain objects.
  '@pulumi/policy': ['policy'],
};

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

const all = files.flatMap(importsOf);

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
      expect(loaded.filter((file) => /node_modules[\\/](@pulumi|fengari)[\\/]/.test(file))).toEqual([]);
    },
  );
});
