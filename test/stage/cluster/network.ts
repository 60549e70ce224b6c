/**
 * A network of its own: the process starts itself anew in namespaces of network and processes, where the addresses of
 * pods and Services are local. All processes in there end with the first one, however that ends.
 */
import { spawn } from 'node:child_process';

const INSIDE = 'ROLLOUT_CONSTRUCTS_STAGE';

/** Addresses of pods and of Services; every one of them is local. */
export const POD_CIDR = '10.244.0.0/16';
export const SERVICE_CIDR = '10.96.0.0/16';

/** Where the token of a ServiceAccount is mounted; of this process tree alone. */
export const SECRETS = '/run/secrets/kubernetes.io/serviceaccount';

/** True in the process that runs inside the namespaces. */
export function isInside(): boolean {
  return process.env[INSIDE] === '1';
}

/** Runs this very command inside, and gives its exit code. */
export function runInside(): Promise<number> {
  const routes = [POD_CIDR, SERVICE_CIDR].map((cidr) => `ip route add local ${cidr} dev lo`).join(' && ');
  // A controller finds its ServiceAccount where a pod has it.
  const secrets = `mkdir -p ${SECRETS} && mount -t tmpfs tmpfs ${SECRETS}`;
  const script = `ip link set lo up && ${routes} && ${secrets} && exec "$@"`;
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const child = spawn(
    'unshare',
    ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'sh', '-ec', script, 'sh', ...command],
    {
      stdio: 'inherit',
      env: { ...process.env, [INSIDE]: '1' },
    },
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new Error(`the stage needs Linux, root and unshare: ${error.message}`)));
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 1)));
  });
}
