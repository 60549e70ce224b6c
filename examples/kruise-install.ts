/**
 * Installs Kruise Rollouts with routing scripts for an AWS ALB and for Contour, and lets the controller change Contour's
 * HTTPProxies. Prints the manifests:
 *
 *     npx tsx examples/kruise-install.ts | kubectl apply --server-side -f -
 */
import { App, Chart } from 'cdk8s';
import {
  GatewayKind,
  GatewayRoleBinding,
  KruiseRolloutInstall,
  KruiseRolloutVersion,
  LuaRoutingConfigMap,
  LuaScripts,
} from '../src/constructs';

const app = new App();
const chart = new Chart(app, 'kruise-rollout', { disableResourceNameHashes: true });

const version = KruiseRolloutVersion.V0_6_2;

const scripts = new LuaRoutingConfigMap(chart, 'Scripts', {
  kruiseVersion: version,
  scripts: [
    LuaScripts.fromLibrary('Ingress.networking.k8s.io'), // an Ingress on AWS ALB, edited in place
    LuaScripts.fromLibrary('HTTPProxy.projectcontour.io'),
  ],
});

const install = new KruiseRolloutInstall(chart, 'KruiseRollout', {
  version,
  scripts,
  metrics: { serviceMonitor: { labels: { release: 'kube-prometheus-stack' } } },
  networkPolicy: { apiServerCidrs: ['10.0.0.0/16'] },
});

// The ClusterRole of the install has Ingresses, HTTPRoutes and Istio's kinds. Grant all others.
new GatewayRoleBinding(chart, 'Gateways', { install, kinds: [GatewayKind.CONTOUR_HTTP_PROXY] });

process.stdout.write(`${app.synthYaml()}\n`);
