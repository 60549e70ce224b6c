import { join, relative, sep } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const ROOT = join(__dirname, '..');
const FINDING = 'src/core/finding.ts';
const TEXTS: ReadonlySet<string> = new Set(['message', 'because', 'fix']);

/** Code that makes findings, or shows them to people. */
const MAY_READ = [
  FINDING,
  'src/core/rule.ts',
  'src/report/',
  // Makes findings of what a release remarks.
  'src/rehearsal/remarks.ts',
  // Answers a question with the remark at which a release stops.
  'src/doctor/release.ts',
];

/** Code that shows findings to people in its own form. Each calls `findingTexts`. */
const SHOWS_TEXTS = [
  'src/argo/alb/problems.ts',
  'src/cli/cluster/dumps.ts',
  'src/cli/commands/diff.ts',
  'src/cli/commands/import.ts',
  'src/cli/commands/rehearse.ts',
  'src/cli/commands/route.ts',
  'src/cli/commands/upgrade.ts',
  'src/doctor/endless.ts',
  'src/doctor/kruise/rollout.ts',
  'src/files/cluster-scripts.ts',
  'src/import/recognise/argo-alb.ts',
  'src/import/recognise/kruise-rollout.ts',
  'src/playground/answer.ts',
  'src/policy/violation.ts',
  'src/synthesis/synthesise.ts',
  'src/validation/violations.ts',
];

interface Read {
  readonly file: string;
  readonly line: number;
  readonly name: string;
}

/** Every place that reads a text of a Finding, whatever the variable is called and however its type is derived. */
function readsOfTexts(program: ts.Program, names: ReadonlySet<string>): Read[] {
  const checker = program.getTypeChecker();
  const isDeclaredInFinding = (symbol: ts.Symbol | undefined) =>
    symbol?.declarations?.some((one) => ts.isPropertySignature(one) && one.getSourceFile().fileName.endsWith(FINDING));
  const symbolAt = (node: ts.Node): ts.Symbol | undefined => {
    if (ts.isPropertyAccessExpression(node) && names.has(node.name.text)) return checker.getSymbolAtLocation(node.name);
    if (ts.isElementAccessExpression(node) && ts.isStringLiteral(node.argumentExpression)) {
      const { text } = node.argumentExpression;
      return names.has(text) ? checker.getTypeAtLocation(node.expression).getProperty(text) : undefined;
    }
    if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return undefined;
    const key = node.propertyName ?? node.name;
    if (!ts.isIdentifier(key) || !names.has(key.text)) return undefined;
    return checker.getTypeAtLocation(node.parent).getProperty(key.text);
  };
  return program.getSourceFiles().flatMap((source) => {
    const file = relative(ROOT, source.fileName).split(sep).join('/');
    if (!file.startsWith('src/')) return [];
    const found: Read[] = [];
    const visit = (node: ts.Node): void => {
      const symbol = symbolAt(node);
      if (symbol !== undefined && isDeclaredInFinding(symbol) === true) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.push({ file, line: line + 1, name: symbol.name });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });
}

function programOf(more: Readonly<Record<string, string>>): ts.Program {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const host = ts.createCompilerHost(options);
  // The types of the packages are half doc comments.
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
  const { getSourceFile, fileExists, readFile } = host;
  const textOf = (name: string) => more[relative(ROOT, name).split(sep).join('/')];
  host.fileExists = (name) => textOf(name) !== undefined || fileExists(name);
  host.readFile = (name) => textOf(name) ?? readFile(name);
  host.getSourceFile = (name, version) => {
    const text = textOf(name);
    return text === undefined ? getSourceFile(name, version) : ts.createSourceFile(name, text, version, true);
  };
  const added = Object.keys(more).map((name) => join(ROOT, name));
  return ts.createProgram([...fileNames, ...added], { ...options, noEmit: true }, host);
}

describe('findings', () => {
  const trap = `
    import { type Finding, type ManifestFindingDetails, findingTexts } from './core';
    const a = (finding: Finding) => finding.message.includes('no');
    const b = ({ because: why }: Pick<Finding, 'because'>) => why;
    const c = (findings: readonly Finding[]) => findings.map(({ fix }) => fix);
    const d = (finding: Finding) => finding.related?.message;
    const e = (details: ManifestFindingDetails) => details['message'];
    const f = (error: Error) => error.message;
    export const all = [a, b, c, d, e, f, findingTexts];
  `;
  const program = programOf({ 'src/trap.ts': trap });
  const reads = readsOfTexts(program, TEXTS);

  it('are seen when code reads their texts', () => {
    const seen = reads.filter(({ file }) => file === 'src/trap.ts').map(({ line }) => line);
    expect(seen).toEqual([3, 4, 5, 6, 7]);
  });

  it('are never judged by their texts outside of reports', () => {
    const wrong = reads.filter(
      ({ file }) => file !== 'src/trap.ts' && !MAY_READ.some((allowed) => file.startsWith(allowed)),
    );
    expect(wrong).toEqual([]);
  });

  it('are shown by few others', () => {
    const calls = program
      .getSourceFiles()
      .filter(({ text }) => /\bfindingTexts\b[^;]*from '[./]*core(\/finding)?'/.test(text))
      .map(({ fileName }) => relative(ROOT, fileName).split(sep).join('/'));
    expect(calls.filter((file) => file.startsWith('src/') && file !== 'src/trap.ts').sort()).toEqual(SHOWS_TEXTS);
  });
}, 120_000);
