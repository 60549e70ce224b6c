import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { WRONG_CHANGES } from './changes';
import { changed } from './notice';

const page = readFileSync(join(__dirname, '../../../docs/how-we-know.md'), 'utf8');

describe('wrong changes', () => {
  test.each(WRONG_CHANGES)('$name: can be made, and the page says how many labs notice it', (change) => {
    expect(changed(change).text).toContain(change.to);
    expect(page).toMatch(new RegExp(`\\| ${change.name} \\| ${change.program} \\| [1-9]\\d* \\|`));
  });

  test('are at least ten', () => {
    expect(new Set(WRONG_CHANGES.map(({ name }) => name)).size).toBeGreaterThanOrEqual(10);
  });
});
