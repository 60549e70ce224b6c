import type { Json } from '../../core/json';
import type { Path } from '../../core/path';

const TAG = /\{\{(.*?)\}\}/gs;

/** Replaces the placeholders of a text; one that is not an argument becomes empty. */
export function resolve(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(TAG, (_, tag: string) => {
    const argument = argumentOf(tag);
    return argument === undefined ? '' : (values.get(argument) ?? '');
  });
}

/** The last tag of a metric that is not an argument, as the controller reports it. */
export function unknownTag(value: Json, values: ReadonlyMap<string, string>): string | undefined {
  return unknownTags(value, new Set(values.keys())).at(-1);
}

/** The tags of a metric that are not one of these arguments, as written. */
export function unknownTags(value: Json, names: ReadonlySet<string | undefined>): string[] {
  const tags = [...JSON.stringify(value).matchAll(TAG)].map(([, tag]) => tag!);
  return tags.filter((tag) => !names.has(argumentOf(tag)));
}

/** The path of a text in a value; undefined if no string contains it. */
export function placeOf(value: Json, text: string, path: Path): Path | undefined {
  if (typeof value === 'string') return value.includes(text) ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [key, one] of entries) {
    const place = placeOf(one, text, [...path, key]);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** The name of the argument in a tag; undefined if the tag is not an argument. */
export function argumentOf(tag: string): string | undefined {
  return /^args\.(.*)$/s.exec(tag.trim())?.[1];
}

/** Whether a value has placeholders, which make it unknown. */
export function hasPlaceholder(value: Json | undefined): boolean {
  return typeof value === 'string' && value.includes('{{');
}
