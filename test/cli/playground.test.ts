import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { built } from './built';
import { cli, folderWith } from './fixture';

const PAGE = join(__dirname, '..', '..', 'lib', 'playground.html');

describe('the command playground', () => {
  it.runIf(existsSync(PAGE))('writes the page, and only it, where it is asked to', async () => {
    const cwd = folderWith({ 'page.html': 'an older one' });
    const ended = await built(['playground', '--output', 'page.html', '--no-open'], cwd);
    expect(ended).toEqual({ code: 0, stdout: 'page.html\n', stderr: '' });
    expect(readFileSync(join(cwd, 'page.html'), 'utf8')).toBe(readFileSync(PAGE, 'utf8'));
    expect(readdirSync(cwd)).toEqual(['page.html']);
  });

  it.runIf(existsSync(PAGE) && process.platform === 'linux')('opens it with what the system has for that', async () => {
    const cwd = folderWith({ 'bin/xdg-open': '#!/bin/sh\necho "$1" > "$OPENED"\n', 'tmp/keep': '' });
    const { chmodSync } = await import('node:fs');
    chmodSync(join(cwd, 'bin', 'xdg-open'), 0o755);
    const env = { PATH: `${join(cwd, 'bin')}:/bin:/usr/bin`, OPENED: join(cwd, 'opened'), TMPDIR: join(cwd, 'tmp') };
    const { code, stdout } = await built(['playground'], cwd, env);
    expect(code).toBe(0);
    const file = stdout.trim();
    expect(file.startsWith(join(cwd, 'tmp', 'rollout-constructs-'))).toBe(true);
    await expect.poll(() => existsSync(env.OPENED) && readFileSync(env.OPENED, 'utf8')).toBe(`${file}\n`);
    const without = await built(['playground', '--output', 'again.html'], cwd, { PATH: join(cwd, 'none') });
    expect(without).toMatchObject({ code: 0, stderr: expect.stringContaining('open the file yourself') });
  });

  it('refuses files, and a place that cannot be written', async () => {
    const cwd = folderWith({});
    mkdirSync(join(cwd, 'folder'));
    writeFileSync(join(cwd, 'x.yaml'), '');
    expect(await cli(['playground', 'x.yaml'], { cwd })).toMatchObject({ code: 2, stdout: '' });
    if (!existsSync(PAGE)) return;
    const { code, stderr } = await built(['playground', '--no-open', '--output', 'folder'], cwd);
    expect(code).toBe(2);
    expect(stderr).toContain('folder');
  });
});
