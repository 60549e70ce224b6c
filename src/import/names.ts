/** The ids and variables of the statements of a program. */
import type { Statement } from './statement';

/** The id of each construct, or the name of each resource: unique, and the same for the same input. */
export function idsOf(statements: readonly Statement[], isPulumi: boolean): ReadonlyMap<Statement, string> {
  // A name of Pulumi is unique among the resources of a type, an id of cdk8s among the constructs of a chart.
  return unique(statements, ({ class: name, writes: [main] }) => {
    const { apiVersion, kind, name: own, namespace } = main!;
    const named = own === '' ? kind.toLowerCase() : own;
    const id = (isPulumi ? named : `${kind}-${named}`).replaceAll('/', '-');
    const scope = isPulumi ? `${name} ${apiVersion} ${kind} ` : '';
    return [id, ...(namespace === undefined ? [] : [`${namespace}-${id}`])].map((text) => ({
      text,
      key: scope + text,
    }));
  });
}

/** Words that cannot be the name of a variable, and those that a program has already. */
const TAKEN = ['app', 'chart'];

/** The variable of each statement that others refer to. */
export function variablesOf(statements: readonly Statement[]): ReadonlyMap<Statement, string> {
  const classes = statements.map(({ class: name }) => name);
  return unique(
    statements,
    ({ writes: [main] }) => {
      const { kind, name, namespace = '' } = main!;
      return [[name], [namespace, name]].map((words) => {
        const text = camelCase([...words, kind]);
        return { text, key: text };
      });
    },
    [...TAKEN, ...classes],
  );
}

interface Name {
  readonly text: string;
  /** What has to be unique. */
  readonly key: string;
}

/** The first name of each that is free, or the last one with a number. */
function unique(
  statements: readonly Statement[],
  namesOf: (statement: Statement) => readonly Name[],
  taken: readonly string[] = [],
): ReadonlyMap<Statement, string> {
  const used = new Set(taken);
  const names = new Map<Statement, string>();
  for (const statement of statements) {
    const possible = namesOf(statement);
    const free = possible.find(({ key }) => !used.has(key)) ?? numbered(possible.at(-1)!, used);
    used.add(free.key);
    names.set(statement, free.text);
  }
  return names;
}

function numbered({ text, key }: Name, used: ReadonlySet<string>): Name {
  let number = 2;
  while (used.has(`${key}${number}`)) number++;
  return { text: `${text}${number}`, key: `${key}${number}` };
}

/** `webDeployment`; the kind at the end keeps it from being a word of the language. */
function camelCase(words: readonly string[]): string {
  const parts = words.flatMap((word) => word.split(/[^A-Za-z0-9]+/)).filter((word) => word !== '');
  const text = parts.map((part) => part[0]!.toUpperCase() + part.slice(1)).join('');
  const start = /^[A-Z]+(?![a-z])|^[A-Z]/.exec(text)?.[0] ?? '';
  const lower = start.toLowerCase() + text.slice(start.length);
  return /^[a-z]/.test(lower) ? lower : `_${lower}`;
}
