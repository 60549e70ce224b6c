/** Tests scripts with their testdata. */
import { readFileSync } from 'node:fs';
import type { Finding } from '../../core/finding';
import type { FindingStore } from '../../core/finding-store';
import { compact } from '../../core/json';
import type { CaseResult, ScriptResult } from '../../core/test-result';
import { type PlayedStep, runCase, unusableCase } from '../../kruise/scripts/case-runner';
import { checkScriptWith } from '../../kruise/scripts/checks/kept';
import { withoutAccepted } from '../../kruise/scripts/checks/suppressed';
import { CoverageRecorder } from '../../kruise/scripts/coverage';
import type { LibraryScript, RoutingScript } from '../../kruise/scripts/library';
import { caseName, readTestdata, type Testdata } from '../../kruise/scripts/testdata';
import type { KruiseRolloutVersion } from '../../kruise/version';
import { compileLua, type LuaScript } from '../../lua';
import type { SelectedScript } from './selection';

/** Options for testing scripts. */
export interface ScriptTestOptions {
  readonly version: KruiseRolloutVersion;
  /** @default false */
  readonly coverage?: boolean;
  /**
   * Whether to check the script itself too, with all of its testdata.
   * @default false
   */
  readonly checks?: boolean;
  /**
   * Caches the findings of a script.
   * @default - no cache
   */
  readonly store?: FindingStore;
  /** The name of a file in messages. */
  readonly display: (file: string) => string;
  /** Called before each case, so that a long run can show progress and be interrupted. */
  readonly beforeCase?: () => Promise<void>;
}

/** A case that was run, with the data that `--update` needs. */
export interface TestedCase {
  readonly file: string;
  readonly text: string;
  readonly testdata: Testdata;
  readonly played: readonly PlayedStep[];
  readonly result: CaseResult;
}

/** A script that was tested. */
export interface TestedScript {
  readonly script: LibraryScript;
  readonly result: ScriptResult;
  /** The cases that could be run. */
  readonly cases: readonly TestedCase[];
}

/** Runs all or the selected cases of one script. Invalid testdata is a failed step, never an exception. */
export async function testScript(
  script: LibraryScript | SelectedScript,
  options: ScriptTestOptions,
): Promise<TestedScript> {
  const compiled = compileLua(script.source);
  const recorder = options.coverage ? new CoverageRecorder() : undefined;
  const results: CaseResult[] = [];
  const cases: TestedCase[] = [];
  for (const file of 'cases' in script ? script.cases : script.testdata) {
    await options.beforeCase?.();
    const outcome = testCase(script, compiled, file, options, recorder);
    if ('played' in outcome) cases.push(outcome);
    results.push('played' in outcome ? outcome.result : outcome);
  }
  const { name } = script;
  const file = options.display(script.file);
  const findings = options.checks ? withoutAccepted(checkWithTestdata(script, options)) : [];
  const coverage = recorder?.coverage(script.source);
  return {
    script,
    cases,
    result: compact({ name, file, problem: problemOf(compiled, file, findings), cases: results, findings, coverage }),
  };
}

/** A finding of the checks already reports a script that does not parse, with more detail. */
function problemOf({ syntaxError }: LuaScript, file: string, findings: readonly Finding[]): ScriptResult['problem'] {
  if (syntaxError === undefined || findings.some(({ severity }) => severity === 'error')) return undefined;
  const source = { file, line: syntaxError.line ?? 1, column: syntaxError.column ?? 1 };
  return { message: `the script does not parse: ${syntaxError.error.trimEnd()}`, source };
}

/** Checks a script with all testdata that can be read: the check would report cases that are not selected as missing. */
export function checkWithTestdata(
  { source, target, testdata, file }: RoutingScript,
  { version, display, store }: Pick<ScriptTestOptions, 'version' | 'display' | 'store'>,
): readonly Finding[] {
  const cases = testdata?.flatMap((each) => {
    const text = readText(each);
    return typeof text === 'string' ? (readTestdata(text, display(each), target).testdata ?? []) : [];
  });
  return checkScriptWith(store, { source, target, file: display(file), testdata: cases, version });
}

/** Runs one testdata file; returns only the result if the file cannot be run. */
export function testCase(
  script: RoutingScript,
  compiled: LuaScript,
  file: string,
  options: Pick<ScriptTestOptions, 'version' | 'display'>,
  recorder?: CoverageRecorder,
): TestedCase | CaseResult {
  const shown = options.display(file);
  const name = caseName(file);
  if (compiled.syntaxError) {
    return {
      file: shown,
      name,
      steps: [{ name: 'script', status: 'skipped', message: 'the script does not parse', differences: [] }],
    };
  }
  const text = readText(file);
  if (typeof text !== 'string')
    return unusableCase(shown, name, [{ message: text.error, source: { file: shown, line: 1, column: 1 } }]);
  const read = readTestdata(text, shown, script.target);
  if (read.problems) return unusableCase(shown, name, read.problems);
  const { result, played } = runCase(read.testdata, {
    target: script.target,
    script: compiled,
    scriptFile: options.display(script.file),
    version: options.version,
    runOptions: recorder && { onLine: recorder.onLine },
  });
  return { file, text, testdata: read.testdata, played, result };
}

/** The text of a file, or the error. */
export function readText(file: string): string | { readonly error: string } {
  try {
    return readFileSync(file, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    return { error: `cannot be read: ${(error as Error).message}` };
  }
}
