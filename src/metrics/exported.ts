/** What routers export about requests, as data. */

/** A metric that a router exports to Prometheus. */
export interface ExportedMetric {
  readonly name: string;
  /** A histogram has `_bucket` with the label `le`, `_sum` and `_count`. */
  readonly type: 'counter' | 'gauge' | 'histogram';
  /** The labels that the router sets. Prometheus adds those of its target, and relabelling may add any. */
  readonly labels: readonly string[];
}

/** The metrics of one router. */
export interface MetricFamily {
  /** As messages call it: `ingress-nginx` */
  readonly router: string;
  /** What the names of its metrics begin with. */
  readonly prefix: string;
  readonly metrics: readonly ExportedMetric[];
  /** Names that other routers, or earlier releases, use for a label, and the label of this one. */
  readonly otherWords: Readonly<Record<string, string>>;
  /** The labels that differ between the canary and the stable version of one application. */
  readonly separating: readonly string[];
  /** How a query selects the canary: a fix. */
  readonly separation: string;
  /** Why its other labels are the same for both versions. */
  readonly because: string;
}

export function counters(labels: readonly string[], ...names: string[]): ExportedMetric[] {
  return names.map((name) => ({ name, type: 'counter', labels }));
}

export function gauges(labels: readonly string[], ...names: string[]): ExportedMetric[] {
  return names.map((name) => ({ name, type: 'gauge', labels }));
}

export function histograms(labels: readonly string[], ...names: string[]): ExportedMetric[] {
  return names.map((name) => ({ name, type: 'histogram', labels }));
}
