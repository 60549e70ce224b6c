import { type Finding, sortFindings } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import { CUSTOM_SCRIPT_KEY_PREFIX, LUA_CONFIG_MAP_NAME } from '../api';
import { asObject } from '../json';
import { KruiseRolloutVersion } from '../version';
import { checkScript } from './checks';
import { checkRoutingConfigMap, targetOfName } from './config-map';
import { type RoutingScript, scriptName } from './library';

/**
 * Checks the scripts that the manifests of a World carry in a ConfigMap for the controller, as somebody wrote them there
 * by hand.
 *
 * @example checkScriptsOfWorld(World.of(readManifests(['deploy']).manifests))
 */
export function checkScriptsOfWorld(
  world: World,
  version: KruiseRolloutVersion = KruiseRolloutVersion.LATEST,
): Finding[] {
  const configMaps = world.list('ConfigMap').filter(({ name }) => name === LUA_CONFIG_MAP_NAME);
  return sortFindings(configMaps.flatMap((configMap) => findingsOf(configMap, world.namespaceOf(configMap), version)));
}

function findingsOf(configMap: Manifest, namespace: string, version: KruiseRolloutVersion): Finding[] {
  const entries = scriptsOf(configMap);
  const scripts = entries.map(({ script }) => script);
  return [
    ...checkRoutingConfigMap(scripts, namespace, version).map((finding) => placed(finding, configMap)),
    ...entries.flatMap(({ key, script: { source, file, target } }) => {
      // What is wrong with an empty script is that it is empty.
      if (source.trim() === '') return [];
      return checkScript({ source, file, target, version }).map((finding) => placed(finding, configMap, key));
    }),
  ];
}

function scriptsOf(configMap: Manifest): { readonly key: string; readonly script: RoutingScript }[] {
  return Object.entries(asObject(configMap.get('data'))).flatMap(([key, source]) => {
    if (typeof source !== 'string' || !key.startsWith(CUSTOM_SCRIPT_KEY_PREFIX)) return [];
    const name = key.slice(CUSTOM_SCRIPT_KEY_PREFIX.length);
    const target = targetOfName(name);
    if (target === undefined) return [];
    return [{ key, script: { target, name: scriptName(target), file: key, source } }];
  });
}

/** The finding as one about the ConfigMap; which line of the script it is about is then a part of its message. */
function placed(finding: Finding, configMap: Manifest, key?: string): Finding {
  const path = key === undefined ? ['data'] : ['data', key];
  const source = configMap.sourceOf(path);
  const { source: line, ...rest } = finding;
  const message =
    line === undefined || key === undefined ? finding.message : `${finding.message} (line ${line.line} of the script)`;
  return {
    ...rest,
    message,
    object: configMap.ref,
    path: key === undefined ? 'data' : `data[${JSON.stringify(key)}]`,
    ...(source !== undefined && { source }),
    ...(configMap.construct !== undefined && { construct: configMap.construct }),
  };
}
