/** Verdicts that only Rollouts of Argo meet. */
import { defineRules } from '../../core';
import { argoStack, DIRECT_PATH, HEADER_STEPS, INTERNAL_INGRESS, VERIFYING } from './examples';

const ARGO = 'https://github.com/argoproj/argo-rollouts/blob/master';

const HEADER = { steps: HEADER_STEPS, managedRoutes: '[{ name: beta }]' };

/** The rules of this folder. */
export const argoReleaseRules = defineRules({
  'rehearsal-verification-fails': {
    severity: 'error',
    title: 'the verification of weights can never succeed',
    because:
      'the controller reads the weight of a target group from the last rule that names it, and goes on only when that is ' +
      'the weight that it wrote',
    fix: 'let every rule of the Ingress that leads to the canary do so through the action, or turn verification off',
    basis: 'read',
    sources: [`${ARGO}/utils/aws/aws.go`, `${ARGO}/rollout/trafficrouting/alb/alb.go`],
    failing: argoStack({ ...HEADER, more: VERIFYING, paths: DIRECT_PATH }),
    corrected: argoStack({ ...HEADER, more: VERIFYING }),
  },
  'rehearsal-ingress-unmanaged': {
    severity: 'warning',
    title: 'an Ingress leads to the stable Service past Argo',
    because:
      'Argo splits traffic in the Ingresses that the Rollout names only, so users of this one never meet the canary',
    fix: 'name the Ingress in trafficRouting.alb.ingresses, and give its backend the port name use-annotation',
    basis: 'run',
    sources: [`${ARGO}/rollout/trafficrouting/alb/alb.go`],
    failing: argoStack({ more: INTERNAL_INGRESS }),
    corrected: argoStack(),
  },
  'rehearsal-weights-stay': {
    severity: 'note',
    title: 'the weights stay when the Rollout is deleted in the middle of a release',
    because:
      'the controller resets an action only where one of its target groups has the name of the action, which is never so with rootService, nor for a header route',
    fix: 'finish or abort the release before the Rollout is deleted, and then remove the action by hand',
    basis: 'run',
    sources: [`${ARGO}/ingress/alb.go`],
    failing: argoStack({ rootService: 'web-root' }),
    corrected: argoStack(),
  },
});
