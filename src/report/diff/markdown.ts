import { counted } from '../../core/counted';
import type { Finding } from '../../core/finding';
import type { DiffedCell, MergeEffect, ReleaseDiff, StackDiff } from '../../core/stack-diff';
import { escapeMarkdown, markdownCode } from '../escape';
import { cellText } from '../rehearsal/cell';
import { columnLetter } from '../rehearsal/reporter';
import { objectNameOf, subjectOf } from '../reporter';
import { changedColumns, changedRows, mergeSummary, momentTitle, summaryOf } from './reporter';

/** A comment has room for 65,536 characters; what is left out is named. */
const MOST_RELEASES = 20;
const MOST_FINDINGS = 50;
const MOST_COLUMNS = 8;

/** For a comment on a pull request: what a merge does, then the releases that differ, then findings. */
export function markdown(diff: StackDiff): string {
  const { base, head, effects, releases } = diff;
  const names = `${markdownCode(base.name)} → ${markdownCode(head.name)}`;
  const hidden = releases.length - MOST_RELEASES;
  const parts = [
    `### Releases: ${escapeMarkdown(summaryOf(diff))}`,
    `${names}\n\n**${escapeMarkdown(mergeSummary(diff))}**`,
    ...(effects.length === 0 ? [] : [effects.map(effectItem).join('\n')]),
    ...releases.slice(0, MOST_RELEASES).map(section),
    ...(hidden > 0 ? [`And ${counted(hidden, 'more release')} that differ.`] : []),
    ...findingParts(diff),
  ];
  return `${parts.join('\n\n')}\n`;
}

function effectItem({ severity, message, because, fix, source }: MergeEffect): string {
  const place = source === undefined ? '' : ` ${markdownCode(`${source.file}:${source.line}`)}`;
  const mark = severity === 'warning' ? '**warning**: ' : '';
  const advice = fix === undefined ? '' : `<br>**Fix:** ${escapeMarkdown(fix)}`;
  return `- ${mark}${escapeMarkdown(message)}${place}<br>${escapeMarkdown(because)}${advice}`;
}

function section(release: ReleaseDiff): string {
  const { rollout, change, remarks } = release;
  const what = change === 'changed' ? '' : ` (${change})`;
  const items = remarks.map(({ tone, text }) => `- ${tone === 'worse' ? '**worse**: ' : ''}${escapeMarkdown(text)}`);
  return [`#### ${escapeMarkdown(objectNameOf(rollout))}${what}`, items.join('\n'), ...table(release)]
    .filter((part) => part !== '')
    .join('\n\n');
}

function table(release: ReleaseDiff): string[] {
  const { requests, moments, change } = release;
  const all = changedColumns(release);
  const rows = changedRows(release, all);
  if (all.length === 0 || rows.length === 0) return [];
  const columns = all.slice(0, MOST_COLUMNS);
  const lines = [
    `| | ${columns.map(columnLetter).join(' | ')} |`,
    `| --- |${' --- |'.repeat(columns.length)}`,
    ...rows.map((row) => {
      const moment = moments[row]!;
      const cells = columns.map((at) => cellOf(moment.cells[at]!));
      const where = moment.on === 'both' || change !== 'changed' ? '' : ` *(only in the ${moment.on})*`;
      return `| ${escapeMarkdown(momentTitle(moment, '→'))}${where} | ${cells.join(' | ')} |`;
    }),
  ];
  const legend = columns.map((at) => {
    const { on, text } = requests[at]!;
    const where = on === 'both' || change !== 'changed' ? '' : ` (only in the ${on})`;
    return `- **${columnLetter(at)}** ${markdownCode(text)}${where}`;
  });
  const more = all.length - columns.length;
  return [lines.join('\n'), [...legend, ...(more > 0 ? [`- and ${counted(more, 'more request')}`] : [])].join('\n')];
}

function cellOf({ before, after, differs }: DiffedCell): string {
  const [old, now] = [before, after].map((cell) =>
    cell === undefined ? undefined : escapeMarkdown(cellText(cell)).replaceAll('%', ' %'),
  );
  if (old === undefined || now === undefined) return now ?? old ?? '';
  return differs ? `${old} → **${now}**` : now;
}

function findingParts({ findings: { added, fixed, accepted } }: StackDiff): string[] {
  const part = (title: string, items: readonly string[]) => {
    if (items.length === 0) return [];
    const more = items.length - MOST_FINDINGS;
    const shown = [...items.slice(0, MOST_FINDINGS), ...(more > 0 ? [`- and ${more} more`] : [])];
    return [`#### ${title}`, shown.join('\n')];
  };
  return [
    ...part(
      counted(added.length, 'new finding'),
      added.map((finding) => `- **${finding.severity}** ${item(finding)}<br>**Fix:** ${escapeMarkdown(finding.fix)}`),
    ),
    ...part(
      `${fixed.length} fixed`,
      fixed.map((finding) => `- ${item(finding)}`),
    ),
    ...part(
      `${accepted.length} newly suppressed`,
      accepted.map(({ finding, reason }) => `- ${item(finding)}: ${escapeMarkdown(reason)}`),
    ),
  ];
}

function item(finding: Finding): string {
  const { rule, message, source } = finding;
  const places = [subjectOf(finding), source === undefined ? '' : `${source.file}:${source.line}`];
  const where = places.filter((place) => place !== '').map((place) => ` ${markdownCode(place)}`);
  return `**${escapeMarkdown(rule)}**: ${escapeMarkdown(message)}${where.join('')}`;
}
