import type { IConstruct } from 'constructs';
import type { StackResult } from '../check';
import { collectFindings, type Finding, type SourceLocation } from '../core/finding';
import { addTo, groupedBy } from '../core/grouped';
import type { Rehearsal } from '../core/rehearsal-result';
import type { World } from '../core/world';
import { atLine, madeAt } from '../files/made-at';
import type { LuaScripts } from '../files/scripts/lua-scripts';
import { rejectOldNames } from '../settings/config';
import {
  type CheckSettings,
  type KruiseCheckSettings,
  type Member,
  type MemberRehearsal,
  optionsOfMembers,
} from '../settings/members';
import { readProbe } from '../settings/probe';
import type { Versions } from '../settings/versions';
import { inConstruct } from './construct-errors';
import { lastResult } from './last-results';
import { addReporter, addToReport, showsRehearsals } from './report-file';
import { reportFindings } from './report-findings';
import { stackOf } from './stack';
import { addAsker, textsOf, worldOf, worldOfValidation } from './world';

// Loaded on first use, because few apps say which release of Istio they have.
const istio = () => require('../routers/istio-version') as typeof import('../routers/istio-version');

/** How the Rollouts of a construct are rehearsed. */
export interface RehearsalProps extends MemberRehearsal {}

/** The settings of checks that every construct takes. */
export interface CheckProps extends CheckSettings {
  /**
   * The rehearsal of releases at synth: each Rollout is played step by step through its controller and the load balancers.
   * A request that goes elsewhere than its step declares is a finding.
   * @default - every Rollout, with requests derived from its routes
   */
  readonly rehearsal?: RehearsalProps;
}

/** The same for constructs of Kruise Rollouts. */
export interface KruiseCheckProps extends CheckProps, Omit<KruiseCheckSettings, keyof CheckSettings> {
  /**
   * The routing scripts of Kruise Rollouts in the ConfigMap of the cluster, where the stack does not bring the ConfigMap:
   * `[LuaScripts.fromLibrary('aws-alb')]`.
   * @default - none where the stack has the controller; otherwise those of this library are assumed, with a warning
   */
  readonly scripts?: readonly LuaScripts[];
}

/** What a construct states about the cluster; it holds for the whole stack. */
export interface ReporterProps extends KruiseCheckProps, Versions {}

/** How much the statements of a construct about the cluster weigh: those of a `StackCheck` most, those of an install least. */
type Role = 'stack' | 'object' | 'install';

const ROLES: readonly Role[] = ['stack', 'object', 'install'];

/** A construct that reports findings. Its objects are below the construct `id`. */
interface Reporter extends Member {
  readonly construct: IConstruct;
  readonly settings: ReporterProps;
  readonly role: Role;
  /** The line that makes the construct. */
  readonly madeAt: () => SourceLocation | undefined;
  /** Findings that manifests alone do not show. */
  readonly further: (world: World) => readonly Finding[];
}

/** The findings of a stack, by the construct that reports them. */
type Reports = ReadonlyMap<IConstruct, readonly Finding[]>;

/** All constructs of an app that report findings, by App. */
const reportersOfApps = new WeakMap<IConstruct, Reporter[]>();

/** The same by their stacks, by App: all constructs of a stack ask for them. A further reporter makes it void. */
const reportersByStack = new WeakMap<IConstruct, ReadonlyMap<IConstruct, readonly Reporter[]>>();

/** The findings of constructs that run the testdata of their scripts, which the ConfigMap does not have. */
const provers = new WeakMap<IConstruct, () => readonly Finding[]>();

/** The findings of a World, by the constructs that report them. */
const checkedWorlds = new WeakMap<World, Checked>();

/** What was found in a World, and by which constructs it is reported. */
interface Checked {
  readonly reporters: readonly Reporter[];
  readonly reports: Reports;
  readonly result: StackResult;
}

/** How the report of one construct differs from the others. */
interface ReportOptions {
  /** Findings that manifests alone do not show, with the construct or an object of it. */
  readonly further?: (world: World) => readonly Finding[];
  /** The construct below which objects are its own. */
  readonly scope?: IConstruct;
  /** @default 'object' */
  readonly role?: Role;
}

/** Makes a construct report at synth what the checks and the rehearsals find in its stack. */
export function addChecks(
  construct: IConstruct,
  props: ReporterProps,
  { further = () => [], scope = construct, role = 'object' }: ReportOptions = {},
): void {
  const { root, path } = construct.node;
  rejectOldNames(props, path);
  const { istioVersion } = props;
  if (istioVersion !== undefined) inConstruct(construct, () => istio().parseIstioVersion(istioVersion));
  for (const [index, probe] of (props.rehearsal?.probes ?? []).entries())
    readProbe(probe, `${path}: rehearsal.probes[${index}]`);
  const reporters = reportersOfApps.get(root) ?? [];
  reporters.push({ construct, settings: props, id: scope.node.path, role, madeAt: madeAt(), further });
  reportersOfApps.set(root, reporters);
  reportersByStack.delete(root);
  addAsker(stackOf(construct));
  addReporter(construct, () => {
    const world = worldOfValidation(stackOf(construct), construct);
    const { reports, result } = checkedIn(world, construct);
    const findings = reports.get(construct) ?? [];
    addToReport(construct, { findings, warnings: props.warnings, result });
    return reportFindings(findings, props, construct);
  });
}

/** Says that a construct proves its scripts itself, and what it finds. */
export function provesScripts(construct: IConstruct, findings: () => readonly Finding[]): void {
  provers.set(construct, findings);
}

/**
 * The findings that one construct reports, as the app is now: those in its own objects, and, if it is the first one,
 * those in objects that no reporting construct made. So every finding is reported once.
 */
export function findingsFor(construct: IConstruct): readonly Finding[] {
  return checkedIn(worldOf(stackOf(construct)), construct).reports.get(construct) ?? [];
}

/** All findings of the stack of a construct, as the app is now, whichever construct reports them; errors first. */
export function findingsOfStack(construct: IConstruct): readonly Finding[] {
  const stack = stackOf(construct);
  const { reports } = checkedIn(worldOf(stack), construct);
  const proven = provingConstructs(construct.node.root).filter((each) => stackOf(each) === stack);
  return collectFindings([...[...reports.values()].flat(), ...proven.flatMap((each) => provers.get(each)!())]);
}

/** The rehearsals of the stack of a construct as it is now, step by step and request by request. */
export function rehearsalsFor(construct: IConstruct): readonly Rehearsal[] {
  return checkedStack(worldOf(stackOf(construct)), reportersWith(construct), { reports: true }).rehearsals;
}

function checkedIn(world: World, construct: IConstruct): Checked {
  const reporters = reportersWith(construct);
  const last = checkedWorlds.get(world);
  if (last?.reporters.length === reporters.length) return last;
  const result = checkedStack(world, reporters, { reports: showsRehearsals(construct) });
  const checked = { reporters, reports: reportsOf(result, reporters), result };
  checkedWorlds.set(world, checked);
  return checked;
}

/** The reporting constructs of the stack that a construct belongs to; those with the most weight first. */
function reportersWith(construct: IConstruct): readonly Reporter[] {
  const { root } = construct.node;
  const known = reportersByStack.get(root) ?? byStack(reportersOfApps.get(root) ?? []);
  reportersByStack.set(root, known);
  return known.get(stackOf(construct)) ?? [];
}

function byStack(reporters: readonly Reporter[]): ReadonlyMap<IConstruct, readonly Reporter[]> {
  const sorted = [...reporters].sort((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role));
  return groupedBy(sorted, ({ construct }) => stackOf(construct));
}

function reportsOf({ findings }: StackResult, reporters: readonly Reporter[]): Reports {
  const byId = reportersById(reporters);
  const [first] = [...byId.keys()].sort();
  const reports = new Map<IConstruct, Finding[]>();
  for (const finding of findings) {
    const owner = ownerOf(finding.construct, byId);
    const { construct } = owner ?? byId.get(first!)!;
    addTo(reports, construct, atOwner(finding, owner));
  }
  return reports;
}

function checkedStack(
  world: World,
  reporters: readonly Reporter[],
  { reports }: { readonly reports: boolean },
): StackResult {
  const byId = reportersById(reporters);
  const options = optionsOfMembers(reporters, (construct) => ownerOf(construct, byId));
  const earlier = reporters.flatMap(({ further }) => further(world));
  const proven = provenPaths(reporters[0]!.construct.node.root);
  const check = (): StackResult => {
    // Loaded on first use, because an app without a synth needs no schemas and rules.
    const { checkStack } = require('../check') as typeof import('../check');
    return checkStack(world, {
      ...options,
      earlier,
      rehearsal: { ...(options.rehearsal || {}), reports },
      isProven: ({ construct }) => construct !== undefined && proven.has(parentOf(construct) ?? ''),
    });
  };
  // A report has the rehearsals, which are large.
  if (reports) return check();
  const rehearsed = reporters.map(({ id, settings }) => [id, settings.rehearsal?.enabled]);
  const stated = { ...options, rehearsal: { ...(options.rehearsal || {}), only: undefined } };
  return lastResult(textsOf(world), [stated, rehearsed, earlier, [...proven]], check);
}

/** A finding in an object of a construct points to the line that makes the construct. */
function atOwner(finding: Finding, owner: Reporter | undefined): Finding {
  return owner === undefined || owner.role === 'stack' ? finding : atLine(finding, owner.madeAt);
}

function reportersById(reporters: readonly Reporter[]): ReadonlyMap<string, Reporter> {
  return new Map(reporters.map((reporter) => [reporter.id, reporter]));
}

/** The innermost reporting construct above a path. */
function ownerOf(construct: string | undefined, reporters: ReadonlyMap<string, Reporter>): Reporter | undefined {
  for (let path = construct; path !== undefined; path = parentOf(path)) {
    const reporter = reporters.get(path);
    if (reporter !== undefined) return reporter;
  }
  return undefined;
}

function parentOf(path: string): string | undefined {
  // The path of an App is empty.
  return path === '' ? undefined : path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

/** The constructs whose ConfigMap is proven with the testdata. */
function provenPaths(root: IConstruct): ReadonlySet<string> {
  return new Set(provingConstructs(root).map(({ node }) => node.path));
}

function provingConstructs(root: IConstruct): IConstruct[] {
  return root.node.findAll().filter((each) => provers.has(each));
}
