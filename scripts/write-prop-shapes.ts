/**
 * Writes what constructs, components, factories and methods take, from their types, so that callers without a compiler get
 * a sentence about what is wrong. `npm run schemas` writes the files, and a test fails if one is stale.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import type { Parameter, PropShapes, Shape } from '../src/core/shape';

const ROOT = resolve(__dirname, '..');

/** The file of each entry point. */
export const SHAPE_FILES: Readonly<Record<string, string>> = {
  'src/constructs/index.ts': join(ROOT, 'src/core/prop-shapes.json'),
  'src/pulumi/index.ts': join(ROOT, 'src/pulumi/arg-shapes.json'),
};

/** The text of each file. */
export function propShapes(): ReadonlyMap<string, string> {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const entries = Object.entries(SHAPE_FILES).map(([entry, file]) => [join(ROOT, entry), file] as const);
  const host = ts.createCompilerHost(options);
  // The types of the packages are half doc comments.
  host.jsDocParsingMode = ts.JSDocParsingMode.ParseNone;
  const program = ts.createProgram(
    entries.map(([entry]) => entry),
    { ...options, noEmit: true },
    host,
  );
  return new Map(entries.map(([entry, file]) => [file, textOf(new Generator(program, entry).shapes())]));
}

/** A line for each construct, call and type, so that a change of one is a change of one line. */
function textOf(shapes: PropShapes): string {
  const sections = Object.entries(shapes).map(([section, entries]) => {
    const lines = Object.entries(entries).map(([name, each]) => `  ${JSON.stringify(name)}: ${JSON.stringify(each)}`);
    return ` ${JSON.stringify(section)}: {\n${lines.join(',\n')}\n }`;
  });
  return `{\n${sections.join(',\n')}\n}\n`;
}

class Generator {
  private readonly checker: ts.TypeChecker;
  private readonly types = new Map<string, Shape>();
  private readonly named = new Map<string, ts.Type>();
  private readonly open = new Set<ts.Type>();

  constructor(
    private readonly program: ts.Program,
    private readonly entry: string,
  ) {
    this.checker = program.getTypeChecker();
  }

  shapes(): PropShapes {
    const module = this.checker.getSymbolAtLocation(this.program.getSourceFile(this.entry)!)!;
    const constructs: Record<string, Shape> = {};
    const calls: Record<string, readonly Parameter[]> = {};
    for (const exported of this.checker.getExportsOfModule(module)) {
      const symbol = exported.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(exported) : exported;
      const name = exported.getName();
      const props = this.propsOf(symbol);
      if (props !== undefined) constructs[name] = this.shapeOf(props);
      for (const [call, parameters] of this.callsOf(symbol, name)) calls[call] = parameters;
    }
    return {
      constructs: sorted(constructs),
      calls: sorted(calls),
      types: sorted(Object.fromEntries(this.types)),
    };
  }

  /** The type of what a construct takes after its scope and id, or a component after its name. */
  private propsOf(symbol: ts.Symbol): ts.Type | undefined {
    if (!(symbol.flags & ts.SymbolFlags.Class)) return undefined;
    const [signature] = this.checker.getTypeOfSymbol(symbol).getConstructSignatures();
    const given = signature?.getParameters().find((each) => ['props', 'args'].includes(each.getName()));
    return given && this.checker.getNonNullableType(this.checker.getTypeOfSymbol(given));
  }

  /** The static methods of a class, its other methods, or a function: what takes something, by `Class.method`. */
  private callsOf(symbol: ts.Symbol, name: string): [string, readonly Parameter[]][] {
    const type = this.checker.getTypeOfSymbol(symbol);
    if (symbol.flags & ts.SymbolFlags.Function) return this.callOf(name, type);
    if (!(symbol.flags & ts.SymbolFlags.Class)) return [];
    return [
      ...this.methodsOf(type).flatMap((each) => this.callOf(`${name}.${each.getName()}`, this.typeOf(each))),
      ...this.methodsOf(this.checker.getDeclaredTypeOfSymbol(symbol)).flatMap((each) =>
        this.callOf(`${name}#${each.getName()}`, this.typeOf(each)),
      ),
    ];
  }

  private methodsOf(type: ts.Type): ts.Symbol[] {
    return type
      .getProperties()
      .filter((each) => each.flags & ts.SymbolFlags.Method && !isHidden(each) && !isForeign(each));
  }

  private callOf(name: string, type: ts.Type): [string, readonly Parameter[]][] {
    const [signature, ...others] = type.getCallSignatures();
    if (signature === undefined || others.length > 0 || signature.getParameters().length === 0) return [];
    return [[name, signature.getParameters().map((each) => this.parameterOf(each))]];
  }

  private parameterOf(parameter: ts.Symbol): Parameter {
    const declaration = parameter.valueDeclaration as ts.ParameterDeclaration;
    // What is taken apart has no name of its own.
    const name = ts.isIdentifier(declaration.name) ? declaration.name.text : 'options';
    const type = this.typeOf(parameter);
    if (declaration.dotDotDotToken !== undefined) {
      const [item] = this.checker.getTypeArguments(type as ts.TypeReference);
      return { name, shape: item === undefined ? 'any' : this.shapeOf(item), rest: true };
    }
    const isOptional = declaration.questionToken !== undefined || declaration.initializer !== undefined;
    return { name, shape: this.shapeOf(type), ...(isOptional && { optional: true }) };
  }

  private typeOf(symbol: ts.Symbol): ts.Type {
    return this.checker.getTypeOfSymbol(symbol);
  }

  private shapeOf(type: ts.Type): Shape {
    if (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Never)) return 'any';
    if (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null | ts.TypeFlags.Void)) return 'null';
    // Which kind of step is meant, and what is wrong with it, says the strategy.
    if (type.aliasSymbol?.getName() === 'ArgoCanaryStep') return { map: 'any' };
    if (type.isUnion()) return this.unionOf(type.types);
    if (type.isLiteral() && typeof type.value !== 'object') return { values: [type.value] };
    if (type.flags & ts.TypeFlags.BooleanLiteral) return { values: [this.checker.typeToString(type) === 'true'] };
    if (type.flags & ts.TypeFlags.StringLike) return 'string';
    if (type.flags & ts.TypeFlags.NumberLike) return 'number';
    if (type.flags & ts.TypeFlags.BooleanLike) return 'boolean';
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
    const values = all.flatMap((one) => (typeof one === 'object' && 'values' in one ? one.values : []));
    const isBoolean = values.includes(true) && values.includes(false);
    const literals = values.filter((one) => typeof one !== 'boolean' || !isBoolean);
    const merged: Shape[] = [
      ...(isBoolean ? (['boolean'] as const) : []),
      ...(literals.length === 0 ? [] : [{ values: literals }]),
      ...all.filter((one) => typeof one !== 'object' || !('values' in one)),
    ];
    return merged.length === 1 ? merged[0]! : { oneOf: merged };
  }

  private objectOf(type: ts.Type): Shape {
    const symbol = type.aliasSymbol ?? type.getSymbol();
    const declarations = symbol?.getDeclarations() ?? [];
    const late = lateShape(type, symbol?.getName());
    if (late !== undefined) return late;
    const item = type.getStringIndexType();
    if (item !== undefined && type.getProperties().length === 0) {
      return this.once(type, () => ({ map: this.shapeOf(item) }));
    }
    const isUtility = /^(Omit|Pick|Partial|Readonly|Required)$/.test(type.aliasSymbol?.getName() ?? '');
    // Of other packages, only what people write as plain data.
    if (!isUtility && declarations.some(isDeclaredElsewhere) && !PLAIN.has(symbol!.getName()))
      return foreignShape(symbol!.getName());
    const isClass = ((type.getSymbol()?.flags ?? 0) & ts.SymbolFlags.Class) !== 0;
    // What only its own factories make is an instance, whatever else may look like one.
    if (isClass && (type.getProperties().some(isHidden) || hasPrivateConstructor(declarations)))
      return { class: symbol!.getName() };
    const name = this.nameOf(type, symbol);
    if (name === undefined) return this.once(type, () => ({ props: this.membersOf(type) }));
    if (!this.types.has(name)) {
      // Types may hold themselves.
      this.types.set(name, 'any');
      // The keys of a mapped type are values of others, which say more about a wrong one.
      const isMapped = ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped) !== 0;
      const isOpen = OPEN.has(name) || (isMapped && !isUtility);
      this.types.set(name, { props: this.membersOf(type), ...(isOpen && { open: true }) });
    }
    return { type: name };
  }

  /** `Story`, or `InputFields<Story>`: the name of a type that stands for one type only. */
  private nameOf(type: ts.Type, symbol: ts.Symbol | undefined): string | undefined {
    const given = type.aliasTypeArguments ?? (type as ts.TypeReference).typeArguments ?? [];
    const isNamed = symbol !== undefined && !symbol.getName().startsWith('__');
    const name = given.length === 0 ? symbol?.getName() : this.checker.typeToString(type);
    if (!isNamed || name === undefined || !/^[\w<>, '|"]{1,80}$/.test(name)) return undefined;
    const known = this.named.get(name) ?? type;
    this.named.set(name, known);
    return known === type ? name : undefined;
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

/** Interfaces of other packages that people write as plain data. */
const PLAIN: ReadonlySet<string> = new Set(['ApiObjectMetadata', 'OwnerReference']);

/** Interfaces that objects of any kind meet: a construct, a manifest. */
const OPEN: ReadonlySet<string> = new Set(['NamedObject', 'ObjectRef', 'DurationLike', 'ConfigMapData']);

/** What Pulumi knows later: an Output or a Promise, and a resource. */
function lateShape(type: ts.Type, name: string | undefined): Shape | undefined {
  if (/^(Output|OutputInstance|Promise)$/.test(name ?? '')) return 'output';
  const urn = type.getProperty('urn');
  return urn !== undefined && isForeign(urn) ? 'resource' : undefined;
}

/** Objects of other packages that the library asks for something. */
function foreignShape(name: string): Shape {
  if (name === 'IConstruct' || name === 'Construct') return 'construct';
  return /^(ApiObject|App|Chart)$/.test(name) ? { class: name } : 'any';
}

function isForeign(symbol: ts.Symbol): boolean {
  return (symbol.getDeclarations() ?? []).some(isDeclaredElsewhere);
}

function isDeclaredElsewhere(declaration: ts.Declaration): boolean {
  return declaration.getSourceFile().fileName.includes('node_modules');
}

function isHidden(member: ts.Symbol): boolean {
  return (member.getDeclarations() ?? []).some(
    (one) => (ts.getCombinedModifierFlags(one) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0,
  );
}

function sorted<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}

if (require.main === module) {
  for (const [file, text] of propShapes()) writeFileSync(file, text);
  console.log(`the shapes of what constructs and components take in ${Object.values(SHAPE_FILES).join(' and ')}`);
}
