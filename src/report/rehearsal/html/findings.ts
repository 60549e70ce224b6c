import type { Finding, SourceLocation } from '../../../core/finding';
import type { Rehearsal } from '../../../core/rehearsal-result';
import type { SourceLines } from '../../source-line';
import type { RolloutIds } from './ids';
import { anchor, html, type Markup, type MarkupValue, prose } from './markup';
import { momentOf } from './routes';
import { objectName, placeName } from './words';

const SIGNS: Readonly<Record<Finding['severity'], string>> = { error: '✗ ', warning: '! ', note: '' };

/** The findings of a Rollout, each with an anchor. */
export function findings(rehearsal: Rehearsal, lines: SourceLines, ids: RolloutIds): Markup {
  if (rehearsal.findings.length === 0 && rehearsal.requests.length === 0) {
    return html`<p>No request was sent.</p>`;
  }
  if (rehearsal.findings.length === 0) {
    return html`<p class="good"><span class="sign">✓</span> Every request goes where the Rollout declares, at every moment.</p>`;
  }
  const cards = rehearsal.findings.map((finding, index) =>
    card(finding, ids.finding(index), when(finding, rehearsal, ids), lines, 4),
  );
  return html`<ol class="findings">${cards}</ol>`;
}

/** The findings in other objects than the Rollouts of the page. */
export function otherFindings(others: readonly Finding[], lines: SourceLines): Markup {
  const cards = others.map((finding, index) =>
    card(finding, `finding-${index + 1}`, finding.step === undefined ? undefined : `steps[${finding.step}]`, lines, 3),
  );
  return html`<section class="rollout" aria-labelledby="others"><h2 id="others">In other objects</h2>
<ol class="findings">${cards}</ol>
</section>
`;
}

function card(finding: Finding, id: string, moment: MarkupValue, lines: SourceLines, level: number): Markup {
  const { severity, rule, message, because, fix, object, path, source, related, request, construct, docs } = finding;
  return html`<li class="finding ${severity}" id="${id}" tabindex="-1">
<h${level}><span class="severity"><span class="sign">${SIGNS[severity]}</span>${severity}</span> ${prose(message)}</h${level}>${anchor(id, 'finding')}
<dl>
${entry('When', moment)}${entry('Request', request && html`<code>${request}</code>`)}${entry(
  'Where',
  (object ?? path ?? source) && [
    object && objectName(object),
    path && html` <code>${path}</code>`,
    construct && html` <span class="quiet">construct ${construct}</span>`,
    source && excerpt(source, lines),
  ],
)}${entry('Because', prose(because))}${entry('Fix', prose(fix))}${entry(
  'See also',
  related && [prose(related.message), related.source && excerpt(related.source, lines)],
)}${entry('Rule', [html`<code>${rule}</code> <code class="quiet">${docs}</code>`])}</dl>
</li>
`;
}

function entry(term: string, value: MarkupValue): MarkupValue {
  return value === undefined || value === '' ? undefined : html`<dt>${term}</dt><dd>${value}</dd>\n`;
}

function when(finding: Finding, rehearsal: Rehearsal, ids: RolloutIds): MarkupValue {
  const index = momentOf(rehearsal, finding);
  if (index === undefined) return finding.step === undefined ? undefined : `steps[${finding.step}]`;
  return html`<a href="#${ids.moment(index)}">${rehearsal.moments[index]!.title}</a>`;
}

/** The line in the user's file, with a marker below the value. */
function excerpt(source: SourceLocation, lines: SourceLines): Markup {
  const shown = lines.show(source.file, source.line, source.column);
  const number = String(source.line);
  const code =
    shown &&
    html`<pre class="excerpt">${number} | ${shown.text}\n${' '.repeat(number.length)} | <b>${shown.marker}</b></pre>`;
  return html` <code class="place">${placeName(source)}</code>${code}`;
}
