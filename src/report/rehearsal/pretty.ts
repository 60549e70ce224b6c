import { groupedBy } from '../../core/grouped';
import type { Rehearsal, RehearsedCell, RehearsedMoment, RehearsedStory } from '../../core/rehearsal-result';
import { escapeTerminalLine } from '../escape';
import { pretty as prettyFindings } from '../pretty';
import { bar, cellText, hasShare } from './cell';
import { columnLetter, extentOf, mixedEndOf, type RehearsalContext, resultOf, rolloutName } from './reporter';
import { lastsText, podsText, worstMomentOf } from './stories';

const BAR = 5;
const CELL = BAR + 8;
const DEFAULT_WIDTH = 100;
const LONGEST_TITLE = 44;

/** Above this number of Rollouts, only those with findings are shown in full. */
const MAX_WHOLE = 10;

/** For a terminal: a table for each Rollout with moments as rows and requests as columns, then the findings. */
export function pretty(rehearsals: readonly Rehearsal[], context: RehearsalContext): string {
  const isWhole = (rehearsal: Rehearsal) =>
    rehearsals.length <= MAX_WHOLE || rehearsal.findings.some(({ severity }) => severity !== 'note');
  const parts = rehearsals.map((rehearsal) =>
    isWhole(rehearsal) ? whole(rehearsal, context) : `${headline(rehearsal, context)}\n`,
  );
  return `${parts.join('')}${rehearsals.length > 0 ? '\n' : ''}${prettyFindings(context.findings, context)}`;
}

const MARKS = {
  declared: { mark: '✓', ascii: 'ok', color: 32 },
  open: { mark: '?', ascii: '?', color: 33 },
  wrong: { mark: '✗', ascii: 'x', color: 31 },
} as const;

function headline(rehearsal: Rehearsal, context: RehearsalContext): string {
  const { mark, ascii, color } = MARKS[resultOf(rehearsal)];
  return `${paint(context, color, context.ascii ? ascii : mark)} ${paint(context, 1, safe(rolloutName(rehearsal)))}: ${safe(extentOf(rehearsal))}`;
}

function whole(rehearsal: Rehearsal, context: RehearsalContext): string {
  const { requests, moments, stopped } = rehearsal;
  const titles = titlesOf(moments, context);
  const fitting = fittingColumns(titles, context);
  const columns = equalColumns(rehearsal);
  const tables: string[] = [];
  for (let from = 0; from < columns.length; from += fitting) {
    tables.push(table(rehearsal, titles, columns.slice(from, from + fitting), context));
  }
  const legend = requests.map(
    ({ label, text }, index) =>
      `  ${columnLetter(index).padEnd(3)}${safe(label)}${label === text ? '' : `: ${safe(text)}`}`,
  );
  const stop = stopped === undefined ? [] : [`  ${paint(context, 31, 'stopped')}: ${safe(stopped.message)}`];
  const note =
    requests.length === 0 ? [] : ['  share of the requests that reach the new version; ! is not as declared'];
  const mixed = mixedEndOf(rehearsal);
  const end = mixed === undefined ? [] : [`  ${mixed}`];
  const stories = storyLines(rehearsal, columns, context);
  return `${[headline(rehearsal, context), '', ...tables, ...stop, ...legend, ...note, ...end, ...stories].join('\n')}\n\n`;
}

const LONGEST_NAME = 24;

/** A line for each story, and a table for those that were asked for by name. */
function storyLines(
  rehearsal: Rehearsal,
  columns: readonly (readonly number[])[],
  context: RehearsalContext,
): string[] {
  const { stories = [] } = rehearsal;
  const { tables = [] } = context;
  if (stories.length === 0) return [];
  const isTable = ({ name }: RehearsedStory) => tables.includes(name) || tables.includes(name.replace(/@.*/, ''));
  const width = Math.min(LONGEST_NAME, Math.max(...stories.map(({ name }) => [...name].length)));
  return [
    '',
    `  ${paint(context, 1, 'stories')}`,
    ...stories.map((story) => storyLine(story, rehearsal, width, context)),
    ...stories.filter(isTable).flatMap((story) => ['', storyTable(story, rehearsal, columns, context).trimEnd()]),
  ];
}

function storyLine(story: RehearsedStory, rehearsal: Rehearsal, width: number, context: RehearsalContext): string {
  const { name, end, why } = story;
  const worst = worstMomentOf(story, rehearsal);
  const isBad = end === 'stuck' || end === 'refused';
  const ending = paint(context, isBad ? 33 : 2, end);
  const because = why === undefined ? '' : `: ${safe(why)}`;
  const most = worst === undefined ? '' : `; at ${safe(worst.moment.title)}: ${safe(worst.text)}`;
  return `  ${safe(name).padEnd(width)}  ${ending}${because}${most}`.trimEnd();
}

function storyTable(
  story: RehearsedStory,
  rehearsal: Rehearsal,
  columns: readonly (readonly number[])[],
  context: RehearsalContext,
): string {
  const { moments } = story;
  const titles = titlesOf(moments, context);
  const shown = columns.slice(0, fittingColumns(titles, context));
  const head = headOf(paint(context, 1, safe(story.name).padEnd(titles.width)), shown);
  const rows = moments.flatMap((moment, row) => [
    ...(moment.did ?? []).map((deed) => `  ${paint(context, 33, `${context.ascii ? '>' : '▸'} ${safe(deed)}`)}`),
    `${rowOf(moment, titles.padded[row]!, shown, context)}  ${safe([podsText(moment), lastsText(moment)].filter(Boolean).join('; '))}`.trimEnd(),
  ]);
  return [head.trimEnd(), ...rows, storyLine(story, rehearsal, [...story.name].length, context)].join('\n');
}

/** Requests with the same result at every moment of the release and of all stories share a column. */
function equalColumns({ requests, moments: straight, stories = [] }: Rehearsal): (readonly number[])[] {
  const moments = [...straight, ...stories.flatMap((story) => story.moments)];
  const columns = groupedBy(requests.keys(), (index) =>
    JSON.stringify(moments.map(({ cells }) => [cellText(cells[index]!), cells[index]!.verdict])),
  );
  return [...columns.values()];
}

/** The letters of a column, as many as fit. */
function lettersOf(column: readonly number[]): string {
  const letters = column.map(columnLetter).join(' ');
  return letters.length <= CELL - 3 ? letters : `${letters.slice(0, CELL - 6)}...`;
}

/** The titles of moments, all of one width. */
interface Titles {
  readonly padded: readonly string[];
  readonly width: number;
}

function titlesOf(moments: readonly RehearsedMoment[], context: RehearsalContext): Titles {
  const titles = moments.map(({ title }) => shortened(safe(title), context));
  const width = Math.max(0, ...titles.map((title) => [...title].length));
  return { padded: titles.map((title) => title + ' '.repeat(width - [...title].length)), width };
}

/** How many columns fit beside the titles. */
function fittingColumns({ width }: Titles, context: RehearsalContext): number {
  return Math.max(1, Math.floor(((context.width ?? DEFAULT_WIDTH) - width - 2) / CELL));
}

function table(
  { moments }: Rehearsal,
  { padded, width }: Titles,
  columns: readonly (readonly number[])[],
  context: RehearsalContext,
): string {
  const rows = moments.map((moment, row) => rowOf(moment, padded[row]!, columns, context));
  return `${[headOf(' '.repeat(width), columns), ...rows].map((line) => line.trimEnd()).join('\n')}\n`;
}

function headOf(title: string, columns: readonly (readonly number[])[]): string {
  return `  ${title}${columns.map((column) => `  ${lettersOf(column).padEnd(CELL - 2)}`).join('')}`;
}

function rowOf(
  moment: RehearsedMoment,
  title: string,
  columns: readonly (readonly number[])[],
  context: RehearsalContext,
): string {
  return `  ${title}${columns.map(([index]) => cell(moment, index!, context)).join('')}`;
}

function cell({ cells }: RehearsedMoment, index: number, context: RehearsalContext): string {
  const each = cells[index]!;
  const text = safe(cellText(each));
  const shown = hasShare(each) ? `${bar(each.shares.canary, BAR, context.ascii)} ${text}` : text;
  const marked = `${shown}${each.verdict === 'wrong' ? '!' : ''}`;
  return `  ${paint(context, colorOf(each), marked)}${' '.repeat(Math.max(0, CELL - 2 - marked.length))}`;
}

function colorOf({ verdict, shares }: RehearsedCell): number {
  if (verdict === 'wrong') return 31;
  return shares.canary > 0 ? 33 : 2;
}

function shortened(text: string, { ascii }: RehearsalContext): string {
  const characters = [...text];
  if (characters.length <= LONGEST_TITLE) return text;
  return `${characters.slice(0, LONGEST_TITLE - 3).join('')}${ascii ? '...' : '…'}`;
}

const RESETS: Readonly<Record<number, number>> = { 1: 22, 2: 22 };

function paint({ color }: RehearsalContext, code: number, text: string): string {
  return color ? `\u001b[${code}m${text}\u001b[${RESETS[code] ?? 39}m` : text;
}

function safe(text: string): string {
  return escapeTerminalLine(text);
}
