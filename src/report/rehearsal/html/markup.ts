import { escapeHtml } from '../../escape';

/** Safe HTML. Only `html` and `constant` create it. */
export class Markup {
  constructor(readonly text: string) {}
}

/** A value in a template; `undefined` and `false` add nothing. */
export type MarkupValue = Markup | string | number | false | undefined | readonly MarkupValue[];

/**
 * A template that escapes all of its values, so that no text of a manifest can become a tag. Write attributes in double
 * quotes.
 * @example html`<code title="${path}">${name}</code>`
 */
export function html(parts: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  return new Markup(parts.map((part, index) => `${part}${textOf(values[index])}`).join(''));
}

/** A constant text of this library, such as a style sheet. */
export function constant(text: string): Markup {
  return new Markup(text);
}

function textOf(value: MarkupValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Markup) return value.text;
  return typeof value === 'object' ? value.map(textOf).join('') : escapeHtml(String(value));
}

/** Joins values with a separator. */
export function joined(values: readonly MarkupValue[], separator: MarkupValue): MarkupValue[] {
  return values.flatMap((value, index) => (index === 0 ? [value] : [separator, value]));
}

/** Text with code between backticks. */
export function prose(text: string): MarkupValue[] {
  return text.split(/`([^`\n]+)`/).map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}

/** A link to the element that it stands in, for people who copy the address. */
export function anchor(id: string, what: string): Markup {
  return html`<a class="anchor" href="#${id}" aria-label="Link to this ${what}"></a>`;
}
