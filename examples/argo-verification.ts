/**
 * Argo Rollouts that verifies in AWS, before every step, that the load balancer has the weight: the controller with its flag
 * and region, its permissions by IRSA, created by ACK, and a Rollout. Prints the manifests:
 *
 *     npx tsx examples/argo-verification.ts | kubectl apply --server-side -f -
 */
import { App, Chart, Duration } from 'cdk8s';
import {
  ArgoAlbRollout,
  ArgoAlbStrategy,
  ArgoRolloutsInstall,
  ArgoStep,
  AwsAccess,
  IamObjects,
  TargetGroupVerificationPolicy,
} from '../src/constructs';

const app = new App();
const platform = new Chart(app, 'platform', { disableResourceNameHashes: true });

// The role trusts the controller's ServiceAccount, and the ServiceAccount names the role: both follow from here.
const verification = new TargetGroupVerificationPolicy(platform, 'Verification', {
  region: 'eu-west-1',
  regions: ['eu-west-1'],
  access: AwsAccess.irsa({
    provider: {
      url: 'https://oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE',
      account: '111122223333',
    },
    role: 'argo-rollouts-verification',
  }),
  // Without it, create the role yourself from verification.toJson() and verification.trustPolicyJson().
  objects: IamObjects.ack({ namespace: 'ack-system' }),
});

new ArgoRolloutsInstall(platform, 'ArgoRollouts', {
  ...verification.installProps,
  trafficRouters: ['alb'],
});

const shop = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });

new ArgoAlbRollout(shop, 'web', {
  metadata: { name: 'web' },
  replicas: 10,
  template: {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'example.com/web:1.0.0', ports: [{ containerPort: 8080 }] }] },
  },
  strategy: ArgoAlbStrategy.canary({
    steps: [ArgoStep.setWeight(20), ArgoStep.pause(Duration.minutes(10)), ArgoStep.setWeight(50), ArgoStep.pause()],
  }),
  ingress: { rules: [{ host: 'shop.example.com' }], scheme: 'internet-facing', sslRedirect: true },
});

process.stdout.write(`${app.synthYaml()}\n`);
