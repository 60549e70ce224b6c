/** The links of a built site: every one leads to a file that is there, and to an anchor in it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** The files of a folder and of those below it, by their paths within it. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      posix.relative(folder.replaceAll('\\', '/'), join(entry.parentPath, entry.name).replaceAll('\\', '/')),
    )
    .sort();
}

/** What elements load by themselves; a page loads nothing from elsewhere. */
const LOADS = /<(?:script|img|iframe|source|video|audio|embed)\b[^>]*?\ssrc="([^"]*)"|<link\b[^>]*?\shref="([^"]*)"/g;
const LINKS = /<a\b[^>]*?\shref="([^"]*)"/g;
const IDS = /\sid="([^"]*)"/g;
/** What is text for a browser: scripts hold HTML that is nobody's link. */
const SCRIPTS = /<(script|style)\b([^>]*)>.*?<\/\1>/gs;

/** The pages of a site with what they refer to. */
interface ReadPage {
  readonly links: readonly string[];
  readonly loads: readonly string[];
  readonly ids: ReadonlySet<string>;
}

/**
 * What is wrong with the links of a site, one sentence each.
 * @param base the path at which the site is served: `/` or `/docs/`
 */
export function brokenLinks(folder: string, base: string): string[] {
  const files = new Set(filesIn(folder));
  const pages = new Map(
    [...files]
      .filter((file) => file.endsWith('.html'))
      .map((file) => [file, read(readFileSync(join(folder, file), 'utf8'))]),
  );
  return [...pages].flatMap(([page, { links, loads }]) => [
    ...links.flatMap((link) => problemOf(link, page, true)),
    ...loads.flatMap((link) => problemOf(link, page, false)),
  ]);

  function problemOf(link: string, page: string, mayLeave: boolean): string[] {
    const said = (what: string) => [`${page}: the link ${link} ${what}`];
    if (link.startsWith('data:') && !mayLeave) return [];
    if (/^[a-z]+:/i.test(link)) {
      if (!mayLeave) return said('loads from another place');
      return /^https:\/\/[^/\s]+\.[a-z]+(\/|$)/.test(link) ? [] : said('is no address of the web');
    }
    const url = new URL(link, `https://site.invalid${base}${page}`);
    const path = decodeURIComponent(url.pathname);
    if (url.hostname !== 'site.invalid' || !path.startsWith(base)) return said(`leaves ${base}`);
    const file = path.slice(base.length);
    const target = file === '' || file.endsWith('/') ? `${file}index.html` : file;
    if (!files.has(target)) return said('leads to no file');
    const anchor = decodeURIComponent(url.hash.slice(1));
    if (anchor === '' || pages.get(target)?.ids.has(anchor)) return [];
    return said('leads to no such place in its page');
  }
}

function read(html: string): ReadPage {
  const text = html.replaceAll(SCRIPTS, '<$1$2>');
  return {
    loads: [...text.matchAll(LOADS)].map(([, src, href]) => unescaped((src ?? href)!)),
    links: [...text.matchAll(LINKS)].map(([, href]) => unescaped(href!)),
    ids: new Set([...text.matchAll(IDS)].map(([, id]) => unescaped(id!))),
  };
}

function unescaped(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
