import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { defaultJobs } from '../../src/cli/parallel/options';
import { built } from './built';
import { cli, folderWith } from './fixture';
import { filesOfApplications } from './stacks';

// Threads run the built files only; `npm test` builds them before.
const isBuilt = existsSync(join(__dirname, '..', '..', 'lib', 'cli', 'parallel', 'worker.js'));

let cwd = '';
beforeAll(() => {
  cwd = folderWith(filesOfApplications(10));
});

describe('--jobs', () => {
  it.runIf(isBuilt).each([
    ['check', 'pretty'],
    ['rehearse', 'json'],
  ])('writes the same for %s as %s, however many threads there are', async (command, format) => {
    const run = (...options: string[]) => built([command, 'deploy', '--format', format, ...options], cwd);
    const [one, many] = [await run('--jobs', '1'), await run('--jobs', '3')];
    expect(many).toEqual(one);
    expect(one.code).toBe(1);
    expect(one.stderr).toBe('');
  });

  it.runIf(isBuilt)('shares the work of a shard, too', async () => {
    const run = (...options: string[]) =>
      built(['check', 'deploy', '--shard', '2/3', '--format', 'json', ...options], cwd);
    expect(await run('--jobs', '3')).toEqual(await run('--jobs', '1'));
  });

  it.runIf(isBuilt)('has threads with the places of items of a List', async () => {
    const list = folderWith({});
    const items = Object.values(filesOfApplications(8)).flatMap((text) =>
      parseAllDocuments(text).map((document) => document.toJS()),
    );
    writeFileSync(join(list, 'list.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 1));
    const run = (jobs: string) => built(['check', 'list.json', '--format', 'json', '--jobs', jobs], list);
    const [one, two] = [await run('1'), await run('2')];
    expect(two).toEqual(one);
    const lines = JSON.parse(one.stdout).findings.map(({ source }: { source?: { line: number } }) => source?.line);
    expect(new Set(lines).size).toBeGreaterThan(3);
  });

  it('writes the same from the sources, which have one thread', async () => {
    const run = (...options: string[]) => cli(['check', 'deploy', '--format', 'json', ...options], { cwd });
    expect(await run('--jobs', '4')).toEqual(await run());
  });

  it('is one for small stacks', () => {
    expect([1, 50, 400].map(defaultJobs)).toEqual([1, 1, 1]);
    expect(defaultJobs(100_000)).toBeGreaterThanOrEqual(1);
  });
});
