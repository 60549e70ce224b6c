import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { labsFile, labsOfRecordings, recordingsPage } from '../../scripts/write-recordings-page';
import { textOf } from './pages';

it('docs/recordings.md lists the recordings that are there', () => {
  expect(textOf('docs/recordings.md'), 'run "npx tsx scripts/write-recordings-page.ts" and commit docs').toBe(
    recordingsPage(),
  );
});

it.each(['kruise', 'argo'])('the labs of %s are beside their recordings', (controller) => {
  const text = readFileSync(labsFile(controller), 'utf8');
  expect(text === labsOfRecordings(controller), 'run "npx tsx scripts/write-recordings-page.ts" and commit it').toBe(
    true,
  );
});
