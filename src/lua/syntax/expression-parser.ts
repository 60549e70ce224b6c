import { utf8Text } from '../text/bytes';
import type {
  BinaryOperator,
  Expression,
  Field,
  FunctionExpression,
  IndexExpression,
  NameExpression,
  Statement,
  StringExpression,
  TableExpression,
  UnaryOperator,
} from './ast';
import type { Token, TokenType } from './token';
import { spanning, TokenStream } from './token-stream';

/** The grammar of expressions. */
export abstract class ExpressionParser extends TokenStream {
  protected abstract parseBlock(): Statement[];

  protected parseExpressions(): Expression[] {
    const expressions = [this.parseExpression()];
    while (this.accept(',')) expressions.push(this.parseExpression());
    return expressions;
  }

  protected parseExpression(): Expression {
    this.enter();
    const expression = this.parseOperators();
    this.leave();
    return expression;
  }

  /**
   * Shifts operands and operators and reduces by precedence. A loop and not a recursion, so that a long chain of `..`
   * or `not` costs no call depth.
   */
  private parseOperators(): Expression {
    const operands: Expression[] = [];
    const pending: PendingOperator[] = [];
    const reduceAbove = (precedence: number): void => {
      while (pending.length > 0 && pending.at(-1)!.precedence > precedence) this.reduce(operands, pending.pop()!);
    };
    for (;;) {
      while (isUnary(this.token.type)) {
        pending.push({ token: this.token, unary: true, precedence: UNARY_PRECEDENCE });
        this.advance();
      }
      operands.push(this.parseSimpleExpression());
      const rank = BINARY_PRECEDENCE.get(this.token.type);
      if (!rank) break;
      reduceAbove(rank.left);
      pending.push({ token: this.token, unary: false, precedence: rank.right });
      this.advance();
    }
    reduceAbove(0);
    return operands[0]!;
  }

  private reduce(operands: Expression[], operator: PendingOperator): void {
    const right = operands.pop()!;
    if (operator.unary) {
      const position = spanning(operator.token, right);
      operands.push({ kind: 'Unary', operator: operator.token.type as UnaryOperator, operand: right, ...position });
      return;
    }
    const left = operands.pop()!;
    const position = spanning(left, right);
    operands.push({ kind: 'Binary', operator: operator.token.type as BinaryOperator, left, right, ...position });
  }

  private parseSimpleExpression(): Expression {
    const start = this.token;
    switch (start.type) {
      case 'nil':
        this.advance();
        return { kind: 'Nil', ...this.since(start) };
      case 'true':
      case 'false':
        this.advance();
        return { kind: 'Boolean', value: start.type === 'true', ...this.since(start) };
      case 'number':
        this.advance();
        return { kind: 'Number', value: start.value, ...this.since(start) };
      case 'string':
        return this.parseString(start.value);
      case '...':
        this.advance();
        return { kind: 'Vararg', ...this.since(start) };
      case 'function':
        this.advance();
        return this.parseFunctionBody(start);
      case '{':
        return this.parseTable();
      case 'name':
      case '(':
        return this.parsePrefixExpression();
      default:
        throw this.syntaxError();
    }
  }

  /** A name or a parenthesis, followed by any number of fields, indexes and calls. */
  protected parsePrefixExpression(): Expression {
    const start = this.token;
    let expression: Expression = start.type === '(' ? this.parseParenthesized() : this.parseName();
    for (;;) {
      switch (this.token.type) {
        case '.':
          this.advance();
          expression = this.indexed(expression, this.parseKey());
          break;
        case '[':
          expression = this.parseBracketIndex(expression);
          break;
        case ':': {
          this.advance();
          const method = this.parseKey();
          const list = this.parseArguments();
          expression = { kind: 'MethodCall', object: expression, method, arguments: list, ...this.since(start) };
          break;
        }
        case '(':
        case '{':
        case 'string': {
          const list = this.parseArguments();
          expression = { kind: 'Call', callee: expression, arguments: list, ...this.since(start) };
          break;
        }
        default:
          return expression;
      }
    }
  }

  private parseParenthesized(): Expression {
    const start = this.token;
    this.expect('(');
    const expression = this.parseExpression();
    this.expect(')');
    return { kind: 'Parenthesized', expression, ...this.since(start) };
  }

  private parseBracketIndex(object: Expression): IndexExpression {
    this.expect('[');
    const key = this.parseExpression();
    this.expect(']');
    return { kind: 'Index', object, key, dotted: false, ...spanning(object, this.since(this.previous)) };
  }

  private parseArguments(): Expression[] {
    if (this.token.type === '{') return [this.parseTable()];
    if (this.token.type === 'string') return [this.parseString(this.token.value)];
    this.expect('(');
    if (this.accept(')')) return [];
    const list = this.parseExpressions();
    this.expect(')');
    return list;
  }

  /** From the opening parenthesis on. An anonymous function starts with its word, a named one at the parenthesis. */
  protected parseFunctionBody(start: Token): FunctionExpression {
    this.expect('(');
    const parameters: NameExpression[] = [];
    let vararg = false;
    if (this.token.type !== ')') {
      do {
        vararg = this.accept('...');
        if (!vararg) parameters.push(this.parseName());
      } while (!vararg && this.accept(','));
    }
    this.expect(')');
    const body = this.parseBlock();
    this.expect('end');
    return { kind: 'Function', parameters, vararg, body, ...this.since(start) };
  }

  /** Any number of separators may follow a field; none may precede the first. */
  private parseTable(): TableExpression {
    const start = this.token;
    this.expect('{');
    const fields: Field[] = [];
    while (this.token.type !== '}') {
      fields.push(this.parseField());
      if (!this.acceptSeparators()) break;
    }
    this.expect('}');
    return { kind: 'Table', fields, ...this.since(start) };
  }

  private acceptSeparators(): boolean {
    let found = false;
    while (this.accept(',') || this.accept(';')) found = true;
    return found;
  }

  private parseField(): Field {
    const start = this.token;
    if (this.accept('[')) {
      const key = this.parseExpression();
      this.expect(']');
      this.expect('=');
      const value = this.parseExpression();
      return { kind: 'Field', key, value, ...this.since(start) };
    }
    const first = this.parseExpression();
    // `name = value` needs no second token of look-ahead: only a bare name can be followed by `=`.
    if (first.kind === 'Name' && this.token.type === '=') {
      this.advance();
      const key = this.keyOf(first);
      const value = this.parseExpression();
      return { kind: 'Field', key, value, ...this.since(start) };
    }
    return { kind: 'Field', value: first, ...this.since(start) };
  }

  protected parseFurtherNames(first: NameExpression): NameExpression[] {
    const names = [first];
    while (this.accept(',')) names.push(this.parseName());
    return names;
  }

  protected parseName(): NameExpression {
    const start = this.token;
    if (start.type !== 'name') throw this.syntaxError();
    this.advance();
    return { kind: 'Name', name: start.value, ...this.since(start) };
  }

  protected parseKey(): StringExpression {
    return this.keyOf(this.parseName());
  }

  /** A name as a string. */
  private keyOf(name: NameExpression): StringExpression {
    const { line, column, endLine, offset, endOffset } = name;
    const value = this.bytesOf(name);
    return { kind: 'String', value, text: name.name, line, column, endLine, offset, endOffset };
  }

  private parseString(value: Uint8Array): StringExpression {
    const start = this.token;
    this.advance();
    return { kind: 'String', value, text: utf8Text(value), ...this.since(start) };
  }

  protected indexed(object: Expression, key: StringExpression): IndexExpression {
    return { kind: 'Index', object, key, dotted: true, ...spanning(object, key) };
  }
}

interface PendingOperator {
  readonly token: Token;
  readonly unary: boolean;
  readonly precedence: number;
}

const UNARY_PRECEDENCE = 7;

// An operator on the stack is reduced first when its `right` is above the `left` of the operator that follows it.
const BINARY_PRECEDENCE = new Map<TokenType, { readonly left: number; readonly right: number }>([
  ['or', leftAssociative(1)],
  ['and', leftAssociative(2)],
  ...(['<', '>', '<=', '>=', '==', '~='] as const).map((type) => [type, leftAssociative(3)] as const),
  ['..', rightAssociative(4)],
  ['+', leftAssociative(5)],
  ['-', leftAssociative(5)],
  ['*', leftAssociative(6)],
  ['/', leftAssociative(6)],
  ['%', leftAssociative(6)],
  ['^', rightAssociative(8)],
]);

function leftAssociative(precedence: number): { left: number; right: number } {
  return { left: precedence - 0.5, right: precedence };
}

function rightAssociative(precedence: number): { left: number; right: number } {
  return { left: precedence, right: precedence };
}

function isUnary(type: TokenType): boolean {
  return type === '-' || type === 'not' || type === '#';
}

const EXPRESSION_STARTS = new Set<TokenType>([
  'nil',
  'true',
  'false',
  'number',
  'string',
  '...',
  'function',
  '{',
  'name',
  '(',
  '-',
  'not',
  '#',
]);

/** True for a token that an expression can start with. */
export function startsExpression(type: TokenType): boolean {
  return EXPRESSION_STARTS.has(type);
}
