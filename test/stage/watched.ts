/** Plays labs while `rollout-constructs watch` looks on, with the rights that it asks for itself, and says what it saw. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { WatchedMoment } from '../../src/core/watched-release';
import { BIN } from '../cli/built';
import type { KubernetesObject } from './cluster/api';
import { adminKubeconfig, kubeconfig, startServer } from './cluster/control-plane';
import { ready, sleep } from './cluster/processes';
import { controllerNamed } from './controllers';
import { type Lab, playLab } from './play';
import { type RunningStage, startStage } from './stage';

/** So many labs at once; each has a process that watches. */
const AT_ONCE = 3;

/** So long a process may take to see the Rollout before anything happens to it. */
const SECONDS_TO_START = 40;

/** What is played, and where the pages go. */
export interface WatchedOptions {
  readonly program: string;
  readonly labs: readonly Lab[];
  /** The folder of the pages and of the moments, a line each. */
  readonly folder: string;
  /** Whether the API server ends and starts again every so many seconds. */
  readonly restartSeconds?: number;
}

/** Plays the labs, and gives the number of those that were not seen as they were. */
export async function playWatched({ program, labs, folder, restartSeconds }: WatchedOptions): Promise<number> {
  const [name = '', release = ''] = program.split(/[@+]/);
  mkdirSync(folder, { recursive: true });
  const stage = await startStage(
    program,
    labs.flatMap(({ manifests }) => manifests),
  );
  const restarts = restartSeconds === undefined ? undefined : restartOften(stage, restartSeconds);
  const waiting = [...labs];
  let wrong = 0;
  const work = async () => {
    for (let lab = waiting.shift(); lab !== undefined; lab = waiting.shift()) {
      const watcher = watchLab(stage, lab, folder);
      const late = { ...lab, story: [{ watch: SECONDS_TO_START }, ...lab.story] };
      const play = await playLab(stage.plane.api, late, controllerNamed(name), release).catch((error: Error) => error);
      const moments = await watcher.end();
      const problems =
        play instanceof Error
          ? [play.message]
          : problemsOf(restarts === undefined ? lab.story : [], moments, await watcher.phase());
      if (problems.length > 0) wrong += 1;
      process.stderr.write(`${lab.name}: ${moments.length} moments; ${problems.join('; ') || 'seen as it was'}\n`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  restarts?.stop();
  await stage.stop();
  return wrong;
}

function restartOften({ plane, folder }: RunningStage, seconds: number): { stop(): void } {
  let isStopped = false;
  let server = plane.processes.find(({ name }) => name === 'kube-apiserver')!;
  const run = async () => {
    while (!isStopped) {
      await sleep(seconds * 1000);
      if (isStopped) return;
      await server.stop();
      await sleep(3000);
      server = startServer(folder, plane.certificates);
      await ready(server, async () => (await plane.api.get('/readyz').catch((error) => error)).message === 'ok');
    }
  };
  void run();
  return {
    stop() {
      isStopped = true;
    },
  };
}

function watchLab(stage: RunningStage, lab: Lab, folder: string) {
  const namespace = lab.name.toLowerCase();
  const rollout = lab.manifests.find(({ kind }) => kind === 'Rollout')!;
  const name = `${namespace}/${rollout.metadata.name}`;
  let process: ChildProcess | undefined;
  let output = '';
  const begin = async () => {
    const { api, certificates } = stage.plane;
    const path = await api.pathOf({ ...rollout, metadata: { ...rollout.metadata, namespace } });
    const isThere = async () =>
      (await api.get(path).catch((error: KubernetesObject) => error)).status?.phase === 'Healthy';
    for (let tries = 0; tries < 600 && !(await isThere()); tries++) await sleep(200);
    const admin = adminKubeconfig(stage.folder, certificates);
    const config = join(stage.folder, `${namespace}.kubeconfig`);
    writeFileSync(config, kubeconfig(certificates.authority, { token: await tokenFor(stage, namespace, name, admin) }));
    const html = join(folder, `${lab.name}.html`);
    process = spawn(globalThis.process.execPath, [
      BIN,
      'watch',
      name,
      '--kubeconfig',
      config,
      '--format',
      'json',
      '--html',
      html,
    ]);
    process.stdout!.on('data', (chunk) => {
      output += chunk;
    });
    process.stderr!.on('data', (chunk) => {
      globalThis.process.stderr.write(`${lab.name}: ${chunk}`);
    });
  };
  const begun = begin();
  return {
    /** Where the Rollout is in the end; the recorder of the lab may have lost it. */
    async phase(): Promise<string | undefined> {
      const path = await stage.plane.api.pathOf({ ...rollout, metadata: { ...rollout.metadata, namespace } });
      for (let tries = 0; tries < 50; tries++, await sleep(500)) {
        const live = await stage.plane.api.get(path).catch((error: KubernetesObject) => error);
        if (live.status === 404) return undefined;
        if (live.kind === 'Rollout') return live.status?.phase;
      }
      throw new Error('the API server does not come back');
    },
    async end(): Promise<readonly WatchedMoment[]> {
      await begun;
      const ended = new Promise<void>((resolve) => process!.once('exit', () => resolve()));
      await sleep(1500);
      process!.kill('SIGINT');
      await ended;
      writeFileSync(join(folder, `${lab.name}.jsonl`), output);
      return output
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
  };
}

/** A ServiceAccount with the rights that `--print-role` prints, and its token. */
async function tokenFor(
  { plane: { api } }: RunningStage,
  namespace: string,
  name: string,
  admin: string,
): Promise<string> {
  const printed = spawn(process.execPath, [BIN, 'watch', name, '--kubeconfig', admin, '--print-role']);
  let text = '';
  printed.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await new Promise<void>((resolve) => printed.once('exit', () => resolve()));
  const roles = parseAllDocuments(text).map((document) => document.toJSON() as KubernetesObject);
  const account = { kind: 'ServiceAccount', name: 'watcher', namespace };
  await api.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: account.name, namespace } });
  for (const role of roles) {
    const own = { ...role, metadata: { ...role.metadata, name: `watch-${namespace}` } };
    await api.apply(own as KubernetesObject);
    await api.apply({
      apiVersion: role.apiVersion,
      kind: `${role.kind}Binding`,
      metadata: own.metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: role.kind, name: `watch-${namespace}` },
      subjects: [account],
    });
  }
  const { status } = await api.post(`/api/v1/namespaces/${namespace}/serviceaccounts/${account.name}/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds: 3600 },
  });
  return status.token;
}

/**
 * What of a lab was not seen as it was.
 * @param story what was done for certain: while the API server comes and goes, a lab can end early
 */
function problemsOf(story: Lab['story'], moments: readonly WatchedMoment[], phase: string | undefined): string[] {
  const unknown = new Set(moments.flatMap((one) => one.unknown ?? []));
  const turns = new Set(moments.map((one) => one.story.name));
  const expected = story.flatMap((action) => {
    if (action === 'abort' || action === 'delete' || action === 'disable' || action === 'promote-full') return [action];
    return typeof action === 'object' && 'release' in action && action.release === 'v3' ? ['third-revision'] : [];
  });
  const missed = expected.filter((turn) => !turns.has(turn));
  const end = moments.at(-1)?.state.kind;
  const isLost = moments.at(-1)?.lost !== undefined;
  return [
    ...(moments.length < 3 ? ['nothing was seen'] : []),
    ...[...unknown].map((text) => `unknown: ${text}`),
    ...missed.map((turn) => `no ${turn}`),
    ...(isLost ? ['lost at the end'] : []),
    ...((phase === 'Healthy') === (end === 'healthy') ? [] : [`${end} at the end, where the status says ${phase}`]),
  ];
}
