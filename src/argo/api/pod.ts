import type { Affinity } from './affinity';
import type { Int32, Int64, LabelSelector, LabelsAndAnnotations, Quantities, StringMap } from './common';
import type { Container, EphemeralContainer, ResourceClaim } from './container';
import type { PodSecurityContext } from './security';

/** A name and a value. */
export interface NameAndValue {
  /** The name. */
  readonly name?: string;
  /** The value. */
  readonly value?: string;
}

/** How names of hosts are looked up. */
export interface PodDnsConfig {
  /** Servers. */
  readonly nameservers?: readonly string[];
  /** Options. */
  readonly options?: readonly NameAndValue[];
  /** Domains to search. */
  readonly searches?: readonly string[];
}

/** Names of a host for `/etc/hosts`. */
export interface HostAlias {
  /** Its address. */
  readonly ip: string;
  /** Its names. */
  readonly hostnames?: readonly string[];
}

/**
 * Names a Secret with the credentials of a registry.
 * @mapAtomic
 */
export interface ImagePullSecret {
  /**
   * Its name.
   * @default ''
   */
  readonly name?: string;
}

/** The operating system of the pod. */
export interface PodOs {
  /** `linux` or `windows`. */
  readonly name: string;
}

/** A condition without which the pod is not ready. */
export interface PodReadinessGate {
  /** Which condition. */
  readonly conditionType: string;
}

/** A claim of the pod to devices. */
export interface PodResourceClaim {
  /** Name of the claim in the pod. */
  readonly name: string;
  /** Name of the ResourceClaim. */
  readonly resourceClaimName?: string;
  /** Name of the ResourceClaimTemplate. */
  readonly resourceClaimTemplateName?: string;
}

/** What the pod as a whole needs. */
export interface PodResources {
  /**
   * Claims to devices.
   * @listMapKey name
   */
  readonly claims?: readonly ResourceClaim[];
  /** The most that it may use. */
  readonly limits?: Quantities;
  /** The least that it must get. */
  readonly requests?: Quantities;
}

/** A gate without which the pod is not scheduled. */
export interface PodSchedulingGate {
  /** Its name. */
  readonly name: string;
}

/** A taint of nodes that the pod bears. */
export interface Toleration {
  /** Key of the taint. */
  readonly key?: string;
  /** How the value is compared. */
  readonly operator?: string;
  /** Value of the taint. */
  readonly value?: string;
  /** Effect of the taint. */
  readonly effect?: string;
  /** Seconds for which it is borne. */
  readonly tolerationSeconds?: Int64;
}

/** How pods are spread over nodes. */
export interface TopologySpreadConstraint {
  /** How many pods one part may have more than another. */
  readonly maxSkew: Int32;
  /** Label of nodes that makes the parts. */
  readonly topologyKey: string;
  /** What happens where that cannot be. */
  readonly whenUnsatisfiable: string;
  /** Which pods count. */
  readonly labelSelector?: LabelSelector;
  /** Labels whose values count too. */
  readonly matchLabelKeys?: readonly string[];
  /** How many parts there must be. */
  readonly minDomains?: Int32;
  /** Whether affinities to nodes count. */
  readonly nodeAffinityPolicy?: string;
  /** Whether taints of nodes count. */
  readonly nodeTaintsPolicy?: string;
}

/** A volume: of its fields the API checks none, and keeps all. */
export interface Volume {
  readonly name: string;
  readonly [source: string]: unknown;
}

/** What a pod is. */
export interface PodSpec {
  /**
   * The containers.
   * @listMapKey name
   */
  readonly containers: readonly Container[];
  /**
   * Containers that run before the others.
   * @listMapKey name
   */
  readonly initContainers?: readonly Container[];
  /**
   * Containers that are added for debugging.
   * @listMapKey name
   */
  readonly ephemeralContainers?: readonly EphemeralContainer[];
  /**
   * The volumes.
   * @preserved
   */
  readonly volumes?: readonly Volume[];
  /** Seconds for which the pod may run. */
  readonly activeDeadlineSeconds?: Int64;
  /** Where the pod may run, and beside which others. */
  readonly affinity?: Affinity;
  /** Whether the pod gets a token of its service account. */
  readonly automountServiceAccountToken?: boolean;
  /** How names of hosts are looked up. */
  readonly dnsConfig?: PodDnsConfig;
  /** Who looks names of hosts up. */
  readonly dnsPolicy?: string;
  /** Whether Services are told in the environment. */
  readonly enableServiceLinks?: boolean;
  /**
   * Names of hosts for `/etc/hosts`.
   * @listMapKey ip
   */
  readonly hostAliases?: readonly HostAlias[];
  /** Whether the pod shares the IPC of its node. */
  readonly hostIPC?: boolean;
  /** Whether the pod shares the network of its node. */
  readonly hostNetwork?: boolean;
  /** Whether the pod shares the processes of its node. */
  readonly hostPID?: boolean;
  /** Whether the pod shares the users of its node. */
  readonly hostUsers?: boolean;
  /** Name of the host. */
  readonly hostname?: string;
  /** Name of the host in place of all others. */
  readonly hostnameOverride?: string;
  /**
   * Secrets with the credentials of registries.
   * @listMapKey name
   */
  readonly imagePullSecrets?: readonly ImagePullSecret[];
  /** Name of the node. */
  readonly nodeName?: string;
  /**
   * Labels of the node.
   * @mapAtomic
   */
  readonly nodeSelector?: StringMap;
  /** The operating system. */
  readonly os?: PodOs;
  /** What the pod needs besides its containers. */
  readonly overhead?: Quantities;
  /** Whether the pod may displace others. */
  readonly preemptionPolicy?: string;
  /** Its priority. */
  readonly priority?: Int32;
  /** Name of its priority. */
  readonly priorityClassName?: string;
  /** Conditions without which the pod is not ready. */
  readonly readinessGates?: readonly PodReadinessGate[];
  /**
   * Claims to devices.
   * @listMapKey name
   */
  readonly resourceClaims?: readonly PodResourceClaim[];
  /** What the pod as a whole needs. */
  readonly resources?: PodResources;
  /** When containers are restarted. */
  readonly restartPolicy?: string;
  /** Which runtime runs the containers. */
  readonly runtimeClassName?: string;
  /** Who schedules the pod. */
  readonly schedulerName?: string;
  /**
   * Gates without which the pod is not scheduled.
   * @listMapKey name
   */
  readonly schedulingGates?: readonly PodSchedulingGate[];
  /** What all containers may do. */
  readonly securityContext?: PodSecurityContext;
  /** The older name of `serviceAccountName`. */
  readonly serviceAccount?: string;
  /** Name of the service account. */
  readonly serviceAccountName?: string;
  /** Whether the name of the host has its domain. */
  readonly setHostnameAsFQDN?: boolean;
  /** Whether containers see the processes of each other. */
  readonly shareProcessNamespace?: boolean;
  /** Domain of the host. */
  readonly subdomain?: string;
  /** Seconds that the pod gets to end. */
  readonly terminationGracePeriodSeconds?: Int64;
  /** Taints of nodes that the pod bears. */
  readonly tolerations?: readonly Toleration[];
  /**
   * How pods are spread over nodes.
   * @listMapKey topologyKey whenUnsatisfiable
   */
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
}

/** Pods as Kubernetes has them, with volumes and the amounts of containers kept as they are. */
export interface PodTemplateSpec {
  /** Labels and annotations of the pods. */
  readonly metadata?: LabelsAndAnnotations;
  /**
   * What a pod is.
   * @crdOptional
   */
  readonly spec: PodSpec;
}
