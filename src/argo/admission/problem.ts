import type { AbsentObject } from '../../core/finding';
import type { Path } from '../../core/path';
import { fieldText } from '../../core/schema';
import type { ArgoAdmissionRuleId } from './rules';

/** Where a Rollout is refused: by the API server, by `kubectl argo rollouts lint` alone, or by the controller. */
export type ArgoStage = 'schema' | 'decode' | 'lint' | 'spec' | 'references';

/** Something that the controller refuses. */
export interface ArgoProblem {
  readonly rule: ArgoAdmissionRuleId;
  /** The controller's check, as in `C12`. */
  readonly class: string;
  readonly stage: ArgoStage;
  /** The field as the controller spells it; of the strategy's own fields without `canary` and `blueGreen`. */
  readonly field: string;
  /** The controller's own message. */
  readonly message: string;
  /** Where the problem is in the manifest. */
  readonly path: Path;
  /** What is wrong, in our words, after the place. */
  readonly text: string;
  /** @default - the rule's own */
  readonly fix?: string;
  /** @default - the rule's own */
  readonly severity?: 'warning';
  /** The step, from 0. */
  readonly step?: number;
  /** The object that does not exist, where this is the problem. */
  readonly absent?: AbsentObject;
}

/** A problem before the stage is known; the field is that of the path unless it is given. */
export type Problem = Omit<ArgoProblem, 'stage' | 'field'> & { readonly field?: string };

/** Problems that the controller finds in the Rollout alone. */
export function inSpec(problems: readonly Problem[]): ArgoProblem[] {
  return problems.map((problem) => ({ stage: 'spec', field: specField(problem.path), ...problem }));
}

/** Problems that the controller finds when it looks up what the Rollout names. */
export function inReferences(problems: readonly Problem[]): ArgoProblem[] {
  return problems.map((problem) => ({ stage: 'references', field: fieldText(problem.path), ...problem }));
}

/** The controller's path of a field: the strategy is not in it. */
function specField(path: Path): string {
  const [first, second, third] = path;
  const inStrategy = first === 'spec' && second === 'strategy' && (third === 'canary' || third === 'blueGreen');
  return fieldText(inStrategy ? [first, second, ...path.slice(3)] : path);
}

/** A value for a message. */
export function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
