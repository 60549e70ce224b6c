/** Metrics of the Ingress controller of the Kubernetes project, ingress-nginx. */
import { counters, gauges, histograms, type MetricFamily } from './exported';

const CONTROLLER = ['controller_namespace', 'controller_class', 'controller_pod'] as const;
/** `host` only without --metrics-per-host=false. */
const REQUEST = [...CONTROLLER, 'status', 'method', 'path', 'namespace', 'ingress', 'service', 'canary', 'host'];
const CERTIFICATE = ['namespace', 'class', 'host', 'secret_name', 'identifier'];
const P = 'nginx_ingress_controller_';

export const INGRESS_NGINX: MetricFamily = {
  router: 'ingress-nginx',
  prefix: P,
  metrics: [
    ...counters(REQUEST, `${P}requests`),
    ...histograms(
      REQUEST,
      `${P}connect_duration_seconds`,
      `${P}header_duration_seconds`,
      `${P}request_duration_seconds`,
      `${P}response_duration_seconds`,
      `${P}request_size`,
      `${P}response_size`,
      `${P}bytes_sent`,
    ),
    // Up to release 1.11.
    ...histograms(REQUEST, `${P}ingress_upstream_latency_seconds`),
    ...counters([...CONTROLLER], `${P}success`),
    ...counters([...CONTROLLER, 'namespace', 'ingress'], `${P}errors`, `${P}check_errors`, `${P}check_success`),
    ...gauges([...CONTROLLER, 'namespace', 'ingress', 'type'], `${P}orphan_ingress`),
    ...gauges(CERTIFICATE, `${P}ssl_expire_time_seconds`),
    ...gauges(
      [...CERTIFICATE, 'issuer_organization', 'issuer_common_name', 'serial_number', 'public_key_algorithm'],
      `${P}ssl_certificate_info`,
    ),
    ...gauges([...CONTROLLER, 'name'], `${P}leader_election_status`),
    ...gauges([...CONTROLLER, 'build', 'release', 'repository'], `${P}build_info`),
    ...gauges(
      [...CONTROLLER],
      `${P}config_hash`,
      `${P}config_last_reload_successful`,
      `${P}config_last_reload_successful_timestamp_seconds`,
      `${P}admission_tested_ingresses`,
      `${P}admission_tested_duration`,
      `${P}admission_render_ingresses`,
      `${P}admission_render_duration`,
      `${P}admission_config_size`,
      `${P}admission_roundtrip_duration`,
    ),
    ...counters(
      [...CONTROLLER, 'state'],
      `${P}nginx_process_connections_total`,
      `${P}nginx_process_requests_total`,
      `${P}nginx_process_cpu_seconds_total`,
      `${P}nginx_process_read_bytes_total`,
      `${P}nginx_process_write_bytes_total`,
    ),
    ...gauges(
      [...CONTROLLER, 'state'],
      `${P}nginx_process_connections`,
      `${P}nginx_process_num_procs`,
      `${P}nginx_process_resident_memory_bytes`,
      `${P}nginx_process_virtual_memory_bytes`,
      `${P}nginx_process_oldest_start_time_seconds`,
    ),
  ],
  otherWords: {
    code: 'status',
    response_code: 'status',
    status_code: 'status',
    http_status: 'status',
    ingress_name: 'ingress',
    service_name: 'service',
    destination_service: 'service',
    destination_service_name: 'service',
    upstream: 'canary',
  },
  separating: ['canary'],
  separation: 'select the label canary: canary="<namespace>-<canary Service>-<port>", or canary!=""',
  because:
    'ingress-nginx counts a request that it sends to a canary under the namespace, Ingress and Service of the stable version; only ' +
    'its label canary has the Service of the canary',
};
