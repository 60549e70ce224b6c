/**
 * The position of a node. Lines and columns count from 1, columns in bytes; a node starts at its first token and ends with
 * its last one.
 */
export interface Position {
  readonly line: number;
  readonly column: number;
  /** Line on which the last token of the node starts. */
  readonly endLine: number;
  /** Byte offset of the first character. */
  readonly offset: number;
  /** Byte offset behind the last character. */
  readonly endOffset: number;
}

/** A whole script. */
export interface Chunk extends Position {
  readonly kind: 'Chunk';
  readonly body: readonly Statement[];
}

/** Any part of a script. */
export type Node = Chunk | Statement | Expression | IfClause | Field;

/** The node of one kind. */
export type NodeOf<Kind extends Node['kind']> = Extract<Node, { kind: Kind }>;

/** A statement. */
export type Statement =
  | LocalStatement
  | LocalFunctionStatement
  | FunctionStatement
  | AssignStatement
  | CallStatement
  | DoStatement
  | WhileStatement
  | RepeatStatement
  | IfStatement
  | NumericForStatement
  | GenericForStatement
  | ReturnStatement
  | BreakStatement;

/** `local a, b = 1, 2` */
export interface LocalStatement extends Position {
  readonly kind: 'Local';
  readonly names: readonly NameExpression[];
  readonly values: readonly Expression[];
}

/** `local function f() end` */
export interface LocalFunctionStatement extends Position {
  readonly kind: 'LocalFunction';
  readonly name: NameExpression;
  readonly function: FunctionExpression;
}

/** `function a.b.c() end`, or with `method` `function a.b:c() end` */
export interface FunctionStatement extends Position {
  readonly kind: 'FunctionStatement';
  /** What the function is assigned to; for a method, the object that gets it. */
  readonly target: NameExpression | IndexExpression;
  readonly method?: StringExpression;
  /** Its parameters do not list `self`. */
  readonly function: FunctionExpression;
}

/** `a, b.c = 1, 2` */
export interface AssignStatement extends Position {
  readonly kind: 'Assign';
  readonly targets: readonly (NameExpression | IndexExpression)[];
  readonly values: readonly Expression[];
}

/** `f()`; the controller's Lua also takes `(f())`. */
export interface CallStatement extends Position {
  readonly kind: 'CallStatement';
  readonly call: CallExpression | MethodCallExpression | ParenthesizedExpression;
}

/** `do … end` */
export interface DoStatement extends Position {
  readonly kind: 'Do';
  readonly body: readonly Statement[];
}

/** `while … do … end` */
export interface WhileStatement extends Position {
  readonly kind: 'While';
  readonly condition: Expression;
  readonly body: readonly Statement[];
}

/** `repeat … until …` */
export interface RepeatStatement extends Position {
  readonly kind: 'Repeat';
  readonly body: readonly Statement[];
  readonly condition: Expression;
}

/** `if … then … elseif … then … else … end` */
export interface IfStatement extends Position {
  readonly kind: 'If';
  /** The `if` branch, then each `elseif` branch. */
  readonly clauses: readonly IfClause[];
  /** The `else` branch. */
  readonly otherwise?: readonly Statement[];
}

/** One condition of an `if` statement with its body. */
export interface IfClause extends Position {
  readonly kind: 'IfClause';
  readonly condition: Expression;
  readonly body: readonly Statement[];
}

/** `for i = 1, 10, 2 do … end` */
export interface NumericForStatement extends Position {
  readonly kind: 'NumericFor';
  readonly name: NameExpression;
  readonly start: Expression;
  readonly limit: Expression;
  readonly step?: Expression;
  readonly body: readonly Statement[];
}

/** `for k, v in pairs(t) do … end` */
export interface GenericForStatement extends Position {
  readonly kind: 'GenericFor';
  readonly names: readonly NameExpression[];
  readonly values: readonly Expression[];
  readonly body: readonly Statement[];
}

/** `return a, b` */
export interface ReturnStatement extends Position {
  readonly kind: 'Return';
  readonly values: readonly Expression[];
}

/** `break` */
export interface BreakStatement extends Position {
  readonly kind: 'Break';
}

/** An expression. */
export type Expression =
  | NilExpression
  | BooleanExpression
  | NumberExpression
  | StringExpression
  | VarargExpression
  | FunctionExpression
  | NameExpression
  | IndexExpression
  | CallExpression
  | MethodCallExpression
  | ParenthesizedExpression
  | TableExpression
  | BinaryExpression
  | UnaryExpression;

/** `nil` */
export interface NilExpression extends Position {
  readonly kind: 'Nil';
}

/** `true` or `false` */
export interface BooleanExpression extends Position {
  readonly kind: 'Boolean';
  readonly value: boolean;
}

/** A numeric literal. */
export interface NumberExpression extends Position {
  readonly kind: 'Number';
  /** NaN for a literal that is not a number, such as `1e`. */
  readonly value: number;
}

/** A string literal, or the name behind a dot or a colon. */
export interface StringExpression extends Position {
  readonly kind: 'String';
  readonly value: Uint8Array;
  /** The same as text, bytes that are not UTF-8 as U+FFFD. */
  readonly text: string;
}

/** `...` */
export interface VarargExpression extends Position {
  readonly kind: 'Vararg';
}

/** `function (a, b, ...) … end`; in a statement that names it, from the parenthesis on. */
export interface FunctionExpression extends Position {
  readonly kind: 'Function';
  readonly parameters: readonly NameExpression[];
  readonly vararg: boolean;
  readonly body: readonly Statement[];
}

/** A variable, or the place where one is declared. */
export interface NameExpression extends Position {
  readonly kind: 'Name';
  readonly name: string;
}

/** `object[key]` or `object.key` */
export interface IndexExpression extends Position {
  readonly kind: 'Index';
  readonly object: Expression;
  readonly key: Expression;
  /** Written with a dot. */
  readonly dotted: boolean;
}

/** `callee(…)`, `callee "…"` or `callee {…}` */
export interface CallExpression extends Position {
  readonly kind: 'Call';
  readonly callee: Expression;
  readonly arguments: readonly Expression[];
}

/** `object:method(…)` */
export interface MethodCallExpression extends Position {
  readonly kind: 'MethodCall';
  readonly object: Expression;
  readonly method: StringExpression;
  readonly arguments: readonly Expression[];
}

/** `(expression)`: several values become one. */
export interface ParenthesizedExpression extends Position {
  readonly kind: 'Parenthesized';
  readonly expression: Expression;
}

/** `{1, x = 2, [f()] = 3}` */
export interface TableExpression extends Position {
  readonly kind: 'Table';
  readonly fields: readonly Field[];
}

/** One entry of a table constructor. */
export interface Field extends Position {
  readonly kind: 'Field';
  /** None for a list entry. */
  readonly key?: Expression;
  readonly value: Expression;
}

/** `left operator right` */
export interface BinaryExpression extends Position {
  readonly kind: 'Binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** `operator operand` */
export interface UnaryExpression extends Position {
  readonly kind: 'Unary';
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

/** An operator between two expressions. */
export type BinaryOperator =
  | 'or'
  | 'and'
  | '<'
  | '>'
  | '<='
  | '>='
  | '=='
  | '~='
  | '..'
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '^';

/** An operator before an expression. */
export type UnaryOperator = 'not' | '-' | '#';
