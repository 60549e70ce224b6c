import { expect, it } from 'vitest';
import { checkArgoAlb } from '../../../src/argo/rules';
import { parseManifests, World } from '../../../src/core';

const rollout = (services: string) => `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: web, namespace: shop}
spec: {strategy: {blueGreen: {${services}}}}
---
`;
const path = (name: string, port: string) =>
  `{path: /${name}, pathType: Prefix, backend: {service: {name: ${name}, port: ${port}}}}`;
const ACTION = '{name: use-annotation}';
const ingress = (annotations: string, ...paths: string[]) => `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: front, namespace: shop, annotations: {${annotations}}}
spec: {ingressClassName: alb, rules: [{http: {paths: [${paths.join(', ')}]}}]}
`;

function found(yaml: string): string[] {
  const { manifests } = parseManifests(yaml, 'a.yaml');
  const findings = checkArgoAlb(World.of(manifests)).filter(({ rule }) => rule === 'argo-blue-green-use-annotation');
  return findings.map((finding) => finding.path ?? '');
}

it('a Service of a blue-green Rollout needs the action that its Ingress refers to', () => {
  const both = rollout('activeService: web, previewService: web-preview');
  const paths = [path('web', ACTION), path('web-preview', ACTION), path('other', ACTION), path('web', '{number: 80}')];
  const at = (index: number) => `spec.rules[0].http.paths[${index}].backend.service.port`;
  expect(found(both + ingress('', ...paths))).toEqual([at(0), at(1)]);
  expect(found(both + ingress('alb.ingress.kubernetes.io/actions.web: "{}"', ...paths))).toEqual([at(1)]);
  expect(found(rollout('activeService: web') + ingress('', ...paths))).toEqual([at(0)]);
  expect(found(rollout('activeService: api') + ingress('', ...paths))).toEqual([]);
  expect(found(both + ingress('', path('web', '{number: 80}'), path('other', ACTION)))).toEqual([]);
});
