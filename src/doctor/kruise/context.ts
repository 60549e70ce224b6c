/** The input of every question about Kruise Rollouts. */
import type { Finding, Manifest } from '../../core';
import { lazy } from '../../core/lazy';
import { DEFAULT_CONTROLLER_NAMESPACE, LUA_CONFIG_MAP_NAME } from '../../kruise/api';
import { RolloutScripts } from '../../kruise/controller';
import { checkGatewayPermissions, gatewayPermissionRules } from '../../kruise/gateway-permissions';
import { type Controller, controllersOf } from '../../kruise/install/check/controllers';
import { CONTROLLER_NAME } from '../../kruise/install/names';
import { builtinScripts } from '../../kruise/scripts/library';
import type { ScriptSources } from '../../kruise/scripts/lookup';
import type { KruiseRolloutVersion } from '../../kruise/version';
import { Scopes } from '../../rehearsal/scope';
import type { Router } from '../../routers';
import type { LiveCluster, Unread } from '../cluster';
import type { Declared } from '../declared';

/** The data that all Rollouts of a cluster share. */
export interface KruiseContext {
  readonly cluster: LiveCluster;
  readonly declared: Declared;
  readonly version: KruiseRolloutVersion;
  readonly controllers: readonly Controller[];
  /** The namespace of the controller's ConfigMap. */
  readonly namespace: string;
  readonly configMap: Manifest | undefined;
  /** The reason why the ConfigMap is unknown. */
  readonly configMapUnread: Unread | undefined;
  readonly sources: ScriptSources;
  readonly scripts: RolloutScripts;
  readonly routers: readonly Router[];
  readonly liveScopes: Scopes;
  readonly declaredScopes: Scopes;
  /** The permissions that the controller lacks, as `check` finds them with all roles known. */
  readonly missingPermissions: () => readonly Finding[];
}

/** The options of the context. */
export interface KruiseContextOptions {
  readonly version: KruiseRolloutVersion;
  readonly routers: readonly Router[];
  /** @default - that of the controller that was found, or 'kruise-rollout' */
  readonly controllerNamespace?: string;
}

/** The ServiceAccount of the controller. */
export function accountOf(controllers: readonly Controller[], namespace: string) {
  const account = controllers[0] ?? { namespace, serviceAccountName: CONTROLLER_NAME };
  return { namespace: account.namespace, serviceAccountName: account.serviceAccountName };
}

/** Reads the shared data. */
export function kruiseContext(
  cluster: LiveCluster,
  declared: Declared,
  { version, routers, controllerNamespace }: KruiseContextOptions,
): KruiseContext {
  const controllers = controllersOf(cluster.world, version);
  const namespace = controllerNamespace ?? controllers[0]?.ownNamespace ?? DEFAULT_CONTROLLER_NAMESPACE;
  const configMap = cluster.world.find('ConfigMap', LUA_CONFIG_MAP_NAME, namespace);
  const sources: ScriptSources = {
    builtins: builtinScripts(version),
    version,
    controllerNamespace: namespace,
    ...(configMap === undefined ? {} : { configMap: configMap.object }),
  };
  return {
    cluster,
    declared,
    version,
    controllers,
    namespace,
    configMap,
    configMapUnread: configMap === undefined ? cluster.unread('ConfigMap', namespace) : undefined,
    sources,
    scripts: new RolloutScripts(sources),
    routers,
    liveScopes: new Scopes(cluster.world, routers),
    declaredScopes: new Scopes(declared.world, routers),
    missingPermissions: lazy(() => {
      const { id } = gatewayPermissionRules['kruise-gateway-not-granted'];
      const account = accountOf(controllers, namespace);
      const install = { ...account, grantedKinds: [] };
      return checkGatewayPermissions(cluster.world, { version, install, routers }).filter(({ rule }) => rule === id);
    }),
  };
}
