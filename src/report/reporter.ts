import type { Finding, Severity } from '../core/finding';
import type { RuleCatalogue } from '../core/rule';
import { shortened } from '../core/shortened';
import type { SuppressedFinding } from '../core/suppression';

/** What a format may need besides the findings. */
export interface ReportContext {
  /** Whether the text may hold ANSI colours. */
  readonly color: boolean;
  /** Only ASCII, for terminals that know nothing else. */
  readonly ascii: boolean;
  /**
   * The text of each file, so that the line can be shown.
   * @default - only file, line and column are named
   */
  readonly sources?: ReadonlyMap<string, string>;
  /**
   * The rules that were checked, for formats that describe them.
   * @default - only the rules that found something are named
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
   * How many objects were looked at.
   * @default - not told
   */
  readonly objects?: number;
  /**
   * The releases that the objects were checked for, by the names of what is released.
   * @default - not told
   */
  readonly checkedFor?: Readonly<Record<string, string>>;
  /**
   * Which of these nobody stated, one sentence each.
   * @default - none
   */
  readonly assumptions?: readonly string[];
  /**
   * Which part of the work this is a report of.
   * @default - of all of it
   */
  readonly shard?: ReportedShard;
}

/** One shard of several, as `report merge` has to know it. */
export interface ReportedShard {
  /** Counted from 1. */
  readonly index: number;
  readonly total: number;
  /** What is true only if every shard says so. */
  readonly ifAll: readonly Finding[];
}

/** Writes findings in one format. The findings come in the order in which they are reported. */
export type Reporter = (findings: readonly Finding[], context: ReportContext) => string;

/** How many findings there are of each kind. */
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

/** `12 objects checked for Kruise Rollouts 0.6.2, Kubernetes 1.34`, and one line for each assumption. */
export function scopeLines({ objects, checkedFor, assumptions = [] }: ReportContext): string[] {
  if (objects === undefined) return [...assumptions];
  const versions = Object.entries(checkedFor ?? {}).map(([name, version]) => `${name} ${version}`);
  const checked = `${objects} object${objects === 1 ? '' : 's'} checked`;
  return [`${checked}${versions.length === 0 ? '' : ` for ${versions.join(', ')}`}`, ...assumptions];
}

/** `Ingress shop/web, spec.rules[0].host, step 1`: what a finding is about, besides its place in a file. */
export function subjectOf({ object, path, construct, step, request }: Finding): string {
  return [
    ...(object === undefined ? [] : [objectName(object)]),
    ...(path ? [path] : []),
    ...(step === undefined ? [] : [`step ${step}`]),
    ...(request === undefined ? [] : [request]),
    ...(construct === undefined ? [] : [`construct ${construct}`]),
  ]
    .map((part) => shortened(part, PART_SHOWN))
    .join(', ');
}

/** Names in manifests that nobody has applied yet may have any length. */
const PART_SHOWN = 1000;

function objectName({ kind, namespace, name }: NonNullable<Finding['object']>): string {
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
