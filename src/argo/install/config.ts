import { sha256Hex } from '../../core/sha256';
import type { KubernetesObject } from '../../kubernetes/api';
import { CONFIG_NAME, CONTROLLER_LABELS, NOTIFICATION_CONFIG_NAME, NOTIFICATION_SECRET_NAME } from './names';
import type { ArgoRolloutsPlugin } from './options';
import type { Settings } from './settings';

/**
 * The checksum of the plugins, on the pod template. The controller reads plugins only at startup, so that a change must
 * restart the pods.
 */
export const CONFIG_CHECKSUM_ANNOTATION = 'rollout-constructs.io/argo-config-checksum';

/** The ConfigMap of plugins, and the ConfigMap and Secret of notifications. */
export function configObjects({ namespace, plugins, notifications }: Settings): KubernetesObject[] {
  const metadata = (name: string) => ({ name, namespace, labels: { ...CONTROLLER_LABELS } });
  const { config, secret } = notifications;
  return [
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata(CONFIG_NAME), data: pluginEntries(plugins) },
    ...(config === undefined
      ? []
      : [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: metadata(NOTIFICATION_CONFIG_NAME), data: config }]),
    ...(secret === undefined
      ? []
      : [
          {
            apiVersion: 'v1',
            kind: 'Secret',
            metadata: metadata(NOTIFICATION_SECRET_NAME),
            type: 'Opaque',
            stringData: secret,
          },
        ]),
  ];
}

/** A digest of the plugins; undefined without plugins. */
export function configChecksum({ plugins }: Settings): string | undefined {
  const entries = pluginEntries(plugins);
  if (entries === undefined) return undefined;
  return sha256Hex(JSON.stringify(entries));
}

/** The data of the plugins' ConfigMap: YAML lists, written as JSON. */
function pluginEntries(plugins: Settings['plugins']): Record<string, string> | undefined {
  const { metricProviders = [], steps = [], trafficRouters = [] } = plugins;
  const lists: [string, readonly ArgoRolloutsPlugin[]][] = [
    ['metricProviderPlugins', metricProviders],
    ['stepPlugins', steps],
    ['trafficRouterPlugins', trafficRouters],
  ];
  const written = lists.filter(([, list]) => list.length > 0);
  if (written.length === 0) return undefined;
  return Object.fromEntries(written.map(([key, list]) => [key, JSON.stringify(list.map(pluginEntry), null, 2)]));
}

function pluginEntry({ name, location, sha256, args, headersFromSecrets }: ArgoRolloutsPlugin) {
  return {
    name,
    location,
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(args === undefined ? {} : { args }),
    ...(headersFromSecrets === undefined
      ? {}
      : { headersFrom: headersFromSecrets.map((secret) => ({ secretRef: { name: secret } })) }),
  };
}
