/**
 * An Argo CD Application and a Flux Kustomization that ignore exactly the fields that Kruise Rollouts rewrites during a
 * release. Prints the manifests:
 *
 *     npx tsx examples/kruise-git-ops.ts
 */
import { ApiObject, App, Chart } from 'cdk8s';
import { KruiseGitOps, KruiseRollout, KruiseRolloutStep, KruiseRolloutStrategy } from '../src/constructs';

const app = new App();
const shop = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });

const object = (id: string, apiVersion: string, kind: string, spec: object) =>
  new ApiObject(shop, id, { apiVersion, kind, metadata: { name: 'web' }, spec });

const deployment = object('deployment', 'apps/v1', 'Deployment', {
  replicas: 4,
  selector: { matchLabels: { app: 'web' } },
  template: {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'example.com/web:1.0.0' }] },
  },
});
const service = object('service', 'v1', 'Service', { selector: { app: 'web' }, ports: [{ port: 80 }] });
const virtualService = object('virtual-service', 'networking.istio.io/v1', 'VirtualService', {
  hosts: ['web'],
  http: [{ route: [{ destination: { host: 'web' } }] }],
});

new KruiseRollout(shop, 'rollout', {
  workload: deployment,
  trafficRouting: { service, customNetworkRefs: [virtualService] },
  strategy: KruiseRolloutStrategy.blueGreen({
    steps: [
      KruiseRolloutStep.traffic('0%', { replicas: '100%' }),
      KruiseRolloutStep.traffic('50%', { replicas: '100%' }),
      KruiseRolloutStep.traffic('100%', { replicas: '100%' }),
    ],
  }),
});

const delivery = new Chart(app, 'delivery', { disableResourceNameHashes: true });

new ApiObject(delivery, 'argo-cd', {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'Application',
  metadata: { name: 'shop', namespace: 'argocd' },
  spec: {
    project: 'default',
    source: { repoURL: 'https://git.example.com/shop.git', path: 'dist', targetRevision: 'main' },
    destination: { server: 'https://kubernetes.default.svc', namespace: 'shop' },
    syncPolicy: { automated: { selfHeal: true }, syncOptions: ['RespectIgnoreDifferences=true'] },
    ignoreDifferences: KruiseGitOps.argoCdIgnoreDifferences(shop),
  },
});

new ApiObject(delivery, 'flux', {
  apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
  kind: 'Kustomization',
  metadata: { name: 'shop', namespace: 'flux-system' },
  spec: {
    interval: '10m',
    prune: true,
    path: './dist',
    sourceRef: { kind: 'GitRepository', name: 'shop' },
    ignore: KruiseGitOps.fluxIgnoreRules(shop),
  },
});

process.stdout.write(app.synthYaml());
