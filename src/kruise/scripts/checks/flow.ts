import type { Expression, FunctionExpression, Statement } from '../../../lua/syntax';
import type { ScriptTree } from './tree';

/** Assume that blocks nested deeper than this end in a return. */
const MAX_BLOCKS = 200;

/** Whether a run can reach the end of the block without a `return` or a call of `error`. */
export function canFallThrough(tree: ScriptTree, block: readonly Statement[], depth = 0): boolean {
  if (depth > MAX_BLOCKS) return false;
  return block.every((statement) => passes(tree, statement, depth + 1));
}

function passes(tree: ScriptTree, statement: Statement, depth: number): boolean {
  switch (statement.kind) {
    case 'Return':
      return false;
    case 'CallStatement':
      return !neverReturns(tree, statement.call, depth);
    case 'Do':
      return canFallThrough(tree, statement.body, depth);
    case 'If':
      return (
        statement.otherwise === undefined ||
        canFallThrough(tree, statement.otherwise, depth) ||
        statement.clauses.some((clause) => canFallThrough(tree, clause.body, depth))
      );
    case 'While':
      return !(isTrue(statement.condition) && !breaks(statement.body, depth));
    case 'Repeat':
      return canFallThrough(tree, statement.body, depth) || breaks(statement.body, depth);
    default:
      return true;
  }
}

/** Whether a call is one of `error`, or of a local function that always calls it. */
function neverReturns(tree: ScriptTree, call: Expression, depth: number): boolean {
  if (call.kind !== 'Call') return false;
  if (tree.isGlobal(call.callee, 'error')) return true;
  const called = call.callee.kind === 'Name' ? tree.valueOf(call.callee) : undefined;
  return called?.kind === 'Function' && alwaysFails(tree, called, depth);
}

const failing = new WeakMap<FunctionExpression, boolean>();

function alwaysFails(tree: ScriptTree, called: FunctionExpression, depth: number): boolean {
  const known = failing.get(called);
  if (known !== undefined) return known;
  // Stops the recursion for functions that call each other.
  failing.set(called, false);
  const inside = (one: Expression | Statement) => one.offset >= called.offset && one.endOffset <= called.endOffset;
  const fails = !tree.all('Return').some(inside) && !canFallThrough(tree, called.body, depth);
  failing.set(called, fails);
  return fails;
}

function isTrue(condition: Expression): boolean {
  return condition.kind === 'Boolean' && condition.value;
}

/** Whether a `break` in the block leaves the loop around it. */
function breaks(block: readonly Statement[], depth: number): boolean {
  if (depth > MAX_BLOCKS) return true;
  return block.some((statement) => {
    if (statement.kind === 'Break') return true;
    if (statement.kind === 'Do') return breaks(statement.body, depth + 1);
    if (statement.kind !== 'If') return false;
    const bodies = [...statement.clauses.map((clause) => clause.body), statement.otherwise ?? []];
    return bodies.some((body) => breaks(body, depth + 1));
  });
}
