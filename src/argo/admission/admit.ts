import type { JsonObject } from '../../core/json';
import { asObject, asText, isSet } from '../../core/json';
import type { Path } from '../../core/path';
import { checkObject, errorText, fieldText, type SchemaError, type UnknownField } from '../../core/schema';
import { apiSchema } from '../api/schema';
import { ArgoRolloutsVersion } from '../version';
import { type ArgoCluster, existsElsewhere } from './cluster';
import { undecodable } from './decode';
import { type ArgoProblem, type ArgoStage, inReferences, inSpec, type Problem } from './problem';
import { checkReferences } from './references';
import { checkSpec } from './spec';
import { isProblem, resolveWorkload } from './workload-ref';

/** One reason why a Rollout is refused. */
export interface ArgoRefusal {
  readonly stage: ArgoStage;
  /** The controller's check: `C12`. `schema`, `decode` and `crash` are not checks of the controller. */
  readonly class: string;
  readonly field: string;
  readonly message: string;
}

/** The answer to an applied Rollout. */
export type ArgoVerdict = {
  /** The Rollout as the API server would store it: without unknown fields, with defaults. */
  readonly object: JsonObject;
  /** Fields that are not in the schema. */
  readonly unknown: readonly UnknownField[];
  /** Fields that are null. Only server-side apply refuses the object for them. */
  readonly nulls: readonly Path[];
} & ({ readonly allowed: true } | ArgoRejection);

/** A refused Rollout; class, stage, field and message belong to the first error, the only one that the controller reports. */
export interface ArgoRejection extends ArgoRefusal {
  readonly allowed: false;
  /** All errors of the stage, in the controller's order. */
  readonly errors: readonly ArgoRefusal[];
  /** The errors with their rules and paths; empty for schema errors. */
  readonly problems: readonly ArgoProblem[];
  /** The API server's errors, if it refuses the Rollout. */
  readonly schemaErrors: readonly SchemaError[];
  /** Whether the controller panics. */
  readonly crash: boolean;
  /**
   * The controller's answer, if only the lint command refuses the Rollout.
   * @default - the same
   */
  readonly controller?: ArgoAnswer;
}

/** The controller's answer. */
export type ArgoAnswer = { readonly allowed: true } | ArgoRejection;

/**
 * Predicts the answer of the API server and the controller to a Rollout. The controller reports errors in the condition
 * `InvalidSpec`: `kubectl apply` succeeds, but the controller releases nothing.
 *
 * @example
 * const verdict = admitArgoRollout(manifest.object, { services, ingresses });
 * if (!verdict.allowed) console.log(verdict.class, verdict.message);
 */
export function admitArgoRollout(object: JsonObject, cluster: ArgoCluster = {}): ArgoVerdict {
  const { version = ArgoRolloutsVersion.LATEST } = cluster;
  const schema = apiSchema('Rollout', version.facts.lacksFields);
  const { errors, ...stored } = checkObject(object, schema, { dropStatus: true });
  if (errors.length > 0) return { ...stored, ...refusedBySchema(errors) };
  const unreadable = undecodable(stored.object, schema);
  if (unreadable.length > 0) return { ...stored, ...rejection(unreadable) };
  return { ...stored, ...answer(stored.object, cluster) };
}

/**
 * All problems of a Rollout, including those that the controller does not reach, so that users can fix all of them
 * together. Expects the Rollout as the API server stores it.
 */
export function allProblems(rollout: JsonObject, cluster: ArgoCluster): readonly ArgoProblem[] {
  const hasRef = isSet(asObject(rollout.spec).workloadRef);
  const written = hasRef ? lintProblems(rollout, cluster).filter(({ stage }) => stage === 'lint') : [];
  const resolved = hasRef ? resolveWorkload(rollout, cluster) : rollout;
  const known = isProblem(resolved) ? rollout : resolved;
  const { missing, wrong, crash } = checkReferences(known, cluster);
  const isKnown = !isProblem(resolved);
  return [
    ...written,
    ...inSpec([
      ...(isKnown || isElsewhere(rollout, cluster) ? [] : [resolved]),
      ...checkSpec(known, { ...cluster, resolved: hasRef && isKnown }),
    ]),
    ...inReferences([
      ...missing,
      // Without the workload, its labels are unknown.
      ...wrong.filter(({ class: one }) => isKnown || one !== 'R-S2'),
      ...(crash === undefined ? [] : [crash]),
    ]),
  ];
}

/** Whether the workload of a Rollout exists elsewhere, so that only its pods are unknown. */
function isElsewhere(rollout: JsonObject, cluster: ArgoCluster): boolean {
  const { apiVersion, kind, name } = asObject(asObject(rollout.spec).workloadRef);
  return existsElsewhere(rollout, cluster, asText(kind), asText(name), asText(apiVersion));
}

function answer(rollout: JsonObject, cluster: ArgoCluster): ArgoAnswer {
  const hasRef = isSet(asObject(rollout.spec).workloadRef);
  const lint = hasRef ? lintProblems(rollout, cluster) : [];
  if (!lint.some(({ stage }) => stage === 'lint')) return controllerAnswer(rollout, cluster);
  return { ...rejection(lint), controller: controllerAnswer(rollout, cluster) };
}

/** The lint command's answer to a Rollout with a workloadRef. */
function lintProblems(rollout: JsonObject, { version }: ArgoCluster): ArgoProblem[] {
  return inSpec(checkSpec(rollout, version && { version })).map((problem) =>
    problem.class === 'S3' ? { ...problem, stage: 'lint' } : problem,
  );
}

function controllerAnswer(written: JsonObject, cluster: ArgoCluster): ArgoAnswer {
  const hasRef = isSet(asObject(written.spec).workloadRef);
  const resolved = hasRef ? resolveWorkload(written, cluster) : written;
  const isKnown = !isProblem(resolved);
  if (!isKnown && !isElsewhere(written, cluster)) return rejection(inSpec([resolved]));
  const rollout = isKnown ? resolved : written;
  const own = inSpec(checkSpec(rollout, { ...cluster, resolved: hasRef && isKnown }));
  if (own.length > 0) return rejection(own);
  const { missing, wrong, crash } = checkReferences(rollout, cluster);
  const bad = wrong.filter(({ class: one }) => isKnown || one !== 'R-S2');
  const first: readonly Problem[] = missing.length > 0 ? missing.slice(0, 1) : crash !== undefined ? [crash] : bad;
  return first.length === 0 ? { allowed: true } : rejection(inReferences(first));
}

function rejection(problems: readonly ArgoProblem[]): ArgoRejection {
  const errors = problems.map(({ stage, class: check, field, message }) => ({ stage, class: check, field, message }));
  const [first] = errors;
  return {
    allowed: false,
    ...first!,
    errors,
    problems,
    schemaErrors: [],
    crash: first!.class === 'crash',
  };
}

function refusedBySchema(schemaErrors: readonly SchemaError[]): ArgoRejection {
  const errors = schemaErrors.map((error) => ({
    stage: 'schema' as const,
    class: 'schema',
    field: fieldText(error.path),
    message: errorText(error),
  }));
  return { allowed: false, ...errors[0]!, errors, problems: [], schemaErrors, crash: false };
}
