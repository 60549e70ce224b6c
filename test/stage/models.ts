/** The controllers as the library models them: how a lab is rehearsed. */

import { ARGO_REVISION_LABEL } from '../../src/argo/controller';
import { ArgoRolloutsVersion, KruiseRolloutVersion } from '../../src/constructs';
import type { RehearseOptions } from '../../src/rehearsal';
import type { StoryDeed } from '../../src/release';
import type { KubernetesObject } from './cluster/api';
import { argoInstall, VERIFIES } from './controllers/argo';
import { deploymentOf } from './controllers/controller';
import { kruiseInstall } from './controllers/kruise';
import type { Lab } from './play';

/** What a comparison knows of a controller. */
export interface ControllerModel {
  options(release: string): RehearseOptions;
  /** Objects of the install that a rehearsal of the lab reads. */
  install(release: string, lab?: Lab): readonly KubernetesObject[];
  /**
   * What people do after which the controller writes in any order.
   * @default - nothing
   */
  readonly unordered?: StoryDeed;
  /**
   * Whether a write comes from a part of the controller that runs beside the release, at a time of its own.
   * @default - none does
   */
  readonly isBeside?: (write: string) => boolean;
  /** How the status counts the first step. */
  readonly firstStep: 0 | 1;
}

const installs = new Map<string, readonly KubernetesObject[]>();

/** The Deployment of an install of Argo Rollouts that verifies in AWS. */
function verifyingArgo(release: string): readonly KubernetesObject[] {
  const known = installs.get(`argo@${release}`) ?? [deploymentOf(argoInstall(release, [VERIFIES]))];
  installs.set(`argo@${release}`, known);
  return known;
}

export const MODELS: Readonly<Record<string, ControllerModel>> = {
  kruise: {
    options: (release) => ({ kruiseVersion: KruiseRolloutVersion.find(release)! }),
    install(release) {
      const known = installs.get(release) ?? kruiseInstall(release);
      installs.set(release, known);
      return known;
    },
    firstStep: 1,
  },
  argo: {
    options: (release) => ({ argoVersion: ArgoRolloutsVersion.find(release) ?? ArgoRolloutsVersion.of(release) }),
    install: (release, lab) => (lab?.loadBalancer === undefined ? [] : verifyingArgo(release)),
    // Each Service gets its own selector back, and what belongs to the Rollout goes, each by itself.
    unordered: 'delete',
    // A Service that no Rollout names any more selects all pods.
    isBeside: (write) => write.startsWith('Service/') && !write.includes(ARGO_REVISION_LABEL),
    firstStep: 0,
  },
};
