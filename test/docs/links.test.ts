import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pagesIn, ROOT, textOf } from './pages';

const pages = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...pagesIn('docs'),
  ...pagesIn('examples'),
  ...pagesIn('lua_configuration'),
  'test/vectors/README.md',
];

/** What of a page is read as text: neither blocks nor code. */
function prose(page: string): string {
  return textOf(page)
    .replaceAll(/^( *)```.*?^\1```$/gms, '')
    .replaceAll(/`[^`\n]*`/g, 'code');
}

function linksOf(page: string): string[] {
  return [...prose(page).matchAll(/\]\(([^()\s]+(?:\([^()]*\)[^()\s]*)*)\)/g)].map(([, target]) => target!);
}

/** The anchors of the headings of a page, as GitHub makes them. */
function anchorsOf(page: string): Set<string> {
  const seen = new Map<string, number>();
  const text = textOf(page).replaceAll(/^( *)```.*?^\1```$/gms, '');
  return new Set(
    [...text.matchAll(/^#{1,6} (.*)$/gm)].map(([, heading]) => {
      const slug = heading!
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
        .replaceAll(' ', '-');
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    }),
  );
}

describe('the links of the pages', () => {
  it('are many', () => {
    expect(pages.flatMap(linksOf).length).toBeGreaterThan(500);
  });

  it.each(pages.filter((page) => linksOf(page).length > 0))('of %s lead to what is there', (page) => {
    const broken = linksOf(page).filter((link) => {
      if (/^[a-z]+:/.test(link)) return !/^https:\/\/[^/\s]+\.[a-z]+(\/|$)/.test(link);
      const [path, anchor] = link.split('#');
      const target = path === '' ? page : posix.normalize(posix.join(dirname(page), path!));
      if (target.startsWith('..') || !existsSync(join(ROOT, target))) return true;
      if (anchor === undefined || statSync(join(ROOT, target)).isDirectory()) return false;
      return target.endsWith('.md') ? !anchorsOf(target).has(anchor) : !/^L\d+(-L\d+)?$/.test(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('are found in every page that has words in brackets before a parenthesis', () => {
    for (const page of pages) expect(linksOf(page).length, page).toBe(prose(page).split('](').length - 1);
  });

  it('leave no page of docs alone', () => {
    const linked = new Set(
      pages.flatMap((page) => linksOf(page).map((link) => posix.join(dirname(page), link.split('#')[0]!))),
    );
    expect(pagesIn('docs').filter((page) => !linked.has(page))).toEqual([]);
  });
});

describe('the paths that pages name', () => {
  const paths = /`((?:src|test|scripts|docs|bench|examples|templates|lua_configuration|policy-pack)\/[\w./-]*)`/g;
  const guides = pages.filter((page) => !/^docs\/(rules|reference)\//.test(page));

  it.each(guides)('of %s are there', (page) => {
    // A project of the reader has such folders too.
    const own = [...textOf(page).matchAll(paths)].map(([, path]) => path!).filter((path) => !isOfReader(page, path));
    expect(own.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('are the whole map: every folder of src is on it', () => {
    const map = textOf('CONTRIBUTING.md');
    for (const name of readdirSync(join(ROOT, 'src'))) expect(map, name).toContain(`\`src/${name}`);
  });
});

function isOfReader(page: string, path: string): boolean {
  return page === 'docs/testing-scripts.md' && path.startsWith('lua_configuration/');
}
