import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { findingTexts } from '../core/finding';
import { LUA_CONFIG_MAP_NAME } from '../kruise/api/names';
import { UserError } from '../settings/user-error';
import { readManifests } from './manifests';
import { LuaScripts } from './scripts/lua-scripts';

/** The name of all scripts of this package. */
const LIBRARY = 'library';

/**
 * Reads scripts that the ConfigMap of a cluster has: `library`, a folder of scripts, or a file with the ConfigMap.
 * @param folder where relative paths start; undefined for the working directory
 * @param place what messages call the text: `--scripts`
 */
export function readClusterScripts(text: string, folder: string | undefined, place: string): LuaScripts {
  if (text === LIBRARY) return LuaScripts.library();
  const path = resolve(folder ?? '.', text);
  if (!existsSync(path)) {
    throw new UserError(
      `${place} is "${text}", and there is no such file or folder`,
      'it is "library" for all scripts of this library, a folder of scripts, or a file with the ConfigMap of the cluster',
    );
  }
  return statSync(path).isDirectory() ? readFolder(path, text, place) : readFile(path, text, place);
}

function readFolder(path: string, text: string, place: string): LuaScripts {
  try {
    return LuaScripts.fromFolder(path);
  } catch (error) {
    throw new UserError(`${place} is "${text}": ${(error as Error).message}`);
  }
}

function readFile(path: string, text: string, place: string): LuaScripts {
  const { manifests, findings } = readManifests([path]);
  const [mistake] = findings.filter(({ severity }) => severity === 'error');
  if (mistake !== undefined) throw new UserError(`${place} is "${text}": ${findingTexts(mistake).message}`);
  const configMap = manifests.find(({ kind, name }) => kind === 'ConfigMap' && name === LUA_CONFIG_MAP_NAME);
  if (configMap !== undefined) return LuaScripts.fromConfigMap(configMap.object);
  throw new UserError(
    `${place} is "${text}", which has no ConfigMap "${LUA_CONFIG_MAP_NAME}"`,
    `write one with: kubectl get configmap ${LUA_CONFIG_MAP_NAME} --namespace kruise-rollout --output yaml`,
  );
}
