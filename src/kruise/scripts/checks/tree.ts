import { addTo } from '../../../core/grouped';
import {
  type Chunk,
  type Expression,
  type NameExpression,
  type Node,
  type NodeOf,
  type ParsedScript,
  type Token,
  walk,
} from '../../../lua/syntax';

/** A local variable. */
export interface Binding {
  readonly name: string;
  /** The value in its declaration: `local name = value`. */
  readonly value?: Expression;
  /** Whether `value` is a call with several results that are stored in several locals. */
  readonly sharesValue: boolean;
  /** The list that it iterates over: `for _, name in ipairs(list)`. */
  readonly elementOf?: Expression;
  /** Whether it is set again after its declaration, which makes its value unknown. */
  assigned: boolean;
  /** All reads. */
  readonly uses: NameExpression[];
}

/** A use of a global variable: no `local` declares the name. */
export interface GlobalUse {
  readonly node: NameExpression;
  readonly written: boolean;
}

/** The longest chain of locals that checks follow to a value; no real script has a longer one. */
const MAX_DEPTH = 32;

/** A parsed script with the declarations of its names. */
export class ScriptTree {
  readonly chunk: Chunk;
  readonly tokens: readonly Token[];
  /** Every use of a global, in the order of the source. */
  readonly globals: GlobalUse[] = [];
  private readonly parents = new Map<Node, Node>();
  private readonly bindings = new Map<NameExpression, Binding>();
  private readonly byKind = new Map<Node['kind'], Node[]>();
  private readonly paths = new Map<Expression, string | undefined>();

  constructor(parsed: ParsedScript) {
    this.chunk = parsed.chunk;
    this.tokens = parsed.tokens;
    new ScopeWalk(this.parents, this.bindings, this.globals, this.byKind).visit(this.chunk);
  }

  /** All nodes of a kind, in the order of the source. */
  all<Kind extends Node['kind']>(kind: Kind): readonly NodeOf<Kind>[] {
    return (this.byKind.get(kind) ?? []) as unknown as readonly NodeOf<Kind>[];
  }

  parent(node: Node): Node | undefined {
    return this.parents.get(node);
  }

  /** The node and its ancestors, from the inside out. */
  *around(node: Node): Iterable<Node> {
    for (let at: Node | undefined = node; at; at = this.parents.get(at)) yield at;
  }

  /** The local that a name refers to; undefined for a global. */
  binding(name: NameExpression): Binding | undefined {
    return this.bindings.get(name);
  }

  /** Whether an expression is the global with this name. */
  isGlobal(expression: Expression, name: string): boolean {
    return expression.kind === 'Name' && expression.name === name && !this.bindings.has(expression);
  }

  /** The library function of a call, such as `json.encode`, also through a local with another name. */
  calledFunction(call: NodeOf<'Call'>): string | undefined {
    return this.pathOf(call.callee);
  }

  /**
   * The global and fields that an expression reads, through locals that are set once: `obj.matches[].headers` for
   * `match.headers` in a loop over `obj.matches or {}`.
   */
  pathOf(expression: Expression, depth = 0): string | undefined {
    if (depth > MAX_DEPTH) return undefined;
    if (!this.paths.has(expression)) this.paths.set(expression, this.findPath(expression, depth));
    return this.paths.get(expression);
  }

  private findPath(expression: Expression, depth: number): string | undefined {
    switch (expression.kind) {
      case 'Name':
        return this.pathOfName(expression, depth);
      case 'Parenthesized':
        return this.pathOf(expression.expression, depth + 1);
      case 'Binary':
        return expression.operator === 'or' ? this.pathOf(expression.left, depth + 1) : undefined;
      case 'Index': {
        const object = this.pathOf(expression.object, depth + 1);
        if (object === undefined) return undefined;
        if (expression.key.kind === 'String') return `${object}.${expression.key.text}`;
        return this.typeOf(expression.key, depth + 1) === 'number' ? `${object}[]` : undefined;
      }
      default:
        return undefined;
    }
  }

  /** The expression behind locals that are set once. */
  valueOf(expression: Expression, depth = 0): Expression {
    if (depth > MAX_DEPTH) return expression;
    if (expression.kind === 'Parenthesized') return this.valueOf(expression.expression, depth + 1);
    if (expression.kind !== 'Name') return expression;
    const binding = this.bindings.get(expression);
    return binding?.value && !binding.assigned && !binding.sharesValue
      ? this.valueOf(binding.value, depth + 1)
      : expression;
  }

  /** The Lua type that an expression certainly has, unless it is nil. */
  typeOf(expression: Expression, depth = 0): 'string' | 'number' | undefined {
    const value = this.valueOf(expression);
    switch (value.kind) {
      case 'Number':
        return 'number';
      case 'String':
        return 'string';
      case 'Unary':
        return value.operator === 'not' ? undefined : 'number';
      case 'Binary':
        return typeOfBinary(value.operator);
      case 'Call': {
        const name = this.pathOf(value.callee, depth + 1);
        if (name === 'tonumber' || name?.startsWith('math.')) return 'number';
        return name === 'tostring' || name === 'string.format' ? 'string' : undefined;
      }
      default:
        return undefined;
    }
  }

  private pathOfName(name: NameExpression, depth: number): string | undefined {
    const binding = this.bindings.get(name);
    if (binding === undefined) return name.name;
    if (binding.assigned) return undefined;
    if (binding.elementOf) {
      const list = this.pathOf(binding.elementOf, depth + 1);
      return list === undefined ? undefined : `${list}[]`;
    }
    return binding.value && !binding.sharesValue ? this.pathOf(binding.value, depth + 1) : undefined;
  }
}

function typeOfBinary(operator: NodeOf<'Binary'>['operator']): 'string' | 'number' | undefined {
  if (operator === '..') return 'string';
  return ['+', '-', '*', '/', '%', '^'].includes(operator) ? 'number' : undefined;
}

type Scope = Map<string, Binding>;

/** Nodes that open a scope for their declarations. */
const SCOPES: ReadonlySet<Node['kind']> = new Set<Node['kind']>([
  'Chunk',
  'Do',
  'While',
  'Repeat',
  'If',
  'IfClause',
  'NumericFor',
  'GenericFor',
  'Function',
]);

/** Resolves each name to its declaration in one walk. */
class ScopeWalk {
  private readonly scopes: Scope[] = [];
  private readonly declarations = new Set<Node>();

  constructor(
    private readonly parents: Map<Node, Node>,
    private readonly bindings: Map<NameExpression, Binding>,
    private readonly globals: GlobalUse[],
    private readonly byKind: Map<Node['kind'], Node[]>,
  ) {}

  visit(chunk: Chunk): void {
    walk(chunk, {
      enter: (node, parent) => this.enter(node, parent),
      leave: (node, parent) => this.leave(node, parent),
    });
  }

  private enter(node: Node, parent: Node | undefined): void {
    if (parent) this.parents.set(node, parent);
    addTo(this.byKind, node.kind, node);
    if (SCOPES.has(node.kind)) this.scopes.push(new Map());
    if (node.kind === 'Local' || node.kind === 'GenericFor') for (const name of node.names) this.declarations.add(name);
    if (node.kind === 'NumericFor') this.declarations.add(node.name);
    if (node.kind === 'LocalFunction') {
      this.declarations.add(node.name);
      this.declare(node.name, { value: node.function });
    }
    if (node.kind === 'Function') {
      // A method has the implicit parameter `self`.
      if (parent?.kind === 'FunctionStatement' && parent.method) this.scopes.at(-1)!.set('self', bindingOf('self', {}));
      for (const name of node.parameters) {
        this.declarations.add(name);
        this.declare(name, {});
      }
    }
    if (node.kind === 'Name' && !this.declarations.has(node)) this.use(node, parent);
  }

  private leave(node: Node, parent: Node | undefined): void {
    if (SCOPES.has(node.kind)) this.scopes.pop();
    // In `local x = x` the right x is the outer one, so the names are declared after the statement.
    if (node.kind === 'Local') this.declareLocals(node);
    if (parent?.kind === 'GenericFor' && node === parent.values.at(-1)) this.declareLoop(parent);
    if (parent?.kind === 'NumericFor' && node === (parent.step ?? parent.limit)) this.declare(parent.name, {});
  }

  private declareLocals(statement: NodeOf<'Local'>): void {
    statement.names.forEach((name, index) => {
      const value = statement.values[index];
      const isLast = index === statement.values.length - 1;
      const spreads = isLast && isCall(value) && statement.names.length > statement.values.length;
      this.declare(name, { value, sharesValue: spreads });
    });
  }

  private declareLoop(loop: NodeOf<'GenericFor'>): void {
    const [call] = loop.values;
    const isIpairs = call?.kind === 'Call' && call.callee.kind === 'Name' && call.callee.name === 'ipairs';
    const elementOf = isIpairs ? call.arguments[0] : undefined;
    loop.names.forEach((name, index) => {
      this.declare(name, index === 1 ? { elementOf } : {});
    });
  }

  private declare(name: NameExpression, of: Partial<Binding>): void {
    const binding = bindingOf(name.name, of);
    this.scopes.at(-1)!.set(name.name, binding);
    this.bindings.set(name, binding);
  }

  private use(node: NameExpression, parent: Node | undefined): void {
    const written = isWritten(node, parent);
    const binding = this.find(node.name);
    if (binding === undefined) {
      this.globals.push({ node, written });
      return;
    }
    this.bindings.set(node, binding);
    if (written) binding.assigned = true;
    else binding.uses.push(node);
  }

  private find(name: string): Binding | undefined {
    for (let index = this.scopes.length - 1; index >= 0; index--) {
      const binding = this.scopes[index]!.get(name);
      if (binding) return binding;
    }
    return undefined;
  }
}

function bindingOf(name: string, of: Partial<Binding>): Binding {
  return { sharesValue: false, ...of, name, assigned: false, uses: [] };
}

function isWritten(node: NameExpression, parent: Node | undefined): boolean {
  if (parent?.kind === 'FunctionStatement') return parent.target === node && parent.method === undefined;
  return parent?.kind === 'Assign' && parent.targets.includes(node);
}

function isCall(expression: Expression | undefined): boolean {
  return expression?.kind === 'Call' || expression?.kind === 'MethodCall' || expression?.kind === 'Vararg';
}
