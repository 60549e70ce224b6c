import { expect, it } from 'vitest';
import { recordingsPage } from '../../scripts/write-recordings-page';
import { textOf } from './pages';

it('docs/recordings.md lists the recordings that are there', () => {
  expect(textOf('docs/recordings.md'), 'run "npx tsx scripts/write-recordings-page.ts" and commit docs').toBe(
    recordingsPage(),
  );
});
