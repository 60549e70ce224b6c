import { defineRules } from '../../../core/rule';
import { blueGreen, canary, OBJECTS, PODS, REFUSED, rollout, TEMPLATE_REF, VALIDATION } from './examples';

const NO_PODS = '';
const REF = 'workloadRef: {apiVersion: apps/v1, kind: Deployment, name: shop}';
const DEPLOYMENT = `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  replicas: 0
${PODS}`;

/** The controller's rules for a Rollout with any strategy. */
export const specRules = defineRules({
  'argo-number-negative': {
    severity: 'error',
    title: 'replicas, seconds or a limit of an Argo Rollout is negative',
    because: REFUSED,
    fix: 'write 0 or more',
    basis: 'run',
    sources: VALIDATION,
    failing: canary({ spec: 'minReadySeconds: -1' }),
    corrected: canary({ spec: 'minReadySeconds: 3' }),
  },
  'argo-selector-invalid': {
    severity: 'error',
    title: 'the selector of an Argo Rollout is missing, empty or not valid',
    because: `${REFUSED}; only a Rollout with workloadRef may omit the selector`,
    fix: 'write spec.selector.matchLabels with the labels of the pods',
    basis: 'run',
    sources: VALIDATION,
    failing: canary({ pods: PODS.replace('{matchLabels: {app: shop}}', '{matchLabels: {}}') }),
    corrected: canary(),
  },
  'argo-selector-mismatch': {
    severity: 'error',
    title: 'the selector of an Argo Rollout does not select its own pods',
    because: REFUSED,
    fix: 'add the labels in spec.selector to the pod template',
    basis: 'run',
    sources: VALIDATION,
    failing: canary({ pods: PODS.replace('{matchLabels: {app: shop}}', '{matchLabels: {app: store}}') }),
    corrected: canary(),
  },
  'argo-template-and-workload-ref': {
    severity: 'error',
    title: 'an Argo Rollout has both a pod template and workloadRef',
    because: `${REFUSED}: "template must be empty for workload reference rollout"`,
    fix: 'remove spec.template, or remove spec.workloadRef',
    basis: 'run',
    sources: [...VALIDATION, ...TEMPLATE_REF],
    failing: canary({ spec: REF, objects: `${OBJECTS}${DEPLOYMENT}` }),
    corrected: canary({ spec: REF, pods: NO_PODS, objects: `${OBJECTS}${DEPLOYMENT}` }),
  },
  'argo-workload-ref-unresolved': {
    severity: 'error',
    title: 'the workload of an Argo Rollout does not exist or has an unsupported kind',
    because: 'the controller has no pod template, sets the condition InvalidSpec and releases nothing',
    fix: 'refer to a Deployment or ReplicaSet of apps/v1 or a PodTemplate of v1 in the namespace of the Rollout',
    basis: 'read',
    sources: TEMPLATE_REF,
    failing: canary({
      spec: REF.replace('name: shop', 'name: store'),
      pods: NO_PODS,
      objects: `${OBJECTS}${DEPLOYMENT}`,
    }),
    corrected: canary({ spec: REF, pods: NO_PODS, objects: `${OBJECTS}${DEPLOYMENT}` }),
  },
  'argo-pod-template-invalid': {
    severity: 'error',
    title: 'Kubernetes would refuse the pods of an Argo Rollout',
    because: REFUSED,
    fix: 'correct the pod template',
    basis: 'run',
    sources: [
      ...VALIDATION,
      'https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/core/validation/validation.go',
    ],
    failing: canary({ pods: PODS.replace(', image: "nginx:1.25"', '') }),
    corrected: canary(),
  },
  'argo-value-unreadable': {
    severity: 'warning',
    title: 'the controller cannot decode a value of an Argo object',
    because:
      'the API server stores the value. The controller logs "malformed object" and continues without it: a number that is too ' +
      'large becomes another one, and after an amount that is none it reads nothing more, neither mounts nor later ' +
      'containers nor the status of the release',
    fix: 'correct the value',
    basis: 'run',
    sources: [
      'https://github.com/argoproj/argo-rollouts/blob/v1.9.1/utils/tolerantinformer/tollerantinformer.go',
      'https://github.com/argoproj/argo-rollouts/blob/v1.9.1/test/e2e/functional_test.go',
    ],
    failing: canary({ spec: 'revisionHistoryLimit: 3000000000' }),
    corrected: canary({ spec: 'revisionHistoryLimit: 3' }),
  },
  'argo-progress-deadline-too-short': {
    severity: 'error',
    title: 'progressDeadlineSeconds is not greater than minReadySeconds',
    because: `${REFUSED}; the default of progressDeadlineSeconds is 600`,
    fix: 'raise progressDeadlineSeconds, or lower minReadySeconds',
    basis: 'run',
    sources: VALIDATION,
    failing: canary({ spec: 'minReadySeconds: 600' }),
    corrected: canary({ spec: 'minReadySeconds: 30' }),
  },
  'argo-strategy-not-one': {
    severity: 'error',
    title: 'an Argo Rollout has no strategy, or two',
    because: REFUSED,
    fix: 'write one of canary and blueGreen',
    basis: 'run',
    sources: VALIDATION,
    failing: rollout('    {}\n'),
    corrected: canary(),
  },
  'argo-blue-green-same-service': {
    severity: 'error',
    title: 'the active Service of a blue-green Rollout is its preview Service',
    because: REFUSED,
    fix: 'set two different Services, or remove previewService',
    basis: 'run',
    sources: VALIDATION,
    failing: blueGreen('activeService: shop-active, previewService: shop-active'),
    corrected: blueGreen('activeService: shop-active, previewService: shop-preview'),
  },
  'argo-scale-down-limit-too-large': {
    severity: 'error',
    title: 'a blue-green Rollout keeps more old versions running than its history limit',
    because: `${REFUSED}; the default of revisionHistoryLimit is 10`,
    fix: 'lower scaleDownDelayRevisionLimit, or raise revisionHistoryLimit',
    basis: 'run',
    sources: VALIDATION,
    failing: blueGreen('activeService: shop-active, scaleDownDelayRevisionLimit: 3', 'revisionHistoryLimit: 2'),
    corrected: blueGreen('activeService: shop-active, scaleDownDelayRevisionLimit: 2', 'revisionHistoryLimit: 2'),
  },
  'argo-anti-affinity-invalid': {
    severity: 'error',
    title:
      'the anti-affinity of an Argo Rollout does not have exactly one of preferred, with a weight of 1 to 100, and required',
    because: REFUSED,
    fix: 'write preferredDuringSchedulingIgnoredDuringExecution: {weight: 100}, or requiredDuringSchedulingIgnoredDuringExecution: {}',
    basis: 'run',
    sources: VALIDATION,
    failing: canary({ rest: 'antiAffinity: {}' }),
    corrected: canary({ rest: 'antiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {}}' }),
  },
});
