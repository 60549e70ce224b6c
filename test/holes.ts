/** The paths of plain objects in a value that have a field with nothing in it. A field that is not known should not be there. */
export function holesIn(value: unknown, path = '', seen = new Set<unknown>()): string[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && !Array.isArray(value)) return [];
  seen.add(value);
  return Object.entries(value).flatMap(([key, one]) =>
    one === undefined ? [`${path}.${key}`] : holesIn(one, `${path}.${key}`, seen),
  );
}
