/** The pages of the documentation site before they are HTML. `npm run test:site` looks at the built ones. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { brokenLinks } from '../../scripts/site/check';
import { referenceSidebar, sidebarOf, TOP } from '../../scripts/site/navigation';
import { sitePages, withLinks } from '../../scripts/site/pages';
import { ruleListPage } from '../../scripts/site/rules';
import { ruleGroups, wholeCatalogue } from '../../src/check';
import { findingOf } from '../../src/core/rule';
import { SITE, siteAddressOf } from '../../src/core/site';
import { ruleExplanation } from '../../src/report/rule-page';
import { sarif } from '../../src/report/sarif';
import { ROOT } from '../docs/pages';

const pages = sitePages();
const byAddress = new Map(pages.map((page) => [page.address, page]));
const rules = ruleGroups.flatMap((group) => group.rules);

/** The targets of the links of a page. */
function linksOf(text: string): string[] {
  const links: string[] = [];
  withLinks(text, '', (target) => {
    links.push(target);
    return target;
  });
  return links;
}

describe('the pages of the site', () => {
  it('are those of docs/ and what people look for at the root', () => {
    expect(pages.length).toBeGreaterThan(400);
    expect(byAddress.get('guide.html')).toMatchObject({ source: 'README.md', title: 'rollout-constructs' });
    expect(byAddress.get('reference/index.html')).toMatchObject({ source: 'docs/reference/README.md' });
    expect(pages.filter(({ title }) => title === '')).toEqual([]);
    // The front page is the playground.
    expect(byAddress.has('index.html')).toBe(false);
  });

  it('have one for each rule that a finding can name, at the address that reports link to', () => {
    const without = rules.filter((rule) => {
      const { docs } = findingOf(rule, { message: 'found' });
      const [file, anchor] = siteAddressOf(docs)!.split('#');
      const page = byAddress.get(file!);
      return page === undefined || !page.text.includes(anchor === undefined ? `# ${rule.id}\n` : `\n## ${anchor}\n`);
    });
    expect(rules.length).toBeGreaterThan(400);
    expect(without.map(({ id }) => id)).toEqual([]);
  });

  it('are those that SARIF and explain link to', () => {
    const catalogue = wholeCatalogue();
    const log = JSON.parse(sarif([], { color: false, ascii: false, version: '1.0.0', catalogue }));
    const described: readonly { readonly id: string; readonly helpUri: string }[] = log.runs[0].tool.driver.rules;
    expect(described.map(({ id }) => id)).toEqual([...catalogue].map(({ id }) => id));
    for (const { id, helpUri } of described) {
      expect(helpUri.startsWith(SITE)).toBe(true);
      expect(byAddress.has(helpUri.slice(SITE.length).split('#')[0]!), helpUri).toBe(true);
      const rule = catalogue.get(id)!;
      expect(ruleExplanation(rule, 'annotation', { color: false })).toContain(`\n    ${helpUri}\n`);
    }
  });

  it('link to each other, to pictures beside them, and else to the repository', () => {
    const lost = pages.flatMap(({ address, text }) =>
      linksOf(text)
        .filter((link) => !/^https?:|^#/.test(link))
        .filter((link) => {
          const target = posix.join(posix.dirname(address), link.split('#')[0]!);
          return !byAddress.has(target) && !existsSync(join(ROOT, 'docs', target));
        })
        .map((link) => `${address}: ${link}`),
    );
    expect(lost).toEqual([]);
    expect(linksOf(byAddress.get('recordings.html')!.text)).toContain('./stories.html');
    expect(linksOf(byAddress.get('reference/index.html')!.text)).toContain('../guide.html#what-is-where');
    expect(linksOf(byAddress.get('recordings.html')!.text).join(' ')).toMatch(/\/blob\/main\/test\/stage\/README\.md/);
  });

  it('keep what looks like a link in code', () => {
    const text = 'See [a](b.md), `[c](d.md)` and\n\n```md\n[e](f.md)\n```\n';
    expect(withLinks(text, '', () => 'x')).toBe(text.replace('b.md', 'x'));
  });

  it('have addresses that stay: a change here breaks links of reports', () => {
    expect(siteAddressOf('docs/rules/yaml-invalid.md')).toBe('rules/yaml-invalid.html');
    expect(siteAddressOf('docs/rules/argo-admission.md#argo-strategy-not-one')).toBe(
      'rules/argo-admission.html#argo-strategy-not-one',
    );
    expect(siteAddressOf('docs/rules/README.md')).toBe('rules/index.html');
    expect(siteAddressOf('src/core/site.ts')).toBeUndefined();
    expect(SITE).toMatch(/^https:\/\/.*\/$/);
  });
});

describe('the navigation of the site', () => {
  const listed = (items: ReturnType<typeof sidebarOf>): string[] =>
    items.flatMap(({ link, items: inner }) => [...(link === undefined ? [] : [link]), ...listed([...(inner ?? [])])]);

  it('leads to pages that there are', () => {
    const made = ['/index.html', '/rules/index.html', '/rehearsals/index.html'];
    for (const link of [...listed([...TOP]), ...listed(sidebarOf(pages, [])), ...listed(referenceSidebar(pages))]) {
      expect(made.includes(link) || byAddress.has(link.slice(1)), link).toBe(true);
    }
  });

  it('has all guides of the README, and all names of the reference', () => {
    const guides = pages.filter(({ source }) => /^docs\/[^/]+$/.test(source)).map(({ address }) => `/${address}`);
    const sidebar = listed(sidebarOf(pages, []));
    // Parts of guides that only those lead to.
    const inner = ['/cluster-facts.html', '/recordings.html', '/stories.html'];
    expect(guides.filter((guide) => !sidebar.includes(guide)).sort()).toEqual(inner);
    const reference = pages.filter(({ source }) => source.startsWith('docs/reference/'));
    const names = new Set(listed(referenceSidebar(pages)));
    expect(reference.filter(({ address }) => !names.has(`/${address}`)).map(({ source }) => source)).toEqual([]);
  });

  it('lists each rule with its page', () => {
    const page = ruleListPage();
    for (const { id } of rules) expect(page).toContain(`"id":"${id}"`);
  });
});

describe('the check of links', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-constructs-links-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['<a href="there.html#here">', []],
    ['<a href="/base/there.html?x=1">', []],
    ['<a href="https://example.com/x">', []],
    ['<script>"<a href=lost.html>"</script>', []],
    ['<a class="x" href="lost.html">', ['page.html: the link lost.html leads to no file']],
    ['<a href="there.html#lost">', ['page.html: the link there.html#lost leads to no such place in its page']],
    ['<a href="/there.html">', ['page.html: the link /there.html leaves /base/']],
    ['<a href="http://x">', ['page.html: the link http://x is no address of the web']],
    [
      '<img alt="" src="https://example.com/x.png">',
      ['page.html: the link https://example.com/x.png loads from another place'],
    ],
    ['<script src="lost.js"></script>', ['page.html: the link lost.js leads to no file']],
  ])('of %s says %j', (html, problems) => {
    writeFileSync(join(folder, 'there.html'), '<h2 id="here">');
    writeFileSync(join(folder, 'page.html'), html);
    expect(brokenLinks(folder, '/base/')).toEqual(problems);
  });
});
