/** The fields in which two values differ. */
import { isJsonObject, type Json, ownValue, sameJson } from './json';
import { formatPath, type Path } from './path';

/** A field that differs; undefined on the side that does not have it. */
export interface FieldChange {
  /** The path in the later value; in the earlier one where only that has it. */
  readonly path: Path;
  readonly before?: Json;
  readonly after?: Json;
}

/**
 * The smallest fields that differ, in the order of the later value. Items of a list that have a name are compared by it.
 * @example fieldChanges({ a: 1, b: [1] }, { a: 2, b: [1] }) // [{ path: ['a'], before: 1, after: 2 }]
 */
export function fieldChanges(before: Json | undefined, after: Json | undefined, path: Path = []): FieldChange[] {
  if (sameJson(before, after)) return [];
  if (isJsonObject(before) && isJsonObject(after)) {
    const keys = new Set([...Object.keys(after), ...Object.keys(before)]);
    return [...keys].flatMap((key) => fieldChanges(ownValue(before, key), ownValue(after, key), [...path, key]));
  }
  if (Array.isArray(before) && Array.isArray(after)) return itemChanges(before, after, path);
  return [{ path, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) }];
}

/** `replicas changes from 1 to 2`, `image is new: "web:2"`, `paused is gone` */
export function fieldChangeText({ path, before, after }: FieldChange, name = formatPath(path)): string {
  if (before === undefined) return `${name} is new: ${valueText(after)}`;
  if (after === undefined) return `${name} is gone: ${valueText(before)}`;
  return `${name} changes from ${valueText(before)} to ${valueText(after)}`;
}

/** Values in a sentence are short. */
const SHOWN = 80;

function valueText(value: Json | undefined): string {
  const characters = [...JSON.stringify(value)];
  return characters.length <= SHOWN ? characters.join('') : `${characters.slice(0, SHOWN - 1).join('')}…`;
}

function itemChanges(before: readonly Json[], after: readonly Json[], path: Path): FieldChange[] {
  const [names, others] = [namesOf(after), namesOf(before)];
  if (names === undefined || others === undefined) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) => index).flatMap((index) =>
      fieldChanges(before[index], after[index], [...path, index]),
    );
  }
  const kept = after.flatMap((item, index) =>
    fieldChanges(before[others.indexOf(names[index]!)], item, [...path, index]),
  );
  const gone = before.flatMap((item, index) =>
    names.includes(others[index]!) ? [] : [{ path: [...path, index], before: item }],
  );
  return [...kept, ...gone];
}

/** The names of all items; undefined if one has none, or two have the same. */
function namesOf(items: readonly Json[]): readonly string[] | undefined {
  const names = items.map((item) => ownValue(item, 'name'));
  const isNamed = names.every((name) => typeof name === 'string') && new Set(names).size === names.length;
  return isNamed ? (names as string[]) : undefined;
}
