import { ApiObject, App, Chart, Testing } from 'cdk8s';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  AliyunAlbCanaryIngress,
  type AliyunAlbCanaryIngressProps,
  HeaderMatch,
  KruiseRollout,
  KruiseRolloutStep,
  KruiseRolloutStrategy,
  LuaRoutingConfigMap,
  LuaScripts,
} from '../../src/constructs';

let printed: string;
beforeEach(() => {
  printed = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

const ORDER = 'alb.ingress.kubernetes.io/order';
const CANARY_ORDER = 'rollout-constructs.io/canary-order';

function chartOf(app: App, namespace = 'foo'): Chart {
  return new Chart(app, namespace, { namespace, disableResourceNameHashes: true });
}

function ingressOf(chart: Chart, name: string, props: Partial<AliyunAlbCanaryIngressProps> = {}) {
  return new AliyunAlbCanaryIngress(chart, name, { metadata: { name }, service: { name, port: 80 }, ...props });
}

/** A handwritten Ingress with an order. */
function byHand(chart: Chart, name: string, order: number, className = 'alb'): ApiObject {
  return new ApiObject(chart, name, {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, annotations: { [ORDER]: String(order) } },
    spec: { ingressClassName: className, rules: [{ host: `${name}.example.com` }] },
  });
}

function failureOf(app: App): string {
  try {
    app.synthYaml();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

describe('AliyunAlbCanaryIngress', () => {
  test('writes an Ingress with an order for itself and one for its canary', () => {
    const ingress = ingressOf(chartOf(new App()), 'echoserver', {
      metadata: { name: 'echoserver', annotations: { 'example.com/team': 'echo' } },
      rules: [
        {
          host: 'echoserver.example.com',
          paths: [
            { path: '/apis/echo', pathType: 'Exact' },
            { path: '/apis/other', service: { name: 'other', port: 'http' } },
          ],
        },
      ],
    });
    expect(ingress.node.defaultChild).toBe(ingress.apiObject);
    expect(ingress.order).toEqual({ stable: 738, canary: 238 });
    expect(ingress.apiObject.toJson()).toMatchSnapshot();
  });

  test('gives the side of the Rollout that fits', () => {
    const ingress = ingressOf(chartOf(new App()), 'echoserver');
    expect(ingress.trafficRouting()).toStrictEqual({
      service: 'echoserver',
      gracePeriodSeconds: 30,
      ingress: { name: 'echoserver', classType: 'aliyun-alb' },
    });
    expect(ingress.trafficRouting(60).gracePeriodSeconds).toBe(60);
  });

  test.each<[string, Partial<AliyunAlbCanaryIngressProps>, string]>([
    ['a canary behind the stable one', { order: { stable: 2, canary: 3 } }, 'order.canary is 3 and order.stable is 2'],
    [
      'an order that is none',
      { order: { stable: 1001, canary: 1 } },
      'order.stable is 1001: give an integer from 1 to 1000',
    ],
    ['a broken order', { order: { stable: 2, canary: 0.5 } }, 'order.canary is 0.5'],
    [
      'an order as annotation',
      { metadata: { annotations: { [ORDER]: '1' } } },
      `the annotation ${ORDER} belongs to the construct`,
    ],
    ['no rules', { rules: [] }, 'rules is empty'],
    ['no paths', { rules: [{ paths: [] }] }, 'paths of the host "*" is empty'],
    ['a path without a slash', { rules: [{ paths: [{ path: 'a' }] }] }, 'path is "a": it must start with a slash'],
    ['a service without a name', { service: { name: '', port: 80 } }, 'service has no name'],
  ])('refuses %s', (_, props, message) => {
    expect(() => ingressOf(chartOf(new App()), 'web', props)).toThrow(`foo/web: ${message}`);
  });
});

describe('the orders of an app', () => {
  test('are distinct on one ALB, whatever the chart and the namespace', () => {
    const app = new App();
    const charts = ['foo', 'bar', 'baz'].map((namespace) => chartOf(app, namespace));
    const ingresses = charts.flatMap((chart) =>
      Array.from({ length: 60 }, (_, index) => ingressOf(chart, `web-${index}`)),
    );
    const orders = ingresses.flatMap(({ order }) => [order!.stable, order!.canary]);
    expect(new Set(orders).size).toBe(2 * 180);
    expect(failureOf(app)).toBe('');
  });

  test('are the same at every synth, and in whatever order the app is written', () => {
    const write = (names: readonly string[]) => {
      const chart = chartOf(new App());
      for (const name of names) ingressOf(chart, name);
      return Object.fromEntries(
        Testing.synth(chart).map(({ metadata }) => [metadata.name, metadata.annotations[ORDER]]),
      );
    };
    const names = Array.from({ length: 100 }, (_, index) => `web-${index}`);
    expect(write(names)).toEqual(write([...names].reverse()));
    expect(write(names)).toEqual(write(names));
  });

  test('are given for each ALB by itself', () => {
    const chart = chartOf(new App());
    const own = ingressOf(chart, 'web').order;
    const other = { metadata: { name: 'web' }, ingressClassName: 'alb-2' };
    expect(new AliyunAlbCanaryIngress(chart, 'other', { service: { name: 'web', port: 80 }, ...other }).order).toEqual(
      own,
    );
  });

  test('keep clear of orders outside of the app, and of those written by hand in it', () => {
    const first = ingressOf(chartOf(new App()), 'web').order!;
    const chart = chartOf(new App());
    byHand(chart, 'legacy', first.stable);
    const ingress = ingressOf(chart, 'web', { reservedOrders: [first.canary + 1] });
    expect(ingress.order).toEqual({ stable: first.stable + 2, canary: first.canary + 2 });
  });

  test('that depend on others are printed with the value to pin', () => {
    const app = new App();
    const own = ingressOf(chartOf(new App()), 'web').order!;
    const chart = chartOf(app);
    ingressOf(chart, 'api', { order: own });
    const web = ingressOf(chart, 'web');
    expect(failureOf(app)).toBe('');
    expect(printed).toContain(`pin the orders: order: { stable: ${own.stable + 1}, canary: ${own.canary + 1} }`);
    expect(printed.match(/kruise-aliyun-order-moves/g)).toHaveLength(2);
    expect(web.findings().map(({ rule, severity }) => [rule, severity])).toEqual([
      ['kruise-aliyun-order-moves', 'warning'],
    ]);
  });

  test('that depend on others can be accepted, or refused', () => {
    const make = (props: Partial<AliyunAlbCanaryIngressProps>) => {
      const app = new App();
      const chart = chartOf(app);
      ingressOf(chart, 'api', { order: ingressOf(chartOf(new App()), 'web').order! });
      ingressOf(chart, 'web', props);
      return failureOf(app);
    };
    expect(make({ suppressions: [{ rule: 'kruise-aliyun-order-moves', reason: 'never released' }] })).toBe('');
    expect(printed).toBe('');
    expect(make({ warnings: 'fail' })).toContain('kruise-aliyun-order-moves');
  });

  test('that are all taken fail the synth', () => {
    const app = new App();
    const chart = chartOf(app);
    ingressOf(chart, 'web', { reservedOrders: Array.from({ length: 499 }, (_, index) => index + 1) });
    const failure = failureOf(app);
    expect(failure).toContain('kruise-aliyun-order-exhausted');
    expect(failure).toContain('the ALB "alb" has no pair of orders left for this Ingress');
  });

  test('that are given twice fail the synth', () => {
    const app = new App();
    const chart = chartOf(app);
    ingressOf(chart, 'web', { order: { stable: 20, canary: 5 } });
    ingressOf(chart, 'api', { order: { stable: 30, canary: 5 } });
    const failure = failureOf(app);
    expect(failure).toContain('kruise-aliyun-order-duplicate');
    expect(failure).toContain(`${CANARY_ORDER} is 5`);
  });

  test('run out after 499 Ingresses', { timeout: 60_000 }, () => {
    const app = new App();
    const chart = chartOf(app);
    for (let index = 0; index < 500; index++) ingressOf(chart, `web-${index}`);
    const failure = failureOf(app);
    expect(failure).toContain('the ALB "alb" has no pair of orders left for this Ingress; 499 Ingresses have one');
    expect(failure.match(/has no pair of orders left/g)).toHaveLength(1);
  });
});

describe('a release', () => {
  function release(match: ReturnType<typeof HeaderMatch.exact>, withScript = true) {
    const app = new App();
    const chart = chartOf(app);
    for (const name of ['echoserver', 'echoserver-clone']) {
      const labels = { app: name };
      new ApiObject(chart, `${name}-service`, {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name },
        spec: { selector: labels, ports: [{ port: 80 }] },
      });
      const workload = new ApiObject(chart, `${name}-deployment`, {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name },
        spec: {
          replicas: 5,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] } },
        },
      });
      new KruiseRollout(chart, `${name}-rollout`, {
        workload,
        strategy: KruiseRolloutStrategy.canary({
          steps: [KruiseRolloutStep.matches([match], { replicas: 1 }), KruiseRolloutStep.traffic('100%')],
        }),
        trafficRouting: ingressOf(chart, name).trafficRouting(),
      });
    }
    if (withScript) {
      const controller = new Chart(app, 'controller', { namespace: 'kruise-rollout', disableResourceNameHashes: true });
      new LuaRoutingConfigMap(controller, 'scripts', { scripts: [LuaScripts.fromLibrary('aliyun-alb')] });
    }
    return failureOf(app);
  }

  test('of two applications at a time has no finding', () => {
    expect(release(HeaderMatch.exact('user-agent', 'pc'))).toBe('');
    // A busy machine may have a finding on the time that scripts take.
    expect(printed).not.toContain('[kruise-');
  });

  test('fails with the built-in script, which gives both the same order', () => {
    const failure = release(HeaderMatch.exact('user-agent', 'pc'), false);
    expect(failure).toContain('kruise-aliyun-builtin-script');
    expect(failure).toContain('the Rollout "foo-echoserver-rollout" uses the built-in script');
  });

  test('fails if the ALB cannot distinguish the requests', () => {
    expect(release(HeaderMatch.regularExpression('user-agent', 'pc|mobile'))).toContain(
      'steps[0] matches the header "user-agent" by a regular expression',
    );
  });
});
