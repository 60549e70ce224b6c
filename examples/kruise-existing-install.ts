/**
 * For an install by Helm: grants permissions that the chart does not grant, and shows that Istio needs none.
 *
 *     npx tsx examples/kruise-existing-install.ts
 */
import { App, Chart } from 'cdk8s';
import {
  GatewayKind,
  GatewayRoleBinding,
  IstioRoleBinding,
  KruiseRolloutInstall,
  KruiseRolloutVersion,
} from '../src/constructs';

const app = new App();
const chart = new Chart(app, 'gateways');

const install = KruiseRolloutInstall.fromExisting({
  namespace: 'kruise-rollout',
  version: KruiseRolloutVersion.V0_6_2,
});

new GatewayRoleBinding(chart, 'Traefik', {
  install,
  kinds: [GatewayKind.TRAEFIK_SERVICE, GatewayKind.TRAEFIK_INGRESS_ROUTE],
});

const istio = new IstioRoleBinding(chart, 'Istio', { install });
process.stderr.write(`${istio.reason}\n`);

process.stdout.write(`${app.synthYaml()}\n`);
