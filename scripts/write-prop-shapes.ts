/**
 * Writes the shapes of the properties of every construct from their types, so that callers without a compiler get a sentence
 * about a wrong one. `npm run schemas` writes the file, and a test fails if it is stale.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import type { PropShapes, Shape } from '../src/core/prop-shape';

const ROOT = resolve(__dirname, '..');
const ENTRY = join(ROOT, 'src/constructs/index.ts');

export const SHAPES_FILE = join(ROOT, 'src/core/prop-shapes.json');

/** The text of the file. */
export function propShapes(): string {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const program = ts.createProgram([ENTRY], { ...options, noEmit: true });
  return `${JSON.stringify(new Generator(program).shapes(), undefined, 1)}\n`;
}

class Generator {
  private readonly checker: ts.TypeChecker;
  private readonly types = new Map<string, Shape>();
  private readonly open = new Set<ts.Type>();

  constructor(private readonly program: ts.Program) {
    this.checker = program.getTypeChecker();
  }

  shapes(): PropShapes {
    const file = this.program.getSourceFile(ENTRY)!;
    const module = this.checker.getSymbolAtLocation(file)!;
    const constructs: Record<string, Shape> = {};
    for (const exported of this.checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(exported) : exported;
      const props = this.propsOf(symbol);
      if (props !== undefined) constructs[exported.getName()] = this.shapeOf(props);
    }
    return { constructs: sorted(constructs), types: sorted(Object.fromEntries(this.types)) };
  }

  /** The type of the third parameter of a construct. */
  private propsOf(symbol: ts.Symbol): ts.Type | undefined {
    if (!(symbol.flags & ts.SymbolFlags.Class)) return undefined;
    const type = this.checker.getTypeOfSymbol(symbol);
    const [signature] = type.getConstructSignatures();
    const [scope, , props] = signature?.getParameters() ?? [];
    if (scope === undefined || props === undefined || props.getName() !== 'props') return undefined;
    return this.checker.getNonNullableType(this.checker.getTypeOfSymbol(props));
  }

  private shapeOf(type: ts.Type): Shape {
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) return 'any';
    if (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void)) return 'null';
    if (type.flags & ts.TypeFlags.StringLike) return 'string';
    if (type.flags & ts.TypeFlags.NumberLike) return 'number';
    if (type.flags & ts.TypeFlags.BooleanLike) return 'boolean';
    if (type.isUnion()) return this.unionOf(type.types);
    if (this.checker.isArrayType(type) || this.checker.isTupleType(type)) {
      const [item] = this.checker.getTypeArguments(type as ts.TypeReference);
      return this.once(type, () => ({ list: item === undefined ? 'any' : this.shapeOf(item) }));
    }
    if (type.getCallSignatures().length > 0) return 'function';
    if (type.flags & ts.TypeFlags.TypeParameter || !(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)))
      return 'any';
    return this.objectOf(type);
  }

  private unionOf(types: readonly ts.Type[]): Shape {
    const shapes = new Map(types.map((one) => this.shapeOf(one)).map((shape) => [JSON.stringify(shape), shape]));
    const all = [...shapes.values()].filter((shape) => shape !== 'null');
    if (all.includes('any')) return 'any';
    return all.length === 1 ? all[0]! : { oneOf: all };
  }

  private objectOf(type: ts.Type): Shape {
    const symbol = type.aliasSymbol ?? type.getSymbol();
    const declarations = symbol?.getDeclarations() ?? [];
    const isForeign = declarations.some((one) => one.getSourceFile().fileName.includes('node_modules'));
    const item = type.getStringIndexType();
    if (item !== undefined && type.getProperties().length === 0) {
      return this.once(type, () => ({ map: this.shapeOf(item) }));
    }
    if (/^(Omit|Pick|Partial|Readonly|Required)$/.test(type.aliasSymbol?.getName() ?? ''))
      return this.once(type, () => ({ props: this.membersOf(type) }));
    // Of other packages, only what people write as plain data.
    if (isForeign && symbol?.getName() !== 'ApiObjectMetadata') return 'any';
    const isClass = ((type.getSymbol()?.flags ?? 0) & ts.SymbolFlags.Class) !== 0;
    // What only its own factories make is an instance, whatever else may look like one.
    if (isClass && (type.getProperties().some(isPrivate) || hasPrivateConstructor(declarations)))
      return { class: symbol!.getName() };
    const name = symbol?.getName();
    const isNamed = name !== undefined && !name.startsWith('__') && declarations.length > 0;
    const hasArguments = (type.aliasTypeArguments ?? (type as ts.TypeReference).typeArguments ?? []).length > 0;
    // The keys of a mapped type are values of others, which say more about a wrong one.
    const isMapped = ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped) !== 0;
    if (!isNamed || hasArguments)
      return this.once(type, () => ({ props: this.membersOf(type), ...(isMapped && { open: true }) }));
    if (!this.types.has(name)) {
      // Types may hold themselves.
      this.types.set(name, 'any');
      this.types.set(name, { props: this.membersOf(type), ...(OPEN.has(name) && { open: true }) });
    }
    return { type: name };
  }

  /** A type without a name that holds itself has no shape. */
  private once(type: ts.Type, make: () => Shape): Shape {
    if (this.open.has(type)) return 'any';
    this.open.add(type);
    const shape = make();
    this.open.delete(type);
    return shape;
  }

  private membersOf(type: ts.Type): Readonly<Record<string, Shape>> {
    const members = type.getProperties().map((member): [string, Shape] => {
      const own = this.checker.getTypeOfSymbol(member);
      const mayBeUndefined = own.isUnion() && own.types.some(({ flags }) => flags & ts.TypeFlags.Undefined);
      const isOptional = (member.flags & ts.SymbolFlags.Optional) !== 0 || mayBeUndefined;
      const shape = this.shapeOf(own);
      return [`${member.getName()}${isOptional ? '?' : ''}`, shape];
    });
    return sorted(Object.fromEntries(members));
  }
}

function hasPrivateConstructor(declarations: readonly ts.Declaration[]): boolean {
  return declarations
    .filter(ts.isClassDeclaration)
    .flatMap(({ members }) => members.filter(ts.isConstructorDeclaration))
    .some((one) => (ts.getCombinedModifierFlags(one) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0);
}

/** Interfaces that objects of any kind meet: a construct, a manifest. */
const OPEN: ReadonlySet<string> = new Set(['NamedObject', 'ObjectRef', 'DurationLike']);

function isPrivate(member: ts.Symbol): boolean {
  return (member.getDeclarations() ?? []).some(
    (one) => (ts.getCombinedModifierFlags(one) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0,
  );
}

function sorted<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

if (require.main === module) {
  writeFileSync(SHAPES_FILE, propShapes());
  console.log('the shapes of properties in src/core/prop-shapes.json');
}
