/** AnalysisTemplates, from options. */
import { compact } from '../../core/json';
import type { PropTable } from '../../core/props';
import type {
  AnalysisTemplate,
  AnalysisTemplateRef,
  Argument,
  ClusterAnalysisTemplate,
  DryRun,
  MeasurementRetention,
  Metric,
  ObjectMeta,
} from '../api';

/** An analysis that Rollouts and Experiments refer to. */
export interface ArgoAnalysisTemplateOptions {
  /** The metrics: see `ArgoMetric`. */
  readonly metrics: readonly Metric[];

  /**
   * The arguments of the metrics. A name alone is an argument that each Rollout must give.
   * @default - every argument that the metrics use, as `{{args.<name>}}`
   */
  readonly args?: readonly (string | Argument)[];

  /**
   * Templates with additional metrics, by name or in the API's format. Since release 1.7.
   * @default - none
   */
  readonly templates?: readonly (string | AnalysisTemplateRef)[];

  /**
   * Metrics that are measured without an effect, by name or regular expression.
   * @default - none
   */
  readonly dryRun?: readonly (string | DryRun)[];

  /**
   * How many measurements to keep.
   * @default - 10 of each metric
   */
  readonly measurementRetention?: readonly MeasurementRetention[];

  /**
   * Whether Rollouts of all namespaces may use it: a ClusterAnalysisTemplate.
   * @default false
   */
  readonly clusterScope?: boolean;
}

/** The options at run time. */
export const ARGO_ANALYSIS_TEMPLATE_PROPS: PropTable<ArgoAnalysisTemplateOptions> = {
  metrics: true,
  args: true,
  templates: true,
  dryRun: true,
  measurementRetention: true,
  clusterScope: true,
};

/** The API version and kind of a template. */
export function templateKind({ clusterScope }: Pick<ArgoAnalysisTemplateOptions, 'clusterScope'>) {
  const kind = clusterScope === true ? 'ClusterAnalysisTemplate' : 'AnalysisTemplate';
  return { apiVersion: 'argoproj.io/v1alpha1', kind } as const;
}

/** The AnalysisTemplate or ClusterAnalysisTemplate. */
export function argoAnalysisTemplate(
  options: ArgoAnalysisTemplateOptions,
  { namespace, ...others }: Partial<ObjectMeta>,
): Omit<AnalysisTemplate | ClusterAnalysisTemplate, 'metadata'> & { readonly metadata: Partial<ObjectMeta> } {
  const { metrics, args, templates, dryRun, measurementRetention } = options;
  const declared = args ?? usedArguments(metrics);
  return {
    ...templateKind(options),
    // An object of the whole cluster has no namespace.
    metadata: options.clusterScope === true || namespace === undefined ? others : { namespace, ...others },
    spec: compact({
      args: declared.length === 0 ? undefined : declared.map(argument),
      metrics,
      templates: templates?.map((one) => (typeof one === 'string' ? { templateName: one } : one)),
      dryRun: dryRun?.map((one) => (typeof one === 'string' ? { metricName: one } : one)),
      measurementRetention,
    }),
  };
}

function argument(one: string | Argument): Argument {
  return typeof one === 'string' ? { name: one } : one;
}

/** The names in `{{args.<name>}}`, in the order in which the metrics use them. */
function usedArguments(metrics: readonly Metric[]): string[] {
  const used = JSON.stringify(metrics).matchAll(/\{\{\s*args\.(.*?)\s*\}\}/g);
  return [...new Set([...used].map(([, name]) => name!))];
}
