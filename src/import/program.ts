/** The text of a program. */
import { type Code, partsOf } from './code';
import { idsOf, variablesOf } from './names';
import { type ImportPlan, referencesOf } from './plan';
import { moduleOf } from './resources';
import type { Patch, Statement } from './statement';
import type { StackSuppression } from './suppressions';
import { comment, literal, print, type Variables } from './typescript';

/** The package of this library, and where the components of Pulumi are. */
const LIBRARY = { cdk8s: 'rollout-constructs', pulumi: 'rollout-constructs/pulumi' };

/** The id of the chart, and the name of the file that cdk8s writes. */
export const CHART_ID = 'imported';

/** What the text of a program has in addition to its statements. */
export interface ProgramOptions {
  /** The files that were read, as the user named them. */
  readonly inputs: readonly string[];
  /**
   * Findings that the objects have already, so that they do not stop the synth.
   * @default - none
   */
  readonly suppressions?: readonly StackSuppression[];
}

/** The program as TypeScript. The same plan gives the same text. */
export function programText(plan: ImportPlan, options: ProgramOptions): string {
  const { target, statements } = plan;
  const referred = new Set(statements.flatMap(referencesOf));
  const variables = new Map<string, string>();
  const names = variablesOf(statements.filter(({ key, patches = [] }) => referred.has(key) || patches.length > 0));
  for (const [statement, name] of names) variables.set(statement.key, name);
  const ids = idsOf(statements, target === 'pulumi');
  const body = statements.map((statement) => statementText(statement, ids.get(statement)!, variables, target));
  const check = target === 'cdk8s' ? [checkText(options.suppressions ?? [])] : [];
  const head = comment([`Written by rollout-constructs import from ${options.inputs.join(', ')}.`]);
  return [`${head}${importLines(plan)}`, ...opening(target), ...body, ...check, ...closing(target)].join('\n');
}

function opening(target: ImportPlan['target']): string[] {
  if (target === 'pulumi') return [];
  return [
    `const app = new App();\nconst chart = new Chart(app, ${literal(CHART_ID)}, { disableResourceNameHashes: true });\n`,
  ];
}

function closing(target: ImportPlan['target']): string[] {
  return target === 'pulumi' ? [] : ['app.synth();\n'];
}

function statementText(statement: Statement, id: string, variables: Variables, target: ImportPlan['target']): string {
  const { class: name, props, key, patches = [], remarks = [] } = statement;
  const variable = variables.get(key);
  const scope = target === 'cdk8s' ? 'chart, ' : '';
  const start = `${variable === undefined ? '' : `const ${variable} = `}new ${name}(${scope}${literal(id)}, `;
  const call = `${start}${print(props, variables, '', start.length)});\n`;
  return `${comment(remarks)}${call}${patches.map((patch) => patchText(variable!, patch)).join('')}`;
}

function patchText(variable: string, patch: Patch): string {
  const start = `${variable}.addJsonPatch(JsonPatch.${patch.op}(${literal(patch.path)}`;
  if (patch.op === 'remove') return `${start}));\n`;
  return `${start}, ${print({ kind: 'value', value: patch.value }, new Map(), '', start.length + 2)}));\n`;
}

/** The check of the whole stack, also of the objects without a construct. */
function checkText(suppressions: readonly StackSuppression[]): string {
  if (suppressions.length === 0) return "new StackCheck(app, 'Check');\n";
  const props: Code = {
    kind: 'object',
    entries: [['suppressions', { kind: 'value', value: suppressions as never }]],
  };
  const remark = comment(['What was wrong before the import. Correct it in the objects, and remove the entry here.']);
  return `${remark}new StackCheck(app, 'Check', ${print(props, new Map(), '', 30)});\n`;
}

function importLines({ target, statements }: ImportPlan): string {
  const modules = new Map<string, Set<string>>();
  const add = (module: string, name: string) => modules.set(module, (modules.get(module) ?? new Set()).add(name));
  if (target === 'cdk8s') {
    for (const name of ['App', 'Chart']) add('cdk8s', name);
    add(LIBRARY.cdk8s, 'StackCheck');
    if (statements.some(({ patches = [] }) => patches.length > 0)) add('cdk8s', 'JsonPatch');
  }
  for (const statement of statements) {
    const own = target === 'cdk8s' ? (statement.class === 'ApiObject' ? 'cdk8s' : undefined) : moduleOf(statement);
    add(own ?? LIBRARY[target], statement.class);
    for (const code of partsOf(statement.props)) if (code.kind === 'call') add(LIBRARY[target], code.class);
  }
  return [...modules]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([module, names]) => importLine([...names].sort(), module))
    .join('');
}

function importLine(names: readonly string[], module: string): string {
  const line = `import { ${names.join(', ')} } from ${literal(module)};\n`;
  if (line.length <= 120) return line;
  return `import {\n${names.map((name) => `  ${name},\n`).join('')}} from ${literal(module)};\n`;
}
