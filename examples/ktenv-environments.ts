/**
 * Three services in a shared environment, and two environments on top of it: one of a team, and one of a developer in the
 * team. Each runs only the services that it changes. Prints the manifests:
 *
 *     npx tsx examples/ktenv-environments.ts | npx rollout-constructs env preview -
 */
import { ApiObject, App, Chart } from 'cdk8s';
import { KtEnvInstall, KtEnvWebhookCertificate, KtVirtualEnvironment } from '../src/constructs';

const app = new App();

const cluster = new Chart(app, 'cluster', { disableResourceNameHashes: true });
new KtEnvInstall(cluster, 'ktenv', { certificate: KtEnvWebhookCertificate.fromCertManager() });

const shop = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });
const environments = new KtVirtualEnvironment(shop, 'environments', {
  name: 'shop',
  createNamespace: true,
  envHeader: { name: 'X-Virtual-Env' },
  envLabel: { name: 'virtual-env', splitter: '.', defaultSubset: 'dev' },
  istioVersion: '1.24',
});
// In the manifest instead of the code, so that it applies to every tool that reads the manifest.
ApiObject.of(environments).metadata.addAnnotation(
  'rollout-constructs.io/ignore',
  'ktenv-header-propagation: cart, orders and web copy X-Virtual-Env to what they send',
);

/** The environments in which each service runs. */
const services = {
  web: ['dev', 'dev.checkout'],
  cart: ['dev', 'dev.checkout', 'dev.checkout.anna'],
  orders: ['dev', 'dev.checkout.anna'],
} as const;

for (const [name, versions] of Object.entries(services)) {
  new ApiObject(shop, name, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: { app: name }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
  });
  for (const environment of versions) {
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

process.stdout.write(app.synthYaml());
