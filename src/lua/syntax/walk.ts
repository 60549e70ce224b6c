import type { Expression, Node, Statement } from './ast';

/** The functions that `walk` calls at each node. */
export interface Visitor {
  /** Called before the children of a node; `false` skips them. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a visitor that only looks returns nothing
  enter?(node: Node, parent: Node | undefined): void | false;
  /** Called after the children of a node, also if the visitor skipped them. */
  leave?(node: Node, parent: Node | undefined): void;
}

/**
 * Visits a node and all below it, in the order of the source. Costs no call depth, so that any tree can be walked.
 *
 * @example
 * walk(chunk, {
 *   enter(node) {
 *     if (node.kind === 'Name') names.add(node.name);
 *   },
 * });
 */
export function walk(root: Node, visitor: Visitor): void {
  const pending: Visit[] = [{ node: root, parent: undefined, entered: false }];
  for (let visit = pending.pop(); visit; visit = pending.pop()) {
    const { node, parent } = visit;
    if (visit.entered) {
      visitor.leave?.(node, parent);
      continue;
    }
    const descend = visitor.enter?.(node, parent) !== false;
    if (visitor.leave) pending.push({ node, parent, entered: true });
    if (!descend) continue;
    const below = children(node);
    for (let index = below.length - 1; index >= 0; index--) {
      pending.push({ node: below[index]!, parent: node, entered: false });
    }
  }
}

/** The nodes directly below a node, in the order of the source. */
export function children(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'Chunk':
    case 'Do':
      return node.body;
    case 'Local':
      return [...node.names, ...node.values];
    case 'LocalFunction':
      return [node.name, node.function];
    case 'FunctionStatement':
      return node.method ? [node.target, node.method, node.function] : [node.target, node.function];
    case 'Assign':
      return [...node.targets, ...node.values];
    case 'CallStatement':
      return [node.call];
    case 'While':
    case 'IfClause':
      return [node.condition, ...node.body];
    case 'Repeat':
      return [...node.body, node.condition];
    case 'If':
      return [...node.clauses, ...(node.otherwise ?? [])];
    case 'NumericFor':
      return [node.name, node.start, node.limit, ...(node.step ? [node.step] : []), ...node.body];
    case 'GenericFor':
      return [...node.names, ...node.values, ...node.body];
    case 'Return':
      return node.values;
    case 'Function':
      return [...node.parameters, ...node.body];
    default:
      return childrenOfExpression(node);
  }
}

interface Visit {
  readonly node: Node;
  readonly parent: Node | undefined;
  readonly entered: boolean;
}

type Leaf = Extract<Statement, { kind: 'Break' }>;

function childrenOfExpression(
  node: Exclude<Expression, { kind: 'Function' }> | Extract<Node, { kind: 'Field' }> | Leaf,
) {
  switch (node.kind) {
    case 'Index':
      return [node.object, node.key];
    case 'Call':
      return [node.callee, ...node.arguments];
    case 'MethodCall':
      return [node.object, node.method, ...node.arguments];
    case 'Parenthesized':
      return [node.expression];
    case 'Table':
      return node.fields;
    case 'Field':
      return node.key ? [node.key, node.value] : [node.value];
    case 'Binary':
      return [node.left, node.right];
    case 'Unary':
      return [node.operand];
    default:
      return [];
  }
}
