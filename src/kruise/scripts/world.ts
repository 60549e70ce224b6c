import { type Acceptance, type Finding, withRemark } from '../../core/finding';
import type { FindingStore } from '../../core/finding-store';
import { asObject } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import { CUSTOM_SCRIPT_KEY_PREFIX, LUA_CONFIG_MAP_NAME } from '../api';
import { KruiseRolloutVersion } from '../version';
import { checkScriptWith } from './checks/kept';
import { checkRoutingConfigMap, isNeverRun, scriptsIn } from './config-map';
import { configMapRules } from './config-map-rules';
import { asMet, stepsIn } from './unmet';

/**
 * Checks the scripts in a ConfigMap for the controller, among the manifests of a World.
 *
 * @param store caches the findings of a script
 * @example checkScriptsOfWorld(World.of(readManifests(['deploy']).manifests))
 */
export function checkScriptsOfWorld(
  world: World,
  version: KruiseRolloutVersion = KruiseRolloutVersion.LATEST,
  store?: FindingStore,
): Finding[] {
  const configMaps = world.list('ConfigMap').filter(({ name }) => name === LUA_CONFIG_MAP_NAME);
  const steps = stepsIn(world);
  return configMaps
    .flatMap((configMap) => findingsOf(configMap, world.namespaceOf(configMap), version, store))
    .map((finding) => asMet(finding, steps));
}

function findingsOf(
  configMap: Manifest,
  namespace: string,
  version: KruiseRolloutVersion,
  store: FindingStore | undefined,
): Finding[] {
  const entries = scriptsIn(configMap.get('data'));
  const scripts = entries.map(({ script }) => script);
  return [
    ...keysOfNothing(configMap),
    ...checkRoutingConfigMap(scripts, namespace, version).map((finding) => placed(finding, configMap)),
    ...entries.flatMap(({ key, script }) => {
      // A script that never runs has a finding that says so.
      if (isNeverRun(script, version)) return [];
      const { source, file, target } = script;
      return checkScriptWith(store, { source, file, target, version }).map((finding) =>
        placed(finding, configMap, key),
      );
    }),
  ];
}

/** Keys with neither a class nor a group, which the controller never looks up. */
function keysOfNothing(configMap: Manifest): Finding[] {
  return Object.keys(asObject(configMap.get('data'))).flatMap((key) => {
    if (!key.startsWith(CUSTOM_SCRIPT_KEY_PREFIX) || key.includes('.', CUSTOM_SCRIPT_KEY_PREFIX.length)) return [];
    const message = `the key "${key}" names neither the class of an Ingress nor a kind with its group`;
    return configMap.finding(configMapRules['lua-script-key-invalid'], { message, path: ['data', key] });
  });
}

/** Moves a finding to the ConfigMap, and to the line of the script if the file shows it. */
function placed(finding: Finding, configMap: Manifest, key?: string): Finding {
  const path = key === undefined ? ['data'] : ['data', key];
  const { source: line, ...rest } = finding;
  const inScript = line === undefined || key === undefined ? undefined : configMap.sourceOfLine(path, line.line);
  const source = inScript ?? configMap.sourceOf(path);
  const isHidden = line !== undefined && key !== undefined && inScript === undefined;
  return {
    ...(isHidden ? withRemark(rest, `line ${line.line} of the script`) : rest),
    object: configMap.ref,
    path: key === undefined ? 'data' : `data[${JSON.stringify(key)}]`,
    ...(source !== undefined && { source }),
    ...(finding.accepted && { accepted: acceptedIn(finding.accepted, configMap, path) }),
    ...(configMap.construct !== undefined && { construct: configMap.construct }),
  };
}

/** The comment in the file of the ConfigMap. */
function acceptedIn(accepted: Acceptance, configMap: Manifest, path: string[]): Acceptance {
  const { source: line, ...rest } = accepted;
  const source = (line && configMap.sourceOfLine(path, line.line)) ?? configMap.sourceOf(path);
  return { ...rest, ...(source && { source }) };
}
