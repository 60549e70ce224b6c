/** Metrics of Envoy about its clusters, as Contour's Envoys export them. */
import { counters, gauges, histograms, type MetricFamily } from './exported';

const CLUSTER = ['envoy_cluster_name'];
const P = 'envoy_cluster_upstream_';

export const ENVOY: MetricFamily = {
  router: 'Envoy',
  prefix: 'envoy_cluster_upstream_rq',
  metrics: [
    ...counters([...CLUSTER, 'envoy_response_code'], `${P}rq`),
    ...counters([...CLUSTER, 'envoy_response_code_class'], `${P}rq_xx`),
    ...histograms(CLUSTER, `${P}rq_time`),
    ...gauges(CLUSTER, `${P}rq_active`, `${P}rq_pending_active`),
    ...counters(
      CLUSTER,
      ...[
        'total',
        'completed',
        'timeout',
        'per_try_timeout',
        'cancelled',
        'maintenance_mode',
        'max_duration_reached',
      ].map((name) => `${P}rq_${name}`),
      ...['rx_reset', 'tx_reset', 'retry', 'retry_success', 'retry_overflow', 'retry_limit_exceeded'].map(
        (name) => `${P}rq_${name}`,
      ),
      ...['pending_total', 'pending_overflow', 'pending_failure_eject', 'per_try_idle_timeout'].map(
        (name) => `${P}rq_${name}`,
      ),
      ...['retry_backoff_exponential', 'retry_backoff_ratelimited', 'dropped', '0rtt'].map((name) => `${P}rq_${name}`),
    ),
  ],
  otherWords: {
    status: 'envoy_response_code',
    code: 'envoy_response_code',
    response_code: 'envoy_response_code',
    cluster_name: 'envoy_cluster_name',
    service: 'envoy_cluster_name',
  },
  separating: ['envoy_cluster_name'],
  separation: 'select the cluster of the canary: envoy_cluster_name=~"<namespace>_<canary Service>_.*"',
  because: 'only the name of the cluster has the Service',
};
