/** What a merge does to the Rollouts of Kruise: each effect with its place and its message, and the near misses. */
import { describe, expect, it } from 'vitest';
import { Manifest, parseManifests, World } from '../../src/core';
import { mergeEffects } from '../../src/kruise/merge';
import type { MergeOptions } from '../../src/kruise/merge/options';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { deployment as deploymentOf, object, rollout, rolloutV1alpha1 } from './rules/stack';

const { V0_3_0, V0_5_5 } = KruiseRolloutVersion;

const deployment = (image = 'a:1', spec: object = {}, metadata: object = {}) =>
  deploymentOf({ template: { spec: { containers: [{ name: 'web', image }] } }, ...spec }, metadata);
const worldOf = (objects: readonly object[]) => World.of(objects.map((each) => Manifest.of(each)));
const effects = (base: readonly object[], head: readonly object[], options?: MergeOptions) =>
  mergeEffects(worldOf(base), worldOf(head), options);
/** `severity kind object path: message | fix` */
const lines = (...args: Parameters<typeof effects>) =>
  effects(...args).map(({ severity, kind, object: { kind: of, name }, path, message, fix }) =>
    [
      `${severity} ${kind} ${of} ${name}${path === undefined ? '' : ` ${path}`}: ${message}`,
      ...(fix === undefined ? [] : [fix]),
    ].join(' | '),
  );

const IMAGE = 'spec.template.spec.containers[0].image';
const WHAT = 'image of container web changes from "a:1" to "a:2"';
const plain = rollout({ route: null });
const off = (disabled: unknown) => ({ ...plain, spec: { ...plain.spec, disabled } });
const STARTS = `note starts-release Deployment web ${IMAGE}: a release of 2 steps starts: Deployment shop/web gets new pods (${WHAT})`;
const noCanary = (why: string, fix: string) =>
  `warning no-canary Deployment web ${IMAGE}: Deployment shop/web replaces all pods without a canary, because ${why} (${WHAT}) | ${fix}`;
const ENDS =
  'if a release is in progress when it is deleted, all users get the new version | wait for the end of the release, or roll it back first';

describe('new pods', () => {
  const merged = (before: object, after: object, more: readonly object[] = [], options?: MergeOptions) =>
    lines([plain, before], [plain, after, ...more], options);

  it('start a release', () => {
    expect(merged(deployment(), deployment('a:2'))).toEqual([STARTS]);
    expect(effects([plain, deployment()], [plain, deployment('a:2')])).toStrictEqual([
      {
        kind: 'starts-release',
        severity: 'note',
        message: `a release of 2 steps starts: Deployment shop/web gets new pods (${WHAT})`,
        because:
          'the webhook pauses the workload, and the controller goes through the steps of Rollout shop/web; a release in progress is given up, and its steps begin again with these pods',
        rollout: Manifest.of(plain).ref,
        object: Manifest.of(deployment()).ref,
        path: IMAGE,
      },
    ]);
  });

  it('start one of one step, and one that waits', () => {
    const one = rollout({ route: null, steps: [{ replicas: 1 }] });
    expect(lines([one, deployment()], [one, deployment('a:2')])[0]).toContain('a release of 1 step starts: ');
    const paused = { ...plain, spec: { ...plain.spec, strategy: { ...plain.spec.strategy, paused: true } } };
    expect(lines([paused, deployment()], [paused, deployment('a:2')])).toEqual([
      `${STARTS}; it waits before its first step, because spec.strategy.paused is true`,
    ]);
  });

  it('are held back in blue-green style', () => {
    const blueGreen = rollout({ route: null, blueGreen: true });
    const [effect] = effects([blueGreen, deployment()], [blueGreen, deployment('a:2')]);
    expect(effect!.because).toMatch(
      /; while another release is in progress, the controller waits until somebody rolls it back$/,
    );
  });

  it('have a source where the manifest has one', () => {
    const text = (image: string) =>
      `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web, namespace: shop }\nspec:\n  template:\n    spec:\n      containers:\n        - name: web\n          image: ${image}\n`;
    const world = (image: string) =>
      World.of([Manifest.of(plain), ...parseManifests(text(image), 'web.yaml').manifests]);
    const [effect] = mergeEffects(world('a:1'), world('a:2'));
    expect(effect!.source).toMatchObject({ file: 'web.yaml', line: 9 });
  });

  const LABEL = 'rollouts.kruise.io/workload-type';
  const SYNC = 'argocd.argoproj.io/sync-options';
  const sync = (options: string) => deployment('a:2', {}, { annotations: { [SYNC]: options } });
  const bypass = (why: string, fix: string) => noCanary(why, fix).replace('no-canary', 'bypass');
  const REPLACED = 'sync without Replace=true, so that the label stays; ServerSideApply=true applies large objects too';
  const application = (syncOptions: readonly string[], namespace = 'shop') => ({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'app', namespace: 'argocd' },
    spec: { destination: { namespace }, syncPolicy: { syncOptions } },
  });
  const DROPS = bypass(
    `it drops the label ${LABEL}`,
    'keep the label in the manifest, or drop it in another merge than the pods',
  );
  const ID = 'rollouts.kruise.io/rollout-id';
  const identified = (image: string, id: string) => deployment(image, {}, { annotations: { [ID]: id } });
  const labelled = (image?: string) => deployment(image, {}, { labels: { [LABEL]: 'deployment' } });

  it.each<[what: string, before: object, after: object, more: readonly object[], expected: string]>([
    [
      'with replicas 0',
      deployment(),
      deployment('a:2', { replicas: 0 }),
      [],
      bypass('the same change sets replicas to 0', 'change replicas in another merge than the pods'),
    ],
    ['with one replica', deployment(), deployment('a:2', { replicas: 1 }), [], STARTS],
    ['without the label, which was there', labelled(), deployment('a:2'), [], DROPS],
    ['with the label', labelled(), labelled('a:2'), [], STARTS],
    ['with a new label', deployment(), labelled('a:2'), [], STARTS],
    [
      'with the same release id',
      identified('a:1', '1'),
      identified('a:2', '1'),
      [],
      bypass(`the annotation ${ID} stays "1"`, 'remove the annotation, or change the id in the same merge'),
    ],
    ['without the release id, which was there', identified('a:1', '1'), deployment('a:2'), [], STARTS],
    ['with an empty release id', identified('a:1', ''), identified('a:2', ''), [], STARTS],
    [
      'replaced by an annotation',
      deployment(),
      sync('Replace=true'),
      [],
      bypass(`the annotation ${SYNC} has Argo CD replace it (Replace=true)`, REPLACED),
    ],
    [
      'replaced by one of several options',
      deployment(),
      sync('Prune=false , Replace=true'),
      [],
      bypass(`the annotation ${SYNC} has Argo CD replace it (Replace=true)`, REPLACED),
    ],
    ['with other options', deployment(), sync('Prune=false'), [], STARTS],
    [
      'replaced by an Application',
      deployment(),
      deployment('a:2'),
      [application(['Replace=true'])],
      bypass('Application argocd/app has Argo CD replace it (Replace=true)', REPLACED),
    ],
    ['with an Application of other options', deployment(), deployment('a:2'), [application(['Prune=true'])], STARTS],
    [
      'with an Application elsewhere',
      deployment(),
      deployment('a:2'),
      [application(['Replace=true'], 'other')],
      STARTS,
    ],
    [
      'not replaced, unlike the rest of the Application',
      deployment(),
      sync('Replace=false'),
      [application(['Replace=true'])],
      STARTS,
    ],
  ])('pass or not: %s', (_, before, after, more, expected) => {
    expect(merged(before, after, more)).toEqual([expected]);
  });

  it('need no label in a release that sets none', () => {
    const old = rolloutV1alpha1({ steps: [{ weight: 20 }, { weight: 50 }] });
    const options = { kruiseVersion: V0_3_0 };
    expect(lines([old, labelled()], [old, deployment('a:2')], options)).toEqual([STARTS]);
    expect(lines([old, deployment()], [old, sync('Replace=true')], options)).toEqual([STARTS]);
    expect(lines([old, deployment()], [old, deployment('a:2', { replicas: 0 })], options)[0]).toContain('bypass');
  });

  it('come without a canary where the Rollout is disabled, new, or enabled with them', () => {
    const ENABLE = 'enable the Rollout first, and merge the new pods afterwards';
    const ALONE = 'merge the Rollout alone; merge the new pods when the workload has its label';
    expect(lines([off(true), deployment()], [off(true), deployment('a:2')])).toEqual([
      noCanary('Rollout shop/web is disabled', ENABLE),
    ]);
    expect(lines([deployment()], [plain, deployment('a:2')])).toEqual([
      noCanary('Rollout shop/web comes with the same change', ALONE),
    ]);
    expect(lines([off(true), deployment()], [off(false), deployment('a:2')])).toEqual([
      noCanary('Rollout shop/web is enabled with the same change', ALONE),
    ]);
    expect(lines([off(false), deployment()], [off(false), deployment('a:2')])).toEqual([STARTS]);
  });

  it('are the first ones of a new workload, whose Rollout may be new too', () => {
    const first =
      'note no-release Deployment web: Deployment shop/web is new: its first pods come at once, without steps';
    expect(lines([plain], [plain, deployment()])).toEqual([first]);
    expect(lines([], [plain, deployment()])).toEqual([first]);
    expect(lines([], [plain])).toEqual([]);
    expect(lines([deployment()], [plain, deployment()])).toEqual([
      'note no-release Deployment web: Rollout shop/web is new, and the pods of Deployment shop/web stay as they are: no release starts',
    ]);
  });
});

describe('annotations of the workload', () => {
  const annotated = (annotations?: object) => deployment('a:1', {}, annotations === undefined ? {} : { annotations });
  const ID = 'rollouts.kruise.io/rollout-id';
  const IN = 'rollouts.kruise.io/in-progressing';
  const merged = (before: object | undefined, after: object | undefined) =>
    lines([plain, annotated(before)], [plain, annotated(after)]);
  const STARTED = `note starts-release Deployment web metadata.annotations["${ID}"]: a release starts without new pods: Deployment shop/web has another ${ID}`;
  const PAUSED = `warning reroutes Deployment web metadata.annotations["${IN}"]: Deployment shop/web is paused, because the annotation ${IN} is written by hand | leave the annotation to the controller`;

  it.each<[before: object | undefined, after: object | undefined, expected: readonly string[]]>([
    [undefined, { [ID]: '1' }, [STARTED]],
    [{ [ID]: '1' }, { [ID]: '2' }, [STARTED]],
    [{ [ID]: '1' }, { [ID]: '1' }, []],
    [{ [ID]: '1' }, undefined, []],
    [undefined, { [IN]: '{}' }, [PAUSED]],
    [{ [IN]: '{}' }, { [IN]: '{}' }, []],
    [{ [IN]: '{}' }, undefined, []],
    [undefined, { [IN]: '{}', [ID]: '1' }, [STARTED, PAUSED]],
    [undefined, { other: '1' }, []],
  ])('from %j to %j', (before, after, expected) => {
    expect(merged(before, after)).toEqual(expected);
  });
});

describe('an edit of the Rollout', () => {
  const STEPS = [
    { traffic: '20%', replicas: '20%' },
    { traffic: '50%', replicas: '50%' },
  ];
  const of = (steps: readonly object[], options: object = {}) => rollout({ route: null, steps, ...options });
  const merged = (before: object, after: object, options?: MergeOptions) =>
    lines([before, deployment()], [after, deployment()], options);
  const REFUSED =
    'warning refused Rollout web spec: the edit of Rollout shop/web is not applied: it is refused, whether a release is in progress or not | correct what the findings of the Rollout say';
  const reroutes = (step: number) =>
    `note reroutes Rollout web spec.strategy.canary.steps[${step}]: a release that waits at step ${step + 1} of Rollout shop/web takes the new step at once`;
  const locked = (path: string, text: string) =>
    `note refused Rollout web ${path}: Rollout shop/web: ${path} ${text}; while a release is in progress the webhook refuses this | merge it when no release is in progress`;

  it.each<[what: string, before: object, after: object, expected: readonly string[]]>([
    ['of nothing', of(STEPS), of(STEPS), []],
    ['of its metadata', of(STEPS), of(STEPS, { annotations: { a: 'b' } }), []],
    ['of the first step', of(STEPS), of([{ traffic: '30%', replicas: '20%' }, STEPS[1]!]), [reroutes(0)]],
    ['of both steps', of(STEPS), of([{ replicas: '20%' }, { replicas: '50%' }]), [reroutes(0), reroutes(1)]],
    ['that the webhook always refuses', of(STEPS), of([{ traffic: '0%', replicas: '20%' }]), [REFUSED]],
    ['that the API server refuses', of(STEPS), of([{ traffic: 20, replicas: '20%' }]), [REFUSED]],
    [
      'of the number of steps',
      of(STEPS),
      of([...STEPS, STEPS[1]!]),
      [locked('spec.strategy.canary.steps', 'changes from 2 steps to 3')],
    ],
    [
      'of several locked fields',
      of(STEPS),
      of(STEPS.slice(1), { strategy: { enableExtraWorkloadForCanary: false } }),
      [
        locked(
          'spec.strategy.canary',
          'changes from canary with enableExtraWorkloadForCanary to canary without enableExtraWorkloadForCanary',
        ),
        locked('spec.strategy.canary.steps', 'changes from 2 steps to 1'),
      ],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(merged(before, after)).toEqual(expected);
  });

  describe('of the pods of a step, or of their number', () => {
    const ten = deployment('a:1', { replicas: 10 });
    const changed = (before: object, after: object, options?: MergeOptions) =>
      lines([before, ten], [after, ten], options);
    const moved = (step: number, at: number, what: string, fix: string) =>
      `warning reroutes Rollout web spec.strategy.canary.steps[${at}]: a release that waits at step ${step + 1} of Rollout shop/web ${what} | ${fix}`;
    const LATER = 'merge it when no release is in progress';

    it('can move a release that waits there', () => {
      const fewer = [{ ...STEPS[0]!, replicas: '10%' }, STEPS[1]!];
      const kept = 'keep the replicas of step 1, and change its traffic alone';
      expect(changed(of(STEPS), of(fewer))).toEqual([
        moved(0, 0, 'goes on to step 2, and nobody has approved it', kept),
      ]);
    });

    it('moves it back before 0.6, where an earlier step has as many pods', () => {
      const first = [
        { traffic: '5%', replicas: 2 },
        { traffic: '20%', replicas: 2 },
      ];
      const equal = (traffic: string) => of([...first, { traffic, replicas: 3 }]);
      expect(changed(equal('50%'), equal('60%'))).toEqual([reroutes(2)]);
      expect(changed(equal('50%'), equal('60%'), { kruiseVersion: V0_5_5 })).toEqual([
        moved(1, 1, 'goes back to step 1', LATER),
        reroutes(2),
      ]);
      expect(changed(of(STEPS), of(STEPS.slice(0, 1)), { kruiseVersion: V0_5_5 })).toEqual([
        moved(1, 0, 'goes back to step 1', LATER),
      ]);
    });

    it('makes the controller of 0.6.0 and 0.6.1 panic, where v1alpha1 lets a step go', () => {
      const old = (...weights: number[]) => rolloutV1alpha1({ steps: weights.map((weight) => ({ weight })) });
      const panicked = (version: string) =>
        changed(old(20, 50), old(20), { kruiseVersion: KruiseRolloutVersion.of(version) }).filter((line) =>
          line.includes('panic'),
        );
      expect(panicked('0.6.1')).toEqual([
        'warning reroutes Rollout web spec.strategy.canary.steps: a release that waits at step 2 of Rollout shop/web makes the controller panic, for all Rollouts | merge it when no release is in progress',
      ]);
      expect([panicked('0.5.5'), panicked('0.6.2')]).toEqual([[], []]);
    });
  });

  it('depends on the flag and on the release', () => {
    const partition = (percent: number) =>
      of([{ traffic: '20%', replicas: `${percent}%` }], { strategy: { enableExtraWorkloadForCanary: false } });
    expect(merged(partition(20), partition(60))).toEqual([REFUSED]);
    expect(merged(partition(20), partition(60), { partitionPercentLimit: 60 })).toEqual([reroutes(0)]);
    expect(merged(partition(20), partition(60), { kruiseVersion: V0_5_5 })).toEqual([reroutes(0)]);
  });

  it('that disables it ends a release, once', () => {
    const disabled =
      'warning ends-release Rollout web spec.disabled: Rollout shop/web is disabled: if a release is in progress, all users get the new version | wait for the end of the release, or roll it back first';
    expect(merged(plain, off(true))).toEqual([disabled]);
    expect(merged(off(false), off(true))).toEqual([disabled]);
    const edited = { ...off(true), spec: { ...off(true).spec, strategy: of(STEPS).spec.strategy } };
    expect(merged(off(true), edited)).toEqual([]);
    expect(merged(off(true), off(false))).toEqual([]);
  });

  it('that comes with new pods is refused for sure', () => {
    const path = 'spec.strategy.canary.steps';
    expect(lines([of(STEPS), deployment()], [of([...STEPS, STEPS[1]!]), deployment('a:2')])[1]).toBe(
      `warning refused Rollout web ${path}: the same merge starts a release and edits Rollout shop/web: ${path} changes from 2 steps to 3, which the webhook refuses once the release is in progress | merge the edit of the Rollout first, and the new pods afterwards`,
    );
  });

  it('in another version of the API is compared in that version', () => {
    const old = (weight: number) => ({
      ...rolloutV1alpha1({
        steps: [
          { weight, replicas: '20%' },
          { weight: 50, replicas: '50%' },
        ],
      }),
    });
    expect(merged(old(20), of(STEPS))).toEqual([reroutes(0), reroutes(1)]);
    const routed = rollout({ steps: STEPS, route: { service: 'web', ingress: { name: 'web' } } });
    expect(merged(old(20), routed)).toEqual([locked('spec.strategy.canary.trafficRoutings', 'changes')]);
    expect(merged(routed, old(20)).map((line) => line.split(':')[0])).toEqual([
      'note refused Rollout web spec.strategy.canary.trafficRoutings',
      'note refused Rollout web metadata.annotations["rollouts.kruise.io/rolling-style"]',
    ]);
  });
});

describe('a Rollout that goes', () => {
  const GOES = `warning ends-release Rollout web: Rollout shop/web goes: ${ENDS}`;
  const PODS = `warning no-canary Deployment web ${IMAGE}: Deployment shop/web replaces all pods without a canary, because its Rollout goes with the same change (${WHAT})`;

  it('ends a release, and leaves new pods without a canary', () => {
    expect(lines([plain, deployment()], [deployment()])).toEqual([GOES]);
    expect(lines([plain, deployment()], [])).toEqual([GOES]);
    expect(lines([plain], [deployment('a:2')])).toEqual([GOES]);
    expect(lines([plain, deployment()], [deployment('a:2')])).toEqual([GOES, PODS]);
    expect(lines([rollout({ route: null, workloadRef: 'web' as never }), deployment()], [deployment('a:2')])).toEqual([
      GOES,
    ]);
  });

  it('for another one of the workload keeps the canary, but is in its way', () => {
    const other = rollout({ route: null, name: 'second' });
    const found = lines([plain, deployment()], [other, deployment('a:2')]);
    expect(found.map((line) => line.split(':')[0])).toEqual([
      `warning no-canary Deployment web ${IMAGE.split(':')[0]}`,
      'warning refused Rollout second spec.workloadRef',
      'warning ends-release Rollout web',
    ]);
    expect(found[1]).toBe(
      'warning refused Rollout second spec.workloadRef: the webhook refuses Rollout shop/second as long as the old one exists: Deployment "web" already has the Rollout "web" | keep the name, or have the old Rollout deleted first',
    );
  });

  it('of another workload, or of another namespace, is in nobody’s way', () => {
    const other = rollout({
      route: null,
      name: 'second',
      workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'api' },
    });
    expect(lines([plain, deployment()], [other, deployment('a:2')])).toEqual([GOES, PODS]);
    const elsewhere = rollout({ route: null, name: 'second', namespace: 'other' });
    expect(lines([plain, deployment()], [elsewhere, deployment('a:2')])).toEqual([GOES, PODS]);
  });

  it('is not the one that is in the way of a third', () => {
    const [second, third] = ['second', 'third'].map((name) => rollout({ route: null, name }));
    expect(lines([second!], [second!, third!])).toEqual([]);
  });

  it('names its object without a namespace where the manifest has none', () => {
    const { namespace: _namespace, ...metadata } = plain.metadata;
    expect(lines([{ ...plain, metadata }], [])[0]).toContain('Rollout web goes: ');
    expect(lines([object('v1', 'ConfigMap')], [object('v1', 'ConfigMap')])).toEqual([]);
  });
});
