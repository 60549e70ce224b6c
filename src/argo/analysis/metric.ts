/** Metrics of an analysis in the API's format, with the queries that each router needs. */
import { secondsOf } from '../../core/duration';
import { compact } from '../../core/json';
import type { Metric, MetricProvider, RolloutArgument } from '../api';
import type {
  ArgoAlbCanary,
  ArgoIstioCanary,
  ArgoJobOptions,
  ArgoLatencyOptions,
  ArgoMetricOptions,
  ArgoNginxCanary,
  ArgoPrometheusOptions,
  ArgoPrometheusServer,
  ArgoReadyMetricOptions,
  ArgoSuccessRateOptions,
  ArgoWebOptions,
} from './metric-options';
import { type Comparison, conditionsOf } from './ready-conditions';
import { latencyQuery, successRateQuery } from './ready-queries';

/** A metric of an analysis, in the API's format. */
export type ArgoAnalysisMetric = Metric;

const LOAD_BALANCER = 'app/{{args.load-balancer}}';
const TARGET_GROUP = 'targetgroup/{{args.target-group}}';

/**
 * Creates the metrics of an analysis. Each is an object of the API, so a plain object works as well.
 *
 * The ready-made ones measure the canary alone. A measurement without requests is inconclusive, unless `withoutRequests` says
 * otherwise.
 *
 * @example
 * [
 *   ArgoMetric.nginxSuccessRate({ namespace: 'shop', canaryService: 'web-canary', port: 80, minSuccessRate: 0.99, interval: '1m' }),
 *   ArgoMetric.web({ name: 'smoke', url: 'https://preview.example.com/healthz', jsonPath: '{$.ok}', successCondition: 'result == true' }),
 * ];
 */
export class ArgoMetric {
  /** A query of your own. Synth checks it against what the routers export. */
  static prometheus(options: ArgoPrometheusOptions): ArgoAnalysisMetric {
    const { query, rangeQuery, successCondition, failureCondition, name, ...rest } = options;
    return metric(name, rest, { successCondition, failureCondition }, fromPrometheus(query, rest, rangeQuery));
  }

  /** The share of the canary's requests that ingress-nginx answers without a 5xx status. */
  static nginxSuccessRate(options: ArgoNginxCanary & ArgoSuccessRateOptions): ArgoAnalysisMetric {
    const query = successRateQuery('nginx_ingress_controller_requests', ofNginx(options), 'status', rangeOf(options));
    return ready('success-rate', options, atLeast(options, 'result[0]'), fromPrometheus(query, options));
  }

  /** How long the canary's requests take in ingress-nginx. */
  static nginxLatency(options: ArgoNginxCanary & ArgoLatencyOptions): ArgoAnalysisMetric {
    const name = 'nginx_ingress_controller_request_duration_seconds_bucket';
    const query = latencyQuery(name, ofNginx(options), percentileOf(options), rangeOf(options), 1000);
    return ready('latency', options, atMost(options, 'result[0]'), fromPrometheus(query, options));
  }

  /** The share of the canary's requests that Istio's proxies count without a 5xx status. */
  static istioSuccessRate(options: ArgoIstioCanary & ArgoSuccessRateOptions): ArgoAnalysisMetric {
    const query = successRateQuery('istio_requests_total', ofIstio(options), 'response_code', rangeOf(options));
    return ready('success-rate', options, atLeast(options, 'result[0]'), fromPrometheus(query, options));
  }

  /** How long the canary's requests take in Istio's proxies. */
  static istioLatency(options: ArgoIstioCanary & ArgoLatencyOptions): ArgoAnalysisMetric {
    const name = 'istio_request_duration_milliseconds_bucket';
    const query = latencyQuery(name, ofIstio(options), percentileOf(options), rangeOf(options));
    return ready('latency', options, atMost(options, 'result[0]'), fromPrometheus(query, options));
  }

  /** The share of the canary's requests that its targets answer without a 5xx status, from CloudWatch. */
  static albSuccessRate(options: ArgoAlbCanary & ArgoSuccessRateOptions): ArgoAnalysisMetric {
    // CloudWatch has no data of errors where there are none.
    const provider = fromCloudWatch(options, [
      { id: 'rate', expression: '1 - FILL(errors, 0) / requests' },
      { id: 'errors', metricName: 'HTTPCode_Target_5XX_Count', stat: 'Sum' },
      { id: 'requests', metricName: 'RequestCount', stat: 'Sum' },
    ]);
    return ready('success-rate', options, atLeast(options, CLOUD_WATCH), provider);
  }

  /** How long the canary's targets take to answer, from CloudWatch. */
  static albLatency(options: ArgoAlbCanary & ArgoLatencyOptions): ArgoAnalysisMetric {
    const stat = `p${Number((percentileOf(options) * 100).toFixed(2))}`;
    const provider = fromCloudWatch(options, [
      { id: 'latency', expression: 'seconds * 1000' },
      { id: 'seconds', metricName: 'TargetResponseTime', stat },
    ]);
    return ready('latency', options, atMost(options, CLOUD_WATCH), provider);
  }

  /**
   * The arguments `load-balancer` and `target-group` of an analysis in a canary's steps or background. The controller knows
   * them only when it verifies target groups: `aws: { verifyTargetGroup: true }` of its install.
   *
   * @example ArgoStep.analysis(['alb'], { args: ArgoMetric.albArguments() })
   */
  static albArguments(): readonly RolloutArgument[] {
    return [
      fromStatus('load-balancer', 'status.alb.loadBalancer.fullName'),
      fromStatus('target-group', 'status.alb.canaryTargetGroup.fullName'),
    ];
  }

  /** A web request; `jsonPath` selects what `result` is. */
  static web(options: ArgoWebOptions): ArgoAnalysisMetric {
    const { name, successCondition, failureCondition, ...rest } = options;
    return metric(name, rest, { successCondition, failureCondition }, { web: withoutTimes(rest) });
  }

  /** A Job in the namespace of the analysis: the measurement succeeds or fails with it. */
  static job(options: ArgoJobOptions): ArgoAnalysisMetric {
    const { name, ...rest } = options;
    return metric(name, rest, {}, { job: withoutTimes(rest) });
  }

  private constructor() {}
}

const CLOUD_WATCH = 'result[0].Values[0]';

/** The fields of a metric that say when it is measured. */
const TIMES = [
  'interval',
  'count',
  'initialDelay',
  'failureLimit',
  'inconclusiveLimit',
  'consecutiveErrorLimit',
  'consecutiveSuccessLimit',
] as const satisfies readonly (keyof ArgoMetricOptions)[];

function withoutTimes<Options extends ArgoMetricOptions>(options: Options): Omit<Options, keyof ArgoMetricOptions> {
  const entries = Object.entries(options).filter(([key]) => !(TIMES as readonly string[]).includes(key));
  return Object.fromEntries(entries) as Omit<Options, keyof ArgoMetricOptions>;
}

type Conditions = Pick<Metric, 'successCondition' | 'failureCondition'>;

function metric(name: string, options: ArgoMetricOptions, conditions: Conditions, provider: MetricProvider): Metric {
  const { interval, count, initialDelay, failureLimit, inconclusiveLimit } = options;
  const { consecutiveErrorLimit, consecutiveSuccessLimit } = options;
  return compact({
    name,
    interval: durationText(interval),
    count,
    initialDelay: durationText(initialDelay),
    ...conditions,
    failureLimit,
    inconclusiveLimit,
    consecutiveErrorLimit,
    consecutiveSuccessLimit,
    provider,
  });
}

function durationText(time: ArgoMetricOptions['interval']): string | undefined {
  return time === undefined || typeof time === 'string' ? time : `${secondsOf(time)}s`;
}

function ready(
  name: string,
  options: ArgoReadyMetricOptions,
  comparison: Comparison,
  provider: MetricProvider,
): Metric {
  const conditions = conditionsOf(comparison, options.withoutRequests ?? 'inconclusive');
  return metric(options.name ?? name, options, conditions, provider);
}

function atLeast({ minSuccessRate }: ArgoSuccessRateOptions, value: string): Comparison {
  return { value, limit: shareOf(minSuccessRate, 'minSuccessRate'), isGood: '>=', isBad: '<' };
}

function atMost({ maxMilliseconds }: ArgoLatencyOptions, value: string): Comparison {
  if (typeof maxMilliseconds === 'number' && !(maxMilliseconds > 0))
    throw new Error(`maxMilliseconds is ${maxMilliseconds}: give milliseconds above 0`);
  return { value, limit: String(maxMilliseconds), isGood: '<=', isBad: '>' };
}

function percentileOf({ percentile = 0.95 }: ArgoLatencyOptions): number {
  shareOf(percentile, 'percentile');
  return percentile;
}

function shareOf(share: number | string, name: string): string {
  if (typeof share === 'string' || (share > 0 && share <= 1)) return String(share);
  const meant = share > 1 && share <= 100 ? `; did you mean ${share / 100}?` : '';
  throw new Error(`${name} is ${share}: give a share from 0 to 1${meant}`);
}

function rangeOf({ range = '5m' }: ArgoReadyMetricOptions): string {
  if (range.includes('{{') || /^(\d+(ms|[smhdwy]))+$/.test(range)) return range;
  throw new Error(`range is "${range}": give a number and a unit, such as 30s, 5m or 1h`);
}

function ofNginx({ namespace, canaryService, port }: ArgoNginxCanary): Readonly<Record<string, string>> {
  return { canary: `${namespace}-${canaryService}-${port}` };
}

function ofIstio({ namespace, service, reporter = 'destination', labels }: ArgoIstioCanary) {
  return { reporter, destination_service_namespace: namespace, destination_service_name: service, ...labels };
}

function fromPrometheus(
  query: string,
  { address, authentication, headers, insecure, timeout }: ArgoPrometheusServer,
  rangeQuery?: ArgoPrometheusOptions['rangeQuery'],
): MetricProvider {
  return { prometheus: compact({ address, query, rangeQuery, authentication, headers, insecure, timeout }) };
}

interface AlbQuery {
  readonly id: string;
  readonly expression?: string;
  readonly metricName?: string;
  readonly stat?: string;
}

/** The first query is the result; the others are its parts. */
function fromCloudWatch(options: ArgoAlbCanary & ArgoReadyMetricOptions, queries: readonly AlbQuery[]): MetricProvider {
  const { loadBalancer = LOAD_BALANCER, targetGroup = TARGET_GROUP } = options;
  const dimensions = [
    { name: 'LoadBalancer', value: loadBalancer },
    { name: 'TargetGroup', value: targetGroup },
  ];
  const metricDataQueries = queries.map(({ id, expression, metricName, stat }) =>
    metricName === undefined
      ? { id, expression: expression! }
      : {
          id,
          metricStat: { metric: { namespace: 'AWS/ApplicationELB', metricName, dimensions }, period: 60, stat: stat! },
          returnData: false,
        },
  );
  return { cloudWatch: { interval: rangeOf(options), metricDataQueries } };
}

function fromStatus(name: string, fieldPath: string): RolloutArgument {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}
