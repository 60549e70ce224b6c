import type { Finding } from '../../core/finding';
import { defineRules } from '../../core/rule';
import { ARGO_ROLLOUT } from '../admission/findings';
import { canary } from '../admission/rules/examples';
import { fieldThatKeepsPods, maxTrafficWeightOf, scalesStable, stepsOf, wayBackOf, weightAt } from '../controller';
import { withMostPods } from '../controller/never-ends';
import { ArgoRolloutsVersion } from '../version';
import type { ArgoAlbChecker } from './context';

const STEPS = '- setWeight: 20\n        - pause: {}\n        - setWeight: 60\n        - pause: {}';

/** The rule for aborts with `dynamicStableScale`. */
export const argoDynamicAbortRules = defineRules({
  'argo-abort-never-ends': {
    severity: 'error',
    title: 'after an abort, the new version keeps requests for ever',
    because:
      'with dynamicStableScale, Argo Rollouts 1.9 and later take the requests back step by step, and each step waits until the new version ' +
      'has fewer pods than before; abortScaleDownDelaySeconds keeps them until all stable pods are back, which then never happens, and ' +
      'minPodsPerReplicaSet keeps them where a step asks for fewer',
    fix: 'remove abortScaleDownDelaySeconds, and let no step ask for fewer pods than minPodsPerReplicaSet; or remove dynamicStableScale',
    basis: 'run',
    sources: [
      'https://github.com/argoproj/argo-rollouts/blob/v1.9.1/rollout/replicaset.go',
      'https://github.com/argoproj/argo-rollouts/blob/v1.9.1/utils/replicaset/canary.go',
    ],
    failing: canary({
      spec: 'replicas: 10',
      steps: STEPS,
      rest: 'dynamicStableScale: true\nabortScaleDownDelaySeconds: 30',
    }),
    corrected: canary({ spec: 'replicas: 10', steps: STEPS, rest: 'dynamicStableScale: true' }),
  },
});

/** Checks that an abort takes all requests back, at whichever step. */
export const checkDynamicAbort: ArgoAlbChecker = ({ world, options: { version = ArgoRolloutsVersion.LATEST } }) =>
  world.list(ARGO_ROLLOUT).flatMap((manifest): Finding[] => {
    if (!scalesStable(manifest.object)) return [];
    const rollout = withMostPods(manifest, world);
    const stops = [...stepsOf(rollout).keys()].flatMap((step) => {
      const { returning, last } = wayBackOf(rollout, step, { version });
      return last === undefined && weightAt(rollout, step) > 0 ? [{ step, weight: returning.at(-1)!.weight }] : [];
    });
    const [worst] = stops.sort((a, b) => b.weight - a.weight || a.step - b.step);
    if (worst === undefined) return [];
    const field = fieldThatKeepsPods(rollout);
    const share = Math.round((100 * worst.weight) / maxTrafficWeightOf(rollout));
    return [
      manifest.finding(argoDynamicAbortRules['argo-abort-never-ends'], {
        path: ['spec', 'strategy', 'canary', field],
        message:
          `after an abort at steps[${worst.step}], Argo Rollouts ${version} leaves ${share}% of the requests on the new version of Rollout ` +
          `"${manifest.name}" for ever: it waits for fewer new pods, which ${field} keeps`,
      }),
    ];
  });
