/** What a Rollout takes for granted where props say nothing. Its manifests alone do not show that nobody chose it. */
import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import { defineRules } from '../../core/rule';
import type { ArgoAlbRolloutOptions } from './options';
import { hasContainerPort } from './plan';

const TEMPLATE =
  "metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image, ports: [{ containerPort: 8080 }] }] }";

const rolloutWith = (props: string) => ({
  language: 'typescript' as const,
  text: `new ArgoAlbRollout(this, 'web', { strategy, ${props} })`,
});

/** Rules on the props of an `ArgoAlbRollout`. */
export const assumptionRules = defineRules({
  'argo-alb-port-assumed': {
    severity: 'warning',
    title: 'no prop and no container names the port of the pods',
    because:
      'the Services send requests to the same port of the pods as their own; if the program listens on another one, every request is a 502',
    fix: 'set targetPort, or give a container its ports',
    basis: 'documented',
    sources: ['https://kubernetes.io/docs/concepts/services-networking/service/#field-spec-ports'],
    failing: rolloutWith(
      "template: { spec: { containers: [{ name: 'web', image }] } }, ingress: { rules: [{ host: 'shop.example.com' }] }",
    ),
    corrected: rolloutWith(`template: { ${TEMPLATE} }, ingress: { rules: [{ host: 'shop.example.com' }] }`),
  },
  'argo-alb-entrance-assumed': {
    severity: 'warning',
    title: 'no prop says what the load balancer takes',
    because:
      'the Ingress then has a rule for every host and path, on an internal load balancer: people outside reach nothing, and in a group it takes what others leave',
    fix: "set ingress: { rules: [{ host: 'shop.example.com' }] }, with your own host; ingress: {} says that every host and path is meant",
    basis: 'documented',
    sources: [
      'https://kubernetes-sigs.github.io/aws-load-balancer-controller/latest/guide/ingress/annotations/#scheme',
    ],
    failing: rolloutWith(`template: { ${TEMPLATE} }`),
    corrected: rolloutWith(`template: { ${TEMPLATE} }, ingress: { rules: [{ host: 'shop.example.com' }] }`),
  },
});

/** What is taken for granted of one Rollout. */
export function assumptionFindings(rollout: Manifest, options: ArgoAlbRolloutOptions): Finding[] {
  const { targetPort, ingress, ingresses, port = 80 } = options;
  const findings: Finding[] = [];
  if (targetPort === undefined && !hasContainerPort(options)) {
    const message = `no container and no targetPort names the port of the pods, so the Services send requests to port ${port}`;
    const path = 'spec.template.spec.containers';
    findings.push(rollout.finding(assumptionRules['argo-alb-port-assumed'], { message, path }));
  }
  if (ingress === undefined && ingresses === undefined) {
    const message = 'no ingress is given, so an internal load balancer sends every host and path to the Rollout';
    findings.push(rollout.finding(assumptionRules['argo-alb-entrance-assumed'], { message }));
  }
  return findings;
}
