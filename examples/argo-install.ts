/**
 * Installs Argo Rollouts for canaries on AWS ALBs, with a dashboard. The controller verifies in AWS that a target group has
 * the weight before it continues. Prints the manifests:
 *
 *     npx tsx examples/argo-install.ts | kubectl apply --server-side -f -
 */
import { App, Chart } from 'cdk8s';
import { ArgoRolloutsInstall, ArgoRolloutsVersion } from '../src/constructs';

const app = new App();
const chart = new Chart(app, 'argo-rollouts', { disableResourceNameHashes: true });

new ArgoRolloutsInstall(chart, 'ArgoRollouts', {
  version: ArgoRolloutsVersion.V1_9_1,

  // Only the permissions that an ALB needs, and none for Istio, Traefik or other routers.
  trafficRouters: ['alb'],
  aws: { verifyTargetGroup: true, region: 'eu-west-1' },
  serviceAccountAnnotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/argo-rollouts' },

  // One class per entry: the controller does not split at commas.
  albIngressClasses: ['alb', 'internal'],

  logFormat: 'json',
  metrics: { serviceMonitor: { labels: { release: 'kube-prometheus-stack' } } },
  dashboard: { readOnly: true },

  // An operator for secrets creates the Secret of the token, argo-rollouts-notification-secret.
  notifications: {
    config: {
      'service.slack': 'token: $slack-token',
      'template.aborted': 'message: "{{.rollout.metadata.name}} was aborted"',
      'trigger.on-rollout-aborted': '- send: [aborted]',
    },
  },
});

process.stdout.write(`${app.synthYaml()}\n`);
