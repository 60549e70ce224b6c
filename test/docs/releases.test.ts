import { expect, test } from 'vitest';
import { releasesPage } from '../../scripts/write-releases-page';
import { textOf } from './pages';

test('docs/releases.md has the facts of every release', () => {
  expect(textOf('docs/releases.md'), 'run "npx tsx scripts/write-releases-page.ts" and commit docs').toBe(
    releasesPage(),
  );
});

test('each fact has what it means', () => {
  expect(releasesPage()).not.toMatch(/^### `\w+`\n\n\n/m);
});
