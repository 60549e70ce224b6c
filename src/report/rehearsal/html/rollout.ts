import { counted } from '../../../core/counted';
import type { Rehearsal } from '../../../core/rehearsal-result';
import type { SourceLines } from '../../source-line';
import { resultOf } from '../reporter';
import type { StoryIds } from './addresses';
import { findings } from './findings';
import { idsOf, type RolloutIds } from './ids';
import { anchor, html, joined, type Markup, type MarkupValue } from './markup';
import { momentSection } from './moment';
import { firstAlike } from './routes';
import { stories } from './stories';
import { timeline } from './timeline';
import { classWords, loadBalancerName, objectName, placeName, styleWords } from './words';

/** The section of one Rollout. */
export function rollout(
  rehearsal: Rehearsal,
  index: number,
  lines: SourceLines,
  storyIds: readonly StoryIds[],
): Markup {
  const ids = idsOf(index);
  const { moments, requests } = rehearsal;
  return html`<article class="rollout" id="${ids.rollout}" aria-labelledby="${ids.rollout}-name" tabindex="-1">
<h2 id="${ids.rollout}-name">${objectName(rehearsal.rollout)} ${status(rehearsal)}</h2>
${facts(rehearsal)}
${rehearsal.stopped && html`<p class="stopped"><b><span class="sign">✗</span> The controller does not finish: it stops at steps[${rehearsal.stopped.step}] (${rehearsal.stopped.class}).</b> ${rehearsal.stopped.message}</p>`}
<section><h3>${rehearsal.findings.length === 0 ? 'Findings' : `Findings (${rehearsal.findings.length})`}</h3>
${findings(rehearsal, lines, ids)}
</section>
${storyIds.length > 0 && stories(rehearsal, index, storyIds)}${
  moments.length > 0 &&
  html`<section><h3>Timeline</h3>
${timeline(rehearsal, ids)}
</section>
<section class="moments" aria-label="Moments of ${objectName(rehearsal.rollout)}"><h3>Moment by moment</h3>
${firstAlike(rehearsal).map((same, at) => momentSection(rehearsal, at, same, ids))}</section>
`
}${requests.length > 0 && requestList(rehearsal, ids)}</article>
`;
}

/** The result of a Rollout, as a sign and as text. */
export function status(rehearsal: Rehearsal): Markup {
  const { findings, stopped, requests } = rehearsal;
  const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length;
  const [errors, warnings] = [count('error'), count('warning')];
  if (errors > 0)
    return html`<span class="status error"><span class="sign">✗</span> ${counted(errors, 'error')}</span>`;
  if (stopped) return html`<span class="status error"><span class="sign">✗</span> stopped</span>`;
  if (warnings > 0) {
    return html`<span class="status warning"><span class="sign">!</span> ${counted(warnings, 'warning')}</span>`;
  }
  if (resultOf(rehearsal) === 'open') {
    return html`<span class="status warning"><span class="sign">?</span> ${requests.length === 0 ? 'not rehearsed' : 'partly rehearsed'}</span>`;
  }
  return html`<span class="status good"><span class="sign">✓</span> as declared</span>`;
}

function facts(rehearsal: Rehearsal): Markup {
  const { source, style, stableService, canaryService, loadBalancers } = rehearsal;
  const services =
    stableService === canaryService
      ? html`<code>${stableService}</code> for both versions`
      : html`<code>${stableService}</code> stable, <code>${canaryService}</code> canary`;
  const balancers: MarkupValue[] =
    loadBalancers.length === 0 ? ['none in these manifests'] : joined(loadBalancers.map(loadBalancerName), html`<br>`);
  const all: [string, MarkupValue][] = [
    ['Declared in', source && html`<code>${placeName(source)}</code>`],
    ['Style', styleWords(style)],
    ['Services', services],
    [loadBalancers.length > 1 ? 'Load balancers' : 'Load balancer', balancers],
  ];
  return html`<dl class="facts">${all.map(([term, value]) => value !== undefined && html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** The complete requests. The heads of columns link to them. */
function requestList({ requests, loadBalancers }: Rehearsal, ids: RolloutIds): Markup {
  const rows = requests.map(
    ({ label, text, class: requestClass, loadBalancer }, index) =>
      html`<tr id="${ids.request(index)}" tabindex="-1"><th scope="row">${label}</th><td data-term="Kind">${classWords(requestClass)}</td><td data-term="Request"><code>${text}</code>${anchor(ids.request(index), 'request')}</td>${
        loadBalancers.length > 1 && html`<td data-term="Sent to">${loadBalancerName(loadBalancers[loadBalancer]!)}</td>`
      }</tr>
`,
  );
  return html`<section><h3>Requests</h3>
<div class="scroll" role="group" aria-label="Requests" tabindex="0"><table class="requests">
<caption>One request for each kind that the rules distinguish</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col">Request</th>${loadBalancers.length > 1 && html`<th scope="col">Sent to</th>`}</tr></thead>
<tbody>
${rows}</tbody>
</table></div>
</section>
`;
}
