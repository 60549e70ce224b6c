/** Imported programs as a user has them: compiled with the real compiler against this package, in a folder of their own. */
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { Manifest, parseManifests } from '../../src/core';
import type { Json } from '../../src/core/json';
import { compared } from '../../src/import';

const ROOT = join(__dirname, '..', '..');

/** What a program needs beside it. */
const PACKAGES = ['@pulumi', '@types', 'cdk8s', 'constructs'];

/** A folder with each program in a folder of its own, `<name>/main.ts`, and with the packages that programs import. */
export function projectOf(programs: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-constructs-import-'));
  mkdirSync(join(folder, 'node_modules'));
  for (const name of PACKAGES)
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), 'junction');
  symlinkSync(ROOT, join(folder, 'node_modules', 'rollout-constructs'), 'junction');
  for (const [name, text] of Object.entries(programs)) {
    mkdirSync(dirname(join(folder, name, 'main.ts')), { recursive: true });
    writeFileSync(join(folder, name, 'main.ts'), text);
  }
  return folder;
}

/** Compiles the programs of a folder to JavaScript beside them; gives what the compiler complains about. */
export function compile(folder: string, names: readonly string[]): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noUnusedLocals: true,
    exactOptionalPropertyTypes: false,
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    target: ts.ScriptTarget.ES2022,
    skipLibCheck: true,
    types: ['node'],
    typeRoots: [join(folder, 'node_modules', '@types')],
  };
  const files = names.map((name) => join(folder, name, 'main.ts'));
  const host = ts.createCompilerHost(options);
  // As tsc has it: the types of the packages are half doc comments.
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseForTypeErrors;
  const program = ts.createProgram(files, options, host);
  const { diagnostics } = program.emit(undefined, undefined, undefined, false);
  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ file, messageText }) => {
    return `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

/** The manifests of a text. */
export function manifestsOf(text: string, name = 'input.yaml'): readonly Manifest[] {
  const { manifests, findings } = parseManifests(text, name);
  const broken = findings.filter(({ severity }) => severity === 'error');
  if (broken.length > 0) throw new Error(broken.map(({ message }) => message).join('; '));
  return manifests;
}

/** What differs between the objects of an input and those that were written, object by object. */
export function differencesBetween(input: readonly Manifest[], written: readonly object[]) {
  return compared([...input, UNRELATED], [...written, UNRELATED.object] as Json[]);
}

/** With two objects or more, the comparison is by name. */
const UNRELATED = Manifest.of({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'unrelated' } });
