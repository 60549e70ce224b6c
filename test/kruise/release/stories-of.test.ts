/** Which stories a Rollout can take: at which steps, with which edits, in which releases. */
import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../../src/core';
import { releasesOf } from '../../../src/kruise/release/releases';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { PARTITION, stack } from '../controller/moments';
import { deployment, object, rollout, rolloutV1alpha1 } from '../rules/stack';

const { V0_5_5 } = KruiseRolloutVersion;
const PAUSE = { pause: {} };
const P = (percent: number, more: object = {}) => ({ traffic: `${percent}%`, replicas: '20%', ...more });

const storiesOf = (objects: readonly object[], kruiseVersion = KruiseRolloutVersion.LATEST) =>
  releasesOf(World.of(objects.map((each) => Manifest.of(each))), { kruiseVersion })[0]!.stories!();
const namesOf = (...args: Parameters<typeof storiesOf>) => storiesOf(...args).map(({ name }) => name);
const actionsOf = (name: string, ...args: Parameters<typeof storiesOf>) =>
  storiesOf(...args).find((story) => story.name === name)?.actions;

const RELEASE = { release: 'v2' };
const until = (step: number) => ({ until: { step } });
const ALWAYS = ['straight', 'roll-back@0', 'third-revision@0', 'delete@0', 'disable@0'];

describe('the stories of a Rollout', () => {
  it('are these, each with its actions', () => {
    const steps = [P(20, PAUSE), P(50, PAUSE), P(100)];
    const patched = (traffic: string) => ({
      patch: {
        apiVersion: 'rollouts.kruise.io/v1beta1',
        kind: 'Rollout',
        name: 'web',
        with: { spec: { strategy: { canary: { steps: [{ ...steps[0], traffic }, steps[1], steps[2]] } } } },
      },
    });
    const annotated = {
      patch: {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'Ingress',
        name: 'web',
        with: { metadata: { annotations: { 'example.com/edited': 'in the middle' } } },
      },
    };
    expect(storiesOf(stack({ steps }))).toStrictEqual([
      { name: 'straight', actions: [RELEASE, 'finish'] },
      { name: 'roll-back@0', actions: [RELEASE, until(1), { release: 'v1' }, 'finish'] },
      { name: 'roll-back@1', actions: [RELEASE, until(2), { release: 'v1' }, 'finish'] },
      { name: 'third-revision@0', actions: [RELEASE, until(1), { release: 'v3' }, 'finish'] },
      { name: 'third-revision@1', actions: [RELEASE, until(2), { release: 'v3' }, 'finish'] },
      { name: 'delete@0', actions: [RELEASE, until(1), 'delete'] },
      { name: 'delete@1', actions: [RELEASE, until(2), 'delete'] },
      { name: 'disable@0', actions: [RELEASE, until(1), 'disable'] },
      { name: 'disable@1', actions: [RELEASE, until(2), 'disable'] },
      { name: 'jump-forward@0', actions: [RELEASE, until(1), { jump: 3 }, 'finish'] },
      { name: 'jump-back@1', actions: [RELEASE, until(2), { jump: 1 }, 'finish'] },
      { name: 'scale@0', actions: [RELEASE, until(1), { scale: 20 }, 'finish'] },
      { name: 'edit-step@0', actions: [RELEASE, until(1), patched('10%'), 'finish'] },
      { name: 'edit-route@0', actions: [RELEASE, until(1), annotated, 'finish'] },
      { name: 'never-ready', actions: [{ release: 'v2', ready: 'never' }, { watch: 600 }, { release: 'v1' }] },
    ]);
  });

  it('is a straight one without steps', () => {
    expect(storiesOf(stack({ steps: [] }))).toStrictEqual([{ name: 'straight', actions: [RELEASE, 'finish'] }]);
  });

  it('happen at the first step where none waits for people', () => {
    expect(namesOf(stack({ steps: [P(20), P(50, { pause: { duration: 60 } })] }))).toEqual([
      ...ALWAYS,
      ...['scale@0', 'edit-step@0', 'edit-route@0', 'never-ready'],
    ]);
  });

  it('happen at the steps that wait; a last step of all pods does not', () => {
    const at = (...steps: readonly object[]) =>
      namesOf(stack({ steps })).flatMap((name) => (name.startsWith('delete@') ? [Number(name.slice(7))] : []));
    expect(at(P(20), P(50, PAUSE), P(100, { pause: {} }))).toEqual([1, 2]);
    expect(at(P(20), P(50, PAUSE), { ...P(100, PAUSE), replicas: '100%' })).toEqual([1]);
    expect(at(P(20), { ...P(100, PAUSE), replicas: '100%' })).toEqual([0]);
    expect(at({ ...P(50, PAUSE), replicas: '100%' }, P(100, PAUSE))).toEqual([0, 1]);
  });

  it('jump over a step at least, and back from the first pause after the first one, since 0.6', () => {
    const jumps = (steps: readonly object[], version?: KruiseRolloutVersion) =>
      storiesOf(stack({ steps }), version).flatMap(({ name, actions }) =>
        name.startsWith('jump') ? [`${name} ${JSON.stringify(actions[2])}`] : [],
      );
    expect(jumps([P(20, PAUSE), P(50)])).toEqual([]);
    expect(jumps([P(20, PAUSE), P(50), P(60)])).toEqual(['jump-forward@0 {"jump":3}']);
    expect(jumps([P(20), P(50, PAUSE), P(60)])).toEqual([]);
    expect(jumps([P(20), P(50, PAUSE), P(60, PAUSE), P(70, PAUSE)])).toEqual([
      'jump-forward@1 {"jump":4}',
      'jump-back@2 {"jump":2}',
    ]);
    expect(jumps([P(20, PAUSE), P(50, PAUSE), P(60)], V0_5_5)).toEqual([]);
  });

  it('scale to twice the pods, but no DaemonSet', () => {
    const named = (kind: string) => ({ workloadRef: { apiVersion: 'apps.kruise.io/v1alpha1', kind, name: 'web' } });
    const scaled = (...args: Parameters<typeof storiesOf>) => actionsOf('scale@0', ...args)?.[2];
    expect(scaled([rollout(), deployment({ replicas: 3 })])).toEqual({ scale: 6 });
    expect(scaled([rollout()])).toEqual({ scale: 200 });
    expect(scaled([rollout(named('CloneSet'))])).toEqual({ scale: 200 });
    expect(scaled([rollout(named('DaemonSet'))])).toBeUndefined();
    expect(scaled([rollout({ workloadRef: 'web' as never })])).toEqual({ scale: 200 });
  });

  it('scale to the most that the autoscaler allows, except in blue-green style', () => {
    const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
    const hpa = object('autoscaling/v2', 'HorizontalPodAutoscaler', { scaleTargetRef, minReplicas: 2, maxReplicas: 9 });
    expect(actionsOf('hpa@0', [...stack(), hpa])).toEqual([RELEASE, until(1), { scale: 9 }, 'finish']);
    expect(namesOf([...stack(), hpa])).toContain('hpa@0');
    expect(namesOf([...stack(PARTITION), hpa])).toContain('hpa@0');
    expect(namesOf([...stack({ blueGreen: true }), hpa])).not.toContain('hpa@0');
    expect(namesOf(stack())).not.toContain('hpa@0');
  });

  it.each<[traffic: unknown, half: string | undefined]>([
    ['20%', '10%'],
    ['25%', '12%'],
    ['2%', '1%'],
    ['1%', undefined],
    ['0%', undefined],
    [20, undefined],
    ['x', undefined],
    [undefined, undefined],
  ])('halve the traffic of a step of %j: %s', (traffic, half) => {
    const steps = [{ replicas: '10%' }, { traffic, replicas: '20%', pause: {} }, P(100)];
    const edit = actionsOf('edit-step@1', stack({ steps }))?.[2];
    const edited = { steps: [steps[0], { traffic: half, replicas: '20%', pause: {} }, steps[2]] };
    expect(edit).toEqual(
      half === undefined
        ? undefined
        : { patch: expect.objectContaining({ with: { spec: { strategy: { canary: edited } } } }) },
    );
  });

  it('edit steps of blue-green style where they are, and no weights of v1alpha1', () => {
    const edit = actionsOf('edit-step@0', stack({ blueGreen: true, steps: [P(20)] }))?.[2];
    expect(edit).toMatchObject({ patch: { with: { spec: { strategy: { blueGreen: { steps: [P(10)] } } } } } });
    expect(namesOf([rolloutV1alpha1({ steps: [{ weight: 20 }] })])).not.toContain('edit-step@0');
  });

  it.each<[what: string, route: object | null, ref: string | undefined]>([
    ['an Ingress', { ingress: { name: 'a' }, gateway: { httpRouteName: 'b' } }, 'networking.k8s.io/v1 Ingress a'],
    ['an HTTPRoute', { gateway: { httpRouteName: 'b' } }, 'gateway.networking.k8s.io/v1 HTTPRoute b'],
    [
      'a custom object',
      { customNetworkRefs: [{ apiVersion: 'x/v1', kind: 'Y', name: 'c' }], ingress: { name: 'a' } },
      'x/v1 Y c',
    ],
    ['nothing of a route without one', {}, undefined],
    ['nothing without a route', null, undefined],
  ])('edit %s', (_, route, ref) => {
    const edit = actionsOf('edit-route@0', stack({ route: route === null ? null : { service: 'web', ...route } }))?.[2];
    const { apiVersion, kind, name } = (edit as { patch?: Record<string, string> } | undefined)?.patch ?? {};
    expect(edit === undefined ? undefined : `${apiVersion} ${kind} ${name}`).toBe(ref);
  });

  it('sync what the controller rewrites in place, as it is declared', () => {
    const place = { apiVersion: 'networking.istio.io/v1', kind: 'VirtualService' };
    const declared = { metadata: { annotations: { team: 'web' } }, spec: { hosts: ['shop.example.com'] } };
    const metadata = { name: 'web', namespace: 'shop', labels: { app: 'web' }, ...declared.metadata };
    const route = {
      service: 'web',
      customNetworkRefs: [{ ...place, name: 'web' }],
      gateway: { httpRouteName: 'not-in-the-stack' },
    };
    const objects = [...stack({ route }), { ...place, metadata, spec: declared.spec }];
    expect(actionsOf('sync@0', objects)?.slice(2)).toEqual([
      { patch: { ...place, name: 'web', with: declared } },
      'finish',
    ]);
    expect(namesOf(stack({ route }))).not.toContain('sync@0');
    const live = { ...place, metadata: { ...metadata, resourceVersion: '7' }, spec: declared.spec };
    expect(namesOf([...stack({ route }), live])).not.toContain('sync@0');
  });

  it('sync the fields of the workload that the controller holds, except in canary style', () => {
    const withSpec = (fields: object) => (each: object) => {
      const { kind, spec } = each as { kind: string; spec: object };
      return kind === 'Deployment' ? { ...each, spec: { ...spec, ...fields } } : each;
    };
    const strategy = { rollingUpdate: { maxUnavailable: '25%' } };
    expect(namesOf(stack().map(withSpec({ strategy })))).not.toContain('sync@0');
    expect(namesOf(stack(PARTITION))).not.toContain('sync@0');
    expect(
      actionsOf('sync@0', stack(PARTITION).map(withSpec({ strategy, revisionHistoryLimit: 3 })))?.slice(2),
    ).toEqual([
      { patch: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', with: { spec: { strategy } } } },
      'finish',
    ]);
  });
});
