import { CACHE_OPTIONS } from '../../files/cache/script-store';
import { UserError } from '../../settings/user-error';
import type { VersionTexts } from '../../settings/versions';
import { CLUSTER_OPTIONS, type ClusterAccess, clusterAccessOf, refuseCluster } from '../cluster/options';
import { oneOf, parseOptions } from '../command';
import { VERSION_OPTIONS, versionTextsOf } from '../version-options';

/** The formats of a checkup. */
const FORMATS = ['pretty', 'json', 'markdown'] as const;

/** What one call of `doctor` does. */
export interface DoctorOptions extends ClusterAccess {
  /** Dumps; none to ask the cluster. */
  readonly inputs: readonly string[];
  readonly namespaces: readonly string[];
  readonly rollout?: { readonly namespace: string; readonly name: string };
  readonly controllerNamespace?: string;
  readonly versions: VersionTexts;
  readonly format: (typeof FORMATS)[number];
  readonly output?: string;
  readonly dumpCommand: boolean;
  readonly noColor: boolean;
  readonly noCache: boolean;
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
      ...CLUSTER_OPTIONS,
      format: { type: 'string', default: 'pretty' },
      output: { type: 'string' },
      'dump-command': { type: 'boolean', default: false },
      'no-color': { type: 'boolean', default: false },
      ...CACHE_OPTIONS,
      ...VERSION_OPTIONS,
    },
    { max: Number.POSITIVE_INFINITY, what: 'dumps: files, folders, or - for stdin' },
  );
  const { output, rollout } = values;
  const access = clusterAccessOf(values);
  if (positionals.length > 0) refuseCluster(access, `"${positionals[0]}" is a dump`);
  const controllerNamespace = values['controller-namespace'];
  const namespaces = values.namespace.flatMap((one) => one.split(',')).filter((one) => one !== '');
  return {
    inputs: positionals,
    namespaces,
    ...(rollout === undefined ? {} : { rollout: nameIn(rollout, namespaces) }),
    ...(controllerNamespace === undefined ? {} : { controllerNamespace }),
    ...access,
    versions: versionTextsOf(values),
    format: oneOf('--format', values.format, FORMATS),
    ...(output === undefined ? {} : { output }),
    dumpCommand: values['dump-command'],
    noColor: values['no-color'],
    noCache: values['no-cache'],
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
