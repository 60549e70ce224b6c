import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, folderWith, start } from './fixture';
import { CASE, library, NGINX_LUA, ROUTE_CASE, ROUTE_LUA, SCRIPT } from './library';

const WAITING = 'waiting for changes; Ctrl-C ends\n';

/** Watches in this process; each step waits until a run has ended, and returns what it printed. */
function watching(folder: string, isTTY = false) {
  let output = '';
  let errors = '';
  let seen = 0;
  let interrupt = () => {};
  let changed = () => {};
  const ended = cli(['test', '--no-checks', '--no-color', '--watch'], {
    cwd: folder,
    isTTY: { stdout: isTTY },
    onInterrupt(listener) {
      interrupt = listener;
      return () => {};
    },
    onOutput(text) {
      output = text;
      changed();
    },
    onError(text) {
      errors = text;
      changed();
    },
  });
  const until = async (condition: () => boolean) => {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        changed = resolve;
      });
    }
  };
  const stderr = (text: string) => until(() => errors.includes(text));
  const nextRun = async () => {
    await until(() => output.indexOf(WAITING, seen) >= 0);
    const end = output.indexOf(WAITING, seen) + WAITING.length;
    const run = output.slice(seen, end);
    seen = end;
    return run;
  };
  return { nextRun, stderr, interrupt: () => interrupt(), ended };
}

describe('test --watch', () => {
  it('tests again what a change concerns, until Ctrl-C', async () => {
    const folder = folderWith(library());
    const { nextRun, interrupt, ended } = watching(folder);
    expect(await nextRun()).toContain('4 passed, 0 failed');

    writeFileSync(join(folder, SCRIPT), ROUTE_LUA.replace('obj.canaryWeight\n', 'obj.stableWeight + 1\n'));
    const broken = await nextRun();
    expect(broken).toContain(`changed: ${SCRIPT}\n`);
    expect(broken).toContain('spec.weight: expected 50, got 51');
    expect(broken).not.toContain('ingress.nginx');

    writeFileSync(join(folder, CASE), ROUTE_CASE.replace('weight: 50', 'weight: 51'));
    expect(await nextRun()).toContain('1 passed, 0 failed');

    interrupt();
    expect((await ended).code).toBe(0);
  });

  it('sees cases and scripts that come and go', async () => {
    const folder = folderWith(library());
    const { nextRun, interrupt, ended } = watching(folder);
    await nextRun();
    writeFileSync(join(folder, CASE.replace('half', 'again')), ROUTE_CASE);
    expect(await nextRun()).toContain('2 passed, 0 failed');
    rmSync(join(folder, CASE));
    expect(await nextRun()).toContain('1 passed, 0 failed');
    writeFileSync(join(folder, 'lua_configuration/trafficrouting_ingress/other.lua'), NGINX_LUA);
    expect(await nextRun()).toContain('ingress.other');
    interrupt();
    expect((await ended).code).toBe(0);
  });

  it('waits while everything is gone for a moment', async () => {
    const folder = folderWith(library());
    const { nextRun, interrupt, ended, stderr } = watching(folder);
    await nextRun();
    renameSync(join(folder, 'lua_configuration'), join(folder, 'elsewhere'));
    await stderr('there is no folder or file "./lua_configuration"; waiting for changes\n');
    renameSync(join(folder, 'elsewhere'), join(folder, 'lua_configuration'));
    writeFileSync(join(folder, SCRIPT), `${ROUTE_LUA}-- changed\n`);
    expect(await nextRun()).toContain('4 passed, 0 failed');
    interrupt();
    expect((await ended).code).toBe(0);
  });

  it('clears a terminal, and nothing else', async () => {
    const folder = folderWith(library());
    for (const isTTY of [true, false]) {
      const { nextRun, interrupt, ended } = watching(folder, isTTY);
      await nextRun();
      writeFileSync(join(folder, SCRIPT), `${ROUTE_LUA}-- ${isTTY}\n`);
      expect((await nextRun()).includes('\u001b[2J')).toBe(isTTY);
      interrupt();
      await ended;
    }
  });

  it('ends with 0 at SIGINT as a process', async () => {
    const { child, ended, stdout } = start(['test', '--no-checks', '--watch'], { cwd: folderWith(library()) });
    await new Promise<void>((resolve) => child.stdout.on('data', () => stdout().includes(WAITING) && resolve()));
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});
