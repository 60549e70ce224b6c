/** The rules that only apply to releases of Argo Rollouts. */
import { defineRules } from '../../core';
import {
  argoStack,
  blueGreenStack,
  DIRECT_PATH,
  HEADER_STEPS,
  INTERNAL_INGRESS,
  PLUGIN_STEPS,
  plainStack,
  pluginConfig,
  VERIFYING,
} from './examples';

const ARGO = 'https://github.com/argoproj/argo-rollouts/blob/master';

const HEADER = { steps: HEADER_STEPS, managedRoutes: '[{ name: beta }]' };

/** The rules of this folder. */
export const argoReleaseRules = defineRules({
  'rehearsal-verification-fails': {
    severity: 'error',
    title: 'the controller can never verify the weights',
    because:
      'the controller reads the weight of a target group from the last rule that names it, and continues only if that is ' +
      'the weight that it wrote',
    fix: 'use the action in every rule of the Ingress that leads to the canary, or turn verification off',
    basis: 'read',
    sources: [`${ARGO}/utils/aws/aws.go`, `${ARGO}/rollout/trafficrouting/alb/alb.go`],
    failing: argoStack({ ...HEADER, more: VERIFYING, paths: DIRECT_PATH }),
    corrected: argoStack({ ...HEADER, more: VERIFYING }),
  },
  'rehearsal-step-never-ends': {
    severity: 'error',
    title: 'the controller waits for ever, with all pods ready',
    because:
      'it counts ready pods before it goes on, and the Rollout asks for another number than its pods; or it waits for an analysis that it does ' +
      'not run',
    fix: 'correct replicaProgressThreshold, minPodsPerReplicaSet or the analysis, as the message says',
    basis: 'run',
    sources: [`${ARGO}/utils/replicaset/canary.go`, `${ARGO}/rollout/sync.go`],
    failing: argoStack({ strategy: 'replicaProgressThreshold: { type: Percent, value: 101 }' }),
    corrected: argoStack({ strategy: 'replicaProgressThreshold: { type: Percent, value: 100 }' }),
  },
  'rehearsal-ingress-unmanaged': {
    severity: 'warning',
    title: 'an Ingress that Argo does not manage leads to the stable Service',
    because:
      'Argo only splits traffic in Ingresses that the Rollout names, so users of this one never reach the canary',
    fix: 'name the Ingress in trafficRouting.alb.ingresses, and give its backend the port name use-annotation',
    basis: 'run',
    sources: [`${ARGO}/rollout/trafficrouting/alb/alb.go`],
    failing: argoStack({ more: INTERNAL_INGRESS }),
    corrected: argoStack(),
  },
  'rehearsal-weights-stay': {
    severity: 'note',
    title: 'the weights stay if the Rollout is deleted during a release',
    because:
      'the controller resets an action only if one of its target groups has the name of the action, which is never the case with rootService or for a header route',
    fix: 'finish or abort the release before you delete the Rollout, or remove the action by hand afterwards',
    basis: 'run',
    sources: [`${ARGO}/ingress/alb.go`],
    failing: argoStack({ rootService: 'web-root' }),
    corrected: argoStack(),
  },
  'rehearsal-abort-flaps': {
    severity: 'note',
    title: 'after an abort the canary Service does not come to rest until the new pods are gone',
    because:
      'while the new pods run, two parts of the controller point the Service at different pods, so the load balancer registers targets again and again, and requests through this Service meet both versions',
    fix: 'set abortScaleDownDelaySeconds: 0, which removes the new pods with the abort; pingPong and dynamicStableScale avoid it too',
    basis: 'run',
    sources: [`${ARGO}/rollout/service.go`, 'https://github.com/argoproj/argo-rollouts/issues/3078'],
    failing: argoStack(),
    corrected: argoStack({ strategy: 'abortScaleDownDelaySeconds: 0' }),
  },
  'rehearsal-weight-by-pods': {
    severity: 'note',
    title: 'the pods of a canary cannot make its weight',
    because:
      'without trafficRouting the numbers of pods are the weights: Argo takes the number that comes closest, and always at least one ' +
      'pod of each version',
    fix: 'choose weights that whole pods can make, run more pods, or add trafficRouting',
    basis: 'run',
    sources: [`${ARGO}/utils/replicaset/canary.go`],
    failing: plainStack(30),
    corrected: plainStack(20),
  },
  'rehearsal-plugin-missing': {
    severity: 'error',
    title: 'the controller does not have a plugin that the Rollout names',
    because:
      'Argo starts the plugins of its ConfigMap only: with another traffic router it deploys nothing and says so in its log alone, ' +
      'and at a step with another plugin it stays for ever, with the event ReconciliationError',
    fix: 'add the plugin to the ConfigMap argo-rollouts-config, and restart the controller',
    basis: 'run',
    sources: [`${ARGO}/rollout/trafficrouting/plugin/plugin.go`, `${ARGO}/rollout/steps/plugin/resolver.go`],
    failing: argoStack({ steps: PLUGIN_STEPS, more: pluginConfig('example/notify') }),
    corrected: argoStack({ steps: PLUGIN_STEPS, more: pluginConfig('example/wait') }),
  },
  'rehearsal-preview-empty': {
    severity: 'note',
    title: 'the preview answers with errors until the new pods are ready',
    because:
      'Argo points the preview Service at the new version before a pod of it exists, and leaves it there after an abort',
    fix: 'use the preview only while the Rollout is Paused, and expect errors before',
    basis: 'run',
    sources: [`${ARGO}/rollout/bluegreen.go`],
    failing: blueGreenStack({ preview: true }),
    corrected: blueGreenStack({ preview: false }),
  },
});
