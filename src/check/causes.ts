/** What a rehearsal shows of a mistake that a check of the objects names: the one follows from the other. */
import type { Finding, FindingCause, ObjectRef } from '../core/finding';
import type { World } from '../core/world';
import { wholeCatalogue } from './catalogue';

/** Findings, those of rehearsals with the finding that they follow from where it is among `all`. */
export function withCauses(
  findings: readonly Finding[],
  world: World,
  all: readonly Finding[] = findings,
): readonly Finding[] {
  const catalogue = wholeCatalogue();
  const causes = all.flatMap((finding) => {
    const shown = finding.severity === 'note' ? undefined : catalogue.get(finding.rule)?.rehearsedAs;
    return shown === undefined ? [] : [{ finding, shown }];
  });
  if (causes.length === 0) return findings;
  return findings.map((finding) => {
    const { rule, object } = finding;
    if (!rule.startsWith('rehearsal-')) return finding;
    const cause = causes.find((each) => each.shown.includes(rule) && concerns(each.finding.object, object, world));
    return cause === undefined ? finding : { ...finding, cause: causeOf(cause.finding) };
  });
}

function causeOf({ rule, object }: Finding): FindingCause {
  return { rule, ...(object && { object }) };
}

/** Whether an object is the Rollout that was rehearsed, or one that its spec names. */
function concerns(object: ObjectRef | undefined, rollout: ObjectRef | undefined, world: World): boolean {
  if (object === undefined || rollout === undefined) return false;
  if ((object.namespace ?? world.defaultNamespace) !== (rollout.namespace ?? world.defaultNamespace)) return false;
  if (object.kind === rollout.kind) return object.name === rollout.name;
  return names(world.get(rollout)?.object.spec, object.name);
}

function names(value: unknown, name: string): boolean {
  if (typeof value !== 'object' || value === null) return value === name;
  return Object.values(value).some((each) => names(each, name));
}
