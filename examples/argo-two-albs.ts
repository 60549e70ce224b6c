/**
 * One canary of Argo Rollouts behind two AWS load balancers, an internet-facing and an internal one, with an analysis in
 * the background. Prints the manifests:
 *
 *     npx tsx examples/argo-two-albs.ts | kubectl apply -f -
 */
import { ApiObject, App, Chart, Duration } from 'cdk8s';
import { ArgoAlbRollout, ArgoAlbStrategy, ArgoStep, argoAnalysis } from '../src/constructs';

const app = new App();
const chart = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });

new ApiObject(chart, 'success-rate', {
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AnalysisTemplate',
  metadata: { name: 'success-rate' },
  spec: {
    args: [{ name: 'service' }],
    metrics: [
      {
        name: 'success-rate',
        interval: '1m',
        failureLimit: 3,
        successCondition: 'result[0] >= 0.99',
        provider: {
          prometheus: {
            address: 'http://prometheus.monitoring:9090',
            query:
              'sum(rate(requests_total{service="{{args.service}}",code!~"5.."}[2m])) / sum(rate(requests_total{service="{{args.service}}"}[2m]))',
          },
        },
      },
    ],
  },
});

new ArgoAlbRollout(chart, 'web', {
  metadata: { name: 'web' },
  replicas: 10,
  template: {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'example.com/web:1.0.0', ports: [{ containerPort: 8080 }] }] },
  },
  strategy: ArgoAlbStrategy.canary({
    steps: [ArgoStep.setWeight(20), ArgoStep.pause(Duration.minutes(10)), ArgoStep.setWeight(60), ArgoStep.pause()],
    analysis: { ...argoAnalysis(['success-rate'], { args: { service: 'web-canary' } }), startingStep: 1 },
  }),
  // Argo writes the same weights to both, in this order.
  ingresses: [
    {
      metadata: { name: 'web' },
      rules: [{ host: 'shop.example.com' }],
      scheme: 'internet-facing',
      sslRedirect: true,
    },
    { metadata: { name: 'web-internal' }, rules: [{ host: 'shop.internal.example.com' }], scheme: 'internal' },
  ],
});

console.log(app.synthYaml());
