/** Findings as people read them: those of one cause together, and what matters for traffic first. */
import type { Finding, Severity } from '../core/finding';
import { objectNameOf } from './reporter';

/** Findings of one rule about one object. */
export interface Cause {
  readonly rule: string;
  readonly severity: Severity;
  readonly findings: readonly [Finding, ...Finding[]];
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];

/** What a rehearsal saw comes first, and what is said of a script in general last. */
function rankOf({ rule, severity }: Cause): number {
  const subject = rule.startsWith('rehearsal-') ? 0 : rule.startsWith('lua-') ? 2 : 1;
  return SEVERITIES.indexOf(severity) * 3 + subject;
}

/** The causes in the order in which people deal with them; findings keep their order within. */
export function causesOf(findings: readonly Finding[]): readonly Cause[] {
  const byCause = new Map<string, [Finding, ...Finding[]]>();
  for (const finding of findings) {
    const { severity, rule, object } = finding;
    const key = JSON.stringify([severity, rule, object?.kind, object?.namespace, object?.name]);
    const known = byCause.get(key);
    if (known === undefined) byCause.set(key, [finding]);
    else known.push(finding);
  }
  const causes = [...byCause.values()].map(
    (all): Cause => ({ rule: all[0].rule, severity: all[0].severity, findings: all }),
  );
  return causes.sort((a, b) => rankOf(a) - rankOf(b));
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
    const count = causes.filter((cause) => cause.severity === severity).length;
    return count === 0 ? [] : [`${count} of ${severity}s`];
  });
  const objects = new Set(causes.flatMap(({ findings }) => findings.flatMap(({ object }) => nameOf(object) ?? [])));
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
