/** Checks for Rollouts whose manifest keeps releases from having steps, or from beginning them. */
import type { Finding } from '../../core/finding';
import { defineRules } from '../../core/rule';
import type { RolloutSubject } from '../subject';
import type { RolloutChecker } from './context';
import * as example from './examples';
import { edit, yaml } from './examples';
import { source } from './sources';

const STACK = [example.DEPLOYMENT, example.SERVICE, example.INGRESS] as const;

/** Rules for `disabled` and `paused`. */
export const inactiveRules = defineRules({
  'kruise-rollout-disabled': {
    severity: 'warning',
    title: 'the Rollout is disabled, so a new version goes to all users at once',
    because:
      'neither the webhook nor the controller steers the workload of a disabled Rollout: it replaces all of its pods by itself, without steps',
    fix: 'remove spec.disabled, and merge the next version afterwards: one that comes in the same change has no steps either',
    basis: 'run',
    sources: [source.workloadWebhook],
    failing: yaml(edit(example.ROLLOUT, ['  strategy:\n', '  disabled: true\n  strategy:\n']), ...STACK),
    corrected: yaml(example.ROLLOUT, ...STACK),
  },

  'kruise-rollout-paused': {
    severity: 'note',
    title: 'the Rollout is paused, so a release waits before its first step',
    because:
      'while spec.strategy.paused is true, the controller takes no step, and ignores approvals and roll-backs until somebody resumes the Rollout; ' +
      'a rehearsal shows the release as if somebody had',
    fix: 'remove spec.strategy.paused when releases may go on; where a GitOps tool applies the Rollout, change it in Git',
    basis: 'run',
    sources: [source.progressing],
    failing: yaml(edit(example.ROLLOUT, ['  strategy:\n', '  strategy:\n    paused: true\n']), ...STACK),
    corrected: yaml(example.ROLLOUT, ...STACK),
  },
});

/** Checks whether Rollouts are disabled or paused. */
export const checkInactive: RolloutChecker = ({ rollouts }) => rollouts.flatMap(inactive);

function inactive({ manifest, workload }: RolloutSubject): Finding[] {
  if (manifest.get('spec.disabled') === true) {
    const pods = workload === undefined ? '' : ` of ${workload.ref.kind} "${workload.ref.name}"`;
    return [
      manifest.finding(inactiveRules['kruise-rollout-disabled'], {
        message: `Rollout "${manifest.name}" is disabled: a new version${pods} goes to all users at once`,
        path: ['spec', 'disabled'],
      }),
    ];
  }
  if (manifest.get('spec.strategy.paused') !== true) return [];
  return [
    manifest.finding(inactiveRules['kruise-rollout-paused'], {
      message: `Rollout "${manifest.name}" is paused: a release waits before its first step until somebody sets paused to false`,
      path: ['spec', 'strategy', 'paused'],
    }),
  ];
}
