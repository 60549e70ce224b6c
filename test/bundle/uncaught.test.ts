import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(__dirname, '..', '..');

describe('an error of the library that nobody catches', () => {
  it.each([
    ['HeaderMatch.exact(5)', '"name" is the number 5'],
    ["KruiseRolloutVersion.of('9.9')", 'version "9.9" is not a version'],
  ])('shows its message and one line of code: %s', (call, message) => {
    const text = `require(${JSON.stringify(ROOT)}).${call}`;
    const { stderr, status } = spawnSync(process.execPath, ['-e', text], { encoding: 'utf8' });
    expect(status).toBe(1);
    expect(stderr).toContain(message);
    expect(Math.max(...stderr.split('\n').map((line) => line.length))).toBeLessThan(500);
  });
});
