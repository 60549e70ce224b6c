/** Reports of a checkup of a cluster: a checklist of what was examined, then the findings. */
import type { Checkup, CheckupItem, CheckupStatus } from '../core/checkup';
import type { Finding } from '../core/finding';
import { escapeCommands, escapeJson, escapeMarkdown, escapeTerminalLine, markdownCode } from './escape';
import { json as findingsJson } from './json';
import { markdown as findingsMarkdown } from './markdown';
import { pretty as findingsPretty } from './pretty';
import { countFindings, type ReportContext } from './reporter';

/** Writes a checkup in one format. */
export type CheckupReporter = (checkup: Checkup, findings: readonly Finding[], context: ReportContext) => string;

/** The number of questions with each answer. */
export type CheckupCounts = { readonly [status in CheckupStatus]: number };

/** Counts the answers, including what could not be read. */
export function countItems({ sections }: Checkup): CheckupCounts {
  const counts = { ok: 0, problem: 0, unknown: 0, 'not-applicable': 0 };
  for (const { items } of sections) for (const { status } of items) counts[status]++;
  return counts;
}

/** `2 problems, 1 question open, 14 answered well` */
function checkupSummary(checkup: Checkup): string {
  const { ok, problem, unknown } = countItems(checkup);
  if (ok + problem + unknown === 0) return 'the cluster has no objects of Kruise Rollouts, Argo Rollouts or KtEnv';
  const parts = [
    ...(problem === 0 ? [] : [`${problem} problem${problem === 1 ? '' : 's'}`]),
    ...(unknown === 0 ? [] : [`${unknown} question${unknown === 1 ? '' : 's'} open`]),
    `${ok} answered well`,
  ];
  return parts.join(', ');
}

const MARKS: Readonly<
  Record<CheckupStatus, { readonly mark: string; readonly ascii: string; readonly color: number }>
> = {
  ok: { mark: '✓', ascii: 'ok', color: 32 },
  problem: { mark: '✗', ascii: 'x', color: 31 },
  unknown: { mark: '?', ascii: '?', color: 33 },
  'not-applicable': { mark: '-', ascii: '-', color: 2 },
};

const RESETS: Readonly<Record<number, number>> = { 1: 22, 2: 22 };

/** Above this number, examined objects are only counted. */
const LOOKED_SHOWN = 4;

/** For a terminal. */
function pretty(checkup: Checkup, findings: readonly Finding[], context: ReportContext): string {
  const paint = (code: number, text: string) =>
    context.color ? `\u001b[${code}m${text}\u001b[${RESETS[code] ?? 39}m` : text;
  const block = ({ question, status, answer, looked, details = [], fix, permission }: CheckupItem): string[] => {
    const { mark, ascii, color } = MARKS[status];
    const sign = context.ascii ? ascii.padEnd(2) : mark;
    const indent = ' '.repeat(sign.length + 3);
    return [
      `  ${paint(color, sign)} ${safe(question)}`,
      `${indent}${status === 'problem' ? paint(1, safe(answer)) : safe(answer)}`,
      ...details.map((line) => `${indent}  ${diffPainted(safe(line), paint)}`),
      ...(fix === undefined ? [] : [`${indent}${paint(1, 'fix:')} ${safe(fix)}`]),
      ...(permission === undefined ? [] : [`${indent}${paint(1, 'needs:')} ${safe(permission)}`]),
      ...(looked.length === 0 ? [] : [paint(2, `${indent}looked at: ${safe(shortList(looked))}`)]),
    ];
  };
  const sections = checkup.sections.map(
    ({ title, items }) => `${paint(1, safe(title))}\n${items.flatMap(block).join('\n')}\n\n`,
  );
  const { problem, unknown } = countItems(checkup);
  const verdict = paint(problem > 0 ? 31 : unknown > 0 ? 33 : 32, checkupSummary(checkup));
  const text = `${safe(checkup.from)}\n\n${sections.join('')}${verdict}\n\n`;
  return `${escapeCommands(text)}${findingsPretty(findings, context)}`;
}

function diffPainted(line: string, paint: (code: number, text: string) => string): string {
  if (/^\s*- /.test(line)) return paint(31, line);
  return /^\s*\+ /.test(line) ? paint(32, line) : line;
}

function shortList(looked: readonly string[]): string {
  const more = looked.length - LOOKED_SHOWN;
  return more <= 0 ? looked.join(', ') : `${looked.slice(0, LOOKED_SHOWN).join(', ')} and ${more} more`;
}

function safe(text: string): string {
  return escapeTerminalLine(text);
}

/** For other tools. Later versions only add fields. */
function json(checkup: Checkup, findings: readonly Finding[], context: ReportContext): string {
  const { ok: _ok, ...report } = JSON.parse(findingsJson(findings, context));
  const questions = countItems(checkup);
  const ok = questions.problem === 0 && countFindings(findings, context).errors === 0;
  const { from, sections } = checkup;
  return `${escapeJson(JSON.stringify({ ok, from, questions, sections, ...report }, null, 2))}\n`;
}

/** For a ticket or a comment. */
function markdown(checkup: Checkup, findings: readonly Finding[], context: ReportContext): string {
  const item = ({ question, status, answer, looked, details = [], fix, permission }: CheckupItem): string => {
    const word = status === 'not-applicable' ? 'n/a' : status;
    const lines = [
      `- **${word}** ${escapeMarkdown(question)} ${escapeMarkdown(answer)}`,
      ...(fix === undefined ? [] : [`  - fix: ${escapeMarkdown(fix)}`]),
      ...(permission === undefined ? [] : [`  - needs: ${markdownCode(permission)}`]),
      ...(looked.length === 0 ? [] : [`  - looked at: ${looked.map(markdownCode).join(', ')}`]),
      ...details.map((line) => `  - ${markdownCode(line)}`),
    ];
    return lines.join('\n');
  };
  const sections = checkup.sections.map(
    ({ title, items }) => `### ${escapeMarkdown(title)}\n\n${items.map(item).join('\n')}\n`,
  );
  const title = `## ${escapeMarkdown(checkupSummary(checkup))}\n\n${escapeMarkdown(checkup.from)}\n`;
  return `${[title, ...sections, findingsMarkdown(findings, context)].join('\n')}`;
}

/** The formats in which a checkup is reported, by name. */
export const checkupReporters = { pretty, json, markdown } as const satisfies Record<string, CheckupReporter>;
