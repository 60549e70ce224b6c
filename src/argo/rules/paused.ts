import { defineRules } from '../../core/rule';
import { ARGO_ROLLOUT } from '../admission/findings';
import { canary } from '../admission/rules/examples';
import type { ArgoAlbChecker } from './context';

/** The rule for `paused`. */
export const argoPausedRules = defineRules({
  'argo-rollout-paused': {
    severity: 'note',
    title: 'the Rollout is paused, so a release waits before its first step',
    because:
      'while spec.paused is true, the controller adds and removes no pods, and takes no step until somebody resumes the Rollout; ' +
      'a rehearsal shows the release as if somebody had',
    fix: 'remove spec.paused when releases may go on; where a GitOps tool applies the Rollout, change it in Git',
    basis: 'run',
    sources: ['https://github.com/argoproj/argo-rollouts/blob/v1.9.1/rollout/sync.go'],
    failing: canary({ spec: 'paused: true' }),
    corrected: canary({}),
  },
});

/** Checks whether Rollouts are paused. */
export const checkPaused: ArgoAlbChecker = ({ world }) =>
  world
    .list(ARGO_ROLLOUT)
    .filter((manifest) => manifest.get('spec.paused') === true)
    .map((manifest) =>
      manifest.finding(argoPausedRules['argo-rollout-paused'], {
        path: ['spec', 'paused'],
        message: `Rollout "${manifest.name}" is paused: a release waits before its first step until somebody promotes it`,
      }),
    );
