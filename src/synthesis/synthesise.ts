/** Makes the constructs of an imported program with cdk8s, in this process, and reads what they write. */
import { ApiObject, App, Chart, JsonPatch } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import * as library from '../constructs';
import { type Finding, findingTexts } from '../core/finding';
import type { Json } from '../core/json';
import {
  CHART_ID,
  evaluate,
  idsOf,
  type Patch,
  type Prove,
  type StackSuppression,
  type Statement,
  type Target,
} from '../import';

/** A class of a construct. */
type ConstructClass = new (scope: Construct, id: string, props: unknown) => IConstruct;

/** The constructs of statements in an app of their own. */
export class Synthesis {
  private readonly app = new App();
  private readonly made = new Map<Statement, IConstruct>();

  constructor(statements: readonly Statement[]) {
    const chart = new Chart(this.app, CHART_ID, { disableResourceNameHashes: true });
    const ids = idsOf(statements, false);
    const byKey = new Map<string, unknown>();
    for (const statement of statements) {
      const props = evaluate(statement.proof ?? statement.props, {
        library: library as Readonly<Record<string, unknown>>,
        made: byKey,
      });
      const construct = new (classOf(statement.class))(chart, ids.get(statement)!, props);
      for (const patch of statement.patches ?? []) (construct as ApiObject).addJsonPatch(patchOf(patch));
      byKey.set(statement.key, construct);
      this.made.set(statement, construct);
    }
  }

  /** The objects that a statement writes, as JSON. */
  objectsOf(statement: Statement): Json[] {
    const all = this.made.get(statement)!.node.findAll();
    return all.filter((each) => ApiObject.isApiObject(each)).map((each) => json((each as ApiObject).toJson()));
  }

  /** The findings of the whole stack. Only one check can be asked. */
  findings(suppressions: readonly StackSuppression[] = []): readonly Finding[] {
    return new library.StackCheck(this.app, 'Check', suppressions.length === 0 ? {} : { suppressions }).findings();
  }

  /** Why a program of Pulumi would stop: scripts are proven before a resource is made, and the program cannot go on. */
  stopping(statement: Statement): string | undefined {
    const construct = this.made.get(statement);
    if (!(construct instanceof library.LuaRoutingConfigMap)) return undefined;
    const error = construct.findings().find(({ severity }) => severity === 'error');
    return error && `a program of Pulumi stops at an error in a script: ${findingTexts(error).message}`;
  }

  /** The path of the construct of a statement. */
  pathOf(statement: Statement): string {
    return this.made.get(statement)!.node.path;
  }
}

function classOf(name: string): ConstructClass {
  if (name === 'ApiObject') return ApiObject as unknown as ConstructClass;
  return (library as Readonly<Record<string, unknown>>)[name] as ConstructClass;
}

function patchOf(patch: Patch): JsonPatch {
  return patch.op === 'remove' ? JsonPatch.remove(patch.path) : JsonPatch[patch.op](patch.path, patch.value);
}

/** What a file would hold: without `undefined`. */
function json(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/** What a statement writes; the problem if its construct, or its component of Pulumi, refuses the props. */
export function proverFor(target: Target): Prove {
  return (statement, before) => {
    try {
      const synthesis = new Synthesis([...before, statement]);
      const stopped = target === 'pulumi' ? synthesis.stopping(statement) : undefined;
      return stopped === undefined ? { objects: synthesis.objectsOf(statement) } : { problem: stopped };
    } catch (error) {
      // The path of the construct says nothing here.
      const { message } = error as Error;
      return {
        problem: message
          .replace(/^imported\/[^:]*: /, '')
          .replace(/\s*\n\s*-?\s*/g, ' ')
          .trim(),
      };
    }
  };
}
