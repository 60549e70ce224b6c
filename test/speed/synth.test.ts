/** A synth of an app with a chart for each application: cdk8s validates the whole app again for every chart. */
import { ApiObject, App, Chart } from 'cdk8s';
import { expect, test } from 'vitest';
import {
  AlbCanaryIngress,
  AliyunAlbCanaryIngress,
  ArgoAlbRollout,
  ArgoAlbStrategy,
  ArgoStep,
  KruiseRollout,
  KruiseRolloutStep,
  KruiseRolloutStrategy,
  LuaRoutingConfigMap,
  LuaScripts,
} from '../../src/constructs';
import { growingWork, TIMES, type Work, workOf } from './work';

/** cdk8s asks each construct once for every chart. The question is answered without work, in a function that has a name only when it is built. */
const ASKED = /^constructs\/(?:report-file|once-per-synth)\.[jt]s:(?:validate|of)?@/;

/** An application in a chart of its own. */
type Application = (chart: Chart, name: string) => void;

function deploymentIn(chart: Chart, name: string): ApiObject {
  const labels = { app: name };
  const containers = [{ name: 'web', image: 'example.com/web:1.0.0', ports: [{ containerPort: 8080 }] }];
  return new ApiObject(chart, 'deployment', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas: 10, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  });
}

function serviceIn(chart: Chart, name: string): ApiObject {
  return new ApiObject(chart, 'service', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: { app: name }, ports: [{ port: 80, targetPort: 8080 }] },
  });
}

const strategy = () =>
  KruiseRolloutStrategy.canary({ steps: [KruiseRolloutStep.traffic(20), KruiseRolloutStep.traffic(100)] });

const APPLICATIONS: Readonly<Record<string, Application>> = {
  'KruiseRollout behind nginx': (chart, name) => {
    const backend = { service: { name, port: { number: 80 } } };
    const ingress = new ApiObject(chart, 'ingress', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name },
      spec: {
        ingressClassName: 'nginx',
        rules: [{ host: `${name}.example.com`, http: { paths: [{ path: '/', pathType: 'Prefix', backend }] } }],
      },
    });
    const service = serviceIn(chart, name);
    const trafficRouting = { service, ingress, classType: 'nginx' };
    new KruiseRollout(chart, 'rollout', { workload: deploymentIn(chart, name), trafficRouting, strategy: strategy() });
  },
  'KruiseRollout behind an AlbCanaryIngress': (chart, name) => {
    serviceIn(chart, name);
    const ingress = new AlbCanaryIngress(chart, 'ingress', {
      metadata: { name },
      service: { name, port: 80 },
      rules: [{ host: `${name}.example.com`, paths: [{ path: '/' }] }],
    });
    const trafficRouting = ingress.trafficRouting();
    new KruiseRollout(chart, 'rollout', { workload: deploymentIn(chart, name), trafficRouting, strategy: strategy() });
  },
  'KruiseRollout behind an AliyunAlbCanaryIngress': (chart, name) => {
    const app = App.of(chart);
    if (app.node.tryFindChild('controller') === undefined) {
      const controller = new Chart(app, 'controller', { namespace: 'kruise-rollout' });
      new LuaRoutingConfigMap(controller, 'scripts', { scripts: [LuaScripts.fromLibrary('aliyun-alb')] });
    }
    serviceIn(chart, name);
    const ingress = new AliyunAlbCanaryIngress(chart, 'ingress', {
      metadata: { name },
      service: { name, port: 80 },
      rules: [{ host: `${name}.example.com`, paths: [{ path: '/', pathType: 'Prefix' }] }],
    });
    const trafficRouting = ingress.trafficRouting();
    new KruiseRollout(chart, 'rollout', { workload: deploymentIn(chart, name), trafficRouting, strategy: strategy() });
  },
  ArgoAlbRollout: (chart, name) => {
    const containers = [{ name: 'web', image: 'example.com/web:1.0.0', ports: [{ containerPort: 8080 }] }];
    new ArgoAlbRollout(chart, 'rollout', {
      metadata: { name },
      replicas: 10,
      template: { metadata: { labels: { app: name } }, spec: { containers } },
      strategy: ArgoAlbStrategy.canary({ steps: [ArgoStep.setWeight(10), ArgoStep.pause()] }),
      ingress: { rules: [{ host: `${name}.example.com` }] },
    });
  },
};

function workFor(application: Application, count: number): Work {
  const app = new App();
  for (let index = 0; index < count; index += 1) {
    const chart = new Chart(app, `chart-${index}`, { namespace: 'shop', disableResourceNameHashes: true });
    application(chart, `web-${index}`);
  }
  return workOf(() => app.synthYaml());
}

test.each(Object.entries(APPLICATIONS))('%s: the work of a synth grows as the charts do', (_name, application) => {
  const few = 6;
  workFor(application, 2);
  expect(growingWork(workFor(application, few), workFor(application, TIMES * few), few, ASKED)).toEqual([]);
});
