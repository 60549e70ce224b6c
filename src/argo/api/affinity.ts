import type { Int32, LabelSelector, LabelSelectorRequirement } from './common';

/**
 * A set of nodes: all conditions must hold.
 * @mapAtomic
 */
export interface NodeSelectorTerm {
  /** Conditions on labels. */
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
  /** Conditions on fields. */
  readonly matchFields?: readonly LabelSelectorRequirement[];
}

/** Preferred nodes. */
export interface PreferredNodes {
  /** The nodes. */
  readonly preference: NodeSelectorTerm;
  /** The weight of the preference, 1 to 100. */
  readonly weight: Int32;
}

/**
 * Required nodes.
 * @mapAtomic
 */
export interface RequiredNodes {
  /** The nodes; one of the list is enough. */
  readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
}

/** Node affinity of a pod. */
export interface NodeAffinity {
  /** Preferred nodes. */
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredNodes[];
  /** Required nodes. */
  readonly requiredDuringSchedulingIgnoredDuringExecution?: RequiredNodes;
}

/** A set of pods, and the topology that relates them. */
export interface PodAffinityTerm {
  /** The node label of the topology: nodes with the same value belong together. */
  readonly topologyKey: string;
  /** The labels of the pods. */
  readonly labelSelector?: LabelSelector;
  /** Labels that must have the same value as in this pod. */
  readonly matchLabelKeys?: readonly string[];
  /** Labels that must have another value than in this pod. */
  readonly mismatchLabelKeys?: readonly string[];
  /** The labels of the namespaces. */
  readonly namespaceSelector?: LabelSelector;
  /** The names of the namespaces. */
  readonly namespaces?: readonly string[];
}

/** Preferred pods. */
export interface PreferredPods {
  /** The pods. */
  readonly podAffinityTerm: PodAffinityTerm;
  /** The weight of the preference, 1 to 100. */
  readonly weight: Int32;
}

/** Affinity or anti-affinity to other pods. */
export interface PodAffinity {
  /** Preferred pods. */
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredPods[];
  /** Required pods. */
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
}

/** The scheduling constraints of a pod. */
export interface Affinity {
  /** Affinity to nodes. */
  readonly nodeAffinity?: NodeAffinity;
  /** Affinity to other pods. */
  readonly podAffinity?: PodAffinity;
  /** Anti-affinity to other pods. */
  readonly podAntiAffinity?: PodAffinity;
}
