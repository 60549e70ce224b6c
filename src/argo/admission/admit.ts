import type { JsonObject } from '../../core/json';
import { asObject, asText, isSet } from '../../core/json';
import { checkObject, errorText, fieldText, type SchemaError, type UnknownField } from '../../core/schema';
import { apiSchema } from '../api/schema';
import { type ArgoCluster, existsElsewhere } from './cluster';
import { undecodable } from './decode';
import { type ArgoProblem, type ArgoStage, inReferences, inSpec, type Problem } from './problem';
import { checkReferences } from './references';
import { checkSpec } from './spec';
import { isProblem, resolveWorkload } from './workload-ref';

/** One reason why a Rollout is refused. */
export interface ArgoRefusal {
  readonly stage: ArgoStage;
  /** The check, as in `C12`; `schema`, `decode` and `crash` are no check of the controller. */
  readonly class: string;
  readonly field: string;
  readonly message: string;
}

/** What happens to a Rollout that is applied. */
export type ArgoVerdict = {
  /** The Rollout as it would be stored: without unknown fields, with defaults. */
  readonly object: JsonObject;
  /** Fields that the API does not know. */
  readonly unknown: readonly UnknownField[];
} & ({ readonly allowed: true } | ArgoRejection);

/** A Rollout is refused; class, stage, field and message are those of the first error, the only one that is reported. */
export interface ArgoRejection extends ArgoRefusal {
  readonly allowed: false;
  /** All errors of the stage, in the order in which the controller finds them. */
  readonly errors: readonly ArgoRefusal[];
  /** The same, with their rules and places; none of an error of the schema. */
  readonly problems: readonly ArgoProblem[];
  /** The API server's errors, where it refuses the Rollout. */
  readonly schemaErrors: readonly SchemaError[];
  /** The controller dies of it. */
  readonly crash: boolean;
  /**
   * What the controller says of what only the lint command refuses.
   * @default - the same
   */
  readonly controller?: ArgoAnswer;
}

/** What the controller says. */
export type ArgoAnswer = { readonly allowed: true } | ArgoRejection;

/**
 * What the API server and the controller say of a Rollout. The controller writes it into the condition `InvalidSpec`:
 * `kubectl apply` succeeds, and nothing is released.
 *
 * @example
 * const verdict = admitArgoRollout(manifest.object, { services, ingresses });
 * if (!verdict.allowed) console.log(verdict.class, verdict.message);
 */
export function admitArgoRollout(object: JsonObject, cluster: ArgoCluster = {}): ArgoVerdict {
  const schema = apiSchema('Rollout');
  const { errors, ...stored } = checkObject(object, schema, { dropStatus: true });
  if (errors.length > 0) return { ...stored, ...refusedBySchema(errors) };
  const unreadable = undecodable(stored.object, schema);
  if (unreadable.length > 0) return { ...stored, ...rejection(unreadable) };
  return { ...stored, ...answer(stored.object, cluster) };
}

/**
 * All problems of a Rollout at once, also those that the controller does not get to: what a user wants to read who
 * mends a manifest. The Rollout is taken as the API server stores it.
 */
export function allProblems(rollout: JsonObject, cluster: ArgoCluster): readonly ArgoProblem[] {
  const hasRef = isSet(asObject(rollout.spec).workloadRef);
  const written = hasRef ? lintProblems(rollout).filter(({ stage }) => stage === 'lint') : [];
  const resolved = hasRef ? resolveWorkload(rollout, cluster) : rollout;
  const known = isProblem(resolved) ? rollout : resolved;
  const { missing, wrong, crash } = checkReferences(known, cluster);
  const isKnown = !isProblem(resolved);
  return [
    ...written,
    ...inSpec([
      ...(isKnown || isElsewhere(rollout, cluster) ? [] : [resolved]),
      ...checkSpec(known, { resolved: hasRef && isKnown }),
    ]),
    ...inReferences([
      ...missing,
      // Without the workload its labels are not known.
      ...wrong.filter(({ class: one }) => isKnown || one !== 'R-S2'),
      ...(crash === undefined ? [] : [crash]),
    ]),
  ];
}

/** Whether the workload that a Rollout names is known to exist, so that only its pods are not known. */
function isElsewhere(rollout: JsonObject, cluster: ArgoCluster): boolean {
  const { apiVersion, kind, name } = asObject(asObject(rollout.spec).workloadRef);
  return existsElsewhere(rollout, cluster, asText(kind), asText(name), asText(apiVersion));
}

function answer(rollout: JsonObject, cluster: ArgoCluster): ArgoAnswer {
  const hasRef = isSet(asObject(rollout.spec).workloadRef);
  const lint = hasRef ? lintProblems(rollout) : [];
  if (!lint.some(({ stage }) => stage === 'lint')) return controllerAnswer(rollout, cluster);
  return { ...rejection(lint), controller: controllerAnswer(rollout, cluster) };
}

/** What the lint command says of a Rollout whose pods are in another object. */
function lintProblems(rollout: JsonObject): ArgoProblem[] {
  return inSpec(checkSpec(rollout)).map((problem) =>
    problem.class === 'S3' ? { ...problem, stage: 'lint' } : problem,
  );
}

function controllerAnswer(written: JsonObject, cluster: ArgoCluster): ArgoAnswer {
  const hasRef = isSet(asObject(written.spec).workloadRef);
  const resolved = hasRef ? resolveWorkload(written, cluster) : written;
  const isKnown = !isProblem(resolved);
  if (!isKnown && !isElsewhere(written, cluster)) return rejection(inSpec([resolved]));
  const rollout = isKnown ? resolved : written;
  const own = inSpec(checkSpec(rollout, { resolved: hasRef && isKnown }));
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
