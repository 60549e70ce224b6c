/** The API group of Argo Rollouts. */
export const API_GROUP = 'argoproj.io';

/** The only API version of Argo Rollouts. */
export const API_VERSION = 'v1alpha1';

/** The kinds of the API, sorted by name. */
export const API_KINDS = [
  'AnalysisRun',
  'AnalysisTemplate',
  'ClusterAnalysisTemplate',
  'Experiment',
  'Rollout',
] as const;

/** A kind of the API. */
export type ApiKind = (typeof API_KINDS)[number];
