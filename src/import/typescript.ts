/** Writes expressions as TypeScript. Values come from manifests, so nothing in them may end a literal or a comment. */
import type { Json } from '../core/json';
import type { Code } from './code';

/** The longest line, as far as its values allow. */
const WIDTH = 110;

/** Control characters, marks that reorder or hide text, and single surrogates: they would hide what a program says. */
const HIDDEN =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u00a0\u2028-\u202e\ufeff\ufff9-\ufffb\p{Default_Ignorable_Code_Point}\p{Surrogate}]/gu;

/** The names of the variables of statements, by their keys. */
export type Variables = ReadonlyMap<string, string>;

/** The text of an expression. Its first line begins behind `column` characters, its last one is followed by a few more. */
export function print(code: Code, variables: Variables, indent = '', column = indent.length): string {
  const flat = flatOf(code, variables);
  if (flat !== undefined && column + flat.length <= WIDTH) return flat;
  const inner = `${indent}  `;
  const lines = (items: readonly string[]) => items.map((item) => `${inner}${item},\n`).join('');
  switch (code.kind) {
    case 'value':
      return printed(code.value, variables, indent, column);
    case 'list':
      return `[\n${lines(code.items.map((item) => print(item, variables, inner)))}${indent}]`;
    case 'object':
      return `{\n${lines(code.entries.map(([key, entry]) => entryOf(key, entry, variables, inner)))}${indent}}`;
    case 'call':
    case 'callOf': {
      const callee = calleeOf(code, variables);
      // The last argument opens its bracket on the line of the call, as a person would write it.
      const [last, ...before] = [...code.args].reverse();
      const first = before.reverse().map((arg) => flatOf(arg, variables));
      if (last === undefined) return `${callee}()`;
      if (first.every((arg) => arg !== undefined)) {
        const start = `${callee}(${first.map((arg) => `${arg}, `).join('')}`;
        if (column + start.length < WIDTH) return `${start}${print(last, variables, indent, column + start.length)})`;
      }
      return `${callee}(\n${lines(code.args.map((arg) => print(arg, variables, inner)))}${indent})`;
    }
    case 'reference':
      return variables.get(code.to)!;
  }
}

/** The expression on one line; undefined if it is too long for one, or has a text of several lines. */
function flatOf(code: Code, variables: Variables): string | undefined {
  switch (code.kind) {
    case 'value':
      return flatValue(code.value, variables);
    case 'list':
      return joined(code.items, variables, (items) => `[${items.join(', ')}]`);
    case 'object':
      return joined(
        code.entries.map(([, entry]) => entry),
        variables,
        (values) => objectText(values.map((text, index) => `${keyOf(code.entries[index]![0])}: ${text}`)),
      );
    case 'call':
    case 'callOf':
      return joined(code.args, variables, (args) => `${calleeOf(code, variables)}(${args.join(', ')})`);
    case 'reference':
      return variables.get(code.to)!;
  }
}

function objectText(entries: readonly string[]): string {
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** Stops as soon as one line is not enough, because every level of a deep object asks. */
function joined(
  items: readonly Code[],
  variables: Variables,
  join: (texts: readonly string[]) => string,
): string | undefined {
  const texts: string[] = [];
  let length = 0;
  for (const item of items) {
    const text = flatOf(item, variables);
    if (text === undefined) return undefined;
    length += text.length;
    if (length > WIDTH && items.length > 1) return undefined;
    texts.push(text);
  }
  return join(texts);
}

function calleeOf(code: Extract<Code, { kind: 'call' | 'callOf' }>, variables: Variables): string {
  return `${code.kind === 'call' ? code.class : variables.get(code.to)!}.${code.method}`;
}

function entryOf(key: string, entry: Code, variables: Variables, indent: string): string {
  const name = keyOf(key);
  return `${name}: ${print(entry, variables, indent, indent.length + name.length + 2)}`;
}

/** Lists and objects of values are printed as those of expressions. */
function asCode(json: Json): Code {
  if (Array.isArray(json)) return { kind: 'list', items: json.map((item) => ({ kind: 'value', value: item })) };
  const entries = Object.entries(json as object).map(([key, entry]) => [key, { kind: 'value', value: entry }] as const);
  return { kind: 'object', entries };
}

function flatValue(json: Json, variables: Variables): string | undefined {
  if (typeof json === 'string') return isBlock(json) ? undefined : literal(json);
  return typeof json === 'object' && json !== null ? flatOf(asCode(json), variables) : numberOrWord(json);
}

function printed(json: Json, variables: Variables, indent: string, column: number): string {
  if (typeof json === 'string') return isBlock(json) ? template(json) : literal(json);
  return typeof json === 'object' && json !== null
    ? print(asCode(json), variables, indent, column)
    : numberOrWord(json);
}

function numberOrWord(json: null | boolean | number): string {
  return Object.is(json, -0) ? '-0' : String(json);
}

/** Whether a text has several lines, which a template shows as lines. */
function isBlock(text: string): boolean {
  return /\n./s.test(text);
}

/** A text in single quotes. */
export function literal(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(/\\/g, '\\\\').replaceAll(quote, `\\${quote}`).replace(/\n/g, '\\n');
  return `${quote}${escaped.replace(HIDDEN, unicode)}${quote}`;
}

function template(text: string): string {
  const escaped = text
    .replace(/\\/g, '\\\\')
    .replace(/`/g, '\\`')
    .replace(/\$(?=\{)/g, '\\$');
  return `\`${escaped.replace(HIDDEN, unicode)}\``;
}

function unicode(character: string): string {
  if (character === '\t') return '\\t';
  if (character === '\r') return '\\r';
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');
}

function keyOf(key: string): string {
  // As a plain key it would set the prototype.
  if (key === '__proto__') return "['__proto__']";
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key);
}

/** A comment of one line for each text. */
export function comment(texts: readonly string[], indent = ''): string {
  return texts.map((text) => `${indent}// ${text.replace(/\n/g, ' ').replace(HIDDEN, unicode)}\n`).join('');
}
