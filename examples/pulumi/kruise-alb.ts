/**
 * An EKS cluster with a shop that Kruise Rollouts releases: first to users with a cookie, then to a growing share of all
 * requests. One program has everything. Names, ARNs and hosts that AWS or Kubernetes assigns are Outputs.
 */
import { Deployment } from '@pulumi/kubernetes/apps/v1/deployment';
import { Namespace } from '@pulumi/kubernetes/core/v1/namespace';
import { Service } from '@pulumi/kubernetes/core/v1/service';
import * as pulumi from '@pulumi/pulumi';
import {
  AlbBackend,
  AlbCanaryIngress,
  HeaderMatch,
  KruiseGitOps,
  KruiseRollout,
  KruiseRolloutInstall,
  KruiseRolloutStep,
  KruiseRolloutStrategy,
  LuaScripts,
} from '../../src/pulumi';
import { loadBalancerController, provider } from './eks';

const config = new pulumi.Config();

const install = new KruiseRolloutInstall(
  'kruise',
  { scripts: [LuaScripts.fromLibrary('Ingress.networking.k8s.io')] },
  { provider },
);

const namespace = new Namespace('shop', { metadata: { name: 'shop' } }, { provider }).metadata.name;
const labels = { app: 'web' };

const strategy = KruiseRolloutStrategy.canary({
  steps: [
    KruiseRolloutStep.matches([HeaderMatch.exact('canary-by-cookie', 'beta')], { replicas: 1, pause: {} }),
    KruiseRolloutStep.traffic('20%', { pause: { duration: 600 } }),
    KruiseRolloutStep.traffic('100%'),
  ],
});

const workload = new Deployment(
  'web',
  {
    metadata: { name: 'web', namespace },
    spec: {
      replicas: 10,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'web', image: 'example.com/web:1.0.0', ports: [{ containerPort: 8080 }] }] },
      },
    },
  },
  // During a release the controller pauses the Deployment, and Pulumi must not resume it.
  { provider, ignoreChanges: KruiseGitOps.ignoreChanges({ apiVersion: 'apps/v1', kind: 'Deployment' }, { strategy }) },
);

const service = new Service(
  'web',
  { metadata: { name: 'web', namespace }, spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] } },
  { provider, ignoreChanges: KruiseGitOps.ignoreChanges({ apiVersion: 'v1', kind: 'Service' }) },
);

const ingress = new AlbCanaryIngress(
  'web',
  {
    metadata: { namespace },
    service: { name: service, port: 80 },
    rules: [
      {
        host: pulumi.interpolate`shop.${config.require('hostedZone')}`,
        paths: [
          { path: '/status', pathType: 'Exact', backend: AlbBackend.fixedResponse('status', { statusCode: 200 }) },
          { path: '/' },
        ],
      },
    ],
    certificates: [config.require('certificateArn')],
    scheme: 'internet-facing',
    sslRedirect: true,
    healthCheck: { path: '/healthz', interval: 10 },
    stickiness: 600,
  },
  { provider, dependsOn: loadBalancerController },
);

const rollout = new KruiseRollout(
  'web',
  { install, metadata: { namespace }, workload, strategy, trafficRouting: ingress.trafficRouting() },
  { provider },
);

export const rolloutName = rollout.name;
