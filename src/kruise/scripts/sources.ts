/** Where the controller of a stack finds its scripts. */
import type { World } from '../../core/world';
import { DEFAULT_CONTROLLER_NAMESPACE, LUA_CONFIG_MAP_NAME } from '../api';
import { KruiseRolloutVersion } from '../version';
import { routingConfigMap } from './config-map';
import { builtinScripts, packagedScripts, type RoutingScript } from './library';
import type { ScriptSources } from './lookup';

/**
 * The scripts in the ConfigMap of the cluster, where a stack does not bring the ConfigMap itself: these, or `unknown`, as in
 * the repository of an application whose platform team installs the controller.
 */
export type ClusterScripts = readonly RoutingScript[] | 'unknown';

/** What the lookup of scripts depends on besides the manifests. */
export interface ScriptSourcesOptions {
  /** @default KruiseRolloutVersion.LATEST */
  readonly version?: KruiseRolloutVersion;
  /** @default 'kruise-rollout' */
  readonly controllerNamespace?: string;
  /** @default - the cluster has no ConfigMap but that of the stack */
  readonly scripts?: ClusterScripts;
}

/** The sources of scripts for a stack. Of unknown scripts, those of the library are assumed. */
export function scriptSourcesOf(world: World, options: ScriptSourcesOptions): ScriptSources {
  const {
    version = KruiseRolloutVersion.LATEST,
    controllerNamespace = DEFAULT_CONTROLLER_NAMESPACE,
    scripts,
  } = options;
  const own = world.find('ConfigMap', LUA_CONFIG_MAP_NAME, controllerNamespace)?.object;
  const configMap = own ?? (typeof scripts === 'object' ? routingConfigMap(scripts, controllerNamespace) : undefined);
  return {
    builtins: builtinScripts(version),
    version,
    controllerNamespace,
    ...(configMap === undefined ? {} : { configMap }),
    ...(configMap === undefined && scripts === 'unknown' ? { assumed: packagedScripts() } : {}),
  };
}
