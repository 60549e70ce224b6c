/** Every problem that the webhook has with a v1alpha1 Rollout, with a workload, and with an update: its field, our path and text, the fix, and whether the webhook gets to it. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json';
import type { AdmissionOptions } from '../../../src/kruise/admission';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { ALLOWED, problems } from './problems';
import { blueGreen, v1alpha1, v1beta1 } from './rollouts';

const { NEXT, V0_3_0 } = KruiseRolloutVersion;

type Row = readonly [rollout: JsonObject, problems: readonly string[]];

describe('a v1alpha1 Rollout', () => {
  it.each<Row>([
    [
      v1alpha1({ steps: [] }),
      ['rollout-steps-empty Spec.Strategy.Canary.Steps | spec.strategy.canary.steps: has no steps'],
    ],
    [
      v1alpha1({ steps: [{}] }),
      [
        'rollout-replicas-missing Spec.Strategy.Canary.Steps[0].steps | spec.strategy.canary.steps[0]: has neither weight nor replicas | add weight, replicas or both | step 0',
      ],
    ],
    [
      v1alpha1({ steps: [{ weight: 0 }] }),
      [
        'rollout-weight-invalid Spec.Strategy.Canary.Steps[0].Weight | spec.strategy.canary.steps[0].weight: 0 is not a percentage from 1 to 100 | step 0',
      ],
    ],
    [v1alpha1({ steps: [{ weight: 1 }] }), [ALLOWED]],
    [v1alpha1({ steps: [{ weight: 100 }] }), [ALLOWED]],
    [
      v1alpha1({ steps: [{ weight: 101 }] }),
      [
        'rollout-weight-invalid Spec.Strategy.Canary.Steps[0].Weight | spec.strategy.canary.steps[0].weight: 101 is not a percentage from 1 to 100 | step 0',
      ],
    ],
    [v1alpha1({ steps: [{ weight: 0, replicas: 1 }] }), [ALLOWED]],
    [
      v1alpha1({ steps: [{ replicas: 0, weight: 20 }] }),
      [
        'rollout-replicas-invalid Spec.Strategy.Canary.Steps[0].Replicas | spec.strategy.canary.steps[0].replicas: 0 is neither a positive number nor a percentage from "1%" to "100%" | step 0',
      ],
    ],
    [
      v1alpha1({ steps: [{ replicas: '5' }] }),
      [
        'rollout-replicas-invalid Spec.Strategy.Canary.Steps[0].Replicas | spec.strategy.canary.steps[0].replicas: "5" is neither a positive number nor a percentage from "1%" to "100%" | write 5 without quotes for pods, or "5%" for a share | step 0',
      ],
    ],
    [
      v1alpha1({ steps: [{ weight: 30 }, { weight: 20 }] }),
      [
        'rollout-replicas-decrease Spec.Strategy.Canary.Steps.CanaryReplicas | spec.strategy.canary.steps[1]: 20% is less than 30% of the previous step | step 1',
      ],
    ],
    [
      v1alpha1({
        steps: [
          { weight: 30, replicas: 1 },
          { weight: 20, replicas: 2 },
        ],
        trafficRoutings: [{ service: 'web', ingress: { name: 'web' } }],
      }),
      [
        'rollout-weights-decrease Spec.Strategy.Canary.Steps.Weight | spec.strategy.canary.steps[1].weight: 20 is less than 30 of the previous step | step 1',
      ],
    ],
    [
      v1alpha1({
        steps: [{ weight: 30 }, { weight: 20 }, { weight: 20 }, { weight: 10 }],
        trafficRoutings: [{ service: 'web', ingress: { name: 'web' } }],
      }),
      [
        'rollout-weights-decrease Spec.Strategy.Canary.Steps.Weight | spec.strategy.canary.steps[1].weight: 20 is less than 30 of the previous step | step 1',
        '(later) rollout-replicas-decrease Spec.Strategy.Canary.Steps.CanaryReplicas | spec.strategy.canary.steps[1]: 20% is less than 30% of the previous step | step 1',
        '(later) rollout-weights-decrease Spec.Strategy.Canary.Steps.Weight | spec.strategy.canary.steps[3].weight: 10 is less than 20 of the previous step | step 3',
        '(later) rollout-replicas-decrease Spec.Strategy.Canary.Steps.CanaryReplicas | spec.strategy.canary.steps[3]: 10% is less than 20% of the previous step | step 3',
      ],
    ],
    [
      v1alpha1({
        steps: [{ weight: 30 }, { replicas: 2 }, { weight: 20 }],
        trafficRoutings: [{ service: 'web', ingress: { name: 'web' } }],
      }),
      [ALLOWED],
    ],
    [
      v1alpha1({ trafficRoutings: [{ service: 'web' }] }),
      [
        'rollout-no-provider Spec.Strategy.Canary.TrafficRouting.TrafficRoutings | spec.strategy.canary.trafficRoutings[0]: has none of ingress, gateway and customNetworkRefs',
      ],
    ],
  ])('has weights, row %#: %j', (rollout, expected) => {
    expect(problems(rollout)).toEqual(expected);
  });

  it.each<Row>([
    [v1alpha1({ steps: [{ weight: 50 }] }, 'partition'), [ALLOWED]],
    [
      v1alpha1({ steps: [{ weight: 51 }] }, 'partition'),
      [
        'rollout-partition-limit Spec.Strategy.Canary.Steps[0].steps | spec.strategy.canary.steps[0].weight: 51 is more than 50, and without replicas it is also the share of pods | step 0',
      ],
    ],
    [v1alpha1({ steps: [{ weight: 51, replicas: 1 }] }, 'partition'), [ALLOWED]],
    [v1alpha1({ steps: [{ weight: 1, replicas: '50%' }] }, 'partition'), [ALLOWED]],
    [
      v1alpha1({ steps: [{ weight: 1, replicas: '51%' }] }, 'partition'),
      [
        'rollout-partition-limit Spec.Strategy.Canary.Steps[0].steps | spec.strategy.canary.steps[0].replicas: "51%" is more than 50% in a step that routes traffic | step 0',
      ],
    ],
    [v1alpha1({ steps: [{ replicas: '51%' }] }, 'partition'), [ALLOWED]],
    [
      v1alpha1({ steps: [{ replicas: '51%', matches: [] }] }, 'partition'),
      [
        'rollout-partition-limit Spec.Strategy.Canary.Steps[0].steps | spec.strategy.canary.steps[0].replicas: "51%" is more than 50% in a step that routes traffic | step 0',
      ],
    ],
    [v1alpha1({ steps: [{ replicas: 51, weight: 1 }] }, 'partition'), [ALLOWED]],
    [
      v1alpha1({ steps: [{ weight: 51 }] }, 'Partition'),
      [
        'rollout-partition-limit Spec.Strategy.Canary.Steps[0].steps | spec.strategy.canary.steps[0].weight: 51 is more than 50, and without replicas it is also the share of pods | step 0',
      ],
    ],
    [v1alpha1({ steps: [{ weight: 51 }] }, 'CANARY'), [ALLOWED]],
    [v1alpha1({ steps: [{ weight: 51 }] }, ''), [ALLOWED]],
    [
      v1alpha1({ steps: [{ weight: 51 }] }, 'blue'),
      [
        'rollout-rolling-style-invalid RollingStyle | metadata.annotations["rollouts.kruise.io/rolling-style"]: "blue" is neither canary nor partition',
        'rollout-partition-limit Spec.Strategy.Canary.Steps[0].steps | spec.strategy.canary.steps[0].weight: 51 is more than 50, and without replicas it is also the share of pods | step 0',
      ],
    ],
    [
      v1alpha1({ steps: [{ weight: 51 }] }, 'canary', { kind: 'CloneSet', apiVersion: 'apps.kruise.io/v1alpha1' }),
      [
        'rollout-partition-limit Spec.Strategy.Canary.Steps[0].steps | spec.strategy.canary.steps[0].weight: 51 is more than 50, and without replicas it is also the share of pods | step 0',
      ],
    ],
    [
      v1alpha1({ steps: [{ weight: 51 }] }, 'canary', { apiVersion: 'apps/v1beta1' }),
      [
        'rollout-partition-limit Spec.Strategy.Canary.Steps[0].steps | spec.strategy.canary.steps[0].weight: 51 is more than 50, and without replicas it is also the share of pods | step 0',
      ],
    ],
  ])('has a rolling style, row %#: %j', (rollout, expected) => {
    expect(problems(rollout)).toEqual(expected);
  });
});

describe('the workload of a Rollout', () => {
  it.each<Row>([
    [
      v1beta1({}, { apiVersion: 'apps/v1', kind: 'Job' }),
      [
        'rollout-workload-unsupported Spec.ObjectRef.WorkloadRef | spec.workloadRef: the controller does not release Job of apps/v1 | name one of ReplicaSet (apps), Deployment (apps), StatefulSet (apps), CloneSet (apps.kruise.io), StatefulSet (apps.kruise.io), DaemonSet (apps.kruise.io)',
      ],
    ],
    [
      v1beta1({}, { apiVersion: '', kind: '' }),
      [
        'rollout-workload-unsupported Spec.ObjectRef.WorkloadRef | spec.workloadRef: the controller does not release a workload without kind of no apiVersion | name one of ReplicaSet (apps), Deployment (apps), StatefulSet (apps), CloneSet (apps.kruise.io), StatefulSet (apps.kruise.io), DaemonSet (apps.kruise.io)',
      ],
    ],
    [
      v1beta1({}, { apiVersion: 'apps', kind: 'Deployment' }),
      [
        'rollout-workload-unsupported Spec.ObjectRef.WorkloadRef | spec.workloadRef: the controller does not release Deployment of apps | name one of ReplicaSet (apps), Deployment (apps), StatefulSet (apps), CloneSet (apps.kruise.io), StatefulSet (apps.kruise.io), DaemonSet (apps.kruise.io)',
      ],
    ],
    [
      v1beta1({}, { apiVersion: 'apps/v1', kind: 'DaemonSet' }),
      [
        'rollout-workload-unsupported Spec.ObjectRef.WorkloadRef | spec.workloadRef: the controller does not release DaemonSet of apps/v1 | name one of ReplicaSet (apps), Deployment (apps), StatefulSet (apps), CloneSet (apps.kruise.io), StatefulSet (apps.kruise.io), DaemonSet (apps.kruise.io)',
      ],
    ],
    [
      v1beta1({}, { apiVersion: 'apps/v1/x', kind: 'Deployment' }),
      [
        'rollout-workload-unsupported Spec.ObjectRef.WorkloadRef | spec.workloadRef: the controller does not release Deployment of apps/v1/x | name one of ReplicaSet (apps), Deployment (apps), StatefulSet (apps), CloneSet (apps.kruise.io), StatefulSet (apps.kruise.io), DaemonSet (apps.kruise.io)',
      ],
    ],
    [
      blueGreen({}, { apiVersion: 'apps/v1', kind: 'StatefulSet' }),
      [
        'rollout-blue-green-workload-unsupported Spec.ObjectRef.WorkloadRef | spec.workloadRef: blueGreen does not release StatefulSet of apps/v1',
      ],
    ],
    [blueGreen({}, { apiVersion: 'apps.kruise.io/v1alpha1', kind: 'CloneSet' }), [ALLOWED]],
    [
      blueGreen({}, { apiVersion: 'apps/v1', kind: 'Job' }),
      [
        'rollout-workload-unsupported Spec.ObjectRef.WorkloadRef | spec.workloadRef: the controller does not release Job of apps/v1 | name one of ReplicaSet (apps), Deployment (apps), StatefulSet (apps), CloneSet (apps.kruise.io), StatefulSet (apps.kruise.io), DaemonSet (apps.kruise.io)',
      ],
    ],
    [
      v1alpha1({}, undefined, { apiVersion: 'apps/v1', kind: 'Job' }),
      [
        'rollout-workload-unsupported Spec.ObjectRef.WorkloadRef | spec.objectRef.workloadRef: the controller does not release Job of apps/v1 | name one of ReplicaSet (apps), Deployment (apps), StatefulSet (apps), CloneSet (apps.kruise.io), StatefulSet (apps.kruise.io), DaemonSet (apps.kruise.io)',
      ],
    ],
  ])('is of a kind, row %#: %j', (rollout, expected) => {
    expect(problems(rollout)).toEqual(expected);
  });

  it.each<readonly [rollout: JsonObject, options: AdmissionOptions, problems: readonly string[]]>([
    [
      v1beta1({}, { kind: 'Job' }),
      { version: NEXT },
      [
        'rollout-workload-unsupported Spec.ObjectRef.WorkloadRef | spec.workloadRef: the controller does not release Job of apps/v1 | name one of ReplicaSet (apps), Deployment (apps), StatefulSet (apps), CloneSet (apps.kruise.io), StatefulSet (apps.kruise.io), DaemonSet (apps.kruise.io), DaemonSet (apps)',
      ],
    ],
    [
      v1alpha1({}, undefined, { kind: 'Job' }),
      { version: V0_3_0 },
      [
        'rollout-workload-unsupported Spec.ObjectRef.WorkloadRef | spec.objectRef.workloadRef: the controller does not release Job of apps/v1 | name one of ReplicaSet (apps), Deployment (apps), StatefulSet (apps), CloneSet (apps.kruise.io), StatefulSet (apps.kruise.io)',
      ],
    ],
  ])('is of a kind of the release, row %#', (rollout, options, expected) => {
    expect(problems(rollout, undefined, options)).toEqual(expected);
  });
});

describe('an update of a Rollout in progress', () => {
  it.each<readonly [rollout: JsonObject, old: JsonObject, problems: readonly string[]]>([
    [
      v1beta1({ steps: [{ replicas: 1 }, { replicas: 2 }] }, { workload: 'shop' }),
      v1beta1({}, { phase: 'Progressing' }),
      [
        'rollout-workload-immutable Spec.ObjectRef FieldValueForbidden | spec.workloadRef: changes while a release is in progress',
        '(later) rollout-step-count-immutable Spec.Strategy.Canary|BlueGreen FieldValueForbidden | spec.strategy.canary.steps: changes from 1 steps to 2 while a release is in progress',
      ],
    ],
    [
      blueGreen(),
      v1beta1({}, { phase: 'Progressing' }),
      [
        'rollout-style-immutable Spec.Strategy.Canary|BlueGreen FieldValueForbidden | spec.strategy.blueGreen: changes from canary with enableExtraWorkloadForCanary to blueGreen while a release is in progress',
      ],
    ],
    [
      v1beta1({ enableExtraWorkloadForCanary: false, trafficRoutings: [] }),
      v1beta1({}, { phase: 'Progressing' }),
      [
        'rollout-traffic-routings-immutable Spec.Strategy.Canary|BlueGreen.TrafficRoutings FieldValueForbidden | spec.strategy.canary.trafficRoutings: changes while a release is in progress',
        '(later) rollout-style-immutable Spec.Strategy.Canary|BlueGreen FieldValueForbidden | spec.strategy.canary: changes from canary with enableExtraWorkloadForCanary to canary without enableExtraWorkloadForCanary while a release is in progress',
      ],
    ],
    [
      v1beta1({}, { kind: 'StatefulSet' }),
      v1beta1({}, { phase: 'Progressing' }),
      [
        'rollout-workload-immutable Spec.ObjectRef FieldValueForbidden | spec.workloadRef: changes while a release is in progress',
      ],
    ],
    [
      v1beta1({}, { apiVersion: 'apps/v1beta1' }),
      v1beta1({}, { phase: 'Progressing' }),
      [
        'rollout-workload-immutable Spec.ObjectRef FieldValueForbidden | spec.workloadRef: changes while a release is in progress',
      ],
    ],
    [
      blueGreen({
        steps: [{ replicas: 1 }, { replicas: 2 }],
        trafficRoutings: [{ service: 'web', ingress: { name: 'web' } }],
      }),
      blueGreen({}, { phase: 'Progressing' }),
      [
        'rollout-traffic-routings-immutable Spec.Strategy.Canary|BlueGreen.TrafficRoutings FieldValueForbidden | spec.strategy.blueGreen.trafficRoutings: changes while a release is in progress',
        '(later) rollout-step-count-immutable Spec.Strategy.Canary|BlueGreen FieldValueForbidden | spec.strategy.blueGreen.steps: changes from 1 steps to 2 while a release is in progress',
      ],
    ],
    [
      v1beta1(),
      blueGreen({}, { phase: 'Progressing' }),
      [
        'rollout-style-immutable Spec.Strategy.Canary|BlueGreen FieldValueForbidden | spec.strategy.canary: changes from blueGreen to canary with enableExtraWorkloadForCanary while a release is in progress',
      ],
    ],
    [
      v1alpha1({ trafficRoutings: [] }, 'partition', { workload: 'shop' }),
      v1alpha1({}, 'canary', { phase: 'Terminating' }),
      [
        'rollout-workload-immutable Spec.ObjectRef FieldValueForbidden | spec.objectRef.workloadRef: changes while a release is in progress',
        '(later) rollout-traffic-routings-immutable Spec.Strategy.Canary.TrafficRoutings FieldValueForbidden | spec.strategy.canary.trafficRoutings: changes while a release is in progress',
        '(later) rollout-style-immutable Metadata.Annotation FieldValueForbidden | metadata.annotations["rollouts.kruise.io/rolling-style"]: changes from "canary" to "partition" while a release is in progress',
      ],
    ],
    [v1alpha1({}, 'CANARY'), v1alpha1({}, 'canary', { phase: 'Terminating' }), [ALLOWED]],
    [
      v1alpha1({}),
      v1alpha1({}, 'canary', { phase: 'Terminating' }),
      [
        'rollout-style-immutable Metadata.Annotation FieldValueForbidden | metadata.annotations["rollouts.kruise.io/rolling-style"]: changes from "canary" to "" while a release is in progress',
      ],
    ],
    [
      v1alpha1({}, 'partition'),
      v1alpha1({}, 'canary', { phase: 'Terminating' }),
      [
        'rollout-style-immutable Metadata.Annotation FieldValueForbidden | metadata.annotations["rollouts.kruise.io/rolling-style"]: changes from "canary" to "partition" while a release is in progress',
      ],
    ],
  ])('changes what it may not, row %#: %j', (rollout, old, expected) => {
    expect(problems(rollout, old)).toEqual(expected);
  });
});
