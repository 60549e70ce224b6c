import type { KubernetesObject } from '../../kubernetes/api';
import { metricsObjects } from '../../kubernetes/monitoring';
import { CONTROLLER_NAME, METRICS_LABELS, METRICS_NAME, SELECTOR_LABELS } from './names';
import type { Settings } from './settings';

/** The Service for the metrics, and the ServiceMonitor for Prometheus. */
export function monitoringObjects({ namespace, metrics, metricsPort: port }: Settings): KubernetesObject[] {
  if (metrics === undefined) return [];
  const { serviceAnnotations: annotations, serviceMonitor } = metrics;
  return metricsObjects({
    name: METRICS_NAME,
    monitorName: CONTROLLER_NAME,
    namespace,
    labels: METRICS_LABELS,
    annotations,
    selector: SELECTOR_LABELS,
    port,
    serviceMonitor,
  });
}
