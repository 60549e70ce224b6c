import { isWithinConstruct } from './construct-path';
import {
  type Acceptance,
  collectFindings,
  type Finding,
  inReportOrder,
  type ObjectRef,
  type SourceLocation,
} from './finding';
import { compact } from './json';
import type { Manifest } from './manifest';
import { findingOf, type Rule, type RuleCatalogue } from './rule';
import { suppressionRules } from './rules';
import type { World } from './world';

/** The annotation that suppresses findings of the object that carries it. */
export const IGNORE_ANNOTATION = 'rollout-constructs.io/ignore';

/** Accepts a finding, stated in code. */
export interface Suppression {
  /** The rule's id. */
  readonly rule: string;
  /** Why the finding does not matter here. */
  readonly reason: string;
  /**
   * Only findings about this object.
   * @default - about any object
   */
  readonly object?: ObjectRef;
  /**
   * Only findings of this construct and those below it.
   * @default - of any construct
   */
  readonly construct?: string;
  /**
   * The file that states it, for reports.
   * @default - code
   */
  readonly source?: SourceLocation;
}

/** A finding that is not reported, and why. */
export interface SuppressedFinding extends Acceptance {
  readonly finding: Finding;
}

/** What remains of the findings after suppression. Both lists are in report order. */
export interface SuppressionResult {
  readonly findings: readonly Finding[];
  readonly suppressed: readonly SuppressedFinding[];
}

/** The inputs of `applySuppressions`. */
export interface SuppressionOptions {
  /** The manifests with their annotations. */
  readonly world: World;
  /** All rules that exist. */
  readonly catalogue: RuleCatalogue;
  /**
   * The suppressions stated in code.
   * @default - none
   */
  readonly suppressions?: readonly Suppression[];
  /**
   * The rules that were checked. A suppression of another rule is never reported as unused.
   * @default - all of the catalogue
   */
  readonly checked?: Iterable<Rule>;
  /**
   * Whose suppressions count. Those that do not are named in a note.
   * @default - everybody's
   */
  readonly trusts?: Trust;
}

/** Whether a suppression of a rule counts. */
export type Trust = (acceptance: Acceptance, rule: string) => boolean;

/** One entry of an annotation. */
export interface IgnoreEntry {
  readonly rule: string;
  readonly reason: string;
}

/**
 * The entries of an ignore annotation, separated by `;` or line feeds. A missing part of an entry is empty.
 * @example parseIgnore('alb-scheme: internal by design') // [{ rule: 'alb-scheme', reason: 'internal by design' }]
 */
export function parseIgnore(annotation: string): IgnoreEntry[] {
  return annotation
    .split(/[;\r\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const [rule = '', ...reason] = entry.split(':');
      return { rule: rule.trim(), reason: reason.join(':').trim() };
    });
}

/** The annotation that holds these entries: the reverse of `parseIgnore`. */
export function formatIgnore(entries: readonly IgnoreEntry[]): string {
  return entries.map(({ rule, reason }) => `${rule}: ${reason.replace(/[;\s]+/g, ' ').trim()}`).join('\n');
}

/** Removes the findings that are suppressed with a reason, and adds a finding for each invalid or unused suppression. */
export function applySuppressions(findings: Iterable<Finding>, options: SuppressionOptions): SuppressionResult {
  const { world, catalogue, checked = catalogue, trusts = () => true } = options;
  const annotated = new Map(world.manifests.map((manifest) => [manifest, annotatedOn(manifest)]));
  const stated = (options.suppressions ?? []).map((suppression) => inCode(suppression, world));
  const candidates = [...[...annotated.values()].flat(), ...stated];
  const isTrusted = (candidate: Candidate) => trusts(candidate.acceptance, candidate.entry.rule);
  const untrusted = new Set(candidates.filter((candidate) => !isTrusted(candidate)));
  const problems = new Map(candidates.map((candidate) => [candidate, problemOf(candidate, catalogue)]));

  const kept: Finding[] = [];
  const suppressed: SuppressedFinding[] = [];
  const used = new Set<Candidate>();
  for (const found of findings) {
    const { accepted } = found;
    if (accepted !== undefined && trusts(accepted, found.rule)) {
      suppressed.push({ finding: withoutAcceptance(found), ...accepted });
      continue;
    }
    // Callers know their own findings again, so those stay the same objects.
    const finding = accepted === undefined ? found : withoutAcceptance(found);
    const manifest = finding.object && world.get(finding.object);
    const possible = [...((manifest && annotated.get(manifest)) ?? []), ...stated];
    const matching = possible.filter(
      (candidate) =>
        candidate.entry.rule === finding.rule && problems.get(candidate) === undefined && candidate.matches(finding),
    );
    for (const candidate of matching) used.add(candidate);
    const [counting] = matching.filter((candidate) => !untrusted.has(candidate));
    if (counting === undefined) kept.push(finding);
    else suppressed.push({ finding, ...counting.acceptance });
  }

  const checkedIds = new Set([...checked].map(({ id }) => id));
  const wrong = candidates.flatMap((candidate) => {
    const problem = problems.get(candidate);
    if (problem !== undefined) return [problem];
    if (untrusted.has(candidate)) return used.has(candidate) ? [distrusted(candidate)] : [];
    return used.has(candidate) || !checkedIds.has(candidate.entry.rule) ? [] : [unused(candidate)];
  });
  return {
    findings: collectFindings([...kept, ...wrong]),
    suppressed: inReportOrder(suppressed, ({ finding }) => finding),
  };
}

/** A suppression from an annotation or from code. */
interface Candidate {
  readonly entry: IgnoreEntry;
  readonly acceptance: Acceptance;
  /** Whether it matches a finding of its rule. For an annotation, only findings about the annotated object are asked. */
  matches(finding: Finding): boolean;
  finding(rule: Rule, details: { readonly message: string; readonly fix?: string }): Finding;
}

function annotatedOn(manifest: Manifest): Candidate[] {
  const path = ['metadata', 'annotations', IGNORE_ANNOTATION];
  return parseIgnore(manifest.annotations[IGNORE_ANNOTATION] ?? '').map((entry) => ({
    entry,
    acceptance: { reason: entry.reason, by: 'annotation', ...compact({ source: manifest.sourceOf(path) }) },
    matches: () => true,
    finding: (rule, details) => manifest.finding(rule, { ...details, path }),
  }));
}

function inCode(stated: Suppression, world: World): Candidate {
  const { rule, object, construct, source } = stated;
  const reason = stated.reason.trim();
  return {
    entry: { rule, reason },
    acceptance: { reason, by: source === undefined ? 'code' : 'configuration', ...compact({ source }) },
    matches: (finding) =>
      (object === undefined || (finding.object !== undefined && sameObject(object, finding.object, world))) &&
      (construct === undefined || isWithinConstruct(finding.construct, construct)),
    finding: (ruleOfFinding, details) => findingOf(ruleOfFinding, { ...details, ...compact({ object, construct }) }),
  };
}

function problemOf(candidate: Candidate, catalogue: RuleCatalogue): Finding | undefined {
  const { rule, reason } = candidate.entry;
  if (Object.hasOwn(suppressionRules, rule)) {
    return candidate.finding(suppressionRules['suppression-invalid'], {
      message: `${rule} cannot be suppressed`,
      fix: 'fix or remove that suppression',
    });
  }
  if (rule !== '' && !catalogue.has(rule)) {
    const meant = catalogue.closestTo(rule);
    return candidate.finding(suppressionRules['suppression-unknown-rule'], {
      message: `the suppression names the rule "${rule}", which does not exist`,
      ...(meant === undefined ? {} : { fix: `did you mean ${meant}?` }),
    });
  }
  if (rule === '' || reason === '') {
    return candidate.finding(suppressionRules['suppression-invalid'], {
      message: rule === '' ? 'the suppression names no rule' : `the suppression of ${rule} gives no reason`,
      fix: `write "${rule || '<rule>'}: <reason>"`,
    });
  }
  return undefined;
}

function withoutAcceptance({ accepted: _accepted, ...finding }: Finding): Finding {
  return finding;
}

function distrusted(candidate: Candidate): Finding {
  return candidate.finding(suppressionRules['suppression-untrusted'], {
    message: `the suppression of ${candidate.entry.rule} does not count here: ${candidate.entry.reason}`,
  });
}

function unused(candidate: Candidate): Finding {
  return candidate.finding(suppressionRules['suppression-unused'], {
    message: `the suppression of ${candidate.entry.rule} matches no finding`,
  });
}

function sameObject(a: ObjectRef, b: ObjectRef, world: World): boolean {
  const manifest = world.get(a);
  if (manifest !== undefined) return manifest === world.get(b);
  return a.kind === b.kind && a.name === b.name && (a.namespace === undefined || a.namespace === b.namespace);
}
