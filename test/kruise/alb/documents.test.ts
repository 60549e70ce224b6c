/** What people find when their rollout does not work, typed in as they find it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseManifests, World } from '../../../src/core';
import { checkKruise } from '../../../src/kruise/check';
import { checkScriptsOfWorld } from '../../../src/kruise/scripts/world';
import { rejectedScripts } from '../scripts/rejected/defects';

function worldOf(text: string): World {
  const { manifests, findings } = parseManifests(text, 'document.yaml');
  expect(findings).toEqual([]);
  return World.of(manifests);
}

/** Rules of what is found, with the message of each. */
function found(world: World): Map<string, string[]> {
  const findings = [...checkKruise(world), ...checkScriptsOfWorld(world)];
  const byRule = new Map<string, string[]>();
  for (const { rule, message } of findings) byRule.set(rule, [...(byRule.get(rule) ?? []), message]);
  return byRule;
}

const LIBRARY = join(__dirname, '..', 'scripts', 'rejected', 'document-000');

describe('document 000: a canary Ingress on AWS with a script in the ConfigMap', () => {
  const script = readFileSync(join(LIBRARY, 'trafficrouting_ingress/aws-alb.lua'), 'utf8').replace(/^(?=.)/gm, '    ');
  // The ConfigMap as published; Ingress and Rollout as its commands name them.
  const text = `apiVersion: v1
kind: ConfigMap
metadata:
  name: kruise-rollout-configuration
  namespace: kruise-rollout
data:
  "lua.traffic.routing.ingress.aws-alb": |
${script}---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: canary-test
  namespace: centersys-release
  annotations:
    alb.ingress.kubernetes.io/scheme: internal
spec:
  ingressClassName: alb
  rules:
    - host: canary-test.example.com
      http:
        paths:
          - { path: /, pathType: Prefix, backend: { service: { name: canary-test, port: { number: 80 } } } }
---
apiVersion: v1
kind: Service
metadata: { name: canary-test, namespace: centersys-release }
spec: { selector: { app: canary-test }, ports: [{ port: 80 }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: canary-test, namespace: centersys-release }
spec:
  replicas: 4
  selector: { matchLabels: { app: canary-test } }
  template: { metadata: { labels: { app: canary-test } }, spec: { containers: [{ name: a, image: a }] } }
---
apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata: { name: canary-test, namespace: centersys-release }
spec:
  workloadRef: { apiVersion: apps/v1, kind: Deployment, name: canary-test }
  strategy:
    canary:
      enableExtraWorkloadForCanary: true
      steps:
        - matches:
            - headers: [{ name: cookie, value: starrycloud-canary=always }]
            - headers: [{ name: x-user, type: RegularExpression, value: "user-[0-9]+" }]
          replicas: 1
          pause: {}
        - { traffic: 20%, replicas: 20%, pause: {} }
        - { traffic: 100%, replicas: 100% }
      trafficRoutings:
        - service: canary-test
          ingress: { name: canary-test, classType: aws-alb }
`;
  const rules = found(worldOf(text));

  it('is rejected with every fault of the script', () => {
    const { defects } = rejectedScripts.find(({ library }) => library === 'document-000')!;
    for (const { defect, rule } of defects) if (rule !== undefined) expect(rules.has(rule), defect).toBe(true);
  });

  it.each([
    ['without a group the canary gets a load balancer of its own', 'kruise-alb-group'],
    ['of equal orders the stable Ingress comes first', 'kruise-alb-order'],
    ['a backend with a port never looks at the action', 'kruise-alb-backend-port'],
    ['alternatives on different headers cannot be one canary Ingress', 'kruise-alb-match-shape'],
    ['three seconds are too short for a load balancer', 'kruise-grace-period-short'],
    ['instance is the default target type, and needs node ports', 'alb-instance-service'],
  ])('is rejected because %s', (_, rule) => {
    expect([...rules.keys()]).toContain(rule);
  });
});

describe('document 002: a canary on an ALB of Alibaba Cloud', () => {
  const application = (name: string) => `apiVersion: rollouts.kruise.io/v1alpha1
kind: Rollout
metadata:
  name: ${name}
  annotations:
    rollouts.kruise.io/rolling-style: partition
  namespace: foo
spec:
  objectRef:
    workloadRef:
      apiVersion: apps/v1
      kind: Deployment
      name: ${name}
  strategy:
    canary:
      steps:
      - replicas: 1
        weight: 5
        pause: {}
      - replicas: 30%
        pause: {}
        matches:
        - headers:
          - name: user-agent
            type: Exact
            value: pc
      - replicas: 60%
        pause: {}
        matches:
        - headers:
          - name: user-agent
            type: Exact
            value: mobile
      - replicas: 100%
        weight: 100
      trafficRoutings:
      - service: ${name}
        ingress:
          name: ${name}
          classType: aliyun-alb
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  annotations: {}
  name: ${name}
  namespace: foo
spec:
  ingressClassName: alb
  rules:
  - host: ${name}.caocaokeji.cn
    http:
      paths:
      - backend:
          service:
            name: ${name}
            port:
              number: 80
        path: /apis/echo
        pathType: Exact
---
apiVersion: v1
kind: Service
metadata: { name: ${name}, namespace: foo }
spec: { selector: { app: ${name} }, ports: [{ port: 80 }] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}, namespace: foo }
spec:
  replicas: 10
  selector: { matchLabels: { app: ${name} } }
  template: { metadata: { labels: { app: ${name} } }, spec: { containers: [{ name: a, image: a }] } }
`;
  const canary = (name: string, annotations: string) => `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  annotations:
    alb.ingress.kubernetes.io/canary: "true"
${annotations}    alb.ingress.kubernetes.io/order: "1"
  name: ${name}-canary
  namespace: foo
spec:
  ingressClassName: alb
  rules:
  - host: ${name}.caocaokeji.cn
    http:
      paths:
      - { path: /apis/echo, pathType: Exact, backend: { service: { name: ${name}-canary, port: { number: 80 } } } }
`;
  const both = [application('echoserver'), application('echoserver-clone')];

  it('is rejected: two releases at a time would have the same order', () => {
    const rules = found(worldOf(both.join('---\n')));
    expect(rules.get('kruise-aliyun-builtin-script')).toEqual([
      'the Rollout "echoserver" uses the built-in script of the class type "aliyun-alb", as does the Rollout "echoserver-clone" on the same ALB',
      'the Rollout "echoserver-clone" uses the built-in script of the class type "aliyun-alb", as does the Rollout "echoserver" on the same ALB',
    ]);
  });

  it('needs no orders for the built-in script, which puts the canary before the stable Ingress', () => {
    const rules = found(worldOf(both.join('---\n')));
    expect(rules.get('kruise-aliyun-order')).toBeUndefined();
  });

  it('is rejected by the webhook: partition style, and more than half of the pods in a step that routes', () => {
    const rules = found(worldOf(both.join('---\n')));
    expect(rules.get('rollout-partition-limit')?.join('\n')).toMatch(/60%/);
  });

  it('is rejected as the cluster shows it: both canary Ingresses have the order 1', () => {
    const pc =
      '    alb.ingress.kubernetes.io/canary-by-header: user-agent\n    alb.ingress.kubernetes.io/canary-by-header-value: pc\n';
    const live = [
      canary('echoserver', pc),
      canary('echoserver-clone', '    alb.ingress.kubernetes.io/canary-weight: "5"\n'),
    ];
    const rules = found(worldOf([...both, ...live].join('---\n')));
    expect(rules.get('kruise-aliyun-order-duplicate')).toEqual([
      'alb.ingress.kubernetes.io/order is 1, which the Ingress "echoserver-canary" of the namespace "foo" already has',
    ]);
  });

  it('is never taken for one of AWS', () => {
    const rules = found(worldOf(both.join('---\n')));
    expect([...rules.keys()].filter((rule) => rule.startsWith('alb-') || rule.startsWith('kruise-alb-'))).toEqual([]);
  });
});
