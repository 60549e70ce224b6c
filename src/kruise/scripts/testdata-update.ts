/** Writes a script's results into the `expected` of its testdata, and leaves every other character of the file unchanged. */
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { asObject, compact, isJsonObject, type Json, type JsonObject, sameJson, setOwnValue } from '../../core/json';
import { differencesOf, type Outcome, type PlayedStep } from './case-runner';
import type { ScriptTarget } from './library';
import { type Expectation, readTestdata, type Testdata } from './testdata';

/** The updated testdata. */
export interface TestdataUpdate {
  /** The complete new text; the old text if nothing changes. */
  readonly text: string;
  /** Why the user must make a part of the update by hand. */
  readonly refused?: string;
}

/**
 * Updates `expected` to the script's current results. An error of the script becomes an expectation only if the file
 * already expects an error.
 * @param text of the file from which the testdata was read
 */
export function updateTestdata(
  text: string,
  testdata: Testdata,
  played: readonly PlayedStep[],
  target: ScriptTarget,
): TestdataUpdate {
  const { items, refused } = wantedItems(testdata, played, target);
  const before = testdata.expected.map(itemOf);
  if (sameJson(items, before)) return refused === undefined ? { text } : { text, refused };
  for (const write of [replaceItems, replaceExpected, replaceJson, replaceDocument]) {
    const written = write(text, items, before);
    if (written !== undefined && holds(written, testdata, items, target)) return compact({ text: written, refused });
  }
  return {
    text,
    refused: 'the file shares values by anchors in a way that --update cannot rewrite: change it by hand',
  };
}

/** The items that `expected` should have: one per step that was played. */
function wantedItems(testdata: Testdata, played: readonly PlayedStep[], target: ScriptTarget) {
  const items: Json[] = [];
  for (const [index, { outcome, name }] of played.entries()) {
    const expectation = testdata.expected[index];
    if (outcome.kind === 'error') {
      if (expectation?.kind === 'error')
        return { items: [...items, errorItem(expectation.text, outcome.error.message)] };
      const rest = testdata.expected.slice(index).map(itemOf);
      return {
        items: [...items, ...rest],
        refused: `${name} fails: ${outcome.error.message}. If it should, write the item "error: <text>" by hand`,
      };
    }
    items.push(outcome.kind === 'absent' ? null : objectItem(outcome, expectation, testdata, target));
  }
  return { items };
}

/** Keeps the expected text if the error contains it. Removes the position in the script from a new error. */
function errorItem(expected: string, actual: string): Json {
  return { error: actual.includes(expected) ? expected : actual.replace(/^<string>:\d+: /, '') };
}

function objectItem(
  outcome: Extract<Outcome, { kind: 'object' }>,
  expectation: Expectation | undefined,
  testdata: Testdata,
  target: ScriptTarget,
): Json {
  const before = expectation?.kind === 'object' ? expectation.object : skeleton(testdata, target);
  if (expectation?.kind === 'object' && differencesOf(before, outcome, target).length === 0) return before;
  const whole = target.provider === 'custom';
  const metadata = { ...asObject(before.metadata) };
  put(metadata, 'annotations', outcome.annotations);
  if (whole || metadata.labels !== undefined) put(metadata, 'labels', outcome.labels);
  const item: Record<string, Json> = { ...before };
  if (isEmpty(metadata)) delete item.metadata;
  else item.metadata = metadata;
  if (whole || before.spec !== undefined) put(item, 'spec', outcome.spec);
  return item;
}

/** Omits an empty map unless the file already has it. A spec of `{}` differs from no spec. */
function put(object: JsonObject, key: string, value: Json | undefined): void {
  const target = object as Record<string, Json>;
  if (value !== undefined && (key === 'spec' || !isEmpty(value))) target[key] = value;
  else if (value === undefined || !isEmpty(target[key] ?? {})) delete target[key];
}

function isEmpty(value: Json): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

function skeleton({ original }: Testdata, target: ScriptTarget): JsonObject {
  if (target.provider === 'ingress') return {};
  const { apiVersion, kind, metadata } = original;
  const { name, namespace } = asObject(metadata);
  const named: Record<string, Json> = {};
  for (const [key, value] of Object.entries({ name, namespace }))
    if (value !== undefined) setOwnValue(named, key, value);
  return { apiVersion: apiVersion!, kind: kind!, metadata: named };
}

function itemOf(expectation: Expectation): Json {
  if (expectation.kind === 'object') return expectation.object;
  return expectation.kind === 'error' ? { error: expectation.text } : null;
}

/** Whether the new text has the wanted items, and everything else is unchanged. */
function holds(text: string, testdata: Testdata, items: readonly Json[], target: ScriptTarget): boolean {
  const { testdata: read } = readTestdata(text, testdata.file, target);
  return (
    read !== undefined &&
    sameJson(read.routing, testdata.routing) &&
    sameJson(read.original, testdata.original) &&
    sameJson(read.expected.map(itemOf), items)
  );
}

/** Rewrites the items that change and keeps the text of the others. Undefined if `expected` is not a plain list. */
function replaceItems(text: string, items: readonly Json[], before: readonly Json[]): string | undefined {
  const old = partsOf(text);
  const whole = replaceDocument(text, items);
  const fresh = whole === undefined ? undefined : partsOf(whole);
  if (!old || !fresh || fresh.items.length !== items.length) return undefined;
  const bodies = items.map((item, index) => {
    const part = old.items[index];
    if (part !== undefined && sameJson(item, before[index])) return part.text;
    const edited = part && withScalars(part, item);
    return edited ?? shift(fresh.items[index]!.text, old.column - fresh.column);
  });
  // What is between two items belongs to the second one.
  const between = old.items.slice(0, -1).map(({ behind }) => behind);
  const end = old.items.at(-1)!.behind + old.tail;
  const list = bodies.map((body, index) => {
    if (index < bodies.length - 1) return withLineFeed(body) + (between[index] ?? '');
    return end === '' ? body : withLineFeed(body);
  });
  return `${old.head}${list.join('')}${end}`;
}

/** The text of an item if only scalars change; otherwise undefined. */
function withScalars({ text, start, node }: Part, value: Json): string | undefined {
  const edits: { from: number; to: number; text: string }[] = [];
  const visit = (inner: unknown, wanted: Json): boolean => {
    if (isScalar(inner) && inner.range && !inner.anchor && !(typeof wanted === 'object' && wanted !== null)) {
      const [from, to] = inner.range;
      // Behind `key:` without a value there may be no blank.
      const gap = from === to && text[from - start - 1] === ':' ? ' ' : '';
      if (!sameJson(inner.toJSON(), wanted))
        edits.push({ from: from - start, to: to - start, text: gap + scalarText(inner, wanted) });
      return inner.type !== 'BLOCK_FOLDED' && inner.type !== 'BLOCK_LITERAL';
    }
    if (isSeq(inner) && Array.isArray(wanted)) {
      return inner.items.length === wanted.length && inner.items.every((item, index) => visit(item, wanted[index]!));
    }
    if (!isMap(inner) || !isJsonObject(wanted) || inner.items.length !== Object.keys(wanted).length) return false;
    return inner.items.every((pair) => Object.hasOwn(wanted, keyOf(pair)) && visit(pair.value, wanted[keyOf(pair)]!));
  };
  if (!visit(node, value)) return undefined;
  return edits
    .sort((a, b) => b.from - a.from)
    .reduce((out, edit) => out.slice(0, edit.from) + edit.text + out.slice(edit.to), text);
}

/** Keeps the quotes of the previous value, and adds quotes unless the value is clearly a plain string. */
function scalarText(before: Scalar, value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  if (before.type === 'QUOTE_SINGLE' && /^[\x20-\x7e]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  const plain =
    before.type === 'PLAIN' &&
    /^[A-Za-z][\w ./-]*$/.test(value) &&
    stringify(value, { version: '1.1' }).trim() === value;
  return plain ? value : JSON.stringify(value);
}

/** Rewrites `expected` completely, for a file where it is absent or written as `[...]`. */
function replaceExpected(text: string, items: readonly Json[]): string | undefined {
  const { contents } = parse(text);
  if (!isMap(contents) || contents.flow) return undefined;
  const index = contents.items.findIndex((pair) => keyOf(pair) === 'expected');
  const start = startOfPair(text, contents, index);
  const whole = text.slice(start, startOfPair(text, contents, index + 1));
  const [head, tail] = [text.slice(0, start), text.slice(start + (index < 0 ? 0 : withoutEnd(whole, 0).length))];
  return `${withLineFeed(head)}${stringify({ expected: items }, { version: '1.1', lineWidth: 0, ...indentOf(text) })}${tail}`;
}

/** Rewrites a file in JSON that is written as JSON.stringify writes it. */
function replaceJson(text: string, items: readonly Json[]): string | undefined {
  const indent = /^\{\n([ \t]+)/.exec(text)?.[1];
  const [, json, end] = /^(.*?)(\n?)$/s.exec(text)!;
  try {
    const value = JSON.parse(text) as object;
    if (JSON.stringify(value, null, indent) !== json) return undefined;
    return JSON.stringify({ ...value, expected: items }, null, indent) + end;
  } catch {
    return undefined;
  }
}

/** Rewrites the whole file with its comments, for a file written as `{...}`. Undefined if an alias would lose its anchor. */
function replaceDocument(text: string, items: readonly Json[]): string | undefined {
  const document = rewritten(text, items);
  return resolved(() => document?.toString({ lineWidth: 0, ...indentOf(text) }));
}

/** A value that depends on aliases; undefined if one of them has no anchor any more. */
function resolved<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    // The class of this error differs between the parser and the writer of YAML.
    if (error instanceof Error && /^Unresolved alias/.test(error.message)) return undefined;
    throw error;
  }
}

function withLineFeed(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** The document with the new items. Nodes of unchanged values keep their comments and format. */
function rewritten(text: string, items: readonly Json[]): Document | undefined {
  const document = parse(text);
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined;
  const root = document.contents as YAMLMap<Node, Node>;
  const expected = root.get('expected', true) as Node | undefined;
  root.set('expected' as unknown as Node, reconciled(document, expected, items));
  return document;
}

/**
 * Parses as YAML 1.1, as the controller does: more words have a special meaning (`yes`, `on`), so that a string with such
 * a word is quoted.
 */
function parse(text: string): Document.Parsed {
  return parseDocument(text, { version: '1.1', keepSourceTokens: true, prettyErrors: false });
}

function reconciled(document: Document, node: Node | undefined | null, value: Json): Node {
  if (
    node &&
    sameJson(
      resolved<Json>(() => node.toJS(document)),
      value,
    )
  )
    return node;
  if (isMap(node) && isJsonObject(value) && !node.items.some(isMergeKey)) return reconciledMap(document, node, value);
  if (isSeq(node) && Array.isArray(value)) return reconciledList(document, node, value);
  const fresh = document.createNode(value) as Node;
  if (!node) return fresh;
  fresh.anchor = node.anchor;
  fresh.commentBefore = node.commentBefore;
  fresh.spaceBefore = node.spaceBefore;
  if (isScalar(node) && isScalar(fresh)) {
    fresh.comment = node.comment;
    // A quoted string stays quoted.
    if (typeof node.value === 'string' && typeof value === 'string' && node.type?.startsWith('QUOTE'))
      fresh.type = node.type as Scalar.Type;
  }
  return fresh;
}

function reconciledMap(document: Document, node: YAMLMap, value: JsonObject): Node {
  const map = node as YAMLMap<Node, Node | null>;
  map.items = map.items.filter((pair) => Object.hasOwn(value, keyOf(pair)));
  for (const pair of map.items) pair.value = reconciled(document, pair.value, value[keyOf(pair)]!);
  const present = new Set(map.items.map(keyOf));
  for (const [key, item] of Object.entries(value)) {
    if (!present.has(key)) map.items.push(document.createPair(key, item) as Pair<Node, Node>);
  }
  // `{}` on one line would stay on one line with all of its new members; an empty map is written on one line.
  if (present.size === 0) map.flow = map.items.length === 0;
  return map;
}

function reconciledList(document: Document, node: YAMLSeq, value: readonly Json[]): Node {
  node.items = value.map((item, index) => reconciled(document, node.items[index] as Node | undefined, item));
  if (value.some((item) => typeof item === 'object')) node.flow = false;
  return node;
}

function isMergeKey(pair: Pair): boolean {
  return keyOf(pair) === '<<';
}

function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : String(pair.key);
}

/** One item, from the start of its line. */
interface Part {
  readonly text: string;
  /** The blank lines and comments up to the next item, or to what follows the list. */
  readonly behind: string;
  /** Where in the file the text starts. */
  readonly start: number;
  readonly node: unknown;
}

interface Parts {
  readonly head: string;
  readonly items: readonly Part[];
  readonly tail: string;
  /** The column of the `-` of each item, counted from 0. */
  readonly column: number;
}

/** Splits a testdata text at the items of `expected`, which must be a block-style list with each `-` on its own line. */
function partsOf(text: string): Parts | undefined {
  const { contents } = parse(text);
  if (!isMap(contents)) return undefined;
  const index = contents.items.findIndex((pair) => keyOf(pair) === 'expected');
  const list = contents.items[index]?.value;
  if (!isSeq(list) || list.srcToken?.type !== 'block-seq') return undefined;
  // Comments at the end of the list are an item without a dash.
  const dashes = list.srcToken.items.flatMap(
    ({ start }) => start.find(({ type }) => type === 'seq-item-ind')?.offset ?? [],
  );
  const starts = dashes.map((dash) => lineStart(text, dash));
  if (dashes.some((dash, at) => text.slice(starts[at], dash).trim() !== '')) return undefined;
  const column = dashes[0]! - starts[0]!;
  const end = startOfPair(text, contents, index + 1);
  const items = starts.map((start, at) => {
    const whole = text.slice(start, starts[at + 1] ?? end);
    const body = withoutEnd(whole, column);
    return { text: body, behind: whole.slice(body.length), start, node: list.items[at] };
  });
  return { head: text.slice(0, starts[0]), items, tail: text.slice(end), column };
}

/** Where the line of a pair starts; the end of the text for a pair that is not there. */
function startOfPair(text: string, { items }: YAMLMap, index: number): number {
  const key = items[index]?.key as Node | undefined;
  return key?.range ? lineStart(text, key.range[0]) : text.length;
}

/** A text without the blank lines and comments at its end that are not indented further than a column. */
function withoutEnd(text: string, column: number): string {
  const lines = text.split(/(?<=\n)/);
  while (isBehind(lines.at(-1)!, column)) lines.pop();
  return lines.join('');
}

function isBehind(line: string, column: number): boolean {
  const text = line.trimStart();
  return text === '' || (text.startsWith('#') && line.length - text.length <= column);
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Indents or outdents lines. */
function shift(part: string, columns: number): string {
  return part.replace(/^.+$/gm, (line) => (columns > 0 ? `${' '.repeat(columns)}${line}` : line.slice(-columns)));
}

/** The indentation of the file: its width, and whether lists are indented below their key. */
function indentOf(text: string): { readonly indent: number; readonly indentSeq: boolean } {
  const indent = /^\S.*:[ \t]*\n( +)\S/m.exec(text)?.[1]?.length ?? 2;
  const level = /^( *)[^\s#-].*:[ \t]*\n\1- /m.test(text);
  return { indent: Math.min(indent, 8), indentSeq: !level };
}
