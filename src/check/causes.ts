/** What a rehearsal shows of a mistake that a check of the objects names: the one follows from the other. */
import type { Finding, FindingCause, ObjectRef } from '../core/finding';
import { addTo } from '../core/grouped';
import type { World } from '../core/world';
import { wholeCatalogue } from './catalogue';

/** Findings, those of rehearsals with the finding that they follow from where it is among `all`. */
export function withCauses(
  findings: readonly Finding[],
  world: World,
  all: readonly Finding[] = findings,
): readonly Finding[] {
  const causes = new Causes(all, world);
  if (causes.isEmpty) return findings;
  return findings.map((finding) => {
    const { rule, object } = finding;
    const cause = rule.startsWith('rehearsal-') && object !== undefined ? causes.of(rule, object) : undefined;
    return cause === undefined ? finding : { ...finding, cause: causeOf(cause) };
  });
}

function causeOf({ rule, object }: Finding): FindingCause {
  return { rule, ...(object && { object }) };
}

/** Findings that a rehearsal shows too, by what it shows and by the object that has the mistake. */
class Causes {
  private readonly places = new Map<string, { readonly finding: Finding; readonly place: number }[]>();
  private readonly names = new Map<ObjectRef, ReadonlySet<string>>();

  constructor(
    findings: readonly Finding[],
    private readonly world: World,
  ) {
    const catalogue = wholeCatalogue();
    for (const [place, finding] of findings.entries()) {
      const { rule, severity, object } = finding;
      if (severity === 'note' || object === undefined) continue;
      for (const shown of catalogue.get(rule)?.rehearsedAs ?? []) {
        addTo(this.places, this.keyOf(shown, object.namespace, object.name), { finding, place });
      }
    }
  }

  get isEmpty(): boolean {
    return this.places.size === 0;
  }

  /** The first finding about the Rollout that was rehearsed, or about an object that its spec names. */
  of(shown: string, rollout: ObjectRef): Finding | undefined {
    const found = [...this.namesIn(rollout)].flatMap((name) => {
      const all = this.places.get(this.keyOf(shown, rollout.namespace, name)) ?? [];
      return all.filter(({ finding }) => finding.object!.kind !== rollout.kind || name === rollout.name);
    });
    return found.sort((a, b) => a.place - b.place)[0]?.finding;
  }

  private keyOf(shown: string, namespace = this.world.defaultNamespace, name: string): string {
    return `${shown} ${namespace}/${name}`;
  }

  private namesIn(rollout: ObjectRef): ReadonlySet<string> {
    const known = this.names.get(rollout);
    if (known !== undefined) return known;
    const names = new Set([rollout.name]);
    addTexts(this.world.get(rollout)?.object.spec, names);
    this.names.set(rollout, names);
    return names;
  }
}

function addTexts(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string') texts.add(value);
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) addTexts(each, texts);
}
