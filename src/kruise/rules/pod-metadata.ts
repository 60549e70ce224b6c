/** Checks the metadata that a Rollout patches into the pods of its canary workload. */
import type { Finding } from '../../core/finding';
import { asObject } from '../../core/json';
import { defineRules } from '../../core/rule';
import type { RolloutSubject } from '../subject';
import { type RolloutCheck, type RolloutChecker, serviceOf } from './context';
import * as example from './examples';
import { edit, yaml } from './examples';
import { issue, source } from './sources';

const STACK = [example.DEPLOYMENT, example.SERVICE, example.INGRESS] as const;

/** Rules for `patchPodTemplateMetadata`. */
export const podMetadataRules = defineRules({
  'kruise-pod-metadata-ignored': {
    severity: 'error',
    title: 'patchPodTemplateMetadata has no effect in this style',
    because:
      'patchPodTemplateMetadata changes the pods of the extra canary workload, which only a native Deployment with enableExtraWorkloadForCanary gets',
    fix: 'set enableExtraWorkloadForCanary, or remove patchPodTemplateMetadata',
    basis: 'read',
    sources: [source.types, issue(247)],
    failing: yaml(
      edit(
        example.ROLLOUT,
        ['enableExtraWorkloadForCanary: true', 'patchPodTemplateMetadata: { labels: { track: canary } }'],
        ['traffic: 100%, ', ''],
      ),
    ),
    corrected: yaml(
      edit(example.ROLLOUT, [
        'enableExtraWorkloadForCanary: true',
        'enableExtraWorkloadForCanary: true\n      patchPodTemplateMetadata: { labels: { track: canary } }',
      ]),
    ),
  },

  'kruise-pod-metadata-selected': {
    severity: 'error',
    title: 'patchPodTemplateMetadata changes a label in the selector of the Service',
    because:
      'up to 0.5 the canary Service copies the selector of the stable Service, so it selects no pod and requests for the new version fail',
    fix: 'patch a label that no Service selects, or remove the label from the selector of the Service',
    basis: 'read',
    sources: [source.types, issue(241)],
    failing: yaml(
      edit(example.ROLLOUT, [
        'enableExtraWorkloadForCanary: true',
        'enableExtraWorkloadForCanary: true\n      patchPodTemplateMetadata: { labels: { app: web-canary } }',
      ]),
      ...STACK,
    ),
    corrected: yaml(
      edit(example.ROLLOUT, [
        'enableExtraWorkloadForCanary: true',
        'enableExtraWorkloadForCanary: true\n      patchPodTemplateMetadata: { labels: { track: canary } }',
      ]),
      ...STACK,
    ),
  },
});

/** Checks the patch of every Rollout. */
export const checkPodMetadata: RolloutChecker = (check) =>
  check.rollouts.flatMap((rollout) => podMetadata(check, rollout));

function podMetadata(
  { world, version }: RolloutCheck,
  { manifest, strategy, style, route, workload, namespace }: RolloutSubject,
): Finding[] {
  const patch = strategy.object.patchPodTemplateMetadata;
  if (patch === undefined || patch === null || style === 'blueGreen') return [];
  const path = [...strategy.path, 'patchPodTemplateMetadata'];
  if (style === 'partition') {
    return [
      manifest.finding(podMetadataRules['kruise-pod-metadata-ignored'], {
        message: 'the controller ignores patchPodTemplateMetadata: this Rollout has no extra canary workload',
        path,
      }),
    ];
  }
  const object = workload && world.get({ ...workload.ref, namespace });
  const required = asObject(object?.get('spec.selector.matchLabels'));
  const labels = Object.entries(asObject(asObject(patch).labels));
  const refused = labels.filter(([label, value]) => Object.hasOwn(required, label) && required[label] !== value);
  if (object !== undefined && refused.length > 0) {
    return refused.map(([label, value]) =>
      manifest.finding(podMetadataRules['kruise-pod-metadata-selected'], {
        message: `the canary pods get ${label}=${String(value)}, but the ${object.kind} "${object.name}" selects ${label}=${String(required[label])}`,
        path: [...path, 'labels', label],
        because: 'the canary workload copies the selector, so the API server refuses it: its pods would not match',
        fix: 'patch a label that the workload does not select',
        related: { message: `the ${object.kind} "${object.name}" selects the label`, object: object.ref },
      }),
    );
  }
  const service = route?.makesCanaryService ? serviceOf(world, route) : undefined;
  // Since 0.6 the canary Service selects the patched value.
  if (service === undefined || version.facts.patchesCanaryServiceSelector) return [];
  const selector = asObject(service.get('spec.selector'));
  return labels
    .filter(([label, value]) => Object.hasOwn(selector, label) && selector[label] !== value)
    .map(([label, value]) =>
      manifest.finding(podMetadataRules['kruise-pod-metadata-selected'], {
        message: `the canary pods get ${label}=${String(value)}, but the Service "${service.name}" selects ${label}=${String(selector[label])}`,
        path: [...path, 'labels', label],
        related: { message: `the Service "${service.name}" selects the label`, object: service.ref },
      }),
    );
}
