import { didYouMean } from '../core/did-you-mean';

/** `: did you mean "…"?`, if a known word is similar. */
export function meant(word: string, known: readonly string[], quote = (name: string) => `"${name}"`): string {
  const near = didYouMean(word, known);
  return near === undefined ? '' : `: did you mean ${quote(near)}?`;
}

/** The words that occur more than once. */
export function repeated(words: readonly string[]): string[] {
  return [...new Set(words.filter((word, index) => words.indexOf(word) < index))];
}

/** The fix for a setting that the install writes itself. */
export function insteadOf(property: string | undefined): string {
  return property === undefined ? 'leave it out' : `set ${property} instead`;
}
