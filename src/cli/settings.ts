import { resolve } from 'node:path';
import type { BaselineFile } from '../files/baseline';
import { readClusterScripts } from '../files/cluster-scripts';
import { type LoadedConfig, loadConfig, sourceOf, withFacts } from '../files/config';
import { toAbsolute, type WorkingFolder } from '../files/paths';
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
}

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
  const sources = [flags, file].flatMap((one) => withFacts(one, owner));
  const settings = settingsOf(sources, catalogue, readClusterScripts);
  return { settings: { ...settings, check: { ...settings.check, ...(trusts && { trusts }) } }, loaded };
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
