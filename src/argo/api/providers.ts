import type { AnyObject, Duration, Int64, IntOrString, StringMap } from './common';
import type { JobMetric } from './job';
import type { NameAndValue } from './pod';

/** OAuth2 with the secret of a client. */
export interface OAuth2Config {
  /** Where tokens are. */
  readonly tokenUrl?: string;
  /** Id of the client. */
  readonly clientId?: string;
  /** Secret of the client: take it from an argument with `secretKeyRef`. */
  readonly clientSecret?: string;
  /** What the token is for. */
  readonly scopes?: readonly string[];
}

/** Signatures of AWS. */
export interface Sigv4Config {
  /** The region. */
  readonly region?: string;
  /** A profile of the controller's AWS configuration. */
  readonly profile?: string;
  /** A role to take on. */
  readonly roleArn?: string;
}

/** How a request proves who sends it. */
export interface MetricAuthentication {
  /** OAuth2 with the secret of a client. */
  readonly oauth2?: OAuth2Config;
  /** Signatures of AWS. */
  readonly sigv4?: Sigv4Config;
}

/** A header of a request. */
export interface MetricHeader {
  /** Its name. */
  readonly key: string;
  /** Its value. */
  readonly value: string;
}

/** A query over a range of time; expressions see a list of values. */
export interface PrometheusRangeQuery {
  /** An expression for the begin, `now() - duration("5m")`. */
  readonly start?: string;
  /** An expression for the end. */
  readonly end?: string;
  /** The time from one value to the next. */
  readonly step?: Duration;
}

/** Prometheus. */
export interface PrometheusMetric {
  /**
   * Where it is, with the scheme.
   * @default - what the environment of the controller says
   */
  readonly address?: string;
  /**
   * The query.
   * @crdOptional
   */
  readonly query: string;
  /**
   * Asks over a range of time.
   * @default - for one moment
   */
  readonly rangeQuery?: PrometheusRangeQuery;
  /** How requests prove who sends them. */
  readonly authentication?: MetricAuthentication;
  /** Headers of the requests. */
  readonly headers?: readonly MetricHeader[];
  /**
   * Takes any certificate.
   * @default - false
   */
  readonly insecure?: boolean;
  /**
   * Seconds.
   * @default - 30
   */
  readonly timeout?: Int64;
}

/** A query of a system that has an address, and nothing more. */
export interface AddressAndQuery {
  /** Where the system is. */
  readonly address?: string;
  /** The query. */
  readonly query?: string;
}

/** Apache SkyWalking. */
export interface SkyWalkingMetric extends AddressAndQuery {
  /** The time that the query is about. */
  readonly interval?: Duration;
}

/** A query that names a profile: a Secret with address and token. */
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

/** Where the keys of Datadog are. */
export interface DatadogSecretRef {
  /** Name of the Secret. */
  readonly name?: string;
  /**
   * Whether it is in the namespace of the analysis, not of the controller.
   * @default - false
   */
  readonly namespaced?: boolean;
}

/** Datadog: one of `query` and `queries`. */
export interface DatadogMetric {
  /**
   * Version of its API.
   * @default 'v1'
   */
  readonly apiVersion?: 'v1' | 'v2';
  /** The query. */
  readonly query?: string;
  /** Queries by name. Only with v2. */
  readonly queries?: StringMap;
  /** What is made of several queries. Only with v2. */
  readonly formula?: string;
  /** What is made of the values of one query. Only with v2. */
  readonly aggregator?: 'avg' | 'min' | 'max' | 'sum' | 'last' | 'percentile' | 'mean' | 'l2norm' | 'area';
  /**
   * The time that the query is about.
   * @default '5m'
   */
  readonly interval?: Duration;
  /**
   * Where the keys are.
   * @default - the Secret `datadog` in the namespace of the controller
   */
  readonly secretRef?: DatadogSecretRef;
}

/** A metric of CloudWatch. */
export interface CloudWatchMetricName {
  /** Its name. */
  readonly metricName?: string;
  /** Its namespace, `AWS/ApplicationELB`. */
  readonly namespace?: string;
  /** Its dimensions. */
  readonly dimensions?: readonly NameAndValue[];
}

/** A statistic of a metric of CloudWatch. */
export interface CloudWatchMetricStat {
  /** The metric. */
  readonly metric?: CloudWatchMetricName;
  /** Seconds of one value. */
  readonly period?: IntOrString;
  /** The statistic, `Sum`. */
  readonly stat?: string;
  /** The unit. */
  readonly unit?: string;
}

/** A query of CloudWatch: one of `metricStat` and `expression`. */
export interface CloudWatchMetricDataQuery {
  /** Name of the query in expressions. */
  readonly id?: string;
  /** An expression over other queries. */
  readonly expression?: string;
  /** A statistic of a metric. */
  readonly metricStat?: CloudWatchMetricStat;
  /** How the values are called. */
  readonly label?: string;
  /** Seconds of one value. */
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
   * The time that the queries are about.
   * @default - 5m
   */
  readonly interval?: Duration;
}

/** What the points of Kayenta must reach. */
export interface KayentaThreshold {
  /** For a success. */
  readonly pass: Int64;
  /** For no failure. */
  readonly marginal: Int64;
}

/** What Kayenta compares. */
export interface KayentaScopeDetail {
  /** What is looked at. */
  readonly scope: string;
  /** Where it is. */
  readonly region: string;
  /** Seconds from one value to the next. */
  readonly step: Int64;
  /** The begin. */
  readonly start?: string;
  /** The end. */
  readonly end?: string;
}

/** Two things that Kayenta compares. */
export interface KayentaScope {
  /** Name of the pair. */
  readonly name: string;
  /** What is compared with. */
  readonly controlScope: KayentaScopeDetail;
  /** What is compared. */
  readonly experimentScope: KayentaScopeDetail;
}

/** Kayenta of Spinnaker. */
export interface KayentaMetric {
  /** Where it is. */
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
  /** What the points must reach. */
  readonly threshold: KayentaThreshold;
  /** What is compared. */
  readonly scopes: readonly KayentaScope[];
  /** Whether the time before the analysis counts too. */
  readonly lookback?: boolean;
}

/** A request whose answer is JSON, or whose status alone counts. */
export interface WebMetric {
  /** Where to. */
  readonly url: string;
  /**
   * The method.
   * @open
   * @default - GET
   */
  readonly method?: 'GET' | 'POST' | 'PUT';
  /** Headers of the request. */
  readonly headers?: readonly MetricHeader[];
  /** What is sent, as text. Not with GET. */
  readonly body?: string;
  /** What is sent, as JSON, in place of `body`. Not with GET. */
  readonly jsonBody?: AnyObject;
  /**
   * The part of the answer that is the result, `{$.data.ok}`.
   * @default - all of it
   */
  readonly jsonPath?: string;
  /** How the request proves who sends it. */
  readonly authentication?: MetricAuthentication;
  /**
   * Takes any certificate.
   * @default - false
   */
  readonly insecure?: boolean;
  /**
   * Seconds.
   * @default - 10
   */
  readonly timeoutSeconds?: Int64;
}

/** Who measures: one of the fields. */
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
  /** A Job; its end is the result. */
  readonly job?: JobMetric;
  /** Kayenta of Spinnaker. */
  readonly kayenta?: KayentaMetric;
  /** New Relic. */
  readonly newRelic?: NewRelicMetric;
  /** A plugin of the controller, by its name. */
  readonly plugin?: AnyObject;
  /** Apache SkyWalking. */
  readonly skywalking?: SkyWalkingMetric;
  /** Wavefront. */
  readonly wavefront?: AddressAndQuery;
  /** A request whose answer is JSON, or whose status alone counts. */
  readonly web?: WebMetric;
}
