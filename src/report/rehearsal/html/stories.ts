import { groupedBy } from '../../../core/grouped';
import type { Rehearsal, RehearsedNext, RehearsedStory, RehearsedStoryMoment } from '../../../core/rehearsal-result';
import { durationText, worstMomentOf } from '../stories';
import type { StoryIds } from './addresses';
import { bar } from './bar';
import { changes } from './diff';
import { film } from './film';
import { idsOf, type RolloutIds } from './ids';
import { labels } from './labels';
import { html, joined, type Markup, type MarkupValue } from './markup';
import { podRow, scaleOf } from './pods';
import { partsOf, percent, shortOutcome } from './words';

/** The maximum number of names of requests in a row. */
const LABELS = 4;

/** A part of the page that is written once; other moments with the same content refer to the first. */
type Shared = Map<string, string>;

/** What all stories of a rehearsal have in common. */
interface StoryContext {
  readonly rehearsal: Rehearsal;
  readonly ids: RolloutIds;
  /** Requests that get the same at every moment of every story, as indexes. */
  readonly rows: readonly (readonly number[])[];
  /** Where content stands that several moments have. */
  readonly shared: Shared;
  /** The titles of the moments by their anchors. */
  readonly places: Map<string, string>;
  /** The number of pods that a square stands for. */
  readonly scale: number;
}

/**
 * All stories, one after the other. The script makes the list of them tabs, and shows one moment at a time.
 */
export function stories(rehearsal: Rehearsal, index: number, storyIds: readonly StoryIds[]): Markup {
  const { stories: told = [] } = rehearsal;
  const ids = idsOf(index);
  const all = told.flatMap(({ moments }) => moments);
  const context: StoryContext = {
    rehearsal,
    ids,
    rows: rowsOf(rehearsal, all),
    shared: new Map(),
    places: new Map(rehearsal.moments.map(({ title }, at) => [ids.moment(at), `the timeline, ${title}`])),
    scale: scaleOf(all),
  };
  // The moments of the timeline show the same changes; they are not repeated.
  for (const [at, moment] of rehearsal.moments.entries()) share(context, changes(moment.changes), ids.moment(at));
  return html`<section class="stories"><h3 id="${ids.rollout}-stories">Stories</h3>
<p class="quiet">What a release does when people, pods or analyses do not go straight on.</p>
<ul class="tabs" aria-labelledby="${ids.rollout}-stories">
${told.map((story, at) => html`<li><a href="#${storyIds[at]!.story}">${story.name} ${ending(story)}</a></li>\n`)}</ul>
${told.map((story, at) => storySection(story, storyIds[at]!, context))}</section>
`;
}

const ENDINGS: Readonly<Record<RehearsedStory['end'], { readonly sign: string; readonly status: string }>> = {
  released: { sign: '✓', status: 'good' },
  'rolled back': { sign: '↩', status: 'neutral' },
  stuck: { sign: '!', status: 'warning' },
  refused: { sign: '✗', status: 'error' },
};

function ending({ end }: RehearsedStory): Markup {
  const { sign, status } = ENDINGS[end];
  return html`<span class="status ${status}"><span class="sign">${sign}</span> ${end}</span>`;
}

function storySection(story: RehearsedStory, storyIds: StoryIds, context: StoryContext): Markup {
  const { rehearsal, rows } = context;
  const { name, why, stopped, moments } = story;
  const worst = worstMomentOf(story, rehearsal);
  const worstAt = worst === undefined ? -1 : moments.indexOf(worst.moment);
  for (const [at, { title }] of moments.entries()) {
    context.places.set(storyIds.moment(at), `${name}, ${at + 1} of ${moments.length}: ${title}`);
  }
  return html`<section class="story" id="${storyIds.story}" tabindex="-1">
<h4>${name} ${ending(story)}</h4>
${why !== undefined && html`<p>Why: ${why}.</p>\n`}${stopped && html`<p class="stopped"><b><span class="sign">✗</span> The controller stops at steps[${stopped.step}] (${stopped.class}).</b> ${stopped.message}</p>\n`}${
  worst && html`<p>Worst moment: <a href="#${storyIds.moment(worstAt)}">${worst.moment.title}</a>: ${worst.text}.</p>\n`
}${film(moments, rows, (requests) => labels(rehearsal, requests, context.ids, 2))}
${moments.map((moment, at) => scene(moment, at, story, storyIds, context))}</section>
`;
}

function scene(
  moment: RehearsedStoryMoment,
  at: number,
  { moments }: RehearsedStory,
  storyIds: StoryIds,
  context: StoryContext,
): Markup {
  const id = storyIds.moment(at);
  const { did = [], title } = moment;
  return html`<section class="scene" id="${id}" tabindex="-1">
<h5><span class="quiet">${at + 1} of ${moments.length}</span> ${title}</h5>
${did.length > 0 && html`<p class="did"><b>People:</b> ${did.join(', ')}</p>\n`}<p class="lasts"><b>Lasts:</b> ${lasts(moment.next)}</p>
${once(context, traffic(moment, context), id, '.state')}
<h6>What the controller wrote</h6>
${once(context, changes(moment.changes), id, '.changes')}
</section>
`;
}

/** Content, or a reference to the moment that has the same. */
function once(context: StoryContext, content: Markup, id: string, selector: string): Markup {
  const first = share(context, content, id);
  if (first === id || content.text.length < 250) return content;
  return html`<p data-from="${first}" data-part="${selector}">The same as at <a href="#${first}">${context.places.get(first)}</a>.</p>`;
}

function share({ shared }: StoryContext, { text }: Markup, id: string): string {
  if (!shared.has(text)) shared.set(text, id);
  return shared.get(text)!;
}

function rowsOf({ requests }: Rehearsal, moments: readonly RehearsedStoryMoment[]): (readonly number[])[] {
  const rows = groupedBy(requests.keys(), (index) => {
    const cells = moments.map(({ cells }) => cells[index]!);
    return JSON.stringify(cells.map((cell) => [cell.shares, shortOutcome(cell), cell.verdict]));
  });
  return [...rows.values()];
}

/** Who gets which version, and the pods that answer. */
function traffic(moment: RehearsedStoryMoment, context: StoryContext): Markup {
  const { rehearsal, rows, ids, scale } = context;
  const { pods } = moment;
  const services = pods.map((each) => podRow(each, moment, scale));
  const answers = rows.map(
    (requests) =>
      html`<tr><th scope="row">${labels(rehearsal, requests, ids, LABELS)}</th><td>${got(moment, requests, rehearsal)}</td></tr>\n`,
  );
  return html`<div class="state">${
    answers.length > 0 &&
    html`<table class="gets"><caption>Who gets which version</caption>
<tbody>
${answers}</tbody></table>`
  }<table class="gets"><caption>Pods that answer${scale > 1 && `; a square stands for ${scale}`}</caption>
<tbody>
${services}</tbody></table><p class="capacity"><b>All pods,</b> of those before the release: ${capacity(moment)}</p></div>`;
}

function got(moment: RehearsedStoryMoment, requests: readonly number[], rehearsal: Rehearsal): MarkupValue {
  const cell = moment.cells[requests[0]!]!;
  const { old, fresh } = versionsOf(moment);
  const words = { stable: old, canary: fresh, failed: 'error', other: 'elsewhere' };
  const parts = partsOf(cell.shares);
  const isOrdinary = requests.some((index) => rehearsal.requests[index]!.class === 'no-match');
  return [
    cell.verdict === 'wrong' && html`<span class="mark bad"><span class="sign">✗</span> not as declared: </span>`,
    joined(
      parts.map(({ part, share }) => html`<b>${percent(share)}</b> ${words[part]}`),
      ', ',
    ),
    bar(cell.shares),
    isOrdinary && against(moment, parts),
  ];
}

/** `v2: 40% of these requests on 25% of the pods`, where requests are shared. */
function against(moment: RehearsedStoryMoment, parts: ReturnType<typeof partsOf>): MarkupValue {
  const { old, fresh } = versionsOf(moment);
  const shares = parts.flatMap(({ part, share }) => {
    const version = part === 'stable' ? old : part === 'canary' ? fresh : undefined;
    const pods = version === undefined ? undefined : moment.capacity[version];
    return pods === undefined
      ? []
      : [`${version}: ${percent(share)} of these requests on ${percent(pods)} of the pods`];
  });
  return shares.length > 0 && html`<span class="against">${shares.join('; ')}</span>`;
}

/** The names of the old and of the new version at a moment. */
function versionsOf({ versions, capacity }: RehearsedStoryMoment): { readonly old: string; readonly fresh: string } {
  const old = versions.stable ?? 'the old version';
  const others = Object.keys(capacity).filter((version) => version !== old);
  return { old, fresh: others.length === 0 ? (versions.canary ?? 'the new version') : others.join(' or ') };
}

function capacity({ capacity: shares }: RehearsedStoryMoment): string {
  const texts = Object.entries(shares).map(([version, share]) => `${version} ${percent(share)}`);
  return texts.join(', ') || 'none is left';
}

/** How long a moment lasts, and who ends it. */
function lasts(next: RehearsedNext | undefined): string {
  switch (next?.who) {
    case undefined:
      return 'this is the end of the story';
    case 'person':
      return next.does.length === 0 ? 'until somebody acts' : `until somebody does this: ${next.does.join(', ')}`;
    case 'analysis':
      return `until an analysis ends: ${next.does.join(', ')}`;
    case 'load balancer':
      return `until this happens: ${next.does.join(', ')}`;
    case 'time':
      return `at least ${durationText(next.seconds)} (${next.field})`;
    case 'controller':
      return 'until the cluster is ready for the next move of the controller';
  }
}
