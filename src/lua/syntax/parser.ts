import type { CallStatement, Chunk, Expression, IfClause, IndexExpression, NameExpression, Statement } from './ast';
import { ExpressionParser, startsExpression } from './expression-parser';
import type { Token } from './token';

/**
 * Parses as the controller's grammar does, a token of look-ahead at a time, with that grammar's liberties (`{1,,2}`,
 * `;;`, `(f())` as a statement) and its two ways to complain: a statement that is only an expression is a
 * `parse error`, everything else a `syntax error`.
 */
export class Parser extends ExpressionParser {
  parseChunk(): Chunk {
    const body = this.parseBlock();
    if (this.token.type !== 'eof') throw this.syntaxError();
    const first = this.tokens[0]!;
    return {
      kind: 'Chunk',
      body,
      line: 1,
      column: 1,
      endLine: first.type === 'eof' ? 1 : this.previous.line,
      offset: 0,
      endOffset: this.token.endOffset,
    };
  }

  protected parseBlock(): Statement[] {
    this.enter();
    const body: Statement[] = [];
    for (;;) {
      if (this.accept(';')) continue;
      const last = this.parseLastStatement();
      const statement = last ?? this.parseStatement();
      if (statement) body.push(statement);
      if (last || !statement) break;
    }
    this.leave();
    return body;
  }

  /** `return` and `break` end a block; one `;` may follow. */
  private parseLastStatement(): Statement | undefined {
    const start = this.token;
    if (this.accept('break')) {
      const statement: Statement = { kind: 'Break', ...this.since(start) };
      this.accept(';');
      return statement;
    }
    if (!this.accept('return')) return undefined;
    const values = startsExpression(this.token.type) ? this.parseExpressions() : [];
    const statement: Statement = { kind: 'Return', values, ...this.since(start) };
    this.accept(';');
    return statement;
  }

  private parseStatement(): Statement | undefined {
    const start = this.token;
    switch (start.type) {
      case 'do':
        return this.parseDo(start);
      case 'while':
        return this.parseWhile(start);
      case 'repeat':
        return this.parseRepeat(start);
      case 'if':
        return this.parseIf(start);
      case 'for':
        return this.parseFor(start);
      case 'function':
        return this.parseFunctionStatement(start);
      case 'local':
        return this.parseLocal(start);
      case 'name':
      case '(':
        return this.parseExpressionStatement(start);
      default:
        return undefined;
    }
  }

  private parseDo(start: Token): Statement {
    this.expect('do');
    const body = this.parseBlock();
    this.expect('end');
    return { kind: 'Do', body, ...this.since(start) };
  }

  private parseWhile(start: Token): Statement {
    this.expect('while');
    const condition = this.parseExpression();
    this.expect('do');
    const body = this.parseBlock();
    this.expect('end');
    return { kind: 'While', condition, body, ...this.since(start) };
  }

  private parseRepeat(start: Token): Statement {
    this.expect('repeat');
    const body = this.parseBlock();
    this.expect('until');
    const condition = this.parseExpression();
    return { kind: 'Repeat', body, condition, ...this.since(start) };
  }

  private parseIf(start: Token): Statement {
    const clauses = [this.parseIfClause('if')];
    while (this.token.type === 'elseif') clauses.push(this.parseIfClause('elseif'));
    const otherwise = this.accept('else') ? { otherwise: this.parseBlock() } : {};
    this.expect('end');
    return { kind: 'If', clauses, ...otherwise, ...this.since(start) };
  }

  private parseIfClause(keyword: 'if' | 'elseif'): IfClause {
    const start = this.token;
    this.expect(keyword);
    const condition = this.parseExpression();
    this.expect('then');
    const body = this.parseBlock();
    return { kind: 'IfClause', condition, body, ...this.since(start) };
  }

  private parseFor(start: Token): Statement {
    this.expect('for');
    const name = this.parseName();
    return this.accept('=') ? this.parseNumericFor(start, name) : this.parseGenericFor(start, name);
  }

  private parseNumericFor(start: Token, name: NameExpression): Statement {
    const first = this.parseExpression();
    this.expect(',');
    const limit = this.parseExpression();
    const step = this.accept(',') ? { step: this.parseExpression() } : {};
    const body = this.parseLoopBody();
    return { kind: 'NumericFor', name, start: first, limit, ...step, body, ...this.since(start) };
  }

  private parseGenericFor(start: Token, first: NameExpression): Statement {
    const names = this.parseFurtherNames(first);
    this.expect('in');
    const values = this.parseExpressions();
    const body = this.parseLoopBody();
    return { kind: 'GenericFor', names, values, body, ...this.since(start) };
  }

  private parseLoopBody(): Statement[] {
    this.expect('do');
    const body = this.parseBlock();
    this.expect('end');
    return body;
  }

  private parseFunctionStatement(start: Token): Statement {
    this.expect('function');
    let target: NameExpression | IndexExpression = this.parseName();
    while (this.accept('.')) target = this.indexed(target, this.parseKey());
    const method = this.accept(':') ? { method: this.parseKey() } : {};
    const body = this.parseFunctionBody(this.token);
    return { kind: 'FunctionStatement', target, ...method, function: body, ...this.since(start) };
  }

  private parseLocal(start: Token): Statement {
    this.expect('local');
    if (this.accept('function')) {
      const name = this.parseName();
      const body = this.parseFunctionBody(this.token);
      return { kind: 'LocalFunction', name, function: body, ...this.since(start) };
    }
    const names = this.parseFurtherNames(this.parseName());
    const values = this.accept('=') ? this.parseExpressions() : [];
    return { kind: 'Local', names, values, ...this.since(start) };
  }

  /** A call, or the first target of an assignment. */
  private parseExpressionStatement(start: Token): Statement {
    const first = this.parsePrefixExpression();
    if (isAssignable(first) && (this.token.type === '=' || this.token.type === ',')) {
      return this.parseAssignment(start, first);
    }
    if (!isCall(first)) throw this.error('parse error');
    return { kind: 'CallStatement', call: first, ...this.since(start) };
  }

  private parseAssignment(start: Token, first: NameExpression | IndexExpression): Statement {
    const targets = [first];
    while (this.accept(',')) {
      if (this.token.type !== 'name' && this.token.type !== '(') throw this.syntaxError();
      const target = this.parsePrefixExpression();
      if (!isAssignable(target)) throw this.syntaxError();
      targets.push(target);
    }
    this.expect('=');
    const values = this.parseExpressions();
    return { kind: 'Assign', targets, values, ...this.since(start) };
  }
}

function isAssignable(expression: Expression): expression is NameExpression | IndexExpression {
  return expression.kind === 'Name' || expression.kind === 'Index';
}

/** Parentheses around a call leave it a call. */
function isCall(expression: Expression): expression is CallStatement['call'] {
  let inner = expression;
  while (inner.kind === 'Parenthesized') inner = inner.expression;
  return inner.kind === 'Call' || inner.kind === 'MethodCall';
}
