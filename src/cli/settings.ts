import { resolve } from 'node:path';
import { didYouMean } from '../core/did-you-mean';
import type { BaselineFile } from '../files/baseline';
import { readClusterScripts } from '../files/cluster-scripts';
import { type LoadedConfig, loadConfig, sourceOf, withFacts } from '../files/config';
import { toAbsolute, toDisplay, type WorkingFolder } from '../files/paths';
import { readStories } from '../files/stories';
import type { CheckConfig } from '../settings/config';
import { type Settings, type SettingsSource, settingsOf } from '../settings/settings';
import { UserError } from '../settings/user-error';
import { VERSION_NAMES, type VersionName } from '../settings/versions';
import { NAMESPACE_OPTION } from './inputs';
import type { TrustSettings } from './trust';
import { flagOfVersion, VERSION_OPTIONS, versionTextsOf } from './version-options';

/** The flags of every command that checks or rehearses a stack. */
export const SETTINGS_OPTIONS = {
  config: { type: 'string' },
  'no-config': { type: 'boolean', default: false },
  in: { type: 'string' },
  'controller-namespace': { type: 'string' },
  'cluster-facts': { type: 'string' },
  ...NAMESPACE_OPTION,
  scripts: { type: 'string', multiple: true },
  probe: { type: 'string', multiple: true, default: [] as string[] },
  story: { type: 'string', multiple: true, default: [] as string[] },
  stories: { type: 'string', multiple: true, default: [] as string[] },
  ...VERSION_OPTIONS,
} as const;

/** The values of these flags. */
export type SettingsValues = {
  readonly config?: string | undefined;
  readonly 'no-config': boolean;
  readonly in?: string | undefined;
  readonly 'controller-namespace'?: string | undefined;
  readonly 'cluster-facts'?: string | undefined;
  readonly namespace?: string | undefined;
  readonly scripts?: readonly string[] | undefined;
  readonly probe: readonly string[];
  readonly story: readonly string[];
  readonly stories: readonly string[];
} & { readonly [flag in keyof typeof VERSION_OPTIONS]?: string };

/** The settings of a command, and the configuration file that some of them come from. */
export interface CommandSettings {
  readonly settings: Settings;
  readonly loaded: LoadedConfig | undefined;
  /** The files of the configuration, or of the cluster that a flag names, as the user would name them. */
  readonly files: readonly string[];
  /** The clusters of the configuration; empty if it has none, or a flag names one of them. */
  readonly clusters: readonly ClusterSettings[];
}

/** One of several clusters. */
export interface ClusterSettings {
  readonly name: string;
  readonly settings: Settings;
  readonly files: readonly string[];
}

/** Help on the options of the configuration. */
export const CONFIG_HELP = `  --config <file>          the configuration (default rollout-constructs.config.{json,yaml,ts} here or above)
  --no-config              no configuration`;

/** Help on what the files do not say of the cluster. */
export const FACTS_HELP = `  --scripts <scripts>      the routing scripts in the cluster, if the files do not have their ConfigMap: library, a folder
                           of scripts, or a file with the ConfigMap; may be given several times
  --controller-namespace <name>  the namespace of the Kruise Rollouts controller (default that of the install, or kruise-rollout)
  --cluster-facts <file>   facts of the cluster, as "cluster pull" writes them; other flags and the configuration come first`;

export const IN_HELP =
  '  --in <cluster>           one of the clusters of the configuration: its settings and, if none are named, its files';

/**
 * Reads the settings of a command from its flags and from the configuration file; flags win.
 * @param more settings that other flags of the command state
 */
export function readSettings(
  values: SettingsValues,
  more: CheckConfig,
  io: WorkingFolder,
  { owner, trusts, noSuppressions }: TrustSettings,
): CommandSettings {
  const loaded = values['no-config'] ? undefined : loadConfig(io, values.config, owner);
  const controllerNamespace = values['controller-namespace'];
  const flags: SettingsSource = {
    config: {
      ...versionTextsOf(values),
      ...(controllerNamespace === undefined ? {} : { controllerNamespace }),
      ...(values['cluster-facts'] === undefined ? {} : { cluster: values['cluster-facts'] }),
      ...(values.scripts === undefined ? {} : { scripts: values.scripts }),
      ...(values.namespace === undefined ? {} : { namespace: values.namespace }),
      probes: values.probe,
      ...more,
    },
    stories: readStories([...values.story, ...values.stories], io, (index) =>
      index < values.story.length ? '--story' : '--stories',
    ),
    folder: io.cwd,
    place: flagOf,
  };
  const stories = readStories(
    loaded?.config.stories ?? [],
    { cwd: loaded?.folder ?? io.cwd },
    (index) => `stories[${index}] of "${loaded?.name}"`,
  );
  const source = sourceOf(loaded, io.cwd);
  const { rules: _rules, ...config } = source.config;
  const file = { ...source, ...(noSuppressions && { config }), stories };
  const catalogue = () => (require('../check') as typeof import('../check')).wholeCatalogue();
  const settingsFor = (name?: string): Settings => {
    const section = name === undefined ? [] : [sectionOf(loaded!, name)];
    const sources = [flags, ...section, file].flatMap((one) => withFacts(one, owner));
    const settings = settingsOf(sources, catalogue, readClusterScripts);
    return { ...settings, check: { ...settings.check, ...(trusts && { trusts }) } };
  };
  const { clusters = {} } = loaded?.config ?? {};
  const filesOf = (name?: string) => {
    const own = name === undefined ? undefined : clusters[name]!.files;
    return (own ?? loaded?.config.files ?? []).map((path) => toDisplay(io, resolve(loaded!.folder, path)));
  };
  const named = values.in === undefined ? undefined : clusterNamed(values.in, clusters, loaded);
  const names = named === undefined ? Object.keys(clusters) : [];
  return {
    settings: settingsFor(named),
    loaded,
    files: filesOf(named),
    clusters: names.map((name) => ({ name, settings: settingsFor(name), files: filesOf(name) })),
  };
}

/** What the configuration says of one cluster, as a source of settings. */
function sectionOf(loaded: LoadedConfig, name: string): SettingsSource {
  const config = loaded.config.clusters![name]!;
  return { config, folder: loaded.folder, place: (field) => `clusters.${name}.${field} of "${loaded.name}"` };
}

function clusterNamed(name: string, clusters: object, loaded: LoadedConfig | undefined): string {
  if (Object.hasOwn(clusters, name)) return name;
  const names = Object.keys(clusters);
  if (names.length === 0) {
    const where = loaded === undefined ? 'there is no configuration' : `"${loaded.name}" has no clusters`;
    throw new UserError(`--in is "${name}", and ${where}`, 'write clusters in rollout-constructs.config.yaml');
  }
  const meant = didYouMean(name, names);
  throw new UserError(
    `--in is "${name}"${meant === undefined ? '' : `; did you mean "${meant}"?`}`,
    `the clusters of "${loaded!.name}" are: ${names.join(', ')}`,
  );
}

/** The file of the baseline that a flag or the configuration names. */
export function baselineFile(
  named: string | undefined,
  loaded: LoadedConfig | undefined,
  io: WorkingFolder,
  { owner, noSuppressions }: Pick<TrustSettings, 'owner' | 'noSuppressions'>,
): BaselineFile | undefined {
  if (named !== undefined && noSuppressions)
    throw new UserError('--baseline and --no-suppressions do not go together', 'leave one of them out');
  const configured = noSuppressions ? undefined : loaded?.config.baseline;
  const name = named ?? configured;
  if (name === undefined) return undefined;
  const file = named === undefined ? resolve(loaded!.folder, name) : toAbsolute(io, name);
  if (!owner?.holds(file)) return { file, name };
  const text = owner.text(file);
  if (text === undefined)
    throw new UserError(`the baseline "${name}" is not in "${owner.base}"`, 'have it merged first');
  return { file, name, text };
}

/** The flag that states a field of the configuration. */
function flagOf(field: string): string {
  if (field.startsWith('probes')) return '--probe';
  if (field.startsWith('scripts')) return '--scripts';
  if (field === 'rules') return '--ignore';
  if (field === 'cluster') return '--cluster-facts';
  return VERSION_NAMES.includes(field as VersionName) ? flagOfVersion(field as VersionName) : `--${field}`;
}
