import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(__dirname, '..', '..');

it('docs/security.md names, for each threat, a test that is there', () => {
  const text = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
  const rows = [...text.matchAll(/^\| (?!threat|---)(.+) \| (.+) \| (`test\/.+`) \|$/gm)];
  expect(rows.length).toBeGreaterThan(10);
  for (const [, threat, , tests] of rows)
    for (const [, test] of tests!.matchAll(/`([^`]+)`/g))
      expect(existsSync(join(ROOT, test!)), `${threat}: ${test}`).toBe(true);
});
