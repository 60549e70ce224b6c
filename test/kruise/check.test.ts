/** All checks of Kruise Rollouts together: each runs, with its options; and steps and strategies as programs write them. */
import { describe, expect, it, test } from 'vitest';
import { collectFindings, Manifest, World } from '../../src/core';
import { kruiseCatalogue } from '../../src/kruise/catalogue';
import { checkKruise, type KruiseCheckOptions } from '../../src/kruise/check';
import { KruiseRolloutStep, RouteMatch } from '../../src/kruise/steps';
import { KruiseRolloutStrategy } from '../../src/kruise/strategy';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { configMap, deployment, ingress, object, rollout, service } from './rules/stack';

const STACK = [rollout(), deployment(), service(), ingress()];
const rules = (objects: readonly object[], options: KruiseCheckOptions = {}) => [
  ...new Set(
    collectFindings(checkKruise(World.of(objects.map((each) => Manifest.of(each))), options)).map(({ rule }) => rule),
  ),
];

describe('the checks of Kruise Rollouts', () => {
  it('find nothing in what is right', () => {
    expect(rules(STACK)).toEqual([]);
  });

  const mesh = { customNetworkRefs: [{ apiVersion: 'projectcontour.io/v1', kind: 'HTTPProxy', name: 'web' }] };
  const proxy = object('projectcontour.io/v1', 'HTTPProxy', { routes: ['x'] });
  const alb = ingress('web', { ingressClassName: 'alb' }, { annotations: { 'alb.ingress.kubernetes.io/order': '0' } });
  const aliyun = rollout({ route: { service: 'web', ingress: { name: 'web', classType: 'aliyun-alb' } } });

  it.each<[what: string, objects: readonly object[], rule: string]>([
    ['admission', [rollout({ steps: [] }), ...STACK.slice(1)], 'rollout-steps-empty'],
    ['Rollouts', [rollout({ route: null }), deployment()], 'kruise-traffic-ignored'],
    ['load balancers', [aliyun, deployment(), service(), alb], 'kruise-aliyun-order'],
    [
      'an install',
      [...STACK, { ...configMap({}), metadata: { name: 'kruise-rollout-configuration', namespace: 'a' } }],
      'kruise-config-map-namespace',
    ],
    [
      'permissions',
      [rollout({ route: { service: 'web', ...mesh } }), deployment(), service(), proxy],
      'kruise-gateway-not-granted',
    ],
  ])('are those of %s', (_, objects, rule) => {
    expect(rules(objects)).toContain(rule);
  });

  it('have options', () => {
    const moved = { ...configMap({}), metadata: { name: 'kruise-rollout-configuration', namespace: 'a' } };
    expect(rules([...STACK, moved], { controllerNamespace: 'a' })).toEqual([]);
    expect(rules(STACK, { version: KruiseRolloutVersion.V0_4_4 })).toEqual(['kruise-kind-unknown']);
    const partition = rollout({
      strategy: { enableExtraWorkloadForCanary: false },
      steps: [{ traffic: '20%', replicas: '60%' }, { replicas: '100%' }],
    });
    const others = STACK.slice(1);
    expect(rules([partition, ...others])).toEqual(['rollout-partition-limit']);
    expect(rules([partition, ...others], { partitionPercentLimit: 60 })).toEqual([]);
    expect(rules([rollout(), deployment(), ingress()])).toEqual(['kruise-reference-missing']);
    expect(rules([rollout(), deployment(), ingress()], { external: [{ kind: 'Service', name: 'web' }] })).toEqual([]);
  });

  it('have their rules in one catalogue, which is made once', () => {
    const catalogue = kruiseCatalogue();
    expect(kruiseCatalogue()).toBe(catalogue);
    const ids = [
      ...['field-unknown', 'rollout-steps-empty', 'kruise-traffic-ignored', 'kruise-alb-order'],
      ...['kruise-install-duplicate', 'kruise-gateway-not-granted', 'lua-script-shadowed'],
    ];
    for (const id of ids) expect(catalogue.get(id)?.id, id).toBe(id);
  });
});

describe('a step', () => {
  it('has a share as a text or as a number from 0 to 100', () => {
    expect(KruiseRolloutStep.traffic('x')).toStrictEqual({ traffic: 'x', replicas: 'x' });
    expect(KruiseRolloutStep.traffic(0)).toStrictEqual({ traffic: '0%', replicas: '0%' });
    expect(KruiseRolloutStep.traffic(100, { replicas: 0 })).toStrictEqual({ traffic: '100%', replicas: 0 });
    for (const share of [-1, 101, 1.5]) {
      expect(() => KruiseRolloutStep.traffic(share)).toThrow(
        `traffic is ${share}: use a whole percentage from 0 to 100`,
      );
    }
    // Where the whole library is loaded, a check of all arguments comes first.
    expect(() => KruiseRolloutStep.traffic(Number.NaN)).toThrow('NaN');
  });

  it('has a pause as the API has it, or as a duration', () => {
    const pauseOf = (pause: object) => KruiseRolloutStep.replicas(1, { pause: pause as never }).pause;
    expect(pauseOf({})).toStrictEqual({});
    expect(pauseOf({ duration: 5 })).toStrictEqual({ duration: 5 });
    expect(pauseOf({ toSeconds: () => 60 })).toStrictEqual({ duration: 60 });
    expect(pauseOf({ toSeconds: 60 })).toStrictEqual({ toSeconds: 60 });
    expect(KruiseRolloutStep.replicas(1)).toStrictEqual({ replicas: 1 });
  });

  it('has changes of headers', () => {
    const requestHeaderModifier = { remove: ['a'] };
    expect(KruiseRolloutStep.traffic(5, { requestHeaderModifier })).toStrictEqual({
      traffic: '5%',
      requestHeaderModifier,
      replicas: '5%',
    });
    expect(KruiseRolloutStep.matches([], { replicas: 1, pause: {} })).toStrictEqual({
      matches: [],
      replicas: 1,
      pause: {},
    });
  });

  test('a match of nothing has nothing, and one of a path has a path', () => {
    expect(RouteMatch.allOf()).toStrictEqual({});
    expect(RouteMatch.allOf({}, { headers: [], queryParams: [] })).toStrictEqual({});
    const path = { type: 'Exact', value: '/' } as const;
    expect(RouteMatch.allOf({ path }, {})).toStrictEqual({ path });
  });
});

describe('a strategy', () => {
  const steps = [{ replicas: 1 }];
  const rest = { failureThreshold: '10%', disableGenerateCanaryService: true };

  it('has steps, and only what is given', () => {
    expect(KruiseRolloutStrategy.canary({ steps }).toManifest()).toStrictEqual({
      canary: { enableExtraWorkloadForCanary: true, steps },
    });
    expect(KruiseRolloutStrategy.partition({ steps }).toManifest()).toStrictEqual({ canary: { steps } });
    expect(KruiseRolloutStrategy.blueGreen({ steps }).toManifest()).toStrictEqual({ blueGreen: { steps } });
    const styles = ['canary', 'partition', 'blueGreen'] as const;
    expect(styles.map((style) => KruiseRolloutStrategy[style]({ steps }).style)).toEqual(styles);
  });

  it('has everything that is given', () => {
    const patchPodTemplateMetadata = { labels: { a: 'b' } };
    const trafficRouting = { service: 'web', gateway: { httpRouteName: 'web' } };
    const context = { trafficRouting, trafficRoutingRef: 'front', paused: false };
    const common = { steps, ...rest, trafficRoutings: [trafficRouting], trafficRoutingRef: 'front' };
    expect(
      KruiseRolloutStrategy.canary({ steps, ...rest, patchPodTemplateMetadata }).toManifest(context),
    ).toStrictEqual({
      paused: false,
      canary: { enableExtraWorkloadForCanary: true, patchPodTemplateMetadata, ...common },
    });
    expect(KruiseRolloutStrategy.blueGreen({ steps, ...rest }).toManifest(context)).toStrictEqual({
      paused: false,
      blueGreen: common,
    });
  });
});
