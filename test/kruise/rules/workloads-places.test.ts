/** What the checks of workloads and of rewritten objects say, word for word, and the near misses where they say nothing. */
import { describe, expect, it } from 'vitest';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { deployment, findings, object, type RolloutOptions, rollout, rolloutV1alpha1 } from './stack';

const OF_THIS_FILE =
  /^kruise-(workload-without-replicas|step-routing-skipped|rollback-in-batch-ignored|rollout-duplicate|batch-release-authored|original-spec-in-git|custom-spec-empty-value)$/;
const found = (objects: readonly object[], version = KruiseRolloutVersion.LATEST) =>
  findings(objects, { version })
    .filter(({ rule }) => OF_THIS_FILE.test(rule))
    .map(({ rule, path = '', message }) => `${rule} ${path}: ${message}`);

const partition = { enableExtraWorkloadForCanary: false };
const steps = (...all: object[]) => ({ strategy: partition, steps: all });
const ref = (kind: string, apiVersion = 'apps/v1', name = 'web') => ({ workloadRef: { apiVersion, kind, name } });
const of = (kind: string, spec: object, apiVersion = 'apps/v1') => object(apiVersion, kind, spec);

describe('the replicas of a workload', () => {
  it.each<[what: string, options: RolloutOptions, workload: object, findings: readonly string[]]>([
    [
      '0 replicas',
      {},
      deployment({ replicas: 0 }),
      [
        'kruise-workload-without-replicas spec.replicas: the Deployment has 0 replicas, and the Rollout "web" releases it step by step',
      ],
    ],
    ['1 replica', {}, deployment({ replicas: 1 }), []],
    ['no number of replicas', {}, deployment({ replicas: undefined }), []],
    ['replicas that are no number', {}, deployment({ replicas: '0' }), []],
    ['0 replicas, and another name', {}, deployment({ replicas: 0 }, { name: 'api' }), []],
    ['0 replicas, and another namespace', {}, deployment({ replicas: 0 }, { namespace: 'other' }), []],
    [
      '0 replicas of a StatefulSet',
      ref('StatefulSet'),
      of('StatefulSet', { replicas: 0 }),
      [
        'kruise-workload-without-replicas spec.replicas: the StatefulSet has 0 replicas, and the Rollout "web" releases it step by step',
      ],
    ],
    [
      '0 replicas of a CloneSet',
      ref('CloneSet', 'apps.kruise.io/v1alpha1'),
      of('CloneSet', { replicas: 0 }, 'apps.kruise.io/v1alpha1'),
      [
        'kruise-workload-without-replicas spec.replicas: the CloneSet has 0 replicas, and the Rollout "web" releases it step by step',
      ],
    ],
    [
      '0 replicas in blue-green style',
      { blueGreen: true },
      deployment({ replicas: 0 }),
      [
        'kruise-workload-without-replicas spec.replicas: the Deployment has 0 replicas, and the Rollout "web" releases it step by step',
      ],
    ],
    [
      'all pods in the first step',
      steps({ traffic: '20%', replicas: 5 }, { replicas: '100%' }),
      deployment(),
      [
        'kruise-step-routing-skipped spec.strategy.canary.steps[0].replicas: steps[0] replaces 5 pods, but the Deployment "web" has 5, so the release never begins',
      ],
    ],
    [
      'more pods than it has in the first step',
      steps({ traffic: '20%', replicas: 6 }, { replicas: '100%' }),
      deployment(),
      [
        'kruise-step-routing-skipped spec.strategy.canary.steps[0].replicas: steps[0] replaces 6 pods, but the Deployment "web" has 5, so the release never begins',
      ],
    ],
    [
      'all pods but one in the first step',
      steps({ traffic: '20%', replicas: 4 }, { replicas: '100%' }),
      deployment(),
      [],
    ],
    [
      'all pods in the second step',
      steps({ traffic: '20%', replicas: 1 }, { traffic: '50%', replicas: 5 }),
      deployment(),
      [
        'kruise-step-routing-skipped spec.strategy.canary.steps[1].replicas: steps[1] replaces 5 pods, but the Deployment "web" has 5, so the controller skips routing in this step',
      ],
    ],
    [
      'all pods in two steps',
      steps({ traffic: '20%', replicas: 5 }, { traffic: '50%', replicas: 5 }),
      deployment(),
      [
        'kruise-step-routing-skipped spec.strategy.canary.steps[0].replicas: steps[0] replaces 5 pods, but the Deployment "web" has 5, so the release never begins',
        'kruise-step-routing-skipped spec.strategy.canary.steps[1].replicas: steps[1] replaces 5 pods, but the Deployment "web" has 5, so the controller skips routing in this step',
      ],
    ],
    [
      'all pods in a step with matches',
      steps({ matches: [{ headers: [{ name: 'a', value: 'b' }] }], replicas: 5 }),
      deployment(),
      [
        'kruise-step-routing-skipped spec.strategy.canary.steps[0].replicas: steps[0] replaces 5 pods, but the Deployment "web" has 5, so the release never begins',
      ],
    ],
    ['all pods in a step without routing', steps({ replicas: 5 }), deployment(), []],
    ['all pods as a percentage', steps({ traffic: '20%', replicas: '100%' }), deployment(), []],
    [
      'the only pod',
      steps({ traffic: '20%', replicas: 1 }),
      deployment({ replicas: undefined }),
      [
        'kruise-step-routing-skipped spec.strategy.canary.steps[0].replicas: steps[0] replaces 1 pod, but the Deployment "web" has 1, so the release never begins',
      ],
    ],
    ['all pods beside an extra workload', { steps: [{ traffic: '20%', replicas: 5 }] }, deployment(), []],
    ['all pods in blue-green style', { blueGreen: true, steps: [{ traffic: '20%', replicas: 5 }] }, deployment(), []],
    ['all pods without routing', { ...steps({ traffic: '20%', replicas: 5 }), route: null }, deployment(), []],
    [
      'all pods, and the controller creates no canary Service',
      { strategy: { ...partition, disableGenerateCanaryService: true }, steps: [{ traffic: '20%', replicas: 5 }] },
      deployment(),
      [
        'kruise-step-routing-skipped spec.strategy.canary.steps[0].replicas: steps[0] replaces 5 pods, but the Deployment "web" has 5, so the controller skips routing in this step',
      ],
    ],
    [
      'all pods of a DaemonSet',
      { ...ref('DaemonSet'), ...steps({ traffic: '20%', replicas: 5 }) },
      of('DaemonSet', { replicas: 5 }),
      [],
    ],
    [
      'all pods of a StatefulSet',
      { ...ref('StatefulSet'), ...steps({ traffic: '20%', replicas: 5 }) },
      of('StatefulSet', { replicas: 5 }),
      [
        'kruise-step-routing-skipped spec.strategy.canary.steps[0].replicas: steps[0] replaces 5 pods, but the StatefulSet "web" has 5, so the release never begins',
      ],
    ],
  ])('%s', (_, options, workload, findings) => {
    expect(found([rollout(options), workload])).toEqual(findings);
  });

  it('depend on the release of the controller', () => {
    const objects = [rollout(steps({ traffic: '20%', replicas: 5 }, { traffic: '50%', replicas: 5 })), deployment()];
    const at = (version: KruiseRolloutVersion) =>
      findings(objects, { version })
        .filter(({ rule }) => rule === 'kruise-step-routing-skipped')
        .map(({ message, because, step }) => [step, message.replace(/^.*, so /, ''), because?.slice(0, 40)]);
    const skips = KruiseRolloutVersion.ALL.filter(({ facts }) => facts.skipsRoutingWithoutOldPods).at(-1)!;
    const others = KruiseRolloutVersion.ALL.find(({ facts }) => !facts.skipsRoutingWithoutOldPods)!;
    expect(at(skips).map(([step, message]) => [step, message])).toEqual([
      [0, 'the release never begins'],
      [1, 'the controller skips routing in this step'],
    ]);
    expect(at(others)).toEqual(
      [0, 1].map((step) => [
        step,
        'no old pod is left for the other requests',
        `release v${others.version} lets the stable Service select only old pods`.slice(0, 40),
      ]),
    );
  });
});

describe('the annotation rollback-in-batch', () => {
  const annotated = (value: string, options: RolloutOptions = {}) =>
    rollout({ annotations: { 'rollouts.kruise.io/rollback-in-batch': value }, ...options });

  it.each<[what: string, rollout: object, findings: readonly string[]]>([
    [
      'for a Deployment',
      annotated('true'),
      [
        'kruise-rollback-in-batch-ignored metadata.annotations["rollouts.kruise.io/rollback-in-batch"]: the annotation rollouts.kruise.io/rollback-in-batch has no effect: the workload is a Deployment',
      ],
    ],
    [
      'for a Deployment without routing',
      annotated('true', { route: null }),
      [
        'kruise-rollback-in-batch-ignored metadata.annotations["rollouts.kruise.io/rollback-in-batch"]: the annotation rollouts.kruise.io/rollback-in-batch has no effect: the workload is a Deployment',
      ],
    ],
    [
      'for a CloneSet with routing',
      annotated('true', ref('CloneSet', 'apps.kruise.io/v1alpha1')),
      [
        'kruise-rollback-in-batch-ignored metadata.annotations["rollouts.kruise.io/rollback-in-batch"]: the annotation rollouts.kruise.io/rollback-in-batch has no effect: the Rollout routes traffic',
      ],
    ],
    [
      'for a CloneSet without routing',
      annotated('true', { ...ref('CloneSet', 'apps.kruise.io/v1alpha1'), route: null }),
      [],
    ],
    [
      'for a StatefulSet with routing',
      annotated('true', ref('StatefulSet')),
      [
        'kruise-rollback-in-batch-ignored metadata.annotations["rollouts.kruise.io/rollback-in-batch"]: the annotation rollouts.kruise.io/rollback-in-batch has no effect: the Rollout routes traffic',
      ],
    ],
    ['for a StatefulSet without routing', annotated('true', { ...ref('StatefulSet'), route: null }), []],
    [
      'for a DaemonSet without routing',
      annotated('true', { ...ref('DaemonSet'), route: null }),
      [
        'kruise-rollback-in-batch-ignored metadata.annotations["rollouts.kruise.io/rollback-in-batch"]: the annotation rollouts.kruise.io/rollback-in-batch has no effect: the workload is a DaemonSet',
      ],
    ],
    [
      'for a workload without kind',
      annotated('true', { workloadRef: { apiVersion: 'apps/v1', name: 'web' } }),
      [
        'kruise-rollback-in-batch-ignored metadata.annotations["rollouts.kruise.io/rollback-in-batch"]: the annotation rollouts.kruise.io/rollback-in-batch has no effect: the workload is a workload without kind',
      ],
    ],
    [
      'with the value false',
      annotated('false', { ...ref('CloneSet', 'apps.kruise.io/v1alpha1'), route: null }),
      [
        'kruise-rollback-in-batch-ignored metadata.annotations["rollouts.kruise.io/rollback-in-batch"]: the annotation rollouts.kruise.io/rollback-in-batch has no effect: its value is "false" but only "true" has an effect',
      ],
    ],
    [
      'with the value True',
      annotated('True'),
      [
        'kruise-rollback-in-batch-ignored metadata.annotations["rollouts.kruise.io/rollback-in-batch"]: the annotation rollouts.kruise.io/rollback-in-batch has no effect: its value is "True" but only "true" has an effect',
      ],
    ],
    [
      'with an empty value',
      annotated(''),
      [
        'kruise-rollback-in-batch-ignored metadata.annotations["rollouts.kruise.io/rollback-in-batch"]: the annotation rollouts.kruise.io/rollback-in-batch has no effect: its value is "" but only "true" has an effect',
      ],
    ],
    ['of another name', rollout({ annotations: { 'rollouts.kruise.io/rollback': 'true' } }), []],
  ])('%s', (_, one, findings) => {
    expect(found([one])).toEqual(findings);
  });
});

describe('a BatchRelease', () => {
  const batchRelease = (metadata: object = {}, apiVersion = 'rollouts.kruise.io/v1beta1') =>
    object(apiVersion, 'BatchRelease', {}, metadata);

  it.each<[what: string, other: object, findings: readonly string[]]>([
    [
      'with the name of the Rollout',
      batchRelease(),
      [
        'kruise-batch-release-authored : the BatchRelease has the name of the Rollout "web", and the controller creates its own',
      ],
    ],
    [
      'of an older version',
      batchRelease({}, 'rollouts.kruise.io/v1alpha1'),
      [
        'kruise-batch-release-authored : the BatchRelease has the name of the Rollout "web", and the controller creates its own',
      ],
    ],
    ['of another group', batchRelease({}, 'example.com/v1'), []],
    ['with another name', batchRelease({ name: 'api' }), []],
    ['in another namespace', batchRelease({ namespace: 'other' }), []],
  ])('%s', (_, other, findings) => {
    expect(found([rollout(), other])).toEqual(findings);
  });
});

describe('two Rollouts', () => {
  const second = (options: RolloutOptions = {}) => rollout({ name: 'web-2', ...options });

  it.each<[what: string, others: readonly object[], findings: readonly string[]]>([
    [
      'of one workload under two versions',
      [second(ref('Deployment', 'apps/v1beta1'))],
      [
        'kruise-rollout-duplicate spec.workloadRef.apiVersion: the Rollouts "web" and "web-2" both release the Deployment "web", as apps/v1 and as apps/v1beta1',
      ],
    ],
    ['of one workload under one version', [second()], []],
    ['of workloads of two groups', [second(ref('Deployment', 'example.com/v1'))], []],
    ['of workloads of two kinds', [second(ref('StatefulSet', 'apps/v1beta1'))], []],
    ['of workloads with two names', [second(ref('Deployment', 'apps/v1beta1', 'api'))], []],
    ['of workloads in two namespaces', [second({ ...ref('Deployment', 'apps/v1beta1'), namespace: 'other' })], []],
    [
      'and a third under the version of the second',
      [second(ref('Deployment', 'apps/v1beta1')), rollout({ name: 'web-3', ...ref('Deployment', 'apps/v1beta1') })],
      [
        'kruise-rollout-duplicate spec.workloadRef.apiVersion: the Rollouts "web" and "web-2" both release the Deployment "web", as apps/v1 and as apps/v1beta1',
      ],
    ],
    [
      'and a third under a third version',
      [second(ref('Deployment', 'apps/v1beta1')), rollout({ name: 'web-3', ...ref('Deployment', 'apps/v1beta2') })],
      [
        'kruise-rollout-duplicate spec.workloadRef.apiVersion: the Rollouts "web" and "web-2" both release the Deployment "web", as apps/v1 and as apps/v1beta1',
        'kruise-rollout-duplicate spec.workloadRef.apiVersion: the Rollouts "web" and "web-3" both release the Deployment "web", as apps/v1 and as apps/v1beta2',
      ],
    ],
    [
      'of v1beta1 and v1alpha1',
      [{ ...rolloutV1alpha1({ steps: [{ weight: 20 }] }), metadata: { name: 'web-2', namespace: 'shop' } }],
      [],
    ],
    [
      'without names of workloads',
      [rollout({ name: 'web-3', ...ref('Deployment', 'apps/v1', '') }), second(ref('Deployment', 'apps/v1beta1', ''))],
      [],
    ],
  ])('%s', (_, others, findings) => {
    expect(found([rollout(), ...others])).toEqual(findings);
  });
});

describe('the stored original of an earlier release', () => {
  const KEY = 'rollouts.kruise.io/original-spec-configuration';
  const stored = (kind: string, key = KEY, value = '{}') =>
    object('networking.istio.io/v1', kind, { hosts: ['web'] }, { annotations: { [key]: value } });

  it.each<[what: string, objects: readonly object[], findings: readonly string[]]>([
    [
      'on an object that no Rollout names',
      [rollout(), stored('VirtualService')],
      [
        'kruise-original-spec-in-git metadata.annotations["rollouts.kruise.io/original-spec-configuration"]: the VirtualService "web" has the annotation rollouts.kruise.io/original-spec-configuration',
      ],
    ],
    [
      'with an empty value',
      [rollout(), stored('VirtualService', KEY, '')],
      [
        'kruise-original-spec-in-git metadata.annotations["rollouts.kruise.io/original-spec-configuration"]: the VirtualService "web" has the annotation rollouts.kruise.io/original-spec-configuration',
      ],
    ],
    [
      'on two objects',
      [rollout(), stored('VirtualService'), stored('DestinationRule')],
      [
        'kruise-original-spec-in-git metadata.annotations["rollouts.kruise.io/original-spec-configuration"]: the DestinationRule "web" has the annotation rollouts.kruise.io/original-spec-configuration',
        'kruise-original-spec-in-git metadata.annotations["rollouts.kruise.io/original-spec-configuration"]: the VirtualService "web" has the annotation rollouts.kruise.io/original-spec-configuration',
      ],
    ],
    ['without a Rollout', [deployment(), stored('VirtualService')], []],
    [
      'with a TrafficRouting only',
      [
        object('rollouts.kruise.io/v1alpha1', 'TrafficRouting', {
          objectRef: [{ service: 'web', ingress: { name: 'web' } }],
        }),
        stored('VirtualService'),
      ],
      [
        'kruise-original-spec-in-git metadata.annotations["rollouts.kruise.io/original-spec-configuration"]: the VirtualService "web" has the annotation rollouts.kruise.io/original-spec-configuration',
      ],
    ],
    [
      'with a Rollout without routing',
      [rollout({ route: null }), stored('VirtualService')],
      [
        'kruise-original-spec-in-git metadata.annotations["rollouts.kruise.io/original-spec-configuration"]: the VirtualService "web" has the annotation rollouts.kruise.io/original-spec-configuration',
      ],
    ],
    ['under another key', [rollout(), stored('VirtualService', 'example.com/original-spec-configuration')], []],
  ])('%s', (_, objects, findings) => {
    expect(found(objects)).toEqual(findings);
  });
});

describe('the spec of an object that a script rewrites', () => {
  const named = { apiVersion: 'networking.istio.io/v1', kind: 'VirtualService', name: 'web' };
  const rewriting = rollout({ route: { service: 'web', customNetworkRefs: [named] } });
  const virtualService = (spec: unknown, metadata: object = {}) =>
    object('networking.istio.io/v1', 'VirtualService', spec as object, metadata);

  it.each<[what: string, object: object, findings: readonly string[]]>([
    [
      'an empty object',
      virtualService({ http: [{ corsPolicy: {} }] }),
      [
        'kruise-custom-spec-empty-value spec.http[0].corsPolicy: spec.http[0].corsPolicy is {}, which a script cannot return unchanged',
      ],
    ],
    [
      'an empty list',
      virtualService({ hosts: [] }),
      ['kruise-custom-spec-empty-value spec.hosts: spec.hosts is [], which a script cannot return unchanged'],
    ],
    [
      'itself empty',
      virtualService({}),
      ['kruise-custom-spec-empty-value spec: spec is {}, which a script cannot return unchanged'],
    ],
    [
      'several of them',
      virtualService({ hosts: [], http: [{ route: [{ headers: {} }] }, { match: [] }] }),
      [
        'kruise-custom-spec-empty-value spec.hosts: spec.hosts is [], which a script cannot return unchanged',
        'kruise-custom-spec-empty-value spec.http[0].route[0].headers: spec.http[0].route[0].headers is {}, which a script cannot return unchanged',
        'kruise-custom-spec-empty-value spec.http[1].match: spec.http[1].match is [], which a script cannot return unchanged',
      ],
    ],
    [
      'a list of empty objects',
      virtualService({ http: [{}, { name: 'a' }] }),
      ['kruise-custom-spec-empty-value spec.http[0]: spec.http[0] is {}, which a script cannot return unchanged'],
    ],
    ['values that only look empty', virtualService({ hosts: [''], weight: 0, mirror: false, name: null }), []],
    ['null', virtualService(null), []],
    ['empty in the labels', virtualService({ hosts: ['a'] }, { labels: {} }), []],
    ['an empty object, of another name', virtualService({ a: {} }, { name: 'api' }), []],
    ['an empty object, in another namespace', virtualService({ a: {} }, { namespace: 'other' }), []],
    ['an empty object, of another kind', object('networking.istio.io/v1', 'DestinationRule', { a: {} }), []],
  ])('%s', (_, other, findings) => {
    expect(found([rewriting, other])).toEqual(findings);
  });

  it('is reported once for two Rollouts', () => {
    const other = { ...rewriting, metadata: { name: 'web-2', namespace: 'shop' } };
    expect(
      found([rewriting, other, virtualService({ hosts: [] })]).filter((line) => line.includes('empty')),
    ).toHaveLength(1);
  });

  it('may be empty where an Ingress is named', () => {
    expect(found([rollout(), virtualService({ hosts: [] })])).toEqual([]);
  });
});
