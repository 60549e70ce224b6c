/** All rollout controllers that this library rehearses. */
import { type ArgoReleaseOptions, argo } from '../argo/release';
import { type KruiseReleaseOptions, kruise } from '../kruise/release';
import type { ReleaseController } from '../release';

/** What the releases of all controllers depend on in addition to the manifests. */
export interface AllReleaseOptions extends KruiseReleaseOptions, ArgoReleaseOptions {}

/** All controllers. To add one, add it here. */
export const controllers: readonly ReleaseController<AllReleaseOptions>[] = [kruise, argo];
