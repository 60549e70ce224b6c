import type { KubernetesObject } from './api';
import type { ServiceMonitorOptions } from './controller-options';
import type { ControllerSettings } from './controller-settings';
import type { Labels } from './pods';

/** The name of the container's port. Service and ServiceMonitor refer to it by name, so that its number may change. */
export const METRICS_PORT_NAME = 'metrics';

/** Where a controller serves its metrics. */
export interface MetricsEndpoint {
  /** The name of the Service. */
  readonly name: string;
  /** The name of the ServiceMonitor. */
  readonly monitorName: string;
  readonly namespace: string;
  /** The labels by which the ServiceMonitor selects the Service. No other Service may have all of them. */
  readonly labels: Labels;
  readonly annotations?: Labels;
  /** The labels by which the Service selects the pods. */
  readonly selector: Labels;
  readonly port: number;
  readonly serviceMonitor?: ServiceMonitorOptions;
}

/** The Service of the metrics, and the ServiceMonitor that makes Prometheus scrape it. */
export function metricsObjects(endpoint: MetricsEndpoint): KubernetesObject[] {
  const { name, monitorName, namespace, labels, annotations, selector, port, serviceMonitor } = endpoint;
  const service: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels: { ...labels }, ...(annotations === undefined ? {} : { annotations }) },
    spec: {
      ports: [{ name: METRICS_PORT_NAME, port, protocol: 'TCP', targetPort: METRICS_PORT_NAME }],
      selector: { ...selector },
    },
  };
  if (serviceMonitor === undefined) return [service];
  const { interval, scrapeTimeout } = serviceMonitor;
  return [
    service,
    {
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'ServiceMonitor',
      metadata: { name: monitorName, namespace, labels: { ...serviceMonitor.labels } },
      spec: {
        selector: { matchLabels: { ...labels } },
        namespaceSelector: { matchNames: [namespace] },
        endpoints: [{ port: METRICS_PORT_NAME, path: '/metrics', interval, scrapeTimeout }],
      },
    },
  ];
}

/** The PodDisruptionBudget of a controller. */
export function disruptionBudgetObjects(
  name: string,
  { namespace, podDisruptionBudget }: ControllerSettings & { readonly namespace: string },
  selector: Labels,
): KubernetesObject[] {
  if (podDisruptionBudget === undefined) return [];
  return [
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name, namespace },
      spec: { ...podDisruptionBudget, selector: { matchLabels: { ...selector } } },
    },
  ];
}
