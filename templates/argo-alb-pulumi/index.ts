import { Namespace } from '@pulumi/kubernetes/core/v1/namespace';
import * as pulumi from '@pulumi/pulumi';
import { ArgoAlbRollout, ArgoAlbStrategy, ArgoRolloutsInstall, ArgoStep } from 'rollout-constructs/pulumi';

const config = new pulumi.Config();

// Once per cluster: the controller, and the AWS role with which it asks whether the load balancer has each weight.
const install = new ArgoRolloutsInstall('argo', {
  trafficRouters: ['alb'],
  aws: { region: new pulumi.Config('aws').require('region') },
  verification: { oidcProviderArn: config.require('oidcProviderArn') },
});

// With this label, a pod becomes ready only after the load balancer has registered it.
const namespace = new Namespace('shop', {
  metadata: { name: 'shop', labels: { 'elbv2.k8s.aws/pod-readiness-gate-inject': 'enabled' } },
}).metadata.name;

// Once per service: the Rollout, its Services and its Ingress.
const web = new ArgoAlbRollout('web', {
  install,
  metadata: { namespace },
  replicas: 10,
  template: {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'example.com/web:1.0.0', ports: [{ containerPort: 8080 }] }] },
  },
  strategy: ArgoAlbStrategy.canary({
    steps: [
      ArgoStep.setWeight(10),
      ArgoStep.pause(600),
      ArgoStep.setWeight(50),
      // Waits for approval: kubectl argo rollouts promote web
      ArgoStep.pause(),
    ],
    // A user stays on one version for ten minutes.
    stickiness: 600,
  }),
  ingress: {
    rules: [{ host: config.require('host') }],
    certificates: [config.require('certificateArn')],
    scheme: 'internet-facing',
    sslRedirect: true,
    healthCheck: { path: '/healthz', interval: 10 },
  },
});

export const rolloutName = web.name;
