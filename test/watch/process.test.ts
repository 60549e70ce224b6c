/** The command as it is shipped, in a process of its own: exit codes, Ctrl-C, and a terminal. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { BIN } from '../cli/built';
import { folderWith, start } from '../cli/fixture';
import { argoCluster } from '../doctor/argo-cluster';
import { WatchServer } from './watch-server';

const HAS_SCRIPT = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

async function clusterWith(objects: string) {
  const server = await WatchServer.start({ objects, kinds: ['Rollout.argoproj.io'] });
  return { server, cwd: folderWith({ kubeconfig: server.kubeconfig }) };
}

const COMMAND = ['watch', 'shop/shop', '--kubeconfig', 'kubeconfig'];

async function begun(...args: readonly string[]) {
  const { server, cwd } = await clusterWith(argoCluster());
  const { child, ended, stdout } = start([...COMMAND, ...args], { cwd, env: { NO_COLOR: '1' } });
  return { server, child, ended, saw: (text: RegExp) => sees(child, stdout, text) };
}

/** Waits until a process has written something. */
function sees(child: ChildProcess, stdout: () => string, text: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = () => text.test(stdout()) && resolve();
    child.stdout!.on('data', look);
    child.once('close', () => reject(new Error(`it ended without ${text}: ${stdout()}`)));
    look();
  });
}

// Each has a server of its own and waits for a process: they wait at the same time.
describe.concurrent('the process', () => {
  it('goes on through a restart of the API server, and ends with 0 once the release is healthy', async () => {
    const { server, saw, ended } = await begun('--until', 'healthy', '--timeout', '100');
    await saw(/waiting: Paused, step 2 of 4/);
    await server.stop();
    await saw(/! no news since .*: the connection (is refused|broke)/);
    server.set(argoCluster({ status: 'idle' }));
    await server.listen();
    const { code, stdout, stderr } = await ended;
    expect([code, stderr]).toEqual([0, 'the new version is released\n']);
    expect(stdout).toContain(
      'healthy: Healthy: the new version is released; GET http://shop.example.com/ (100% to shop/shop-stable)',
    );
  });

  it('ends with 130 at Ctrl-C before the goal', async () => {
    const { child, saw, ended } = await begun('--until', 'healthy');
    await saw(/waiting: Paused/);
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
  });

  it.skipIf(!HAS_SCRIPT)('draws a page in place on a terminal, and leaves the last one there', async () => {
    const { server, cwd } = await clusterWith(argoCluster());
    const inner = `stty cols 90 rows 30; exec ${process.execPath} ${BIN} ${COMMAND.join(' ')} --until healthy`;
    const child = spawn('script', ['-qec', inner, '/dev/null'], {
      cwd,
      env: { ...process.env, LC_ALL: 'C.UTF-8', TERM: 'xterm' },
    });
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)));
    await sees(child, () => stdout, /promotes steps\[1\]/);
    server.set(argoCluster({ status: 'idle' }));
    expect(await ended).toBe(0);
    const frames = stdout.split('\u001b[?2026h').slice(1);
    expect(frames[0]).toContain('Rollout shop/shop');
    expect(frames[0]).not.toContain('\u001b[2J');
    for (const frame of frames.slice(1)) expect(frame).toMatch(/^\r\u001b\[\d+A/);
    expect(frames.at(-1)).toContain('the new version is released');
    for (const line of stdout.replaceAll(/\u001b\[\??\d*[A-Za-z]/g, '').split(/[\r\n]+/)) {
      expect(line.length).toBeLessThanOrEqual(90);
    }
  });
});
