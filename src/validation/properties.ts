import { resolve } from 'node:path';
import { type CheckConfig, checkedConfig, type LoadedConfig, loadConfig } from '../cli/check/config';
import { readProbe } from '../cli/check/probe';
import { rulesNamed } from '../cli/check/rule-names';
import { UserError } from '../cli/user-error';
import { readVersions, type Versions } from '../cli/versions';
import type { Severity } from '../core/finding';
import type { RehearsalRequest } from '../rehearsal';
import type { RolloutConstructsValidationProps } from './plugin';

/** What the plugin does. */
export interface ValidationOptions {
  readonly config: CheckConfig;
  readonly versions: Versions;
  readonly probes: readonly RehearsalRequest[];
  readonly severities: ReadonlyMap<string, Severity | 'off'>;
  readonly maxWarnings: number;
  readonly baseline?: { readonly file: string; readonly name: string };
}

/** As messages call what stands in cdk8s.yaml. */
const HERE = 'properties in cdk8s.yaml';

/** Reads the properties, and the configuration file: what one says goes before what the other says. */
export function readProperties(properties: RolloutConstructsValidationProps, cwd: string): ValidationOptions {
  const { config: file, ...rest } = properties;
  if (Object.hasOwn(rest, 'files')) throw new UserError(`files in the ${HERE}: cdk8s says which files are checked`);
  const own = checkedConfig(rest, HERE);
  const loaded = file === false ? undefined : loadConfig({ cwd }, file);
  const config = merged(own, loaded?.config ?? {});
  return {
    config,
    versions: readVersions(config.versions ?? {}, (key) =>
      own.versions?.[key] === undefined ? `versions.${key} of "${loaded?.name}"` : `versions.${key} of the ${HERE}`,
    ),
    probes: [...probesOf(loaded?.config, `"${loaded?.name}"`), ...probesOf(own, `the ${HERE}`)],
    severities: new Map([
      ...severitiesOf(loaded?.config, `rules of "${loaded?.name}"`),
      ...severitiesOf(own, `rules of the ${HERE}`),
    ]),
    maxWarnings: config.maxWarnings ?? Number.POSITIVE_INFINITY,
    ...baselineOf(own, loaded, cwd),
  };
}

function merged(own: CheckConfig, found: CheckConfig): CheckConfig {
  return {
    ...found,
    ...own,
    versions: { ...found.versions, ...own.versions },
    external: [...(found.external ?? []), ...(own.external ?? [])],
    suppressions: [...(found.suppressions ?? []), ...(own.suppressions ?? [])],
  };
}

function probesOf({ probes = [] }: CheckConfig = {}, place: string): RehearsalRequest[] {
  return probes.map((probe, index) => readProbe(probe, `probes[${index}] of ${place}`));
}

function severitiesOf({ rules = {} }: CheckConfig = {}, place: string): [string, Severity | 'off'][] {
  return rulesNamed(Object.keys(rules), place).map((id) => [id, rules[id]!]);
}

function baselineOf(own: CheckConfig, loaded: LoadedConfig | undefined, cwd: string) {
  if (own.baseline !== undefined) return { baseline: { file: resolve(cwd, own.baseline), name: own.baseline } };
  const name = loaded?.config.baseline;
  return name === undefined ? {} : { baseline: { file: resolve(loaded!.folder, name), name } };
}
