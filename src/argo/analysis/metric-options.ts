/** Options of metrics: when they measure, what they accept, and what they ask. */
import type { DurationLike } from '../../core/duration';
import type { JobMetric, MetricAuthentication, MetricHeader, PrometheusRangeQuery, WebMetric } from '../api';

/** When a metric is measured, and how many results of each kind end its analysis. */
export interface ArgoMetricOptions {
  /**
   * The time between two measurements, as a Duration or as text: `30s`, `5m`.
   * @default - a single measurement
   */
  readonly interval?: string | DurationLike;
  /**
   * The number of measurements. Except in the background, an analysis with an interval needs it.
   * @default - one, or unlimited with an interval
   */
  readonly count?: number | string;
  /**
   * The time before the first measurement, such as until the canary had its first requests.
   * @default - none
   */
  readonly initialDelay?: string | DurationLike;
  /**
   * The number of measurements that may fail.
   * @default 0
   */
  readonly failureLimit?: number | string;
  /**
   * The number of measurements that may be inconclusive. One more pauses the release.
   * @default 0
   */
  readonly inconclusiveLimit?: number | string;
  /**
   * The number of errors in a row that are allowed. One more aborts the release.
   * @default 4
   */
  readonly consecutiveErrorLimit?: number | string;
  /**
   * The number of measurements in a row that must succeed. Since release 1.8.
   * @default - none
   */
  readonly consecutiveSuccessLimit?: number | string;
}

/** What makes a measurement a success or a failure, and the name of its metric. */
export interface ArgoConditionOptions extends ArgoMetricOptions {
  /** The name of the metric, unique in its analysis. */
  readonly name: string;
  /**
   * An expression over `result` that is true for a success.
   * @default - a measurement succeeds if `failureCondition` is not true
   */
  readonly successCondition?: string;
  /**
   * An expression over `result` that is true for a failure. A measurement for which neither condition is true is
   * inconclusive.
   * @default - a measurement fails if `successCondition` is not true
   */
  readonly failureCondition?: string;
}

/** Where Prometheus is. */
export interface ArgoPrometheusServer {
  /**
   * The address of Prometheus, with the scheme.
   * @default - PROMETHEUS_ADDRESS in the environment of the controller
   */
  readonly address?: string;
  /**
   * The authentication of the requests.
   * @default - none
   */
  readonly authentication?: MetricAuthentication;
  /**
   * Headers of the requests.
   * @default - none
   */
  readonly headers?: readonly MetricHeader[];
  /**
   * Whether to accept any certificate.
   * @default false
   */
  readonly insecure?: boolean;
  /**
   * Seconds that a query may take.
   * @default 30
   */
  readonly timeout?: number;
}

/** A metric of Prometheus. */
export interface ArgoPrometheusOptions extends ArgoConditionOptions, ArgoPrometheusServer {
  /** The query. Its result is a list, so that a condition reads `result[0]`. */
  readonly query: string;
  /**
   * Queries a time range.
   * @default - an instant query
   */
  readonly rangeQuery?: PrometheusRangeQuery;
}

/** What a measurement without any request counts as. */
export type ArgoWithoutRequests = 'inconclusive' | 'success' | 'failure';

/** What all ready-made metrics take. */
export interface ArgoReadyMetricOptions extends ArgoMetricOptions {
  /**
   * The name of the metric, unique in its analysis.
   * @default - 'success-rate' or 'latency'
   */
  readonly name?: string;
  /**
   * The time over which requests are counted, as text: `2m`. At least four times the interval at which Prometheus scrapes.
   * @default '5m'
   */
  readonly range?: string;
  /**
   * What a measurement without any request counts as. `inconclusive` asks people: the release pauses when there are more of
   * them than `inconclusiveLimit`.
   * @default 'inconclusive'
   */
  readonly withoutRequests?: ArgoWithoutRequests;
}

/** The share of requests without a server error. */
export interface ArgoSuccessRateOptions extends ArgoReadyMetricOptions {
  /** The smallest share that is a success, from 0 to 1: `0.99`; or an argument: `{{args.success-rate}}`. */
  readonly minSuccessRate: number | string;
}

/** How long requests take. */
export interface ArgoLatencyOptions extends ArgoReadyMetricOptions {
  /** The longest time that is a success, in milliseconds; or an argument: `{{args.milliseconds}}`. */
  readonly maxMilliseconds: number | string;
  /**
   * The share of requests that must be faster, between 0 and 1.
   * @default 0.95
   */
  readonly percentile?: number;
}

/** The canary in the metrics of ingress-nginx: their label `canary` is made of these three. */
export interface ArgoNginxCanary extends ArgoPrometheusServer {
  /** The namespace of the Rollout. */
  readonly namespace: string;
  /** The canary Service of the Rollout. */
  readonly canaryService: string;
  /** The port of the Service in the Ingress, by number or by name. */
  readonly port: number | string;
}

/** The canary in the metrics of Istio. */
export interface ArgoIstioCanary extends ArgoPrometheusServer {
  /** The namespace of the Rollout. */
  readonly namespace: string;
  /** The canary Service of the Rollout; with subsets, its only Service, and `labels` tell the versions apart. */
  readonly service: string;
  /**
   * Which proxies report: the sidecars of the pods, or the waypoints of the ambient mode.
   * @default 'destination'
   */
  readonly reporter?: 'destination' | 'source' | 'waypoint';
  /**
   * Further labels that must match, such as `destination_version` of a subset.
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>>;
}

/** The canary in the metrics of an Application Load Balancer. `ArgoMetric.albArguments()` gives both to an analysis. */
export interface ArgoAlbCanary {
  /**
   * The end of the ARN of the load balancer: `app/<name>/<id>`.
   * @default - the argument `load-balancer`
   */
  readonly loadBalancer?: string;
  /**
   * The end of the ARN of the canary's target group: `targetgroup/<name>/<id>`.
   * @default - the argument `target-group`
   */
  readonly targetGroup?: string;
}

/** A metric of a web request. */
export interface ArgoWebOptions extends ArgoConditionOptions, WebMetric {}

/** A metric of a Job, which succeeds or fails with it. */
export interface ArgoJobOptions extends ArgoMetricOptions, JobMetric {
  /** The name of the metric, unique in its analysis. */
  readonly name: string;
}
