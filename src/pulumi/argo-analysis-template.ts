import type * as pulumi from '@pulumi/pulumi';
import { checkAnalyses } from '../argo/analysis/checks';
import {
  ARGO_ANALYSIS_TEMPLATE_PROPS,
  type ArgoAnalysisTemplateOptions,
  argoAnalysisTemplate,
  templateKind,
} from '../argo/analysis/template';
import type { AnalysisTemplateRef } from '../argo/api';
import type { IArgoRolloutsInstall } from './argo-rollouts-install';
import { checkArgs } from './args';
import type { CheckArgs } from './checks';
import { KubernetesComponent, nameOfResource } from './component';
import { ComponentObjects } from './component-objects';
import type { Inputs, MetadataArgs } from './inputs';

/** Arguments of an `ArgoAnalysisTemplate`. */
export interface ArgoAnalysisTemplateArgs extends Inputs<ArgoAnalysisTemplateOptions>, CheckArgs {
  /**
   * Name, namespace, labels and annotations of the template. Steps refer to it by its name, which is therefore a plain string.
   * @default - the name of the component, in the namespace of the provider
   */
  readonly metadata?: Omit<MetadataArgs, 'name'> & { readonly name?: string };

  /**
   * The install of the controller. An install of this program is created first, for its CRDs.
   * @default - an existing install
   */
  readonly install?: IArgoRolloutsInstall;
}

/**
 * An AnalysisTemplate of Argo Rollouts, or with `clusterScope` a ClusterAnalysisTemplate. Its queries are checked against the
 * metrics that routers export. docs/analysis.md explains the metrics.
 *
 * @example
 * const success = new ArgoAnalysisTemplate('success', {
 *   metrics: [
 *     ArgoMetric.nginxSuccessRate({ namespace: 'shop', canaryService: 'web-canary', port: 80, minSuccessRate: 0.99, interval: '1m', count: 5 }),
 *   ],
 * });
 * ArgoStep.analysis([success.ref]);
 */
export class ArgoAnalysisTemplate extends KubernetesComponent {
  /** API version of the template. */
  readonly apiVersion = 'argoproj.io/v1alpha1';
  /** Kind of the object: AnalysisTemplate or ClusterAnalysisTemplate. */
  readonly kind: 'AnalysisTemplate' | 'ClusterAnalysisTemplate';

  /** Name of the template. */
  readonly name: pulumi.Output<string>;

  /** The reference to it in an analysis: `ArgoStep.analysis([template.ref])`. */
  readonly ref: AnalysisTemplateRef;

  constructor(name: string, args: ArgoAnalysisTemplateArgs, options?: pulumi.ComponentResourceOptions) {
    checkArgs('ArgoAnalysisTemplate', name, args);
    const { metadata, install, suppressions, clusterScope = false } = args;
    const objects = new ComponentObjects<ArgoAnalysisTemplateOptions>({
      type: 'ArgoAnalysisTemplate',
      name,
      args,
      props: ARGO_ANALYSIS_TEMPLATE_PROPS,
      describe: (plain, given) => [argoAnalysisTemplate(plain, given)],
      findings: (world) => checkAnalyses(world),
      suppressions,
    });
    super({ objects, facts: args, after: [install] }, options);
    this.kind = templateKind({ clusterScope }).kind;
    this.name = nameOfResource(this.resources[0]!);
    this.ref = { templateName: metadata?.name ?? name, ...(clusterScope && { clusterScope }) };
    this.registerOutputs({ name: this.name });
  }
}
