/** A difference as one page, which loads nothing and runs no script: base on the left, head on the right. */
import { counted } from '../../core/counted';
import type { Finding } from '../../core/finding';
import type { RehearsedCell } from '../../core/rehearsal-result';
import type { DiffedCell, MergeEffect, ReleaseDiff, ReleaseRemark, StackDiff } from '../../core/stack-diff';
import { bar } from '../rehearsal/html/bar';
import { constant, type Markup, type MarkupValue, html as markup, prose } from '../rehearsal/html/markup';
import { hashOf, ICON } from '../rehearsal/html/page';
import { STYLE } from '../rehearsal/html/style';
import { objectName, placeName, shortOutcome } from '../rehearsal/html/words';
import { subjectOf } from '../reporter';
import { DIFF_STYLE } from './html-style';
import { yamlSides } from './html-yaml';
import { type DiffContext, mergeSummary, momentTitle, summaryOf } from './reporter';

const PAGE_STYLE = `${STYLE}${DIFF_STYLE}`;

const POLICY = [
  "default-src 'none'",
  `style-src ${hashOf(PAGE_STYLE)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** One file for a browser. It depends only on its input. */
export function html(diff: StackDiff, { version }: DiffContext): string {
  const { base, head, releases, unchanged } = diff;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${constant(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Releases, ${base.name} to ${head.name}: ${summaryOf(diff)}</title>
<link rel="icon" href="${constant(ICON)}">
<style>${constant(PAGE_STYLE)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the differences</a>
<header>
<h1>What this change does to releases</h1>
<p class="lead"><code>${base.name}</code> on the left, <code>${head.name}</code> on the right: ${summaryOf(diff)}. Models of the controllers and of the load balancers played both; nothing was applied.</p>
</header>
<div class="page"><main id="main" tabindex="-1">
${merge(diff)}${releases.map((release, index) => section(release, index))}${
  unchanged > 0 && markup`<p class="quiet">${counted(unchanged, 'release')} as before.</p>\n`
}${findings(diff)}</main></div>
<footer><p>rollout-constructs${version !== undefined && ` ${version}`}</p></footer>
</body>
</html>
`.text;
}

function merge(diff: StackDiff): Markup {
  const { effects } = diff;
  return markup`<section class="section" aria-labelledby="merge"><h2 id="merge">When it is merged</h2>
<p>${mergeSummary(diff)}</p>
${effects.length > 0 && markup`<ul class="effects">${effects.map(effect)}</ul>\n`}</section>
`;
}

function effect({ severity, message, because, fix, object, path, source }: MergeEffect): Markup {
  return markup`<li class="${severity}"><p><b>${severity === 'warning' && 'warning: '}${message}</b></p>
<p class="quiet">${objectName(object)}${path && markup` <code>${path}</code>`}${source && markup` <code>${placeName(source)}</code>`}</p>
<p>${because}</p>
${fix && markup`<p>Fix: ${fix}</p>\n`}</li>
`;
}

const TONES: Readonly<Record<ReleaseRemark['tone'], string>> = { worse: 'worse: ', plain: '', better: 'better: ' };

function section(release: ReleaseDiff, index: number): Markup {
  const { rollout, change, remarks, before, after, requests } = release;
  const id = `release-${index + 1}`;
  return markup`<section class="section" aria-labelledby="${id}"><h2 id="${id}"><a href="#${id}">${objectName(rollout)}</a>${
    change !== 'changed' && markup` <span class="only">${change}</span>`
  }</h2>
<ul class="remarks">${remarks.map(({ tone, text }) => markup`<li class="${tone}">${TONES[tone]}${text}</li>\n`)}</ul>
${requests.length > 0 && table(release)}<details><summary>${objectName(rollout)} as YAML</summary>
${yamlSides(before, after)}</details>
</section>
`;
}

/** All moments and requests, each cell with both sides. */
function table({ requests, moments, rollout, change }: ReleaseDiff): Markup {
  const heads = requests.map(
    ({ text, label, on, loadBalancer }) =>
      markup`<th scope="col">${label} ${on !== 'both' && change === 'changed' && markup`<span class="only">only in the ${on}</span>`}<code>${text}</code><span class="quiet">${loadBalancer}</span></th>`,
  );
  const rows = moments.map((moment) => {
    const isOne = moment.on !== 'both' && change === 'changed';
    return markup`<tr class="${moment.phase}"><th scope="row">${momentTitle(moment, '→')}${
      isOne && markup` <span class="only">only in the ${moment.on}</span>`
    }</th>${moment.cells.map(cell)}</tr>\n`;
  });
  return markup`<div class="scroll" role="group" aria-label="Answers of ${objectName(rollout)}, before and after" tabindex="0"><table class="sides">
<caption>What each request gets, moment by moment: before on the left, after on the right</caption>
<thead><tr><th scope="col">Moment</th>${heads}</tr></thead>
<tbody>
${rows}</tbody>
</table></div>
`;
}

function cell({ before, after, differs }: DiffedCell): Markup {
  if (before === undefined && after === undefined) return markup`<td></td>`;
  const isSame = before !== undefined && after !== undefined && !differs;
  if (isSame) return markup`<td>${shortOutcome(after)}${bar(after.shares)}</td>`;
  return markup`<td class="${differs && 'differs'}"><div class="pair">${half(before, 'before')}${half(after, 'after')}</div></td>`;
}

function half(one: RehearsedCell | undefined, side: string): Markup {
  if (one === undefined) return markup`<div class="quiet"><span class="unseen">${side}: not sent</span></div>`;
  return markup`<div><span class="quiet">${side}</span> ${shortOutcome(one)}${bar(one.shares)}</div>`;
}

function findings({ findings: { added, fixed, accepted, unchanged } }: StackDiff): Markup {
  const list = (id: string, title: string, items: readonly Markup[]) =>
    items.length > 0 &&
    markup`<h3 id="${id}">${title}</h3>
<ol class="findings">${items}</ol>
`;
  return markup`<section class="section" aria-labelledby="findings"><h2 id="findings">Findings</h2>
<p>${counted(added.length, 'new finding')}, ${fixed.length} fixed, ${unchanged} as before.</p>
${list(
  'added',
  'New',
  added.map((finding) => card(finding)),
)}${list(
  'fixed',
  'Fixed',
  fixed.map((finding) => card(finding)),
)}${list(
  'accepted',
  'Newly suppressed',
  accepted.map(({ finding, reason }) => card(finding, reason)),
)}</section>
`;
}

function card(finding: Finding, reason?: string): Markup {
  const { severity, rule, message, because, fix, source } = finding;
  const entry = (term: string, value: MarkupValue) =>
    value !== undefined && value !== '' && markup`<dt>${term}</dt><dd>${value}</dd>\n`;
  return markup`<li class="finding ${severity}">
<h4><span class="severity">${severity}</span> ${prose(message)}</h4>
<dl>
${entry('Where', [subjectOf(finding), source && markup` <code>${placeName(source)}</code>`])}${entry('Because', prose(because))}${entry('Fix', prose(fix))}${entry('Suppressed', reason)}${entry('Rule', markup`<code>${rule}</code>`)}</dl>
</li>
`;
}
