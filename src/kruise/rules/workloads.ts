/** Checks the workload of a Rollout. */
import { counted } from '../../core/counted';
import type { Finding } from '../../core/finding';
import { keyedBy } from '../../core/keyed';
import { groupKindOf, type Manifest } from '../../core/manifest';
import { defineRules } from '../../core/rule';
import { autoscalerOf, waitsForPeople } from '../../release';
import { API_GROUP, ROLLBACK_IN_BATCH_ANNOTATION } from '../api';
import { type Divided, dividerOf, twoVersions, type Workload, workloadOf } from '../controller';
import { honoursPause, type RolloutSubject } from '../subject';
import type { KruiseRolloutVersion } from '../version';
import type { RolloutCheck, RolloutChecker } from './context';
import * as example from './examples';
import { edit, yaml } from './examples';
import { source } from './sources';

const STACK = [example.SERVICE, example.INGRESS] as const;
const STYLE = '      enableExtraWorkloadForCanary: true\n';
const FIRST = '- { traffic: 20%, replicas: 20%, pause: {} }';
const LAST = '- { traffic: 100%, replicas: 100% }';
const ANNOTATED =
  'metadata:\n  name: web\n  namespace: shop\n  annotations: { rollouts.kruise.io/rollback-in-batch: "true" }';
const CLONE_SET = 'workloadRef: { apiVersion: apps.kruise.io/v1alpha1, kind: CloneSet, name: web }';
const BATCH_RELEASE = `apiVersion: rollouts.kruise.io/v1beta1
kind: BatchRelease
metadata: { name: web, namespace: shop }
spec:
  workloadRef: { apiVersion: apps/v1, kind: Deployment, name: web }
  releasePlan:
    enableExtraWorkloadForCanary: false
    batches: [{ canaryReplicas: 100% }]
`;

/** A whole stack in partition style, with these two lines of steps. */
const inPartition = (first: string, last: string) =>
  yaml(edit(example.ROLLOUT, [STYLE, ''], [FIRST, first], [LAST, last]), example.DEPLOYMENT, ...STACK);

/** Rules for the workload. */
export const workloadRules = defineRules({
  'kruise-workload-without-replicas': {
    severity: 'error',
    title: 'the workload has 0 replicas, so releases skip all steps',
    because:
      'the webhook does not pause a workload with 0 replicas: the new version is released immediately, without any step',
    fix: 'set replicas of the workload; to disable a Rollout, set spec.disabled',
    basis: 'read',
    rehearsedAs: ['rehearsal-incomplete'],
    sources: [source.workloadWebhook],
    failing: yaml(example.ROLLOUT, edit(example.DEPLOYMENT, ['replicas: 5', 'replicas: 0']), ...STACK),
    corrected: yaml(example.ROLLOUT, example.DEPLOYMENT, ...STACK),
  },

  'kruise-step-routing-skipped': {
    severity: 'error',
    title: 'a step with all pods routes no traffic in partition style',
    because:
      'if a step of partition style replaces all pods of the workload, the controller restores the Service and ' +
      'skips routing, so all requests go to the new version, regardless of traffic and matches',
    fix: 'replace fewer pods in the step, or set enableExtraWorkloadForCanary',
    basis: 'read',
    rehearsedAs: ['rehearsal-controller-stuck'],
    sources: [source.canary],
    failing: inPartition('- { traffic: 20%, replicas: 5, pause: {} }', '- { replicas: 100% }'),
    corrected: inPartition('- { traffic: 20%, replicas: 1, pause: {} }', '- { replicas: 100% }'),
  },

  'kruise-step-replicas-mixed': {
    severity: 'error',
    title: 'a step in partition style waits for pods that it never gets',
    because:
      'the controller writes the replicas of a step as the partition of a Deployment, and never a smaller one. It takes any ' +
      'percentage for more than any number, so after a percentage a number has no effect, and the step waits for its pods for ever',
    fix: 'write the replicas of all steps as percentages, or of all steps as numbers',
    basis: 'run',
    rehearsedAs: ['rehearsal-controller-stuck'],
    sources: [source.partition],
    failing: inPartition(`${FIRST}\n        - { replicas: 3, pause: {} }`, '- { replicas: 100% }'),
    corrected: inPartition(`${FIRST}\n        - { replicas: 60%, pause: {} }`, '- { replicas: 100% }'),
  },

  'kruise-no-old-pods-to-go-back-to': {
    severity: 'warning',
    title: 'a step waits for people when no old pod is left in partition style',
    because:
      'the controller knows the old version by its pods. Without one it takes a roll-back for a release of another new version, ' +
      'and begins at the first step. The stable Service of a Deployment then selects no pod until the first one is ready',
    fix: 'let the last step that waits leave an old pod, or use canary style (enableExtraWorkloadForCanary: true)',
    basis: 'run',
    sources: [source.finder],
    failing: inPartition('- { traffic: 20%, replicas: 1, pause: {} }', '- { replicas: 5, pause: {} }'),
    corrected: inPartition(
      '- { traffic: 20%, replicas: 1, pause: {} }',
      '- { replicas: 4, pause: {} }\n        - { replicas: 5 }',
    ),
  },

  'kruise-rollback-in-batch-ignored': {
    severity: 'warning',
    title: 'the annotation rollback-in-batch has no effect here',
    because:
      'the controller rolls back in batches only a CloneSet or StatefulSet without traffic routing; it rolls back all others immediately',
    fix: 'remove the annotation',
    basis: 'read',
    sources: [source.progressing],
    failing: yaml(edit(example.ROLLOUT, ['metadata: { name: web, namespace: shop }', ANNOTATED])),
    corrected: yaml(
      edit(
        example.ROLLOUT,
        ['metadata: { name: web, namespace: shop }', ANNOTATED],
        ['workloadRef: { apiVersion: apps/v1, kind: Deployment, name: web }', CLONE_SET],
        [STYLE, ''],
        [FIRST, '- { replicas: 20%, pause: {} }'],
        [LAST, '- { replicas: 100% }'],
        ['      trafficRoutings:\n        - service: web\n          ingress: { name: web, classType: nginx }\n', ''],
      ),
    ),
  },

  'kruise-rollout-duplicate': {
    severity: 'error',
    title: 'two Rollouts release the same workload under two API versions',
    because:
      'each Rollout pauses and releases the workload in its own steps. The webhook refuses the second one only if both refer to ' +
      'the workload in exactly the same way; with a different version in apiVersion it accepts both',
    fix: 'keep one of the Rollouts',
    basis: 'read',
    sources: [source.validation],
    failing: yaml(
      example.ROLLOUT,
      edit(
        example.ROLLOUT,
        ['metadata: { name: web, ', 'metadata: { name: web-2, '],
        [STYLE, ''],
        ['apiVersion: apps/v1,', 'apiVersion: apps/v1beta1,'],
        [LAST, '- { replicas: 100% }'],
      ),
    ),
    corrected: yaml(example.ROLLOUT),
  },

  'kruise-batch-release-authored': {
    severity: 'error',
    title: 'a BatchRelease has the name of a Rollout',
    because:
      'the controller creates, changes and deletes a BatchRelease with the name of each Rollout. It overwrites yours, or cannot start the release',
    fix: 'remove the BatchRelease: the controller creates its own',
    basis: 'read',
    sources: [source.canary],
    failing: yaml(example.ROLLOUT, example.DEPLOYMENT, ...STACK, BATCH_RELEASE),
    corrected: yaml(example.ROLLOUT, example.DEPLOYMENT, ...STACK),
  },
});

/** Checks the workload of every Rollout. */
export const checkWorkloads: RolloutChecker = (check) => [
  ...check.rollouts.flatMap((rollout) => [
    ...replicas(check, rollout),
    ...rollbackInBatch(rollout),
    ...batchRelease(check, rollout),
  ]),
  ...duplicates(check),
];

function replicas({ world, version }: RolloutCheck, rollout: RolloutSubject): Finding[] {
  const { manifest, workload, namespace, style } = rollout;
  const object = workload && world.get({ ...workload.ref, namespace });
  const count = object?.get('spec.replicas') ?? 1;
  if (object === undefined || typeof count !== 'number') return [];
  if (count === 0) {
    return [
      object.finding(workloadRules['kruise-workload-without-replicas'], {
        message: `the ${object.kind} has 0 replicas, and the Rollout "${manifest.name}" releases it step by step`,
        path: 'spec.replicas',
      }),
    ];
  }
  // The number of pods of a DaemonSet depends on the nodes.
  if (style !== 'partition' || object.kind === 'DaemonSet') return [];
  const scaled = workloadOf(workload!.ref, object, autoscalerOf(world, workload!.ref, namespace));
  return [
    ...replicasMixed(rollout, object, scaled),
    ...withoutWayBack(rollout, object, scaled.replicas),
    ...skippedRoutes(version, rollout, object, scaled.replicas),
  ];
}

/** A number of pods that a percentage before it keeps from being reached. */
function replicasMixed({ manifest, steps }: RolloutSubject, object: Manifest, workload: Workload): Finding[] {
  const divider = dividerOf('partition', workload);
  let now: Divided = { division: twoVersions(workload.replicas) };
  for (const { replicas, index, path } of steps) {
    if (replicas === undefined) continue;
    now = divider.upgrade(now, replicas, workload);
    const wanted = divider.awaits(replicas, workload);
    if (now.division.canary >= wanted) continue;
    return [
      manifest.finding(workloadRules['kruise-step-replicas-mixed'], {
        message:
          `steps[${index}] wants ${counted(wanted, 'new pod')}, but the ${object.kind} "${object.name}" keeps the partition ` +
          `${now.written} of a step before, which gives it ${now.division.canary}`,
        path: [...path, 'replicas'],
        step: index,
      }),
    ];
  }
  return [];
}

/** The first step that waits for people and leaves no old pod. */
function withoutWayBack(rollout: RolloutSubject, object: Manifest, count: number): Finding[] {
  const step = rollout.steps.find(({ replicas = 0, object: { pause }, index, routes }) => {
    // The routes that the controller skips there are worse.
    if (routes && rollout.route !== undefined) return false;
    const isAll = replicas === '100%' || (typeof replicas === 'number' && replicas >= count);
    return isAll && waitsForPeople(pause) && honoursPause(rollout, index);
  });
  if (step === undefined) return [];
  return [
    rollout.manifest.finding(workloadRules['kruise-no-old-pods-to-go-back-to'], {
      message: `steps[${step.index}] waits when all ${counted(count, 'pod')} of the ${object.kind} "${object.name}" are new, so nobody can roll back from it`,
      path: [...step.path, 'replicas'],
      step: step.index,
      // No other kind has canary style.
      ...(object.kind !== 'Deployment' && { fix: 'let the last step that waits leave an old pod' }),
    }),
  ];
}

/** Steps whose routes the controller leaves out, as they replace all pods. */
function skippedRoutes(
  version: KruiseRolloutVersion,
  { manifest, steps, route }: RolloutSubject,
  object: Manifest,
  count: number,
): Finding[] {
  if (route === undefined) return [];
  return steps.flatMap((step) => {
    // The webhook refuses a percentage above the limit for routed steps.
    const pods = typeof step.replicas === 'number' ? step.replicas : undefined;
    if (!step.routes || pods === undefined || pods < count) return [];
    const { effect, ...texts } = effectOfAllPods(version, step.index === 0 && route.makesCanaryService);
    return [
      manifest.finding(workloadRules['kruise-step-routing-skipped'], {
        message: `steps[${step.index}] replaces ${counted(pods, 'pod')}, but the ${object.kind} "${object.name}" has ${count}, so ${effect}`,
        path: [...step.path, 'replicas'],
        step: step.index,
        ...texts,
      }),
    ];
  });
}

/** What a step of partition style that leaves no old pod does in a release of the controller. */
function effectOfAllPods({ facts, version }: KruiseRolloutVersion, isFirst: boolean) {
  if (!facts.skipsRoutingWithoutOldPods) {
    return {
      effect: 'no old pod is left for the other requests',
      because: `release v${version} lets the stable Service select only old pods, so requests that stay with it get errors`,
    };
  }
  if (!isFirst) return { effect: 'the controller skips routing in this step' };
  return {
    effect: 'the release never begins',
    because:
      'before its first step the controller makes the stable Service select only old pods, and because the step leaves none, ' +
      'all pods: the two writes undo each other for ever, in the state BeforeStepUpgrade',
  };
}

function rollbackInBatch({ manifest, workload, route }: RolloutSubject): Finding[] {
  const value = manifest.annotations[ROLLBACK_IN_BATCH_ANNOTATION];
  if (value === undefined) return [];
  const kind = workload?.ref.kind ?? '';
  const reason =
    value !== 'true'
      ? `its value is ${JSON.stringify(value)} but only "true" has an effect`
      : kind !== 'CloneSet' && kind !== 'StatefulSet'
        ? `the workload is a ${kind || 'workload without kind'}`
        : route !== undefined
          ? 'the Rollout routes traffic'
          : undefined;
  if (reason === undefined) return [];
  return [
    manifest.finding(workloadRules['kruise-rollback-in-batch-ignored'], {
      message: `the annotation ${ROLLBACK_IN_BATCH_ANNOTATION} has no effect: ${reason}`,
      path: ['metadata', 'annotations', ROLLBACK_IN_BATCH_ANNOTATION],
      ...(value !== 'true' && { fix: 'write "true", or remove the annotation' }),
    }),
  ];
}

function batchRelease({ world }: RolloutCheck, { manifest, namespace }: RolloutSubject): Finding[] {
  const found = world.find(`BatchRelease.${API_GROUP}`, manifest.name, namespace);
  if (found === undefined) return [];
  return [
    found.finding(workloadRules['kruise-batch-release-authored'], {
      message: `the BatchRelease has the name of the Rollout "${manifest.name}", and the controller creates its own`,
      related: { message: 'the Rollout is declared here', object: manifest.ref },
    }),
  ];
}

const byWorkload = keyedBy<RolloutSubject>(workloadKeys);

/** Reports only duplicates that the webhook accepts: it refuses Rollouts with exactly the same workload reference. */
function duplicates({ rollouts }: RolloutCheck): Finding[] {
  return rollouts.flatMap((rollout) => {
    const { manifest, workload } = rollout;
    const same = workloadKeys(rollout).flatMap((key) => byWorkload(rollouts, key));
    const others = same.slice(0, same.indexOf(rollout));
    const [other] = others;
    if (workload === undefined || other?.workload === undefined) return [];
    if (others.some((each) => each.workload?.ref.apiVersion === workload.ref.apiVersion)) return [];
    const { kind, name, apiVersion } = workload.ref;
    return [
      manifest.finding(workloadRules['kruise-rollout-duplicate'], {
        message: `the Rollouts "${other.manifest.name}" and "${manifest.name}" both release the ${kind} "${name}", as ${other.workload.ref.apiVersion} and as ${apiVersion}`,
        path: [...workload.path, 'apiVersion'],
        related: { message: `the Rollout "${other.manifest.name}" is declared here`, object: other.manifest.ref },
      }),
    ];
  });
}

/** A workload, whatever the version of its API. */
function workloadKeys({ workload, namespace }: RolloutSubject): string[] {
  if (workload === undefined || workload.ref.name === '') return [];
  const { kind, name, apiVersion } = workload.ref;
  return [`${groupKindOf(kind, apiVersion)} ${namespace}/${name}`];
}
