/** Previews of virtual environments against a real sidecar of Istio. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { namedEnvironments, randomEnvironments } from './cases/environments';
import { type AnsweredEnvironments, differencesOfPreview } from './previewed';

const FILE = join(__dirname, 'environments', 'istio.jsonl');
const answered = readFileSync(FILE, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as AnsweredEnvironments);

it('are asked with the cases of today', () => {
  const asked = answered.map(({ requests: _requests, ...each }) => each);
  const today = [...namedEnvironments(), ...randomEnvironments(0, asked.length - namedEnvironments().length)];
  expect(asked, 'run "npm run stage -- environments"').toEqual(JSON.parse(JSON.stringify(today)));
});

describe.each(answered.map((each) => [each.case, each] as const))('%s', (_name, each) => {
  it('is answered as previewed', () => {
    expect(each.requests.length).toBeGreaterThan(0);
    expect(differencesOfPreview(each)).toEqual([]);
  });
});
