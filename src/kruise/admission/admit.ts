import type { Json, JsonObject } from '../../core/json';
import { asObject, textOf } from '../../core/json';
import type { Path } from '../../core/path';
import { checkObject, type SchemaError, type UnknownField } from '../../core/schema';
import { apiSchemaOf } from '../api/schema';
import { KruiseRolloutVersion } from '../version';
import { type DecodeProblem, undecodable } from './decode';
import { type AdmissionProblem, allReported } from './problem';
import { checkV1alpha1, crashesWebhook } from './rollout-v1alpha1';
import { checkV1beta1, type RolloutRules } from './rollout-v1beta1';
import { checkChangesV1alpha1, checkChangesV1beta1, crashesOnUpdate, isLocked } from './update';
import { isSameWorkload, type WorkloadRef, workloadRefOf } from './workload';

/** Settings of the controller that affect admission. */
export interface AdmissionOptions {
  /**
   * The release of the controller.
   * @default KruiseRolloutVersion.LATEST
   */
  readonly version?: KruiseRolloutVersion;
  /**
   * The controller's flag `--partition-percent-limit`.
   * @default 50
   */
  readonly partitionPercentLimit?: number;
}

/** The Rollouts that are already in the cluster. */
export interface AdmissionCluster {
  /**
   * Existing Rollouts, of either API version and any namespace.
   * @default - none
   */
  readonly existing?: readonly JsonObject[];
  /**
   * The current Rollout in the cluster, with its status, for an update.
   * @default - the Rollout is created
   */
  readonly old?: JsonObject;
}

/** The answer to an applied Rollout. */
export type AdmissionVerdict = {
  /** The Rollout as the API server would store it: without unknown fields, with defaults. */
  readonly object: JsonObject;
  /** Fields that are not in the schema. */
  readonly unknown: readonly UnknownField[];
  /** Fields that are null. Only server-side apply refuses the object for them. */
  readonly nulls: readonly Path[];
} & (
  | { readonly allowed: true }
  /** The release does not serve this kind in this version. */
  | { readonly allowed: false; readonly by: 'kind' }
  /** The API server refuses it because of the CRD's schema or its metadata. */
  | { readonly allowed: false; readonly by: 'schema'; readonly errors: readonly SchemaError[] }
  /** The webhook cannot decode it: HTTP 400. */
  | { readonly allowed: false; readonly by: 'decode'; readonly problem: DecodeProblem; readonly message: string }
  /** The webhook panics, and the API server treats a missing answer as a refusal. */
  | { readonly allowed: false; readonly by: 'crash'; readonly message: string }
  /** The webhook refuses it: HTTP 422. Its answer lists the problems with `reported`, in this order. */
  | { readonly allowed: false; readonly by: 'webhook'; readonly problems: readonly AdmissionProblem[] }
);

/** The default of the flag. */
const DEFAULT_PARTITION_PERCENT_LIMIT = 50;

const CRASH = 'runtime error: invalid memory address or nil pointer dereference';

/**
 * Predicts how the API server and the controller's webhook answer when a Rollout of either API version is applied.
 *
 * @example
 * const verdict = admitRollout(manifest.object, { existing: [] });
 * if (!verdict.allowed && verdict.by === 'webhook') console.log(verdict.problems[0].message);
 */
export function admitRollout(
  object: JsonObject,
  cluster: AdmissionCluster = {},
  options: AdmissionOptions = {},
): AdmissionVerdict {
  const { version = KruiseRolloutVersion.LATEST } = options;
  const { old } = cluster;
  const schema = apiSchemaOf({ apiVersion: versionOf(object), kind: 'Rollout' }, version);
  if (schema === undefined) return { allowed: false, by: 'kind', object, unknown: [], nulls: [] };

  const { errors, ...stored } = checkObject(object, schema, {
    dropStatus: true,
    ...(old === undefined ? {} : { old }),
  });
  if (errors.length > 0) return { allowed: false, by: 'schema', errors, ...stored };

  const problem = undecodable(stored.object, schema);
  if (problem !== undefined) return { allowed: false, by: 'decode', problem, message: problem.message, ...stored };

  const answer = answerOf(stored.object, cluster, rulesOf(version, options));
  if (answer === 'crash') return { allowed: false, by: 'crash', message: CRASH, ...stored };
  return answer.length === 0
    ? { allowed: true, ...stored }
    : { allowed: false, by: 'webhook', problems: answer, ...stored };
}

/**
 * The webhook's problems with a Rollout, even if the API server refuses it first. Users want all problems at once; the API
 * server would ask the webhook only after the first fix. Empty if the webhook panics.
 */
export function webhookProblems(
  object: JsonObject,
  cluster: AdmissionCluster,
  options: AdmissionOptions,
): readonly AdmissionProblem[] {
  const { version = KruiseRolloutVersion.LATEST } = options;
  const answer = answerOf(object, cluster, rulesOf(version, options));
  return answer === 'crash' ? [] : answer;
}

function rulesOf({ facts }: KruiseRolloutVersion, options: AdmissionOptions): RolloutRules {
  const { partitionPercentLimit = DEFAULT_PARTITION_PERCENT_LIMIT } = options;
  return { facts, partitionPercentLimit: facts.partitionPercentLimitFlag ? partitionPercentLimit : undefined };
}

/** The webhook's answer to a Rollout that it can decode. */
function answerOf(rollout: JsonObject, cluster: AdmissionCluster, rules: RolloutRules): AdmissionProblem[] | 'crash' {
  const isV1alpha1 = isOld(rollout);
  if (isV1alpha1 && crashesWebhook(rollout, rules)) return 'crash';
  const own = isV1alpha1 ? checkV1alpha1(rollout, rules) : checkV1beta1(rollout, rules);
  const problems = [...own, ...checkConflict(rollout, cluster.existing ?? [])];
  const { old } = cluster;
  if (problems.length > 0 || old === undefined || !isLocked(old)) return problems;
  if (!isV1alpha1) return checkChangesV1beta1(old, rollout, rules.facts);
  return crashesOnUpdate(old) ? 'crash' : checkChangesV1alpha1(old, rollout);
}

/** A workload may have only one Rollout. */
function checkConflict(rollout: JsonObject, existing: readonly JsonObject[]): AdmissionProblem[] {
  const ref = workloadOf(rollout);
  const { name, namespace } = placeOf(rollout);
  const other = existing.find((one) => {
    const place = placeOf(one);
    const otherRef = workloadOf(one);
    return (
      place.namespace === namespace &&
      place.name !== name &&
      ref !== undefined &&
      otherRef !== undefined &&
      isSameWorkload(ref, otherRef)
    );
  });
  if (other === undefined || ref === undefined) return [];
  const taken = `${namespace}/${placeOf(other).name}`;
  return allReported([
    {
      rule: 'rollout-workload-taken',
      field: 'Conflict Checker',
      message: `This rollout conflict with Rollout(${taken}), one workload only have less than one Rollout`,
      path: isOld(rollout) ? ['spec', 'objectRef', 'workloadRef'] : ['spec', 'workloadRef'],
      text: `${ref.kind} "${ref.name}" already has the Rollout "${placeOf(other).name}"`,
    },
  ]);
}

/** The workload of a Rollout of either API version; undefined if a v1alpha1 Rollout names none. */
export function workloadOf(rollout: JsonObject): WorkloadRef | undefined {
  const { workloadRef, objectRef } = asObject(rollout.spec);
  if (!isOld(rollout)) return workloadRefOf(workloadRef);
  const old = asObject(objectRef).workloadRef;
  return old === undefined ? undefined : workloadRefOf(old);
}

function placeOf(rollout: JsonObject): { readonly name: string; readonly namespace: string } {
  const { name, namespace } = asObject(rollout.metadata);
  return { name: textOf(name) ?? '', namespace: textOf(namespace) || 'default' };
}

function isOld(rollout: JsonObject): boolean {
  return versionOf(rollout).endsWith('/v1alpha1');
}

function versionOf({ apiVersion }: { readonly apiVersion?: Json }): string {
  return textOf(apiVersion) ?? '';
}
