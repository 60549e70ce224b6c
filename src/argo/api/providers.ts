import type { AnyObject, Duration, Int64, IntOrString, StringMap } from './common';
import type { JobMetric } from './job';
import type { NameAndValue } from './pod';

/** OAuth2 client credentials. */
export interface OAuth2Config {
  /** The URL of the token endpoint. */
  readonly tokenUrl?: string;
  /** The client id. */
  readonly clientId?: string;
  /** The client secret: use an argument with `secretKeyRef`. */
  readonly clientSecret?: string;
  /** The scopes of the token. */
  readonly scopes?: readonly string[];
}

/** AWS signatures. */
export interface Sigv4Config {
  /** The region. */
  readonly region?: string;
  /** A profile of the controller's AWS configuration. */
  readonly profile?: string;
  /** A role to assume. */
  readonly roleArn?: string;
}

/** The authentication of a request. */
export interface MetricAuthentication {
  /** OAuth2 client credentials. */
  readonly oauth2?: OAuth2Config;
  /** AWS signatures. */
  readonly sigv4?: Sigv4Config;
}

/** A header of a request. */
export interface MetricHeader {
  /** The name of the header. */
  readonly key: string;
  /** The value of the header. */
  readonly value: string;
}

/** A query over a time range; its result is a list of values. */
export interface PrometheusRangeQuery {
  /** An expression for the start: `now() - duration("5m")`. */
  readonly start?: string;
  /** An expression for the end. */
  readonly end?: string;
  /** The time between two values. */
  readonly step?: Duration;
}

/** Prometheus. */
export interface PrometheusMetric {
  /**
   * The address of Prometheus, with the scheme.
   * @default - the address in the controller's environment
   */
  readonly address?: string;
  /**
   * The query.
   * @crdOptional
   */
  readonly query: string;
  /**
   * Queries a time range.
   * @default - an instant query
   */
  readonly rangeQuery?: PrometheusRangeQuery;
  /** The authentication of the requests. */
  readonly authentication?: MetricAuthentication;
  /** Headers of the requests. */
  readonly headers?: readonly MetricHeader[];
  /**
   * Whether to accept any certificate.
   * @default - false
   */
  readonly insecure?: boolean;
  /**
   * Seconds.
   * @default - 30
   */
  readonly timeout?: Int64;
}

/** A query of a system with an address only. */
export interface AddressAndQuery {
  /** The address of the system. */
  readonly address?: string;
  /** The query. */
  readonly query?: string;
}

/** Apache SkyWalking. */
export interface SkyWalkingMetric extends AddressAndQuery {
  /** The time range of the query. */
  readonly interval?: Duration;
}

/** A query with a profile: a Secret with address and token. */
export interface InfluxdbMetric {
  /** Name of the Secret. */
  readonly profile?: string;
  /** The query, in Flux. */
  readonly query?: string;
}

/** New Relic. */
export interface NewRelicMetric {
  /**
   * Name of the Secret with the account and the key.
   * @default - newrelic
   */
  readonly profile?: string;
  /** The query, in NRQL. */
  readonly query: string;
  /**
   * Seconds.
   * @default - 5
   */
  readonly timeout?: Int64;
}

/** The location of the Datadog keys. */
export interface DatadogSecretRef {
  /** Name of the Secret. */
  readonly name?: string;
  /**
   * Whether the Secret is in the namespace of the analysis, instead of the controller's.
   * @default - false
   */
  readonly namespaced?: boolean;
}

/** Datadog: one of `query` and `queries`. */
export interface DatadogMetric {
  /**
   * The version of the API.
   * @default 'v1'
   */
  readonly apiVersion?: 'v1' | 'v2';
  /** The query. */
  readonly query?: string;
  /** Queries by name. Only with v2. */
  readonly queries?: StringMap;
  /** The formula over several queries. Only with v2. */
  readonly formula?: string;
  /** The aggregation of the values of one query. Only with v2. */
  readonly aggregator?: 'avg' | 'min' | 'max' | 'sum' | 'last' | 'percentile' | 'mean' | 'l2norm' | 'area';
  /**
   * The time range of the query.
   * @default '5m'
   */
  readonly interval?: Duration;
  /**
   * The location of the keys.
   * @default - the Secret `datadog` in the namespace of the controller
   */
  readonly secretRef?: DatadogSecretRef;
}

/** A CloudWatch metric. */
export interface CloudWatchMetricName {
  /** The name of the metric. */
  readonly metricName?: string;
  /** The namespace of the metric: `AWS/ApplicationELB`. */
  readonly namespace?: string;
  /** The dimensions of the metric. */
  readonly dimensions?: readonly NameAndValue[];
}

/** A statistic of a CloudWatch metric. */
export interface CloudWatchMetricStat {
  /** The metric. */
  readonly metric?: CloudWatchMetricName;
  /** The period of one value, in seconds. */
  readonly period?: IntOrString;
  /** The statistic, `Sum`. */
  readonly stat?: string;
  /** The unit. */
  readonly unit?: string;
}

/** A CloudWatch query: one of `metricStat` and `expression`. */
export interface CloudWatchMetricDataQuery {
  /** The name of the query in expressions. */
  readonly id?: string;
  /** An expression over other queries. */
  readonly expression?: string;
  /** A statistic of a metric. */
  readonly metricStat?: CloudWatchMetricStat;
  /** The label of the values. */
  readonly label?: string;
  /** The period of one value, in seconds. */
  readonly period?: IntOrString;
  /**
   * Whether the values are part of the result.
   * @default - true
   */
  readonly returnData?: boolean;
}

/** Amazon CloudWatch. */
export interface CloudWatchMetric {
  /** The queries. */
  readonly metricDataQueries: readonly CloudWatchMetricDataQuery[];
  /**
   * The time range of the queries.
   * @default - 5m
   */
  readonly interval?: Duration;
}

/** The score thresholds of Kayenta. */
export interface KayentaThreshold {
  /** The score for a success. */
  readonly pass: Int64;
  /** The score below which the analysis fails. */
  readonly marginal: Int64;
}

/** A scope that Kayenta compares. */
export interface KayentaScopeDetail {
  /** The name of the scope. */
  readonly scope: string;
  /** The location of the scope. */
  readonly region: string;
  /** The seconds between two values. */
  readonly step: Int64;
  /** The start. */
  readonly start?: string;
  /** The end. */
  readonly end?: string;
}

/** Two scopes that Kayenta compares. */
export interface KayentaScope {
  /** The name of the pair. */
  readonly name: string;
  /** The control. */
  readonly controlScope: KayentaScopeDetail;
  /** The experiment. */
  readonly experimentScope: KayentaScopeDetail;
}

/** Spinnaker Kayenta. */
export interface KayentaMetric {
  /** The address of Kayenta. */
  readonly address: string;
  /** The application. */
  readonly application: string;
  /** Name of the configuration. */
  readonly canaryConfigName: string;
  /** Account of the metrics. */
  readonly metricsAccountName: string;
  /** Account of the configuration. */
  readonly configurationAccountName: string;
  /** Account of the storage. */
  readonly storageAccountName: string;
  /** The score thresholds. */
  readonly threshold: KayentaThreshold;
  /** The scopes to compare. */
  readonly scopes: readonly KayentaScope[];
  /** Whether the time before the analysis counts too. */
  readonly lookback?: boolean;
}

/** An HTTP request; the result is its JSON response, or its status. */
export interface WebMetric {
  /** The URL. */
  readonly url: string;
  /**
   * The method.
   * @open
   * @default - GET
   */
  readonly method?: 'GET' | 'POST' | 'PUT';
  /** Headers of the request. */
  readonly headers?: readonly MetricHeader[];
  /** The body as text. Not with GET. */
  readonly body?: string;
  /** The body as JSON, instead of `body`. Not with GET. */
  readonly jsonBody?: AnyObject;
  /**
   * The part of the response that is the result: `{$.data.ok}`.
   * @default - the whole response
   */
  readonly jsonPath?: string;
  /** The authentication of the request. */
  readonly authentication?: MetricAuthentication;
  /**
   * Whether to accept any certificate.
   * @default - false
   */
  readonly insecure?: boolean;
  /**
   * Seconds.
   * @default - 10
   */
  readonly timeoutSeconds?: Int64;
}

/** The provider of a metric: one of the fields. */
export interface MetricProvider {
  /** Prometheus. */
  readonly prometheus?: PrometheusMetric;
  /** Amazon CloudWatch. */
  readonly cloudWatch?: CloudWatchMetric;
  /** Datadog. */
  readonly datadog?: DatadogMetric;
  /** Graphite. */
  readonly graphite?: AddressAndQuery;
  /** InfluxDB. */
  readonly influxdb?: InfluxdbMetric;
  /** A Job; its success or failure is the result. */
  readonly job?: JobMetric;
  /** Spinnaker Kayenta. */
  readonly kayenta?: KayentaMetric;
  /** New Relic. */
  readonly newRelic?: NewRelicMetric;
  /** A plugin of the controller, by name. */
  readonly plugin?: AnyObject;
  /** Apache SkyWalking. */
  readonly skywalking?: SkyWalkingMetric;
  /** Wavefront. */
  readonly wavefront?: AddressAndQuery;
  /** An HTTP request; the result is its JSON response, or its status. */
  readonly web?: WebMetric;
}
