import { join, relative } from 'node:path';
import ts from 'typescript';
import { type Block, ROOT } from './pages';

/** A block as a module: what it takes for granted stands before it. */
export interface Module {
  readonly block: Block;
  /** Beside the page, so that a relative import means what it would there. */
  readonly path: string;
  readonly source: string;
  /** How many lines stand before those of the block. */
  readonly before: number;
}

const SETTING = join(ROOT, 'test', 'docs', 'setting');
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts'],
  module: ts.ModuleKind.CommonJS,
  moduleResolution: ts.ModuleResolutionKind.Node10,
  esModuleInterop: true,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  resolveJsonModule: true,
  types: ['node'],
  baseUrl: ROOT,
  paths: {
    'rollout-constructs': ['src/constructs'],
    'rollout-constructs/policy': ['src/policy'],
    'rollout-constructs/*': ['src/*'],
  },
};

/** The names that a source uses and does not declare itself. */
function namesIn(source: string): { readonly used: ReadonlySet<string>; readonly declared: ReadonlySet<string> } {
  const used = new Set<string>();
  const declared = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) {
      const { parent } = node;
      const isName =
        (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
        (ts.isPropertyAssignment(parent) && parent.name === node);
      if (!isName) used.add(node.text);
      if (
        (ts.isVariableDeclaration(parent) || ts.isParameter(parent) || ts.isBindingElement(parent)) &&
        parent.name === node
      ) {
        declared.add(node.text);
      }
      if (
        (ts.isImportSpecifier(parent) || ts.isFunctionDeclaration(parent) || ts.isClassDeclaration(parent)) &&
        parent.name === node
      ) {
        declared.add(node.text);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('block.ts', source, ts.ScriptTarget.ES2022, true));
  return { used, declared };
}

/** What a block without imports may name: the exports of the library and of cdk8s, and the members of its setting. */
export interface Known {
  readonly exports: ReadonlyMap<string, readonly string[]>;
  settingOf(page: string): { readonly key: string; readonly members: readonly string[] };
}

/** The module of a block. */
export function moduleOf(block: Block, index: number, known: Known): Module {
  const { page, fragment } = block;
  // What doc comments call `this` is the chart around them.
  const text = page.startsWith('docs/reference/') ? block.text.replaceAll(/\bthis\b/g, 'chart') : block.text;
  const code = fragment
    ? `import type { ${fragment} } from 'rollout-constructs';\nexport const fragment: Partial<${fragment}> = {\n${text}};\n`
    : text;
  const { used, declared } = namesIn(code);
  const missing = [...used].filter((name) => !declared.has(name));
  const taken = new Set<string>();
  const take = (names: readonly string[]) => {
    const some = missing.filter((name) => names.includes(name) && !taken.has(name));
    for (const name of some) taken.add(name);
    return some;
  };
  const lines: string[] = [];
  const { key, members } = known.settingOf(page);
  const given = take(members);
  const hasImports = /^import /m.test(text);
  if (!hasImports) {
    for (const [library, names] of known.exports) {
      const imported = take(names);
      if (imported.length > 0) lines.push(`import { ${imported.join(', ')} } from '${library}';`);
    }
  }
  if (given.length > 0) {
    lines.push(`import { settings } from '${relative(join(ROOT, 'docs'), SETTING)}';`);
    lines.push(`const { ${given.join(', ')} } = new settings['${key}']();`);
  }
  const source = `${lines.map((line) => `${line}\n`).join('')}${code}export {};\n`;
  return { block, path: join(ROOT, 'docs', `block-${index}.ts`), source, before: lines.length + (fragment ? 2 : 0) };
}

/** A compiler for all modules at once. */
export class Compiler {
  private readonly sources: ReadonlyMap<string, string>;
  private readonly program: ts.Program;

  constructor(readonly modules: readonly Module[]) {
    this.sources = new Map(modules.map(({ path, source }) => [path, source]));
    const host = ts.createCompilerHost(OPTIONS);
    // As tsc has it: the types of the packages are half doc comments.
    host.jsDocParsingMode = ts.JSDocParsingMode.ParseForTypeErrors;
    const { readFile, fileExists } = host;
    host.readFile = (path) => this.sources.get(path) ?? readFile(path);
    host.fileExists = (path) => this.sources.has(path) || fileExists(path);
    this.program = ts.createProgram([...this.sources.keys()], OPTIONS, host);
  }

  /** What is wrong with a block, with the line of its page. */
  errorsOf({ block, path, before }: Module): string[] {
    const file = this.program.getSourceFile(path)!;
    const [page, first] = block.place.split(':');
    return [...this.program.getSyntacticDiagnostics(file), ...this.program.getSemanticDiagnostics(file)].map(
      ({ start = 0, messageText }) => {
        const line = Number(first) + 1 + file.getLineAndCharacterOfPosition(start).line - before;
        return `${page}:${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
      },
    );
  }
}

/** A module as JavaScript. */
export function emit({ source }: Module): string {
  const { module, target, esModuleInterop } = OPTIONS;
  return ts.transpileModule(source, { compilerOptions: { module, target, esModuleInterop } }).outputText;
}
