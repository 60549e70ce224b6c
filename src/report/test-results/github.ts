import { sha256Hex } from '../../core/sha256';
import { coveragePercent, type ScriptResult, type TestReport } from '../../core/test-result';
import { githubCommand } from '../escape';
import { githubFinding } from '../github';
import { belowThreshold } from './coverage';
import { stepLines } from './difference';
import { pretty } from './pretty';
import type { TestReportContext } from './reporter';

/** For GitHub Actions: the output of `pretty`, and an annotation at the file and line of every failure. */
export function github(report: TestReport, context: TestReportContext): string {
  const commands = report.scripts.flatMap((script) => [
    ...problems(script),
    ...steps(script),
    ...script.findings.map(githubFinding),
    ...coverage(script, report),
  ]);
  return [withoutCommands(pretty(report, context)), ...commands.map((command) => `${command}\n`)].join('');
}

/**
 * The runner reads every line that starts with `::` or `##[` as a command, even one from a script or an annotation. The word
 * that ends the pause is a hash of the text, so the text cannot contain it.
 */
function withoutCommands(text: string): string {
  if (!/^\s*(::|##\[)/m.test(text)) return text;
  const token = sha256Hex(text);
  return `::stop-commands::${token}\n${text}::${token}::\n`;
}

function problems({ name, problem }: ScriptResult): string[] {
  if (problem === undefined) return [];
  const { file, line, column } = problem.source;
  return [githubCommand('error', { file, line, col: column, title: name }, problem.message)];
}

function steps(script: ScriptResult): string[] {
  return script.cases.flatMap((testCase) =>
    testCase.steps.flatMap((step) => {
      const { file, line, column } = step.source ?? { file: testCase.file, line: 1, column: 1 };
      const place = { file, line, col: column, title: `${script.name}: ${testCase.name} > ${step.name}` };
      const failed =
        step.status === 'failed' ? [githubCommand('error', place, stepLines(step).join('\n') || 'failed')] : [];
      return step.warning === undefined ? failed : [...failed, githubCommand('warning', place, step.warning)];
    }),
  );
}

function coverage({ name, file, coverage }: ScriptResult, { coverageThreshold }: TestReport): string[] {
  if (coverage === undefined || coveragePercent(coverage) >= (coverageThreshold ?? 0)) return [];
  const line = coverage.uncovered[0]?.first;
  const message = belowThreshold(coverage, coverageThreshold);
  return [githubCommand('error', { file, line, title: `${name}: coverage` }, message)];
}
