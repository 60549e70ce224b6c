import type { TestReport } from '../../core/test-result';
import { scriptStore } from '../../files/cache/script-store';
import { toAbsolute, toDisplay, writeAtomically } from '../../files/paths';
import { type TestedScript, testScript } from '../../files/scripts/script-tester';
import { type SelectedScript, selectScripts } from '../../files/scripts/selection';
import { ScriptLibraryError } from '../../kruise/scripts/script-folder';
import { caseName } from '../../kruise/scripts/testdata';
import { testReporters } from '../../report/test-results';
import { UserError } from '../../settings/user-error';
import { type Io, styleOf, write } from '../io';
import type { TestCommandOptions } from './options';
import { Progress } from './progress';

/** The scripts at the path of the command line; unusable ones are a `UserError`. */
export function scriptsAt(path: string, io: Io) {
  try {
    return selectScripts(toAbsolute(io, path));
  } catch (error) {
    if (!(error instanceof ScriptLibraryError)) throw error;
    const message = error.message.replaceAll(toAbsolute(io, path), path);
    throw new UserError(message, 'rollout-constructs test --help shows the layout');
  }
}

/** The scripts and cases that the filter lets through: it sees `<script> > <case>` and the file's path. */
export function filtered(
  scripts: readonly SelectedScript[],
  { filter }: TestCommandOptions,
  io: Io,
): readonly SelectedScript[] {
  if (filter === undefined) return scripts;
  const wanted = (script: SelectedScript) => (file: string) =>
    filter(`${script.name} > ${caseName(file)}`) || filter(toDisplay(io, file));
  return scripts
    .map((script) => ({ ...script, cases: script.cases.filter(wanted(script)) }))
    .filter(({ cases }) => cases.length > 0);
}

/** Tests scripts one after the other. */
export async function runTests(
  scripts: readonly SelectedScript[],
  options: TestCommandOptions,
  io: Io,
): Promise<TestedScript[]> {
  const selected = filtered(scripts, options, io);
  const progress = new Progress(
    io,
    selected.reduce((sum, { cases }) => sum + cases.length, 0),
  );
  const tested: TestedScript[] = [];
  const store = scriptStore(io, options.noCache);
  for (const script of selected) {
    const tests = testScript(script, {
      version: options.version,
      coverage: options.coverage,
      checks: options.checks,
      ...(store && { store }),
      display: (file) => toDisplay(io, file),
      beforeCase: () => progress.next(),
    });
    tested.push(await tests);
  }
  await progress.end();
  return tested;
}

/** What a run makes of the report: on stdout in the format that was asked for, or in a file and then readable on stdout. */
export async function writeReport(
  tested: readonly TestedScript[],
  options: TestCommandOptions,
  io: Io,
): Promise<TestReport> {
  const { coverageThreshold } = options;
  const report: TestReport = {
    scripts: tested.map(({ result }) => result),
    ...(coverageThreshold === undefined ? {} : { coverageThreshold }),
  };
  const sources = new Map(tested.map(({ script, result }) => [result.file, script.source]));
  const style = { ...styleOf(io, options.noColor), sources };
  if (options.output === undefined) {
    await write(io.stdout, testReporters[options.reporter](report, style));
  } else {
    writeAtomically(
      toAbsolute(io, options.output),
      testReporters[options.reporter](report, { color: false, ascii: false }),
      options.output,
    );
    await write(io.stdout, testReporters.pretty(report, style));
  }
  return report;
}
