/**
 * The snippets of the document on AWS load balancers that people follow, typed in as YAML and judged. The document is of
 * June 2023, and shows less than whole objects: what it leaves out is added here, and nothing of what it says is changed.
 */
import { describe, expect, it } from 'vitest';
import { admissionFindings } from '../../src/argo/admission';
import { applyAlb } from '../../src/argo/controller';
import { checkArgoAlb } from '../../src/argo/rules';
import { parseManifests, World } from '../../src/core';
import { checkAwsAlb } from '../../src/routers/aws-alb/checks';

const PODS = `
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec: {containers: [{name: web, image: "nginx:1.15.4", ports: [{containerPort: 80}]}]}`;

const service = (name: string, port = 443) => `
---
apiVersion: v1
kind: Service
metadata: {name: ${name}}
spec: {selector: {app: shop}, ports: [{port: ${port}, targetPort: 80}]}`;

const rollout = (canary: string) => `
---
apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: shop}
spec:${PODS}
  strategy:
    canary:${canary}`;

/** An Ingress of the document. */
const oldIngress = (annotations = '', action = 'root') => `
---
apiVersion: networking.k8s.io/v1beta1
kind: Ingress
metadata:
  name: ingress
  annotations:
    kubernetes.io/ingress.class: alb${annotations}
spec:
  rules:
    - http:
        paths:
          - path: /*
            backend: {serviceName: ${action}, servicePort: use-annotation}`;

/** The same, as Kubernetes takes it. */
const ingress = (annotations = '', action = 'root') => `
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: ingress
  annotations:
    kubernetes.io/ingress.class: alb${annotations}
spec:
  rules:
    - http:
        paths:
          - path: /*
            pathType: ImplementationSpecific
            backend: {service: {name: ${action}, port: {name: use-annotation}}}`;

const controller = (args: string, env = '[]') => `
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: argo-rollouts, namespace: argo-rollouts}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: argo-rollouts}}
  template:
    metadata: {labels: {app.kubernetes.io/name: argo-rollouts}}
    spec:
      containers: [{name: argo-rollouts, image: "quay.io/argoproj/argo-rollouts:v1.9.1", args: ${args}, env: ${env}}]`;

const SERVICES = `${service('canary')}${service('stable')}`;
const CANARY = `
      canaryService: canary
      stableService: stable
      trafficRouting:
        alb:
          ingress: ingress
          rootService: root
          servicePort: 443`;

/** The findings without notes: rule and field. */
function judged(...snippets: readonly string[]): string[] {
  const { manifests, findings } = parseManifests(snippets.join('').replace(/^\n---\n/, ''), 'document.yaml');
  expect(findings).toEqual([]);
  const world = World.of(manifests);
  const found = [...admissionFindings(world), ...checkArgoAlb(world), ...checkAwsAlb(world)];
  return found.filter(({ severity }) => severity !== 'note').map(({ rule, path }) => `${rule} ${path}`);
}

describe('document 001: usage', () => {
  it('has a Rollout that works', () => {
    expect(judged(rollout(CANARY), SERVICES, ingress())).toEqual([]);
  });

  it('has an Ingress of an API version that Kubernetes no longer serves, otherwise correct', () => {
    expect(judged(rollout(CANARY), SERVICES, oldIngress())).toEqual(['argo-alb-ingress-api apiVersion']);
  });

  const ACTION = `
    alb.ingress.kubernetes.io/actions.root: |
      {
        "Type":"forward",
        "ForwardConfig":{"TargetGroups":[
          {"Weight":10,"ServiceName":"canary","ServicePort":"80"},
          {"Weight":90,"ServiceName":"stable","ServicePort":"80"}
        ]}
      }`;

  it('has an action with another port than its Rollout, in a manifest that would overwrite it on apply', () => {
    const found = judged(rollout(CANARY), SERVICES, ingress(ACTION));
    expect(found).toContain(
      'argo-alb-action-in-manifest metadata.annotations["alb.ingress.kubernetes.io/actions.root"]',
    );
    expect(found.filter((one) => one.startsWith('alb-service-port'))).not.toEqual([]);
  });

  it('has an action with members in another order than Argo writes', () => {
    const { manifests } = parseManifests(`${rollout(CANARY)}${ingress()}`.replace(/^\n---\n/, ''), 'document.yaml');
    const [shop, front] = manifests.map(({ object }) => object);
    const { ingresses, error } = applyAlb({ rollout: shop, ingresses: [front], desiredWeight: 10 });
    expect(error).toBeUndefined();
    expect(ingresses[0]!.metadata).toMatchObject({
      annotations: {
        'alb.ingress.kubernetes.io/actions.root':
          '{"Type":"forward","ForwardConfig":{"TargetGroups":[{"ServiceName":"canary","ServicePort":"443","Weight":10},{"ServiceName":"stable","ServicePort":"443","Weight":90}]}}',
        // The document calls it managed-alb-actions.
        'rollouts.argoproj.io/managed-alb-annotations': '{"shop":["alb.ingress.kubernetes.io/actions.root"]}',
      },
    });
  });

  it('names an annotation that was renamed, and that only Argo writes', () => {
    const annotation = `
    rollouts.argoproj.io/managed-alb-actions: '{"shop":["alb.ingress.kubernetes.io/actions.root"]}'`;
    expect(judged(rollout(CANARY), SERVICES, ingress(annotation))).toEqual([
      'argo-alb-bookkeeping-in-manifest metadata.annotations["rollouts.argoproj.io/managed-alb-actions"]',
    ]);
  });
});

describe('document 001: rootService', () => {
  it('is a name of the action that the Ingress must have', () => {
    expect(judged(rollout(CANARY), SERVICES, ingress('', 'stable'))).toEqual([
      'argo-ingress-without-backend spec.strategy.canary.trafficRouting.alb.ingress',
      'alb-action-missing spec.rules[0].http.paths[0].backend',
    ]);
  });

  it('prevents the reset of the weights on deletion, contrary to the document', () => {
    const { manifests } = parseManifests(`${rollout(CANARY)}${ingress()}`.replace(/^\n---\n/, ''), 'document.yaml');
    const [shop, front] = manifests.map(({ object }) => object);
    const live = applyAlb({ rollout: shop, ingresses: [front], desiredWeight: 10 }).ingresses;
    expect(applyAlb({ rollout: shop, ingresses: live, rolloutDeleted: true })).toEqual({
      ingresses: live,
      written: [],
    });
    const world = World.of(
      parseManifests(`${rollout(CANARY)}${SERVICES}${ingress()}`.replace(/^\n---\n/, ''), 'a').manifests,
    );
    expect(checkArgoAlb(world).map(({ rule }) => rule)).toEqual(['argo-alb-root-service-frozen']);
  });

  it('alone is not enough for the API', () => {
    const alone = `
      canaryService: canary
      stableService: stable
      trafficRouting: {alb: {rootService: root}}`;
    expect(judged(rollout(alone), SERVICES, ingress())).toContain(
      'field-missing spec.strategy.canary.trafficRouting.alb.servicePort',
    );
  });
});

describe('document 001: sticky sessions', () => {
  const sticky = (seconds: number) => `${CANARY}
          stickinessConfig: {enabled: true, durationSeconds: ${seconds}}`;

  it('are correct', () => {
    expect(judged(rollout(sticky(3600)), SERVICES, ingress())).toEqual([]);
  });

  it('have a range that Argo checks only during the release', () => {
    expect(judged(rollout(sticky(604801)), SERVICES, ingress())).toEqual([
      'argo-alb-stickiness-range spec.strategy.canary.trafficRouting.alb.stickinessConfig.durationSeconds',
    ]);
  });
});

describe('document 001: verification', () => {
  const whole = (args: string, env?: string) => judged(rollout(CANARY), SERVICES, ingress(), controller(args, env));
  const REGION = '[{name: AWS_REGION, value: eu-west-1}]';

  it('has the correct flag, and does not mention the region', () => {
    expect(whole('[--aws-verify-target-group]')).toContain(
      'argo-controller-without-region spec.template.spec.containers[0]',
    );
    expect(whole('[--aws-verify-target-group]', REGION).filter((one) => one.includes('region'))).toEqual([]);
  });

  it('has an old flag for v1.0, which still exists', () => {
    expect(whole('[--alb-verify-weight]', REGION).filter((one) => one.includes('flag'))).toEqual([]);
  });

  it('has no --aws-region, which later documents require and no release has', () => {
    expect(whole('[--aws-verify-target-group, --aws-region=eu-west-1]', REGION)).toContain(
      'argo-controller-flag-unknown spec.template.spec.containers[0].args[1]',
    );
  });
});

describe('document 001: ping-pong', () => {
  const pingPong = (root: string) => `
      pingPong: {pingService: ping-service, pongService: pong-service}
      trafficRouting: {alb: {ingress: ingress, servicePort: 80${root}}}
      steps:
        - setWeight: 20
        - pause: {}`;
  const services = `${service('ping-service', 80)}${service('pong-service', 80)}`;

  it('has an example that Argo rejects', () => {
    const world = World.of(
      parseManifests(`${rollout(pingPong(''))}${services}${ingress()}`.replace(/^\n---\n/, ''), 'a').manifests,
    );
    const [refusal] = admissionFindings(world);
    expect([refusal?.rule, refusal?.path, refusal?.severity]).toEqual([
      'argo-ping-pong-without-root-service',
      'spec.strategy.canary.trafficRouting.alb.rootService',
      'error',
    ]);
  });

  it('works with rootService', () => {
    expect(judged(rollout(pingPong(', rootService: root')), services, ingress())).toEqual([]);
  });
});

describe('document 001: a custom prefix', () => {
  it('is ignored by the AWS Load Balancer Controller', () => {
    const prefixed = `${CANARY}
          annotationPrefix: custom.alb.ingress.kubernetes.io`;
    expect(judged(rollout(prefixed), SERVICES, ingress())).toEqual([
      'argo-alb-annotation-prefix spec.strategy.canary.trafficRouting.alb.annotationPrefix',
    ]);
  });
});

describe('document 001: the class of an Ingress', () => {
  const watched = (args: string, front: string) =>
    judged(rollout(CANARY), SERVICES, front, controller(args)).filter((one) => one.includes('class'));
  const byField = ingress()
    .replace('    kubernetes.io/ingress.class: alb', '    note: none')
    .replace('spec:\n  rules', 'spec:\n  ingressClassName: alb\n  rules');
  const without = ingress().replace('    kubernetes.io/ingress.class: alb', '    note: none');

  it('is alb by the annotation or the field', () => {
    expect(watched('[]', ingress())).toEqual([]);
    expect(watched('[]', byField)).toEqual([]);
  });

  it('may be missing, with an empty flag', () => {
    expect(watched('[]', without)).toEqual(['argo-alb-ingress-class-unwatched spec']);
    expect(watched('[--alb-ingress-classes, ""]', without)).toEqual([]);
    expect(watched('["--alb-ingress-classes="]', without)).toEqual([]);
  });

  it('does not stop canaries if it is another one', () => {
    const other = ingress().replace('ingress.class: alb', 'ingress.class: public');
    expect(watched('[]', other)).toEqual(['argo-alb-ingress-class-unwatched spec']);
    expect(watched("['--alb-ingress-classes=alb,public']", other)).toContain(
      'argo-controller-classes-joined spec.template.spec.containers[0].args[0]',
    );
    expect(watched('[--alb-ingress-classes=alb, --alb-ingress-classes=public]', other)).toEqual([]);
  });
});
