import type { IConstruct } from 'constructs';
import type { StackCheckOptions, StackResult } from '../check';
import type { Finding, ObjectRef } from '../core/finding';
import type { Manifest } from '../core/manifest';
import type { Rehearsal } from '../core/rehearsal-result';
import type { Suppression } from '../core/suppression';
import type { World } from '../core/world';
import type { KruiseRolloutVersion } from '../kruise/version';
import type { RehearsalRequest } from '../rehearsal';
import type { AwsLoadBalancerControllerVersion } from '../routers/aws-alb/version';
import { reportFindings } from './report-findings';
import { stackOf } from './stack';
import { worldOf } from './world';

/** How the Rollouts of a construct are rehearsed. */
export interface RehearsalProps {
  /**
   * Whether they are played through the controller and the load balancers at synth.
   * @default true
   */
  readonly enabled?: boolean;

  /**
   * Requests that are sent beside those that are derived, written as for curl: `GET https://shop.example.com/cart -H "user-agent: pc"`.
   * @default - none
   */
  readonly probes?: readonly string[];
}

/** What every construct whose objects are checked takes. */
export interface CheckProps {
  /**
   * Objects that exist in the cluster although no chart of this app makes them: a Service of a Helm chart, an Ingress of
   * another repository. One without `namespace` is external in every namespace.
   * @default - all objects that are referred to are in this app
   */
  readonly external?: readonly ObjectRef[];

  /**
   * Findings that are accepted as they are, each with the reason: about this construct, or about the object that is
   * named. One that matches nothing is itself a finding.
   * @default - none
   */
  readonly suppressions?: readonly Omit<Suppression, 'construct'>[];

  /**
   * What becomes of findings that are warnings: printed to stderr at synth, or a failure like any error.
   * @default 'print'
   */
  readonly warnings?: 'print' | 'fail';

  /**
   * How releases are rehearsed at synth: each Rollout is played step by step through its controller and the load
   * balancers, and requests that do not go where the step says are findings.
   * @default - every Rollout, with the requests that its routes tell apart
   */
  readonly rehearsal?: RehearsalProps;
}

/** What constructs of Kruise Rollouts take as well. */
export interface KruiseCheckProps extends CheckProps {
  /**
   * The release of the controller that will read the objects; what it knows and how it behaves depends on it.
   * @default - that of the install in this app, or KruiseRolloutVersion.LATEST
   */
  readonly version?: KruiseRolloutVersion;

  /**
   * The namespace in which the controller runs, and looks for the ConfigMap of scripts.
   * @default - that of the install in this app, or 'kruise-rollout'
   */
  readonly controllerNamespace?: string;
}

/** What a construct says of the cluster; what one says holds for all of its stack that say nothing else. */
export interface ReporterProps extends KruiseCheckProps {
  readonly loadBalancerController?: AwsLoadBalancerControllerVersion;
  readonly istioVersion?: string;
}

/** A construct that reports findings, what it is checked for, and the path below which objects are its own. */
interface Reporter {
  readonly construct: IConstruct;
  readonly props: ReporterProps;
  readonly place: string;
}

/** What each construct of a stack has to report. */
type Reports = ReadonlyMap<IConstruct, readonly Finding[]>;

/** All constructs of an app that report findings, by App. */
const reportersOfApps = new WeakMap<IConstruct, Reporter[]>();

/** Constructs that prove the scripts of their ConfigMap themselves, with the testdata that the manifest does not have. */
const provers = new WeakSet<IConstruct>();

/** What was found in a World, by what it was checked for. */
const known = new WeakMap<World, Map<string, Reports>>();

/** What a construct reports that is not what every construct does. */
interface ReportOptions {
  /** What the construct has to say beside what the checks find. */
  readonly further?: (world: World) => readonly Finding[];
  /** The construct below which objects are its own. */
  readonly scope?: IConstruct;
}

/** Makes a construct report at synth what the checks and the rehearsals find in its stack. */
export function addChecks(
  construct: IConstruct,
  props: ReporterProps,
  { further = () => [], scope = construct }: ReportOptions = {},
): void {
  const { root, path } = construct.node;
  for (const [index, probe] of (props.rehearsal?.probes ?? []).entries())
    parsedProbe(probe, `${path}: rehearsal.probes[${index}]`);
  const reporters = reportersOfApps.get(root) ?? [];
  reporters.push({ construct, props, place: scope.node.path });
  reportersOfApps.set(root, reporters);
  const validate = () => {
    const world = worldOf(construct);
    return reportFindings([...further(world), ...findingsFor(construct, world)], props, construct);
  };
  construct.node.addValidation({ validate });
}

/** Says that a construct proves the scripts that it writes by itself. */
export function provesScripts(construct: IConstruct): void {
  provers.add(construct);
}

/**
 * What one construct has to report of its stack as it is in this World: what was found in its own objects, and, if it is
 * the first one, what was found in objects that no reporting construct made. So every finding is reported once.
 */
export function findingsFor(construct: IConstruct, world: World): readonly Finding[] {
  const reporters = reportersWith(construct);
  const options = optionsFor(construct, reporters);
  const results = known.get(world) ?? new Map<string, Reports>();
  known.set(world, results);
  const key = JSON.stringify([
    options.kruiseVersion?.version,
    options.kruiseVersion?.facts,
    options.controllerNamespace,
    options.awsLoadBalancerController?.facts,
    options.istioVersion,
  ]);
  const reports = results.get(key) ?? reportsOf(world, options, reporters);
  results.set(key, reports);
  return reports.get(construct) ?? [];
}

/** The rehearsals of the stack of a construct, step by step and request by request. */
export function rehearsalsFor(construct: IConstruct, world: World): readonly Rehearsal[] {
  const reporters = reportersWith(construct);
  return checkedStack(world, optionsFor(construct, reporters), reporters, { reports: true }).rehearsals;
}

/** The reporting constructs of the stack that a construct belongs to. */
function reportersWith(construct: IConstruct): readonly Reporter[] {
  const stack = stackOf(construct);
  return (reportersOfApps.get(construct.node.root) ?? []).filter((each) => stackOf(each.construct) === stack);
}

/** One construct that says which release it is says it for the cluster. */
function optionsFor(construct: IConstruct, reporters: readonly Reporter[]): StackCheckOptions {
  const own = reporters.filter((reporter) => reporter.construct === construct);
  const all = [...own, ...reporters].map(({ props }) => props);
  const said = <K extends keyof ReporterProps>(key: K): ReporterProps[K] =>
    all.find((one) => one[key] !== undefined)?.[key];
  const kruiseVersion = said('version');
  const controllerNamespace = said('controllerNamespace');
  const awsLoadBalancerController = said('loadBalancerController');
  const istioVersion = said('istioVersion');
  return {
    ...(kruiseVersion && { kruiseVersion }),
    ...(controllerNamespace && { controllerNamespace }),
    ...(awsLoadBalancerController && { awsLoadBalancerController }),
    ...(istioVersion && { istioVersion }),
  };
}

function reportsOf(world: World, options: StackCheckOptions, reporters: readonly Reporter[]): Reports {
  const places = byPlace(reporters);
  const { findings } = checkedStack(world, options, reporters, { reports: false });
  const [first] = [...places.keys()].sort();
  const reports = new Map<IConstruct, Finding[]>();
  for (const finding of findings) {
    const { construct } = makerOf(finding.construct, places) ?? places.get(first!)!;
    const report = reports.get(construct) ?? [];
    report.push(finding);
    reports.set(construct, report);
  }
  return reports;
}

function checkedStack(
  world: World,
  options: StackCheckOptions,
  reporters: readonly Reporter[],
  { reports }: { readonly reports: boolean },
): StackResult {
  // Loaded here, because an app that only composes its tree should not pay for schemas and rules.
  const { checkStack } = require('../check') as typeof import('../check');
  const places = byPlace(reporters);
  return checkStack(world, {
    ...options,
    external: reporters.flatMap(({ props }) => props.external ?? []),
    suppressions: reporters.flatMap(suppressionsOf),
    rehearsal: {
      probes: reporters.flatMap(probesOf),
      only: ({ construct }) => makerOf(construct, places)?.props.rehearsal?.enabled ?? true,
      reports,
    },
    isProven: isProvenIn(reporters[0]!.construct.node.root),
  });
}

function byPlace(reporters: readonly Reporter[]): ReadonlyMap<string, Reporter> {
  return new Map(reporters.map((reporter) => [reporter.place, reporter]));
}

function probesOf({ construct, props }: Reporter): RehearsalRequest[] {
  return (props.rehearsal?.probes ?? []).map((probe) => parsedProbe(probe, construct.node.path));
}

function parsedProbe(probe: string, place: string): RehearsalRequest {
  const { parseRequest } = require('../rehearsal/request') as typeof import('../rehearsal/request');
  try {
    return parseRequest(probe);
  } catch (error) {
    throw new Error(`${place}: ${(error as Error).message}`);
  }
}

/** The innermost reporting construct that holds the one of this path. */
function makerOf(construct: string | undefined, reporters: ReadonlyMap<string, Reporter>): Reporter | undefined {
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

function isProvenIn(root: IConstruct): (configMap: Manifest) => boolean {
  const proven = new Set(root.node.findAll().flatMap((each) => (provers.has(each) ? [each.node.path] : [])));
  return ({ construct }) => construct !== undefined && proven.has(parentOf(construct) ?? '');
}

function suppressionsOf({ place, props }: Reporter): Suppression[] {
  const own = place === '' ? {} : { construct: place };
  return (props.suppressions ?? []).map((one) => (one.object === undefined ? { ...one, ...own } : one));
}
