import type { Finding } from '../../core/finding';
import { asObject, isSet } from '../../core/json';
import { defineRules } from '../../core/rule';
import { ARGO_ROLLOUT } from '../admission/findings';
import { canary } from '../admission/rules/examples';
import { canaryOf, delayOf, isGivenAgain, keepsOldPods } from '../controller';
import { ArgoRolloutsVersion } from '../version';
import type { ArgoAlbChecker } from './context';

const FIELD = 'scaleDownDelaySeconds';

/** Rules for the old pods after a release. */
export const argoOldPodsRules = defineRules({
  'argo-old-pods-stay': {
    severity: 'warning',
    title: 'the old pods of a canary stay until the next release',
    because:
      'with a traffic router, the controller sets no deadline for scaleDownDelaySeconds: 0, and the old pods stay. Release 1.8.1 sets another ' +
      'deadline each time that one has passed',
    fix: 'wait a few seconds, for load balancers that still send requests to the old pods; and use another release than 1.8.1',
    basis: 'run',
    sources: ['https://github.com/argoproj/argo-rollouts/blob/v1.9.1/rollout/replicaset.go'],
    failing: canary({ rest: `${FIELD}: 0` }),
    corrected: canary({ rest: `${FIELD}: 5` }),
  },
});

/** Checks that the old pods go after a release. */
export const checkOldPods: ArgoAlbChecker = ({ world, options: { version = ArgoRolloutsVersion.LATEST } }) =>
  world.list(ARGO_ROLLOUT).flatMap((manifest): Finding[] => {
    const { object, name } = manifest;
    const { blueGreen } = asObject(asObject(object.spec).strategy);
    const kind = isSet(blueGreen) ? 'blueGreen' : 'canary';
    const delay = delayOf(asObject(isSet(blueGreen) ? blueGreen : canaryOf(object)), FIELD);
    const begins = isGivenAgain(delay, version) && (kind === 'blueGreen' || keepsOldPods(object));
    const isZero = delay.seconds === 0 && kind === 'canary' && keepsOldPods(object);
    if (!begins && !isZero) return [];
    const why = begins ? `their delay begins again each time, in Argo Rollouts ${version}` : `${FIELD} is 0`;
    return [
      manifest.finding(argoOldPodsRules['argo-old-pods-stay'], {
        path: ['spec', 'strategy', kind, FIELD],
        message: `the old pods of Rollout "${name}" stay until its next release: ${why}`,
      }),
    ];
  });
