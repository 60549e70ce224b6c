import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, folderWith } from './fixture';
import { CASE, library, ROUTE_CASE } from './library';

const WRONG = { 'example.com/Route/testdata/half.yaml': ROUTE_CASE.replace('weight: 50', 'weight: 60') };

describe('test --update beside a report that a program reads', () => {
  it.each(['json', 'junit', 'tap', 'github'])('leaves stdout to the report in %s', async (reporter) => {
    const cwd = folderWith(library(WRONG));
    const { code, stdout, stderr } = await cli(['test', '--no-checks', '--update', '--yes', '--reporter', reporter], {
      cwd,
    });
    expect(code).toBe(0);
    expect(stderr).toContain('weight: 50');
    expect(stderr).toContain('wrote 1 file');
    expect(await cli(['test', '--no-checks', '--reporter', reporter], { cwd })).toMatchObject({ code: 0, stdout });
  });

  it('asks where it shows', async () => {
    const cwd = folderWith(library(WRONG));
    const before = readFileSync(join(cwd, CASE), 'utf8');
    const args = ['test', '--no-checks', '--update', '--reporter', 'json'];
    const { stdout, stderr } = await cli(args, { cwd, isTTY: { stdin: true, stderr: true }, stdin: 'n\n' });
    expect(stderr).toContain('write 1 file? [y/N]');
    expect(JSON.parse(stdout)).toBeDefined();
    expect(readFileSync(join(cwd, CASE), 'utf8')).toBe(before);
    // A question that nobody sees is not asked.
    const unseen = await cli(args, { cwd, isTTY: { stdin: true, stdout: true }, stdin: 'y\n' });
    expect(unseen.code).toBe(2);
    expect(readFileSync(join(cwd, CASE), 'utf8')).toBe(before);
  });

  it('shows it on stdout where the report goes into a file', async () => {
    const cwd = folderWith(library(WRONG));
    const { stdout } = await cli(
      ['test', '--no-checks', '--update', '--yes', '--reporter', 'json', '--output', 'a.json'],
      { cwd },
    );
    expect(stdout).toContain('wrote 1 file');
  });
});
