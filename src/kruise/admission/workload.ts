import type { Json } from '../../core/json';
import { asObject, textOf } from '../../core/json';
import type { Path } from '../../core/path';
import type { KruiseRolloutFacts } from '../facts';
import type { Problem } from './problem';

/** A workloadRef as the controller decodes it: absent fields are empty. */
export interface WorkloadRef {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

const SUPPORTED = [
  'ReplicaSet.apps',
  'Deployment.apps',
  'StatefulSet.apps',
  'CloneSet.apps.kruise.io',
  'StatefulSet.apps.kruise.io',
];

const BLUE_GREEN = ['Deployment.apps', 'CloneSet.apps.kruise.io'];

/** Reads a workloadRef. */
export function workloadRefOf(value: Json | undefined): WorkloadRef {
  const { apiVersion, kind, name } = asObject(value);
  return { apiVersion: textOf(apiVersion) ?? '', kind: textOf(kind) ?? '', name: textOf(name) ?? '' };
}

/** Compares every field including the version: to the webhook, `apps/v1` and `apps/v1beta1` are two workloads. */
export function isSameWorkload(a: WorkloadRef, b: WorkloadRef): boolean {
  return a.apiVersion === b.apiVersion && a.kind === b.kind && a.name === b.name;
}

/** Whether the controller can create a second workload for the canary: only for Deployments of apps/v1. */
export function isDeployment({ apiVersion, kind }: WorkloadRef): boolean {
  return apiVersion === 'apps/v1' && kind === 'Deployment';
}

/** Reports kinds that the controller does not release. */
export function checkWorkload(
  ref: WorkloadRef,
  isBlueGreen: boolean,
  facts: KruiseRolloutFacts,
  path: Path,
): Problem[] {
  const supported = [
    ...SUPPORTED,
    ...(facts.advancedDaemonSets ? ['DaemonSet.apps.kruise.io'] : []),
    ...(facts.nativeDaemonSets ? ['DaemonSet.apps'] : []),
  ];
  const named = `${ref.kind || 'a workload without kind'} of ${ref.apiVersion || 'no apiVersion'}`;
  const field = 'Spec.ObjectRef.WorkloadRef';
  const kind = `${ref.kind}.${groupOf(ref.apiVersion)}`;
  if (!supported.includes(kind)) {
    return [
      {
        rule: 'rollout-workload-unsupported',
        field,
        message: 'WorkloadRef kind is not supported',
        path,
        text: `the controller does not release ${named}`,
        fix: `name one of ${supported.map(spelled).join(', ')}`,
      },
    ];
  }
  if (!isBlueGreen || BLUE_GREEN.includes(kind)) return [];
  return [
    {
      rule: 'rollout-blue-green-workload-unsupported',
      field,
      message: 'WorkloadRef kind is not supported for bluegreen style',
      path,
      text: `blueGreen does not release ${named}`,
    },
  ];
}

/** The group of an apiVersion as Go's ParseGroupVersion reads it: empty unless there is exactly one slash. */
function groupOf(apiVersion: string): string {
  const parts = apiVersion.split('/');
  return parts.length === 2 ? parts[0]! : '';
}

function spelled(kind: string): string {
  const dot = kind.indexOf('.');
  return `${kind.slice(0, dot)} (${kind.slice(dot + 1)})`;
}
