import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DefaultTheme, defineConfig, type MarkdownOptions } from 'vitepress';

/** What scripts/site wrote for this build: the pages are beside it. */
const { base, sidebar, reference, nav, repository } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'pages', 'navigation.json'), 'utf8'),
) as {
  readonly base: string;
  readonly sidebar: DefaultTheme.SidebarItem[];
  readonly reference: DefaultTheme.SidebarItem[];
  readonly nav: DefaultTheme.NavItem[];
  readonly repository: string;
};

/** The anchor of a heading as GitHub makes it, so that one link works in both places. */
function slugify(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
    .replaceAll(' ', '-');
}

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0];

/** Pages are Markdown and nothing else: braces in their text are no expressions of Vue. */
function literal(md: MarkdownIt): void {
  for (const name of ['text', 'code_inline'] as const) {
    const write = md.renderer.rules[name]!;
    md.renderer.rules[name] = (...args) => (write(...args) as string).replaceAll('{{', '&#123;&#123;');
  }
}

type Highlighter = Parameters<NonNullable<MarkdownOptions['shikiSetup']>>[0];

/** Half a second for a line is too little on a busy machine: the rest would lose its colours, and two builds would differ. */
function unhurried(highlighter: Highlighter): void {
  const { codeToHtml } = highlighter;
  highlighter.codeToHtml = (code, options) => codeToHtml(code, { ...options, tokenizeTimeLimit: 0 });
}

/** What the search finds: the words of a page, without its examples, of which each rule has two of a hundred lines. */
function searchable(text: string): string {
  return text.replaceAll(/^( *)(`{3,})[^\n]*\n.*?^\1\2$/gms, '');
}

export default defineConfig({
  title: 'rollout-constructs',
  description: 'Progressive delivery on Kubernetes, rehearsed before it ships',
  lang: 'en',
  base,
  srcDir: 'pages',
  // Every address is a file, which any server delivers as it is.
  cleanUrls: false,
  lastUpdated: false,
  // Page after page, so that the index of the search is the same each time.
  buildConcurrency: 1,
  // The navigation once for all pages, not in each.
  metaChunk: true,
  head: [
    ['meta', { name: 'referrer', content: 'no-referrer' }],
    [
      'link',
      {
        rel: 'icon',
        href: 'data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20viewBox=%220%200%2016%2016%22%3E%3Crect%20width=%2216%22%20height=%2216%22%20rx=%223%22%20fill=%22%23245d8f%22/%3E%3Cpath%20d=%22M0%2016V9h4V6h4v10z%22%20fill=%22%23f2c94c%22/%3E%3C/svg%3E',
      },
    ],
  ],
  markdown: {
    anchor: { slugify },
    attrs: { disable: true },
    emoji: { enabled: [] },
    config: literal,
    shikiSetup: unhurried,
  },
  // The index of the search is one file, which is loaded when somebody searches.
  vite: { build: { chunkSizeWarningLimit: 2000 } },
  themeConfig: {
    // Of this link VitePress does not know that it is below the base.
    logoLink: { link: `${base}index.html`, target: '_self' },
    nav,
    sidebar: { '/': sidebar, '/reference/': [...reference, ...sidebar] },
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: { _render: (text, env, md) => md.render(searchable(text), env) },
    },
    footer: { message: `<a href="${repository}">The repository</a>. Apache-2.0.` },
    docFooter: { prev: false, next: false },
    externalLinkIcon: false,
  },
});
