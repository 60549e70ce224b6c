import { parseDuration } from '../../core/duration';
import { UserError } from '../../settings/user-error';
import type { VersionTexts } from '../../settings/versions';
import type { Goal } from '../../watch';
import { type ClusterAccess, clusterAccessOf, secondsOf } from '../cluster/options';
import { oneOf, parseOptions } from '../command';
import { VERSION_OPTIONS, versionTextsOf } from '../version-options';

const FORMATS = ['auto', 'page', 'plain', 'json'] as const;
const GOALS = ['healthy', 'waiting'] as const;

/** What one call of `watch` does. */
export interface WatchOptions extends ClusterAccess {
  readonly namespace?: string;
  readonly name?: string;
  readonly until?: Goal;
  /** How long it is watched. */
  readonly longestSeconds?: number;
  /** For how long a release may be stuck before it is given up. */
  readonly patienceSeconds: number;
  readonly format: (typeof FORMATS)[number];
  readonly html?: string;
  readonly printRole: boolean;
  readonly controllerNamespace?: string;
  readonly versions: VersionTexts;
  readonly noColor: boolean;
}

/** Reads the arguments of `watch`. */
export function readWatchOptions(command: string, args: readonly string[]): WatchOptions {
  const { values, positionals } = parseOptions(
    command,
    args,
    {
      namespace: { type: 'string', short: 'n' },
      until: { type: 'string' },
      timeout: { type: 'string' },
      patience: { type: 'string', default: '30' },
      format: { type: 'string', default: 'auto' },
      html: { type: 'string' },
      'print-role': { type: 'boolean', default: false },
      'controller-namespace': { type: 'string' },
      kubeconfig: { type: 'string' },
      context: { type: 'string' },
      'answer-timeout': { type: 'string', default: '30' },
      'no-color': { type: 'boolean', default: false },
      ...VERSION_OPTIONS,
    },
    { max: 1, what: 'one Rollout' },
  );
  const { kubeconfig, context, until, timeout, html } = values;
  const controllerNamespace = values['controller-namespace'];
  return {
    ...nameIn(positionals[0], values.namespace),
    ...clusterAccessOf({ kubeconfig, context, timeout: values['answer-timeout'], flag: '--answer-timeout' }),
    ...(until === undefined ? {} : { until: oneOf('--until', until, GOALS) }),
    ...(timeout === undefined ? {} : { longestSeconds: durationOf(timeout) }),
    patienceSeconds: secondsOf(values.patience, '--patience'),
    format: oneOf('--format', values.format, FORMATS),
    ...(html === undefined ? {} : { html }),
    printRole: values['print-role'],
    ...(controllerNamespace === undefined ? {} : { controllerNamespace }),
    versions: versionTextsOf(values),
    noColor: values['no-color'],
  };
}

function nameIn(text: string | undefined, namespace: string | undefined) {
  if (text === undefined) return namespace === undefined ? {} : { namespace };
  const parts = text.split('/');
  const [space, name] = parts.length === 1 ? [namespace, text] : parts;
  if (parts.length > 2 || !space || !name) {
    throw new UserError(
      `the Rollout is "${text}"`,
      'write it as <namespace>/<name>: shop/web; or name the namespace with -n',
    );
  }
  if (namespace !== undefined && namespace !== space) {
    throw new UserError(`the Rollout is "${text}", and --namespace is "${namespace}"`, 'name one namespace');
  }
  return { namespace: space, name };
}

/** `600`, `10m`, `1h30m` */
function durationOf(text: string): number {
  const seconds = /^\d{1,9}(\.\d{1,3})?$/.test(text) ? Number(text) : parseDuration(text);
  if (seconds === undefined || !(seconds > 0) || seconds > LONGEST_SECONDS) {
    throw new UserError(`--timeout is "${text}"`, 'write seconds, or a duration: 600, 10m, 1h30m');
  }
  return seconds;
}

/** Timers hold no longer time. */
const LONGEST_SECONDS = 2 ** 31 / 1000 - 1;
