/** The command against a server that is watched as an API server is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WatchedMoment } from '../../src/core/watched-release';
import { cli, folderWith } from '../cli/fixture';
import { argoCluster } from '../doctor/argo-cluster';
import { kruiseCluster } from '../doctor/kruise-cluster';
import { WatchServer, type WatchServerOptions } from './watch-server';

/** The kinds of a cluster with both controllers. */
const KINDS = ['Rollout.rollouts.kruise.io', 'Rollout.argoproj.io', 'AnalysisRun.argoproj.io'];

async function watched(options: WatchServerOptions, ...args: readonly string[]) {
  const server = await WatchServer.start({ kinds: KINDS, ...options });
  const cwd = folderWith({ kubeconfig: server.kubeconfig });
  const moments: WatchedMoment[] = [];
  let interrupt = () => {};
  let output = '';
  const waiting: { readonly holds: () => boolean; readonly resolve: () => void }[] = [];
  const running = cli(['watch', '--kubeconfig', 'kubeconfig', '--format', 'json', ...args], {
    cwd,
    onInterrupt: (listener) => {
      interrupt = listener;
      return () => {};
    },
    env: { LC_ALL: 'C.UTF-8', COLUMNS: '120', LINES: '50' },
    onOutput: (text) => {
      output = text;
      const lines = output.split('\n').filter((line) => line !== '');
      if (output.startsWith('{')) moments.splice(0, moments.length, ...lines.map((line) => JSON.parse(line)));
      for (const one of [...waiting]) if (one.holds()) one.resolve();
    },
  });
  return {
    server,
    cwd,
    running,
    moments,
    stop: () => interrupt(),
    output: () => output,
    /** Waits for what is written. */
    untilOutput: (holds: (text: string) => boolean) =>
      new Promise<void>((resolve) => {
        waiting.push({ holds: () => holds(output), resolve });
      }),
    /** Waits for a moment. */
    async until(holds: (moment: WatchedMoment) => boolean, what: string): Promise<WatchedMoment> {
      const found = () => moments.filter(holds).at(-1);
      if (found() === undefined) {
        const arrived = new Promise<void>((resolve) => {
          waiting.push({ holds: () => found() !== undefined, resolve });
        });
        const early = running.then(({ stdout, stderr }) => {
          if (found() === undefined) throw new Error(`ended before ${what}: ${stdout.slice(-2000)}${stderr}`);
        });
        await Promise.race([arrived, early]);
      }
      return found()!;
    },
  };
}

const DOCS = readFileSync(join(__dirname, '..', '..', 'docs', 'watch.md'), 'utf8');
const blockOf = (language: string) => new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(DOCS)![1]!;

const shares = ({ requests }: WatchedMoment) => requests.map(({ shares: { canary } }) => canary);

describe('a release of Kruise Rollouts', () => {
  it('is followed from its first step to its end', async () => {
    const watch = await watched(
      { objects: kruiseCluster({ phase: 'Healthy' }) },
      'shop/web',
      '--html',
      'tale.html',
      '--until',
      'waiting',
    );
    const { server } = watch;
    await watch.until(({ state }) => state.text === 'Healthy', 'the state before the release');
    server.set(kruiseCluster({ stepState: 'StepUpgrade', hasCanaryIngress: false }));
    const upgrading = await watch.until(({ state }) => state.text.includes('StepUpgrade'), 'the upgrade');
    expect(upgrading.state).toMatchObject({ kind: 'releasing', step: 0, steps: 2 });
    expect(upgrading.next).toMatchObject({
      who: 'controller',
      text: 'when the pods of the new version are ready, 1 of 1 are',
    });
    server.set(kruiseCluster());
    const { code } = await watch.running;
    expect(code).toBe(0);
    const paused = watch.moments.at(-1)!;
    expect(paused.state.kind).toBe('waiting');
    expect(shares(paused)[0]).toBe(0.2);
    expect(paused.next.act).toBe('kubectl-kruise rollout approve rollout/web -n shop');
    expect(paused.road.find(({ is }) => is === 'at')?.title).toBe('steps[0]: 20%');
    const page = readFileSync(join(watch.cwd, 'tale.html'), 'utf8');
    expect(page).toContain('Rollout shop/web, as it was');
    expect(page).toContain('Ingress shop/web-canary');
  });

  it('is told from what the rehearsal says: a canary Ingress that did not appear', async () => {
    const watch = await watched({ objects: kruiseCluster({ hasCanaryIngress: false }) }, 'shop/web');
    const moment = await watch.until(({ differences }) => differences.length > 0, 'a difference');
    expect(moment.differences.flatMap(({ details }) => details)).toContain('Ingress shop/web-canary should be there');
    expect(moment.requests[0]).toMatchObject({ verdict: 'wrong', expectedCanary: 0.2 });
    watch.stop();
    expect((await watch.running).code).toBe(0);
  });
});

describe('a release of Argo Rollouts', () => {
  it('is followed until somebody aborts it', async () => {
    const watch = await watched({ objects: argoCluster() }, 'shop/shop', '--until', 'healthy');
    const paused = await watch.until(({ state }) => state.kind === 'waiting', 'the pause');
    expect(shares(paused)[0]).toBe(0.2);
    expect(paused.next.act).toBe('kubectl argo rollouts promote shop -n shop');
    watch.server.set(argoCluster({ status: 'aborted' }));
    const { code, stderr } = await watch.running;
    expect(code).toBe(1);
    expect(stderr).toContain('watch ends: the release is aborted: RolloutAborted');
    expect(watch.moments.at(-1)!.story).toMatchObject({ name: 'abort', ends: 'rolled back' });
  });

  it('is released', async () => {
    const watch = await watched({ objects: argoCluster() }, 'shop/shop', '--until', 'healthy');
    await watch.until(({ state }) => state.kind === 'waiting', 'the pause');
    watch.server.set(argoCluster({ status: 'idle' }));
    expect((await watch.running).code).toBe(0);
    expect(watch.moments.at(-1)!.state).toMatchObject({ kind: 'healthy', ended: 'released' });
  });
});

describe('the connection', () => {
  it('survives bookmarks, broken connections, expired places and a restart', async () => {
    const watch = await watched({ objects: argoCluster() }, 'shop/shop', '--until', 'healthy');
    const { server } = watch;
    await watch.until(({ state }) => state.kind === 'waiting', 'the pause');
    server.bookmark();
    server.drop();
    server.set(argoCluster({ step: 3 }));
    await watch.until(({ state }) => state.step === 3, 'step 3, over a new connection');
    server.compact();
    server.drop();
    server.set(argoCluster({ step: 1 }));
    await watch.until(({ state, at }) => state.step === 1 && at > watch.moments[0]!.at, 'step 1, over a new list');
    const stopped = new Date().toISOString();
    await server.stop();
    const lost = await watch.until(({ at, lost: since }) => at > stopped && since !== undefined, 'the loss');
    expect(lost.lost!.why).toMatch(/^the connection (is refused|broke)$/);
    expect(lost.state.kind).toBe('waiting');
    server.set(argoCluster({ status: 'idle' }));
    await server.listen();
    expect((await watch.running).code).toBe(0);
    expect(watch.moments.at(-1)!.lost).toBeUndefined();
  });

  it('outlives a server that sends what is no event, and ends in time', async () => {
    const watch = await watched({ objects: argoCluster() }, 'shop/shop', '--until', 'healthy', '--timeout', '4');
    await watch.until(({ state }) => state.kind === 'waiting', 'the pause');
    watch.server.sendRaw('<html>\n');
    watch.server.set(argoCluster({ step: 3 }));
    await watch.until(({ state }) => state.step === 3, 'step 3');
    const { code, stderr } = await watch.running;
    expect([code, stderr]).toEqual([3, 'watch ends: the time of 4 s is over\n']);
  });
});

describe('docs/watch.md', () => {
  it('names options that there are', async () => {
    const { stdout: help } = await cli(['watch', '--help']);
    for (const [option] of DOCS.replace(/npm install.*/g, '').matchAll(/--[a-z][a-z-]+/g))
      expect(help, option).toContain(option);
  });

  it('shows a page as it is', async () => {
    const watch = await watched(
      { objects: kruiseCluster({ hasCanaryIngress: false }) },
      'shop/web',
      '--format',
      'page',
      '--no-color',
    );
    await watch.untilOutput((text) => text.includes('not as it should be'));
    watch.stop();
    await watch.running;
    const shown = blockOf('text')
      .split('\n')
      .filter((line) => !line.includes('Kruise Rollouts') && line !== '');
    for (const line of shown) expect(watch.output()).toContain(line);
  });
});

describe('rights', () => {
  it('are printed as the Role that allows all that is watched, and nothing else', async () => {
    const watch = await watched({ objects: argoCluster() }, 'shop/shop', '--print-role');
    const { code, stdout } = await watch.running;
    expect(code).toBe(0);
    expect(stdout).toBe(blockOf('yaml'));
    const second = await watched({ objects: argoCluster() }, 'shop/shop');
    const allowed = [...stdout.matchAll(/resources: \[(.*)\]/g)].flatMap(([, names]) => names!.split(', '));
    await expect.poll(() => second.server.watches, { timeout: 20_000 }).toBe(allowed.length);
    second.stop();
    await second.running;
    const followed = second.server.asked.filter((path) => path.includes('watch=true'));
    const plurals = followed.map((path) => path.split('?')[0]!.split('/').at(-1)!);
    expect(plurals.sort()).toEqual(allowed.sort());
  });

  it('that are missing are named, and the rest is watched', async () => {
    const watch = await watched({ objects: argoCluster(), refused: ['ingresses'] }, 'shop/shop');
    const moment = await watch.until(({ unknown }) => unknown !== undefined, 'what is unknown');
    expect(moment.unknown!.join('\n')).toContain('list ingresses.networking.k8s.io in the namespace "shop"');
    expect(moment.state.kind).toBe('waiting');
    watch.stop();
    await watch.running;
  });
});
