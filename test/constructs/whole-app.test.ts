import { ApiObject, App, Chart, Duration } from 'cdk8s';
import { describe, expect, test } from 'vitest';
import * as library from '../../src/constructs';
import { parseManifests } from '../../src/core';
import { schemaProblems } from '../kubernetes-schema';

const {
  AlbCanaryIngress,
  AlbIngressClass,
  AliyunAlbCanaryIngress,
  ArgoAlbRollout,
  ArgoAlbStrategy,
  ArgoAnalysisTemplate,
  ArgoMetric,
  ArgoRolloutsInstall,
  ArgoStep,
  AwsAccess,
  GatewayKind,
  GatewayRoleBinding,
  HeaderMatch,
  IstioRoleBinding,
  KtEnvInstall,
  KtVirtualEnvironment,
  KruiseRollout,
  KruiseRolloutInstall,
  KruiseRolloutStep,
  KruiseRolloutStrategy,
  KruiseTrafficRouting,
  LuaRoutingConfigMap,
  LuaScripts,
  StackCheck,
  TargetGroupVerificationPolicy,
} = library;

/** Every construct except the one for the load balancer of another cloud, because its class has the same name. */
function awsApp(): App {
  const app = new App();
  const controller = new Chart(app, 'controller', { disableResourceNameHashes: true });
  const scripts = new LuaRoutingConfigMap(controller, 'Scripts', {
    scripts: [LuaScripts.fromLibrary('Ingress.networking.k8s.io', 'HTTPProxy.projectcontour.io')],
  });
  const install = new KruiseRolloutInstall(controller, 'Install', {
    scripts,
    permissions: { istio: false },
    metrics: { serviceMonitor: {} },
    networkPolicy: { apiServerCidrs: ['10.0.0.0/16'] },
  });
  new GatewayRoleBinding(controller, 'Contour', { install, kinds: [GatewayKind.CONTOUR_HTTP_PROXY] });
  new IstioRoleBinding(controller, 'Istio', { install });

  const shop = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });
  const albClass = new AlbIngressClass(shop, 'Class', { metadata: { name: 'alb' }, group: 'shop', targetType: 'ip' });
  const web = workload(shop, 'web');
  const ingress = new AlbCanaryIngress(shop, 'Ingress', {
    metadata: { name: 'web' },
    ingressClass: albClass,
    service: { name: 'web', port: 80 },
    rules: [{ host: 'shop.example.com', paths: [{ path: '/' }] }],
  });
  new KruiseRollout(shop, 'Rollout', {
    workload: web,
    trafficRouting: ingress.trafficRouting(),
    strategy: KruiseRolloutStrategy.canary({
      steps: [
        KruiseRolloutStep.matches([HeaderMatch.exact('x-canary', 'yes')], { replicas: 1 }),
        KruiseRolloutStep.traffic('20%', { pause: Duration.minutes(10) }),
        KruiseRolloutStep.traffic('100%'),
      ],
    }),
  });

  const edge = new Chart(app, 'edge', { namespace: 'edge', disableResourceNameHashes: true });
  const back = workload(edge, 'back');
  const routing = new KruiseTrafficRouting(edge, 'Routing', {
    trafficRouting: { service: 'back', ingress: stableIngress(edge), classType: 'mse' },
    matches: [HeaderMatch.exact('x-group', 'staff')],
    requestHeaderModifier: { set: [{ name: 'x-release', value: 'staff' }] },
  });
  new KruiseRollout(edge, 'Rollout', {
    workload: back,
    trafficRoutingRef: routing,
    strategy: KruiseRolloutStrategy.canary({
      steps: [KruiseRolloutStep.replicas(1), KruiseRolloutStep.replicas('100%')],
    }),
  });
  return app;
}

/** The rest, which no cluster on AWS would use. */
function alibabaApp(): App {
  const app = new App();
  const controller = new Chart(app, 'controller', { disableResourceNameHashes: true });
  new LuaRoutingConfigMap(controller, 'Scripts', { scripts: [LuaScripts.fromLibrary('aliyun-alb')] });
  const echo = new Chart(app, 'echo', { namespace: 'echo', disableResourceNameHashes: true });
  const echoIngress = new AliyunAlbCanaryIngress(echo, 'Ingress', {
    metadata: { name: 'echo' },
    service: { name: 'echo', port: 80 },
    rules: [{ host: 'echo.example.com', paths: [{ path: '/' }] }],
  });
  new KruiseRollout(echo, 'Rollout', {
    workload: workload(echo, 'echo'),
    trafficRouting: echoIngress.trafficRouting(),
    strategy: KruiseRolloutStrategy.canary({
      steps: [KruiseRolloutStep.traffic('5%', { replicas: 1 }), KruiseRolloutStep.traffic('100%')],
    }),
  });

  return app;
}

function workload(chart: Chart, name: string): ApiObject {
  const labels = { app: name };
  new ApiObject(chart, `${name}-service`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: labels, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
  });
  return new ApiObject(chart, `${name}-deployment`, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas: 4,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name, image: `example.com/${name}:1` }] } },
    },
  });
}

function stableIngress(chart: Chart): ApiObject {
  return new ApiObject(chart, 'ingress', {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    // The script for mse fails on an Ingress without any annotation.
    metadata: { name: 'back', annotations: { 'mse.ingress.kubernetes.io/use-regex': 'false' } },
    spec: {
      ingressClassName: 'mse',
      rules: [
        {
          host: 'back.example.com',
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'back', port: { number: 80 } } } }],
          },
        },
      ],
    },
  });
}

/** The other rollout controller, with permissions on AWS. */
function argoApp(): App {
  const app = new App();
  const platform = new Chart(app, 'platform', { disableResourceNameHashes: true });
  const verification = new TargetGroupVerificationPolicy(platform, 'Verification', {
    region: 'eu-west-1',
    access: AwsAccess.podIdentity({ clusterName: 'prod', role: 'argo' }),
  });
  new ArgoRolloutsInstall(platform, 'ArgoRollouts', { ...verification.installProps, trafficRouters: ['alb'] });
  const labels = { app: 'web' };
  const shop = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });
  const success = new ArgoAnalysisTemplate(shop, 'Success', {
    metadata: { name: 'web-success' },
    metrics: [ArgoMetric.albSuccessRate({ minSuccessRate: 0.99, interval: Duration.minutes(1), count: 5 })],
  });
  new ArgoAlbRollout(shop, 'Web', {
    metadata: { name: 'web' },
    replicas: 4,
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] } },
    strategy: ArgoAlbStrategy.canary({
      steps: [
        ArgoStep.setWeight(20),
        ArgoStep.analysis([success.ref], { args: ArgoMetric.albArguments() }),
        ArgoStep.pause(),
      ],
    }),
    ingress: { rules: [{ host: 'shop.example.com' }] },
  });
  return app;
}

/** Virtual environments, which need no rollout controller. */
function ktenvApp(): App {
  const app = new App();
  new KtEnvInstall(new Chart(app, 'cluster', { disableResourceNameHashes: true }), 'KtEnv');
  const dev = new Chart(app, 'dev', { namespace: 'dev', disableResourceNameHashes: true });
  for (const environment of ['dev', 'dev.proj1']) workload(dev, `web-${environment.replaceAll('.', '-')}`);
  new KtVirtualEnvironment(dev, 'Environment', { envHeader: { name: 'X-Virtual-Env' } });
  new StackCheck(app, 'Check', { istioVersion: '1.24' });
  return app;
}

const apps = [
  ['on AWS', awsApp],
  ['on Alibaba Cloud', alibabaApp],
  ['with Argo Rollouts', argoApp],
  ['with virtual environments', ktenvApp],
] as const;

describe.each(apps)('an app %s', (_, app) => {
  const yaml = app().synthYaml();

  test('writes objects that the API server takes, each by its schema', () => {
    const { manifests, findings } = parseManifests(yaml, 'app.yaml');
    expect(findings).toEqual([]);
    expect(manifests.length).toBeGreaterThan(3);
    expect(manifests.flatMap(schemaProblems)).toEqual([]);
  });

  test('is the same every time', () => {
    expect(app().synthYaml()).toBe(yaml);
  });
});

test('the apps together use every construct there is', () => {
  const used = apps.flatMap(([, app]) => app().node.findAll()).map((construct) => construct.constructor.name);
  const constructs = Object.entries(library)
    .filter(([, value]) => typeof value === 'function' && 'isConstruct' in value)
    .map(([name]) => name);
  expect(constructs.length).toBeGreaterThan(8);
  expect(constructs.filter((name) => !used.includes(name))).toEqual([]);
});

test('the schemas would refuse a wrong object', () => {
  const wrong = parseManifests(
    `apiVersion: v1
kind: Service
metadata: { name: web }
spec: { ports: web }
---
apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata: { name: web }
spec: { strategy: { canary: { steps: [{ traffic: 20 }] } } }
`,
    'wrong.yaml',
  );
  expect(wrong.manifests.map((manifest) => schemaProblems(manifest).length > 0)).toEqual([true, true]);
});
