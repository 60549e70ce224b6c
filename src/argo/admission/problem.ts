import type { AbsentObject } from '../../core/finding';
import type { Path } from '../../core/path';
import { fieldText } from '../../core/schema';
import type { ArgoAdmissionRuleId } from './rules';

/** Who refuses a Rollout: the API server, only `kubectl argo rollouts lint`, or the controller. */
export type ArgoStage = 'schema' | 'decode' | 'lint' | 'spec' | 'references';

/** A reason for the controller to refuse an object. */
export interface ArgoProblem {
  readonly rule: ArgoAdmissionRuleId;
  /** The controller's check: `C12`. */
  readonly class: string;
  readonly stage: ArgoStage;
  /** The field in the controller's spelling, which omits `canary` and `blueGreen`. */
  readonly field: string;
  /** The controller's own message. */
  readonly message: string;
  /** The path in the manifest. */
  readonly path: Path;
  /** Our own message, which follows the path. */
  readonly text: string;
  /** @default - the rule's own */
  readonly fix?: string;
  /** @default - the rule's own */
  readonly severity?: 'warning';
  /** The step, counted from 0. */
  readonly step?: number;
  /** The object that does not exist, where this is the problem. */
  readonly absent?: AbsentObject;
  /** The object in the Rollout's namespace that does not fit the Rollout, by its group and kind. */
  readonly about?: { readonly kind: string; readonly name: string };
}

/** A problem before its stage is known; the field defaults to the path. */
export type Problem = Omit<ArgoProblem, 'stage' | 'field'> & { readonly field?: string };

/** Marks problems that the controller finds in the Rollout itself. */
export function inSpec(problems: readonly Problem[]): ArgoProblem[] {
  return problems.map((problem) => ({ stage: 'spec', field: specField(problem.path), ...problem }));
}

/** Marks problems that the controller finds when it looks up referenced objects. */
export function inReferences(problems: readonly Problem[]): ArgoProblem[] {
  return problems.map((problem) => ({ stage: 'references', field: fieldText(problem.path), ...problem }));
}

/** The controller's path of a field, without the name of the strategy. */
function specField(path: Path): string {
  const [first, second, third] = path;
  const inStrategy = first === 'spec' && second === 'strategy' && (third === 'canary' || third === 'blueGreen');
  return fieldText(inStrategy ? [first, second, ...path.slice(3)] : path);
}

/** Formats a value for a message. */
export function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
