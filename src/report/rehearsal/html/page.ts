import { counted } from '../../../core/counted';
import type { Finding } from '../../../core/finding';
import type { Rehearsal } from '../../../core/rehearsal-result';
import { sha256Base64 } from '../../../core/sha256';
import { countFindings, summaryOf } from '../../reporter';
import { SourceLines } from '../../source-line';
import type { RehearsalContext } from '../reporter';
import { storyIdsOf } from './addresses';
import { bar } from './bar';
import { otherFindings } from './findings';
import { FRAMED_SCRIPT } from './framed-script';
import { idsOf } from './ids';
import { constant, html, type Markup } from './markup';
import { rollout, status } from './rollout';
import { SCRIPT } from './script';
import { STORIES_SCRIPT } from './stories-script';
import { STORIES_STYLE } from './stories-style';
import { STYLE } from './style';
import { objectName } from './words';

/**
 * Browsers load and run only the style sheet and the script of this page, by their hashes. Content of a manifest would not
 * run even if an escape were missing.
 */
function policyOf(style: string, script: string): string {
  return [
    "default-src 'none'",
    `style-src ${hashOf(style)}`,
    `script-src ${hashOf(script)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/** The style sheets that a page may have, for a page around it that allows them. */
export const PAGE_STYLES: readonly string[] = [STYLE, `${STYLE}${STORIES_STYLE}`];

/** Stories come first, so that a moment is shown before the page scrolls to it. */
const SCRIPTS: readonly string[] = [SCRIPT, `${STORIES_SCRIPT}${SCRIPT}`];

/** The scripts of pages within a page. */
const FRAMED_SCRIPTS: readonly string[] = SCRIPTS.map((script) => `${script}${FRAMED_SCRIPT}`);

/** The scripts that a page may have. */
export const PAGE_SCRIPTS: readonly string[] = [...SCRIPTS, ...FRAMED_SCRIPTS];

/** Without an icon in the page, browsers would request one. */
export const ICON =
  'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20viewBox=%220%200%2016%2016%22%3E%3Crect%20width=%2216%22%20height=%2216%22%20rx=%223%22%20fill=%22%23245d8f%22/%3E%3Cpath%20d=%22M0%2016V9h4V6h4v10z%22%20fill=%22%23f2c94c%22/%3E%3C/svg%3E';

/** The hash of a style sheet or script, for the policy of its page. */
export function hashOf(text: string): string {
  return `'sha256-${sha256Base64(text)}'`;
}

/** With what the checks have found in the Rollout itself: it may be why the release never runs as it is shown. */
function withOwnFindings(rehearsal: Rehearsal, all: readonly Finding[]): Rehearsal {
  const known = new Set(rehearsal.findings.map((finding) => JSON.stringify(finding)));
  const { kind, namespace, name } = rehearsal.rollout;
  const isOwn = ({ object }: Finding) =>
    object?.kind === kind && object.namespace === namespace && object.name === name;
  const own = all.filter((finding) => isOwn(finding) && !known.has(JSON.stringify(finding)));
  return own.length === 0 ? rehearsal : { ...rehearsal, findings: [...own, ...rehearsal.findings] };
}

/** The page. */
export function page(played: readonly Rehearsal[], context: RehearsalContext): Markup {
  const lines = new SourceLines(context.sources);
  const rehearsals = played.map((rehearsal) => withOwnFindings(rehearsal, context.findings));
  const shown = new Set(rehearsals.flatMap(({ findings }) => findings.map((finding) => JSON.stringify(finding))));
  const others = context.findings.filter((finding) => !shown.has(JSON.stringify(finding)));
  const summary = summaryOf(countFindings(context.findings, context));
  const title = `Rehearsal of ${rehearsals.length === 1 ? objectName(rehearsals[0]!.rollout) : counted(rehearsals.length, 'Rollout')}`;
  const hasStories = rehearsals.some(({ stories = [] }) => stories.length > 0);
  const style = PAGE_STYLES[hasStories ? 1 : 0]!;
  const script = (context.isFramed ? FRAMED_SCRIPTS : SCRIPTS)[hasStories ? 1 : 0]!;
  const storyIds = storyIdsOf(rehearsals);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${constant(policyOf(style, script))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}: ${summary}</title>
<link rel="icon" href="${constant(ICON)}">
<style>${constant(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the Rollouts</a>
<header>
<h1>${title}</h1>
<p class="lead">${summary}. Models of the controller and of the load balancers played each Rollout step by step; nothing was applied.</p>
${legend()}
</header>
<div class="page${rehearsals.length > 1 && ' several'}">
${rehearsals.length > 1 && contents(rehearsals)}<main id="main" tabindex="-1">
${rehearsals.length === 0 && html`<p>These manifests have no Rollout that routes traffic.</p>\n`}${others.length > 0 && otherFindings(others, lines)}${rehearsals.map((rehearsal, index) => rollout(rehearsal, index, lines, storyIds[index]!))}</main>
</div>
<footer><p>rollout-constructs${context.version !== undefined && ` ${context.version}`}</p></footer>
<p id="spoken" class="unseen" role="status" aria-live="polite"></p>
<script>${constant(script)}</script>
</body>
</html>
`;
}

function contents(rehearsals: readonly Rehearsal[]): Markup {
  const items = rehearsals.map(
    (rehearsal, index) =>
      html`<li><a href="#${idsOf(index).rollout}">${objectName(rehearsal.rollout)}</a> ${status(rehearsal)}</li>\n`,
  );
  return html`<nav aria-labelledby="contents"><h2 id="contents">Rollouts</h2>
<ol>
${items}</ol>
</nav>
`;
}

function legend(): Markup {
  const none = { canary: 0, stable: 0, failed: 0, other: 0 };
  const entries = [
    ['canary', 'reaches the new version'],
    ['stable', 'reaches the old version'],
    ['failed', 'gets an error'],
    ['other', 'goes elsewhere'],
  ] as const;
  return html`<ul class="legend" aria-label="What bars mean">${entries.map(
    ([part, words]) => html`<li>${bar({ ...none, [part]: 1 })} ${words}</li>`,
  )}</ul>`;
}
