import { isJsonObject, type Json, type JsonObject, typeName } from '../core/json';

/** The value of a condition key, or several values; one of them has to match. */
export type ConditionValue = string | readonly string[];

/** Operator, key and values: `{ StringEquals: { 'aws:RequestedRegion': 'eu-west-1' } }`. */
export interface PolicyConditions {
  readonly [operator: string]: { readonly [key: string]: ConditionValue };
}

/** One statement of a policy. */
export interface PolicyStatement {
  /**
   * A name for the statement.
   * @default - none
   */
  readonly Sid?: string;
  /** Whether it allows or denies. */
  readonly Effect: 'Allow' | 'Deny';
  /** Who may assume the role; in trust policies only. */
  readonly Principal?: { readonly [type: string]: ConditionValue };
  /** The actions: `elasticloadbalancing:DescribeTargetHealth`. */
  readonly Action: string | readonly string[];
  /** The resources; not in trust policies. */
  readonly Resource?: string | readonly string[];
  /**
   * When it holds.
   * @default - always
   */
  readonly Condition?: PolicyConditions;
}

/** An IAM policy. */
export interface PolicyDocument {
  /** The version of the policy language. */
  readonly Version: '2012-10-17';
  /** The statements. */
  readonly Statement: readonly PolicyStatement[];
}

/** A policy with these statements. */
export function policyDocument(...statements: readonly PolicyStatement[]): PolicyDocument {
  return { Version: '2012-10-17', Statement: statements };
}

/**
 * A policy as JSON. Equal policies give equal text.
 * @param indent 0 for one line, as a field of a manifest holds it
 */
export function policyJson(document: PolicyDocument, indent = 0): string {
  return JSON.stringify(document, undefined, indent);
}

/** A condition of a statement, after reading. */
export interface ReadCondition {
  readonly operator: string;
  readonly key: string;
  readonly values: readonly string[];
}

/** A statement, after reading. Single values are lists of one. */
export interface ReadStatement {
  readonly effect: 'Allow' | 'Deny';
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** By type: `Federated`, `Service`, `AWS`. */
  readonly principals: ReadonlyMap<string, readonly string[]>;
  readonly conditions: readonly ReadCondition[];
  /** Whether it has `NotAction`, `NotResource` or `NotPrincipal`. */
  readonly isNegative: boolean;
}

/** The statements of a policy, or why AWS refuses it. */
export type ReadPolicy = { readonly statements: readonly ReadStatement[] } | { readonly problem: string };

const VERSIONS: readonly (Json | undefined)[] = ['2012-10-17', '2008-10-17', undefined];

/** Reads a policy. It checks only what this library needs, not everything that AWS checks. */
export function readPolicy(text: string): ReadPolicy {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { problem: `it is not JSON: ${(error as Error).message}` };
  }
  if (!isJsonObject(json)) return { problem: `it is ${typeName(json)} and not an object` };
  if (!VERSIONS.includes(json.Version)) return { problem: `its Version is ${JSON.stringify(json.Version)}` };
  const { Statement: written } = json;
  const statements: readonly unknown[] = Array.isArray(written) ? written : written === undefined ? [] : [written];
  if (statements.length === 0) return { problem: 'it has no Statement' };
  const problem = statements.map(statementProblem).find((each) => each !== undefined);
  return problem === undefined ? { statements: (statements as JsonObject[]).map(readStatement) } : { problem };
}

function statementProblem(statement: unknown, index: number): string | undefined {
  const at = `Statement[${index}]`;
  if (!isJsonObject(statement)) return `${at} is ${typeName(statement)} and not an object`;
  const { Effect, Action, NotAction, Condition } = statement;
  if (Effect !== 'Allow' && Effect !== 'Deny') return `the Effect of ${at} is ${JSON.stringify(Effect) ?? 'missing'}`;
  if (stringsOf(Action ?? NotAction).length === 0) return `${at} has no Action`;
  if (Condition !== undefined && !(isJsonObject(Condition) && Object.values(Condition).every(isJsonObject)))
    return `the Condition of ${at} is not operators with keys`;
  return undefined;
}

function readStatement(statement: JsonObject): ReadStatement {
  const { Effect, Action, Resource, Principal, Condition } = statement;
  const principals = typeof Principal === 'string' ? { '*': Principal } : isJsonObject(Principal) ? Principal : {};
  const conditions = isJsonObject(Condition) ? Object.entries(Condition) : [];
  return {
    effect: Effect as 'Allow' | 'Deny',
    actions: stringsOf(Action),
    resources: stringsOf(Resource),
    principals: new Map(Object.entries(principals).map(([type, names]) => [type, stringsOf(names)])),
    conditions: conditions.flatMap(([operator, keys]) =>
      Object.entries(keys as JsonObject).map(([key, values]) => ({ operator, key, values: stringsOf(values) })),
    ),
    isNegative: ['NotAction', 'NotResource', 'NotPrincipal'].some((key) => Object.hasOwn(statement, key)),
  };
}

/** One value or several. IAM reads numbers and booleans as text. */
function stringsOf(value: Json | undefined): readonly string[] {
  const list: readonly Json[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return list.flatMap((one) => (typeof one === 'object' ? [] : [String(one)]));
}

/** Whether a text matches an IAM pattern with the wildcards `*` and `?`. */
export function matchesPattern(pattern: string, text: string): boolean {
  let [at, from, star, resume] = [0, 0, -1, 0];
  // On a mismatch the last star takes one more character. The time stays linear in the product of both lengths.
  while (from < text.length) {
    if (pattern[at] === '*') [star, resume, at] = [at, from, at + 1];
    else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[from]))
      [at, from] = [at + 1, from + 1];
    else if (star >= 0) [at, resume, from] = [star + 1, resume + 1, resume + 1];
    else return false;
  }
  return /^\**$/.test(pattern.slice(at));
}

/** Whether a statement covers an action. The comparison ignores case. */
export function hasAction({ actions }: ReadStatement, action: string): boolean {
  return actions.some((pattern) => matchesPattern(pattern.toLowerCase(), action.toLowerCase()));
}
