/** Where the controller finds the script of an Ingress class or of a custom kind. See docs/script-contract.md. */
import {
  CUSTOM_SCRIPT_KEY_PREFIX,
  DEFAULT_CONTROLLER_NAMESPACE,
  INGRESS_SCRIPT_KEY_PREFIX,
  LUA_CONFIG_MAP_NAME,
} from '../api';
import { asObject, asString } from '../json';
import { KruiseRolloutVersion } from '../version';
import type { ScriptTarget } from './library';

/** The scripts inside the controller's image: a library of them, or anything else that finds them. */
export interface BuiltinScripts {
  /** The script for an Ingress class or for a kind; undefined when there is none. */
  find(target: ScriptTarget): { readonly source: string } | undefined;
}

/** No script is built in. */
export const NO_BUILTIN_SCRIPTS: BuiltinScripts = { find: () => undefined };

/** All places where a script may come from. */
export interface ScriptSources {
  readonly builtins: BuiltinScripts;
  /**
   * The ConfigMap {@link LUA_CONFIG_MAP_NAME} of the controller's namespace, as a manifest.
   * @default - there is none
   */
  readonly configMap?: unknown;
  /** @default KruiseRolloutVersion.LATEST */
  readonly version?: KruiseRolloutVersion;
  /**
   * The controller's namespace, where it looks for the ConfigMap.
   * @default 'kruise-rollout'
   */
  readonly controllerNamespace?: string;
}

/** A script was found. */
export interface FoundScript {
  readonly found: true;
  readonly source: string;
  readonly from: 'ConfigMap' | 'builtin';
  /** The key of the ConfigMap, or the file below the controller's `/lua_configuration`. */
  readonly key: string;
}

/** No script was found, with the controller's own message. */
export interface MissingScript {
  readonly found: false;
  readonly error: string;
  /** The ConfigMap key under which a script would be found. */
  readonly key: string;
}

/** What came of a look-up. */
export type ScriptLookup = FoundScript | MissingScript;

/** The class type that an empty one stands for. */
export const DEFAULT_CLASS_TYPE = 'nginx';

/** The ConfigMap key of an ingress script. */
export function ingressScriptKey(classType: string): string {
  return `${INGRESS_SCRIPT_KEY_PREFIX}${classType || DEFAULT_CLASS_TYPE}`;
}

/** The ConfigMap key of a custom script. The version in `apiVersion` plays no part. */
export function customScriptKey(ref: { readonly apiVersion: string; readonly kind: string }): string {
  return `${CUSTOM_SCRIPT_KEY_PREFIX}${ref.kind}.${groupOf(ref.apiVersion)}`;
}

/** What stands before the slash of an `apiVersion`; of a core kind, which has no slash, the version itself. */
function groupOf(apiVersion: string): string {
  return apiVersion.split('/')[0];
}

/** Finds an ingress script: in the ConfigMap first, then among the built-in ones. An empty entry counts as none. */
export function lookupIngressScript(classType: string, sources: ScriptSources): ScriptLookup {
  const { facts } = sources.version ?? KruiseRolloutVersion.LATEST;
  const name = classType || DEFAULT_CLASS_TYPE;
  const key = ingressScriptKey(name);
  const configured = entryOf(sources.configMap, key);
  if (configured) return { found: true, source: configured, from: 'ConfigMap', key };
  const isBuiltin = facts.builtinIngressScripts.includes(name);
  const builtin = isBuiltin ? sources.builtins.find({ provider: 'ingress', classType: name })?.source : undefined;
  if (builtin) return { found: true, source: builtin, from: 'builtin', key: `trafficrouting_ingress/${name}.lua` };
  return { found: false, error: `${name} lua script is not found`, key };
}

/**
 * Finds a custom script: among the built-in ones first, then in the ConfigMap, so that a built-in one cannot be
 * replaced. An empty entry of the ConfigMap is found, and fails when it is run.
 */
export function lookupCustomScript(
  ref: { readonly apiVersion: string; readonly kind: string },
  sources: ScriptSources,
): ScriptLookup {
  const version = sources.version ?? KruiseRolloutVersion.LATEST;
  const group = groupOf(ref.apiVersion);
  const key = customScriptKey(ref);
  if (!version.facts.customNetworkRefs) {
    return { found: false, error: `customNetworkRefs do not exist in Kruise Rollouts ${version}`, key };
  }
  const isBuiltin = version.facts.builtinCustomScripts.includes(`${ref.kind}.${group}`);
  const builtin = isBuiltin ? sources.builtins.find({ provider: 'custom', group, kind: ref.kind })?.source : undefined;
  if (builtin) return { found: true, source: builtin, from: 'builtin', key: `${group}/${ref.kind}/trafficRouting.lua` };
  if (sources.configMap === undefined || sources.configMap === null) {
    const namespace = sources.controllerNamespace ?? DEFAULT_CONTROLLER_NAMESPACE;
    return { found: false, error: `failed to get ConfigMap(${namespace}/${LUA_CONFIG_MAP_NAME})`, key };
  }
  const configured = entryOf(sources.configMap, key);
  if (configured !== undefined) return { found: true, source: configured, from: 'ConfigMap', key };
  return { found: false, error: 'expected script not found neither locally nor in ConfigMap', key };
}

function entryOf(configMap: unknown, key: string): string | undefined {
  const data = asObject(asObject(configMap).data);
  return Object.hasOwn(data, key) ? asString(data[key]) : undefined;
}
