/** What rehearsals remark on releases of Argo: the rule, the place and the step. */
import { describe, expect, it } from 'vitest';
import { type JsonObject, Manifest, World } from '../../../src/core';
import { rehearse } from '../../../src/rehearsal';
import { type StackOptions, stackOf } from '../../stage/labs/argo/stack';

const CANARY = 'spec.strategy.canary';

function findingsOf(options: StackOptions, objects = stackOf(options)) {
  return rehearse(World.of(objects.map((object) => Manifest.of(object)))).flatMap(({ findings }) => findings);
}

/** `note rehearsal-abort-flaps canary`. */
const remarks = (options: StackOptions) =>
  findingsOf(options).map(({ severity, rule, path = '', step, related }) =>
    [
      `${severity} ${rule.replace('rehearsal-', '')} ${path.replace('spec.strategy.', '')}`,
      ...(step === undefined ? [] : [`step ${step}`]),
      ...(related?.object === undefined ? [] : [`${related.object.kind} ${related.object.name}`]),
    ].join(', '),
  );

const FLAPS = 'note abort-flaps canary';
const AT_END = 'note target-group-empty canary';
const AT_FIRST = 'note target-group-empty canary.steps[0].setWeight, step 0';
const STAYS = 'note weights-stay canary.steps[0].setWeight, step 0';

const extra = (ingressClassName: string, name: string, port: object): JsonObject =>
  ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      name: 'extra',
      annotations: { 'alb.ingress.kubernetes.io/scheme': 'internal', 'alb.ingress.kubernetes.io/target-type': 'ip' },
    },
    spec: {
      ingressClassName,
      rules: [
        {
          host: 'extra.example.com',
          http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name, port } } }] },
        },
      ],
    },
  }) as never;
const configMap = (data: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'argo-rollouts-config' },
  data,
});
const plugin = (name: string) => ({ plugin: { name } });
const THREE = [{ setWeight: 5 }, plugin('a/b'), { setWeight: 50 }];

describe('the remarks on a release', () => {
  it.each<[string, StackOptions, string[]]>([
    ['an ALB', { route: 'alb' }, [FLAPS, AT_END, AT_FIRST]],
    ['an action of its own, which a deletion leaves', { route: 'alb-root' }, [FLAPS, AT_END, AT_FIRST, STAYS]],
    ['ping and pong', { route: 'alb-ping-pong' }, [STAYS]],
    [
      'another prefix, so that nobody reads the action',
      { route: 'alb-prefix' },
      ['error requests-fail canary, Ingress shop'],
    ],
    [
      'new pods that go with the abort',
      { route: 'alb', strategy: { abortScaleDownDelaySeconds: 0 } },
      [AT_END, AT_FIRST],
    ],
    ['stable pods that go', { route: 'alb', strategy: { dynamicStableScale: true } }, [AT_END, AT_FIRST]],
    ['no steps', { route: 'alb', steps: [] }, []],
    ['no weight', { route: 'alb', steps: [{ setCanaryScale: { replicas: 1 } }, { pause: {} }] }, []],
    ['ingress-nginx', { route: 'nginx' }, [FLAPS]],
    ['Istio', { route: 'istio' }, [FLAPS]],
    ['subsets of Istio', { route: 'istio-subsets' }, []],
    ['pods that are counted', { route: 'none' }, []],
    [
      'blue-green',
      { route: 'blueGreen' },
      ['note target-group-empty blueGreen', 'note preview-empty blueGreen.previewService'],
    ],
  ])('with %s', (_, options, expected) => {
    expect(remarks(options)).toEqual(expected);
  });

  it('name how long the canary Service moves after an abort', () => {
    const message = (strategy: JsonObject) =>
      findingsOf({ route: 'nginx', strategy }).find(({ rule }) => rule === 'rehearsal-abort-flaps')?.message;
    expect(message({})).toContain('for 30 seconds');
    expect(message({ abortScaleDownDelaySeconds: 7 })).toContain('for 7 seconds');
  });

  it('say why a target group is empty: at the end the old pods answer until then', () => {
    const because = (options: StackOptions) =>
      findingsOf(options)
        .filter(({ rule }) => rule === 'rehearsal-target-group-empty')
        .map((finding) => /until then requests go to the old pods/.test(finding.because ?? ''));
    expect(because({ route: 'alb' })).toEqual([true, false]);
    expect(because({ route: 'blueGreen' })).toEqual([false]);
  });

  it('tell how to make an Ingress answer', () => {
    const fixes = (options: StackOptions) =>
      findingsOf(options)
        .filter(({ rule }) => rule === 'rehearsal-requests-fail')
        .map(({ fix }) => fix);
    expect(fixes({ route: 'alb-prefix' })).toEqual([
      'remove annotationPrefix: Argo writes the action with alb.example.com, and the load balancer controller reads alb.ingress.kubernetes.io only',
    ]);
    const action = extra('alb', 'shop-stable', { name: 'use-annotation' });
    expect(fixes({ route: 'alb', more: [action] })).toEqual(['name the Ingress in trafficRouting.alb.ingresses']);
    const active = extra('alb', 'shop-active', { name: 'use-annotation' });
    expect(fixes({ route: 'blueGreen', more: [active] })).toEqual([
      'give the backend "shop-active" the port of that Service; blue-green writes no action',
    ]);
  });
});

describe('an Ingress that the Rollout does not name', () => {
  const unmanaged = (options: StackOptions) =>
    findingsOf(options)
      .filter(({ rule }) => rule === 'rehearsal-ingress-unmanaged')
      .map(({ severity, path, request, fix }) => ({ severity, path, request, fix }));

  it('keeps all users with the old version, where it leads to the stable Service', () => {
    expect(unmanaged({ route: 'nginx', more: [extra('nginx', 'shop-stable', { number: 80 })] })).toEqual([
      {
        severity: 'warning',
        path: `${CANARY}.trafficRouting`,
        request: 'GET https://extra.example.com/',
        fix: 'name the Ingress in trafficRouting',
      },
    ]);
    const [ofAlb, ...others] = unmanaged({ route: 'alb', more: [extra('alb', 'shop-stable', { number: 80 })] });
    expect(others).toEqual([]);
    expect(ofAlb?.fix).not.toBe('name the Ingress in trafficRouting');
  });

  it('is no matter where it leads to another Service, or where pods are counted', () => {
    expect(unmanaged({ route: 'nginx', more: [extra('nginx', 'shop-canary', { number: 80 })] })).toEqual([]);
    expect(unmanaged({ route: 'services', more: [extra('nginx', 'shop-stable', { number: 80 })] })).toEqual([]);
    expect(unmanaged({ route: 'blueGreen', more: [extra('alb', 'shop-active', { number: 80 })] })).toEqual([]);
  });
});

describe('weights that pods cannot make', () => {
  const weights = (replicas: number, ...each: number[]) =>
    findingsOf({
      route: 'services',
      replicas,
      steps: each.map((setWeight) => ({ setWeight })),
      more: [extra('nginx', 'shop-stable', { number: 80 })],
    })
      .filter(({ rule }) => rule === 'rehearsal-weight-by-pods')
      .map(({ path, step, message }) => [path, step, message]);

  it('are remarked on, with the pods that there are', () => {
    expect(weights(4, 25, 30)).toEqual([
      [`${CANARY}.steps[1].setWeight`, 1, 'setWeight: 30 gives the canary 25% at steps[1]: 1 of 4 pods'],
    ]);
  });

  it('may differ by less than one percent', () => {
    expect(weights(3, 33)).toEqual([]);
    expect(weights(200, 1)).toEqual([]);
    expect(weights(100, 50)).toEqual([]);
  });
});

describe('plugins', () => {
  const config = (list: string, text: string) => [configMap({ [list]: text })];
  const known = 'note incomplete canary.steps[1].plugin.name, step 1';
  const missing = 'error plugin-missing canary.steps[1].plugin.name, step 1';

  it.each<[string, JsonObject[], string[]]>([
    ['without a ConfigMap', [], [FLAPS, AT_END, AT_FIRST, known]],
    ['with an empty ConfigMap', [configMap({})], [missing, AT_FIRST]],
    ['in YAML', config('stepPlugins', '- name: a/b\n  location: file:///p\n'), [FLAPS, AT_END, AT_FIRST, known]],
    ['in JSON', config('stepPlugins', '[{"location": "x", "name": "a/b"}]'), [FLAPS, AT_END, AT_FIRST, known]],
    ['with another name', config('stepPlugins', '- name: a/bc\n'), [missing, AT_FIRST]],
    ['in another list', config('trafficRouterPlugins', '- name: a/b\n'), [missing, AT_FIRST]],
  ])('of steps, %s', (_, more, expected) => {
    expect(remarks({ route: 'alb', steps: THREE, more })).toEqual(expected);
  });

  it('end the release at the step that the controller cannot run', () => {
    const world = World.of(
      stackOf({ route: 'alb', steps: THREE, more: [configMap({})] }).map((object) => Manifest.of(object)),
    );
    const steps = rehearse(world)[0]!.moments.map(({ phase, step }) => `${phase} ${step ?? ''}`.trim());
    expect(steps).toEqual(['before', 'prepare 0', 'step 0', 'step 1']);
  });

  it.each<[string, JsonObject[], string]>([
    ['without a ConfigMap', [], 'note incomplete canary.trafficRouting.plugins["a/b"]'],
    [
      'in the ConfigMap',
      config('trafficRouterPlugins', '- name: "a/b"'),
      'note incomplete canary.trafficRouting.plugins["a/b"]',
    ],
    [
      'in no list',
      config('trafficRouterPlugins', '- name: c/d'),
      'error plugin-missing canary.trafficRouting.plugins["a/b"]',
    ],
  ])('of routers, %s', (_, more, expected) => {
    const objects = stackOf({ route: 'services', more, strategy: { trafficRouting: { plugins: { 'a/b': {} } } } });
    const found = findingsOf({ route: 'services' }, objects).map(
      ({ severity, rule, path = '' }) =>
        `${severity} ${rule.replace('rehearsal-', '')} ${path.replace('spec.strategy.', '')}`,
    );
    expect(found).toEqual([expected]);
  });

  it('are told apart from routers that are built in and not played', () => {
    const objects = stackOf({ route: 'services', strategy: { trafficRouting: { smi: {} } } });
    const found = findingsOf({ route: 'services' }, objects);
    expect(found.map(({ severity, rule, path }) => [severity, rule, path])).toEqual([
      ['note', 'rehearsal-incomplete', `${CANARY}.trafficRouting.smi`],
    ]);
  });
});
