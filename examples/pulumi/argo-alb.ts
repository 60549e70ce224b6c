/**
 * The same shop with Argo Rollouts, which verifies in AWS at every step that the load balancer has the weight. The install
 * creates the role, which only the controller's ServiceAccount can assume.
 */
import { Namespace } from '@pulumi/kubernetes/core/v1/namespace';
import * as pulumi from '@pulumi/pulumi';
import { ArgoAlbRollout, ArgoAlbStrategy, ArgoRolloutsInstall, ArgoStep } from '../../src/pulumi';
import { loadBalancerController, oidcProvider, provider } from './eks';

const config = new pulumi.Config();

const install = new ArgoRolloutsInstall(
  'argo',
  {
    trafficRouters: ['alb'],
    aws: { region: new pulumi.Config('aws').require('region') },
    verification: { oidcProviderArn: oidcProvider.arn },
  },
  { provider },
);

const namespace = new Namespace('shop', { metadata: { name: 'shop' } }, { provider }).metadata.name;

const web = new ArgoAlbRollout(
  'web',
  {
    install,
    metadata: { namespace },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image: 'example.com/web:1.0.0', ports: [{ containerPort: 8080 }] }] },
    },
    replicas: 10,
    strategy: ArgoAlbStrategy.canary({
      steps: [ArgoStep.setWeight(20), ArgoStep.pause(600), ArgoStep.setWeight(60), ArgoStep.pause()],
      stickiness: 600,
    }),
    ingress: {
      rules: [{ host: pulumi.interpolate`shop.${config.require('hostedZone')}` }],
      certificates: [config.require('certificateArn')],
      scheme: 'internet-facing',
      sslRedirect: true,
    },
  },
  { provider, dependsOn: loadBalancerController },
);

export const rolloutName = web.name;
export const roleArn = install.verificationRole?.roleArn;
