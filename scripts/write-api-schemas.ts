import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/**
 * Writes the schemas of the systems' APIs from their types: the interfaces of src/<system>/api and their doc comments.
 * `npm run schemas` writes the files, and a test fails if one is stale. docs/kruise-api.md and docs/argo-api.md explain
 * the tags.
 */

const SOURCE_FOLDER = join(__dirname, '..', 'src');

/** The systems with their own API. */
const SYSTEMS = ['argo', 'kruise', 'ktenv'] as const;

type System = (typeof SYSTEMS)[number];

/** The versions of an API that introduced fields and checks, as in `@since 0.6` and `@maxItems 16 next`. */
const LEVELS = ['0.4', '0.5', '0.6', 'next'];

/** The built-in types of the API server. */
const ROOT_PROPERTIES = new Set(['apiVersion', 'kind', 'metadata']);

interface Schema {
  [key: string]: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  from?: Record<string, Schema>;
}

type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration;

/** The text of schemas.json from the texts of the type declarations. */
export function apiSchemas(sources: ReadonlyMap<string, string>): string {
  const generator = new Generator(declarationsOf(sources));
  return `${JSON.stringify(generator.schemas(), undefined, 2)}\n`;
}

/** The type declarations of a system's API. */
export function apiSources(system: System = 'kruise'): Map<string, string> {
  const folder = join(SOURCE_FOLDER, system, 'api');
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  return new Map(files.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

/** The committed file. */
export function committedSchemas(system: System = 'kruise'): string {
  return readFileSync(schemasFile(system), 'utf8');
}

function schemasFile(system: System): string {
  return join(SOURCE_FOLDER, system, 'api', 'schemas.json');
}

function declarationsOf(sources: ReadonlyMap<string, string>): Map<string, Declaration> {
  const declarations = new Map<string, Declaration>();
  for (const [name, text] of sources) {
    const file = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true);
    for (const statement of file.statements) {
      if (!ts.isInterfaceDeclaration(statement) && !ts.isTypeAliasDeclaration(statement)) continue;
      if (declarations.has(statement.name.text)) throw failure(statement, 'is declared twice');
      declarations.set(statement.name.text, statement);
    }
  }
  return declarations;
}

class Generator {
  private readonly definitions = new Map<string, Schema>();

  constructor(private readonly declarations: ReadonlyMap<string, Declaration>) {}

  schemas(): object {
    const kinds = [...this.declarations.values()].flatMap((declaration) => this.kindOf(declaration) ?? []);
    const byName = kinds.sort((a, b) => (a.kind + a.version < b.kind + b.version ? -1 : 1));
    return {
      '//': 'Written from the types in this folder by npm run schemas. Do not edit.',
      kinds: byName,
      definitions: Object.fromEntries([...this.definitions].sort(([a], [b]) => (a < b ? -1 : 1))),
    };
  }

  /** A type with apiVersion, kind and metadata is a kind. */
  private kindOf(declaration: Declaration) {
    if (!ts.isInterfaceDeclaration(declaration)) return undefined;
    const members = declaration.members.filter(ts.isPropertySignature);
    const kind = members.find((member) => nameOf(member) === 'kind')?.type;
    const isKind = [...ROOT_PROPERTIES].every((name) => members.some((member) => nameOf(member) === name));
    if (!isKind || kind === undefined || !ts.isLiteralTypeNode(kind)) return undefined;
    const version = /\/(v\w+)['`]$/.exec(
      members.find((member) => nameOf(member) === 'apiVersion')!.type!.getText(),
    )?.[1];
    if (version === undefined) throw failure(declaration, 'apiVersion does not end in a version');
    this.define(declaration);
    return { kind: (kind.literal as ts.StringLiteral).text, version, definition: declaration.name.text };
  }

  private define(declaration: Declaration): void {
    const name = declaration.name.text;
    if (this.definitions.has(name)) return;
    // Reserved before the expansion, for recursive types.
    this.definitions.set(name, {});
    this.definitions.set(name, this.resolved(declaration));
  }

  /** The schema of a declaration with its tags. */
  private resolved(declaration: Declaration): Schema {
    const schema = isPreserved(declaration)
      ? {}
      : ts.isInterfaceDeclaration(declaration)
        ? this.interfaceSchema(declaration)
        : this.typeSchema(declaration.type, true);
    return withTags({ ...schema }, declaration);
  }

  private interfaceSchema(declaration: ts.InterfaceDeclaration): Schema {
    const bases = (declaration.heritageClauses ?? []).flatMap((clause) =>
      clause.types.map((type) => this.resolved(this.declarationOf(type.expression))),
    );
    return [...bases, this.membersSchema(declaration.members)].reduce(extended, {});
  }

  private membersSchema(members: ts.NodeArray<ts.TypeElement>): Schema {
    const index = members.find(ts.isIndexSignatureDeclaration);
    if (index !== undefined) return { type: 'object', additionalProperties: this.typeSchema(index.type) };
    const schema: Schema = { type: 'object', properties: {}, required: [] };
    for (const member of members) this.addProperty(schema, member);
    return schema;
  }

  private addProperty(schema: Schema, member: ts.TypeElement): void {
    if (!ts.isPropertySignature(member) || member.type === undefined) throw failure(member, 'must be a property');
    const name = nameOf(member);
    if (ROOT_PROPERTIES.has(name) && isRoot(member.parent)) {
      schema.properties![name] = { type: name === 'metadata' ? 'object' : 'string' };
      return;
    }
    if (member.type.kind === ts.SyntaxKind.NeverKeyword) return;
    schema.properties![name] = withTags(isPreserved(member) ? {} : this.typeSchema(member.type), member);
    const requiredSince = tagOf(member, 'requiredSince');
    if (requiredSince !== undefined)
      atLevel(schema, requiredSince).required = [...(atLevel(schema, requiredSince).required ?? []), name];
    else if (member.questionToken === undefined && tagOf(member, 'crdOptional') === undefined)
      schema.required!.push(name);
  }

  private typeSchema(type: ts.TypeNode, whole = false): Schema {
    if (ts.isTypeOperatorNode(type) || ts.isParenthesizedTypeNode(type)) return this.typeSchema(type.type, whole);
    if (ts.isArrayTypeNode(type)) return { type: 'array', items: this.typeSchema(type.elementType) };
    if (ts.isTypeLiteralNode(type)) return this.membersSchema(type.members);
    if (ts.isTypeReferenceNode(type)) return this.reference(type, whole);
    if (ts.isIntersectionTypeNode(type))
      return type.types.map((one) => this.typeSchema(one, true)).reduce(extended, {});
    if (ts.isUnionTypeNode(type)) return this.unionSchema(type);
    switch (type.kind) {
      case ts.SyntaxKind.StringKeyword:
        return { type: 'string' };
      case ts.SyntaxKind.NumberKeyword:
        return { type: 'number' };
      case ts.SyntaxKind.BooleanKeyword:
        return { type: 'boolean' };
      case ts.SyntaxKind.UnknownKeyword:
        return { 'x-kubernetes-preserve-unknown-fields': true };
      default:
        throw failure(type, 'has no schema');
    }
  }

  private reference(type: ts.TypeReferenceNode, whole: boolean): Schema {
    const declaration = this.declarationOf(type.typeName);
    if (whole) return this.resolved(declaration);
    this.define(declaration);
    return { $ref: declaration.name.text };
  }

  /** Literals become an enum. Objects become one object with the fields of all. */
  private unionSchema(type: ts.UnionTypeNode): Schema {
    const literals = type.types.flatMap((one) =>
      ts.isLiteralTypeNode(one) && ts.isStringLiteral(one.literal) ? [one.literal.text] : [],
    );
    if (literals.length === type.types.length) return { type: 'string', enum: literals };
    const kinds = new Set(type.types.map(({ kind }) => kind));
    if (kinds.has(ts.SyntaxKind.NumberKeyword) && kinds.has(ts.SyntaxKind.StringKeyword) && kinds.size === 2) return {};
    return type.types.map((one) => this.typeSchema(one, true)).reduce(eitherOf);
  }

  private declarationOf(name: ts.Node): Declaration {
    const declaration = this.declarations.get(name.getText());
    if (declaration === undefined) throw failure(name, 'is not declared in the folder of the API');
    return declaration;
  }
}

/** Combines an interface with its base. A field that it declares again inherits the rest from the base. */
function extended(base: Schema, own: Schema): Schema {
  const again = (own.required ?? []).filter((name) => base.required?.includes(name) !== true);
  return {
    ...base,
    ...own,
    ...merged(base, own),
    required: [...(base.required ?? []), ...again],
  };
}

/** Combines two alternatives. A field that only one of them requires is optional. */
function eitherOf(a: Schema, b: Schema): Schema {
  return { ...a, ...merged(a, b), required: (a.required ?? []).filter((name) => b.required?.includes(name)) };
}

function merged(a: Schema, b: Schema): Pick<Schema, 'properties' | 'from'> {
  const properties: Record<string, Schema> = { ...a.properties };
  for (const [name, schema] of Object.entries(b.properties ?? {}))
    properties[name] = { ...properties[name], ...schema };
  const levels = LEVELS.filter((level) => a.from?.[level] !== undefined || b.from?.[level] !== undefined);
  const from = Object.fromEntries(
    levels.map((level) => {
      const required = [...new Set([...(a.from?.[level]?.required ?? []), ...(b.from?.[level]?.required ?? [])])];
      return [level, { ...a.from?.[level], ...b.from?.[level], ...(required.length > 0 ? { required } : {}) }];
    }),
  );
  return { properties, ...(levels.length > 0 ? { from } : {}) };
}

/** Adds the doc comment and its tags to a schema. */
function withTags(schema: Schema, node: Declaration | ts.PropertySignature): Schema {
  const description = descriptionOf(node);
  if (description !== '') schema.description = description;
  for (const tag of ts.getJSDocTags(node)) applyTag(schema, node, tag);
  for (const key of ['required', 'properties'] as const) {
    if (schema[key] !== undefined && Object.keys(schema[key]).length === 0) delete schema[key];
  }
  return schema;
}

function applyTag(schema: Schema, node: ts.Node, tag: ts.JSDocTag): void {
  const { text, level } = levelled(textOf(tag));
  const target = level === undefined ? schema : atLevel(schema, level);
  switch (tag.tagName.text) {
    case 'default':
      // `@default - words` tells what happens; only a value is the API server's default.
      if (!text.startsWith('-')) target.default = JSON.parse(text.replace(/^'(.*)'$/, '"$1"'));
      return;
    case 'minLength':
    case 'maxLength':
    case 'minimum':
    case 'maximum':
    case 'maxItems':
    case 'minItems':
      target[tag.tagName.text] = Number(text);
      return;
    case 'pattern':
      target.pattern = text;
      return;
    case 'format':
      target.format = text;
      if (/^int\d+$/.test(text)) target.type = 'integer';
      return;
    case 'intOrString':
      Object.assign(target, { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] });
      return;
    case 'listMapKey':
      Object.assign(target, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': text.split(' ') });
      return;
    case 'listSet':
      target['x-kubernetes-list-type'] = 'set';
      return;
    case 'mapAtomic':
      target['x-kubernetes-map-type'] = 'atomic';
      return;
    case 'preserved':
      Object.assign(target, { ...(text !== '' && { type: text }), 'x-kubernetes-preserve-unknown-fields': true });
      return;
    case 'open':
      delete target.enum;
      return;
    case 'validation':
      addValidation(schema, node, textOf(tag));
      return;
    case 'since':
      if (level === undefined) throw failure(node, `@since ${text}: expected one of ${LEVELS.join(', ')}`);
      schema.since = level;
      delete schema.from?.[level];
      if (schema.from !== undefined && Object.keys(schema.from).length === 0) delete schema.from;
      return;
    case 'crdOptional':
    case 'requiredSince':
    case 'deprecated':
    case 'example':
      return;
    default:
      throw failure(node, `has the unknown tag @${tag.tagName.text}`);
  }
}

/** `@validation [level] <rule> :: <message>` */
function addValidation(schema: Schema, node: ts.Node, text: string): void {
  const [words = '', message] = text.split(' :: ');
  const level = LEVELS.find((one) => words.startsWith(`${one} `));
  if (message === undefined) throw failure(node, '@validation needs a rule, " :: " and a message');
  const rule = level === undefined ? words : words.slice(level.length + 1);
  const target = level === undefined ? schema : atLevel(schema, level);
  const known = (target['x-kubernetes-validations'] ?? []) as unknown[];
  target['x-kubernetes-validations'] = [...known, { message, rule }];
}

/** `16 next` is 16, from the level `next` on. */
function levelled(text: string): { readonly text: string; readonly level?: string } {
  const words = text.split(' ');
  const level = LEVELS.find((one) => one === words.at(-1));
  return level === undefined ? { text } : { text: words.slice(0, -1).join(' '), level };
}

function atLevel(schema: Schema, level: string): Schema {
  schema.from ??= {};
  schema.from[level] ??= {};
  return schema.from[level];
}

function tagOf(node: ts.Node, name: string): string | undefined {
  const tag = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === name);
  return tag === undefined ? undefined : textOf(tag);
}

function textOf(tag: ts.JSDocTag): string {
  return (ts.getTextOfJSDocComment(tag.comment) ?? '').trim();
}

/** The text of a doc comment on one line, without tags. */
function descriptionOf(node: ts.Node): string {
  const comment = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1)?.comment;
  return (ts.getTextOfJSDocComment(comment) ?? '').replace(/\s+/g, ' ').trim();
}

/** A value that the API server does not validate. The type only documents it. */
function isPreserved(node: ts.Node): boolean {
  return tagOf(node, 'preserved') !== undefined;
}

function isRoot(parent: ts.Node): boolean {
  if (!ts.isInterfaceDeclaration(parent)) return false;
  const names = parent.members.map((member) => nameOf(member));
  return [...ROOT_PROPERTIES].every((name) => names.includes(name));
}

function nameOf(member: ts.TypeElement): string {
  return member.name?.getText() ?? '';
}

function failure(node: ts.Node, problem: string): Error {
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart());
  return new Error(`${file.fileName}:${line + 1}: ${node.getText().split('\n')[0]} ${problem}`);
}

if (require.main === module) {
  for (const system of SYSTEMS) writeFileSync(schemasFile(system), apiSchemas(apiSources(system)));
}
