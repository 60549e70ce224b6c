/** Releases of Argo Rollouts in neutral words. */

export { pingPongStack } from './examples';
export { type ArgoReleaseOptions, argo, releaseOf, releasesOf } from './releases';
export { argoReleaseRules } from './rules';
export { type ArgoRollout, type ArgoSubject, argoRolloutOf, argoSubjectsOf } from './subject';
