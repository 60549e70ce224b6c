import { compileRegex, isExpression, type RegexOptions } from '../core/regex';

/**
 * A regular expression as nginx reads it, which may look ahead and behind.
 * @returns undefined if the text is not an expression, or has what is not modelled
 */
export function compilePcre(expression: string, options: RegexOptions = {}): ((text: string) => boolean) | undefined {
  return compileRegex(expression, { ...options, lookAround: true });
}

/**
 * Why nobody can tell here what an expression matches: back-references and the like need an engine that may never end.
 * @returns undefined if it can be told, or if the text is not an expression
 */
export function notModelled(expression: string): string | undefined {
  if (compilePcre(expression) !== undefined || !isExpression(expression)) return undefined;
  return `the regular expression ${JSON.stringify(expression)} has a part that is not modelled, such as a back-reference`;
}

/** Escapes a text, so that the expression matches the text itself. */
export function quoteRegex(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&');
}
