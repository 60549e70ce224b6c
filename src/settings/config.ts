import type { ObjectRef, Severity } from '../core/finding';
import type { Suppression } from '../core/suppression';
import { UserError } from './user-error';
import { currentNameOf, VERSION_NAMES, type VersionTexts } from './versions';

/** What a cluster has, as text: in the configuration file, and in the file that `rollout-constructs cluster pull` writes. */
export interface ClusterFacts extends VersionTexts {
  /**
   * The namespace of the Kruise Rollouts controller.
   * @default - the namespace of the install in the stack, or 'kruise-rollout'
   */
  readonly controllerNamespace?: string;
  /**
   * The largest percentage of a partition step of Kruise Rollouts: the flag `--partition-percent-limit` of its controller.
   * @default - the flag of the install in the stack, or 50
   */
  readonly partitionPercentLimit?: number;
  /**
   * The routing scripts of Kruise Rollouts in the cluster, where these files do not have their ConfigMap: `library` for all
   * scripts of this library, a folder of scripts, or a file with the ConfigMap. Paths are relative to the file that has them.
   * @default - none where the controller is among the files; otherwise those of this library are assumed, with a warning
   */
  readonly scripts?: readonly string[];
  /**
   * Objects that exist in the cluster although they are not in these files.
   * @default - none
   */
  readonly external?: readonly ObjectRef[];
}

/** What is known of one of several clusters. What it does not state is as for all clusters. */
export interface ClusterConfig extends ClusterFacts {
  /**
   * The files and folders of this cluster. Paths are relative to the configuration file.
   * @default - the files of the configuration
   */
  readonly files?: readonly string[];
  /**
   * The namespace of objects that name none.
   * @default - that of the configuration
   */
  readonly namespace?: string;
  /**
   * A file with facts of this cluster, as `rollout-constructs cluster pull` writes it, relative to the configuration file.
   * @default - that of the configuration
   */
  readonly cluster?: string;
}

/**
 * The defaults of `rollout-constructs check`, in the file `rollout-constructs.config.{json,yaml,ts}`.
 *
 * @example
 * // rollout-constructs.config.ts
 * import type { CheckConfig } from 'rollout-constructs';
 * const config: CheckConfig = { files: ['deploy'], kruiseVersion: '0.6', istioVersion: '1.24', maxWarnings: 0 };
 * export default config;
 */
export interface CheckConfig extends ClusterFacts {
  /**
   * The files and folders to check if the command names none. Paths are relative to the configuration file.
   * @default - the command must name them
   */
  readonly files?: readonly string[];
  /**
   * Several clusters or environments, by name. Each is checked as a stack of its own, and `--in <name>` picks one.
   * @default - everything is for one cluster
   */
  readonly clusters?: Readonly<Record<string, ClusterConfig>>;
  /**
   * The namespace of objects that name none, as for `kubectl apply --namespace`.
   * @default 'default'
   */
  readonly namespace?: string;
  /**
   * A file with facts of the cluster, as `rollout-constructs cluster pull` writes it. What the configuration states itself
   * takes precedence. The path is relative to the configuration file.
   * @default - none
   */
  readonly cluster?: string;
  /**
   * Whether Rollouts are rehearsed.
   * @default true
   */
  readonly rehearsal?: boolean;
  /**
   * Requests to send in addition to those that are derived from the manifests.
   * @default - none
   */
  readonly probes?: readonly string[];
  /**
   * Stories to play in addition to the straight road: `all`, names such as `roll-back` or `delete@1`, and files, whose
   * paths are relative to the configuration file.
   * @default - none
   */
  readonly stories?: readonly string[];
  /**
   * The severity of rules by id; `off` turns a rule off.
   * @default - the severity on the page of each rule
   */
  readonly rules?: Readonly<Record<string, Severity | 'off'>>;
  /**
   * Findings that are accepted as they are.
   * @default - only those that annotations accept
   */
  readonly suppressions?: readonly Omit<Suppression, 'construct' | 'source'>[];
  /**
   * The largest number of warnings that still passes.
   * @default - any number
   */
  readonly maxWarnings?: number;
  /**
   * The file of known findings, which are left out. The path is relative to the configuration file.
   * @default - none
   */
  readonly baseline?: string;
}

/**
 * Checks that a value is a configuration; anything else is a `UserError` that names the field.
 * @param name what messages call the value
 */
export function checkedConfig(value: unknown, name: string): CheckConfig {
  // Loaded here: most calls of the command line read no configuration.
  const { isJsonObject } = require('../core/json') as typeof import('../core/json');
  if (value === null || value === undefined) return {};
  const plain = JSON.parse(JSON.stringify(value)) as import('../core/json').Json;
  if (!isJsonObject(plain)) throw new UserError(`the configuration "${name}" is not an object`);
  rejectOldNames(plain, `the configuration "${name}"`);
  const { errorText, fieldText, pruneObject, validateValue } =
    require('../core/schema') as typeof import('../core/schema');
  const { didYouMean } = require('../core/did-you-mean') as typeof import('../core/did-you-mean');
  const { configSchema } = require('./config-schema') as typeof import('./config-schema');
  const [unknown] = pruneObject(plain, configSchema).unknown.concat(rootKeys(plain));
  if (unknown !== undefined) {
    const field = String(unknown.path.at(-1));
    const meant = didYouMean(field, unknown.known);
    throw new UserError(
      `the configuration "${name}" has an unknown field "${fieldText(unknown.path)}"${meant ? `; did you mean "${meant}"?` : ''}`,
      `known fields: ${unknown.known.filter((key) => unknown.path.length > 1 || !ROOT_KEYS.includes(key)).join(', ')}`,
    );
  }
  const [error] = validateValue(plain, configSchema);
  if (error === undefined) return plain as CheckConfig;
  throw new UserError(`the configuration "${name}" is wrong at "${fieldText(error.path)}": ${errorText(error)}`);
}

/**
 * Fails with the current name if options use one of an earlier release of this library.
 * @param place what messages call the options
 */
export function rejectOldNames(options: object, place: string): void {
  for (const key of Object.keys(options)) {
    const current = currentNameOf(key);
    if (current !== undefined) throw new UserError(`${place}: "${key}" is called ${current} now`);
  }
  if (!Object.hasOwn(options, 'versions')) return;
  throw new UserError(
    `${place}: there is no "versions" any more`,
    `write the versions at the top level: ${VERSION_NAMES.join(', ')}`,
  );
}

/** The fields of facts of a cluster. */
const FACT_FIELDS: readonly (keyof ClusterFacts)[] = [
  ...VERSION_NAMES,
  'controllerNamespace',
  'partitionPercentLimit',
  'scripts',
  'external',
];

/** Checks that a value is facts of a cluster; anything else is a `UserError` that names the field. */
export function checkedFacts(value: unknown, name: string): ClusterFacts {
  const facts = checkedConfig(value, name);
  const foreign = Object.keys(facts).find((field) => field !== '$schema' && !FACT_FIELDS.includes(field as never));
  if (foreign === undefined) return facts;
  throw new UserError(
    `"${name}" has the field "${foreign}", which is no fact of a cluster`,
    `write it in the configuration; facts are: ${FACT_FIELDS.join(', ')}`,
  );
}

const ROOT_KEYS = ['apiVersion', 'kind', 'metadata'];

/** The schema walker takes every object for a Kubernetes object, and lets these fields pass. */
function rootKeys(value: object) {
  const { configSchema } = require('./config-schema') as typeof import('./config-schema');
  const known = Object.keys(configSchema.properties!);
  return ROOT_KEYS.filter((key) => Object.hasOwn(value, key)).map((key) => ({ path: [key], known }));
}
