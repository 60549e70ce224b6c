/** The pages of the documentation site: the Markdown of the repository, with links that lead within the site. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, posix, resolve } from 'node:path';
import { siteAddressOf } from '../../src/core/site';

const ROOT = resolve(__dirname, '..', '..');

/** Pages outside docs/ that readers look for. */
const OF_ROOT = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];

/** A page of the repository, and what the site makes of it. */
export interface SitePage {
  /** In the repository: `docs/rules/README.md`. */
  readonly source: string;
  /** In the site: `rules/index.html`. */
  readonly address: string;
  /** Its first heading. */
  readonly title: string;
  /** Markdown whose links lead within the site, or to the repository. */
  readonly text: string;
}

/** All pages that are written in the repository, in the order of their addresses. */
export function sitePages(): readonly SitePage[] {
  const sources = [...OF_ROOT, ...markdownIn('docs')];
  return sources
    .map((source): SitePage => {
      const text = readFileSync(resolve(ROOT, source), 'utf8');
      return { source, address: siteAddressOf(source)!, title: titleOf(text), text: withLinks(text, source, linkOf) };
    })
    .sort((a, b) => (a.address < b.address ? -1 : 1));
}

function markdownIn(folder: string): string[] {
  return readdirSync(resolve(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return markdownIn(path);
    return path.endsWith('.md') ? [path] : [];
  });
}

/** Blocks of code, code within a line, and the targets of links, of which only the last are changed. */
const PARTS =
  /^(?<indent> *)(?<fence>`{3,})[^\n]*\n.*?^\k<indent>\k<fence>$|`[^`\n]*`|\]\((?<target>[^()\s]+(?:\([^()]*\)[^()\s]*)*)\)/gms;

/** The text with other targets for its links and pictures. */
export function withLinks(text: string, source: string, targetOf: (target: string, source: string) => string): string {
  return text.replaceAll(PARTS, (part, ...rest) => {
    const { target } = rest.at(-1) as { readonly target?: string };
    return target === undefined ? part : `](${targetOf(target, source)})`;
  });
}

/** A link of a page: to a page of the site, to a picture, or to a file of the repository that the site does not have. */
function linkOf(target: string, source: string): string {
  if (/^[a-z]+:|^#/.test(target)) return target;
  const path = posix.normalize(posix.join(dirname(source), target));
  const page = siteAddressOf(path);
  if (page !== undefined) return fromPage(siteAddressOf(source)!, page);
  // Pictures stand beside the pages, as in docs/.
  if (path.startsWith('docs/')) return fromPage(siteAddressOf(source)!, path.slice('docs/'.length));
  return repositoryAddress(path);
}

/** A link from one page to another; `./` tells it from the name of a package. */
function fromPage(from: string, to: string): string {
  const path = posix.relative(dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

/** A file or folder of the repository, where it can be read. */
export function repositoryAddress(path: string): string {
  const { homepage } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8'));
  return `${homepage}/${/\.\w+(#.*)?$/.test(path) ? 'blob' : 'tree'}/main/${path}`;
}

/** The first heading of a page, as text. */
export function titleOf(text: string): string {
  return textOf(/^# (.*)$/m.exec(text)?.[1] ?? '');
}

/** Markdown of one line without its marks. */
export function textOf(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .trim();
}
