/** The navigation of the site, from the table "What is where" of the README and the index of the reference. */
import { posix } from 'node:path';
import { type SitePage, textOf } from './pages';

/** A link of the navigation, or a group of them. */
export interface NavigationItem {
  readonly text: string;
  /** An address within the site. */
  readonly link?: string;
  /** `_self` for a page that the generator did not make: the browser loads it as a whole. */
  readonly target?: '_self';
  readonly items?: readonly NavigationItem[];
  readonly collapsed?: boolean;
}

/** The page of the site that is the playground. */
export const PLAYGROUND: NavigationItem = { text: 'Playground', link: '/index.html', target: '_self' };

/** What stands at the top of every page, by its address, the first of a name. */
export const TOP: readonly NavigationItem[] = [
  PLAYGROUND,
  { text: 'Guide', link: '/guide.html' },
  { text: 'Rules', link: '/rules/index.html' },
  { text: 'Reference', link: '/reference/index.html' },
  { text: 'Stories', link: '/stories.html' },
  { text: 'Recordings', link: '/recordings.html' },
];

/** The pages beside each page: those that the README lists, in its groups. */
export function sidebarOf(pages: readonly SitePage[], rehearsals: readonly NavigationItem[]): NavigationItem[] {
  const guide = pages.find(({ source }) => source === 'README.md')!;
  const table = guide.text.split('\n## What is where\n')[1]!.split('\n## ')[0]!;
  const byAddress = new Map(pages.map((page) => [page.address, page]));
  const groups = [...table.matchAll(/^\| ([^|\n]+) \| (.*) \|$/gm)].map(
    ([, group, links]): NavigationItem => ({
      text: capital(group!),
      collapsed: false,
      items: [...links!.matchAll(/\]\(([^)]+)\)/g)].flatMap(([, target]) => {
        const page = byAddress.get(posix.normalize(target!.split('#')[0]!));
        return page === undefined ? [] : [{ text: page.title, link: `/${page.address}` }];
      }),
    }),
  );
  return [
    { text: 'Try it', items: [PLAYGROUND, { text: 'Start', link: '/guide.html' }] },
    ...groups,
    { text: 'Rehearsals to look at', collapsed: false, items: rehearsals },
  ];
}

/** The pages of the reference, by entry point. */
export function referenceSidebar(pages: readonly SitePage[]): NavigationItem[] {
  const index = pages.find(({ source }) => source === 'docs/reference/README.md')!;
  const sections = index.text.split(/^## /m).slice(1);
  return [
    { text: 'All names', link: `/${index.address}` },
    ...sections.map((section): NavigationItem => {
      const links = [...section.matchAll(/^\| \[([^\]]+)\]\(([^)#]+)[^)]*\)/gm)];
      return {
        text: section.split('\n')[0]!.trim(),
        collapsed: true,
        items: links.map(([, name, target]) => ({ text: textOf(name!), link: posix.join('/reference', target!) })),
      };
    }),
  ];
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
