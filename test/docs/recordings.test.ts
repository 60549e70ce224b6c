/** What is written of the labs. test/stage/recordings.test.ts has played every rehearsal and so holds the page itself. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { labsFile, labsOfRecordings } from '../../scripts/write-recordings-page';

it.each(['kruise', 'argo'])('the labs of %s are beside their recordings', (controller) => {
  const text = readFileSync(labsFile(controller), 'utf8');
  expect(text === labsOfRecordings(controller), 'run "npx tsx scripts/write-recordings-page.ts" and commit it').toBe(
    true,
  );
});
