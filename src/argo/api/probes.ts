import type { Int32, Int64, IntOrString, NamedValue } from './common';

/** A command in the container. */
export interface ExecAction {
  /** The command and its arguments. */
  readonly command?: readonly string[];
}

/** An HTTP request. */
export interface HttpGetAction {
  /** The port, by number or name. */
  readonly port: IntOrString;
  /** The path. */
  readonly path?: string;
  /** Host. */
  readonly host?: string;
  /** The headers. */
  readonly httpHeaders?: readonly NamedValue[];
  /** `HTTP` or `HTTPS`. */
  readonly scheme?: string;
}

/** A TCP connection. */
export interface TcpSocketAction {
  /** The port, by number or name. */
  readonly port: IntOrString;
  /** Host. */
  readonly host?: string;
}

/** A gRPC request. */
export interface GrpcAction {
  /** The port. */
  readonly port: Int32;
  /**
   * The name of the service.
   * @default ''
   */
  readonly service?: string;
}

/** A wait. */
export interface SleepAction {
  /** How long. */
  readonly seconds: Int64;
}

/** An action after the start or before the end of a container. */
export interface LifecycleHandler {
  /** A command in the container. */
  readonly exec?: ExecAction;
  /** An HTTP request. */
  readonly httpGet?: HttpGetAction;
  /** A wait. */
  readonly sleep?: SleepAction;
  /** A TCP connection. */
  readonly tcpSocket?: TcpSocketAction;
}

/** Actions after the start and before the end of a container. */
export interface Lifecycle {
  /** After its start. */
  readonly postStart?: LifecycleHandler;
  /** Before its end. */
  readonly preStop?: LifecycleHandler;
  /** The signal that ends it. */
  readonly stopSignal?: string;
}

/** A probe of a container's state. */
export interface Probe {
  /** A command in the container. */
  readonly exec?: ExecAction;
  /** A gRPC request. */
  readonly grpc?: GrpcAction;
  /** An HTTP request. */
  readonly httpGet?: HttpGetAction;
  /** A TCP connection. */
  readonly tcpSocket?: TcpSocketAction;
  /** The number of consecutive failures. */
  readonly failureThreshold?: Int32;
  /** The seconds before the first probe. */
  readonly initialDelaySeconds?: Int32;
  /** The seconds between two probes. */
  readonly periodSeconds?: Int32;
  /** The number of consecutive successes. */
  readonly successThreshold?: Int32;
  /** The seconds that the container has to terminate. */
  readonly terminationGracePeriodSeconds?: Int64;
  /** The timeout of a probe, in seconds. */
  readonly timeoutSeconds?: Int32;
}
