import { ApiObject, App, Chart } from 'cdk8s';
import { KtEnvInstall, KtEnvWebhookCertificate, KtVirtualEnvironment, StackCheck } from 'rollout-constructs';

/** Everything in the cluster. `main.ts` writes it, and `app.test.ts` tests it. */
export function createApp(): { readonly app: App; readonly check: StackCheck } {
  const app = new App();

  // Once per cluster: the webhook. It needs a certificate, here from cert-manager.
  const platform = new Chart(app, 'platform', { disableResourceNameHashes: true });
  new KtEnvInstall(platform, 'KtEnv', { certificate: KtEnvWebhookCertificate.fromCertManager() });

  // Once per namespace: requests name their environment in a header, pods in a label.
  const shop = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });
  new KtVirtualEnvironment(shop, 'Environments', {
    name: 'shop',
    createNamespace: true,
    envHeader: { name: 'X-Virtual-Env' },
    envLabel: { name: 'virtual-env', splitter: '.', defaultSubset: 'dev' },
    // The release of Istio in your cluster.
    istioVersion: '1.24',
  });

  /** The environments in which each service runs. In others the parent environment answers, or `dev`. */
  const services = {
    web: ['dev', 'dev.checkout'],
    cart: ['dev', 'dev.checkout'],
    orders: ['dev'],
  } as const;

  for (const [name, environments] of Object.entries(services)) {
    new ApiObject(shop, name, {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { selector: { app: name }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
    });
    for (const environment of environments) {
      const id = `${name}-${environment.replaceAll('.', '-')}`;
      const labels = { app: name, 'virtual-env': environment };
      new ApiObject(shop, id, {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: id },
        spec: {
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { containers: [{ name, image: `example.com/${name}:1.0.0`, ports: [{ containerPort: 8080 }] }] },
          },
        },
      });
    }
  }

  return { app, check: new StackCheck(app, 'Check') };
}
