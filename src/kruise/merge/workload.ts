/** What a change of a workload does: it starts a release, starts none, or replaces the pods past the Rollout. */
import type { FieldChange } from '../../core/field-changes';
import { asList, textOf } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { MergeEffect } from '../../core/stack-diff';
import { podChangesText, podTemplateChanges } from '../../kubernetes/pod-template';
import { IN_PROGRESSING_ANNOTATION, RELEASE_ID_ANNOTATION } from '../api';
import { keptReleaseId } from '../controller';
import { WORKLOAD_TYPE_LABEL } from '../install/names';
import type { RolloutSubject } from '../subject';
import { effectOf, nameOf, type RolloutChange } from './effect';

const TEMPLATE = ['spec', 'template'];

/** The fields of the pods that differ. */
export function podChanges(before: Manifest, after: Manifest): FieldChange[] {
  return podTemplateChanges(before.get(TEMPLATE), after.get(TEMPLATE), TEMPLATE);
}

/** The effects of a change of the workload of a Rollout. */
export function workloadEffects(change: RolloutChange): MergeEffect[] {
  const { base, head, before: known, after: rollout } = change;
  const ref = rollout.workload && { ...rollout.workload.ref, namespace: rollout.namespace };
  const after = ref && head.get(ref);
  if (after === undefined) return [];
  const before = base.get(ref!);
  if (before === undefined) return [firstPods(rollout, after)];
  const changes = podChanges(before, after);
  if (changes.length > 0) return [withNewPods(change, { before, after, changes })];
  if (known === undefined) return [adopted(rollout, after)];
  return annotationEffects(rollout, before, after);
}

interface WorkloadEdit {
  readonly before: Manifest;
  readonly after: Manifest;
  readonly changes: readonly FieldChange[];
}

function firstPods(rollout: RolloutSubject, workload: Manifest): MergeEffect {
  return effectOf(rollout, workload, {
    kind: 'no-release',
    severity: 'note',
    message: `${nameOf(workload)} is new: its first pods come at once, without steps`,
    because: 'there is no old version that requests could stay with',
  });
}

function adopted(rollout: RolloutSubject, workload: Manifest): MergeEffect {
  return effectOf(rollout, workload, {
    kind: 'no-release',
    severity: 'note',
    message: `${nameOf(rollout.manifest)} is new, and the pods of ${nameOf(workload)} stay as they are: no release starts`,
    because: 'the controller only labels the workload now; the next change of its pods is the first with steps',
  });
}

function withNewPods(change: RolloutChange, edit: WorkloadEdit): MergeEffect {
  const { before: known, after: rollout } = change;
  const { after, changes } = edit;
  const what = podChangesText(changes, after.get(TEMPLATE));
  const path = changes[0]!.path;
  const warning = (kind: 'no-canary' | 'bypass', why: string, because: string, fix: string): MergeEffect =>
    effectOf(rollout, after, {
      kind,
      severity: 'warning',
      message: `${nameOf(after)} replaces all pods without a canary, because ${why} (${what})`,
      because,
      fix,
      path,
    });
  if (rollout.manifest.get('spec.disabled') === true) {
    return warning(
      'no-canary',
      `${nameOf(rollout.manifest)} is disabled`,
      'the controller does not steer the workload of a Rollout that is disabled',
      'enable the Rollout first, and merge the new pods afterwards',
    );
  }
  if (known === undefined || known.manifest.get('spec.disabled') === true) {
    return warning(
      'no-canary',
      `${nameOf(rollout.manifest)} ${known === undefined ? 'comes' : 'is enabled'} with the same change`,
      UNLABELLED,
      'merge the Rollout alone; merge the new pods when the workload has its label',
    );
  }
  const bypass = bypassOf(change, edit);
  return bypass === undefined ? started(rollout, after, what, path) : warning('bypass', ...bypass);
}

const UNLABELLED = `the webhook starts a release only for a workload with the label ${WORKLOAD_TYPE_LABEL}, which the controller adds after it has seen the Rollout; what changes before is a plain rolling update`;

const LABEL_LOST = `the webhook starts a release only for a workload with the label ${WORKLOAD_TYPE_LABEL}; the controller adds it in the cluster, and an update that is sent without it passes`;

type Bypass = readonly [why: string, because: string, fix: string];

/** Why the webhook lets new pods pass. */
function bypassOf({ head, version }: RolloutChange, { before, after }: WorkloadEdit): Bypass | undefined {
  if (after.get('spec.replicas') === 0) {
    return [
      'the same change sets replicas to 0',
      'the webhook lets every change of a workload with replicas 0 pass',
      'change replicas in another merge than the pods',
    ];
  }
  const id = keptReleaseId(before.object, after.object);
  if (id !== undefined) {
    return [
      `the annotation ${RELEASE_ID_ANNOTATION} stays "${id}"`,
      'for a workload with this annotation, the webhook starts a release only when the id changes',
      'remove the annotation, or change the id in the same merge',
    ];
  }
  if (!version.facts.labelsWorkloads) return undefined;
  if (before.labels[WORKLOAD_TYPE_LABEL] !== undefined && after.labels[WORKLOAD_TYPE_LABEL] === undefined) {
    return [
      `it drops the label ${WORKLOAD_TYPE_LABEL}`,
      LABEL_LOST,
      'keep the label in the manifest, or drop it in another merge than the pods',
    ];
  }
  const replacer = replacerOf(after, head.list('Application.argoproj.io'), head.namespaceOf(after));
  if (replacer === undefined) return undefined;
  return [
    `${replacer} has Argo CD replace it (Replace=true)`,
    LABEL_LOST,
    'sync without Replace=true, so that the label stays; ServerSideApply=true applies large objects too',
  ];
}

const SYNC_OPTIONS = 'argocd.argoproj.io/sync-options';

/** Who asks Argo CD to replace an object instead of patching it: `its annotation`, `Application argocd/shop`. */
function replacerOf(workload: Manifest, applications: readonly Manifest[], namespace: string): string | undefined {
  const own = (workload.annotations[SYNC_OPTIONS] ?? '').split(',').map((option) => option.trim());
  if (own.includes('Replace=true')) return `the annotation ${SYNC_OPTIONS}`;
  if (own.includes('Replace=false')) return undefined;
  const application = applications.find((one) => {
    const options = asList(one.get('spec.syncPolicy.syncOptions'));
    return options.includes('Replace=true') && textOf(one.get('spec.destination.namespace')) === namespace;
  });
  return application === undefined ? undefined : nameOf(application);
}

/** What a release does that is in progress already, by the style of the Rollout. */
const AGAIN: Readonly<Record<RolloutSubject['style'], string>> = {
  canary: 'a release in progress is given up, and its steps begin again with these pods',
  partition: 'a release in progress is given up, and its steps begin again with these pods',
  blueGreen: 'while another release is in progress, the controller waits until somebody rolls it back',
};

function started(rollout: RolloutSubject, workload: Manifest, what: string, path: FieldChange['path']): MergeEffect {
  const { steps, style, strategy } = rollout;
  const count = `${steps.length} step${steps.length === 1 ? '' : 's'}`;
  const isPaused = strategy.path.length > 0 && rollout.manifest.get('spec.strategy.paused') === true;
  const waits = isPaused ? '; it waits before its first step, because spec.strategy.paused is true' : '';
  return effectOf(rollout, workload, {
    kind: 'starts-release',
    severity: 'note',
    message: `a release of ${count} starts: ${nameOf(workload)} gets new pods (${what})${waits}`,
    because: `the webhook pauses the workload, and the controller goes through the steps of ${nameOf(rollout.manifest)}; ${AGAIN[style]}`,
    path,
  });
}

/** Annotations of the workload that the webhook and the controller read. */
function annotationEffects(rollout: RolloutSubject, before: Manifest, after: Manifest): MergeEffect[] {
  const isChanged = (name: string) =>
    after.annotations[name] !== undefined && after.annotations[name] !== before.annotations[name];
  const at = (name: string) => ['metadata', 'annotations', name];
  return [
    ...(isChanged(RELEASE_ID_ANNOTATION)
      ? [
          effectOf(rollout, after, {
            kind: 'starts-release',
            severity: 'note',
            message: `a release starts without new pods: ${nameOf(after)} has another ${RELEASE_ID_ANNOTATION}`,
            because: 'the webhook pauses the workload for another release id, too',
            path: at(RELEASE_ID_ANNOTATION),
          }),
        ]
      : []),
    ...(isChanged(IN_PROGRESSING_ANNOTATION)
      ? [
          effectOf(rollout, after, {
            kind: 'reroutes',
            severity: 'warning',
            message: `${nameOf(after)} is paused, because the annotation ${IN_PROGRESSING_ANNOTATION} is written by hand`,
            because: 'the webhook takes the annotation for a release that the controller has begun',
            fix: 'leave the annotation to the controller',
            path: at(IN_PROGRESSING_ANNOTATION),
          }),
        ]
      : []),
  ];
}
