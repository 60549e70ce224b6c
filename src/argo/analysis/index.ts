/** Typed analyses: metrics with the queries that routers need, and the templates that hold them. */
export { type ArgoAnalysisMetric, ArgoMetric } from './metric';
export type * from './metric-options';
export {
  ARGO_ANALYSIS_TEMPLATE_PROPS,
  type ArgoAnalysisTemplateOptions,
  argoAnalysisTemplate,
  templateKind,
} from './template';
