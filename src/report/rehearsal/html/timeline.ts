import { counted } from '../../../core/counted';
import type { Rehearsal, RehearsedCell, RehearsedMoment } from '../../../core/rehearsal-result';
import { mixedEndOf } from '../reporter';
import { bar } from './bar';
import type { RolloutIds } from './ids';
import { labels } from './labels';
import { html, type Markup, type MarkupValue } from './markup';
import { columnsOf, wrongCount } from './routes';
import { classWords, declaredWords, loadBalancerName, objectName, shortOutcome } from './words';

/** The maximum number of names in the head of a column. */
const LABELS = 5;

/** All moments from top to bottom, with the result of each kind of request. */
export function timeline(rehearsal: Rehearsal, ids: RolloutIds): Markup {
  const columns = columnsOf(rehearsal);
  const mixed = mixedEndOf(rehearsal);
  return html`<div class="scroll" role="group" aria-label="Timeline of ${objectName(rehearsal.rollout)}" tabindex="0"><table class="timeline">
<caption>What each kind of request gets, moment by moment${mixed && html`; ${mixed}`}</caption>
<thead>${loadBalancerRow(rehearsal, columns)}<tr><th scope="col">Moment</th>${columns.map((column) => head(rehearsal, column, ids))}</tr></thead>
<tbody>
${rehearsal.moments.map((moment, index) => row(moment, columns, ids.moment(index)))}</tbody>
</table></div>`;
}

function head(rehearsal: Rehearsal, column: readonly number[], ids: RolloutIds): Markup {
  const classes = new Set(column.map((index) => classWords(rehearsal.requests[index]!.class)));
  return html`<th scope="col">${labels(rehearsal, column, ids, LABELS)} <span class="quiet">${[...classes].join(', or ')}</span></th>`;
}

/** The columns of each load balancer, if there are several. */
function loadBalancerRow({ loadBalancers, requests }: Rehearsal, columns: readonly (readonly number[])[]): MarkupValue {
  if (loadBalancers.length < 2) return undefined;
  const runs: { readonly loadBalancer: number; span: number }[] = [];
  for (const [first] of columns) {
    const { loadBalancer } = requests[first!]!;
    const last = runs.at(-1);
    if (last?.loadBalancer === loadBalancer) last.span++;
    else runs.push({ loadBalancer, span: 1 });
  }
  const heads = runs.map(({ loadBalancer, span }) => {
    return html`<th scope="colgroup" colspan="${span}">${loadBalancerName(loadBalancers[loadBalancer]!)}</th>`;
  });
  return html`<tr><td></td>${heads}</tr>`;
}

function row(moment: RehearsedMoment, columns: readonly (readonly number[])[], id: string): Markup {
  const wrong = wrongCount(moment);
  const state =
    moment.cells.length === 0
      ? undefined
      : wrong === 0
        ? html`<span class="mark good"><span class="sign">✓</span><span class="unseen"> as declared</span></span>`
        : html`<span class="mark bad"><span class="sign">✗</span> ${counted(wrong, 'request')} wrong</span>`;
  return html`<tr class="${moment.phase}"><th scope="row"><a href="#${id}" data-moment>${moment.title}</a> ${state}</th>${columns.map(([first]) => cell(moment.cells[first!]!))}</tr>
`;
}

function cell(cell: RehearsedCell): Markup {
  const outcome = shortOutcome(cell);
  if (cell.verdict === 'good') return html`<td>${outcome}${bar(cell.shares)}</td>`;
  return html`<td class="wrong"><span class="mark bad"><span class="sign">✗</span><span class="unseen"> wrong: </span></span>${outcome}${bar(cell.shares)}${
    cell.expectedCanary !== undefined && html`<span class="quiet">not ${declaredWords(cell.expectedCanary)}</span>`
  }</td>`;
}
