/** Writes a program for manifests, and proves with cdk8s that it writes the same objects. */
import type { Finding } from '../core/finding';
import type { Manifest } from '../core/manifest';
import {
  compared,
  differenceText,
  type Fallback,
  type ImportPlan,
  planImport,
  programText,
  suppressionsFor,
  type Target,
  withAcceptedScripts,
} from '../import';
import { proverFor, Synthesis } from './synthesise';

/** What to write. */
export interface ImportOptions {
  readonly target: Target;
  /** The files that were read, as the user named them. */
  readonly inputs: readonly string[];
  /**
   * Is called for every object, because each is proven.
   * @default - nobody is told
   */
  readonly onObject?: (done: number) => void;
}

/** A program, and what there is to say about it. */
export interface ImportedProgram {
  readonly text: string;
  readonly plan: ImportPlan;
  /** Objects that no construct writes, although there is one for their kind. */
  readonly fallbacks: readonly Fallback[];
  /** Errors that the objects have already, and that the program accepts. */
  readonly accepted: readonly Finding[];
  /** Errors that stop the synth all the same. */
  readonly errors: readonly Finding[];
}

/** A program that writes exactly these objects. */
export function importProgram(manifests: readonly Manifest[], options: ImportOptions): ImportedProgram {
  const { target, inputs, onObject } = options;
  const plan = planImport(manifests, target, proverFor(target), onObject);
  if (target === 'pulumi') {
    return { text: programText(plan, { inputs }), plan, fallbacks: plan.fallbacks, accepted: [], errors: [] };
  }
  const first = new Synthesis(plan.statements);
  refuseDifferences(plan, first);
  const accepted = errorsIn(first.findings());
  const isOfScript = ({ construct }: Finding, statement: ImportPlan['statements'][number]) =>
    statement.class === 'LuaRoutingConfigMap' && construct === first.pathOf(statement);
  const isOfScripts = (finding: Finding) => plan.statements.some((statement) => isOfScript(finding, statement));
  const suppressions = suppressionsFor(accepted.filter((finding) => !isOfScripts(finding)));
  const accepting = withAcceptedScripts(plan, (statement) =>
    accepted.filter((finding) => isOfScript(finding, statement)),
  );
  const errors = accepted.length === 0 ? [] : errorsIn(new Synthesis(accepting.statements).findings(suppressions));
  return {
    text: programText(accepting, { inputs, suppressions }),
    plan: accepting,
    fallbacks: plan.fallbacks,
    accepted,
    errors,
  };
}

function errorsIn(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ severity }) => severity === 'error');
}

/** Every statement is proven by itself; together they must still write the same. */
function refuseDifferences({ statements }: ImportPlan, synthesis: Synthesis): void {
  for (const statement of statements) {
    const [first] = compared(statement.writes, synthesis.objectsOf(statement));
    if (first === undefined) continue;
    throw new Error(`the program would differ from the input: ${statement.key}: ${differenceText(first)}`);
  }
}
