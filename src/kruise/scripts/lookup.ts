/** How the controller finds the script for an Ingress class or a custom kind. See docs/script-contract.md. */

import { asObject, textOf } from '../../core/json';
import type { LuaResult, LuaRunOptions } from '../../lua';
import {
  CUSTOM_SCRIPT_KEY_PREFIX,
  DEFAULT_CONTROLLER_NAMESPACE,
  INGRESS_SCRIPT_KEY_PREFIX,
  LUA_CONFIG_MAP_NAME,
} from '../api';
import { KruiseRolloutVersion } from '../version';
import { type RunScript, scriptRunner } from './contract';
import type { ScriptTarget } from './library';

/** The scripts in the controller's image. A script library is one. */
export interface BuiltinScripts {
  /** The script for an Ingress class or a kind; undefined if there is none. */
  find(target: ScriptTarget): { readonly source: string } | undefined;
}

/** No built-in scripts. */
export const NO_BUILTIN_SCRIPTS: BuiltinScripts = { find: () => undefined };

/** The sources in which the controller looks for scripts. */
export interface ScriptSources {
  readonly builtins: BuiltinScripts;
  /**
   * The ConfigMap {@link LUA_CONFIG_MAP_NAME} of the controller's namespace, as a manifest.
   * @default - no ConfigMap
   */
  readonly configMap?: unknown;
  /** @default KruiseRolloutVersion.LATEST */
  readonly version?: KruiseRolloutVersion;
  /**
   * The controller's namespace, where it looks for the ConfigMap.
   * @default 'kruise-rollout'
   */
  readonly controllerNamespace?: string;
  /**
   * Scripts that the ConfigMap probably has, where nobody knows what it has.
   * @default - what is not in the ConfigMap does not exist
   */
  readonly assumed?: BuiltinScripts;
}

/** A script that was found. */
export interface FoundScript {
  readonly found: true;
  readonly source: string;
  readonly from: 'ConfigMap' | 'builtin' | 'assumed';
  /** The key in the ConfigMap, or the file in the controller's `/lua_configuration`. */
  readonly key: string;
}

/** A script that was not found, with the controller's own message. */
export interface MissingScript {
  readonly found: false;
  readonly error: string;
  /** The ConfigMap key where the controller looks. */
  readonly key: string;
  /** The namespace of the ConfigMap, if it may have the script all the same: nobody knows what it has. */
  readonly unknownIn?: string;
}

/** The result of a lookup. */
export type ScriptLookup = FoundScript | MissingScript;

/** The class type that the controller uses if none is set. */
export const DEFAULT_CLASS_TYPE = 'nginx';

/** The ConfigMap key of an ingress script. */
export function ingressScriptKey(classType: string): string {
  return `${INGRESS_SCRIPT_KEY_PREFIX}${classType || DEFAULT_CLASS_TYPE}`;
}

/** The ConfigMap key of a custom script. It does not depend on the version in `apiVersion`. */
export function customScriptKey(ref: { readonly apiVersion: string; readonly kind: string }): string {
  return `${CUSTOM_SCRIPT_KEY_PREFIX}${ref.kind}.${groupOf(ref.apiVersion)}`;
}

/** The part of `apiVersion` before the slash. A core kind has no slash: the controller uses the version. */
function groupOf(apiVersion: string): string {
  return apiVersion.split('/')[0];
}

/** Finds an ingress script: first in the ConfigMap, then among the built-in scripts. An empty entry counts as missing. */
export function lookupIngressScript(classType: string, sources: ScriptSources): ScriptLookup {
  const { facts } = sources.version ?? KruiseRolloutVersion.LATEST;
  const name = classType || DEFAULT_CLASS_TYPE;
  const key = ingressScriptKey(name);
  const configured = entryOf(sources.configMap, key);
  if (configured) return { found: true, source: configured, from: 'ConfigMap', key };
  const isBuiltin = facts.builtinIngressScripts.includes(name);
  const builtin = isBuiltin ? sources.builtins.find({ provider: 'ingress', classType: name })?.source : undefined;
  if (builtin) return { found: true, source: builtin, from: 'builtin', key: `trafficrouting_ingress/${name}.lua` };
  return assumedScript({ provider: 'ingress', classType: name }, sources, key, `${name} lua script is not found`);
}

/**
 * Finds a custom script: first among the built-in scripts, then in the ConfigMap. A ConfigMap therefore cannot replace a
 * built-in script. An empty entry counts as found, and fails when it runs.
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
    const error = `failed to get ConfigMap(${namespace}/${LUA_CONFIG_MAP_NAME})`;
    return assumedScript({ provider: 'custom', group, kind: ref.kind }, sources, key, error);
  }
  const configured = entryOf(sources.configMap, key);
  if (configured !== undefined) return { found: true, source: configured, from: 'ConfigMap', key };
  return { found: false, error: 'expected script not found neither locally nor in ConfigMap', key };
}

/** The script that is assumed, or the controller's error without it. */
function assumedScript(target: ScriptTarget, sources: ScriptSources, key: string, error: string): ScriptLookup {
  const { assumed, controllerNamespace = DEFAULT_CONTROLLER_NAMESPACE } = sources;
  if (assumed === undefined) return { found: false, error, key };
  const script = assumed.find(target);
  return script === undefined
    ? { found: false, error, key, unknownIn: controllerNamespace }
    : { found: true, source: script.source, from: 'assumed', key };
}

function entryOf(configMap: unknown, key: string): string | undefined {
  const data = asObject(asObject(configMap).data);
  return Object.hasOwn(data, key) ? textOf(data[key]) : undefined;
}

/**
 * Runs a script that the controller has found. A built-in one is written anew in this library, so the line of an error is not
 * the one in the controller's log.
 */
export function runnerOfFound(
  { source, from }: FoundScript,
  version?: KruiseRolloutVersion,
  options?: LuaRunOptions,
): RunScript {
  const run = scriptRunner(source, version, options);
  return from === 'builtin' ? (obj) => withoutLine(run(obj)) : run;
}

function withoutLine(result: LuaResult): LuaResult {
  if (result.ok) return result;
  const { line: _line, error, ...rest } = result;
  return { ...rest, error: error.replace(/^<string>:\d+: /, '') };
}
