/** The stacks of Kruise Rollouts' tests: files that a test reads into variables, changes field by field, and creates. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject } from '../cluster/api';
import { objectsIn } from '../cluster/documents';
import type { Constants } from './constants';
import { type Entry, type Expression, importsOf, type Statement, statementsOf, titledBodies, tokensOf } from './go';
import { distinct, kebab, type UpstreamStack } from './stack';

/** Where Kruise Rollouts has its tests. */
const FOLDER = 'test/e2e';

/** The first of these calls begins the release. */
const RELEASES = /^(Update|Resume|Jump|mergeEnvVar)/;

/** The stacks of all tests of a release. */
export function kruiseStacks(module: string, constants: Constants): UpstreamStack[] {
  const folder = join(module, FOLDER);
  const files = readdirSync(folder).filter((name) => name.endsWith('_test.go'));
  return distinct(files.flatMap((file) => stacksOfFile(readFileSync(join(folder, file), 'utf8'), folder, constants)));
}

function stacksOfFile(source: string, folder: string, constants: Constants): UpstreamStack[] {
  const imports = importsOf(source);
  const constantOf = (alias: string, name: string) => {
    const path = imports.get(alias);
    return path === undefined ? undefined : constants.valueOf(path, name);
  };
  const tokens = tokensOf(source);
  return titledBodies(tokens, 'It').map((body) => {
    const name = kebab(body.name);
    try {
      return { name, objects: new Test(folder, constantOf).objectsOf(statementsOf(body.tokens)) };
    } catch (error) {
      return { name, objects: [], unread: (error as Error).message };
    }
  });
}

/** A value as JSON has it. */
// biome-ignore lint/suspicious/noExplicitAny: fields of objects of any kind
type Value = any;

type ConstantOf = (alias: string, name: string) => string | undefined;

/** One test: what it creates before its release begins. */
class Test {
  private readonly variables = new Map<string, Value>();
  private readonly objects: KubernetesObject[] = [];

  constructor(
    private readonly folder: string,
    private readonly constantOf: ConstantOf,
  ) {}

  objectsOf(statements: readonly Statement[]): KubernetesObject[] {
    for (const statement of statements) {
      if (statement.is === 'loop') continue;
      const calls = callsIn(statement.value);
      if (calls.some(({ name }) => RELEASES.test(name))) break;
      if (statement.is === 'assignment') this.assign(statement.to, statement.value);
      else for (const call of calls) this.called(call);
    }
    return this.objects;
  }

  private assign(to: Expression, value: Expression): void {
    if (to.is === 'name') this.variables.set(to.name, this.valueOf(value));
    else if (this.variables.has(rootOf(to))) this.write(to, this.known(value));
  }

  private called({ name, of, args }: Call): void {
    const [first, second, third] = args;
    if (name === 'ReadYamlToObject' && first?.is === 'text' && second?.is === 'name') {
      this.variables.set(second.name, objectsIn(readFileSync(join(this.folder, first.value), 'utf8'))[0]);
    } else if (name === 'CreateObject' || name === 'Create') {
      const object = args.filter((arg) => arg.is === 'name').at(-1);
      if (object?.is === 'name') this.objects.push(structuredClone(this.object(object.name)));
    } else if (name === 'addAnnotation' && first?.is === 'name') {
      const { metadata } = this.object(first.name);
      metadata.annotations = { ...metadata.annotations, [this.known(second)]: this.known(third) };
    } else if ((name === 'SetAPIVersion' || name === 'SetKind') && of?.is === 'name') {
      this.object(of.name)[name === 'SetKind' ? 'kind' : 'apiVersion'] = this.known(first);
    }
  }

  private write(to: Expression, value: Value): void {
    const path = pathOf(to, (key) => this.known(key));
    const last = path.pop()!;
    const target = path.reduce(
      (object, key) => {
        object[key] ??= {};
        return object[key];
      },
      this.object(rootOf(to)),
    );
    if (value === null) delete target[last];
    else target[last] = value;
  }

  private object(name: string): Value {
    const object = this.variables.get(name);
    if (object === undefined) throw new Error('the test uses an object that it does not read itself');
    return object;
  }

  /** A value that has to be read. */
  private known(expression: Expression | undefined): Value {
    const value = expression && this.valueOf(expression);
    if (value === undefined) throw new Error('the test writes a value that is not read');
    return value;
  }

  private valueOf(expression: Expression): Value {
    switch (expression.is) {
      case 'text':
      case 'number':
        return expression.value;
      case 'name':
        return expression.name in WORDS ? WORDS[expression.name] : this.variables.get(expression.name);
      case 'field':
        return expression.of.is === 'name' ? this.constantOf(expression.of.name, expression.name) : undefined;
      case 'call':
        return expression.of.is === 'field' ? this.converted(expression.of, expression.args) : undefined;
      case 'literal':
        return this.literal(expression.type, expression.entries);
      default:
        return undefined;
    }
  }

  /** `pointer.Int32(3)`, `intstr.FromInt(3)`: a value in another type; `rollout.DeepCopy()`. */
  private converted({ of, name }: Extract<Expression, { is: 'field' }>, args: readonly Expression[]): Value {
    if (name === 'DeepCopy') return structuredClone(this.valueOf(of));
    return args.length === 1 ? this.valueOf(args[0]!) : undefined;
  }

  private literal(type: string, entries: readonly Entry[]): Value {
    if (type === 'list') return entries.map(({ value }) => this.known(value));
    if (type === 'IntOrString') return this.known(entries.find(({ key }) => isNamed(key, /Val$/))?.value);
    const fields = entries.map(({ key, value }) => {
      // An embedded struct has the name of its type, and its fields are those of the whole.
      if (value.is === 'literal' && isNamed(key, new RegExp(`^${value.type}$`))) return this.known(value);
      return { [key?.is === 'name' ? jsonName(key.name) : this.known(key)]: this.known(value) };
    });
    return Object.assign({}, ...fields);
  }
}

const WORDS: Readonly<Record<string, Value>> = { nil: null, true: true, false: false };

interface Call {
  readonly name: string;
  readonly of?: Expression;
  readonly args: readonly Expression[];
}

/** The calls of an expression, the innermost first. */
function callsIn(expression: Expression): Call[] {
  if (expression.is === 'field') return callsIn(expression.of);
  if (expression.is !== 'call') return [];
  const { of, args } = expression;
  const inner = [...callsIn(of), ...args.flatMap(callsIn)];
  if (of.is === 'name') return [...inner, { name: of.name, args }];
  return of.is === 'field' ? [...inner, { name: of.name, of: of.of, args }] : inner;
}

function isNamed(key: Expression | undefined, pattern: RegExp): boolean {
  return key?.is === 'name' && pattern.test(key.name);
}

function rootOf(expression: Expression): string {
  if (expression.is === 'field' || expression.is === 'index') return rootOf(expression.of);
  return expression.is === 'name' ? expression.name : '';
}

/** Fields of the metadata, which Go reads from the object itself. */
const OF_METADATA = /^(name|namespace|labels|annotations)$/;

/** Where a field of Go is in an object's JSON. */
function pathOf(expression: Expression, keyOf: (key: Expression) => string | number): (string | number)[] {
  if (expression.is === 'index') return [...pathOf(expression.of, keyOf), keyOf(expression.at)];
  if (expression.is !== 'field') return [];
  const path = pathOf(expression.of, keyOf);
  const name = jsonName(expression.name);
  const ofObject = path.length === 0 || path.at(-1) === 'template';
  return ofObject && OF_METADATA.test(name) ? [...path, 'metadata', name] : [...path, name];
}

/** `APIVersion` as `apiVersion`, `NodePort` as `nodePort`. */
function jsonName(field: string): string {
  return field.replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (start) => start.toLowerCase());
}
