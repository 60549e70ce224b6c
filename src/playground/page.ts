/** The page of the playground: one file with everything in it. */
import { sha256Base64 } from '../core/sha256';
import { PAGE_STYLE as ENVIRONMENTS_STYLE } from '../report/environment-preview-html';
import { constant, html, type Markup } from '../report/rehearsal/html/markup';
import { PAGE_SCRIPTS, PAGE_STYLES } from '../report/rehearsal/html/page';
import { EXAMPLES_ID, type Example, HEART_ID } from './names';
import { STYLE } from './style';

/** What the page is made of. */
export interface PageParts {
  /** The script of the page itself. */
  readonly view: string;
  /** The library, which runs in a worker. */
  readonly heart: string;
  readonly examples: readonly Example[];
  readonly version: string;
  /**
   * Links to pages beside this one, which is then the front page of the documentation site: findings lead to the pages of
   * their rules.
   * @default - the page stands alone
   */
  readonly links?: readonly PageLink[];
}

/** A link in the head of the page. */
export interface PageLink {
  readonly text: string;
  readonly href: string;
}

/**
 * Nothing is loaded, from anywhere: the page, its worker and its pictures run only the scripts and style sheets of these
 * hashes. The policy `playground` makes the address of the worker; nothing makes HTML.
 */
function policyOf(view: string): string {
  const styles = [STYLE, ...PAGE_STYLES, ENVIRONMENTS_STYLE].map(hashOf).join(' ');
  const scripts = [view, ...PAGE_SCRIPTS].map(hashOf).join(' ');
  return [
    "default-src 'none'",
    `style-src ${styles}`,
    `script-src ${scripts}`,
    'worker-src blob:',
    'frame-src blob:',
    'img-src data:',
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types playground',
  ].join('; ');
}

function hashOf(text: string): string {
  return `'sha256-${sha256Base64(text)}'`;
}

/** Code within an element of a page: `</script` and `<!--` would end it, or change how it is read. */
export function embedded(code: string): string {
  return code.replace(/<(?=\/script|script|!--)/gi, '\\x3c');
}

/** Data within an element of a page. */
function data(value: unknown): Markup {
  return constant(JSON.stringify(value).replaceAll('<', '\\u003c'));
}

/**
 * The page. First come the words and the style sheet, so that there is a picture before any code is read.
 * @example playgroundPage({ view, heart, examples, version: '1.0.0' }).text
 */
export function playgroundPage({ view, heart, examples, version, links = [] }: PageParts): Markup {
  const script = embedded(view);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${constant(policyOf(script))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>rollout-constructs playground</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20viewBox=%220%200%2016%2016%22%3E%3Crect%20width=%2216%22%20height=%2216%22%20rx=%223%22%20fill=%22%23245d8f%22/%3E%3Cpath%20d=%22M0%2016V9h4V6h4v10z%22%20fill=%22%23f2c94c%22/%3E%3C/svg%3E">
<style>${constant(STYLE)}</style>
</head>
<body${links.length === 0 ? '' : constant(' data-site')}>
<a class="skip" href="#text">Skip to the manifests</a>
<header>
<div class="name">
<h1>rollout-constructs playground</h1>
<p>Paste manifests and see the release before it happens. Nothing leaves this page.</p>
</div>
${links.length === 0 ? '' : html`<nav class="site" aria-label="Documentation">${links.map(({ text, href }) => html`<a href="${href}">${text}</a>`)}</nav>`}
<div class="tools">
<label for="example">Example</label>
<select id="example"><option value="">your own</option>${examples.map(({ name, title }) => html`<option value="${name}">${title}</option>`)}</select>
<button id="open" type="button">Open files</button>
<input id="files" type="file" multiple accept=".yaml,.yml,.json" class="unseen" tabindex="-1" aria-hidden="true">
<button id="share" type="button" class="main">Share</button>
</div>
<div id="shared" class="shared" hidden>
<label for="link">Link</label>
<input id="link" type="text" readonly>
<p id="share-told" role="status"></p>
</div>
<p id="told" class="told" role="alert" hidden></p>
</header>
<main>
<section class="write" aria-labelledby="text-title">
<div class="bar">
<h2 id="text-title"><label for="text">Manifests</label></h2>
<p id="status" class="status" role="status" data-state="working">starting…</p>
</div>
<div id="editor" class="editor">
<div id="numbers" class="numbers" aria-hidden="true">1</div>
<div class="field">
<div id="marks" class="marks" aria-hidden="true"></div>
<textarea id="text" spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" aria-describedby="status text-help" placeholder="Paste or drop manifests of Kruise Rollouts, Argo Rollouts or KtEnv here, with their Services, Ingresses and workloads."></textarea>
</div>
</div>
<p id="text-help" class="unseen">YAML or JSON; several documents are divided by three dashes. Tab leaves the field. Findings are listed below, with buttons that lead to their lines.</p>
<h2 id="findings-title">Findings</h2>
<ol id="findings" class="findings" aria-labelledby="findings-title"></ol>
<p id="assumed" class="quiet"></p>
</section>
<section class="see">
<div class="bar">
<h2 id="picture-title">Rehearsal</h2>
<div id="choices" class="choices" role="group" aria-label="Picture" hidden></div>
</div>
<div id="pictures" class="pictures"><p class="empty">The rehearsal appears here: where each request goes, at every moment of the release.</p></div>
<h2 id="requests-title">Requests of your own</h2>
<form id="ask" class="ask">
<label for="request" class="unseen">Request</label>
<input id="request" type="text" spellcheck="false" autocapitalize="off" autocomplete="off" placeholder='GET https://shop.example.com/cart -H "x-user: 1"' aria-describedby="request-help">
<button type="submit">Send</button>
</form>
<p id="request-help" class="quiet">As curl has it. "from 10.0.0.1" at the end is the address of the client.</p>
<ol id="answers" class="answers" aria-labelledby="requests-title"></ol>
</section>
</main>
<footer><p>rollout-constructs ${version}. The same answers come from <code>rollout-constructs check</code>, <code>rehearse</code> and <code>route</code>.</p></footer>
<noscript><p class="told">The playground needs JavaScript. The command line does not: rollout-constructs check.</p></noscript>
<script type="application/json" id="${EXAMPLES_ID}">${data(examples)}</script>
<script type="text/plain" id="${HEART_ID}">${constant(embedded(heart))}</script>
<script>${constant(script)}</script>
</body>
</html>
`;
}
