import type { Int32, Int64, IntOrString, NamedValue } from './common';

/** A command in the container. */
export interface ExecAction {
  /** The command and its arguments. */
  readonly command?: readonly string[];
}

/** A request for HTTP. */
export interface HttpGetAction {
  /** Port, or its name. */
  readonly port: IntOrString;
  /** Path. */
  readonly path?: string;
  /** Host. */
  readonly host?: string;
  /** Headers. */
  readonly httpHeaders?: readonly NamedValue[];
  /** `HTTP` or `HTTPS`. */
  readonly scheme?: string;
}

/** A connection for TCP. */
export interface TcpSocketAction {
  /** Port, or its name. */
  readonly port: IntOrString;
  /** Host. */
  readonly host?: string;
}

/** A request for gRPC. */
export interface GrpcAction {
  /** Port. */
  readonly port: Int32;
  /**
   * Name of the service.
   * @default ''
   */
  readonly service?: string;
}

/** A wait. */
export interface SleepAction {
  /** How long. */
  readonly seconds: Int64;
}

/** What is done when a container starts or ends. */
export interface LifecycleHandler {
  /** A command in the container. */
  readonly exec?: ExecAction;
  /** A request for HTTP. */
  readonly httpGet?: HttpGetAction;
  /** A wait. */
  readonly sleep?: SleepAction;
  /** A connection for TCP. */
  readonly tcpSocket?: TcpSocketAction;
}

/** What is done when a container starts and ends. */
export interface Lifecycle {
  /** After its start. */
  readonly postStart?: LifecycleHandler;
  /** Before its end. */
  readonly preStop?: LifecycleHandler;
  /** The signal that ends it. */
  readonly stopSignal?: string;
}

/** How the state of a container is found out. */
export interface Probe {
  /** A command in the container. */
  readonly exec?: ExecAction;
  /** A request for gRPC. */
  readonly grpc?: GrpcAction;
  /** A request for HTTP. */
  readonly httpGet?: HttpGetAction;
  /** A connection for TCP. */
  readonly tcpSocket?: TcpSocketAction;
  /** How often in a row it must fail. */
  readonly failureThreshold?: Int32;
  /** Seconds before the first time. */
  readonly initialDelaySeconds?: Int32;
  /** Seconds from one time to the next. */
  readonly periodSeconds?: Int32;
  /** How often in a row it must go well. */
  readonly successThreshold?: Int32;
  /** Seconds that the container gets to end. */
  readonly terminationGracePeriodSeconds?: Int64;
  /** Seconds that one time may take. */
  readonly timeoutSeconds?: Int32;
}
