import { UserError } from '../../settings/user-error';

/** The flags that say which cluster is asked. */
export const CLUSTER_OPTIONS = {
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
  timeout: { type: 'string', default: '30' },
} as const;

export const CLUSTER_HELP = `  --kubeconfig <file>      the kubeconfig (default the variable KUBECONFIG, or ~/.kube/config)
  --context <name>         the context of the kubeconfig (default the current one)
  --timeout <seconds>      how long each answer of the API server may take (default 30), and all of them ten times as long`;

/** Which cluster is asked. */
export interface ClusterAccess {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** For each answer. */
  readonly timeoutSeconds: number;
}

/** Reads the values of these flags. */
export function clusterAccessOf(values: {
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
  readonly timeout: string;
  /** @default '--timeout' */
  readonly flag?: string;
}): ClusterAccess {
  const { kubeconfig, context, timeout, flag = '--timeout' } = values;
  return {
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
    timeoutSeconds: secondsOf(timeout, flag),
  };
}

/**
 * Fails if a flag names a cluster although none is asked.
 * @param instead what is read: `"dump.yaml" is a dump`
 */
export function refuseCluster({ kubeconfig, context }: ClusterAccess, instead: string): void {
  const useless = kubeconfig !== undefined ? '--kubeconfig' : context !== undefined ? '--context' : undefined;
  if (useless !== undefined)
    throw new UserError(`${useless} is about a cluster, and ${instead}`, 'name one of the two');
}

/** A number of seconds, more than 0. */
export function secondsOf(text: string, flag: string): number {
  const seconds = Number(text);
  if (/^\d{1,5}(\.\d{1,3})?$/.test(text) && seconds > 0) return seconds;
  throw new UserError(`${flag} is "${text}"`, 'it must be a number of seconds, more than 0');
}
