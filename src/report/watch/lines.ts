/** A watched release as lines: for people without a terminal, and for programs. */
import type { WatchedMoment } from '../../core/watched-release';
import { escapeCommands, escapeJson, escapeTerminalLine } from '../escape';
import { answerWords, hasShares, podsText, rolloutName, shareText, shownRequests, stateText } from './words';

const MOST_REQUESTS = 3;

/** A line for a log, and one for each difference. */
export function plainLines(moment: WatchedMoment): string {
  const { at, rollout, state, next, differences, story, lost, unknown = [] } = moment;
  const requests = shownRequests(moment)
    .slice(0, MOST_REQUESTS)
    .map((one) => `${one.text}${hasShares(moment) ? ` ${shareText(one)} new` : ''} (${answerWords(one.answer)})`);
  const act = next.act === undefined ? '' : `: ${next.act}`;
  const time = next.at === undefined || next.text.includes(next.at) ? '' : `, at ${next.at}`;
  const parts = [
    `${at.slice(0, 19)}Z ${rolloutName(rollout)} ${state.kind}: ${stateText(state)}`,
    ...requests,
    ...(moment.pods.length === 0 ? [] : [`pods ${podsText(moment.pods)}`]),
    ...(state.kind === 'healthy' || state.kind === 'gone' ? [] : [`next ${next.text}${act}${time}`]),
  ];
  const more = [
    ...(lost === undefined ? [] : [`! no news since ${lost.since}: ${lost.why}`]),
    ...(story.why === undefined ? [] : [`! ${story.name}: ${story.why}`]),
    ...differences.flatMap(({ text, fix }) => [`! ${text}`, ...(fix === undefined ? [] : [`  fix: ${fix}`])]),
    ...unknown.map((text) => `? ${text}`),
  ];
  const lines = [parts.join('; '), ...more.map((line) => `  ${line}`)];
  return escapeCommands(`${lines.map(escapeTerminalLine).join('\n')}\n`);
}

/** All of a moment on one line; of what has changed, the names. Later versions only add fields. */
export function jsonLine(moment: WatchedMoment): string {
  const changes = moment.changes.map(({ object, action }) => ({ object, action }));
  return `${escapeJson(JSON.stringify({ ...moment, changes }))}\n`;
}
