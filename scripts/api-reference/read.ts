import { relative, resolve } from 'node:path';
import ts from 'typescript';
import type { Api, Doc, Entry, EntryPoint, Field, Method } from './model';

const ROOT = resolve(__dirname, '..', '..');
/** The base classes of constructs and components. */
const COMPONENTS = ['Construct', 'ComponentResource'];

/** Reads the public API of entry points from the sources and their doc comments. */
export function readApi(entryPoints: readonly EntryPoint[]): Api[] {
  const { config } = ts.readConfigFile(resolve(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const program = ts.createProgram(
    entryPoints.map(({ file }) => resolve(ROOT, file)),
    { ...options, noEmit: true },
  );
  return entryPoints.map((entryPoint) => new Reader(program, entryPoint).api());
}

class Reader {
  private readonly checker: ts.TypeChecker;
  private readonly symbols: ReadonlyMap<ts.Symbol, string>;

  constructor(
    private readonly program: ts.Program,
    private readonly entryPoint: EntryPoint,
  ) {
    this.checker = program.getTypeChecker();
    const file = this.program.getSourceFile(resolve(ROOT, entryPoint.file));
    const module = file && this.checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`${entryPoint.file} exports nothing`);
    this.symbols = new Map(
      this.checker.getExportsOfModule(module).map((symbol) => [this.resolved(symbol), symbol.getName()]),
    );
  }

  api(): Api {
    const entries = [...this.symbols].map(([symbol, name]) => this.entryOf(symbol, name));
    return { entryPoint: this.entryPoint, entries: entries.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  }

  private resolved(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  private entryOf(symbol: ts.Symbol, name: string): Entry {
    const declarations = (symbol.getDeclarations() ?? []).filter((one) => !ts.isSourceFile(one));
    const names = declarations.length > 0 ? [] : this.checker.getExportsOfModule(symbol).map((one) => one.getName());
    const kind = kindOf(symbol, declarations);
    const members = kind === 'class' || kind === 'interface' ? this.membersOf(symbol) : [];
    const parts = [...declarations, ...members.flatMap((member) => member.getDeclarations() ?? [])];
    const construction = kind === 'class' ? this.constructorOf(symbol) : undefined;
    const callable = declarations.find(ts.isFunctionDeclaration);
    return {
      name,
      kind,
      ...this.docOf(symbol),
      place: placeOf(declarations[0]),
      isComponent: kind === 'class' && this.isComponent(symbol),
      construction: construction?.parameters.map((parameter) => this.parameterOf(parameter)),
      fields: members.filter((member) => !this.isMethod(member)).map((member) => this.fieldOf(member)),
      methods: [
        ...members.filter((member) => this.isMethod(member)).flatMap((member) => this.methodsOf(member)),
        ...(callable ? this.methodsOf(symbol) : []),
      ],
      alias: aliasOf(declarations[0]),
      names: names.sort(),
      mentions: this.namesIn(parts, name),
      asks: this.namesIn(
        kind === 'interface' ? parts : [...(construction?.parameters ?? []), ...parts.flatMap(parametersIn)],
        name,
      ),
    };
  }

  private isComponent(symbol: ts.Symbol): boolean {
    const bases = (this.checker.getDeclaredTypeOfSymbol(symbol) as ts.InterfaceType).getBaseTypes() ?? [];
    return bases.some(({ symbol: base }) => COMPONENTS.includes(base.getName()) || this.isComponent(base));
  }

  /** Static members, then instance members; only public members of this library. */
  private membersOf(symbol: ts.Symbol): ts.Symbol[] {
    const type = this.checker.getDeclaredTypeOfSymbol(symbol);
    const statics = [...(symbol.exports?.values() ?? [])].filter((member) => member.getName() !== 'prototype');
    return [...statics, ...this.checker.getPropertiesOfType(type)].filter((member) => {
      const [declaration] = member.getDeclarations() ?? [];
      if (declaration === undefined || isForeign(declaration) || member.getName().startsWith('__@')) return false;
      if (ts.isPrivateIdentifier((declaration as ts.NamedDeclaration).name ?? declaration)) return false;
      const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
      if (ts.getCombinedModifierFlags(declaration) & hidden) return false;
      return !member.getJsDocTags().some(({ name }) => name === 'internal');
    });
  }

  private constructorOf(symbol: ts.Symbol): ts.ConstructorDeclaration | undefined {
    const declaration = symbol.getDeclarations()?.find(ts.isClassDeclaration);
    if (declaration === undefined || ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Abstract) return;
    const found = declaration.members.find(ts.isConstructorDeclaration);
    if (found === undefined) return undefined;
    const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
    return ts.getCombinedModifierFlags(found) & hidden ? undefined : found;
  }

  private isMethod(member: ts.Symbol): boolean {
    return (member.flags & (ts.SymbolFlags.Method | ts.SymbolFlags.Function)) !== 0;
  }

  private fieldOf(member: ts.Symbol): Field {
    const declaration = member.getDeclarations()![0]!;
    return {
      name: member.getName(),
      type: this.typeOf(member, declaration),
      optional: (member.flags & ts.SymbolFlags.Optional) !== 0,
      isStatic: (ts.getCombinedModifierFlags(declaration as ts.Declaration) & ts.ModifierFlags.Static) !== 0,
      place: placeOf(declaration),
      ...this.docOf(member),
    };
  }

  /** The type as written, if that says more than the compiler's text. */
  private typeOf(member: ts.Symbol, declaration: ts.Declaration): string {
    const written = ts.isGetAccessor(declaration) ? declaration.type : (declaration as ts.PropertyDeclaration).type;
    const transformed = (member as ts.Symbol & { links?: { mappedType?: unknown } }).links?.mappedType !== undefined;
    if (written !== undefined && !transformed) return oneLine(written.getText());
    const type = this.checker.getTypeOfSymbolAtLocation(member, declaration);
    const present = member.flags & ts.SymbolFlags.Optional ? this.checker.getNonNullableType(type) : type;
    const text = this.checker.typeToString(present, undefined, ts.TypeFormatFlags.NoTruncation);
    return oneLine(text.replaceAll(/import\("[^"]*"\)\./g, ''));
  }

  private methodsOf(member: ts.Symbol): Method[] {
    const declarations = (member.getDeclarations() ?? []).filter((one): one is ts.MethodDeclaration =>
      ts.isFunctionLike(one),
    );
    // The overload with the body is not for callers.
    const callable = declarations.length > 1 ? declarations.filter(({ body }) => body === undefined) : declarations;
    return callable.map((declaration) => ({
      name: member.getName(),
      isStatic: (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Static) !== 0,
      parameters: declaration.parameters.map((parameter) => this.parameterOf(parameter)),
      returns: declaration.type ? oneLine(declaration.type.getText()) : this.returnOf(declaration),
      place: placeOf(declaration),
      ...this.docOf(member),
    }));
  }

  private returnOf(declaration: ts.SignatureDeclaration): string {
    const signature = this.checker.getSignatureFromDeclaration(declaration)!;
    return this.checker.typeToString(signature.getReturnType(), undefined, ts.TypeFormatFlags.NoTruncation);
  }

  private parameterOf(parameter: ts.ParameterDeclaration): Field {
    const symbol = this.checker.getSymbolAtLocation(parameter.name);
    const { name, type, initializer, questionToken } = parameter;
    const inferred = () => this.checker.typeToString(this.checker.getTypeAtLocation(parameter));
    return {
      name: ts.isIdentifier(name) ? name.text : optionsNameOf(type),
      type: type ? oneLine(type.getText()) : inferred(),
      optional: questionToken !== undefined || initializer !== undefined,
      isStatic: false,
      place: placeOf(parameter),
      ...(symbol ? this.docOf(symbol) : NO_DOC),
    };
  }

  private docOf(symbol: ts.Symbol): Doc {
    const tags = symbol.getJsDocTags(this.checker);
    const textsOf = (name: string) =>
      tags.filter((tag) => tag.name === name).map((tag) => ts.displayPartsToString(tag.text).trim());
    return {
      text: ts.displayPartsToString(symbol.getDocumentationComment(this.checker)).trim(),
      default: textsOf('default')[0],
      examples: textsOf('example'),
      deprecated: textsOf('deprecated')[0],
    };
  }

  /** The public names that nodes use, except for their own. */
  private namesIn(nodes: readonly ts.Node[], own: string): string[] {
    const found = new Set<string>();
    const visit = (node: ts.Node): void => {
      if (ts.isBlock(node)) return;
      if (ts.isIdentifier(node)) {
        const symbol = this.checker.getSymbolAtLocation(node);
        const name = symbol && this.symbols.get(this.resolved(symbol));
        if (name !== undefined && name !== own) found.add(name);
      }
      const isPrivate = ts.canHaveModifiers(node) && !ts.isParameter(node) && hasPrivate(node);
      if (!isPrivate) ts.forEachChild(node, visit);
    };
    for (const node of nodes) visit(node);
    return [...found].sort();
  }
}

const NO_DOC: Doc = { text: '', default: undefined, examples: [], deprecated: undefined };

function hasPrivate(node: ts.HasModifiers): boolean {
  return (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword);
}

function parametersIn(node: ts.Node): readonly ts.Node[] {
  return ts.isMethodDeclaration(node) || ts.isFunctionDeclaration(node) ? node.parameters : [];
}

function kindOf({ flags }: ts.Symbol, declarations: readonly ts.Declaration[]): Entry['kind'] {
  if (declarations.length === 0) return 'namespace';
  if (flags & ts.SymbolFlags.Class) return 'class';
  if (flags & ts.SymbolFlags.Interface) return 'interface';
  if (flags & ts.SymbolFlags.TypeAlias) return 'type';
  return flags & ts.SymbolFlags.Function ? 'function' : 'value';
}

function aliasOf(declaration: ts.Declaration | undefined): string | undefined {
  return declaration && ts.isTypeAliasDeclaration(declaration) ? oneLine(declaration.type.getText()) : undefined;
}

/** The name of a parameter. A destructured parameter gets a name from its type. */
function optionsNameOf(type: ts.TypeNode | undefined): string {
  const name = /(\w+)\W*$/.exec(type?.getText() ?? '')?.[1] ?? '';
  return /Props$/.test(name)
    ? 'props'
    : /Args$/.test(name)
      ? 'args'
      : /Reference$|Ref$/.test(name)
        ? 'reference'
        : 'options';
}

function isForeign(node: ts.Node): boolean {
  return node.getSourceFile().fileName.includes('/node_modules/');
}

function placeOf(node: ts.Node | undefined): string {
  if (node === undefined) return '';
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart());
  return `${relative(ROOT, file.fileName)}:${line + 1}`;
}

function oneLine(text: string): string {
  return text
    .replaceAll(/\/\*\*?.*?\*\//gs, '')
    .replaceAll(/\s+/g, ' ')
    .replace(/^\| /, '')
    .trim();
}
