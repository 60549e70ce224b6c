/** A watched release as one page: the story as it was. It loads nothing and runs no script. */
import type { CheckupRequest } from '../../core/checkup';
import { sha256Base64 } from '../../core/sha256';
import type { WatchedMoment } from '../../core/watched-release';
import { bar } from '../rehearsal/html/bar';
import { changes } from '../rehearsal/html/diff';
import { constant, html, type Markup } from '../rehearsal/html/markup';
import { STYLE } from '../rehearsal/html/style';
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
  whoText,
} from './words';

/** What a page tells. */
export interface WatchedTale {
  readonly moments: readonly WatchedMoment[];
  /** The number of moments that were left out in the middle. */
  readonly leftOut: number;
  /**
   * What ended the watch.
   * @default - it goes on
   */
  readonly end?: string;
}

const OWN_STYLE = `
.tale { list-style: none; max-width: 1200px; margin: 0 auto; padding: 0 1.25rem; }
.tale > li { background: var(--surface); border: 1px solid var(--line); border-left: 5px solid var(--stable); border-radius: 8px; padding: .9rem 1.2rem; margin-top: .9rem; }
.tale > li.waiting, .tale > li.leaving, .tale > li.disabled { border-left-color: var(--canary); }
.tale > li.stuck, .tale > li.aborted, .tale > li.gone { border-left-color: var(--failed); }
.tale > li.healthy { border-left-color: var(--good); }
.tale h2 { font-size: 1.02rem; }
.tale table { border-collapse: collapse; margin-top: .6rem; width: 100%; }
.tale th, .tale td { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; font-weight: normal; }
.tale td { padding-left: 0; }
.tale td.share { width: 11rem; }
.tale td + td { width: 26rem; }
.tale td:last-child { width: auto; }
@media (max-width: 800px) { .tale td, .tale td.share, .tale td + td { display: block; width: auto; } }
.tale .bar { width: 9rem; height: 8px; display: block; }
.tale p { margin-top: .45rem; }
.tale details { margin-top: .5rem; }
.tale pre.details { overflow-x: auto; background: var(--sunken); padding: .5rem .75rem; border-radius: 6px; margin-top: .3rem; }
`;

const PAGE = `${STYLE}${OWN_STYLE}`;
const POLICY = `default-src 'none'; style-src 'sha256-${sha256Base64(PAGE)}'; img-src data:; base-uri 'none'; form-action 'none'`;

/**
 * The page.
 * @example watchHtml({ moments, leftOut: 0 })
 */
export function watchHtml({ moments, leftOut, end }: WatchedTale): string {
  const [first] = moments;
  const last = moments.at(-1);
  if (first === undefined || last === undefined) return '';
  const name = rolloutName(last.rollout);
  const took = elapsed((Date.parse(last.at) - Date.parse(first.at)) / 1000);
  const half = Math.ceil(moments.length / 2);
  const items = moments.map((moment, index) => item(moment, moments[index + 1]));
  const gap = html`<li class="quiet">${leftOut} moments are left out here.</li>\n`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${constant(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Rollout ${name}: ${stateText(last.state)}</title>
<link rel="icon" href="data:,">
<style>${constant(PAGE)}</style>
</head>
<body>
<header>
<h1>Rollout ${name}, as it was</h1>
<p class="lead">${last.controller}, from ${first.at} to ${last.at} (${took}). ${stateText(last.state)}.${end !== undefined && ` ${end}.`}
Where requests go is what the models of the load balancers make of the objects in the cluster at each moment.</p>
</header>
<main>
<ol class="tale">
${leftOut > 0 ? [...items.slice(0, half), gap, ...items.slice(half)] : items}</ol>
</main>
</body>
</html>
`.text;
}

function item(moment: WatchedMoment, after: WatchedMoment | undefined): Markup {
  const { at, state, story, next, differences, pods, lost } = moment;
  const lasted = after === undefined ? undefined : elapsed((Date.parse(after.at) - Date.parse(at)) / 1000);
  const requests = shownRequests(moment);
  return html`<li class="${state.kind}">
<h2><time datetime="${at}">${clock(at)}</time> <span aria-hidden="true">${SIGNS[state.kind].sign}</span> ${stateText(state)} <span class="quiet">${lasted !== undefined && `for ${lasted}`}</span></h2>
${state.message !== undefined && html`<p class="quiet">${state.message}</p>\n`}${
  lost !== undefined && html`<p class="bad">No news from the API server since ${lost.since}: ${lost.why}</p>\n`
}${story.why !== undefined && html`<p><b>${story.name}:</b> ${story.why}</p>\n`}${
  requests.length > 0 && html`<table><tbody>\n${requests.map((one) => row(one, hasShares(moment)))}</tbody></table>\n`
}${pods.length > 0 && html`<p><b>Ready pods:</b> ${podsText(pods)}</p>\n`}${
  next.who !== 'nobody' &&
  html`<p><b>Next, by ${whoText(next)}:</b> ${next.text}${next.act !== undefined && (state.kind === 'waiting' ? html`: <code>${next.act}</code>` : `: ${next.act}`)}</p>\n`
}${differences.map(
  ({ text, details, fix }) => html`<p class="bad"><b>Not as it should be:</b> ${text}</p>
${details.length > 0 && html`<pre class="details" tabindex="0" aria-label="details">${details.join('\n')}</pre>\n`}${fix !== undefined && html`<p>Fix: ${fix}</p>\n`}`,
)}${moment.changes.length > 0 && html`<details><summary>${moment.changes.length} object${moment.changes.length === 1 ? '' : 's'} changed</summary>${changes(moment.changes)}</details>\n`}</li>
`;
}

function row(request: CheckupRequest, isSplit: boolean): Markup {
  return html`<tr>${isSplit && html`<td class="share">${bar(request.shares)}${shareText(request)}</td>`}<td><code>${request.text}</code>${
    request.verdict === 'wrong' && html` <span class="bad">✗ not as declared</span>`
  }</td><td class="quiet">${answerWords(request.answer)}</td></tr>
`;
}
