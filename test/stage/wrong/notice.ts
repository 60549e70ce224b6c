/** Makes each wrong change in a copy of the sources, and counts the labs whose recordings notice it. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { WRONG_CHANGES, type WrongChange } from './changes';

const ROOT = resolve(__dirname, '../../..');

/** Not sources, or large. */
const NOT_COPIED = ['.git', 'node_modules', 'lib', 'dist', 'docs'];

/** The file of a change with the change. Throws an error where its text is not there exactly once. */
export function changed({ name, file, from, to }: WrongChange, root = ROOT): { path: string; text: string } {
  const path = join(root, 'src', file);
  const parts = readFileSync(path, 'utf8').split(from);
  if (parts.length !== 2) throw new Error(`"${name}": src/${file} has its text ${parts.length - 1} times, not once`);
  return { path, text: parts.join(to) };
}

/** Prints a table row per change. Gives 1 when a change is not noticed. */
export function noticeAll(print: (line: string) => void): number {
  const copy = mkdtempSync(join(tmpdir(), 'wrong-'));
  for (const name of readdirSync(ROOT)) {
    if (!NOT_COPIED.includes(name)) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  print('| wrong change | played by | labs that notice it |\n|---|---|---|');
  let code = 0;
  for (const change of WRONG_CHANGES) {
    const before = readFileSync(join(copy, 'src', change.file), 'utf8');
    const { path, text } = changed(change, copy);
    writeFileSync(path, text);
    const labs = noticed(copy, change.program);
    writeFileSync(path, before);
    print(`| ${change.name} | ${change.program} | ${labs} |`);
    if (labs === 0) code = 1;
  }
  rmSync(copy, { recursive: true, force: true });
  return code;
}

function noticed(copy: string, program: string): number {
  const suite = program.split('@').map((part) => `'${part.replaceAll('.', '\\.')}'`);
  const report = join(copy, 'report.json');
  spawnSync(
    process.execPath,
    [
      join(copy, 'node_modules/vitest/vitest.mjs'),
      'run',
      'test/stage/recordings.test.ts',
      '-t',
      suite.join('@'),
      '--reporter=json',
      `--outputFile=${report}`,
    ],
    { cwd: copy, stdio: 'ignore' },
  );
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(report);
  const tests: readonly { status: string; title: string }[] = testResults[0].assertionResults;
  if (!tests.some(({ status }) => status !== 'skipped')) throw new Error(`no test ran: ${testResults[0].message}`);
  return new Set(tests.filter(({ status }) => status === 'failed').map(({ title }) => title)).size;
}
