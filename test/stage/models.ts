/** The controllers as the library models them: how a lab is rehearsed, and where a recording and a rehearsal meet. */

import { ArgoRolloutsVersion, KruiseRolloutVersion } from '../../src/constructs';
import type { RehearseOptions } from '../../src/rehearsal';
import type { KubernetesObject } from './cluster/api';
import type { PlacedMoment } from './compare';
import { argoRollouts } from './controllers/argo-rollouts';
import { kruiseInstall } from './controllers/kruise';
import { kruiseRollouts } from './controllers/kruise-rollouts';

/** What a comparison knows of a controller. */
export interface ControllerModel {
  options(release: string): RehearseOptions;
  /** Objects of the install that a rehearsal reads. */
  install(release: string): readonly KubernetesObject[];
  /** What people do at a pause to go on, in the words of a recording. */
  readonly approval: string;
  /** What people do to go back, in the words of a recording. */
  readonly rollBack: string;
  /** Whether a Rollout waits for people; approvals that come too late are no pauses. */
  isPaused(rollout: KubernetesObject | undefined): boolean;
  /** Whether a Rollout that waits at this step of its status is at this moment of the rehearsal. */
  isPausedAt(moment: PlacedMoment, step: number | undefined): boolean;
  /** The step of the status at which people take the turn that this moment of a roll-back begins with. */
  pausedAt(moment: PlacedMoment): number;
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
    approval: kruiseRollouts.approval,
    rollBack: 'release v1',
    isPaused: (rollout) => rollout?.state === 'StepPaused',
    // The status counts steps from 1.
    isPausedAt: ({ phase, step }, paused = 0) => phase === 'step' && step === paused - 1,
    pausedAt: ({ step = 0 }) => step + 1,
  },
  argo: {
    options: (release) => ({ argoVersion: ArgoRolloutsVersion.find(release) ?? ArgoRolloutsVersion.of(release) }),
    install: () => [],
    approval: argoRollouts.approval,
    rollBack: 'abort the Rollout',
    isPaused: () => true,
    isPausedAt: ({ phase, step }, paused) =>
      (paused === undefined ? phase === 'prepare' : phase === 'step') && step === paused,
    // The branch begins where a step has settled: at the pause after it.
    pausedAt: ({ step = 0 }) => step + 1,
  },
};
