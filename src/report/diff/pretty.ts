import { counted } from '../../core/counted';
import type { DiffedCell, MergeEffect, ReleaseDiff, ReleaseRemark, StackDiff } from '../../core/stack-diff';
import { escapeCommands, escapeTerminalLine } from '../escape';
import { prettyFinding } from '../pretty';
import { cellText } from '../rehearsal/cell';
import { columnLetter } from '../rehearsal/reporter';
import { objectNameOf, subjectOf } from '../reporter';
import { changedColumns, changedRows, type DiffContext, mergeSummary, momentTitle, summaryOf } from './reporter';

const DEFAULT_WIDTH = 100;
const LONGEST_TITLE = 44;

/** For a terminal: what a merge does, then the releases that differ, then findings. */
export function pretty(diff: StackDiff, context: DiffContext): string {
  const { base, head, effects, releases } = diff;
  const title = `${strong(context, `${safe(base.name)} ${arrowOf(context)} ${safe(head.name)}`)}: ${summaryOf(diff)}`;
  const parts = [
    [title],
    [safe(mergeSummary(diff)), ...effects.flatMap((effect) => effectLines(effect, context))],
    ...releases.map((release) => releaseLines(release, context)),
    findingLines(diff, context),
  ];
  return `${parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function effectLines({ severity, message, because, fix, source }: MergeEffect, context: DiffContext): string[] {
  const color = severity === 'warning' ? 33 : 36;
  const place = source === undefined ? '' : ` (${safe(source.file)}:${source.line})`;
  return [
    `  ${paint(context, color, severity)}: ${safe(message)}${place}`,
    `    because: ${safe(because)}`,
    ...(fix === undefined ? [] : [`    fix: ${safe(fix)}`]),
  ];
}

const SIGNS: Readonly<Record<ReleaseRemark['tone'], { readonly sign: string; readonly color: number }>> = {
  worse: { sign: '!', color: 31 },
  plain: { sign: '-', color: 2 },
  better: { sign: '+', color: 32 },
};

function releaseLines(release: ReleaseDiff, context: DiffContext): string[] {
  const { rollout, change, remarks } = release;
  const what = change === 'changed' ? '' : ` (${change})`;
  return [
    `${strong(context, safe(objectNameOf(rollout)))}${what}`,
    ...remarks.map(({ tone, text }) => `  ${paint(context, SIGNS[tone].color, SIGNS[tone].sign)} ${safe(text)}`),
    ...table(release, context),
  ];
}

/** What differs in the answers, `before → after`. */
function table(release: ReleaseDiff, context: DiffContext): string[] {
  const columns = changedColumns(release);
  const rows = changedRows(release, columns);
  if (columns.length === 0 || rows.length === 0) return [];
  const titles = rows.map((row) => {
    const moment = release.moments[row]!;
    return shortened(`${markOf(release, moment)}${safe(momentTitle(moment, arrowOf(context)))}`, context);
  });
  const width = Math.max(...titles.map((title) => [...title].length));
  const texts = rows.map((row) => columns.map((at) => cellOf(release.moments[row]!.cells[at]!, context)));
  const cell = Math.max(...texts.flat().map((text) => [...text].length), 3) + 2;
  const fitting = Math.max(1, Math.floor(((context.width ?? DEFAULT_WIDTH) - width - 2) / cell));
  const shown = columns.slice(0, fitting);
  const head = `  ${' '.repeat(width)}${shown.map((at) => `  ${columnLetter(at)}`.padEnd(cell)).join('')}`.trimEnd();
  const lines = rows.map((_row, index) => {
    const cells = shown.map((_at, column) => padded(`  ${texts[index]![column]!}`, cell)).join('');
    return `  ${padded(titles[index]!, width)}${cells}`.trimEnd();
  });
  const legend = shown.map(
    (at) => `  ${columnLetter(at).padEnd(3)}${safe(release.requests[at]!.text)}${onText(release, at)}`,
  );
  const hidden = columns.length - shown.length;
  const more = hidden === 0 ? [] : [`  ${counted(hidden, 'more request')}: --format html shows all`];
  return ['', head, ...lines, ...legend, ...more];
}

/** The mark of a moment that only one side has. */
function markOf({ change }: ReleaseDiff, { on }: ReleaseDiff['moments'][number]): string {
  if (change !== 'changed') return '';
  return { both: '  ', base: '- ', head: '+ ' }[on];
}

function onText({ requests, change }: ReleaseDiff, at: number): string {
  const { on } = requests[at]!;
  return on === 'both' || change !== 'changed' ? '' : `  (only in the ${on})`;
}

function cellOf({ before, after, differs }: DiffedCell, context: DiffContext): string {
  if (before === undefined && after === undefined) return '';
  const [old, now] = [before, after].map((cell) => (cell === undefined ? undefined : safe(cellText(cell))));
  if (old === undefined || now === undefined) return (now ?? old)!;
  return differs ? `${old} ${arrowOf(context)} ${now}` : now;
}

function findingLines({ findings }: StackDiff, context: DiffContext): string[] {
  const { added, fixed, accepted } = findings;
  const one = (finding: (typeof added)[number]) => {
    const subject = subjectOf(finding);
    return `  ${safe(finding.rule)}: ${safe(finding.message)}${subject === '' ? '' : ` (${safe(subject)})`}`;
  };
  return [
    ...(added.length === 0 ? [] : [strong(context, `${counted(added.length, 'new finding')}`)]),
    ...added.flatMap((finding) => [...prettyFinding(finding, context), '']),
    ...(fixed.length === 0 ? [] : [strong(context, `${fixed.length} fixed`), ...fixed.map(one)]),
    ...(accepted.length === 0
      ? []
      : [
          strong(context, `${accepted.length} newly suppressed`),
          ...accepted.map(({ finding, reason }) => `${one(finding)}: ${safe(reason)}`),
        ]),
  ];
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - [...text].length));
}

function shortened(text: string, { ascii }: DiffContext): string {
  const characters = [...text];
  if (characters.length <= LONGEST_TITLE) return text;
  return `${characters.slice(0, LONGEST_TITLE - 3).join('')}${ascii ? '...' : '…'}`;
}

function arrowOf({ ascii }: DiffContext): string {
  return ascii ? '->' : '→';
}

function strong(context: DiffContext, text: string): string {
  return paint(context, 1, text);
}

function paint({ color }: DiffContext, code: number, text: string): string {
  return color ? `\u001b[${code}m${text}\u001b[${code < 3 ? 22 : 39}m` : text;
}

function safe(text: string): string {
  return escapeCommands(escapeTerminalLine(text));
}
