import { resolve } from 'node:path';
import { wholeCatalogue } from '../check';
import type { BaselineFile } from '../files/baseline';
import { readClusterScripts } from '../files/cluster-scripts';
import { loadConfig, sourceOf, withFacts } from '../files/config';
import { checkedConfig } from '../settings/config';
import { type Settings, settingsOf } from '../settings/settings';
import { UserError } from '../settings/user-error';
import type { RolloutConstructsValidationProps } from './plugin';

/** The settings of the plugin. */
export interface ValidationOptions extends Settings {
  readonly baseline?: BaselineFile;
}

/** What messages call the properties. */
const HERE = 'properties in cdk8s.yaml';

/** Reads the properties and the configuration file; properties win. */
export function readProperties(properties: RolloutConstructsValidationProps, cwd: string): ValidationOptions {
  const { config: file, ...rest } = properties;
  if (Object.hasOwn(rest, 'files')) throw new UserError(`files in the ${HERE}: cdk8s says which files are checked`);
  if (Object.hasOwn(rest, 'clusters'))
    throw new UserError(`clusters in the ${HERE}: a synth is checked as one`, 'write a StackCheck for each cluster');
  const own = checkedConfig(rest, HERE);
  const loaded = file === false ? undefined : loadConfig({ cwd }, file);
  const here = { config: own, folder: cwd, place: (field: string) => `${field} of the ${HERE}` };
  const settings = settingsOf(
    [here, sourceOf(loaded, cwd)].flatMap((one) => withFacts(one)),
    wholeCatalogue,
    readClusterScripts,
  );
  if (own.baseline !== undefined) {
    return { ...settings, baseline: { file: resolve(cwd, own.baseline), name: own.baseline } };
  }
  const name = loaded?.config.baseline;
  return name === undefined ? settings : { ...settings, baseline: { file: resolve(loaded!.folder, name), name } };
}
