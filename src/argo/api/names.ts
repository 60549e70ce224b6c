/** The API group of Argo Rollouts. */
export const API_GROUP = 'argoproj.io';

/** The one version in which Argo Rollouts serves its kinds. */
export const API_VERSION = 'v1alpha1';
