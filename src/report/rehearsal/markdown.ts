import type { Rehearsal, RehearsedCell } from '../../core/rehearsal-result';
import { escapeMarkdown, markdownCode } from '../escape';
import { markdown as markdownFindings } from '../markdown';
import { bar, cellText, hasShare } from './cell';
import { columnLetter, extentOf, mixedEndOf, type RehearsalContext, rolloutName } from './reporter';

/** For a comment on a pull request: the findings, then a table for each Rollout. */
export function markdown(rehearsals: readonly Rehearsal[], context: RehearsalContext): string {
  return `${[markdownFindings(context.findings, context), ...rehearsals.map(section)].join('\n')}`;
}

function section(rehearsal: Rehearsal): string {
  const { requests, moments, stopped } = rehearsal;
  const head = `### ${escapeMarkdown(rolloutName(rehearsal))}: ${escapeMarkdown(extentOf(rehearsal))}`;
  const stop = stopped === undefined ? [] : ['', `Stopped: ${escapeMarkdown(stopped.message)}`];
  if (requests.length === 0) return `${[head, ...stop].join('\n')}\n`;
  const letters = requests.map((_request, index) => columnLetter(index));
  const table = [
    `| | ${letters.join(' | ')} |`,
    `| --- |${' --- |'.repeat(letters.length)}`,
    ...moments.map(({ title, cells }) => `| ${escapeMarkdown(title)} | ${cells.map(cell).join(' | ')} |`),
  ];
  const legend = requests.map(({ text }, index) => `- **${letters[index]}** ${markdownCode(text)}`);
  const mixed = mixedEndOf(rehearsal);
  const end = mixed === undefined ? [] : ['', `${mixed[0]!.toUpperCase()}${mixed.slice(1)}.`];
  return `${[head, '', ...table, ...stop, '', ...legend, ...end].join('\n')}\n`;
}

function cell(each: RehearsedCell): string {
  const text = escapeMarkdown(cellText(each)).replaceAll('%', ' %');
  const shown = hasShare(each) ? `${bar(each.shares.canary, 5, false)} ${text}` : text;
  return each.verdict === 'wrong' ? `**${shown}**` : shown;
}
