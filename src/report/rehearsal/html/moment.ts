import { counted } from '../../../core/counted';
import type { Rehearsal, RehearsedCell, RehearsedMoment } from '../../../core/rehearsal-result';
import { bar, declaredShares } from './bar';
import { changes } from './diff';
import { flow } from './flow';
import type { RolloutIds } from './ids';
import { labels } from './labels';
import { anchor, html, joined, type Markup, type MarkupValue } from './markup';
import { declaredOf, findingsAt, type RouteGroup, routeGroups, wrongCount } from './routes';
import { fullOutcome, loadBalancerName, objectName, percent, placeName } from './words';

/** The maximum number of names of requests in a row. */
const LABELS = 8;

/**
 * A complete moment: the picture of the traffic, the same as a table, and what the controller wrote. `same` is the first
 * moment with the same traffic; its picture is not repeated.
 */
export function momentSection(rehearsal: Rehearsal, index: number, same: number, ids: RolloutIds): Markup {
  const moment = rehearsal.moments[index]!;
  const id = ids.moment(index);
  const wrong = wrongCount(moment) > 0;
  return html`<section class="moment" id="${id}" tabindex="-1">
<h4>${moment.title}</h4>${anchor(id, 'moment')}
<p class="summary ${wrong ? 'bad' : 'good'}">${summary(moment)}</p>
${
  same < index
    ? html`<p data-traffic="${ids.moment(same)}">The traffic is the same as at <a href="#${ids.moment(same)}">${rehearsal.moments[same]!.title}</a>.</p>`
    : moment.cells.length > 0 &&
      html`<div class="traffic"><p class="hint" aria-hidden="true">The picture goes on to the right →</p>${flow(rehearsal, moment, id)}${routes(rehearsal, moment, ids)}</div>`
}
<h5>What the controller wrote</h5>
${changes(moment.changes)}
</section>
`;
}

/** The summary of a moment, which screen readers read first. */
function summary(moment: RehearsedMoment): string {
  const wrong = wrongCount(moment);
  const all = counted(moment.cells.length, 'kind');
  if (moment.cells.length === 0) return 'No request reaches these Services.';
  if (wrong === 0) return `✓ ${all} of requests: all go where the Rollout declares.`;
  return `✗ ${wrong} of ${all} of requests ${wrong === 1 ? 'does' : 'do'} not go where the Rollout declares.`;
}

function routes(rehearsal: Rehearsal, moment: RehearsedMoment, ids: RolloutIds): Markup {
  return html`<div class="scroll" role="group" aria-label="Routes" tabindex="0"><table class="routes">
<caption>The traffic as a table</caption>
<thead><tr><th scope="col">Requests</th><th scope="col">Declared</th><th scope="col">Get</th><th scope="col">Taken by</th><th scope="col">Answered by</th></tr></thead>
<tbody>
${routeGroups(rehearsal, moment).map((group) => row(rehearsal, moment, group, ids))}</tbody>
</table></div>`;
}

function row(rehearsal: Rehearsal, moment: RehearsedMoment, group: RouteGroup, ids: RolloutIds): Markup {
  const { requests, cell } = group;
  const { expectedCanary } = cell;
  const declared = [
    declaredOf(rehearsal, requests[0]!, cell),
    expectedCanary !== undefined && html`${bar(declaredShares(expectedCanary))}`,
  ];
  return html`<tr${cell.verdict === 'wrong' && html` class="wrong"`}><th scope="row">${labels(rehearsal, requests, ids, LABELS)}</th><td data-term="Declared">${declared}</td><td data-term="Get">${got(cell)}${
    cell.verdict === 'wrong' && reasons(rehearsal, moment, requests, ids)
  }</td><td data-term="Taken by">${takenBy(rehearsal, group)}</td><td data-term="Answered by">${answeredBy(cell)}</td></tr>
`;
}

function got(cell: RehearsedCell): MarkupValue {
  const mark =
    cell.verdict === 'wrong' &&
    html`<span class="mark bad"><span class="sign">✗</span><span class="unseen"> wrong: </span></span> `;
  return [mark, fullOutcome(cell.shares), bar(cell.shares)];
}

function reasons(
  rehearsal: Rehearsal,
  moment: RehearsedMoment,
  requests: readonly number[],
  ids: RolloutIds,
): MarkupValue {
  const rules = new Map(
    findingsAt(rehearsal, moment, requests).map((index) => [rehearsal.findings[index]!.rule, index]),
  );
  return [...rules].map(([rule, index]) => html`<a class="reason" href="#${ids.finding(index)}">${rule}</a>`);
}

function takenBy({ loadBalancers }: Rehearsal, { cell: { rule }, loadBalancer }: RouteGroup): MarkupValue {
  const name = loadBalancerName(loadBalancers[loadBalancer]!);
  if (rule === undefined) return html`no rule of ${name}`;
  const place = rule.source && html`<br><code class="quiet">${placeName(rule.source)}</code>`;
  const balancer =
    loadBalancers.length > 1 && !rule.description.includes(name) ? html`<span class="quiet">${name}</span><br>` : '';
  return html`${balancer}${rule.description}<br><span class="quiet">${objectName(rule.object)}</span> <code class="quiet">${rule.path}</code>${place}`;
}

function answeredBy({ answer }: RehearsedCell): MarkupValue {
  switch (answer.kind) {
    case 'services': {
      const lines = answer.destinations.map(
        ({ name, port, share, failure }) =>
          html`${percent(share)} ${name}${port !== undefined && `:${port}`}${failure !== undefined && html`<br><span class="mark bad"><span class="sign">✗</span> ${failure}</span>`}`,
      );
      const all = lines.length > 0 ? joined(lines, html`<br>`) : 'no Service';
      return [
        all,
        answer.sticky && html`<br><span class="quiet">clients stay with the Service of their first request</span>`,
      ];
    }
    case 'fixed-response':
      return html`${answer.statusCode} by the load balancer itself${answer.messageBody && html`: <q>${answer.messageBody}</q>`}`;
    case 'unknown':
      return html`not known: ${answer.why}`;
    case 'redirect':
      return html`${answer.statusCode} redirect to <code>${answer.location}</code>`;
    default:
      return 'no load balancer listens';
  }
}
