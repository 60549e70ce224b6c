/** A preview of environments as one HTML page, which loads nothing, runs no script, and needs no colours. */

import type { EnvironmentPreview, PreviewCell, PreviewRow } from '../core/environment-preview';
import type { Finding, Severity } from '../core/finding';
import { sha256Base64 } from '../core/sha256';
import { cellText, NO_HEADER, REASONS } from './environment-preview';
import { constant, html, type Markup } from './rehearsal/html/markup';

/** The contrast of text is at least 4.5. Every reason with a colour is also a word. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f4f6f8; --surface: #ffffff; --line: #c3ccd5; --text: #1b222a; --quiet: #505a66; --focus: #0b57a4;
  --exact: #e3f4e6; --parent: #e4eefb; --default: #f1f3f5; --any: #fdf1d6; --error: #fde4e6;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f1419; --surface: #171d24; --line: #3a4654; --text: #e5eaf0; --quiet: #aab5c1; --focus: #84bdf5;
    --exact: #17371f; --parent: #172c47; --default: #232a33; --any: #43350f; --error: #4a1d22;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 2rem 1.25rem; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
  overflow-wrap: anywhere;
}
main, header { max-width: 90rem; margin: 0 auto; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0; }
h2 { font-size: 1.2rem; margin: 0; }
.quiet { color: var(--quiet); margin: .25rem 0 0; }
section { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem 1.5rem; margin-top: 1.5rem; }
.scroll { overflow-x: auto; margin-top: 1rem; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
table { border-collapse: collapse; }
caption { text-align: left; color: var(--quiet); padding-bottom: .5rem; }
th, td { border: 1px solid var(--line); padding: .4rem .7rem; text-align: left; vertical-align: top; min-width: 9rem; }
td b { display: block; }
td small { display: block; color: var(--quiet); font-size: .85rem; }
.exact { background: var(--exact); } .parent { background: var(--parent); } .default { background: var(--default); }
.any { background: var(--any); } .error { background: var(--error); }
.legend, .findings { list-style: none; margin: 1rem 0 0; padding: 0; }
.legend { display: flex; flex-wrap: wrap; gap: .4rem 1.25rem; font-size: .9rem; }
.legend b { padding: .1rem .45rem; border: 1px solid var(--line); border-radius: 4px; }
.findings li { border-left: 4px solid var(--line); padding: .2rem 0 .2rem .9rem; margin-top: 1rem; }
.findings p { margin: .15rem 0 0; }
`;

const POLICY = `default-src 'none'; style-src 'sha256-${sha256Base64(PAGE_STYLE)}'; img-src data:; base-uri 'none'; form-action 'none'`;

const SIGNS: Readonly<Record<Severity, string>> = { error: '✗', warning: '!', note: 'i' };

/**
 * As a page, with the findings below the tables.
 * @example environmentPreviewHtml(previewEnvironments(world), findings)
 */
export function environmentPreviewHtml(
  previews: readonly EnvironmentPreview[],
  findings: readonly Finding[] = [],
): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${constant(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Virtual environments</title>
<link rel="icon" href="data:,">
<style>${constant(PAGE_STYLE)}</style>
</head>
<body>
<header>
<h1>Virtual environments</h1>
<p class="quiet">Which pods answer the requests of which environment, with the routes that the operator of KtEnv would write. Nothing was applied.</p>
<ul class="legend" aria-label="What the reasons mean">
${REASONS.map(
  ([reason, words]) => html`<li><b class="${reason}">${reason}</b> ${words}</li>
`,
)}<li><b class="error">503</b> no pod answers</li>
</ul>
</header>
<main>
${previews.map(section)}${findings.length > 0 && listOf(findings)}</main>
</body>
</html>
`.text;
}

function section(
  { namespace, virtualEnvironment, header, environments, rows }: EnvironmentPreview,
  index: number,
): Markup {
  const id = `namespace-${index + 1}`;
  const table =
    rows.length === 0
      ? html`<p>No Service has workloads of an environment.</p>
`
      : html`<div class="scroll" role="region" tabindex="0" aria-labelledby="${id}">
<table>
<caption>Columns: the value of ${header}. Rows: the ports of Services.</caption>
<thead><tr><th scope="col">Service</th>${environments.map((one) => html`<th scope="col">${one ?? NO_HEADER}</th>`)}</tr></thead>
<tbody>
${rows.map(line)}</tbody>
</table>
</div>
`;
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">Namespace ${namespace}</h2>
<p class="quiet">VirtualEnvironment ${virtualEnvironment}, header ${header}</p>
${table}</section>
`;
}

function line({ service, port, cells }: PreviewRow): Markup {
  return html`<tr><th scope="row">${service}:${port}</th>${cells.map(cellOf)}</tr>
`;
}

function cellOf(cell: PreviewCell): Markup {
  return html`<td class="${cell.reason}"><b>${cellText(cell)}</b><small>${cell.why}</small></td>`;
}

function listOf(findings: readonly Finding[]): Markup {
  const items = findings.map(({ severity, rule, message, because, fix, object }) => {
    const where = object && `${object.kind} ${object.namespace ? `${object.namespace}/` : ''}${object.name}`;
    return html`<li><b><span aria-hidden="true">${SIGNS[severity]} </span>${severity}: ${message}</b>
<p class="quiet">${where && `${where}, `}${rule}</p>
<p>Because: ${because}</p>
<p>Fix: ${fix}</p></li>
`;
  });
  return html`<section aria-labelledby="findings"><h2 id="findings">Findings</h2>
<ul class="findings">
${items}</ul>
</section>
`;
}
