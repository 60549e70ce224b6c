import type { JsonObject } from '../../core/json';
import { asObject, asText, isSet } from '../../core/json';
import { keyedBy } from '../../core/keyed';
import { groupOf } from '../../core/manifest';
import { type ArgoCluster, beside } from './cluster';
import type { Problem } from './problem';

/** Kinds that a workloadRef supports, with the plural in the controller's message. */
const KINDS: Readonly<Record<string, string>> = {
  'apps/Deployment': 'deployments.apps',
  'apps/ReplicaSet': 'replicasets.apps',
  '/PodTemplate': 'podtemplates',
};

const ofKind = keyedBy<JsonObject>(({ kind }) => [asText(kind)]);

/** A Rollout with the template of its workload, or the problem. */
export function resolveWorkload(rollout: JsonObject, cluster: ArgoCluster): JsonObject | Problem {
  const spec = asObject(rollout.spec);
  const { apiVersion, kind, name } = asObject(spec.workloadRef);
  const group = groupOf(asText(apiVersion));
  const resource = KINDS[`${group}/${asText(kind)}`];
  if (resource === undefined) {
    return unresolved(
      `workload of type ${group}/${asText(kind)} is not supported`,
      `${asText(kind)} of ${asText(apiVersion)} is not a workload that workloadRef supports`,
    );
  }
  const workload = beside(rollout, cluster.workloads && ofKind(cluster.workloads, asText(kind)), asText(name));
  if (workload === undefined) {
    return {
      ...unresolved(`${resource} "${asText(name)}" not found`, `there is no ${asText(kind)} "${asText(name)}"`),
      absent: { apiVersion: asText(apiVersion), kind: asText(kind), name: asText(name) },
    };
  }
  const own = asObject(workload.spec);
  const template = kind === 'PodTemplate' ? workload.template : own.template;
  return {
    ...rollout,
    spec: {
      ...spec,
      template: template ?? {},
      ...(!isSet(spec.selector) && isSet(own.selector) && { selector: own.selector }),
    },
  };
}

/** Whether the result of {@link resolveWorkload} is a problem. */
export function isProblem(resolved: JsonObject | Problem): resolved is Problem {
  return 'rule' in resolved && 'class' in resolved;
}

function unresolved(message: string, text: string): Problem {
  return { rule: 'argo-workload-ref-unresolved', class: 'S3', message, path: ['spec', 'workloadRef'], text };
}
