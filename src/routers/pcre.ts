import { compileRegex, type RegexOptions } from './regex';

/**
 * A regular expression as nginx reads it. JavaScript's own engine handles look-around and back-references, which only
 * PCRE has and which both write the same way.
 * @returns undefined if the text is not an expression
 */
export function compilePcre(expression: string, options: RegexOptions = {}): ((text: string) => boolean) | undefined {
  return compileRegex(expression, options) ?? byJavaScript(expression, options);
}

function byJavaScript(expression: string, { whole, ignoreCase }: RegexOptions) {
  try {
    const regex = new RegExp(whole ? `^(?:${expression})$` : expression, ignoreCase ? 'i' : '');
    return (text: string) => regex.test(text);
  } catch {
    return undefined;
  }
}

/** Escapes a text, so that the expression matches the text itself. */
export function quoteRegex(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&');
}
