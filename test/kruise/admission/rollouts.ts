import type { JsonObject } from '../../../src/core/json';

interface RolloutParts {
  readonly name?: string;
  readonly namespace?: string;
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly workload?: string;
  readonly phase?: string;
}

/** A v1beta1 canary Rollout, by default with one step. */
export function v1beta1(strategy: object = {}, parts: RolloutParts = {}): JsonObject {
  const canary = { enableExtraWorkloadForCanary: true, steps: [{ replicas: 1 }], ...strategy };
  return whole('v1beta1', { workloadRef: refOf(parts), strategy: { canary } }, parts);
}

/** A v1beta1 blue-green Rollout, by default with one step. */
export function blueGreen(strategy: object = {}, parts: RolloutParts = {}): JsonObject {
  const spec = { workloadRef: refOf(parts), strategy: { blueGreen: { steps: [{ replicas: 1 }], ...strategy } } };
  return whole('v1beta1', spec, parts);
}

/** A v1alpha1 Rollout, by default with one step. */
export function v1alpha1(strategy: object = {}, style?: string, parts: RolloutParts = {}): JsonObject {
  const canary = { steps: [{ replicas: 1 }], ...strategy };
  const rollout = whole('v1alpha1', { objectRef: { workloadRef: refOf(parts) }, strategy: { canary } }, parts);
  if (style === undefined) return rollout;
  const annotations = { 'rollouts.kruise.io/rolling-style': style };
  return { ...rollout, metadata: { ...(rollout.metadata as JsonObject), annotations } };
}

function refOf({ apiVersion = 'apps/v1', kind = 'Deployment', workload = 'web' }: RolloutParts) {
  return { apiVersion, kind, name: workload };
}

function whole(version: string, spec: object, { name = 'web', namespace, phase }: RolloutParts): JsonObject {
  return {
    apiVersion: `rollouts.kruise.io/${version}`,
    kind: 'Rollout',
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    spec,
    ...(phase === undefined ? {} : { status: { phase, currentStepIndex: 1, currentStepState: 'StepPaused' } }),
  } as JsonObject;
}
