import type { Int32, LabelSelector, LabelSelectorRequirement } from './common';

/**
 * Which nodes: all conditions must hold.
 * @mapAtomic
 */
export interface NodeSelectorTerm {
  /** Conditions on labels. */
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
  /** Conditions on fields. */
  readonly matchFields?: readonly LabelSelectorRequirement[];
}

/** Nodes that are better than others. */
export interface PreferredNodes {
  /** Which nodes. */
  readonly preference: NodeSelectorTerm;
  /** How much it counts, 1 to 100. */
  readonly weight: Int32;
}

/**
 * Nodes that must be.
 * @mapAtomic
 */
export interface RequiredNodes {
  /** Which nodes; any of the list will do. */
  readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
}

/** On which nodes the pod runs. */
export interface NodeAffinity {
  /** Nodes that are better than others. */
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredNodes[];
  /** Nodes that must be. */
  readonly requiredDuringSchedulingIgnoredDuringExecution?: RequiredNodes;
}

/** Which pods, and what "beside" means. */
export interface PodAffinityTerm {
  /** Label of nodes: nodes with the same value are beside each other. */
  readonly topologyKey: string;
  /** Labels of the pods. */
  readonly labelSelector?: LabelSelector;
  /** Labels whose values must be those of this pod. */
  readonly matchLabelKeys?: readonly string[];
  /** Labels whose values must not be those of this pod. */
  readonly mismatchLabelKeys?: readonly string[];
  /** Labels of the namespaces. */
  readonly namespaceSelector?: LabelSelector;
  /** Names of the namespaces. */
  readonly namespaces?: readonly string[];
}

/** Pods beside which it is better. */
export interface PreferredPods {
  /** Which pods. */
  readonly podAffinityTerm: PodAffinityTerm;
  /** How much it counts, 1 to 100. */
  readonly weight: Int32;
}

/** Beside which pods this one runs, or does not. */
export interface PodAffinity {
  /** Where it is better. */
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly PreferredPods[];
  /** Where it must be. */
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
}

/** Where a pod may run, and beside which others. */
export interface Affinity {
  /** On which nodes. */
  readonly nodeAffinity?: NodeAffinity;
  /** Beside which pods. */
  readonly podAffinity?: PodAffinity;
  /** Apart from which pods. */
  readonly podAntiAffinity?: PodAffinity;
}
