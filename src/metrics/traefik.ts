/** Metrics of Traefik 3. */
import { counters, gauges, histograms, type MetricFamily } from './exported';

const REQUEST = ['code', 'method', 'protocol'];
const TLS = ['tls_version', 'tls_cipher'];

function levels(level: string, ...labels: string[]) {
  const of = (name: string) => `traefik_${level}_${name}`;
  return [
    ...counters([...REQUEST, ...labels], of('requests_total'), of('requests_bytes_total'), of('responses_bytes_total')),
    ...counters([...TLS, ...labels], of('requests_tls_total')),
    ...histograms([...REQUEST, ...labels], of('request_duration_seconds')),
  ];
}

export const TRAEFIK: MetricFamily = {
  router: 'Traefik',
  prefix: 'traefik_',
  metrics: [
    ...levels('entrypoint', 'entrypoint'),
    ...levels('router', 'router', 'service'),
    ...levels('service', 'service'),
    ...counters(['service'], 'traefik_service_retries_total'),
    ...gauges(['service', 'url'], 'traefik_service_server_up'),
    ...counters([], 'traefik_config_reloads_total'),
    ...gauges([], 'traefik_config_last_reload_success'),
    ...gauges(['entrypoint', 'protocol'], 'traefik_open_connections'),
    ...gauges(['cn', 'serial', 'sans'], 'traefik_tls_certs_not_after'),
    // Traefik 2.
    ...counters([], 'traefik_config_reloads_failure_total'),
    ...gauges([], 'traefik_config_last_reload_failure'),
    ...gauges([...REQUEST, 'entrypoint'], 'traefik_entrypoint_open_connections'),
    ...gauges([...REQUEST, 'router', 'service'], 'traefik_router_open_connections'),
    ...gauges([...REQUEST, 'service'], 'traefik_service_open_connections'),
  ],
  otherWords: {
    status: 'code',
    response_code: 'code',
    status_code: 'code',
    service_name: 'service',
    destination_service_name: 'service',
  },
  separating: ['service', 'exported_service', 'url'],
  separation: 'select the service of the canary: service=~"<namespace>-<canary Service>-.*"',
  because: 'its labels router and entrypoint are those of the route, which both versions share',
};
