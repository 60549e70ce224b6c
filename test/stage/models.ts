/** The controllers as the library models them: how a lab is rehearsed. */

import { ArgoRolloutsVersion, KruiseRolloutVersion } from '../../src/constructs';
import type { RehearseOptions } from '../../src/rehearsal';
import type { StoryDeed } from '../../src/release';
import type { KubernetesObject } from './cluster/api';
import { kruiseInstall } from './controllers/kruise';

/** What a comparison knows of a controller. */
export interface ControllerModel {
  options(release: string): RehearseOptions;
  /** Objects of the install that a rehearsal reads. */
  install(release: string): readonly KubernetesObject[];
  /**
   * What people do after which the controller writes in any order.
   * @default - nothing
   */
  readonly unordered?: StoryDeed;
}

const installs = new Map<string, readonly KubernetesObject[]>();

export const MODELS: Readonly<Record<string, ControllerModel>> = {
  kruise: {
    options: (release) => ({ kruiseVersion: KruiseRolloutVersion.find(release)! }),
    install(release) {
      const known = installs.get(release) ?? kruiseInstall(release);
      installs.set(release, known);
      return known;
    },
  },
  argo: {
    options: (release) => ({ argoVersion: ArgoRolloutsVersion.find(release) ?? ArgoRolloutsVersion.of(release) }),
    install: () => [],
    // Each Service gets its own selector back, and what belongs to the Rollout goes, each by itself.
    unordered: 'delete',
  },
};
