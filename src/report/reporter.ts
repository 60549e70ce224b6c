import type { Acceptance, Finding, Severity } from '../core/finding';
import type { RuleCatalogue } from '../core/rule';
import { shortened } from '../core/shortened';
import type { SuppressedFinding } from '../core/suppression';

/** The input of a format in addition to the findings. */
export interface ReportContext {
  /** Whether the text may have ANSI colours. */
  readonly color: boolean;
  /** Whether to use only ASCII, for terminals without Unicode. */
  readonly ascii: boolean;
  /**
   * The text of each file, to show the lines of findings.
   * @default - findings show only file, line and column
   */
  readonly sources?: ReadonlyMap<string, string>;
  /**
   * The rules that were checked, for formats that describe them.
   * @default - only the rules with findings
   */
  readonly catalogue?: RuleCatalogue;
  /**
   * The findings that are not reported, with the reason.
   * @default - none
   */
  readonly suppressed?: readonly SuppressedFinding[];
  /**
   * The version of this library.
   * @default - not named
   */
  readonly version?: string;
  /**
   * The number of checked objects.
   * @default - not shown
   */
  readonly objects?: number;
  /**
   * The releases that the objects were checked for, by the name of the software.
   * @default - not shown
   */
  readonly checkedFor?: Readonly<Record<string, string>>;
  /**
   * The releases that were assumed, one sentence each.
   * @default - none
   */
  readonly assumptions?: readonly string[];
  /**
   * The clusters or environments that were checked each by itself, with the number of objects of each.
   * @default - everything is one stack
   */
  readonly stacks?: readonly ReportedStack[];
  /**
   * What differs between them and matters for a release, one sentence each.
   * @default - nothing, or there are no several stacks
   */
  readonly differences?: readonly string[];
  /**
   * The shard of this report.
   * @default - the report has everything
   */
  readonly shard?: ReportedShard;
}

/** One of several stacks. */
export interface ReportedStack {
  /** `prod` */
  readonly name: string;
  readonly objects: number;
  /** The releases that it was checked for, by the name of the software. */
  readonly checkedFor?: Readonly<Record<string, string>>;
}

/** One shard of several, as `report merge` needs it. */
export interface ReportedShard {
  /** The number of the shard, from 1. */
  readonly index: number;
  readonly total: number;
  /** Findings that hold only if every shard reports them. */
  readonly ifAll: readonly Finding[];
}

/** Writes findings in one format, in the order given. */
export type Reporter = (findings: readonly Finding[], context: ReportContext) => string;

/** The number of findings of each severity. */
export interface FindingCounts {
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  readonly suppressed: number;
}

export function countFindings(findings: readonly Finding[], context: ReportContext): FindingCounts {
  const count = (severity: Severity) => findings.filter((finding) => finding.severity === severity).length;
  return {
    errors: count('error'),
    warnings: count('warning'),
    notes: count('note'),
    suppressed: context.suppressed?.length ?? 0,
  };
}

/** `1 error, 2 warnings (1 suppressed)` */
export function summaryOf({ errors, warnings, notes, suppressed }: FindingCounts): string {
  const counted = (count: number, what: string) => (count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'}`]);
  const parts = [...counted(errors, 'error'), ...counted(warnings, 'warning'), ...counted(notes, 'note')];
  return `${parts.join(', ') || 'no findings'}${suppressed === 0 ? '' : ` (${suppressed} suppressed)`}`;
}

/** What is suppressed for one reason, in one place. */
export interface SuppressedGroup extends Acceptance {
  readonly rule: string;
  /** `Ingress shop/web` */
  readonly objects: readonly string[];
  readonly count: number;
}

/** What is suppressed, by rule, place and reason: reports name it all, so that nothing is silenced unseen. */
export function suppressedGroups({ suppressed = [] }: ReportContext): SuppressedGroup[] {
  const groups = new Map<string, SuppressedGroup>();
  for (const { finding, reason, by, source } of suppressed) {
    const { rule, object } = finding;
    const key = JSON.stringify([rule, reason, by, source]);
    const known = groups.get(key);
    const objects = new Set([...(known?.objects ?? []), ...(object === undefined ? [] : [objectNameOf(object)])]);
    const place = { ...(by && { by }), ...(source && { source }) };
    groups.set(key, { rule, reason, ...place, objects: [...objects], count: (known?.count ?? 0) + 1 });
  }
  return [...groups.values()];
}

/** `alb-group-order of Ingress shop/web, by the annotation at deploy/web.yaml:7:5: internal by design` */
export function suppressedText({ rule, reason, by, source, objects, count }: SuppressedGroup): string {
  const [first, ...others] = objects;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const of = first === undefined ? '' : ` of ${first}${more}`;
  const times = count > 1 ? ` (${count} findings)` : '';
  const who = (by && WHO[by]) ?? '';
  const place = source === undefined ? '' : ` ${source.file}:${source.line}`;
  return `${rule}${of}${times}${who === '' ? '' : `, by ${who}${place}`}: ${reason}`;
}

const WHO: Readonly<Record<NonNullable<Acceptance['by']>, string>> = {
  annotation: 'the annotation',
  comment: 'the comment',
  code: 'a property in code',
  configuration: 'the configuration',
  option: 'an option',
  baseline: 'the baseline',
};

/** What a report adds to a finding: who lowered it, and which one it follows from. */
export function remarksOf({ lowered, cause }: Finding): string[] {
  return [
    ...(lowered === undefined ? [] : [`lowered from ${lowered.from} by ${lowered.by}`]),
    ...(cause === undefined ? [] : [`follows from ${cause.rule}`]),
  ];
}

/** `12 objects checked for Kruise Rollouts 0.6.2, Kubernetes 1.34`, and one line for each assumption. */
export function scopeLines({
  objects,
  checkedFor,
  assumptions = [],
  stacks,
  differences = [],
}: ReportContext): string[] {
  if (stacks !== undefined) return [...stacks.map(stackLine), ...assumptions, ...differences];
  if (objects === undefined) return [...assumptions];
  const versions = Object.entries(checkedFor ?? {}).map(([name, version]) => `${name} ${version}`);
  const checked = `${objects} object${objects === 1 ? '' : 's'} checked`;
  return [`${checked}${versions.length === 0 ? '' : ` for ${versions.join(', ')}`}`, ...assumptions];
}

function stackLine({ name, objects, checkedFor }: ReportedStack): string {
  return `${name}: ${scopeLines({ color: false, ascii: false, objects, ...(checkedFor && { checkedFor }) }).join('; ')}`;
}

/** `Ingress shop/web, spec.rules[0].host, steps[1]`: the subject of a finding, without its file. */
export function subjectOf({ object, path, construct, step, request }: Finding): string {
  return [
    ...(object === undefined ? [] : [objectNameOf(object)]),
    ...(path ? [path] : []),
    // The path of a step names it already.
    ...(step === undefined || path?.includes(`steps[${step}]`) ? [] : [`steps[${step}]`]),
    ...(request === undefined ? [] : [request]),
    ...(construct === undefined ? [] : [`construct ${construct}`]),
  ]
    .map((part) => shortened(part, PART_SHOWN))
    .join(', ');
}

/** Shortens names, because manifests that were never applied can have names of any length. */
const PART_SHOWN = 1000;

/** `Ingress shop/web` */
export function objectNameOf({ kind, namespace, name }: NonNullable<Finding['object']>): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
