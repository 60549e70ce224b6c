import { UserError } from '../../settings/user-error';
import type { VersionTexts } from '../../settings/versions';
import { oneOf, parseOptions } from '../command';
import { VERSION_OPTIONS, versionTextsOf } from '../version-options';

/** The formats of a checkup. */
const FORMATS = ['pretty', 'json', 'markdown'] as const;

/** What one call of `doctor` does. */
export interface DoctorOptions {
  /** Dumps; none to ask the cluster. */
  readonly inputs: readonly string[];
  readonly namespaces: readonly string[];
  readonly rollout?: { readonly namespace: string; readonly name: string };
  readonly controllerNamespace?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly timeoutSeconds: number;
  readonly versions: VersionTexts;
  readonly format: (typeof FORMATS)[number];
  readonly output?: string;
  readonly dumpCommand: boolean;
  readonly noColor: boolean;
}

/** Reads the arguments of `doctor`. */
export function readDoctorOptions(command: string, args: readonly string[]): DoctorOptions {
  const { values, positionals } = parseOptions(
    command,
    args,
    {
      namespace: { type: 'string', short: 'n', multiple: true, default: [] },
      rollout: { type: 'string' },
      'controller-namespace': { type: 'string' },
      kubeconfig: { type: 'string' },
      context: { type: 'string' },
      timeout: { type: 'string', default: '30' },
      format: { type: 'string', default: 'pretty' },
      output: { type: 'string' },
      'dump-command': { type: 'boolean', default: false },
      'no-color': { type: 'boolean', default: false },
      ...VERSION_OPTIONS,
    },
    { max: Number.POSITIVE_INFINITY, what: 'dumps: files, folders, or - for stdin' },
  );
  const { kubeconfig, context, output, rollout } = values;
  const aboutClusters = [
    ['--kubeconfig', kubeconfig],
    ['--context', context],
  ] as const;
  const useless = aboutClusters.find(([, value]) => value !== undefined);
  if (positionals.length > 0 && useless !== undefined) {
    throw new UserError(`${useless[0]} is about a cluster, and "${positionals[0]}" is a dump`, 'name one of the two');
  }
  const controllerNamespace = values['controller-namespace'];
  const namespaces = values.namespace.flatMap((one) => one.split(',')).filter((one) => one !== '');
  return {
    inputs: positionals,
    namespaces,
    ...(rollout === undefined ? {} : { rollout: nameIn(rollout, namespaces) }),
    ...(controllerNamespace === undefined ? {} : { controllerNamespace }),
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
    timeoutSeconds: secondsOf(values.timeout),
    versions: versionTextsOf(values),
    format: oneOf('--format', values.format, FORMATS),
    ...(output === undefined ? {} : { output }),
    dumpCommand: values['dump-command'],
    noColor: values['no-color'],
  };
}

function nameIn(text: string, namespaces: readonly string[]) {
  const parts = text.split('/');
  const [namespace, name] = parts.length === 1 && namespaces.length === 1 ? [namespaces[0]!, text] : parts;
  if (parts.length > 2 || !namespace || !name) {
    throw new UserError(`--rollout is "${text}"`, 'write it as <namespace>/<name>: shop/web');
  }
  return { namespace, name };
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,5}(\.\d{1,3})?$/.test(text) && seconds > 0) return seconds;
  throw new UserError(`--timeout is "${text}"`, 'it must be a number of seconds, more than 0');
}
