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
   * Name of the object.
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
   * Its name.
   * @default ''
   */
  readonly name?: string;
  /** Whether it may be missing. */
  readonly optional?: boolean;
}

/**
 * A field of the pod.
 * @mapAtomic
 */
export interface PodFieldRef {
  /** Path of the field. */
  readonly fieldPath: string;
  /** Version of the API. */
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
  /** Name of the volume. */
  readonly volumeName: string;
  /**
   * Whether the key may be missing.
   * @default false
   */
  readonly optional?: boolean;
}

/**
 * An amount of a container.
 * @mapAtomic
 */
export interface ResourceFieldRef {
  /** Which amount, `limits.cpu`. */
  readonly resource: string;
  /** Name of the container. */
  readonly containerName?: string;
  /** What the amount is divided by. */
  readonly divisor?: Quantity;
}

/** Where the value of a variable comes from. */
export interface EnvSource {
  /** A key of a ConfigMap. */
  readonly configMapKeyRef?: KeyOfObject;
  /** A field of the pod. */
  readonly fieldRef?: PodFieldRef;
  /** A key of a file in a volume. */
  readonly fileKeyRef?: FileKeyRef;
  /** An amount of a container. */
  readonly resourceFieldRef?: ResourceFieldRef;
  /** A key of a Secret. */
  readonly secretKeyRef?: KeyOfObject;
}

/** A variable of the environment. */
export interface EnvVar {
  /** Its name. */
  readonly name: string;
  /** Its value. */
  readonly value?: string;
  /** Where its value comes from. */
  readonly valueFrom?: EnvSource;
}

/** Variables of the environment, all keys of an object. */
export interface EnvFromSource {
  /** A ConfigMap. */
  readonly configMapRef?: EnvObject;
  /** A Secret. */
  readonly secretRef?: EnvObject;
  /** Put before the names. */
  readonly prefix?: string;
}

/** A port of a container. */
export interface ContainerPort {
  /** Its number. */
  readonly containerPort: Int32;
  /** Its name. */
  readonly name?: string;
  /**
   * Its protocol.
   * @open
   * @default 'TCP'
   */
  readonly protocol?: 'TCP' | 'UDP' | 'SCTP';
  /** Address on the node. */
  readonly hostIP?: string;
  /** Port on the node. */
  readonly hostPort?: Int32;
}

/** What a change of an amount means for a container. */
export interface ContainerResizePolicy {
  /** Which amount. */
  readonly resourceName: string;
  /** Whether the container is restarted. */
  readonly restartPolicy: string;
}

/** A claim to devices. */
export interface ResourceClaim {
  /** Name of the claim in the pod. */
  readonly name: string;
  /** Which of its requests. */
  readonly request?: string;
}

/** What a container needs. */
export interface ContainerResources {
  /**
   * Claims to devices.
   * @listMapKey name
   */
  readonly claims?: readonly ResourceClaim[];
  /**
   * The most that it may use.
   * @preserved
   */
  readonly limits?: Quantities;
  /**
   * The least that it must get.
   * @preserved
   */
  readonly requests?: Quantities;
}

/** Exit codes of a container. */
export interface ContainerExitCodes {
  /** Whether the codes are those that count, or those that do not. */
  readonly operator: string;
  /**
   * The codes.
   * @listSet
   */
  readonly values?: readonly Int32[];
}

/** What happens after certain exit codes. */
export interface ContainerRestartRule {
  /** What happens. */
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
  /** How mounts spread. */
  readonly mountPropagation?: string;
  /** Whether it cannot be changed. */
  readonly readOnly?: boolean;
  /** Whether what is mounted in it cannot be changed. */
  readonly recursiveReadOnly?: string;
  /** Path in the volume. */
  readonly subPath?: string;
  /** Path in the volume, with variables. */
  readonly subPathExpr?: string;
}

/** A container of a pod. */
export interface Container {
  /** Its name. */
  readonly name: string;
  /** Its image. */
  readonly image?: string;
  /** When the image is pulled. */
  readonly imagePullPolicy?: string;
  /** The command, in place of the image's. */
  readonly command?: readonly string[];
  /** The arguments, in place of the image's. */
  readonly args?: readonly string[];
  /**
   * Variables of the environment.
   * @listMapKey name
   */
  readonly env?: readonly EnvVar[];
  /** Variables of the environment from objects. */
  readonly envFrom?: readonly EnvFromSource[];
  /**
   * Its ports.
   * @listMapKey containerPort protocol
   */
  readonly ports?: readonly ContainerPort[];
  /** What it needs. */
  readonly resources?: ContainerResources;
  /** What a change of an amount means. */
  readonly resizePolicy?: readonly ContainerResizePolicy[];
  /** Whether it is ready for requests. */
  readonly readinessProbe?: Probe;
  /** Whether it lives. */
  readonly livenessProbe?: Probe;
  /** Whether it has started. */
  readonly startupProbe?: Probe;
  /** What is done when it starts and ends. */
  readonly lifecycle?: Lifecycle;
  /** When it is restarted. */
  readonly restartPolicy?: string;
  /** What happens after certain exit codes. */
  readonly restartPolicyRules?: readonly ContainerRestartRule[];
  /** What it may do. */
  readonly securityContext?: SecurityContext;
  /** Whether it has an input. */
  readonly stdin?: boolean;
  /** Whether the input ends with its first user. */
  readonly stdinOnce?: boolean;
  /** Path of the file with its last words. */
  readonly terminationMessagePath?: string;
  /** What its last words are without that file. */
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
  /** Where commands run. */
  readonly workingDir?: string;
}

/** A container that is added for debugging. */
export interface EphemeralContainer extends Container {
  /** The container whose processes it sees. */
  readonly targetContainerName?: string;
}
