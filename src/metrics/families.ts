/** Finds metrics in what all routers export. */
import { ENVOY } from './envoy';
import type { ExportedMetric, MetricFamily } from './exported';
import { INGRESS_NGINX } from './ingress-nginx';
import { ISTIO } from './istio';
import { TRAEFIK } from './traefik';

/** All routers whose metrics are known. */
export const METRIC_FAMILIES: readonly MetricFamily[] = [INGRESS_NGINX, ISTIO, TRAEFIK, ENVOY];

const PARTS = /_(bucket|sum|count)$/;

/** The router that a metric is of, by its name; undefined for metrics of applications and recording rules. */
export function familyOf(metric: string): MetricFamily | undefined {
  // Recording rules have colons in their names.
  return metric.includes(':') ? undefined : METRIC_FAMILIES.find(({ prefix }) => metric.startsWith(prefix));
}

/** A metric of a router by the name of its series: `istio_request_bytes_bucket`. */
export function exportedMetric({ metrics }: MetricFamily, name: string): ExportedMetric | undefined {
  const part = PARTS.exec(name);
  return metrics.find(
    (metric) =>
      metric.name === name || (part && metric.type === 'histogram' && metric.name === name.slice(0, part.index)),
  );
}

/** The names of all series of a router. */
export function seriesOf({ metrics }: MetricFamily): string[] {
  return metrics.flatMap(({ name, type }) =>
    type === 'histogram' ? [`${name}_sum`, `${name}_count`, `${name}_bucket`] : [name],
  );
}
