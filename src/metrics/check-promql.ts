/** Holds a query against what the routers export. Pure: a query in, problems out. */
import { didYouMean } from '../core/did-you-mean';
import type { ExportedMetric, MetricFamily } from './exported';
import { exportedMetric, familyOf, seriesOf } from './families';
import { readPromql, type Selector } from './promql/read';

/** A problem of a query. */
export interface QueryProblem {
  readonly kind: 'invalid' | 'metric-unknown' | 'label-unknown' | 'canary-indistinct';
  readonly text: string;
  readonly fix: string;
  /** @default - the rule's own reason */
  readonly because?: string;
  /** The name that is meant. */
  readonly meant?: string;
  /** It is a problem only for some databases that speak PromQL. */
  readonly isOfDialect?: true;
}

/**
 * The problems of a PromQL query. Only metrics of known routers are looked up: those of applications can have any name.
 *
 * @param separates whether the query is meant to measure the canary alone
 * @example promqlProblems('sum(rate(istio_request_total[5m]))', false)[0]?.text // 'Istio exports no metric "istio_request_total"'
 */
export function promqlProblems(query: string, separates: boolean): QueryProblem[] {
  const { selectors, kept, mistake } = readPromql(query);
  if (mistake !== undefined) {
    const { text, fix, isOfDialect } = mistake;
    return [{ kind: 'invalid', text, fix, ...(isOfDialect && { isOfDialect }) }];
  }
  // Dashboards ask for the name of an old release too: new or old.
  const names = new Set(selectors.map(({ metric }) => metric));
  const found = selectors.flatMap(selectorProblems).filter(({ meant }) => meant === undefined || !names.has(meant));
  return [...distinct(found), ...(separates && found.length === 0 ? indistinct(selectors, kept) : [])];
}

function distinct(problems: readonly QueryProblem[]): QueryProblem[] {
  return problems.filter((one, index) => problems.findIndex(({ text }) => text === one.text) === index);
}

function selectorProblems({ metric, matchers }: Selector): QueryProblem[] {
  const family = metric === undefined ? undefined : familyOf(metric);
  if (metric === undefined || family === undefined) return [];
  const exported = exportedMetric(family, metric);
  if (exported === undefined) return unknownMetric(family, metric);
  return matchers.flatMap(({ label, operator, value }): QueryProblem[] => {
    // A label that must be empty, or may be, can be missing.
    if (operator.startsWith('!') || value === '') return [];
    const meant = meantLabel(family, exported, label);
    return meant === undefined ? [] : [unknownLabel(family, metric, label, meant)];
  });
}

/** Recording rules may have any name, so that only a name near to one of the router is taken for a mistake. */
function unknownMetric(family: MetricFamily, metric: string): QueryProblem[] {
  const names = new Map(seriesOf(family).map((name) => [stemOf(name), name]));
  const stem = didYouMean(stemOf(metric), [...names.keys()], 2);
  const meant = stem === undefined ? undefined : names.get(stem);
  if (meant === undefined) return [];
  return [
    {
      kind: 'metric-unknown',
      text: `${family.router} exports no metric "${metric}"`,
      fix: `did you mean "${meant}"?`,
      meant,
    },
  ];
}

/** A name without its unit, and without what Prometheus puts behind it. */
function stemOf(name: string): string {
  return name.replace(/(_(total|bucket|sum|count|seconds|milliseconds|ms))+$/, '');
}

/** The label that is meant by one that the metric does not have; undefined if relabelling may have added it. */
function meantLabel({ otherWords }: MetricFamily, { labels, type }: ExportedMetric, label: string): string | undefined {
  // Prometheus renames labels that its target has too.
  const own = label.replace(/^exported_/, '');
  if (labels.includes(own) || (type === 'histogram' && label === 'le')) return undefined;
  const word = Object.hasOwn(otherWords, label) ? otherWords[label] : undefined;
  if (word !== undefined && labels.includes(word)) return word;
  return didYouMean(label, labels, label.length < 5 ? 1 : 2);
}

function unknownLabel({ router }: MetricFamily, metric: string, label: string, meant: string): QueryProblem {
  return {
    kind: 'label-unknown',
    text: `${router} gives "${metric}" no label "${label}"`,
    fix: `did you mean "${meant}"?`,
  };
}

/** None of its selectors of routers has a label that differs between the versions. */
function indistinct(selectors: readonly Selector[], kept: readonly string[]): QueryProblem[] {
  const measured = selectors.flatMap(({ metric, matchers }) => {
    const family = metric === undefined ? undefined : familyOf(metric);
    return family === undefined || exportedMetric(family, metric!) === undefined ? [] : [{ family, matchers }];
  });
  const [first] = measured;
  if (first === undefined || measured.length < selectors.length) return [];
  const isSeparate = measured.some(({ family, matchers }) =>
    [...matchers.map(({ label }) => label), ...kept].some((label) => mayDiffer(family, label)),
  );
  if (isSeparate) return [];
  const { router, separation, because } = first.family;
  return [
    {
      kind: 'canary-indistinct',
      text: `the query measures the requests of both versions: no label in it tells the canary from the stable version`,
      fix: separation,
      because: `${because}. A canary with few requests hides among those of the stable version, in the metrics of ${router}`,
    },
  ];
}

/** A label that differs between versions, or that the router does not set: relabelling may make one that does. */
function mayDiffer({ separating, metrics }: MetricFamily, label: string): boolean {
  if (separating.includes(label)) return true;
  return label !== 'le' && !metrics.some(({ labels }) => labels.includes(label.replace(/^exported_/, '')));
}
