/** The stacks of Argo Rollouts' tests: chains of calls that are given YAML, or the name of a file with an `@` before it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubernetesObject } from '../cluster/api';
import { objectsIn } from '../cluster/documents';
import { type Body, type Expression, functionsOf, type Statement, statementsOf, tokensOf } from './go';
import { distinct, kebab, type UpstreamStack } from './stack';

/** Where Argo Rollouts has its tests. */
const FOLDER = 'test/e2e';

/** The API server, as a test that does not run in the cluster reaches it: upstream's tests replace the address as well. */
const API_SERVER = 'https://127.0.0.1:6443';

/** Calls that are given objects. */
const APPLIES = /^(RolloutObjects|HealthyRollout|RolloutTemplate|ApplyManifests)$/;

/** The first of these calls begins the release. */
const RELEASES = /^(UpdateSpec|PatchSpec|UpdateResource|ScaleRollout|DeleteObject)$/;

/** The stacks of all tests of a release, and of the files that no test names. */
export function argoStacks(module: string): UpstreamStack[] {
  const folder = join(module, FOLDER);
  const files = readdirSync(folder).filter((name) => name.endsWith('_test.go'));
  const helpers = files.flatMap((file) => functionsOf(tokensOf(readFileSync(join(folder, file), 'utf8'))));
  const used = new Set<string>();
  const read = (path: string) => {
    used.add(path);
    return readFileSync(join(folder, path), 'utf8');
  };
  const tested = files.flatMap((file) => stacksOfFile(readFileSync(join(folder, file), 'utf8'), { helpers, read }));
  const left = yamlFiles(folder).filter((path) => !used.has(path) && !path.startsWith('crds/'));
  const untested = left.map((path) => ({ name: kebab(path.replace(/\.yaml$/, '')), objects: loaded(read(path)) }));
  return distinct([...tested, ...untested]);
}

function yamlFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml'))
    .sort();
}

/** What the texts of a test can name. */
interface Place {
  readonly helpers: readonly Body[];
  readonly read: (path: string) => string;
}

function stacksOfFile(source: string, place: Place): UpstreamStack[] {
  const bodies = functionsOf(tokensOf(source));
  const shared = bodies
    .filter(({ name }) => name === 'SetupSuite')
    .flatMap(({ tokens }) => new Test(place).objectsOf(statementsOf(tokens)));
  return bodies
    .filter(({ name, tokens }) => name.startsWith('Test') && tokens.some(({ text }) => text === 'Given'))
    .flatMap(({ name, tokens }) => stacksOfTest(name, statementsOf(tokens), place, shared));
}

/** The stack of a test, or one for each row of its table. */
function stacksOfTest(
  name: string,
  statements: readonly Statement[],
  place: Place,
  shared: readonly KubernetesObject[],
): UpstreamStack[] {
  const rows = rowsOf(statements);
  return rows.map((values) => {
    try {
      const objects = new Test(place, values).objectsOf(statements);
      return { name: titleOf(name), objects: [...shared.filter((object) => isNamed(object, objects)), ...objects] };
    } catch (error) {
      return { name: titleOf(name), objects: [], unread: (error as Error).message };
    }
  });
}

type Values = ReadonlyMap<string, Expression>;

function rowsOf(statements: readonly Statement[]): Values[] {
  const loop = statements.find((statement) => statement.is === 'loop');
  if (loop === undefined) return [new Map()];
  const table = loop.over.is === 'name' ? assigned(statements, loop.over.name) : loop.over;
  if (table?.is !== 'literal') return [new Map()];
  const { fields = [] } = table;
  return table.entries.map(({ value }) => {
    const cells = value.is === 'literal' ? value.entries : [];
    const row = cells.map(({ key, value: cell }, index) => {
      const field = key?.is === 'name' ? key.name : fields[index];
      return [`${loop.name}.${field}`, cell] as const;
    });
    return new Map(row);
  });
}

function assigned(statements: readonly Statement[], name: string): Expression | undefined {
  return statements.flatMap((statement) =>
    statement.is === 'assignment' && isName(statement.to, name) ? [statement.value] : [],
  )[0];
}

function isName(expression: Expression, name: string): boolean {
  return expression.is === 'name' && expression.name === name;
}

/** Templates for all tests of a suite belong to the stacks that name them. */
function isNamed({ kind, metadata }: KubernetesObject, objects: readonly KubernetesObject[]): boolean {
  return /Template$/.test(kind) && JSON.stringify(objects).includes(`"templateName":"${metadata.name}"`);
}

/** One test: what it applies before its release begins. */
class Test {
  private readonly texts = new Map<string, string>();
  private objects: KubernetesObject[] = [];
  private isReleased = false;

  constructor(
    private readonly place: Place,
    private readonly values: Values = new Map(),
  ) {}

  objectsOf(statements: readonly Statement[]): KubernetesObject[] {
    for (const statement of statements) {
      if (this.isReleased) break;
      if (statement.is === 'loop') this.objectsOf(statement.body);
      else if (statement.is === 'expression') this.chain(statement.value);
      else if (statement.to.is === 'name') this.assign(statement.to.name, statement.value);
    }
    return this.objects;
  }

  private assign(name: string, value: Expression): void {
    const text = this.textOf(value);
    if (text === undefined) this.chain(value);
    else this.texts.set(name, text);
  }

  /** The calls of a chain, the first one first. */
  private chain(expression: Expression): void {
    if (expression.is === 'field') this.chain(expression.of);
    if (expression.is !== 'call') return;
    this.chain(expression.of);
    const { of, args } = expression;
    if (of.is !== 'field' || this.isReleased) return;
    if (RELEASES.test(of.name)) this.isReleased = true;
    else if (APPLIES.test(of.name) && args.length > 0) this.apply(this.textsOf(args));
    else if (of.name === 'SetSteps') this.setSteps(this.textsOf(args));
  }

  private textsOf(args: readonly Expression[]): string {
    const [first, replace] = args;
    const text = first && this.textOf(first);
    if (text === undefined) throw new Error('the test applies a text that is not read');
    const whole = text.startsWith('@') ? this.place.read(text.slice(1)) : text;
    if (replace?.is !== 'literal') return whole;
    return replace.entries.reduce((result, { key, value }) => {
      const [from, to] = [key && this.textOf(key), this.textOf(value)];
      if (from === undefined || to === undefined) throw new Error('the test replaces a text with one that is not read');
      return result.replaceAll(from, to);
    }, whole);
  }

  /** Objects that are there already, with another content, belong to the release. */
  private apply(text: string): void {
    const objects = loaded(text);
    const isKnown = (object: KubernetesObject) => this.objects.some((known) => isSame(known, object));
    if (objects.some(isKnown)) this.isReleased = true;
    else this.objects.push(...objects);
  }

  private setSteps(text: string): void {
    const steps = objectsIn(text);
    const rollout = this.objects.find(({ kind }) => kind === 'Rollout');
    if (rollout !== undefined) rollout.spec.strategy.canary.steps = steps;
  }

  private textOf(expression: Expression): string | undefined {
    switch (expression.is) {
      case 'text':
        return expression.value;
      case 'name':
        return this.texts.get(expression.name);
      case 'field': {
        const key = expression.of.is === 'name' ? `${expression.of.name}.${expression.name}` : '';
        const value = this.values.get(key);
        return value && this.textOf(value);
      }
      case 'sum': {
        const parts = expression.parts.map((part) => this.textOf(part));
        return parts.every((part) => part !== undefined) ? parts.join('') : undefined;
      }
      case 'call':
        return this.called(expression.of, expression.args);
      default:
        return undefined;
    }
  }

  /** `fmt.Sprintf`, or a function of the package that returns one of its parameters in a text. */
  private called(of: Expression, args: readonly Expression[]): string | undefined {
    const texts = args.map((arg) => this.textOf(arg));
    if (of.is === 'field' && of.name === 'Sprintf') return formatted(texts);
    if (of.is !== 'name') return undefined;
    const helper = this.place.helpers.find(({ name }) => name === of.name);
    const [returned] = helper === undefined ? [] : statementsOf(helper.tokens).slice(-1);
    if (returned?.is !== 'expression' || returned.value.is !== 'call') return undefined;
    const [format] = returned.value.args;
    return formatted([format && this.textOf(format), ...texts]);
  }
}

function formatted([format, ...values]: readonly (string | undefined)[]): string | undefined {
  const rest = [...values];
  const text = format?.replace(/%[sv]/g, () => rest.shift() ?? '');
  return values.includes(undefined) ? undefined : text;
}

function isSame(a: KubernetesObject, b: KubernetesObject): boolean {
  return a.kind === b.kind && a.metadata.name === b.metadata.name;
}

function loaded(text: string): KubernetesObject[] {
  return objectsIn(text.replaceAll('https://kubernetes.default.svc', API_SERVER));
}

function titleOf(name: string): string {
  return kebab(name.replace(/^Test/, ''));
}
