/** Writes docs/reference from the doc comments of the package's exports. Removes the pages of removed exports. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { indexText, pageText } from './api-reference/markdown';
import type { Api, EntryPoint } from './api-reference/model';
import { pagesOf } from './api-reference/pages';
import { readApi } from './api-reference/read';

const ROOT = resolve(__dirname, '..');

/** The folder of the pages. */
export const folder = join(ROOT, 'docs', 'reference');

/** The entry points of package.json. */
export function entryPoints(): EntryPoint[] {
  const { name, exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return Object.entries<{ readonly types?: string }>(exports).flatMap(([path, { types }]) => {
    if (types === undefined) return [];
    const file = types.replace(/^\.\/lib\//, 'src/').replace(/\.d\.ts$/, '.ts');
    return [{ name: `${name}${path.slice(1)}`, file }];
  });
}

/** All files of docs/reference by name. */
export function referencePages(apis: readonly Api[]): ReadonlyMap<string, string> {
  const pages = apis.flatMap((api) => pagesOf(api));
  const texts = pages.map((page) => {
    const own = pages.filter(({ api }) => api === page.api);
    const byName = new Map(own.flatMap((one) => one.entries.map(({ name }) => [name, one] as const)));
    return [page.path, pageText(page, byName)] as const;
  });
  return new Map([['README.md', indexText(pages)], ...texts]);
}

/** The existing pages. */
export function writtenPages(): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort();
}

if (require.main === module) {
  const pages = referencePages(readApi(entryPoints()));
  mkdirSync(folder, { recursive: true });
  for (const name of writtenPages()) if (!pages.has(name)) rmSync(join(folder, name));
  for (const [name, text] of pages) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  console.log(`${pages.size} pages in docs/reference`);
}
