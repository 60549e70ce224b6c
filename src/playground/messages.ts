/** What the page and its worker say to each other. */
import type { CheckedAnswer, Picture, PlaygroundInput, RoutedAnswer } from './answer';

/** Something to answer. A later question makes an earlier one moot. */
export interface Question {
  readonly id: number;
  readonly input: PlaygroundInput;
}

/** One of the answers, in this order; the last one ends the question. */
export type Answer = { readonly id: number } & (
  | { readonly kind: 'checked'; readonly checked: CheckedAnswer }
  | { readonly kind: 'routed'; readonly routed: readonly RoutedAnswer[] }
  | { readonly kind: 'pictured'; readonly pictures: readonly Picture[] }
  | { readonly kind: 'failed'; readonly message: string }
);
