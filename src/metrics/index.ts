/** What routers export about requests, and whether queries ask for it. Pure functions. */
export * from './check-promql';
export * from './cloudwatch';
export type { ExportedMetric, MetricFamily } from './exported';
export { exportedMetric, familyOf, METRIC_FAMILIES, seriesOf } from './families';
export { type ReadQuery, readPromql, type Selector } from './promql/read';
