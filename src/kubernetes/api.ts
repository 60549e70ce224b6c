/** The Kubernetes API types that options of installs use, with their Kubernetes names. */

/** Selects objects by their labels. */
export interface LabelSelector {
  readonly matchLabels?: { readonly [key: string]: string };
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

/** One condition of a label selector. */
export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
  /** For `In` and `NotIn` only, which need at least one value. */
  readonly values?: readonly string[];
}

/** CPU and memory, as in `{ cpu: '100m', memory: '256Mi' }`. */
export interface ResourceList {
  readonly [resource: string]: string | number;
}

/** The requests and limits of a container. */
export interface ResourceRequirements {
  readonly requests?: ResourceList;
  readonly limits?: ResourceList;
}

/** A node taint that the pods tolerate. */
export interface Toleration {
  /** @default - every key, which needs the operator `Exists` */
  readonly key?: string;
  /** @default 'Equal' */
  readonly operator?: 'Equal' | 'Exists';
  readonly value?: string;
  /** @default - every effect */
  readonly effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
  /** Only with the effect `NoExecute`. */
  readonly tolerationSeconds?: number;
}

/** On which nodes, and near which pods, the pods may run. */
export interface Affinity {
  readonly nodeAffinity?: NodeAffinity;
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAffinity;
}

/** Rules on nodes. */
export interface NodeAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: { readonly nodeSelectorTerms: readonly NodeSelectorTerm[] };
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly weight: number;
    readonly preference: NodeSelectorTerm;
  }[];
}

/** Nodes by their labels and fields. */
export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  readonly matchFields?: readonly NodeSelectorRequirement[];
}

/** One condition on a node. */
export interface NodeSelectorRequirement {
  readonly key: string;
  readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
  readonly values?: readonly string[];
}

/** Rules on pods to run near to, or away from. */
export interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly weight: number;
    readonly podAffinityTerm: PodAffinityTerm;
  }[];
}

/** A group of pods, and the topology that defines "near". */
export interface PodAffinityTerm {
  readonly labelSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
  readonly namespaceSelector?: LabelSelector;
  readonly topologyKey: string;
}

/** How evenly the pods are spread. */
export interface TopologySpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: 'DoNotSchedule' | 'ScheduleAnyway';
  readonly labelSelector?: LabelSelector;
  /** From Kubernetes 1.27 on. */
  readonly matchLabelKeys?: readonly string[];
  readonly minDomains?: number;
  readonly nodeAffinityPolicy?: 'Honor' | 'Ignore';
  readonly nodeTaintsPolicy?: 'Honor' | 'Ignore';
}

/** An environment variable of the container. */
export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly configMapKeyRef?: { readonly name: string; readonly key: string; readonly optional?: boolean };
    readonly secretKeyRef?: { readonly name: string; readonly key: string; readonly optional?: boolean };
    readonly fieldRef?: { readonly fieldPath: string; readonly apiVersion?: string };
    readonly resourceFieldRef?: { readonly resource: string; readonly containerName?: string };
  };
}

/** One rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** A range of IP addresses. */
export interface IpBlock {
  /** `10.0.0.0/16` */
  readonly cidr: string;
  readonly except?: readonly string[];
}

/** A peer that may connect, or may be connected to. */
export interface NetworkPolicyPeer {
  readonly podSelector?: LabelSelector;
  readonly namespaceSelector?: LabelSelector;
  readonly ipBlock?: IpBlock;
}

/** Any Kubernetes object, complete for YAML. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: { readonly [key: string]: string };
    readonly annotations?: { readonly [key: string]: string };
  };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has fields of its own
  readonly [field: string]: any;
}
