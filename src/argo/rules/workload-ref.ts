/** Checks the Deployment whose pod template a Rollout uses. */
import type { Finding } from '../../core/finding';
import { asObject, isSet, textOf } from '../../core/json';
import { defineRules } from '../../core/rule';
import { ARGO_ROLLOUT } from '../admission/findings';
import { canary, OBJECTS } from '../admission/rules/examples';
import type { ArgoAlbChecker } from './context';

const REFERRING = (scaleDown: string) =>
  canary({
    pods: `  workloadRef: {apiVersion: apps/v1, kind: Deployment, name: shop${scaleDown}}\n`,
    objects: `${OBJECTS}---
apiVersion: apps/v1
kind: Deployment
metadata: {name: shop}
spec:
  replicas: 4
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec: {containers: [{name: web, image: "nginx:1.25", ports: [{containerPort: 8080}]}]}
`,
  });

/** Rules for `workloadRef`. */
export const argoWorkloadRefRules = defineRules({
  'argo-workload-ref-alive': {
    severity: 'warning',
    title: 'the Deployment of workloadRef keeps pods of its own',
    because:
      'without scaleDown, Argo leaves the number of pods of the Deployment alone. They run beside those of the Rollout, and Kubernetes replaces ' +
      'them all at the next version, without a step. Each Service that selects pods without the hash of a version sends requests to them',
    fix: 'set scaleDown: onsuccess or progressively in workloadRef, or replicas: 0 of the Deployment',
    basis: 'run',
    sources: ['https://github.com/argoproj/argo-rollouts/blob/v1.9.1/rollout/controller.go'],
    failing: REFERRING(''),
    corrected: REFERRING(', scaleDown: onsuccess'),
  },
});

/** Checks each Rollout with a `workloadRef`. */
export const checkWorkloadRefs: ArgoAlbChecker = ({ world }) =>
  world.list(ARGO_ROLLOUT).flatMap((manifest): Finding[] => {
    const { kind, name, apiVersion, scaleDown } = asObject(manifest.get('spec.workloadRef'));
    if (kind !== 'Deployment' || (isSet(scaleDown) && scaleDown !== 'never')) return [];
    const [named, version] = [textOf(name), textOf(apiVersion)];
    if (named === undefined || version === undefined) return [];
    const namespace = world.namespaceOf(manifest);
    const deployment = world.get({ apiVersion: version, kind: 'Deployment', name: named, namespace });
    const replicas = deployment?.get('spec.replicas') ?? 1;
    if (deployment === undefined || replicas === 0) return [];
    return [
      manifest.finding(argoWorkloadRefRules['argo-workload-ref-alive'], {
        path: 'spec.workloadRef',
        message: `Deployment "${named}" keeps its pods beside those of Rollout "${manifest.name}", and replaces them all at once at each new version`,
        related: { message: 'its spec.replicas is not 0', object: deployment.ref },
      }),
    ];
  });
