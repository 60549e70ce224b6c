/** Whether each release of a cluster goes on, without the other questions of `examine`: quick enough to ask after each change. */
import { ARGO_ROLLOUT } from '../argo/admission/findings';
import { argoRolloutOf } from '../argo/release';
import type { Finding, Manifest } from '../core';
import { rolloutsOf } from '../kruise/subject';
import { clusterOf } from '../settings/cluster';
import type { Versions } from '../settings/versions';
import { argoProgress } from './argo/progress';
import { argoStateOf } from './argo/state';
import type { LiveCluster } from './cluster';
import { kruiseProgress } from './kruise/progress';
import { kruiseObjectsItem } from './kruise/rollout';
import { releaseStateOf } from './kruise/state';
import type { Progress } from './progress';

/** The options of `progressOf`. */
export interface ProgressOfOptions extends Pick<Versions, 'kruiseVersion' | 'argoVersion'> {
  /**
   * What `check` finds in the declared objects, for releases whose rehearsal never ends.
   * @default - these are not told from others
   */
  readonly findings?: readonly Finding[];
  /**
   * Selects Rollouts.
   * @default - all
   */
  readonly isMeant?: (rollout: Manifest) => boolean;
}

/** The answer for one Rollout. */
export interface ReleaseProgress {
  readonly rollout: Manifest;
  readonly namespace: string;
  /** Where the release is: `Progressing, step 2 of 3, StepPaused` */
  readonly where: string;
  readonly progress: Progress;
}

/**
 * Whether each release of Kruise Rollouts and Argo Rollouts goes on, who has to act, and the way out.
 *
 * @example progressOf(cluster).filter(({ progress }) => progress.state === 'stuck')
 */
export function progressOf(cluster: LiveCluster, options: ProgressOfOptions = {}): readonly ReleaseProgress[] {
  const { findings = [], isMeant = () => true, ...stated } = options;
  const { world } = cluster;
  const { kruiseVersion, argoVersion: version } = clusterOf(world, stated);
  const ofKruise = rolloutsOf(world, kruiseVersion)
    .filter(({ manifest }) => isMeant(manifest))
    .map((rollout): ReleaseProgress => {
      const { manifest, namespace } = rollout;
      const state = releaseStateOf(rollout);
      const objects = kruiseObjectsItem(rollout, { cluster });
      const progress = kruiseProgress({ rollout, state, findings, objects, cluster });
      return { rollout: manifest, namespace, where: state.text, progress };
    });
  const ofArgo = world
    .list(ARGO_ROLLOUT)
    .filter(isMeant)
    .map((manifest): ReleaseProgress => {
      const rollout = argoRolloutOf(manifest, world);
      const state = argoStateOf(rollout);
      const progress = argoProgress({ rollout, state, findings, cluster, version });
      return { rollout: manifest, namespace: rollout.namespace, where: state.text, progress };
    });
  return [...ofKruise, ...ofArgo];
}
