/** Checks fields and marks of a workload that change its releases, or keep them from beginning. */
import type { Finding } from '../../core/finding';
import type { Manifest } from '../../core/manifest';
import { defineRules } from '../../core/rule';
import { isFromCluster } from '../../release';
import { IN_PROGRESSING_ANNOTATION, RELEASE_ID_ANNOTATION } from '../api';
import { type Workload, waitsForPodHash, workloadOf } from '../controller';
import type { RolloutSubject } from '../subject';
import type { RolloutCheck, RolloutChecker } from './context';
import * as example from './examples';
import { edit, yaml } from './examples';
import { source } from './sources';

const STACK = [example.SERVICE, example.INGRESS] as const;
const METADATA = 'metadata: { name: web, namespace: shop }';
const REPLICAS = '  replicas: 5\n';
const POD_LABELS = 'metadata: { labels: { app: web } }';
const STATEFUL = edit(
  example.ROLLOUT,
  ['kind: Deployment', 'kind: StatefulSet'],
  ['      enableExtraWorkloadForCanary: true\n', ''],
  ['traffic: 100%, ', ''],
);
const STATEFUL_SET = edit(example.DEPLOYMENT, ['kind: Deployment', 'kind: StatefulSet']);

const deployment = (...edits: readonly (readonly [string, string])[]) => edit(example.DEPLOYMENT, ...edits);
const annotated = (annotation: string) =>
  deployment([METADATA, `metadata:\n  name: web\n  namespace: shop\n  annotations: { ${annotation} }`]);
const CORRECTED = yaml(example.ROLLOUT, example.DEPLOYMENT, ...STACK);

/** Rules for what a manifest says of its workload. */
export const workloadFieldRules = defineRules({
  'kruise-release-id-kept': {
    severity: 'note',
    title: 'a new image alone starts no release',
    because:
      'for a workload with the annotation rollouts.kruise.io/rollout-id, the webhook starts a release only when the id changes: any ' +
      'other change of the pods gets to everybody at once. The label of the same name, which names the release on its pods, does no harm',
    fix: 'remove the annotation, or change its value together with each image',
    basis: 'run',
    sources: [source.workloadWebhook],
    failing: yaml(example.ROLLOUT, annotated('rollouts.kruise.io/rollout-id: "1"'), ...STACK),
    corrected: CORRECTED,
  },

  'kruise-in-progressing-authored': {
    severity: 'error',
    title: 'the manifest of the workload says that a release is in progress',
    because:
      'the webhook and the controller write the annotation rollouts.kruise.io/in-progressing when a release begins, and remove it at its end. ' +
      'Where a manifest has it, each apply begins a release of the version that runs. In partition style, the next version then gets no ' +
      'route; in blue-green style, the controller waits for a roll-back',
    fix: 'remove the annotation from the manifest',
    basis: 'run',
    sources: [source.workloadWebhook, source.progressing],
    failing: yaml(example.ROLLOUT, annotated(`rollouts.kruise.io/in-progressing: '{"rolloutName":"web"}'`), ...STACK),
    corrected: CORRECTED,
  },

  'kruise-workload-paused': {
    severity: 'error',
    title: 'the Deployment is paused, so it begins without a pod',
    because:
      'Kubernetes creates no pod for a paused Deployment that has none. The controller pauses and resumes the Deployment in each release; a ' +
      'manifest that pauses it undoes the resuming at each apply, and the release does not end',
    fix: 'remove spec.paused; to hold a release, set spec.strategy.paused of the Rollout',
    basis: 'run',
    sources: [source.workloadWebhook],
    failing: yaml(example.ROLLOUT, deployment([REPLICAS, `${REPLICAS}  paused: true\n`]), ...STACK),
    corrected: CORRECTED,
  },

  'kruise-workload-recreate': {
    severity: 'warning',
    title: 'a release does not keep to the strategy Recreate',
    because:
      'a release runs pods of two versions side by side, in every style. Partition and blue-green style leave the Deployment with the ' +
      'strategy RollingUpdate. Canary style leaves it as it is: at the end, Kubernetes deletes all old pods, and the controller the pods of the ' +
      'canary, before a new pod is ready',
    fix: 'use the strategy RollingUpdate; pods that may not run beside another version cannot be released in steps',
    basis: 'run',
    rehearsedAs: ['rehearsal-requests-fail'],
    sources: [source.workloadWebhook, source.partition],
    failing: yaml(example.ROLLOUT, deployment([REPLICAS, `${REPLICAS}  strategy: { type: Recreate }\n`]), ...STACK),
    corrected: CORRECTED,
  },

  'kruise-workload-on-delete': {
    severity: 'error',
    title: 'pods that are only replaced when somebody deletes them have no release',
    because:
      'with updateStrategy OnDelete, the webhook starts no release: each pod gets the new version when somebody deletes it, without a step or a ' +
      'route. For a DaemonSet of OpenKruise the webhook panics, so the API server refuses every change of the pods',
    fix: 'use updateStrategy RollingUpdate',
    basis: 'run',
    sources: [source.workloadWebhook],
    failing: yaml(
      STATEFUL,
      edit(STATEFUL_SET, [REPLICAS, `${REPLICAS}  updateStrategy: { type: OnDelete }\n`]),
      ...STACK,
    ),
    corrected: yaml(STATEFUL, STATEFUL_SET, ...STACK),
  },

  'kruise-pod-template-hash': {
    severity: 'error',
    title: 'a label of the pods hides their version from the controller',
    because:
      'Kubernetes replaces the label pod-template-hash of a pod template by a hash of its own. In blue-green style, the controller computes a ' +
      'hash of the template with the label as it is declared, finds no pod that has it, and waits for ever',
    fix: 'remove the label pod-template-hash from the pod template',
    basis: 'run',
    rehearsedAs: ['rehearsal-controller-stuck'],
    sources: [source.labelPatch],
    failing: yaml(
      example.BLUE_GREEN_ROLLOUT,
      deployment([POD_LABELS, 'metadata: { labels: { app: web, pod-template-hash: 7c9d } }']),
      ...STACK,
    ),
    corrected: yaml(example.BLUE_GREEN_ROLLOUT, example.DEPLOYMENT, ...STACK),
  },
});

/** Checks what the manifest of each workload says. */
export const checkWorkloadFields: RolloutChecker = (check) =>
  check.rollouts.flatMap((rollout) => {
    const { workload, namespace, manifest } = rollout;
    const object = workload && check.world.get({ ...workload.ref, namespace });
    if (object === undefined || isFromCluster(object) || manifest.get('spec.disabled') === true) return [];
    const known = workloadOf(workload!.ref, object);
    return [
      ...annotations(object),
      ...paused(object),
      ...replacement(rollout, object, known),
      ...podTemplateHash(check, rollout, object, known),
    ];
  });

/** What each annotation does, which belongs to releases and not to a manifest. */
const ANNOTATIONS = [
  [RELEASE_ID_ANNOTATION, 'kruise-release-id-kept', ': a new image with the same id gets to everybody at once'],
  [IN_PROGRESSING_ANNOTATION, 'kruise-in-progressing-authored', ', which only the controller may write'],
] as const;

function annotations(object: Manifest): Finding[] {
  return ANNOTATIONS.filter(([name]) => object.annotations[name]).map(([name, rule, effect]) =>
    object.finding(workloadFieldRules[rule], {
      message: `the ${object.kind} "${object.name}" has the annotation ${name}${effect}`,
      path: ['metadata', 'annotations', name],
    }),
  );
}

function paused(object: Manifest): Finding[] {
  if (object.kind !== 'Deployment' || object.get('spec.paused') !== true) return [];
  return [
    object.finding(workloadFieldRules['kruise-workload-paused'], {
      message: `the Deployment "${object.name}" is paused, so Kubernetes creates no pod for it`,
      path: 'spec.paused',
    }),
  ];
}

function replacement(
  { style }: RolloutSubject,
  object: Manifest,
  { recreates, waitsForDeletion }: Workload,
): Finding[] {
  const who = `${object.kind} "${object.name}"`;
  if (waitsForDeletion) {
    return [
      object.finding(workloadFieldRules['kruise-workload-on-delete'], {
        message:
          object.kind === 'DaemonSet'
            ? `the API server refuses new pods of the ${who}, because the webhook panics at OnDelete`
            : `the ${who} is updated OnDelete, so no change of its pods starts a release`,
        path: 'spec.updateStrategy.type',
      }),
    ];
  }
  if (!recreates) return [];
  const effect =
    style === 'canary'
      ? 'at the end of a release there is no pod until the new ones are ready'
      : 'a release runs two versions side by side, and leaves it with the strategy RollingUpdate';
  return [
    object.finding(workloadFieldRules['kruise-workload-recreate'], {
      message: `the ${who} has the strategy Recreate: ${effect}`,
      path: 'spec.strategy.type',
      ...(style === 'canary' && { severity: 'error' }),
    }),
  ];
}

function podTemplateHash(
  { version }: RolloutCheck,
  { style }: RolloutSubject,
  object: Manifest,
  workload: Workload,
): Finding[] {
  if (!waitsForPodHash(style, workload, version.facts)) return [];
  return [
    object.finding(workloadFieldRules['kruise-pod-template-hash'], {
      message: `the pods of the ${object.kind} "${object.name}" have a label pod-template-hash of their own, so a blue-green release waits at its first step for ever`,
      path: 'spec.template.metadata.labels.pod-template-hash',
    }),
  ];
}
