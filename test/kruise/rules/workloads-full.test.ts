/** What is said of the workload of a Rollout, with fixes, causes and related objects, in full, and the near misses. */
import { describe, expect, it } from 'vitest';
import { KruiseRolloutVersion as V } from '../../../src/kruise/version';
import { full } from './full';
import { deployment, ingress, object, rollout, service } from './stack';

type Row = readonly [what: string, args: Parameters<typeof full>, findings: readonly string[]];

const STACK = [deployment(), service(), ingress()];
const PARTITION = { enableExtraWorkloadForCanary: false };
const PLAIN = { route: null, steps: [{ replicas: '100%' }] };
const BATCH = (value: string) => ({ 'rollouts.kruise.io/rollback-in-batch': value });
const REF = (kind: string, apiVersion: string, name = 'web') => ({ apiVersion, kind, name });

describe('the pods of a step', () => {
  it.each<Row>([
    [
      'no pods',
      [[rollout(), deployment({ replicas: 0 }), service(), ingress()]],
      [
        'error kruise-workload-without-replicas spec.replicas: the Deployment has 0 replicas, and the Rollout "web" releases it step by step',
      ],
    ],
    [
      'all pods in the first step',
      [[rollout({ strategy: PARTITION, steps: [{ traffic: '20%', replicas: 5 }, { replicas: '100%' }] }), ...STACK]],
      [
        'error kruise-step-routing-skipped spec.strategy.canary.steps[0].replicas: steps[0] replaces 5 pods, but the Deployment "web" has 5, so the release never begins | because before its first step the controller makes the stable Service select only old pods, and because the step leaves none, all pods: the two writes undo each other for ever, in the state BeforeStepUpgrade | step 0',
      ],
    ],
    [
      'all pods but one in the first step',
      [[rollout({ strategy: PARTITION, steps: [{ traffic: '20%', replicas: 4 }, { replicas: '100%' }] }), ...STACK]],
      [],
    ],
    [
      'all pods in the first step, without a canary Service',
      [
        [
          rollout({
            strategy: { ...PARTITION, disableGenerateCanaryService: true },
            route: { service: 'web', customNetworkRefs: [REF('VirtualService', 'networking.istio.io/v1')] },
            steps: [{ traffic: '20%', replicas: 5 }, { replicas: '100%' }],
          }),
          deployment(),
          service(),
          object('networking.istio.io/v1', 'VirtualService', { hosts: ['a'] }),
        ],
      ],
      [
        'error kruise-step-routing-skipped spec.strategy.canary.steps[0].replicas: steps[0] replaces 5 pods, but the Deployment "web" has 5, so the controller skips routing in this step | step 0',
      ],
    ],
    [
      'all pods in the second step',
      [
        [
          rollout({
            strategy: PARTITION,
            steps: [{ traffic: '20%', replicas: 1 }, { traffic: '30%', replicas: 6 }, { replicas: '100%' }],
          }),
          ...STACK,
        ],
      ],
      [
        'error kruise-step-routing-skipped spec.strategy.canary.steps[1].replicas: steps[1] replaces 6 pods, but the Deployment "web" has 5, so the controller skips routing in this step | step 1',
      ],
    ],
    [
      'all pods in the first step before 0.6',
      [
        [rollout({ strategy: PARTITION, steps: [{ traffic: '20%', replicas: 5 }, { replicas: '100%' }] }), ...STACK],
        { version: V.V0_5_5 },
      ],
      [
        'error kruise-step-routing-skipped spec.strategy.canary.steps[0].replicas: steps[0] replaces 5 pods, but the Deployment "web" has 5, so no old pod is left for the other requests | because release v0.5.5 lets the stable Service select only old pods, so requests that stay with it get errors | step 0',
      ],
    ],
    [
      'all pods in a step that routes nothing',
      [[rollout({ strategy: PARTITION, steps: [{ replicas: 5 }, { replicas: '100%' }] }), ...STACK]],
      [],
    ],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});

const HPA = object('autoscaling/v2', 'HorizontalPodAutoscaler', {
  scaleTargetRef: REF('Deployment', 'apps/v1'),
  minReplicas: 20,
  maxReplicas: 40,
});
const partition = (steps: readonly object[], workloadRef?: object) =>
  rollout({ strategy: PARTITION, route: null, steps, ...(workloadRef && { workloadRef }) });

describe('the pods of the old version', () => {
  const LAST_LOOK = [
    { replicas: 1, pause: {} },
    { replicas: 5, pause: {} },
  ];
  const NO_WAY_BACK =
    'warning kruise-no-old-pods-to-go-back-to spec.strategy.canary.steps[1].replicas: steps[1] waits when all 5 pods of the';
  const cloneSet = object('apps.kruise.io/v1alpha1', 'CloneSet', {
    replicas: 5,
    template: { metadata: { labels: { app: 'web' } } },
  });
  it.each<Row>([
    [
      'none at a step that waits',
      [[partition(LAST_LOOK), deployment()]],
      [`${NO_WAY_BACK} Deployment "web" are new, so nobody can roll back from it | step 1`],
    ],
    [
      'none of a CloneSet',
      [[partition(LAST_LOOK, REF('CloneSet', 'apps.kruise.io/v1alpha1')), cloneSet]],
      [
        `${NO_WAY_BACK} CloneSet "web" are new, so nobody can roll back from it | let the last step that waits leave an old pod | step 1`,
      ],
    ],
    [
      'none at 100% in the middle',
      [[partition([{ replicas: '100%', pause: {} }, { replicas: '100%' }]), deployment()]],
      [
        'warning kruise-step-after-completion spec.strategy.canary.steps[0]: steps[0] reaches replicas 100%, so the steps after it change nothing | step 0',
        'warning kruise-no-old-pods-to-go-back-to spec.strategy.canary.steps[0].replicas: steps[0] waits when all 5 pods of the Deployment "web" are new, so nobody can roll back from it | step 0',
      ],
    ],
    ['one at 99%', [[partition([{ replicas: '99%', pause: {} }, { replicas: '100%' }]), deployment()]], []],
    [
      'none at a step that waits for a time',
      [
        [
          partition([
            { replicas: 1, pause: {} },
            { replicas: 5, pause: { duration: 60 } },
          ]),
          deployment(),
        ],
      ],
      [],
    ],
    ['many, as an autoscaler says', [[partition(LAST_LOOK), deployment(), HPA]], []],
    ['any number of a workload that is not there', [[partition(LAST_LOOK)]], []],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});

describe('a step in a number of pods after one in per cent', () => {
  const step = (replicas: number | string) => ({ replicas, pause: {} });
  const MIXED = [step('20%'), step(3), { replicas: '100%' }];
  it.each<Row>([
    [
      'that is more',
      [[partition(MIXED), deployment()]],
      [
        'error kruise-step-replicas-mixed spec.strategy.canary.steps[1].replicas: steps[1] wants 3 new pods, but the Deployment "web" keeps the partition 20% of a step before, which gives it 1 | step 1',
      ],
    ],
    ['that is no more', [[partition([step('60%'), step(3), { replicas: '100%' }]), deployment()]], []],
    ['that comes before it', [[partition([step(1), step('60%'), { replicas: '100%' }]), deployment()]], []],
    ['where an autoscaler adds pods', [[partition(MIXED), deployment(), HPA]], []],
    [
      'of a CloneSet',
      [
        [
          partition(MIXED, REF('CloneSet', 'apps.kruise.io/v1alpha1')),
          object('apps.kruise.io/v1alpha1', 'CloneSet', { replicas: 5 }),
        ],
      ],
      [],
    ],
    ['in canary style', [[rollout({ route: null, steps: MIXED }), deployment()]], []],
    ['of a workload that is not there', [[partition(MIXED)]], []],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});

describe('the annotation rollback-in-batch', () => {
  it.each<Row>([
    [
      'rollback-in-batch of a CloneSet without routes',
      [[rollout({ ...PLAIN, workloadRef: REF('CloneSet', 'apps.kruise.io/v1alpha1'), annotations: BATCH('true') })]],
      [],
    ],
    [
      'rollback-in-batch of a Deployment',
      [[rollout({ ...PLAIN, annotations: BATCH('true') })]],
      [
        'warning kruise-rollback-in-batch-ignored metadata.annotations["rollouts.kruise.io/rollback-in-batch"]: the annotation rollouts.kruise.io/rollback-in-batch has no effect: the workload is a Deployment',
      ],
    ],
    [
      'rollback-in-batch with another value',
      [[rollout({ ...PLAIN, workloadRef: REF('StatefulSet', 'apps/v1'), annotations: BATCH('yes') })]],
      [
        'warning kruise-rollback-in-batch-ignored metadata.annotations["rollouts.kruise.io/rollback-in-batch"]: the annotation rollouts.kruise.io/rollback-in-batch has no effect: its value is "yes" but only "true" has an effect | write "true", or remove the annotation',
      ],
    ],
    [
      'rollback-in-batch without a workload',
      [[rollout({ ...PLAIN, workloadRef: 'web' as never, annotations: BATCH('true') })]],
      [
        'warning kruise-rollback-in-batch-ignored metadata.annotations["rollouts.kruise.io/rollback-in-batch"]: the annotation rollouts.kruise.io/rollback-in-batch has no effect: the workload is a workload without kind',
      ],
    ],
    [
      'rollback-in-batch with routes',
      [
        [
          rollout({
            workloadRef: REF('StatefulSet', 'apps/v1'),
            strategy: PARTITION,
            steps: [{ traffic: '20%', replicas: '20%' }, { replicas: '100%' }],
            annotations: BATCH('true'),
          }),
          service(),
          ingress(),
          object('apps/v1', 'StatefulSet', {}),
        ],
      ],
      [
        'warning kruise-rollback-in-batch-ignored metadata.annotations["rollouts.kruise.io/rollback-in-batch"]: the annotation rollouts.kruise.io/rollback-in-batch has no effect: the Rollout routes traffic',
      ],
    ],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});

describe('other objects of a Rollout', () => {
  it.each<Row>([
    [
      'a BatchRelease of its name',
      [[rollout(), ...STACK, object('rollouts.kruise.io/v1beta1', 'BatchRelease', {})]],
      [
        'error kruise-batch-release-authored: the BatchRelease has the name of the Rollout "web", and the controller creates its own | the Rollout is declared here (Rollout web)',
      ],
    ],
    [
      'a BatchRelease of another name',
      [[rollout(), ...STACK, object('rollouts.kruise.io/v1beta1', 'BatchRelease', {}, { name: 'b' })]],
      [],
    ],
    [
      'two Rollouts of one workload in two versions',
      [[rollout(), ...STACK, rollout({ ...PLAIN, name: 'zeta', workloadRef: REF('Deployment', 'apps/v1beta1') })]],
      [
        'error kruise-rollout-duplicate spec.workloadRef.apiVersion: the Rollouts "web" and "zeta" both release the Deployment "web", as apps/v1 and as apps/v1beta1 | the Rollout "web" is declared here (Rollout web)',
      ],
    ],
    [
      'two Rollouts of one workload in one version, which the webhook refuses',
      [[rollout(), ...STACK, rollout({ ...PLAIN, name: 'zeta' })]],
      [],
    ],
    [
      'two Rollouts of two workloads',
      [
        [
          rollout(),
          ...STACK,
          rollout({ ...PLAIN, name: 'zeta', workloadRef: REF('Deployment', 'apps/v1beta1', 'b') }),
          deployment({}, { name: 'b' }),
        ],
      ],
      [],
    ],
    [
      'two Rollouts in two namespaces',
      [
        [
          rollout(),
          ...STACK,
          rollout({ ...PLAIN, name: 'zeta', namespace: 'other', workloadRef: REF('Deployment', 'apps/v1beta1') }),
        ],
      ],
      [],
    ],
    [
      'two Rollouts of two kinds',
      [
        [
          rollout(),
          ...STACK,
          rollout({ ...PLAIN, name: 'zeta', workloadRef: REF('StatefulSet', 'apps/v1beta1') }),
          object('apps/v1', 'StatefulSet', {}),
        ],
      ],
      [],
    ],
  ])('%s', (_, args, expected) => {
    expect(full(...args)).toEqual(expected);
  });
});
