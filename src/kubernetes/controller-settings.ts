import type { ControllerOptions, DisruptionBudget } from './controller-options';

type Defaulted = 'labels' | 'imagePullSecrets' | 'podLabels' | 'podAnnotations';

type Optional = 'nodeSelector' | 'tolerations' | 'affinity' | 'topologySpreadConstraints' | 'priorityClassName';

/** The options that all installs share, with their defaults. */
export interface ControllerSettings
  extends Required<Pick<ControllerOptions, Defaulted>>,
    Pick<ControllerOptions, Optional> {
  readonly podDisruptionBudget: DisruptionBudget | undefined;
}

/** The options with a budget. Each install has its own name for the type of the budget. */
interface BudgetedOptions extends ControllerOptions {
  readonly podDisruptionBudget?: DisruptionBudget | false;
}

/** Adds the defaults. */
export function controllerSettings(options: BudgetedOptions, replicas: number): ControllerSettings {
  return {
    labels: options.labels ?? {},
    imagePullSecrets: options.imagePullSecrets ?? [],
    nodeSelector: options.nodeSelector,
    tolerations: options.tolerations,
    affinity: options.affinity,
    topologySpreadConstraints: options.topologySpreadConstraints,
    priorityClassName: options.priorityClassName,
    podLabels: options.podLabels ?? {},
    podAnnotations: options.podAnnotations ?? {},
    podDisruptionBudget: budgetOf(options, replicas),
  };
}

function budgetOf({ podDisruptionBudget }: BudgetedOptions, replicas: number): DisruptionBudget | undefined {
  if (podDisruptionBudget === false) return undefined;
  if (podDisruptionBudget !== undefined) return podDisruptionBudget;
  return replicas > 1 ? { maxUnavailable: 1 } : undefined;
}

/** `openkruise/kruise-rollout:v0.6.2`, with the digest if there is one. */
export function imageName(repository: string, tag: string, digest: string | undefined): string {
  const name = `${repository}:${tag}`;
  return digest === undefined ? name : `${name}@${digest}`;
}
