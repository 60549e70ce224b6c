import type { RuleExample } from '../../../core/rule';

const HANDLER =
  'https://github.com/openkruise/rollouts/blob/v0.6.2/pkg/webhook/rollout/validating/rollout_create_update_handler.go';
const HANDLER_V1ALPHA1 =
  'https://github.com/openkruise/rollouts/blob/v0.6.2/pkg/webhook/rollout/validating/validate_v1alphal_rollout.go';

/** The webhook's own code for v1beta1. */
export const WEBHOOK = [HANDLER];

/** The webhook's own code for v1alpha1. */
export const WEBHOOK_V1ALPHA1 = [HANDLER_V1ALPHA1];

/** The webhook's own code for both versions. */
export const WEBHOOKS = [HANDLER, HANDLER_V1ALPHA1];

/** The consequence of every webhook rule. */
export const REFUSED = "the controller's webhook refuses the Rollout, and kubectl apply fails";

interface V1beta1Parts {
  readonly workload?: string;
  readonly strategy?: string;
}

/** A v1beta1 Rollout around a strategy, or around a workload. */
export function v1beta1({
  workload = 'apps/v1, kind: Deployment',
  strategy = canary(),
}: V1beta1Parts = {}): RuleExample {
  return {
    language: 'yaml',
    text: `apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata:
  name: web
spec:
  workloadRef: {apiVersion: ${workload}, name: web}
  strategy:
${strategy}
`,
  };
}

/** A canary with an extra workload. */
export function canary(steps = '- {replicas: 20%}', rest = ''): string {
  return `    canary:
      enableExtraWorkloadForCanary: true
      steps:
        ${steps}${rest === '' ? '' : `\n      ${rest}`}`;
}

/** A canary without an extra workload (partition style). */
export function partition(steps: string): string {
  return `    canary:
      steps:
        ${steps}`;
}

/** A canary with one traffic routing. */
export function routed(routing: string): RuleExample {
  return v1beta1({ strategy: canary('- {traffic: 20%, replicas: 20%}', `trafficRoutings:\n        - ${routing}`) });
}

interface V1alpha1Parts {
  readonly annotation?: string;
  readonly objectRef?: string;
  readonly steps?: string;
}

/** A v1alpha1 Rollout with traffic routing. */
export function v1alpha1({ annotation, objectRef, steps = '- {weight: 20}' }: V1alpha1Parts = {}): RuleExample {
  const ref = objectRef ?? 'workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web}';
  return {
    language: 'yaml',
    text: `apiVersion: rollouts.kruise.io/v1alpha1
kind: Rollout
metadata:
  name: web
${annotation === undefined ? '' : `  annotations:\n    rollouts.kruise.io/rolling-style: ${annotation}\n`}spec:
  objectRef:${ref === '{}' ? ' {}' : `\n    ${ref}`}
  strategy:
    canary:
      steps:
        ${steps}
      trafficRoutings:
        - {service: web, ingress: {name: web}}
`,
  };
}

/** An example that a single manifest cannot show. */
export function words(text: string): RuleExample {
  return { language: 'yaml', text };
}
