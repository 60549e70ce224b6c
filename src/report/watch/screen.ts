/** A watched release as a page of a terminal, for any width and height. */
import type { WatchedMoment, WatchedPlace } from '../../core/watched-release';
import { bar, percent } from '../rehearsal/cell';
import { type Line, painted, type Span, span, wrapped } from './spans';
import {
  answerWords,
  clock,
  elapsed,
  hasShares,
  podsText,
  rolloutName,
  SIGNS,
  shareText,
  shownRequests,
  stateText,
} from './words';

/** How the page is drawn. */
export interface ScreenContext {
  readonly color: boolean;
  readonly ascii: boolean;
  readonly width: number;
  readonly height: number;
  /** The time now, for countdowns. */
  readonly now: Date;
}

/** From this width on, answers stand beside their requests. */
const WIDE = 100;
const BAR = 5;
const MOST_REQUESTS = 8;
const MOST_DETAILS = 8;
const TITLE = 44;

const [BOLD, FAINT, RED, GREEN, YELLOW] = [1, 2, 31, 32, 33] as const;

/** How much is left out, the least first. */
const CUTS = [
  { road: Number.POSITIVE_INFINITY, requests: MOST_REQUESTS, details: MOST_DETAILS },
  { road: 7, requests: MOST_REQUESTS, details: MOST_DETAILS },
  { road: 5, requests: 4, details: 6 },
  { road: 3, requests: 2, details: 4 },
  { road: 0, requests: 2, details: 3 },
  { road: 0, requests: 1, details: 0 },
] as const;

type Cut = (typeof CUTS)[number];

/** The lines of the page; at most as many as the terminal has, none wider than it. */
export function screenLines(moment: WatchedMoment, context: ScreenContext): string[] {
  const all = CUTS.map((cut) => linesOf(moment, cut, context));
  const lines = all.find(({ length }) => length <= context.height) ?? all.at(-1)!.slice(0, context.height);
  return lines.map((line) => painted(line, context.width, context.color, context.ascii ? '...' : '…'));
}

function linesOf(moment: WatchedMoment, cut: Cut, context: ScreenContext): Line[] {
  const parts = [
    head(moment, context),
    requests(moment, cut, context),
    next(moment, context),
    story(moment, context),
    differences(moment, cut, context),
    road(moment, cut, context),
    unknown(moment, context),
  ].filter((part) => part.length > 0);
  return parts.flatMap((part, index) => (index === 0 ? part : [[], ...part]));
}

function head(moment: WatchedMoment, { ascii, now, width }: ScreenContext): Line[] {
  const { rollout, controller, state, lost } = moment;
  const { sign, ascii: plain, code } = SIGNS[state.kind];
  const message = state.message === undefined || state.kind === 'healthy' ? [] : wrapped(state.message, width - 4);
  const time = clock(now.toISOString());
  return [
    [span(`Rollout ${rolloutName(rollout)}`, BOLD), span(`  ${controller}  ${time}`, FAINT)],
    [span(`${ascii ? plain : sign} ${stateText(state)}`, code)],
    ...message.slice(0, 3).map((text): Line => [span(`  ${text}`, FAINT)]),
    ...(lost === undefined ? [] : [[span(`! no news since ${clock(lost.since)}: ${lost.why}`, RED)] as Line]),
  ];
}

function requests(moment: WatchedMoment, { requests: most }: Cut, context: ScreenContext): Line[] {
  const shown = shownRequests(moment);
  const isSplit = hasShares(moment);
  const lines = shown.slice(0, most).map((request): Line => {
    const isWrong = request.verdict === 'wrong';
    const code = isWrong ? RED : request.shares.canary > 0 ? YELLOW : undefined;
    const share = `${bar(request.shares.canary, BAR, context.ascii)} ${shareText(request).padEnd(6)}  `;
    const start: Line = [
      span('  '),
      ...(isSplit ? [colored(share, code)] : []),
      span(request.text, isWrong ? RED : undefined),
    ];
    const isShort = context.width < WIDE && isSplit;
    return isShort ? start : [...start, span(`  ${answerWords(request.answer)}`, FAINT)];
  });
  const more = shown.length - lines.length;
  const pods = podsText(moment.pods);
  return [
    ...(lines.length === 0
      ? []
      : [title(isSplit ? 'requests now, and the share that reaches the new version' : 'requests now'), ...lines]),
    ...(more > 0 ? [[span(`  and ${more} more`, FAINT)] as Line] : []),
    ...(pods === '' ? [] : [[span('  ready pods  ', FAINT), span(pods)] as Line]),
  ];
}

function next({ next: { who, text, at, act, then } }: WatchedMoment, { now, width }: ScreenContext): Line[] {
  const left = at === undefined ? Number.NaN : (Date.parse(at) - now.getTime()) / 1000;
  const countdown = Number.isNaN(left) ? '' : ` (${left > 0 ? `in ${elapsed(left)}` : 'now'})`;
  const code = who === 'person' ? YELLOW : undefined;
  const room = Math.max(20, width - 6);
  const lines = (label: string, words: string, color?: number): Line[] =>
    wrapped(words, room).map((line, index) => [
      span(index === 0 ? `  ${label}` : ' '.repeat(label.length + 2), FAINT),
      colored(span(line).text, color),
    ]);
  return [
    title('next'),
    ...lines('', `${text}${countdown}`, code),
    ...(act === undefined ? [] : lines('> ', act, BOLD)),
    ...(then === undefined ? [] : lines('then ', then)),
  ];
}

function story({ story: { name, why, ends } }: WatchedMoment, { width }: ScreenContext): Line[] {
  if (why === undefined) return [];
  const end = ends === undefined ? '' : `; the rehearsal ends ${ends}`;
  return [
    title('no longer the straight story'),
    ...wrapped(`${name}: ${why}${end}`, Math.max(20, width - 4)).map((line): Line => [span(`  ${line}`, YELLOW)]),
  ];
}

function differences({ differences: found }: WatchedMoment, { details: most }: Cut, context: ScreenContext): Line[] {
  if (found.length === 0) return [];
  const sign = context.ascii ? 'x' : '✗';
  const lines = found.flatMap(({ text, details, fix }): Line[] => {
    const words = wrapped(text, Math.max(20, context.width - 4));
    return [
      ...words.map((line, index): Line => [span(index === 0 ? `${sign} ` : '  ', RED), span(line)]),
      ...details.slice(0, most).map((line): Line => [span(`    ${line}`, detailColor(line))]),
      ...(details.length > most && most > 0 ? [[span(`    and ${details.length - most} more`, FAINT)] as Line] : []),
      ...(fix === undefined
        ? []
        : wrapped(`fix: ${fix}`, Math.max(20, context.width - 4)).map((line): Line => [span(`  ${line}`)])),
    ];
  });
  return [title('not as it should be'), ...lines];
}

function detailColor(line: string): number {
  if (/^\s*- /.test(line)) return RED;
  return /^\s*\+ /.test(line) ? GREEN : FAINT;
}

function road({ road: places }: WatchedMoment, { road: most }: Cut, context: ScreenContext): Line[] {
  if (places.length === 0 || most === 0) return [];
  const current = Math.max(
    0,
    places.findIndex(({ is }) => is === 'at' || is === 'towards'),
  );
  const start = Math.max(0, Math.min(current - Math.floor(most / 3), places.length - most));
  const shown = places.slice(start, start + most);
  const width = Math.min(TITLE, Math.max(...shown.map(({ title: text }) => text.length)));
  return [title('as rehearsed'), ...shown.map((place) => placeLine(place, width, context))];
}

const MARKS = {
  done: { mark: '✓', ascii: '+', code: FAINT },
  at: { mark: '●', ascii: '*', code: YELLOW },
  towards: { mark: '▶', ascii: '>', code: 36 },
  later: { mark: '·', ascii: '.', code: undefined },
} as const;

function placeLine({ title: text, is, share, until }: WatchedPlace, width: number, { ascii }: ScreenContext): Line {
  const { mark, ascii: plain, code } = MARKS[is];
  const name = text.length > width ? `${text.slice(0, width - 1)}${ascii ? '.' : '…'}` : text;
  const shown = share === undefined ? '' : `  ${bar(share, BAR, ascii)} ${percent(share).padEnd(6)}`;
  const end = until === undefined ? '' : `  until: ${until}`;
  return [
    colored(`  ${ascii ? plain : mark} `, code),
    span(name.padEnd(width), code),
    colored(shown, code),
    span(end, FAINT),
  ];
}

function unknown({ unknown: missing = [] }: WatchedMoment, { width }: ScreenContext): Line[] {
  return missing
    .slice(0, 3)
    .flatMap((text) => wrapped(`? ${text}`, width - 2).map((line): Line => [span(line, YELLOW)]));
}

function title(text: string): Line {
  return [span(text, BOLD)];
}

/** Text of our own, which may have bars. */
function colored(text: string, code: number | undefined): Span {
  return code === undefined ? { text } : { text, code };
}
