import type { Chunk, Expression, Node } from './ast';
import { walk } from './walk';

/**
 * The executable lines: each line on which a statement starts, and the line of each `elseif` and `until`.
 * Without the lines that a running VM does not report: `else`, `end`, `do`, `break`, `local` without a value, and a
 * condition that is always true.
 * @returns lines in ascending order
 */
export function executableLines(chunk: Chunk): number[] {
  return [...new Set(steps(chunk).map((step) => step.line))].sort((a, b) => a - b);
}

/**
 * The executable lines that a run has reached. A VM reports a statement of several lines on whichever line its
 * instructions stand, such as the `end` of a function; this gives the line where the statement starts.
 * @param reached the lines that the VM reported
 * @returns lines in ascending order, all of them also in `executableLines`
 */
export function executedLines(chunk: Chunk, reached: ReadonlySet<number>): number[] {
  const executed = steps(chunk).filter((step) => step.ownLines.some((line) => reached.has(line)));
  return [...new Set(executed.map((step) => step.line))].sort((a, b) => a - b);
}

/** A statement or condition, and the lines that belong to it and not to a statement inside it. */
interface Step {
  readonly line: number;
  readonly ownLines: readonly number[];
}

function steps(chunk: Chunk): Step[] {
  const found: Step[] = [];
  walk(chunk, {
    enter(node) {
      const step = stepOf(node);
      if (step) found.push(step);
    },
  });
  return found;
}

function stepOf(node: Node): Step | undefined {
  switch (node.kind) {
    case 'Local':
      return node.values.length > 0 ? step(node.line, node.values) : undefined;
    case 'LocalFunction':
      return step(node.line, [node.function]);
    case 'FunctionStatement':
      return step(node.line, [node.target, node.function]);
    case 'Assign':
      return step(node.line, [...node.targets, ...node.values]);
    case 'CallStatement':
      return step(node.line, [node.call]);
    case 'Return':
      return step(node.line, node.values);
    case 'NumericFor':
      return step(node.line, [node.start, node.limit, ...(node.step ? [node.step] : [])]);
    case 'GenericFor':
      return step(node.line, node.values);
    case 'While':
    case 'IfClause':
      return isAlwaysTrue(node.condition) ? undefined : step(node.line, [node.condition]);
    case 'Repeat':
      return isAlwaysTrue(node.condition) ? undefined : step(node.condition.line, [node.condition]);
    default:
      return undefined;
  }
}

function step(line: number, expressions: readonly Expression[]): Step {
  const ownLines = new Set([line]);
  for (const expression of expressions) {
    walk(expression, {
      enter(node) {
        ownLines.add(node.line).add(node.endLine);
        return node.kind === 'Function' ? false : undefined;
      },
    });
  }
  return { line, ownLines: [...ownLines] };
}

function isAlwaysTrue(condition: Expression): boolean {
  const always = condition.kind === 'Number' || condition.kind === 'String';
  return always || (condition.kind === 'Boolean' && condition.value);
}
