import type { ControllerOptions, DisruptionBudget } from './controller-options';

type Defaulted = 'labels' | 'imagePullSecrets' | 'podLabels' | 'podAnnotations';

type Optional = 'nodeSelector' | 'tolerations' | 'affinity' | 'topologySpreadConstraints' | 'priorityClassName';

/** What installs of controllers have in common, with every default in place. */
export interface ControllerSettings
  extends Required<Pick<ControllerOptions, Defaulted>>,
    Pick<ControllerOptions, Optional> {
  readonly podDisruptionBudget: DisruptionBudget | undefined;
}

/** The options with a budget, whose type has another name in each install. */
interface BudgetedOptions extends ControllerOptions {
  readonly podDisruptionBudget?: DisruptionBudget | false;
}

/** Puts the defaults in place. */
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

/** `openkruise/kruise-rollout:v0.6.2`, with the digest where one is given. */
export function imageName(repository: string, tag: string, digest: string | undefined): string {
  const name = `${repository}:${tag}`;
  return digest === undefined ? name : `${name}@${digest}`;
}
