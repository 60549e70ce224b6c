import { didYouMean } from '../core/did-you-mean';

/** The sentence about a word that is not among those that are known; nothing where it is. */
export function mustBeOneOf(said: string, word: string, known: readonly string[]): string[] {
  if (known.includes(word)) return [];
  return [`${said} "${word}", which does not exist${meant(word, known)}; there are ${known.join(', ')}`];
}

/** `: did you mean "…"?`, where something is near. */
export function meant(word: string, known: readonly string[], quote = (name: string) => `"${name}"`): string {
  const near = didYouMean(word, known);
  return near === undefined ? '' : `: did you mean ${quote(near)}?`;
}

/** What occurs more than once. */
export function repeated(words: readonly string[]): string[] {
  return [...new Set(words.filter((word, index) => words.indexOf(word) < index))];
}

/** What to do about something that the install writes itself. */
export function insteadOf(property: string | undefined): string {
  return property === undefined ? 'leave it out' : `set ${property} instead`;
}
