import { compileRegex, type RegexOptions } from './regex';

/**
 * A regular expression as nginx reads it. What only PCRE knows, look-around and back-references, is left to JavaScript's
 * own engine, which writes them the same way.
 * @returns undefined for what is no expression
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

/** The text as an expression that matches just it. */
export function quoteRegex(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&');
}
