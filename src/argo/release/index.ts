/** Releases of Argo Rollouts in neutral words. */
export { type ArgoReleaseOptions, argo, releaseOf, releasesOf } from './releases';
export { argoReleaseRules } from './rules';
export { type ArgoSubject, argoSubjectsOf } from './subject';
