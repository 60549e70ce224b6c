/** What happens when a change is merged: what docs/diff.md says, from two Worlds. */
import { describe, expect, it } from 'vitest';
import { mergeEffects as ofArgo } from '../../src/argo/merge';
import { ArgoRolloutsVersion } from '../../src/argo/version';
import { Manifest, World } from '../../src/core';
import type { MergeEffect } from '../../src/core/stack-diff';
import { mergeEffects } from '../../src/kruise/merge';
import { KruiseRolloutVersion } from '../../src/kruise/version';

interface Parts {
  readonly image?: string;
  readonly rollout?: object | null;
  readonly name?: string;
  readonly spec?: object;
  readonly deployment?: object;
  readonly metadata?: object;
  readonly container?: object;
  readonly strategy?: object;
  readonly more?: readonly object[];
}

const STEPS = [
  { traffic: '20%', replicas: '20%' },
  { traffic: '100%', replicas: '100%' },
];

function deployment({ image = 'web:1', deployment: spec, metadata, container }: Parts): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', ...metadata },
    spec: {
      replicas: 4,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image, ...container }] } },
      ...spec,
    },
  };
}

function rollout({ name = 'web', spec, strategy }: Parts): object {
  return {
    apiVersion: 'rollouts.kruise.io/v1beta1',
    kind: 'Rollout',
    metadata: { name, namespace: 'shop' },
    spec: {
      workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      strategy: strategy ?? { canary: { enableExtraWorkloadForCanary: true, steps: STEPS } },
      ...spec,
    },
  };
}

function worldOf(parts: Parts): World {
  const objects = [deployment(parts), ...(parts.rollout === null ? [] : [rollout(parts)]), ...(parts.more ?? [])];
  return World.of(objects.map((object) => Manifest.of(object)));
}

const merged = (before: Parts, after: Parts, version = KruiseRolloutVersion.LATEST) =>
  mergeEffects(worldOf(before), worldOf(after), { kruiseVersion: version });
const kinds = (effects: readonly MergeEffect[]) => effects.map(({ kind, severity }) => `${severity} ${kind}`);
const NEW = { image: 'web:2' };

describe('a merge with Rollouts of Kruise', () => {
  it('starts a release for new pods, and says which field', () => {
    const [effect, ...others] = merged({}, NEW);
    expect(others).toEqual([]);
    expect(effect).toMatchObject({
      kind: 'starts-release',
      severity: 'note',
      message: expect.stringContaining('image of container web changes from "web:1" to "web:2"'),
      path: 'spec.template.spec.containers[0].image',
      object: { kind: 'Deployment', name: 'web' },
      rollout: { kind: 'Rollout', name: 'web' },
    });
    expect(effect!.message).toContain('a release of 2 steps starts');
  });

  it.each<[string, Parts]>([
    ['an environment variable', { container: { env: [{ name: 'A', value: '1' }] } }],
    ['an annotation of the pods', { deployment: { template: { metadata: { annotations: { a: 'b' } } } } }],
    ['another release id', { metadata: { annotations: { 'rollouts.kruise.io/rollout-id': '2' } } }],
  ])('starts one for %s', (_, after) => {
    expect(kinds(merged({}, after))).toEqual(['note starts-release']);
  });

  it.each<[string, Parts]>([
    ['nothing', {}],
    ['another number of pods', { deployment: { replicas: 0 } }],
    ['minReadySeconds', { deployment: { minReadySeconds: 5 } }],
    ['labels of the Deployment', { metadata: { labels: { team: 'a' } } }],
    [
      'the label that controllers add',
      {
        deployment: {
          template: {
            metadata: { labels: { app: 'web', 'pod-template-hash': 'x' } },
            spec: { containers: [{ name: 'web', image: 'web:1' }] },
          },
        },
      },
    ],
    ['defaults that are written', { container: { imagePullPolicy: 'IfNotPresent', terminationMessagePolicy: 'File' } }],
  ])('starts none for %s', (_, after) => {
    expect(merged({}, after)).toEqual([]);
  });

  it('compares quantities, not their text', () => {
    const of = (cpu: string | number) => ({ container: { resources: { limits: { cpu } } } });
    expect(merged(of('1000m'), of(1))).toEqual([]);
    const [effect] = merged(of('500m'), of('1'));
    expect(effect!.message).toContain('resources.limits.cpu of container web changes from "500m" to "1"');
    expect(effect!.message).not.toContain('requests');
  });

  it('is a plain rolling update where the Rollout comes with the new image', () => {
    const [effect, ...others] = merged({ rollout: null }, NEW);
    expect(others).toEqual([]);
    expect(effect).toMatchObject({
      kind: 'no-canary',
      severity: 'warning',
      fix: expect.stringContaining('Rollout alone'),
    });
    expect(effect!.because).toContain('rollouts.kruise.io/workload-type');
    // Alone it starts nothing, and the next merge is a release.
    expect(kinds(merged({ rollout: null }, {}))).toEqual(['note no-release']);
  });

  it.each<[string, Parts, Parts, string]>([
    ['replicas 0', {}, { ...NEW, deployment: { replicas: 0 } }, 'sets replicas to 0'],
    [
      'a label that is dropped',
      { metadata: { labels: { 'rollouts.kruise.io/workload-type': 'deployment' } } },
      NEW,
      'drops the label',
    ],
    [
      'a replace by Argo CD',
      {},
      { ...NEW, metadata: { annotations: { 'argocd.argoproj.io/sync-options': 'Force=true, Replace=true' } } },
      'Replace=true',
    ],
    [
      'an Application that replaces',
      {},
      {
        ...NEW,
        more: [
          {
            apiVersion: 'argoproj.io/v1alpha1',
            kind: 'Application',
            metadata: { name: 'shop', namespace: 'argocd' },
            spec: { destination: { namespace: 'shop' }, syncPolicy: { syncOptions: ['Replace=true'] } },
          },
        ],
      },
      'Application argocd/shop',
    ],
  ])('passes the Rollout with %s', (_, before, after, why) => {
    const effects = merged(before, after);
    expect(kinds(effects)).toEqual(['warning bypass']);
    expect(effects[0]!.message).toContain(why);
  });

  it('does not ask for the label where the controller sets none', () => {
    const replace = { ...NEW, metadata: { annotations: { 'argocd.argoproj.io/sync-options': 'Replace=true' } } };
    expect(kinds(merged({}, replace, KruiseRolloutVersion.of('0.3.0')))).toEqual(['note starts-release']);
  });

  it('says which edits the webhook refuses while a release is in progress', () => {
    const more = { strategy: { canary: { enableExtraWorkloadForCanary: true, steps: [...STEPS, STEPS[1]!] } } };
    const [effect, ...others] = merged({}, more);
    expect(others).toEqual([]);
    expect(effect).toMatchObject({ kind: 'refused', severity: 'note', path: 'spec.strategy.canary.steps' });
    expect(effect!.message).toContain(
      'changes from 2 steps to 3; while a release is in progress the webhook refuses this',
    );
    // With new pods in the same merge it is no question of luck.
    expect(kinds(merged({}, { ...more, ...NEW }))).toEqual(['note starts-release', 'warning refused']);
  });

  it('says that an edit is never applied which the webhook refuses at any time', () => {
    const steps = [{ traffic: '0%', replicas: '20%' }, STEPS[1]];
    const effects = merged({}, { strategy: { canary: { enableExtraWorkloadForCanary: true, steps } } });
    expect(kinds(effects)).toEqual(['warning refused']);
    expect(effects[0]!.message).toBe(
      'the edit of Rollout shop/web is not applied: it is refused, whether a release is in progress or not',
    );
  });

  it('takes defaults that both sides leave out for no edit', () => {
    const trafficRoutings = [{ service: 'web', ingress: { name: 'web', classType: 'nginx' } }];
    const routed = (steps: object) => ({
      strategy: { canary: { enableExtraWorkloadForCanary: true, trafficRoutings, steps } },
    });
    const other = [{ traffic: '30%', replicas: '20%' }, STEPS[1]];
    expect(kinds(merged(routed(STEPS), routed(other)))).toEqual(['note reroutes']);
  });

  it('says that an edit of a step reaches a release that waits there', () => {
    const [first, ...rest] = STEPS;
    const steps = [{ ...first!, traffic: '30%' }, ...rest];
    const [effect] = merged({}, { strategy: { canary: { enableExtraWorkloadForCanary: true, steps } } });
    expect(effect).toMatchObject({ kind: 'reroutes', severity: 'note', path: 'spec.strategy.canary.steps[0]' });
    expect(effect!.message).toContain('step 1');
  });

  it('says what becomes of a release in progress when its Rollout goes or is disabled', () => {
    expect(kinds(merged({}, { rollout: null }))).toEqual(['warning ends-release']);
    expect(kinds(merged({}, { rollout: null, ...NEW }))).toEqual(['warning ends-release', 'warning no-canary']);
    expect(kinds(merged({}, { spec: { disabled: true } }))).toEqual(['warning ends-release']);
    expect(kinds(merged({}, { spec: { disabled: true }, ...NEW }))).toEqual([
      'warning no-canary',
      'warning ends-release',
    ]);
  });

  it('says that another name is refused until the old Rollout is gone', () => {
    const effects = merged({}, { name: 'web-rollout' });
    expect(kinds(effects)).toEqual(['note no-release', 'warning refused', 'warning ends-release']);
    expect(effects[1]!.message).toContain('already has the Rollout "web"');
  });

  it('says that a new workload comes without steps', () => {
    const base = World.of([]);
    expect(kinds(mergeEffects(base, worldOf({})))).toEqual(['note no-release']);
  });

  it('sees an annotation that only the controller may write', () => {
    const written = { metadata: { annotations: { 'rollouts.kruise.io/in-progressing': '{}' } } };
    expect(kinds(merged({}, written))).toEqual(['warning reroutes']);
  });
});

describe('a merge with Rollouts of Argo', () => {
  const argo = (image: string, steps: readonly object[] = [{ setWeight: 20 }, { pause: {} }], spec: object = {}) => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } },
      strategy: { canary: { steps } },
      ...spec,
    },
  });
  const world = (...objects: readonly object[]) => World.of(objects.map((object) => Manifest.of(object)));
  const ends = (before: World, after: World) => kinds(ofArgo(before, after));

  it('starts a release for new pods, and begins again with other steps', () => {
    expect(ends(world(argo('web:1')), world(argo('web:2')))).toEqual(['note starts-release']);
    expect(ends(world(argo('web:1')), world(argo('web:1', [{ setWeight: 30 }])))).toEqual(['note reroutes']);
    expect(ends(world(argo('web:1')), world(argo('web:1')))).toEqual([]);
  });

  it('warns of a way back that changes the number of pods, too', () => {
    const canary = { canaryService: 'new', stableService: 'old', trafficRouting: { alb: { ingress: 'web' } } };
    const routed = (image: string, replicas: number, more: object = {}) =>
      world(argo(image, [], { replicas, strategy: { canary: { ...canary, steps: [{ setWeight: 20 }], ...more } } }));
    const effects = ofArgo(routed('web:2', 10), routed('web:1', 8));
    expect(kinds(effects)).toEqual(['note starts-release', 'note reroutes']);
    expect(effects[1]).toMatchObject({ path: 'spec.replicas' });
    expect(effects[1]!.message).toMatch(
      /from 10 to 8: .* as few as 2 pods at first, and after an abort the roll-back never ends$/,
    );
    const [, later] = ofArgo(routed('web:2', 10), routed('web:1', 8), { argoVersion: ArgoRolloutsVersion.V1_10_2 });
    expect(later!.message).toMatch(/as few as 2 pods at first$/);
    const [, kept] = ofArgo(routed('web:2', 10), routed('web:1', 8, { abortScaleDownDelaySeconds: 0 }));
    expect(kept!.message).toMatch(/as few as 2 pods at first$/);
    // Nothing is lost where the step has as many pods as there were, or where no router sends requests.
    expect(ends(routed('web:2', 2), routed('web:1', 10))).toEqual(['note starts-release']);
    expect(ends(world(argo('web:2', undefined, { replicas: 4 })), world(argo('web:1')))).toEqual([
      'note starts-release',
    ]);
  });

  it('reads the pods of the workload that it refers to', () => {
    const referring = argo('', undefined, {
      template: undefined,
      workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    });
    const [effect] = ofArgo(world(referring, deployment({})), world(referring, deployment(NEW)));
    expect(effect).toMatchObject({ kind: 'starts-release', object: { kind: 'Deployment' } });
    expect(effect!.path).toBe('spec.template.spec.containers[0].image');
  });

  it('skips the steps for the first pods, which is no canary where other pods run', () => {
    expect(ends(world(), world(argo('web:1')))).toEqual(['note no-release']);
    expect(ends(world(deployment({})), world(argo('web:1')))).toEqual(['note no-release']);
    expect(ends(world(deployment({})), world(argo('web:2')))).toEqual(['warning no-canary']);
  });

  it('takes the pods along when it goes', () => {
    expect(ends(world(argo('web:1')), world())).toEqual(['warning ends-release']);
  });
});
