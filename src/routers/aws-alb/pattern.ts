import { compileRegex } from '../../core/regex';

/** Tests a text against one value of a condition. */
export type TextPattern = (text: string) => boolean;

/** How a pattern is read. */
export interface PatternOptions {
  /**
   * @default false
   */
  readonly ignoreCase?: boolean;
  /**
   * Whether `\*` and `\?` stand for the characters themselves.
   * @default false
   */
  readonly escapes?: boolean;
}

/** One character, or a wildcard. */
type Token = string | typeof ONE | typeof MANY;

const ONE = Symbol('?');
const MANY = Symbol('*');

/** A pattern in which `*` stands for any run of characters and `?` for exactly one. */
export function wildcardPattern(
  pattern: string,
  { ignoreCase = false, escapes = false }: PatternOptions = {},
): TextPattern {
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  const tokens = tokensOf(fold(pattern), escapes);
  if (tokens.every((token) => typeof token === 'string')) {
    const literal = tokens.join('');
    return (text) => fold(text) === literal;
  }
  const prefix = literalPrefix(tokens);
  if (prefix !== undefined) return (text) => fold(text).startsWith(prefix);
  return (text) => matches(tokens, [...fold(text)]);
}

/** The part before a single trailing `*`; undefined for other patterns, and if half a character could match. */
function literalPrefix(tokens: readonly Token[]): string | undefined {
  const before = tokens.slice(0, -1);
  if (tokens.at(-1) !== MANY || !before.every((token) => typeof token === 'string')) return undefined;
  const prefix = before.join('');
  return /^[\x20-\x7e]*$/.test(prefix) ? prefix : undefined;
}

function tokensOf(pattern: string, escapes: boolean): readonly Token[] {
  const tokens: Token[] = [];
  const characters = [...pattern];
  for (let index = 0; index < characters.length; index++) {
    const character = characters[index]!;
    const next = characters[index + 1];
    if (escapes && character === '\\' && (next === '*' || next === '?')) {
      tokens.push(next);
      index++;
    } else {
      tokens.push(character === '*' ? MANY : character === '?' ? ONE : character);
    }
  }
  return tokens;
}

/** Retries only the last `*`, so that the cost is bounded by the length of the text times that of the pattern. */
function matches(tokens: readonly Token[], text: readonly string[]): boolean {
  let token = 0;
  let at = 0;
  let retryToken = -1;
  let retryAt = 0;
  while (at < text.length) {
    if (tokens[token] === MANY) {
      retryToken = token++;
      retryAt = at;
    } else if (tokens[token] === ONE || tokens[token] === text[at]) {
      token++;
      at++;
    } else if (retryToken >= 0) {
      token = retryToken + 1;
      at = ++retryAt;
    } else {
      return false;
    }
  }
  while (tokens[token] === MANY) token++;
  return token === tokens.length;
}

/**
 * A regular expression, which may match anywhere in the text. AWS does not document whether it must match the whole
 * text; an expression from `^` to `$` means the same in both cases. An invalid expression matches nothing.
 */
export function regexPattern(expression: string, { ignoreCase = false }: PatternOptions = {}): TextPattern {
  return compileRegex(expression, { ignoreCase }) ?? (() => false);
}
