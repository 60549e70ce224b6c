/** Writes the findings of a synth into files, also where they fail the synth and nothing else is written. */
import { mkdirSync } from 'node:fs';
import { dirname, extname, resolve } from 'node:path';
import type { IConstruct } from 'constructs';
import type { StackResult } from '../check';
import { collectFindings, type Finding } from '../core/finding';

/** The files, separated by commas: `findings.sarif,rehearsal.html`. */
const VARIABLE = 'ROLLOUT_CONSTRUCTS_REPORT';

const FORMATS = { '.json': 'json', '.sarif': 'sarif', '.xml': 'junit', '.md': 'markdown' } as const;
const HTML = '.html';

/** What the constructs of an app have reported so far, by their paths, and the results of its stacks. */
interface AppReport {
  readonly findings: Map<string, readonly Finding[]>;
  readonly results: Map<string, StackResult>;
}

const reportsOfApps = new WeakMap<IConstruct, AppReport>();

/** The files that are asked for; those with an unknown ending are errors. */
function files(): readonly string[] {
  const names = (process.env[VARIABLE] ?? '').split(',').map((name) => name.trim());
  const wanted = names.filter((name) => name !== '');
  const known = [...Object.keys(FORMATS), HTML];
  const unknown = wanted.find((name) => !known.includes(extname(name)));
  if (unknown === undefined) return wanted;
  throw new Error(`${VARIABLE} names "${unknown}": the ending of a report is one of ${known.join(', ')}`);
}

/** Whether a report shows rehearsals, which are kept only then. */
export function showsRehearsals(): boolean {
  return files().some((name) => extname(name) === HTML);
}

/**
 * Adds what a construct reports, and writes all reports again: one synth validates construct by construct.
 * @param result the result of the check of the construct's stack
 */
export function addToReport(
  construct: IConstruct,
  findings: readonly Finding[],
  stack: string,
  result: StackResult,
): void {
  const wanted = files();
  if (wanted.length === 0) return;
  const { root, path } = construct.node;
  const report = reportsOfApps.get(root) ?? { findings: new Map(), results: new Map() };
  reportsOfApps.set(root, report);
  report.findings.set(path, findings);
  report.results.set(stack, result);
  for (const name of wanted) writeReport(name, report);
}

function writeReport(name: string, { findings, results }: AppReport): void {
  const { reporters } = require('../report') as typeof import('../report');
  const { rehearsalReporters } = require('../report/rehearsal') as typeof import('../report/rehearsal');
  const { writeAtomically } = require('../files/paths') as typeof import('../files/paths');
  const all = collectFindings(inOrder(findings).flat());
  const stacks = inOrder(results);
  const context = { ...contextOf(stacks), findings: all };
  const text =
    extname(name) === HTML
      ? rehearsalReporters.html(
          stacks.flatMap(({ rehearsals }) => rehearsals),
          context,
        )
      : reporters[FORMATS[extname(name) as keyof typeof FORMATS]](all, context);
  const file = resolve(name);
  mkdirSync(dirname(file), { recursive: true });
  writeAtomically(file, text);
}

function contextOf(stacks: readonly StackResult[]) {
  const { wholeCatalogue } = require('../check') as typeof import('../check');
  const { describeVersions } = require('../settings/cluster') as typeof import('../settings/cluster');
  const { packageVersion } = require('../core/package') as typeof import('../core/package');
  return {
    color: false,
    ascii: false,
    catalogue: wholeCatalogue(),
    version: packageVersion(),
    suppressed: stacks.flatMap(({ suppressed }) => suppressed),
    checkedFor: describeVersions(stacks.at(-1)!.cluster),
    assumptions: [...new Set(stacks.flatMap(({ cluster }) => cluster.assumptions))],
  };
}

function inOrder<Value>(byPath: ReadonlyMap<string, Value>): Value[] {
  return [...byPath].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}
