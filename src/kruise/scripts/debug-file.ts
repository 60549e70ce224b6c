/** Plain data as Lua 5.1 source, for debugging a script outside of the controller. */
import { isJsonObject } from '../../core/json';

/** A run of a script to be debugged: the key it has in `steps`, and the `obj` it is given. */
export interface DebugStep {
  /** `step_0`, `creation` */
  readonly key: string;
  /** What the step is, for a comment. */
  readonly title: string;
  readonly obj: unknown;
}

/**
 * Upstream's `<case>_obj.lua`: the table `steps` with what the script is given at each step, and one of them ready as
 * the global `obj`.
 * @example writeFileSync('weight_obj.lua', debugFile('testdata/weight.yaml', steps, 'step_1'))
 */
export function debugFile(testdata: string, steps: readonly DebugStep[], chosen: string): string {
  const tables = steps.flatMap(({ key, title, obj }) => [
    `  -- ${oneLine(title)}`,
    `  ${key} = ${luaLiteral(obj, '  ')},`,
  ]);
  return [
    `-- Made by "rollout-constructs debug" from ${oneLine(testdata)}: what the script is given at each step.`,
    '-- Changes are lost when it is made again.',
    'steps = {',
    ...tables,
    '}',
    '',
    '-- The step to debug.',
    `obj = steps.${chosen}`,
    '',
  ].join('\n');
}

/**
 * Data as a Lua expression that any Lua from 5.1 on reads back as the controller would hand it to a script: keys in byte
 * order, null in a map left out, null in a list closed up.
 * @example luaLiteral({ weight: '20' }) // '{\n  weight = "20",\n}'
 */
export function luaLiteral(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return 'nil';
  if (typeof value === 'string') return luaString(value);
  if (typeof value === 'number') return luaNumber(value);
  if (typeof value === 'boolean') return String(value);
  const entries = Array.isArray(value) ? listEntries(value, indent) : mapEntries(value, indent);
  return entries.length === 0 ? '{}' : `{\n${entries.map((entry) => `${indent}  ${entry},\n`).join('')}${indent}}`;
}

function listEntries(list: readonly unknown[], indent: string): string[] {
  return list.filter((item) => item !== null && item !== undefined).map((item) => luaLiteral(item, `${indent}  `));
}

function mapEntries(map: unknown, indent: string): string[] {
  if (!isJsonObject(map)) return [];
  return Object.entries(map)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => [Buffer.from(key), luaKey(key), value] as const)
    .sort(([left], [right]) => Buffer.compare(left, right))
    .map(([, key, value]) => `${key} = ${luaLiteral(value, `${indent}  `)}`);
}

/** Words that cannot be a name, in 5.1 or a later Lua. */
const KEYWORDS = new Set(
  'and break do else elseif end false for function goto if in local nil not or repeat return then true until while'.split(
    ' ',
  ),
);

function luaKey(key: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) && !KEYWORDS.has(key) ? key : `[${luaString(key)}]`;
}

/** Three digits always, as a digit may follow. Escapes by name for what people write, by number for the rest. */
function luaString(text: string): string {
  const named: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
  const escaped = text.replace(
    /["\\\u0000-\u001f\u007f]/g,
    (character) => named[character] ?? `\\${String(character.charCodeAt(0)).padStart(3, '0')}`,
  );
  return `"${escaped}"`;
}

function luaNumber(value: number): string {
  if (Object.is(value, -0)) return '-0';
  return Number.isFinite(value) ? String(value) : 'nil';
}

/** A comment ends with its line. */
function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]/g, ' ');
}
