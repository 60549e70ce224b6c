/** The severity of a finding. An `error` fails a synth or a check; a `warning` and a `note` do not. */
export type Severity = 'error' | 'warning' | 'note';

/** Names one Kubernetes object. */
export interface ObjectRef {
  /**
   * The API of the object: `apps/v1`.
   * @default - any
   */
  readonly apiVersion?: string;
  /** The kind of the object. */
  readonly kind: string;
  /**
   * The namespace of the object.
   * @default - none, or any where objects are looked for
   */
  readonly namespace?: string;
  /** The name of the object. */
  readonly name: string;
}

/** A place in a file that the user can open. Lines and columns count from 1. */
export interface SourceLocation {
  /** The file as the user named it, or `<stdin>`. */
  readonly file: string;
  /** The line; the first line is 1. */
  readonly line: number;
  /** The column; the first column is 1. */
  readonly column: number;
}

/** An object that does not exist; without `name`, any object of the kind. */
export type AbsentObject = Omit<ObjectRef, 'name'> & Partial<Pick<ObjectRef, 'name'>>;

/**
 * A problem: what is wrong, where, why it matters and how to fix it. The texts are for people. Code that filters, groups
 * or moves findings reads the other fields.
 */
export interface Finding {
  /** The rule's id, kebab-case and stable: `lua-header-ignored`. */
  readonly rule: string;
  /** The severity. */
  readonly severity: Severity;
  /** What is wrong, in one sentence: lower case, with the name of the thing and its value. */
  readonly message: string;
  /** Why that matters: what the controller or the load balancer does. */
  readonly because: string;
  /** The smallest change that fixes it. */
  readonly fix: string;
  /** The rule's documentation, relative to the repository: `docs/rules/<id>.md`, or `docs/rules/<page>.md#<id>`. */
  readonly docs: string;
  /** The Kubernetes object that has the problem. */
  readonly object?: ObjectRef;
  /** The field within the object: `spec.strategy.canary.steps[1].matches`. */
  readonly path?: string;
  /** The place in the user's file, if the object was read from a file. */
  readonly source?: SourceLocation;
  /** A second place that belongs to the problem: "the stable Ingress is declared here". */
  readonly related?: { readonly message: string; readonly object?: ObjectRef; readonly source?: SourceLocation };
  /** The construct's path in the cdk8s tree. */
  readonly construct?: string;
  /** The index of the rollout step, as in `steps[0]`. */
  readonly step?: number;
  /** The request that shows the problem: `GET https://shop.example.com/cart`. */
  readonly request?: string;
  /** Objects that the check looked for and did not find. The finding may be wrong if one of them exists. */
  readonly absent?: readonly AbsentObject[];
  /**
   * The finding that this one follows from: correct that one first.
   * @default - none is known
   */
  readonly cause?: FindingCause;
  /**
   * Who accepts it as it is. Such a finding is not reported, only named.
   * @default - nobody
   */
  readonly accepted?: Acceptance;
  /**
   * The severity that its rule has here, and who lowered it.
   * @default - it was not lowered
   */
  readonly lowered?: { readonly from: Severity; readonly by: string };
}

/** That somebody accepts a finding, and where it is written. */
export interface Acceptance {
  readonly reason: string;

  /**
   * An annotation of the object, a comment of the Lua script, a property in code, a configuration, an option or a baseline.
   * @default - not known
   */
  readonly by?: 'annotation' | 'comment' | 'code' | 'configuration' | 'option' | 'baseline';
  /**
   * Where it is written.
   * @default - not known
   */
  readonly source?: SourceLocation;
}

/** What identifies a finding that others follow from. */
export interface FindingCause {
  /** The rule's id. */
  readonly rule: string;
  /**
   * The object that has the problem.
   * @default - it has none
   */
  readonly object?: ObjectRef;
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

/**
 * The result of a check: each finding once, errors before warnings before notes, then by place. The same findings give
 * the same list in whatever order they were found.
 */
export function collectFindings(findings: Iterable<Finding>): Finding[] {
  const distinct = new Map([...findings].map((finding) => [identityOf(finding), finding]));
  return inReportOrder([...distinct.values()], (finding) => finding);
}

/** Sorts items as `collectFindings` sorts their findings. */
export function inReportOrder<T>(items: readonly T[], findingIn: (item: T) => Finding): T[] {
  return items
    .map((item) => ({ item, key: sortKey(findingIn(item)) }))
    .sort((a, b) => compareKeys(a.key, b.key))
    .map(({ item }) => item);
}

/** A text that is equal for equal findings only. */
export function identityOf(finding: Finding): string {
  return JSON.stringify(finding);
}

/** What identifies a finding in a baseline: no line or column, as they move. */
export function fingerprintOf({ rule, object, path = '', message, construct = '' }: Finding) {
  const subject = object === undefined ? construct : `${object.kind} ${object.namespace ?? ''}/${object.name}`;
  return { rule, object: subject, path, message };
}

/** The texts of a finding, for callers that show them to people in another form than a report. */
export function findingTexts({ message, because, fix, related }: Finding) {
  return { message, because, fix, note: related?.message ?? '' };
}

/** The finding with a remark in parentheses after its message. */
export function withRemark(finding: Finding, remark: string): Finding {
  return { ...finding, message: `${finding.message} (${remark})` };
}

type SortKey = readonly (string | number)[];

function sortKey({ severity, source, object, step, path = '', rule, message, ...rest }: Finding): SortKey {
  return [
    SEVERITIES.indexOf(severity),
    source?.file ?? '',
    source?.line ?? 0,
    source?.column ?? 0,
    object?.namespace ?? '',
    object?.kind ?? '',
    object?.name ?? '',
    step ?? -1,
    // `steps[10]` after `steps[9]`
    path.replace(/\d+/g, (digits) => digits.padStart(10, '0')),
    rule,
    message,
    rest.construct ?? '',
    rest.request ?? '',
  ];
}

function compareKeys(a: SortKey, b: SortKey): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  if (at < 0) return 0;
  return a[at]! < b[at]! ? -1 : 1;
}
