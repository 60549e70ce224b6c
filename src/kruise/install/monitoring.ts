import { METRICS_PORT_NAME } from './deployment';
import type { KubernetesObject } from './kubernetes';
import { CONTROLLER_LABELS, CONTROLLER_NAME } from './names';
import type { Settings } from './settings';

/** The Service at which Prometheus finds the metrics, and the ServiceMonitor that tells it so. */
export function monitoringObjects({ namespace, metrics }: Settings): KubernetesObject[] {
  if (metrics === undefined) return [];
  const name = `${CONTROLLER_NAME}-metrics`;
  const labels = { 'app.kubernetes.io/component': 'metrics', ...CONTROLLER_LABELS };
  const service: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels },
    spec: {
      ports: [{ name: METRICS_PORT_NAME, port: metrics.port, protocol: 'TCP', targetPort: METRICS_PORT_NAME }],
      selector: { ...CONTROLLER_LABELS },
    },
  };
  const monitor = metrics.serviceMonitor;
  if (monitor === undefined) return [service];
  const { interval, scrapeTimeout } = monitor;
  return [
    service,
    {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'ServiceMonitor',
      metadata: { name: CONTROLLER_NAME, namespace, labels: { ...monitor.labels } },
      spec: {
        // The webhook Service selects the same pods, but carries none of these labels.
        selector: { matchLabels: labels },
        namespaceSelector: { matchNames: [namespace] },
        endpoints: [{ port: METRICS_PORT_NAME, path: '/metrics', interval, scrapeTimeout }],
      },
    },
  ];
}
