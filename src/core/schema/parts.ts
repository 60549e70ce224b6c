import { isJsonObject } from '../json';
import type { StructuralSchema } from './structural';

/** The schemas of the parts of a value. */
export function partsOf({ properties = {}, items, additionalProperties }: StructuralSchema): StructuralSchema[] {
  return [
    ...Object.values(properties),
    ...(items === undefined ? [] : [items]),
    ...(isJsonObject(additionalProperties) ? [additionalProperties] : []),
  ];
}

/**
 * Whether a schema, or that of some part within it, is so. What it is asked for a schema it remembers: most parts of an
 * object need not be looked at.
 */
export function anyPart(isSo: (schema: StructuralSchema) => boolean): (schema: StructuralSchema) => boolean {
  const known = new WeakMap<StructuralSchema, boolean>();
  const find = (schema: StructuralSchema): boolean => {
    // Each part once: a type may contain itself.
    const within = new Set([schema]);
    for (const part of within) {
      const before = known.get(part);
      if (before ?? isSo(part)) return true;
      if (before === undefined) for (const inner of partsOf(part)) within.add(inner);
    }
    for (const part of within) known.set(part, false);
    return false;
  };
  return (schema) => {
    const before = known.get(schema);
    if (before !== undefined) return before;
    const found = find(schema);
    known.set(schema, found);
    return found;
  };
}
