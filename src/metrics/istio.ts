/** The standard metrics of Istio's sidecars and waypoints. */
import { counters, histograms, type MetricFamily } from './exported';

const SIDES = ['source', 'destination'].flatMap((side) => [
  `${side}_workload`,
  `${side}_workload_namespace`,
  `${side}_principal`,
  `${side}_app`,
  `${side}_version`,
  `${side}_cluster`,
  `${side}_canonical_service`,
  `${side}_canonical_revision`,
]);
const TCP = [
  'reporter',
  ...SIDES,
  'destination_service',
  'destination_service_name',
  'destination_service_namespace',
  'request_protocol',
  'response_flags',
  'connection_security_policy',
];
const HTTP = [...TCP, 'response_code', 'grpc_response_status'];

export const ISTIO: MetricFamily = {
  router: 'Istio',
  prefix: 'istio_',
  metrics: [
    ...counters(HTTP, 'istio_requests_total', 'istio_request_messages_total', 'istio_response_messages_total'),
    ...histograms(HTTP, 'istio_request_duration_milliseconds', 'istio_request_bytes', 'istio_response_bytes'),
    ...counters(
      TCP,
      'istio_tcp_sent_bytes_total',
      'istio_tcp_received_bytes_total',
      'istio_tcp_connections_opened_total',
      'istio_tcp_connections_closed_total',
    ),
  ],
  otherWords: {
    status: 'response_code',
    code: 'response_code',
    status_code: 'response_code',
    service: 'destination_service_name',
    destination_name: 'destination_service_name',
    destination_namespace: 'destination_service_namespace',
    workload: 'destination_workload',
    version: 'destination_version',
  },
  separating: [
    'destination_service',
    'destination_service_name',
    'destination_version',
    'destination_canonical_revision',
    'pod',
    'pod_name',
    'kubernetes_pod_name',
    'instance',
    'rollouts_pod_template_hash',
  ],
  separation:
    'select destination_service_name of the canary Service; with subsets of one Service, select destination_version or ' +
    'destination_canonical_revision, which canaryMetadata can set',
  because: 'both versions of a Rollout have the same destination_workload and destination_app',
};
