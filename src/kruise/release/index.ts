/** Releases of Kruise Rollouts in neutral words. */
export { declaredBy, momentOf } from './moments';
export { type KruiseReleaseOptions, kruise, releaseOfRollout, releaseOfTrafficRouting, releasesOf } from './releases';
