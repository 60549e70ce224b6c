import type { KubernetesObject } from '../../core/kubernetes';
import { METRICS_PORT_NAME } from './deployment';
import { CONTROLLER_NAME, METRICS_LABELS, METRICS_NAME, SELECTOR_LABELS } from './names';
import type { Settings } from './settings';

/** The Service at which Prometheus finds the metrics, and the ServiceMonitor that tells it so. */
export function monitoringObjects({ namespace, metrics, metricsPort: port }: Settings): KubernetesObject[] {
  if (metrics === undefined) return [];
  const { serviceAnnotations: annotations, serviceMonitor: monitor } = metrics;
  const service: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: METRICS_NAME,
      namespace,
      labels: { ...METRICS_LABELS },
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec: {
      ports: [{ name: METRICS_PORT_NAME, port, protocol: 'TCP', targetPort: METRICS_PORT_NAME }],
      selector: { ...SELECTOR_LABELS },
    },
  };
  if (monitor === undefined) return [service];
  const { labels, interval, scrapeTimeout } = monitor;
  return [
    service,
    {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'ServiceMonitor',
      metadata: { name: CONTROLLER_NAME, namespace, labels: { ...labels } },
      spec: {
        selector: { matchLabels: { ...METRICS_LABELS } },
        namespaceSelector: { matchNames: [namespace] },
        endpoints: [{ port: METRICS_PORT_NAME, path: '/metrics', interval, scrapeTimeout }],
      },
    },
  ];
}

/** What keeps a controller up while nodes are drained. */
export function disruptionBudgetObjects({ namespace, podDisruptionBudget }: Settings): KubernetesObject[] {
  if (podDisruptionBudget === undefined) return [];
  return [
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: CONTROLLER_NAME, namespace },
      spec: { ...podDisruptionBudget, selector: { matchLabels: { ...SELECTOR_LABELS } } },
    },
  ];
}
