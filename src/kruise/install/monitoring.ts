import type { KubernetesObject } from '../../kubernetes/api';
import { metricsObjects } from '../../kubernetes/monitoring';
import { CONTROLLER_LABELS, CONTROLLER_NAME } from './names';
import type { Settings } from './settings';

/** The Service for the metrics, and the ServiceMonitor for Prometheus. */
export function monitoringObjects({ namespace, metrics }: Settings): KubernetesObject[] {
  if (metrics === undefined) return [];
  return metricsObjects({
    name: `${CONTROLLER_NAME}-metrics`,
    monitorName: CONTROLLER_NAME,
    namespace,
    // The webhook Service selects the same pods, but does not have these labels.
    labels: { 'app.kubernetes.io/component': 'metrics', ...CONTROLLER_LABELS },
    selector: CONTROLLER_LABELS,
    port: metrics.port,
    serviceMonitor: metrics.serviceMonitor,
  });
}
