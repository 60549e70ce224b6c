/** What changes for one stack when its cluster gets other releases of controllers. */
import type { ObjectRef } from '../core/finding';
import type { Rehearsal } from '../core/rehearsal-result';
import type { UpgradedFact, UpgradeReport } from '../core/upgrade-result';
import type { World } from '../core/world';
import type { RehearsalOptions, StackCheckOptions } from '../settings/check-options';
import { VERSION_TITLES } from '../settings/versions';
import { type DifferentFact, differentFacts } from './facts';
import { differentFields } from './fields';
import { comparedFindings } from './findings';
import { courseKey, findingKey, type Outcome, objectKey, outcomeOf } from './outcome';
import { comparedRehearsals } from './rehearsals';
import { type Sample, sampleOf } from './sample';
import { differentScripts } from './scripts';
import { type UpgradeVersions, VERSION_OF, versionText } from './software';

export { type NamedRelease, readRelease, SOFTWARE, type UpgradeVersions, versionsOf } from './software';

/** How an upgrade is examined. */
export interface UpgradeOptions {
  /** How the stack is checked, on both sides. */
  readonly check: StackCheckOptions;
  readonly versions: UpgradeVersions;
}

/** How far a report has come: its work is done in pieces, so that the caller can tell people. */
export interface UpgradeProgress {
  readonly done: number;
  readonly total: number;
}

/**
 * What changes for a stack between two sets of releases. It yields after each piece of work, and returns the report.
 *
 * @example
 * const steps = upgrade(world, { check: {}, versions: versionsOf(world, {}, [], [readRelease('kruise=0.6.2', '--to')]) });
 */
export function* upgrade(
  world: World,
  { check, versions }: UpgradeOptions,
): Generator<UpgradeProgress, UpgradeReport, void> {
  const { software, from, to } = versions;
  const facts = differentFacts(versions);
  const total = 2 + facts.length;
  const before = outcomeOf(world, check, from);
  yield { done: 1, total };
  const after = outcomeOf(world, check, to);
  yield { done: 2, total };
  const releases = software.map((one) => {
    const name = VERSION_OF[one];
    const [old, now] = [versionText(from[name]), versionText(to[name])];
    return { software: one, title: VERSION_TITLES[name], from: old, to: now };
  });
  const names = releases.flatMap((each) => [each.from, each.to]);
  const differences = {
    ...comparedFindings(before.findings, after.findings, names),
    rollouts: comparedRehearsals(before.rehearsals, after.rehearsals),
  };
  const isDifferent = outcomeKey(before, names) !== outcomeKey(after, names);
  const setting = isDifferent ? settingOf(sampleOf(world, differences), check, versions, names) : undefined;
  const met: UpgradedFact[] = [];
  for (const [index, fact] of facts.entries()) {
    // What is the same as a whole needs no explanation.
    const result = setting && metBy(fact, setting);
    if (result !== undefined) met.push(result);
    yield { done: 3 + index, total };
  }
  return {
    releases,
    ...differences,
    rehearsed: after.rehearsals.length,
    facts: met,
    triedWith: setting?.rollouts ?? 0,
    otherFacts: facts.length - met.length,
    fields: differentFields(world, from, to),
    scripts: differentScripts(world, check, from, to),
  };
}

/** How single facts are tried. */
interface TrialSetting {
  readonly world: World;
  readonly check: StackCheckOptions;
  /** Outcomes by their releases. */
  readonly known: ReadonlyMap<object, Outcome>;
  /** How many Rollouts it rehearses. */
  readonly rollouts: number;
  /** The texts of all releases. */
  readonly names: readonly string[];
}

function settingOf(
  { world, rollouts, hasScripts }: Sample,
  check: StackCheckOptions,
  { from, to }: UpgradeVersions,
  names: readonly string[],
): TrialSetting {
  const options = {
    ...check,
    rehearsal: check.rehearsal !== false && onlyThose(rollouts, check.rehearsal),
    // Checks of scripts cost more than all others, and no fact changes what is found in them.
    ...(!hasScripts && { isProven: () => true }),
  };
  const [before, after] = [outcomeOf(world, options, from), outcomeOf(world, options, to)];
  const known = new Map([
    [from, before],
    [to, after],
  ]);
  return { world, check: options, known, names, rollouts: after.rehearsals.length };
}

function onlyThose(rollouts: ReadonlySet<string>, rehearsal: RehearsalOptions = {}): RehearsalOptions {
  const { only = () => true } = rehearsal;
  return { ...rehearsal, only: (rollout) => only(rollout) && rollouts.has(objectKey(rollout.ref)) };
}

/** What a fact changes when it alone changes; undefined if that is nothing. */
function metBy(
  { trials, ...fact }: DifferentFact,
  { world, check, known, names }: TrialSetting,
): UpgradedFact | undefined {
  const rules = new Set<string>();
  const rollouts = new Map<string, ObjectRef>();
  for (const { from, to } of trials) {
    const [before, after] = [from, to].map((versions) => known.get(versions) ?? outcomeOf(world, check, versions));
    const { appears, gone } = comparedFindings(before!.findings, after!.findings, names);
    for (const { rule } of [...appears, ...gone]) rules.add(rule);
    for (const ref of otherCourses(before!.rehearsals, after!.rehearsals)) rollouts.set(objectKey(ref), ref);
  }
  if (rules.size === 0 && rollouts.size === 0) return undefined;
  const sorted = [...rollouts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, ref]) => ref);
  return { ...fact, rules: [...rules].sort(), rollouts: sorted };
}

/** The Rollouts whose rehearsals differ, or that only one side rehearses. */
function otherCourses(from: readonly Rehearsal[], to: readonly Rehearsal[]): ObjectRef[] {
  const [before, after] = [from, to].map((all) => new Map(all.map((one) => [objectKey(one.rollout), one])));
  const refs = new Map([...before!, ...after!].map(([key, { rollout }]) => [key, rollout]));
  return [...refs].flatMap(([key, ref]) => {
    const [one, other] = [before!.get(key), after!.get(key)];
    return one !== undefined && other !== undefined && courseKey(one) === courseKey(other) ? [] : [ref];
  });
}

/** A text that is equal for outcomes without a difference. */
function outcomeKey({ findings, rehearsals }: Outcome, names: readonly string[]): string {
  const found = findings.map((finding) => findingKey(finding, names)).sort();
  return JSON.stringify([found, rehearsals.map((one) => [objectKey(one.rollout), courseKey(one)]).sort()]);
}
