/** An object that is not among the manifests is told alike for both controllers, by what else is known of its namespace. */
import { describe, expect, it } from 'vitest';
import { checkStack } from '../../src/check';
import { parseManifests, World } from '../../src/core';

const KRUISE = `apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata: {name: web, namespace: shop}
spec:
  workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  strategy:
    canary:
      enableExtraWorkloadForCanary: true
      trafficRoutings: [{service: web, ingress: {name: web, classType: nginx}}]
      steps: [{traffic: 20%, replicas: 25%, pause: {}}, {traffic: 100%, replicas: 100%}]
`;
const ARGO = `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: web, namespace: shop}
spec:
  replicas: 4
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: 'web:1', ports: [{containerPort: 8080}]}]}}
  strategy:
    canary: {canaryService: web, stableService: web-stable, trafficRouting: {nginx: {stableIngress: web}}, steps: [{setWeight: 20}, {pause: {}}]}
`;
const other = (kind: string, name: string, namespace: string) =>
  `---\napiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: ${namespace}}\n${kind === 'Service' ? 'spec: {selector: {a: b}, ports: [{port: 80}]}\n' : ''}`;

describe.each([
  ['Kruise Rollouts', KRUISE, 'kruise-reference-missing'],
  ['Argo Rollouts', ARGO, 'argo-service-not-found'],
])('a Service that a Rollout of %s names, and that is not there', (_controller, rollout, rule) => {
  it.each([
    ['a note where nothing else is known of the namespace', '', 'note'],
    ['a warning where the namespace has other objects', other('ConfigMap', 'settings', 'shop'), 'warning'],
    ['an error where the namespace has other Services', other('Service', 'cart', 'shop'), 'error'],
    [
      'an error where another namespace has it',
      `${other('ConfigMap', 'settings', 'shop')}${other('Service', 'web', 'cart')}`,
      'error',
    ],
  ])('is %s', (_when, more, severity) => {
    const { manifests } = parseManifests(`${rollout}${more}`, 'a.yaml');
    const found = checkStack(World.of(manifests)).findings.filter((each) => each.rule === rule);
    expect(found.find(({ message }) => message.includes('Service "web"'))?.severity).toBe(severity);
  });
});
