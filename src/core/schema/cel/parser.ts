import { CelSyntaxError, type Token, tokens } from './lexer';

/** A node of an expression. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: null | boolean | number | string }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'field'; readonly of: Expression; readonly name: string }
  | { readonly kind: 'index'; readonly of: Expression; readonly at: Expression }
  | {
      readonly kind: 'call';
      readonly name: string;
      readonly target: Expression | undefined;
      readonly arguments: readonly Expression[];
    }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: 'choice';
      readonly condition: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
    };

/** Binary operators, the loosest first. */
const LEVELS: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!=', '<', '<=', '>', '>=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];

/** Reads an expression of the Common Expression Language; throws a `CelSyntaxError` where it stops being one. */
export function parseCel(text: string): Expression {
  const parser = new Parser(tokens(text));
  const expression = parser.expression();
  parser.expectEnd();
  return expression;
}

class Parser {
  private at = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  expression(): Expression {
    const condition = this.binary(0);
    if (!this.take('?')) return condition;
    const then = this.binary(0);
    this.expect(':');
    return { kind: 'choice', condition, then, otherwise: this.expression() };
  }

  expectEnd(): void {
    if (this.next.kind !== 'end') throw this.unexpected();
  }

  private binary(level: number): Expression {
    const operators = LEVELS[level];
    if (operators === undefined) return this.unary();
    let left = this.binary(level + 1);
    for (;;) {
      const operator = operators.find((one) => this.take(one));
      if (operator === undefined) return left;
      left = { kind: 'binary', operator, left, right: this.binary(level + 1) };
    }
  }

  private unary(): Expression {
    for (const operator of ['!', '-']) {
      if (this.take(operator)) return { kind: 'unary', operator, operand: this.unary() };
    }
    return this.member(this.primary());
  }

  private member(of: Expression): Expression {
    if (this.take('.')) {
      const name = this.name();
      if (!this.take('(')) return this.member({ kind: 'field', of, name });
      return this.member({ kind: 'call', name, target: of, arguments: this.list(')') });
    }
    if (!this.take('[')) return of;
    const at = this.expression();
    this.expect(']');
    return this.member({ kind: 'index', of, at });
  }

  private primary(): Expression {
    const token = this.next;
    if (token.kind === 'literal') {
      this.at++;
      return { kind: 'literal', value: token.value };
    }
    if (this.take('(')) {
      const inner = this.expression();
      this.expect(')');
      return inner;
    }
    if (this.take('[')) return { kind: 'list', items: this.list(']') };
    const name = this.name();
    if (!this.take('(')) return { kind: 'name', name };
    return { kind: 'call', name, target: undefined, arguments: this.list(')') };
  }

  private list(end: string): Expression[] {
    const items: Expression[] = [];
    while (!this.take(end)) {
      if (items.length > 0) this.expect(',');
      items.push(this.expression());
    }
    return items;
  }

  private name(): string {
    const token = this.next;
    if (token.kind !== 'name') throw this.unexpected();
    this.at++;
    return token.text;
  }

  private take(text: string): boolean {
    const token = this.next;
    if (token.kind === 'literal' || token.kind === 'end' || token.text !== text) return false;
    this.at++;
    return true;
  }

  private expect(text: string): void {
    if (!this.take(text)) throw this.unexpected();
  }

  private unexpected(): CelSyntaxError {
    const token = this.next;
    return new CelSyntaxError(token.kind === 'end' ? 'unexpected end' : `unexpected ${token.text}`);
  }

  private get next(): Token {
    return this.tokens[this.at]!;
  }
}
