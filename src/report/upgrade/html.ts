/** What changes between two releases as one HTML page, which loads nothing, runs no script, and needs no colours. */

import type { Finding, Severity } from '../../core/finding';
import { sha256Base64 } from '../../core/sha256';
import type { UpgradeReport } from '../../core/upgrade-result';
import { constant, type Markup, prose, html as template } from '../rehearsal/html/markup';
import { subjectOf } from '../reporter';
import { releasesText, type UpgradeItem, type UpgradeSection, upgradeSections, upgradeSummary } from './words';

/** The contrast of text is at least 4.5. A severity is also a word. */
const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f4f6f8; --surface: #ffffff; --line: #c3ccd5; --text: #1b222a; --quiet: #505a66; --focus: #0b57a4;
  --error: #b3261e; --warning: #8a5a00; --note: #0b57a4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f1419; --surface: #171d24; --line: #3a4654; --text: #e5eaf0; --quiet: #aab5c1; --focus: #84bdf5;
    --error: #ff9a92; --warning: #f0c060; --note: #84bdf5;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; padding: 2rem 1.25rem; background: var(--ground); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
  overflow-wrap: anywhere;
}
main, header { max-width: 60rem; margin: 0 auto; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0; }
h2 { font-size: 1.2rem; margin: 0; }
.quiet { color: var(--quiet); margin: .25rem 0 0; }
section { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem 1.5rem; margin-top: 1.5rem; }
ul { list-style: none; margin: 0; padding: 0; }
li { border-left: 4px solid var(--line); padding: .1rem 0 .1rem .9rem; margin-top: 1rem; }
li.error { border-color: var(--error); } li.warning { border-color: var(--warning); } li.note { border-color: var(--note); }
li p { margin: .15rem 0 0; }
li p.within { padding-left: 1.5rem; }
code { font: .92em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
@media print { body { padding: 0; background: none; } section { break-inside: auto; border: 0; padding: 0; } li { break-inside: avoid; } }
`;

const POLICY = `default-src 'none'; style-src 'sha256-${sha256Base64(STYLE)}'; img-src data:; base-uri 'none'; form-action 'none'`;

const SIGNS: Readonly<Record<Severity, string>> = { error: '✗', warning: '!', note: 'i' };

/** As a page. */
export function html(report: UpgradeReport): string {
  const title = releasesText(report);
  return template`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${constant(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${constant(STYLE)}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p>${upgradeSummary(report)}</p>
<p class="quiet">What changes for these manifests. Nothing was applied.</p>
</header>
<main>
${report.appears.length > 0 && appears(report.appears)}${upgradeSections(report).map(section)}</main>
</body>
</html>
`.text;
}

function appears(findings: readonly Finding[]): Markup {
  const items = findings.map((finding) => {
    const { severity, rule, message, because, fix, source } = finding;
    const place = source === undefined ? '' : `, ${source.file}:${source.line}`;
    return template`<li class="${severity}"><b><span aria-hidden="true">${SIGNS[severity]} </span>${severity}: ${message}</b>
<p class="quiet">${subjectOf(finding)}, ${rule}${place}</p>
<p>Because: ${prose(because)}</p>
<p>Fix: ${prose(fix)}</p></li>
`;
  });
  return template`<section aria-labelledby="appears"><h2 id="appears">Findings that appear</h2>
<ul>
${items}</ul>
</section>
`;
}

function section({ title, items }: UpgradeSection, index: number): Markup {
  const id = `section-${index + 1}`;
  return template`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
<ul>
${items.map(listItem)}</ul>
</section>
`;
}

function listItem({ text, source, lines }: UpgradeItem): Markup {
  const place = source && template`<p class="quiet">${source.file}:${source.line}</p>`;
  const paragraphs = lines.map((line) =>
    line.startsWith('  ') ? template`<p class="within">${prose(line.trim())}</p>` : template`<p>${prose(line)}</p>`,
  );
  return template`<li><b>${prose(text)}</b>${place}${paragraphs}</li>
`;
}
