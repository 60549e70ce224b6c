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

/** What a construct has reported. */
interface Reported {
  readonly findings: readonly Finding[];
  /**
   * The check that the construct is a part of, and the path of its stack.
   * @default - it checks nothing but itself
   */
  readonly check?: { readonly stack: string; readonly result: StackResult };
}

/** What the constructs of an app have reported, by their paths. */
type AppReport = Map<string, Reported>;

const reportsOfApps = new WeakMap<IConstruct, AppReport>();

/** How many constructs of an app report. */
const reportersOfApps = new WeakMap<IConstruct, number>();

/** Says that a construct will report. The files are written when all have. */
export function announceReport({ node: { root } }: IConstruct): void {
  reportersOfApps.set(root, (reportersOfApps.get(root) ?? 0) + 1);
}

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
 * Adds what a construct reports. One synth asks construct by construct, for the app and again for every chart: the reports are
 * written when the last construct has reported, and again only where something has changed.
 */
export function addToReport(construct: IConstruct, reported: Reported): void {
  const wanted = files();
  if (wanted.length === 0) return;
  const { root, path } = construct.node;
  const report: AppReport = reportsOfApps.get(root) ?? new Map();
  reportsOfApps.set(root, report);
  const before = report.get(path);
  report.set(path, reported);
  const isKnown = before !== undefined && isSame(before, reported);
  if (isKnown || report.size < (reportersOfApps.get(root) ?? 0)) return;
  for (const name of wanted) writeReport(name, report);
}

function isSame(before: Reported, now: Reported): boolean {
  if (now.check !== undefined) return before.check?.result === now.check.result;
  return JSON.stringify(before.findings) === JSON.stringify(now.findings);
}

function writeReport(name: string, report: AppReport): void {
  const { reporters } = require('../report') as typeof import('../report');
  const { rehearsalReporters } = require('../report/rehearsal') as typeof import('../report/rehearsal');
  const { writeAtomically } = require('../files/paths') as typeof import('../files/paths');
  const all = inOrder(report);
  const findings = collectFindings(all.flatMap((each) => each.findings));
  const checks = all.flatMap(({ check }) => check ?? []);
  const stacks = inOrder(new Map(checks.map(({ stack, result }) => [stack, result])));
  const context = { ...contextOf(stacks), findings };
  const text =
    extname(name) === HTML
      ? rehearsalReporters.html(
          stacks.flatMap(({ rehearsals }) => rehearsals),
          context,
        )
      : reporters[FORMATS[extname(name) as keyof typeof FORMATS]](findings, context);
  const file = resolve(name);
  mkdirSync(dirname(file), { recursive: true });
  writeAtomically(file, text);
}

function contextOf(stacks: readonly StackResult[]) {
  const { wholeCatalogue } = require('../check') as typeof import('../check');
  const { describeVersions } = require('../settings/cluster') as typeof import('../settings/cluster');
  const { packageVersion } = require('../files/package') as typeof import('../files/package');
  const last = stacks.at(-1);
  return {
    color: false,
    ascii: false,
    catalogue: wholeCatalogue(),
    version: packageVersion(),
    suppressed: stacks.flatMap(({ suppressed }) => suppressed),
    ...(last && { checkedFor: describeVersions(last.cluster) }),
    assumptions: [...new Set(stacks.flatMap(({ cluster }) => cluster.assumptions))],
  };
}

function inOrder<Value>(byPath: ReadonlyMap<string, Value>): Value[] {
  return [...byPath].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}
