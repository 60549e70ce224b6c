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

/** The DNS configuration of the pod. */
export interface PodDnsConfig {
  /** The name servers. */
  readonly nameservers?: readonly string[];
  /** The resolver options. */
  readonly options?: readonly NameAndValue[];
  /** The search domains. */
  readonly searches?: readonly string[];
}

/** An entry of `/etc/hosts`. */
export interface HostAlias {
  /** The IP address. */
  readonly ip: string;
  /** The host names. */
  readonly hostnames?: readonly string[];
}

/**
 * A reference to a Secret with the credentials of a registry.
 * @mapAtomic
 */
export interface ImagePullSecret {
  /**
   * The name of the Secret.
   * @default ''
   */
  readonly name?: string;
}

/** The operating system of the pod. */
export interface PodOs {
  /** `linux` or `windows`. */
  readonly name: string;
}

/** A condition that the pod needs to be ready. */
export interface PodReadinessGate {
  /** The type of the condition. */
  readonly conditionType: string;
}

/** A claim of the pod to devices. */
export interface PodResourceClaim {
  /** The name of the claim in the pod. */
  readonly name: string;
  /** The name of the ResourceClaim. */
  readonly resourceClaimName?: string;
  /** The name of the ResourceClaimTemplate. */
  readonly resourceClaimTemplateName?: string;
}

/** The resources of the whole pod. */
export interface PodResources {
  /**
   * Claims to devices.
   * @listMapKey name
   */
  readonly claims?: readonly ResourceClaim[];
  /** The maximum that it may use. */
  readonly limits?: Quantities;
  /** The minimum that it must get. */
  readonly requests?: Quantities;
}

/** A gate that blocks the scheduling of the pod. */
export interface PodSchedulingGate {
  /** The name of the gate. */
  readonly name: string;
}

/** A node taint that the pod tolerates. */
export interface Toleration {
  /** The key of the taint. */
  readonly key?: string;
  /** How to compare the value. */
  readonly operator?: string;
  /** The value of the taint. */
  readonly value?: string;
  /** The effect of the taint. */
  readonly effect?: string;
  /** The seconds that the pod tolerates it. */
  readonly tolerationSeconds?: Int64;
}

/** How to spread pods over nodes. */
export interface TopologySpreadConstraint {
  /** The maximum difference of pods between two domains. */
  readonly maxSkew: Int32;
  /** The node label that defines the domains. */
  readonly topologyKey: string;
  /** The action if the constraint cannot be satisfied. */
  readonly whenUnsatisfiable: string;
  /** The pods to count. */
  readonly labelSelector?: LabelSelector;
  /** Labels that must also have the same value. */
  readonly matchLabelKeys?: readonly string[];
  /** The minimum number of domains. */
  readonly minDomains?: Int32;
  /** Whether node affinity counts. */
  readonly nodeAffinityPolicy?: string;
  /** Whether node taints count. */
  readonly nodeTaintsPolicy?: string;
}

/** A volume. The API server keeps all of its fields without validation. */
export interface Volume {
  readonly name: string;
  readonly [source: string]: unknown;
}

/** The desired state of a pod. */
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
   * Ephemeral containers for debugging.
   * @listMapKey name
   */
  readonly ephemeralContainers?: readonly EphemeralContainer[];
  /**
   * The volumes.
   * @preserved
   */
  readonly volumes?: readonly Volume[];
  /** The deadline of the pod, in seconds. */
  readonly activeDeadlineSeconds?: Int64;
  /** The scheduling constraints. */
  readonly affinity?: Affinity;
  /** Whether the pod gets a token of its service account. */
  readonly automountServiceAccountToken?: boolean;
  /** The DNS configuration. */
  readonly dnsConfig?: PodDnsConfig;
  /** The DNS policy. */
  readonly dnsPolicy?: string;
  /** Whether the environment has variables for Services. */
  readonly enableServiceLinks?: boolean;
  /**
   * Entries of `/etc/hosts`.
   * @listMapKey ip
   */
  readonly hostAliases?: readonly HostAlias[];
  /** Whether the pod uses the IPC namespace of its node. */
  readonly hostIPC?: boolean;
  /** Whether the pod uses the network of its node. */
  readonly hostNetwork?: boolean;
  /** Whether the pod uses the process namespace of its node. */
  readonly hostPID?: boolean;
  /** Whether the pod uses the user namespace of its node. */
  readonly hostUsers?: boolean;
  /** The host name. */
  readonly hostname?: string;
  /** The host name that overrides all others. */
  readonly hostnameOverride?: string;
  /**
   * Secrets with the credentials of registries.
   * @listMapKey name
   */
  readonly imagePullSecrets?: readonly ImagePullSecret[];
  /** The name of the node. */
  readonly nodeName?: string;
  /**
   * The labels of the node.
   * @mapAtomic
   */
  readonly nodeSelector?: StringMap;
  /** The operating system. */
  readonly os?: PodOs;
  /** The resources of the pod in addition to its containers. */
  readonly overhead?: Quantities;
  /** Whether the pod may preempt others. */
  readonly preemptionPolicy?: string;
  /** The priority. */
  readonly priority?: Int32;
  /** The name of the priority class. */
  readonly priorityClassName?: string;
  /** Conditions that the pod needs to be ready. */
  readonly readinessGates?: readonly PodReadinessGate[];
  /**
   * Claims to devices.
   * @listMapKey name
   */
  readonly resourceClaims?: readonly PodResourceClaim[];
  /** The resources of the whole pod. */
  readonly resources?: PodResources;
  /** When to restart containers. */
  readonly restartPolicy?: string;
  /** The runtime class of the containers. */
  readonly runtimeClassName?: string;
  /** The scheduler of the pod. */
  readonly schedulerName?: string;
  /**
   * Gates that block the scheduling of the pod.
   * @listMapKey name
   */
  readonly schedulingGates?: readonly PodSchedulingGate[];
  /** The security settings of all containers. */
  readonly securityContext?: PodSecurityContext;
  /** The older name of `serviceAccountName`. */
  readonly serviceAccount?: string;
  /** The name of the ServiceAccount. */
  readonly serviceAccountName?: string;
  /** Whether the host name is fully qualified. */
  readonly setHostnameAsFQDN?: boolean;
  /** Whether the containers share a process namespace. */
  readonly shareProcessNamespace?: boolean;
  /** The subdomain of the host. */
  readonly subdomain?: string;
  /** The seconds that the pod has to terminate. */
  readonly terminationGracePeriodSeconds?: Int64;
  /** Node taints that the pod tolerates. */
  readonly tolerations?: readonly Toleration[];
  /**
   * How to spread pods over nodes.
   * @listMapKey topologyKey whenUnsatisfiable
   */
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
}

/** A Kubernetes pod template. Volumes and container resources are kept without validation. */
export interface PodTemplateSpec {
  /** Labels and annotations of the pods. */
  readonly metadata?: LabelsAndAnnotations;
  /**
   * The desired state of the pods.
   * @crdOptional
   */
  readonly spec: PodSpec;
}
