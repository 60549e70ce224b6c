import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { describe, expect, test, vi } from 'vitest';
import {
  ArgoAlbRollout,
  ArgoAlbStrategy,
  ArgoStep,
  AwsLoadBalancerControllerVersion,
  KruiseRollout,
  KruiseRolloutStep,
  KruiseRolloutStrategy,
  KruiseTrafficRouting,
  LuaRoutingConfigMap,
  LuaScripts,
  StackCheck,
} from '../../src/constructs';
import { type Finding, World } from '../../src/core';

const RANKS = ['error', 'warning', 'note'];

const labels = { app: 'web' };

/** A Service, its Deployment and an Ingress of an ALB. */
function objects(chart: Chart, { order = '10', port = 80 } = {}): void {
  new ApiObject(chart, 'service', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { type: 'NodePort', selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
  });
  new ApiObject(chart, 'deployment', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas: 4,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] } },
    },
  });
  new ApiObject(chart, 'ingress', {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name: 'web',
      annotations: {
        'alb.ingress.kubernetes.io/group.name': 'shop',
        ...(order === '' ? {} : { 'alb.ingress.kubernetes.io/group.order': order }),
      },
    },
    spec: {
      ingressClassName: 'alb',
      rules: [
        {
          host: 'shop.example.com',
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: port } } } }],
          },
        },
      ],
    },
  });
}

const rolloutSpec = {
  workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
  strategy: {
    canary: {
      enableExtraWorkloadForCanary: true,
      steps: [
        { traffic: '20%', replicas: 1 },
        { traffic: '100%', replicas: '100%' },
      ],
      trafficRoutings: [{ service: 'web', ingress: { classType: 'nginx', name: 'web' } }],
    },
  },
};

function chartOf(app: App, id: string, namespace = 'shop'): Chart {
  return new Chart(app, id, { namespace, disableResourceNameHashes: true });
}

function failureOf(app: App): string {
  try {
    app.synthYaml();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

/** Objects and a Rollout, all of them plain. */
function plain(app: App, options = {}): Chart {
  const chart = chartOf(app, 'shop');
  objects(chart, options);
  new ApiObject(chart, 'rollout', {
    apiVersion: 'rollouts.kruise.io/v1beta1',
    kind: 'Rollout',
    metadata: { name: 'web' },
    spec: rolloutSpec,
  });
  return chart;
}

describe('a StackCheck', () => {
  test('rehearses the Rollouts of plain ApiObjects', () => {
    const app = new App();
    plain(app);
    expect(failureOf(app)).toBe('');
    new StackCheck(app, 'Check');
    const failure = failureOf(app);
    // The canary Ingress for nginx means nothing to the load balancer of this Ingress.
    expect(failure).toContain('[Check] error[rehearsal-');
    expect(failure).toContain('Rollout shop/web');
  });

  test('gives the rehearsals step by step', () => {
    const app = new App();
    plain(app);
    const check = new StackCheck(app, 'Check', { rehearsal: { probes: ['GET https://shop.example.com/cart'] } });
    const [rehearsal, ...others] = check.rehearsals();
    expect(others).toEqual([]);
    expect(rehearsal!.moments.map(({ phase }) => phase)).toContain('step');
    expect(rehearsal!.requests.map(({ text }) => text)).toContain('GET https://shop.example.com/cart');
  });

  test('gives all findings of its stack, and those that no construct reports', () => {
    const app = new App();
    plain(app);
    const chart = chartOf(app, 'blog', 'blog');
    const rollout = new ArgoAlbRollout(chart, 'blog', {
      template: {
        metadata: { labels: { app: 'blog' } },
        spec: { containers: [{ name: 'blog', image: 'example.com/blog:1' }] },
      },
      strategy: ArgoAlbStrategy.canary({ steps: [ArgoStep.setWeight(20), ArgoStep.pause()] }),
    });
    const scripts = LuaScripts.inline('ingress.example', 'return obj.annotation');
    const map = new LuaRoutingConfigMap(chart, 'Scripts', { scripts: [scripts] });
    const check = new StackCheck(app, 'Check');

    const reported = [rollout.findings(), map.findings(), check.findingsInOtherObjects()];
    expect(reported.map((findings) => findings.length > 0)).toEqual([true, true, true]);
    const texts = (findings: readonly Finding[]) => findings.map((finding) => JSON.stringify(finding)).sort();
    expect(texts(check.findings())).toEqual(texts(reported.flat()));
    expect(check.findings().map(({ rule }) => rule)).toContain('argo-alb-entrance-assumed');
    const severities = check.findings().map(({ severity }) => severity);
    expect(severities).toEqual([...severities].sort((a, b) => RANKS.indexOf(a) - RANKS.indexOf(b)));
  });

  test('leaves the findings of another cluster of the app to its StackCheck', () => {
    const app = new App();
    const checkOf = (id: string, scripts: LuaScripts) => {
      const chart = chartOf(app, id);
      new LuaRoutingConfigMap(chart, 'Scripts', { scripts: [scripts] });
      return new StackCheck(chart, 'Check');
    };
    const [good, bad] = [
      checkOf('one', LuaScripts.fromLibrary('aws-alb')),
      checkOf('two', LuaScripts.inline('ingress.example', 'return obj.annotations +')),
    ];
    expect(good.findings().filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(bad.findings().map(({ rule }) => rule)).toContain('lua-syntax');
  });

  test('rehearses nothing if rehearsals are disabled', () => {
    const app = new App();
    plain(app);
    const check = new StackCheck(app, 'Check', { rehearsal: { enabled: false } });
    expect(check.findings().filter(({ rule }) => rule.startsWith('rehearsal-'))).toEqual([]);
  });

  test('names the probe that it cannot read', () => {
    const app = new App();
    expect(() => new StackCheck(app, 'Check', { rehearsal: { probes: ['GET https://a.com', 'FETCH'] } })).toThrow(
      /^Check: rehearsal\.probes\[1\]: /,
    );
  });

  test('accepts a suppression of a verdict, and reports one that matches nothing', () => {
    const rules = (suppressions: { rule: string; reason: string }[]) => {
      const app = new App();
      plain(app);
      return new StackCheck(app, 'Check', { suppressions }).findings().map(({ rule }) => rule);
    };
    const found = rules([]).filter((rule) => rule.startsWith('rehearsal-'));
    expect(found.length).toBeGreaterThan(0);
    const object = { kind: 'Rollout', name: 'web', namespace: 'shop' };
    const accepted = rules(found.map((rule) => ({ rule, reason: 'known', object })));
    expect(accepted.filter((rule) => rule.startsWith('rehearsal-') || rule.startsWith('suppression-'))).toEqual([]);
    expect(rules([{ rule: 'rehearsal-canaries-collide', reason: 'known' }])).toContain('suppression-unused');
    expect(rules([{ rule: 'rehearsal-nothing', reason: 'known' }])).toContain('suppression-unknown-rule');
  });

  test('makes its scope a cluster of its own', () => {
    const app = new App();
    for (const [id, order] of [
      ['dev', '10'],
      ['prod', '2000'],
    ] as const) {
      const chart = chartOf(app, id);
      objects(chart, { order });
      new StackCheck(chart, 'Check');
    }
    const failure = failureOf(app);
    expect(failure).toContain('[prod/Check] error[');
    expect(failure).not.toContain('[dev/Check]');
    expect(failure).not.toContain('manifest-duplicate');
  });

  test('reports objects that two charts of one cluster declare', () => {
    const app = new App();
    for (const id of ['one', 'two']) objects(chartOf(app, id));
    expect(new StackCheck(app, 'Check').findings().map(({ rule }) => rule)).toContain('manifest-duplicate');
  });

  test('says for all constructs of the app which release of a controller there is', () => {
    const annotations = 'alb.ingress.kubernetes.io/conditions.web';
    const regex = '[{"field":"http-header","httpHeaderConfig":{"httpHeaderName":"x","regexValues":["a+"]}}]';
    const rulesFor = (version: string) => {
      const chart = chartOf(new App(), 'shop');
      objects(chart);
      (chart.node.findChild('ingress') as ApiObject).metadata.addAnnotation(annotations, regex);
      const copy = new StackCheck(chart, 'Check', {
        awsLoadBalancerControllerVersion: AwsLoadBalancerControllerVersion.of(version),
      });
      return copy.findings().map(({ rule }) => rule);
    };
    expect(rulesFor('2.13.4').length).toBeGreaterThan(rulesFor('3.5.0').length);
  });
});

describe('one synth', () => {
  test('looks at the app once, however many charts it has, and again at the next', () => {
    const app = new App();
    const shop = chartOf(app, 'shop');
    objects(shop);
    for (const id of ['a', 'b', 'c']) chartOf(app, id, id);
    let asked = 0;
    const counter = new ApiObject(shop, 'counter', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'counter' },
    });
    const { toJson } = counter;
    counter.toJson = function counted() {
      asked += 1;
      return toJson.call(this);
    };
    new StackCheck(app, 'Check', { rehearsal: { enabled: false } });
    app.synthYaml();
    const first = asked;
    app.synthYaml();
    expect(asked).toBe(2 * first);
  });

  test('builds one World for all of its checks and charts, and none as long as nothing changes', () => {
    const app = new App();
    const charts = ['a', 'b', 'c'].map((id) => chartOf(app, id, id));
    for (const chart of charts) objects(chart);
    for (const [index, chart] of [...charts, ...charts, ...charts].entries()) {
      new KruiseTrafficRouting(chart, `Route${index}`, {
        metadata: { name: `route-${index}` },
        trafficRouting: { service: 'web', ingress: 'web', classType: 'nginx' },
        warnings: 'print',
      });
    }
    const built = vi.spyOn(World, 'of');
    // Checks may make smaller Worlds of parts.
    const whole = (objectCount: number) =>
      built.mock.calls.filter(([manifests]) => [...manifests].length === objectCount).length;
    const limit = Error.stackTraceLimit;
    const printed = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    try {
      Error.stackTraceLimit = 3;
      const failure = () => {
        try {
          app.synthYaml();
        } catch {
          // What is wrong with these routes is not the question here.
        }
      };
      failure();
      expect(whole(18)).toBe(1);
      failure();
      expect(whole(18)).toBe(1);
      charts[0]!.node.tryRemoveChild('ingress');
      failure();
      expect(whole(17)).toBe(1);
    } finally {
      Error.stackTraceLimit = limit;
      built.mockRestore();
      printed.mockRestore();
    }
  });

  test('of a chart sees the changes since the last one', () => {
    const chart = Testing.chart();
    objects(chart, { port: 8080 });
    new StackCheck(chart, 'Check');
    expect(() => Testing.synth(chart)).toThrow('unable to find port 8080');
    chart.node.tryRemoveChild('ingress');
    expect(() => Testing.synth(chart)).not.toThrow();
  });
});

describe('a construct of this library', () => {
  const rolloutIn = (chart: Chart, enabled?: boolean) => {
    objects(chart);
    return new KruiseRollout(chart, 'Rollout', {
      workload: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      strategy: KruiseRolloutStrategy.canary({
        steps: [KruiseRolloutStep.traffic('20%', { replicas: 1 }), KruiseRolloutStep.traffic('100%')],
      }),
      trafficRouting: { service: 'web', ingress: 'web', classType: 'nginx' },
      ...(enabled === undefined ? {} : { rehearsal: { enabled } }),
    });
  };

  test('is rehearsed by default', () => {
    const verdicts = (enabled?: boolean) =>
      rolloutIn(chartOf(new App(), 'shop'), enabled)
        .findings()
        .filter(({ rule }) => rule.startsWith('rehearsal-'));
    expect(verdicts().length).toBeGreaterThan(0);
    expect(verdicts(true)).toEqual(verdicts());
    expect(verdicts(false)).toEqual([]);
  });
});
