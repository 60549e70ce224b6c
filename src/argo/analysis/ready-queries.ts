/** PromQL of the ready-made metrics. */

/** Labels and the values that they must have. */
type Labels = Readonly<Record<string, string>>;

/** The share of requests whose status is no 5xx. */
export function successRateQuery(metric: string, labels: Labels, status: string, range: string): string {
  const rate = (more: readonly string[]) =>
    `sum(rate(${metric}{${[...matchers(labels), ...more].join(', ')}}[${range}]))`;
  return `${rate([`${status}!~"5.."`])} / ${rate([])}`;
}

/** The time in which a share of the requests is answered, in milliseconds. */
export function latencyQuery(metric: string, labels: Labels, percentile: number, range: string, factor = 1): string {
  const rate = `sum by (le) (rate(${metric}{${matchers(labels).join(', ')}}[${range}]))`;
  return `histogram_quantile(${percentile}, ${rate})${factor === 1 ? '' : ` * ${factor}`}`;
}

function matchers(labels: Labels): string[] {
  return Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
}
