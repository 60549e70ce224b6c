/**
 * A text that two values have only if nothing tells them apart; undefined for what no text can hold: functions, cycles, and objects
 * with a state of their own.
 * @example exactText({ version: KruiseRolloutVersion.V0_6_2, external: [] })
 */
export function exactText(value: unknown): string | undefined {
  const parts: string[] = [];
  return wrote(value, parts, []) ? parts.join('') : undefined;
}

/** Classes by number. A class that extends another may hide its state there. */
const classes = new WeakMap<object, number>();
let classCount = 0;

function wrote(value: unknown, parts: string[], above: readonly object[]): boolean {
  if (typeof value === 'object' && value !== null) return wroteObject(value, parts, above);
  if (typeof value === 'function' || typeof value === 'symbol') return false;
  parts.push(
    typeof value === 'string' ? JSON.stringify(value) : `${typeof value} ${Object.is(value, -0) ? '-0' : value}`,
  );
  return true;
}

function wroteObject(value: object, parts: string[], above: readonly object[]): boolean {
  const name = nameOfClass(value);
  if (name === undefined || above.includes(value) || Object.getOwnPropertySymbols(value).length > 0) return false;
  const path = [...above, value];
  parts.push(name, '{');
  for (const [key, each] of Object.entries(value)) {
    parts.push(JSON.stringify(key), ':');
    if (!wrote(each, parts, path)) return false;
    parts.push(',');
  }
  parts.push('}');
  return true;
}

function nameOfClass(value: object): string | undefined {
  const prototype: object | null = Object.getPrototypeOf(value);
  if (Array.isArray(value)) return prototype === Array.prototype ? `array ${value.length}` : undefined;
  if (prototype === null || prototype === Object.prototype) return 'object';
  // Maps, dates and the like have a tag.
  const isPlain = Object.prototype.toString.call(value) === '[object Object]';
  if (!isPlain || Object.getPrototypeOf(prototype) !== Object.prototype) return undefined;
  if (!classes.has(prototype)) classes.set(prototype, classCount++);
  return `class ${classes.get(prototype)}`;
}
