import { createHash } from 'node:crypto';
import type { KubernetesObject } from '../../kubernetes/api';
import { CONFIG_NAME, CONTROLLER_LABELS, NOTIFICATION_CONFIG_NAME, NOTIFICATION_SECRET_NAME } from './names';
import type { ArgoRolloutsPlugin } from './options';
import type { Settings } from './settings';

/**
 * On the pod template: which plugins the controller was started with. It reads them once, so that a change has to roll
 * the pods.
 */
export const CONFIG_CHECKSUM_ANNOTATION = 'rollout-constructs.io/argo-config-checksum';

/** The ConfigMap of plugins, and ConfigMap and Secret of notifications. */
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

/** A digest of the plugins, or nothing where there are none. */
export function configChecksum({ plugins }: Settings): string | undefined {
  const entries = pluginEntries(plugins);
  if (entries === undefined) return undefined;
  return createHash('sha256').update(JSON.stringify(entries)).digest('hex');
}

/** What the controller reads, under the keys that it looks for: lists in YAML, of which JSON is a part. */
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
