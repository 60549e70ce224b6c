import { ApiObject, App, Chart, Duration } from 'cdk8s';
import {
  AlbCanaryIngress,
  ArgoAlbRollout,
  ArgoAlbStrategy,
  ArgoStep,
  KruiseRolloutInstall,
  KruiseRolloutStep,
  KruiseRolloutStrategy,
  KtVirtualEnvironment,
  LuaRoutingConfigMap,
  LuaScripts,
} from '../../src/constructs';
import { rehearsalRules } from '../../src/rehearsal';

/**
 * What the blocks of the pages take for granted: a block that shows two lines does not write the chart around them. Each
 * block gets a setting of its own, and of it only what it names.
 */
export class Setting {
  readonly app = new App();
  readonly chart = new Chart(this.app, 'shop-chart', { namespace: 'shop', disableResourceNameHashes: true });

  /** The namespace of the controller. */
  get controller(): Chart {
    return new Chart(this.app, 'controller', { namespace: 'kruise-rollout', disableResourceNameHashes: true });
  }

  /** The chart, where a block calls it by its namespace. */
  get shop(): Chart {
    return this.chart;
  }

  get namespace(): ApiObject {
    return new ApiObject(this.chart, 'namespace', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  }

  get workload(): ApiObject {
    return new ApiObject(this.chart, 'workload', {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        replicas: 10,
        selector: { matchLabels: { app: 'web' } },
        template: {
          metadata: { labels: { app: 'web' } },
          spec: { containers: [{ name: 'web', image: 'example.com/web:1.0.0', ports: [{ containerPort: 8080 }] }] },
        },
      },
    });
  }

  get deployment(): ApiObject {
    return this.workload;
  }

  get service(): { readonly name: string; readonly port: number } {
    return { name: 'web', port: 80 };
  }

  get ingress(): AlbCanaryIngress {
    return new AlbCanaryIngress(this.chart, 'stable-ingress', { metadata: { name: 'web' }, service: this.service });
  }

  get strategy(): KruiseRolloutStrategy {
    return KruiseRolloutStrategy.canary({
      steps: [KruiseRolloutStep.traffic('20%', { pause: Duration.minutes(10) }), KruiseRolloutStep.traffic('100%')],
    });
  }

  get install(): KruiseRolloutInstall {
    return new KruiseRolloutInstall(this.controller, 'install');
  }

  get scripts(): LuaRoutingConfigMap {
    return new LuaRoutingConfigMap(this.controller, 'scripts', { scripts: [LuaScripts.fromLibrary('aws-alb')] });
  }

  get steps() {
    return [ArgoStep.setWeight(10), ArgoStep.pause(), ArgoStep.setWeight(50)];
  }

  get props() {
    return {
      metadata: { name: 'web' },
      replicas: 10,
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'web', image: 'example.com/web:1.0.0', ports: [{ containerPort: 8080 }] }] },
      },
      strategy: ArgoAlbStrategy.canary({ steps: this.steps }),
      ingress: { rules: [{ host: 'shop.example.com' }] },
    };
  }

  get rollout(): ArgoAlbRollout {
    return new ArgoAlbRollout(this.chart, 'argo-rollout', this.props);
  }

  get environments(): KtVirtualEnvironment {
    return new KtVirtualEnvironment(this.chart, 'environments', { envLabel: { defaultSubset: 'dev' } });
  }

  /** What a block leaves to the reader. */
  readonly image = 'example.com/web:1.0.0';
  readonly frontend = 'frontend';
  readonly rest = { project: 'shop', destination: { namespace: 'shop' } };
  readonly ours = [];

  /** Manifests as they stand in a file. */
  get text(): string {
    return rehearsalRules['rehearsal-canary-gets-nothing'].corrected.text;
  }
}

const backend = (port: object) => ({ service: { name: 'web', port } });
const ingress = (className: string, port: object) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'web', namespace: 'shop', annotations: {} },
  spec: {
    ingressClassName: className,
    rules: [{ host: 'shop.example.com', http: { paths: [{ path: '/', pathType: 'Prefix', backend: backend(port) }] } }],
  },
});

/** For what is said of the controller of Argo: manifests as plain data. */
class ArgoControllerSetting {
  readonly ingress = ingress('alb', { name: 'use-annotation' });
  readonly rollout = {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      strategy: {
        canary: {
          stableService: 'web',
          canaryService: 'web-canary',
          trafficRouting: { alb: { ingress: 'web', servicePort: 80 } },
          steps: [{ setWeight: 20 }],
        },
      },
    },
  };
}

/** For what is said of the controller of Kruise. */
class KruiseControllerSetting {
  readonly stableIngress = ingress('nginx', { number: 80 });
  readonly configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kruise-rollout-configuration', namespace: 'kruise-rollout' },
    data: {},
  };
}

/** Settings of pages that need one of their own. */
export const settings = {
  pages: Setting,
  'docs/argo-controller.md': ArgoControllerSetting,
  'docs/script-contract.md': KruiseControllerSetting,
};
