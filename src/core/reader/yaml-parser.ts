import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  Parser,
  type Scalar,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import { fromBase64, textOfUtf8 } from '../bytes';
import { type Json, type JsonObject, setOwnValue } from '../json';
import type { ReadLimits } from './limits';
import { type ParsedText, type Problem, tooManyValues } from './parsed-text';
import type { Place, PlacedDocument, Places } from './places';
import { losesPrecision, plainValue } from './scalar';

// All scalars are read as strings and resolved here, because no schema of the library resolves them like kubectl.
// The library's own check for duplicate keys takes quadratic time.
const OPTIONS = {
  resolveKnownTags: false,
  schema: 'failsafe',
  merge: false,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

/** Stops the conversion of an invalid document. Never leaves this file. */
class Unusable extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

/** Reads the text of a document with a YAML parser. */
export function parseYaml(text: string, limits: ReadLimits, places?: Places): ParsedText {
  const values: PlacedDocument[] = [];
  const problems: Problem[] = separatorProblems(text);
  try {
    const tokens = tokensOf(text, limits);
    checkDepth(tokens, limits);
    for (const document of firstErrorOnly(new Composer(OPTIONS)).compose(tokens, false, text.length)) {
      if (document.errors.length > 0) throw new Unusable(syntaxProblem(document.errors[0]!));
      if (document.contents === null) continue;
      const value = new Conversion(limits, problems, places).document(document as Document.Parsed);
      values.push({ value, offset: document.contents.range[0] });
    }
  } catch (error) {
    if (error instanceof Unusable) problems.push(error.problem);
    // The parser recurses: the depth limit was raised beyond the size of the call stack.
    else if (error instanceof RangeError) problems.push(tooDeep('more levels than the parser can hold', 0));
    else throw error;
  }
  return { values, problems };
}

/**
 * Keeps only the first mistake of a document. A text full of mistakes has one per character, and the library would create
 * an Error for each, which takes many times longer than everything else.
 */
function firstErrorOnly(composer: Composer): Composer {
  const inner = composer as unknown as { errors?: unknown; onError?: (...args: unknown[]) => void };
  const { onError } = inner;
  // Another release of the library may store them elsewhere. Then it only takes longer.
  if (typeof onError !== 'function') return composer;
  inner.onError = (...args) => {
    if (!Array.isArray(inner.errors) || inner.errors.length === 0) onError.apply(composer, args);
  };
  return composer;
}

function separatorProblems(text: string): Problem[] {
  const after = /^---[ \t]+(?=[^#\s])/.exec(text);
  if (after === null) return [];
  const message = 'a value follows `---` on the same line, which kubectl refuses';
  return [{ rule: 'yaml-invalid', message, fix: 'start the document on a line of its own', offset: after[0].length }];
}

function syntaxProblem(error: YAMLError): Problem {
  const offset = error.pos[0];
  if (error.code === 'TAB_AS_INDENT') {
    return { rule: 'yaml-invalid', message: 'a tab indents this line', fix: 'indent with spaces', offset };
  }
  if (error.code === 'RESOURCE_EXHAUSTION') return tooDeep('more levels than the parser can hold', offset);
  const message = `not YAML: ${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`;
  return { rule: 'yaml-invalid', message, offset };
}

function tooDeep(what: string, offset: number): Problem {
  return { rule: 'yaml-too-deep', message: `maps and lists are nested within each other, ${what}`, offset };
}

/** The tokens before a value of a list or map: one per value, in block and flow style. */
const BEFORE_VALUE = new Set([',', ':', '-', '?']);

/** The tokens of the text. Stops at a limit, because a token needs a hundred times the memory of its text. */
function tokensOf(text: string, limits: ReadLimits): CST.Token[] {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  const add = (token: CST.Token): void => {
    // As with other mistakes, only the first is reported.
    if (token.type !== 'error' || tokens.at(-1)?.type !== 'error') tokens.push(token);
  };
  let values = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) add(token);
    if (parser.stack.length > limits.depth) {
      const deepest = parser.stack.filter((token) => 'items' in token)[limits.depth];
      if (deepest !== undefined) throw new Unusable(tooDeep(`more than ${limits.depth} levels`, deepest.offset));
    }
    if (BEFORE_VALUE.has(lexeme) && ++values > limits.values) throw new Unusable(tooManyValues(limits, parser.offset));
  }
  for (const token of parser.end()) add(token);
  return tokens;
}

/** Measures the nesting before the recursive parts of the library see the document. */
function checkDepth(tokens: readonly CST.Token[], limits: ReadLimits): void {
  const open: { token: CST.Token; depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (token.type === 'document' && token.value !== undefined) open.push({ token: token.value, depth });
    if (!('items' in token)) continue;
    if (depth >= limits.depth) throw new Unusable(tooDeep(`more than ${limits.depth} levels`, token.offset));
    for (const { key, value } of token.items) {
      for (const inner of [key, value]) if (inner) open.push({ token: inner, depth: depth + 1 });
    }
  }
}

/** Turns the tree of one document into plain data. */
class Conversion {
  private readonly anchors = new Map<string, Node>();
  /** The anchored values that are being converted. An alias to one of them is circular. */
  private readonly open = new Set<Node>();
  private aliasedValues = 0;
  private withinAlias = 0;
  private depth = 0;

  constructor(
    private readonly limits: ReadLimits,
    private readonly problems: Problem[],
    private readonly places: Places | undefined,
  ) {}

  document(document: Document.Parsed): Json {
    return this.value(document.contents);
  }

  private value(node: Node | null): Json {
    if (node === null) return null;
    if (this.withinAlias > 0 && ++this.aliasedValues > this.limits.aliasedValues) {
      this.fail(node, 'yaml-excessive-aliasing', `aliases expand to more than ${this.limits.aliasedValues} values`);
    }
    if (isAlias(node)) {
      this.withinAlias++;
      const value = this.value(this.target(node));
      this.withinAlias--;
      return value;
    }
    if (node.anchor !== undefined && this.withinAlias === 0) this.anchors.set(node.anchor, node);
    if (isScalar(node)) return this.scalar(node);
    if (!isCollection(node)) return null;
    return this.collection(node);
  }

  private collection(node: Node): Json {
    if (++this.depth > this.limits.depth) {
      throw new Unusable(tooDeep(`more than ${this.limits.depth} levels`, offsetOf(node)));
    }
    this.open.add(node);
    const value = isSeq(node) ? this.list(node.items as Node[]) : this.map(node as YAMLMap<Node, Node | null>);
    this.open.delete(node);
    this.depth--;
    return value;
  }

  private list(items: readonly Node[]): Json {
    const list = items.map((item) => this.value(item));
    for (const [index, item] of items.entries()) this.record(list, index, offsetOf(item), offsetOf(item));
    return list;
  }

  private map(node: YAMLMap<Node, Node | null>): JsonObject {
    const object: JsonObject = {};
    const written = new Set<string>();
    for (const pair of node.items) {
      if (isMergeKey(pair)) {
        this.merge(pair, object);
        continue;
      }
      const key = this.key(pair.key);
      if (written.has(key)) this.problem(pair.key, 'yaml-duplicate-key', `the key "${key}" is given twice in this map`);
      written.add(key);
      setOwnValue(object, key, this.value(pair.value));
      const keyOffset = offsetOf(pair.key);
      this.record(object, key, keyOffset, isEmpty(pair.value) ? keyOffset : offsetOf(pair.value!));
    }
    return object;
  }

  /** `<<: *base`. In kubectl's parser it overwrites the keys before it, and is overwritten by those after it. */
  private merge({ value }: Pair<Node, Node | null>, into: JsonObject): void {
    // Earlier maps of a list win, so they are written last.
    for (const source of isSeq(value) ? [...(value.items as Node[])].reverse() : [value]) {
      const target = isAlias(source) ? this.target(source) : source;
      if (!isMap(target))
        this.fail(source ?? undefined, 'yaml-invalid', 'a merge key (`<<`) takes a map, or a list of maps');
      const merged = this.value(source) as JsonObject;
      for (const [key, inner] of Object.entries(merged)) {
        setOwnValue(into, key, inner);
        const place = this.places?.get(merged)?.get(key);
        if (place !== undefined) this.record(into, key, place.key, place.value);
      }
    }
  }

  private target(alias: Node & { readonly source: string }): Node {
    const target = this.anchors.get(alias.source);
    if (target === undefined) {
      this.fail(alias, 'yaml-invalid', `the alias *${alias.source} has no anchor &${alias.source} before it`);
    }
    if (this.open.has(target)) this.fail(alias, 'yaml-invalid', `the anchor &${alias.source} contains itself`);
    return target;
  }

  private key(node: Node | null): string {
    const key = node === null ? null : isCollection(node) ? node : this.value(node);
    if (typeof key === 'string') return key;
    if (typeof key === 'boolean') return String(key);
    if (typeof key === 'number') return String(key);
    const what = key === null ? 'null' : isSeq(key) ? 'a list' : 'a map';
    return this.fail(node ?? undefined, 'yaml-not-json', `${what} cannot be the key of a map`);
  }

  private scalar(node: Scalar): Json {
    const text = node.source ?? '';
    const tag = node.tag?.replace(/^tag:yaml\.org,2002:/, '!!');
    if (tag === '!!binary') return textOfUtf8(fromBase64(text));
    const isPlain = node.type === 'PLAIN' && tag === undefined;
    if (!isPlain && !TYPED_TAGS.has(tag ?? '')) return text;
    const value = plainValue(text);
    if (typeof value === 'number' && !Number.isFinite(value)) {
      this.fail(node, 'yaml-not-json', `${text} is a number that JSON cannot hold`);
    }
    if (losesPrecision(text, value)) {
      this.problem(node, 'number-loses-precision', `the integer ${text} is read as ${BigInt(value)}`);
    }
    if (tag !== undefined && !isOfTag(value, tag)) {
      this.fail(node, 'yaml-invalid', `${JSON.stringify(text)} is not what its tag ${tag} says`);
    }
    return value;
  }

  private record(container: Json, key: string | number, keyOffset: number, value: number): void {
    if (this.places === undefined) return;
    const places = this.places.get(container as object) ?? new Map<string | number, Place>();
    this.places.set(container as object, places.set(key, { key: keyOffset, value }));
  }

  private problem(node: Node | undefined, rule: Problem['rule'], message: string): void {
    this.problems.push({ rule, message, offset: node === undefined ? 0 : offsetOf(node) });
  }

  private fail(node: Node | undefined, rule: Problem['rule'], message: string): never {
    throw new Unusable({ rule, message, offset: node === undefined ? 0 : offsetOf(node) });
  }
}

const TYPED_TAGS = new Set(['!!int', '!!float', '!!bool', '!!null']);

function isOfTag(value: unknown, tag: string): boolean {
  if (tag === '!!null') return value === null;
  if (tag === '!!bool') return typeof value === 'boolean';
  return typeof value === 'number' && (tag === '!!float' || Number.isInteger(value));
}

function isMergeKey({ key }: Pair<Node, Node | null>): boolean {
  return isScalar(key) && key.type === 'PLAIN' && key.value === '<<';
}

/** A missing value, as in `key:`. */
function isEmpty(node: Node | null): boolean {
  return node === null || (isScalar(node) && node.type === 'PLAIN' && node.value === '' && node.tag === undefined);
}

function offsetOf(node: Node): number {
  return node.range?.[0] ?? 0;
}
