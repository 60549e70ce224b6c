import type { readerRules } from '../rules';
import type { ReadLimits } from './limits';
import type { PlacedDocument } from './places';

/** A problem in the text of a document. */
export interface Problem {
  readonly rule: keyof typeof readerRules;
  readonly message: string;
  readonly because?: string;
  readonly fix?: string;
  /** The offset in the document's text. */
  readonly offset: number;
}

/** The content of a document's text: usually one value, several if `...` lines divide it. */
export interface ParsedText {
  readonly values: readonly PlacedDocument[];
  readonly problems: readonly Problem[];
}

/** The problem of a document that is larger than a limit allows. */
export function tooManyValues(limits: ReadLimits, offset: number): Problem {
  return {
    rule: 'too-much-input',
    message: `the document holds more than ${limits.values} values; it was not read`,
    fix: 'divide it into several documents, or raise the limit "values"',
    offset,
  };
}
