/** Writes the findings of a synth into files, also where they fail the synth and nothing else is written. */
import { ApiObject, Chart } from 'cdk8s';
import type { IConstruct } from 'constructs';
import type { StackResult } from '../check';
import { collectFindings, type Finding } from '../core/finding';
import { addTo } from '../core/grouped';
import { REPORT_VARIABLE, writeReport } from '../files/report-files';
import type { RejectedFile, ReportTarget } from '../report/files';
import { OncePerSynth, tellSynths } from './once-per-synth';
import { stackOf } from './stack';

// Loaded on first use, because most synths write no report.
const filesModule = () => require('../report/files') as typeof import('../report/files');

/** What a construct has reported. */
interface Reported {
  readonly findings: readonly Finding[];
  /** Whether its warnings fail the synth. */
  readonly warnings?: 'fail' | 'print' | undefined;
  /**
   * The check that the construct is a part of.
   * @default - it checks nothing but itself
   */
  readonly result?: StackResult;
}

interface ReportedBy extends Reported {
  readonly construct: IConstruct;
}

/** A report that somebody asks for. */
interface Wanted extends ReportTarget {
  /**
   * Only what this stack reports.
   * @default - what the whole app reports
   */
  readonly stack?: IConstruct;
}

/** What the constructs of an app have reported, by their paths. */
type AppReport = Map<string, ReportedBy>;

const reportsOfApps = new WeakMap<IConstruct, AppReport>();

/** How many constructs of an app report. */
const reportersOfApps = new WeakMap<IConstruct, number>();

/** The reports that constructs of an app ask for. */
const wantedInApps = new WeakMap<IConstruct, Wanted[]>();

/** What each construct reports in a synth. */
const reportedInSynth = new OncePerSynth<string[]>();

/** Makes a construct report when its app is validated: once in a synth. The files are written when all have. */
export function addReporter(construct: IConstruct, report: () => string[]): void {
  const { root } = construct.node;
  reportersOfApps.set(root, (reportersOfApps.get(root) ?? 0) + 1);
  tellSynths(root);
  construct.node.addValidation({ validate: () => reportedInSynth.of(construct, report) });
}

/** Asks for a report of the stack of a construct: files, or a folder. */
export function askForReport(construct: IConstruct, names: string): void {
  const { root, path } = construct.node;
  const targets = filesModule().reportTargets(names, `${path}: report`);
  const stack = stackOf(construct);
  wantedInApps.set(root, [...(wantedInApps.get(root) ?? []), ...targets.map((target) => ({ ...target, stack }))]);
}

/** The reports that are asked for; one with an unknown ending is an error. */
function wantedIn(root: IConstruct): readonly Wanted[] {
  const names = process.env[REPORT_VARIABLE] ?? '';
  const ofProcess = names === '' ? [] : filesModule().reportTargets(names, REPORT_VARIABLE);
  return [...ofProcess, ...(wantedInApps.get(root) ?? [])];
}

/** Whether a report of the stack of a construct shows rehearsals, which are kept only then. */
export function showsRehearsals(construct: IConstruct): boolean {
  const stack = stackOf(construct);
  return wantedIn(construct.node.root).some(
    (each) => (each.stack === undefined || each.stack === stack) && filesModule().hasRehearsals(each),
  );
}

/**
 * Adds what a construct reports. One synth asks construct by construct, for the app and again for every chart: the reports are
 * written when the last construct has reported, and again only where something has changed.
 */
export function addToReport(construct: IConstruct, reported: Reported): void {
  const { root, path } = construct.node;
  const wanted = wantedIn(root);
  if (wanted.length === 0) return;
  const report: AppReport = reportsOfApps.get(root) ?? new Map();
  reportsOfApps.set(root, report);
  const before = report.get(path);
  report.set(path, { ...reported, construct });
  const isKnown = before !== undefined && isSame(before, reported);
  if (isKnown || report.size < (reportersOfApps.get(root) ?? 0)) return;
  for (const each of wanted) write(each, root, report);
}

function isSame(before: Reported, now: Reported): boolean {
  if (now.result !== undefined) return before.result === now.result;
  return JSON.stringify(before.findings) === JSON.stringify(now.findings);
}

function write(wanted: Wanted, root: IConstruct, report: AppReport): void {
  const { reportFiles, REJECTED } = filesModule();
  const all = [...report]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, reported]) => reported)
    .filter(({ construct }) => wanted.stack === undefined || stackOf(construct) === wanted.stack);
  const results = resultsOf(all);
  const findings = collectFindings(all.flatMap((each) => each.findings));
  const files = reportFiles(wanted, {
    findings,
    rehearsals: results.flatMap(({ rehearsals }) => rehearsals),
    context: contextOf(results),
    rejected: wanted.isFolder && all.some(fails) ? rejectedBelow(wanted.stack ?? root) : [],
  });
  writeReport({ files, ...(wanted.isFolder && { rejected: `${wanted.name}/${REJECTED}` }) });
}

/** The results of all stacks, by the path of the stack. */
function resultsOf(all: readonly ReportedBy[]): StackResult[] {
  const byStack = new Map(all.flatMap(({ construct, result }) => (result ? [[stackOf(construct), result]] : [])));
  return [...byStack].sort(([a], [b]) => (a.node.path < b.node.path ? -1 : 1)).map(([, result]) => result);
}

function fails({ findings, warnings }: Reported): boolean {
  return findings.some(({ severity }) => severity === 'error' || (severity === 'warning' && warnings === 'fail'));
}

/** The objects of each chart, as far as they can be written. */
function rejectedBelow(scope: IConstruct): RejectedFile[] {
  const byFile = new Map<string, object[]>();
  for (const construct of scope.node.findAll()) {
    if (!ApiObject.isApiObject(construct)) continue;
    const name = `${Chart.of(construct).node.path.replaceAll('/', '-')}.k8s.yaml`;
    try {
      addTo(byFile, name, construct.toJson() as object);
    } catch {
      // Its own synth reports why it cannot be written.
    }
  }
  return [...byFile].map(([name, objects]) => ({ name, objects }));
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
