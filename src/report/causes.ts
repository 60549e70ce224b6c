/** Findings as people read them: those of one cause together, and what matters for traffic first. */
import type { Finding, FindingCause, Severity } from '../core/finding';
import { objectNameOf } from './reporter';

/** Findings of one rule about one object, and those that follow from them. */
export interface Cause {
  readonly rule: string;
  readonly severity: Severity;
  readonly findings: readonly [Finding, ...Finding[]];
  readonly consequences: readonly Finding[];
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

/** What a rehearsal saw comes first, and what is said of a script in general last. */
function rankOf(cause: Cause): number {
  const isSeen = cause.rule.startsWith('rehearsal-') || cause.consequences.length > 0;
  const subject = isSeen ? 0 : cause.rule.startsWith('lua-') ? 2 : 1;
  return severityRank(cause) * 3 + subject;
}

/** The worst of a cause and what follows from it. */
function severityRank({ severity, consequences }: Cause): number {
  return Math.min(...[severity, ...consequences.map((each) => each.severity)].map((each) => SEVERITIES.indexOf(each)));
}

/** The causes in the order in which people deal with them; findings keep their order within. */
export function causesOf(findings: readonly Finding[]): readonly Cause[] {
  const firsts = new Map<string, string>();
  for (const { severity, ...finding } of findings) {
    const id = JSON.stringify(identityOf(finding));
    if (!firsts.has(id)) firsts.set(id, severity);
  }
  const byCause = new Map<string, { own: Finding[]; consequences: Finding[] }>();
  for (const finding of findings) {
    const cause = finding.cause === undefined ? undefined : JSON.stringify(identityOf(finding.cause));
    const severity = cause === undefined ? undefined : firsts.get(cause);
    const isConsequence = severity !== undefined;
    const key = isConsequence ? `${severity} ${cause}` : `${finding.severity} ${JSON.stringify(identityOf(finding))}`;
    const known = byCause.get(key) ?? { own: [], consequences: [] };
    byCause.set(key, known);
    (isConsequence ? known.consequences : known.own).push(finding);
  }
  const causes = [...byCause.values()].map(({ own, consequences }): Cause => {
    const [first, ...others] = own as [Finding, ...Finding[]];
    return { rule: first.rule, severity: first.severity, findings: [first, ...others], consequences };
  });
  return causes.sort((a, b) => rankOf(a) - rankOf(b));
}

function identityOf({ rule, object }: FindingCause): readonly unknown[] {
  return [rule, object?.kind, object?.namespace, object?.name];
}

/** With fewer causes, the findings themselves are as short. */
const OVERVIEW_FROM = 5;

/**
 * What fails, in how many objects, and where to begin; nothing for a few findings.
 * @example ['7 causes of errors in 3 objects', 'begin with alb-group-order in Ingress shop/web: group.order is "2000"']
 */
export function overviewOf(causes: readonly Cause[]): readonly string[] {
  const [first] = causes;
  if (first === undefined || causes.length < OVERVIEW_FROM) return [];
  const counted = SEVERITIES.flatMap((severity) => {
    const count = causes.filter((cause) => SEVERITIES[severityRank(cause)] === severity).length;
    return count === 0 ? [] : [`${count} of ${severity}s`];
  });
  const objects = new Set(
    causes.flatMap(({ findings, consequences }) =>
      [...findings, ...consequences].flatMap(({ object }) => nameOf(object) ?? []),
    ),
  );
  const [{ rule, object, message }] = first.findings;
  const place = object === undefined ? '' : ` in ${objectNameOf(object)}`;
  return [
    `${causes.length} causes, ${counted.join(', ')}, in ${objects.size} object${objects.size === 1 ? '' : 's'}`,
    `begin with ${rule}${place}: ${message.split('\n')[0]}`,
  ];
}

function nameOf(object: Finding['object']): string | undefined {
  return object === undefined ? undefined : objectNameOf(object);
}
