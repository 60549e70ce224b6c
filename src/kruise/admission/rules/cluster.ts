import { defineRules } from '../../../core/rule';
import { REFUSED, v1beta1, WEBHOOK, WEBHOOKS, words } from './examples';

const LOCKED =
  "while a release is in progress (or the Rollout is being deleted), the controller's webhook refuses the change, and " +
  'kubectl apply fails';

const before = v1beta1();

/** Rules that depend on other Rollouts, on the current Rollout in the cluster, or on the release of the controller. */
export const clusterRules = defineRules({
  'rollout-workload-taken': {
    severity: 'error',
    title: 'two Rollouts release the same workload',
    because: `${REFUSED}: a workload may have only one Rollout, even if the other one is disabled`,
    fix: 'remove one of the two Rollouts',
    basis: 'run',
    sources: WEBHOOKS,
    failing: words(`${before.text}---\n${before.text.replace('  name: web\n', '  name: web-again\n')}`),
    corrected: before,
  },
  'rollout-workload-immutable': {
    severity: 'error',
    title: 'an update changes the workload during a release',
    because: LOCKED,
    fix: 'wait for the end of the release, or create a Rollout with another name',
    basis: 'read',
    sources: WEBHOOKS,
    failing: words(`# during a release\n${before.text.replace('Deployment, name: web', 'Deployment, name: shop')}`),
    corrected: before,
  },
  'rollout-traffic-routings-immutable': {
    severity: 'error',
    title: 'an update changes trafficRoutings during a release',
    because: LOCKED,
    fix: 'wait for the end of the release',
    basis: 'read',
    sources: WEBHOOKS,
    failing: words(`# during a release\n${before.text}      trafficRoutings: [{service: web, ingress: {name: web}}]\n`),
    corrected: before,
  },
  'rollout-style-immutable': {
    severity: 'error',
    title: 'an update changes the strategy, enableExtraWorkloadForCanary or the rolling style during a release',
    because: LOCKED,
    fix: 'wait for the end of the release',
    basis: 'read',
    sources: WEBHOOKS,
    failing: words(`# during a release\n${before.text.replace('Canary: true', 'Canary: false')}`),
    corrected: before,
  },
  'rollout-step-count-immutable': {
    severity: 'error',
    title: 'an update changes the number of steps during a release',
    because: `${LOCKED}. An update through v1alpha1 passes, as does one of a release before 0.6`,
    fix: 'wait for the end of the release',
    basis: 'read',
    sources: WEBHOOK,
    failing: words(`# during a release\n${before.text}        - {replicas: 50%}\n`),
    corrected: before,
  },
  'rollout-number-out-of-range': {
    severity: 'error',
    title: 'a number is too large for the controller',
    because: 'the CRD accepts the number, but the webhook cannot decode the object, and kubectl apply fails',
    fix: 'use a smaller number',
    basis: 'run',
    sources: WEBHOOKS,
    failing: v1beta1({
      strategy:
        '    canary: {enableExtraWorkloadForCanary: true, steps: [{replicas: 20%, pause: {duration: 3000000000}}]}',
    }),
    corrected: v1beta1({
      strategy: '    canary: {enableExtraWorkloadForCanary: true, steps: [{replicas: 20%, pause: {duration: 3600}}]}',
    }),
  },
  'kruise-kind-unknown': {
    severity: 'error',
    title: 'the release of Kruise Rollouts does not have the kind, or not in this API version',
    because: 'the API server refuses the object: "no matches for kind"',
    fix: 'correct kind or apiVersion, or install a release that has the kind',
    basis: 'read',
    sources: ['https://github.com/openkruise/rollouts/tree/v0.6.2/config/crd/bases'],
    failing: words(
      'apiVersion: rollouts.kruise.io/v1beta1\nkind: TrafficRouting\nmetadata:\n  name: web\nspec:\n' +
        '  objectRef: [{service: web, ingress: {name: web}}]\n  strategy: {weight: 20}\n',
    ),
    corrected: words(
      'apiVersion: rollouts.kruise.io/v1alpha1\nkind: TrafficRouting\nmetadata:\n  name: web\nspec:\n' +
        '  objectRef: [{service: web, ingress: {name: web}}]\n  strategy: {weight: 20}\n',
    ),
  },
});
