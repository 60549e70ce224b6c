import type { Int32, Quantities, Quantity } from './common';
import type { Lifecycle, Probe } from './probes';
import type { SecurityContext } from './security';

/**
 * A key of a ConfigMap or of a Secret.
 * @mapAtomic
 */
export interface KeyOfObject {
  /** The key. */
  readonly key: string;
  /**
   * The name of the object.
   * @default ''
   */
  readonly name?: string;
  /** Whether the key may be missing. */
  readonly optional?: boolean;
}

/**
 * A ConfigMap or a Secret.
 * @mapAtomic
 */
export interface EnvObject {
  /**
   * The name of the object.
   * @default ''
   */
  readonly name?: string;
  /** Whether the object may be missing. */
  readonly optional?: boolean;
}

/**
 * A field of the pod.
 * @mapAtomic
 */
export interface PodFieldRef {
  /** Path of the field. */
  readonly fieldPath: string;
  /** The API version. */
  readonly apiVersion?: string;
}

/**
 * A key of a file in a volume.
 * @mapAtomic
 */
export interface FileKeyRef {
  /** The key. */
  readonly key: string;
  /** Path of the file. */
  readonly path: string;
  /** The name of the volume. */
  readonly volumeName: string;
  /**
   * Whether the key may be missing.
   * @default false
   */
  readonly optional?: boolean;
}

/**
 * A resource of a container.
 * @mapAtomic
 */
export interface ResourceFieldRef {
  /** The resource: `limits.cpu`. */
  readonly resource: string;
  /** The name of the container. */
  readonly containerName?: string;
  /** The divisor of the quantity. */
  readonly divisor?: Quantity;
}

/** The source of a variable's value. */
export interface EnvSource {
  /** A key of a ConfigMap. */
  readonly configMapKeyRef?: KeyOfObject;
  /** A field of the pod. */
  readonly fieldRef?: PodFieldRef;
  /** A key of a file in a volume. */
  readonly fileKeyRef?: FileKeyRef;
  /** A resource of a container. */
  readonly resourceFieldRef?: ResourceFieldRef;
  /** A key of a Secret. */
  readonly secretKeyRef?: KeyOfObject;
}

/** An environment variable. */
export interface EnvVar {
  /** The name of the variable. */
  readonly name: string;
  /** The value of the variable. */
  readonly value?: string;
  /** The source of the value. */
  readonly valueFrom?: EnvSource;
}

/** Environment variables from all keys of an object. */
export interface EnvFromSource {
  /** A ConfigMap. */
  readonly configMapRef?: EnvObject;
  /** A Secret. */
  readonly secretRef?: EnvObject;
  /** The prefix of the names. */
  readonly prefix?: string;
}

/** A port of a container. */
export interface ContainerPort {
  /** The number of the port. */
  readonly containerPort: Int32;
  /** The name of the port. */
  readonly name?: string;
  /**
   * The protocol.
   * @open
   * @default 'TCP'
   */
  readonly protocol?: 'TCP' | 'UDP' | 'SCTP';
  /** The host address on the node. */
  readonly hostIP?: string;
  /** The port on the node. */
  readonly hostPort?: Int32;
}

/** How a container handles a change of its resources. */
export interface ContainerResizePolicy {
  /** The resource. */
  readonly resourceName: string;
  /** Whether to restart the container. */
  readonly restartPolicy: string;
}

/** A claim to devices. */
export interface ResourceClaim {
  /** The name of the claim in the pod. */
  readonly name: string;
  /** The request in the claim. */
  readonly request?: string;
}

/** The resources of a container. */
export interface ContainerResources {
  /**
   * Claims to devices.
   * @listMapKey name
   */
  readonly claims?: readonly ResourceClaim[];
  /**
   * The maximum that it may use.
   * @preserved
   */
  readonly limits?: Quantities;
  /**
   * The minimum that it must get.
   * @preserved
   */
  readonly requests?: Quantities;
}

/** Exit codes of a container. */
export interface ContainerExitCodes {
  /** Whether the rule applies to these codes, or to all others. */
  readonly operator: string;
  /**
   * The codes.
   * @listSet
   */
  readonly values?: readonly Int32[];
}

/** Actions after certain exit codes. */
export interface ContainerRestartRule {
  /** The action. */
  readonly action: string;
  /** The exit codes. */
  readonly exitCodes?: ContainerExitCodes;
}

/** A volume as a device. */
export interface VolumeDevice {
  /** Path of the device in the container. */
  readonly devicePath: string;
  /** Name of the volume. */
  readonly name: string;
}

/** A volume as a folder. */
export interface VolumeMount {
  /** Path of the folder in the container. */
  readonly mountPath: string;
  /** Name of the volume. */
  readonly name: string;
  /** How mounts propagate. */
  readonly mountPropagation?: string;
  /** Whether the mount is read-only. */
  readonly readOnly?: boolean;
  /** Whether nested mounts are read-only. */
  readonly recursiveReadOnly?: string;
  /** Path in the volume. */
  readonly subPath?: string;
  /** Path in the volume, with variables. */
  readonly subPathExpr?: string;
}

/** A container of a pod. */
export interface Container {
  /** The name of the container. */
  readonly name: string;
  /** The image. */
  readonly image?: string;
  /** When to pull the image. */
  readonly imagePullPolicy?: string;
  /** The command, instead of the image's. */
  readonly command?: readonly string[];
  /** The arguments, instead of the image's. */
  readonly args?: readonly string[];
  /**
   * Environment variables.
   * @listMapKey name
   */
  readonly env?: readonly EnvVar[];
  /** Environment variables from objects. */
  readonly envFrom?: readonly EnvFromSource[];
  /**
   * The ports.
   * @listMapKey containerPort protocol
   */
  readonly ports?: readonly ContainerPort[];
  /** The resources. */
  readonly resources?: ContainerResources;
  /** How to handle a change of resources. */
  readonly resizePolicy?: readonly ContainerResizePolicy[];
  /** The probe for readiness. */
  readonly readinessProbe?: Probe;
  /** The probe for liveness. */
  readonly livenessProbe?: Probe;
  /** The probe for startup. */
  readonly startupProbe?: Probe;
  /** Actions after the start and before the end. */
  readonly lifecycle?: Lifecycle;
  /** When to restart the container. */
  readonly restartPolicy?: string;
  /** Actions after certain exit codes. */
  readonly restartPolicyRules?: readonly ContainerRestartRule[];
  /** The security settings. */
  readonly securityContext?: SecurityContext;
  /** Whether it has a standard input. */
  readonly stdin?: boolean;
  /** Whether the standard input closes after the first session. */
  readonly stdinOnce?: boolean;
  /** The path of the file with the termination message. */
  readonly terminationMessagePath?: string;
  /** The source of the termination message without that file. */
  readonly terminationMessagePolicy?: string;
  /** Whether it has a terminal. */
  readonly tty?: boolean;
  /**
   * Volumes as devices.
   * @listMapKey devicePath
   */
  readonly volumeDevices?: readonly VolumeDevice[];
  /**
   * Volumes as folders.
   * @listMapKey mountPath
   */
  readonly volumeMounts?: readonly VolumeMount[];
  /** The working directory. */
  readonly workingDir?: string;
}

/** An ephemeral container for debugging. */
export interface EphemeralContainer extends Container {
  /** The container with which it shares the process namespace. */
  readonly targetContainerName?: string;
}
