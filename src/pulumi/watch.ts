/**
 * Checks all components of a stack together, when all of them exist: references between components, and the rehearsal of
 * their releases. Nothing here throws into the program: findings go into the log.
 */
import * as pulumi from '@pulumi/pulumi';
import type { StackCheckOptions, StackResult } from '../check';
import { isWithinConstruct } from '../core/construct-path';
import { collectFindings, type Finding, identityOf, type SourceLocation } from '../core/finding';
import { Manifest } from '../core/manifest';
import { World } from '../core/world';
import { atLine } from '../files/made-at';
import { rejectOldNames } from '../settings/config';
import { optionsOfMembers } from '../settings/members';
import type { StackFacts } from './checks';
import type { AnyComponentObjects } from './component-objects';
import { isDeferred } from './deferred';
import { isPlainObject, textFor } from './output-placeholders';
import { stateOf } from './output-state';
import { type KubernetesResource, kindOf } from './references';
import { failStack, logFinding, logUnchecked } from './report';
import { showsRehearsals, writeStackReport } from './report-files';

/** A component, and its settings for checks. */
export interface Member {
  readonly component: pulumi.Resource;
  /** The line of the program that makes the component. */
  readonly madeAt: () => SourceLocation | undefined;
  readonly objects: AnyComponentObjects;
  readonly facts: StackFacts;
  /** The resources of its objects, by their names. */
  readonly children: ReadonlyMap<string, pulumi.Resource>;
  /** Resources of the program that it refers to. */
  readonly references: readonly KubernetesResource[];
}

/** One process may run several stacks, and tests run many. */
const watches = new WeakMap<object, Watch>();

/** Checks a component whenever its values become known, and as a part of its stack. */
export function watch(member: Member): void {
  rejectOldNames(member.facts, member.objects.title);
  currentWatch().add(member);
}

/**
 * All findings in the stack, after all components exist and all values are known or stay unknown. For tests; the log has
 * the same findings.
 *
 * @example expect(await stackFindings()).toEqual([]);
 */
export async function stackFindings(): Promise<readonly Finding[]> {
  return currentWatch().findings();
}

/** A key for the state of one stack. */
export function stackKey(): object {
  return pulumi.runtime.getMonitor() ?? watches;
}

function currentWatch(): Watch {
  const monitor = stackKey();
  const known = watches.get(monitor) ?? new Watch();
  watches.set(monitor, known);
  return known;
}

class Watch {
  private readonly members: Member[] = [];
  private readonly reported = new Set<string>();
  private readonly due = new Set<Member>();
  private running: Promise<readonly Finding[]> = Promise.resolve([]);

  add(member: Member): void {
    this.members.push(member);
    for (const finding of member.objects.warnings) this.report(this.located(finding));
    for (const { settled } of member.objects.placeholders.all) void settled.then(() => this.checkSoon(member));
    this.running = this.run(this.members.length);
  }

  findings(): Promise<readonly Finding[]> {
    return this.running;
  }

  /** Values that become known together are checked together. */
  private checkSoon(member: Member): void {
    if (this.due.has(member)) return;
    this.due.add(member);
    setImmediate(() => {
      this.due.delete(member);
      this.checkAlone(member);
    });
  }

  /** Reports problems of the known values of one component. */
  private checkAlone(member: Member): void {
    try {
      for (const finding of member.objects.known().findings) this.report(this.located(finding));
    } catch (error) {
      this.giveUp(member.component, error);
    }
  }

  private async run(count: number): Promise<readonly Finding[]> {
    // The program may end before the last value is known. The log has to stay open until then.
    const release = pulumi.runtime.rpcKeepAlive();
    try {
      const isWhole = await this.complete();
      // Every component starts a run. The run of the last component has all of them.
      return count === this.members.length ? await this.check([...this.members], isWhole) : await this.running;
    } catch (error) {
      this.giveUp(this.members[0]?.component, error);
      return [];
    } finally {
      release();
    }
  }

  /**
   * Waits until the program has created all components, and until every value is known or stays unknown. False if the program
   * has stopped with an error.
   */
  private async complete(): Promise<boolean> {
    const stack = pulumi.runtime.getStackResource();
    // In tests there is no stack resource: all components exist when the event loop adds no more.
    const state = stack && (await stateOf(stack.outputs));
    let seen: number;
    do {
      seen = this.members.length;
      await Promise.all(this.members.flatMap(({ objects }) => objects.placeholders.all.map(({ settled }) => settled)));
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.members.length !== seen);
    return state?.failed !== true;
  }

  private async check(members: readonly Member[], isWhole: boolean): Promise<readonly Finding[]> {
    const references = await referencedBy(members);
    const known = members.map(({ objects }) => objects.known());
    const world = World.of([...references, ...known.flatMap(({ manifests }) => manifests)]);
    const unknown = members.filter(({ objects }) => objects.placeholders.unknown.length > 0);
    const result = checkTogether(world, members, showsRehearsals());
    const findings = result.findings
      .filter((finding) => !isDeferred(finding, world))
      // With unknown values, a suppression may match a finding that is not there yet.
      .filter(({ rule }) => unknown.length === 0 || rule !== 'suppression-unused');
    const alone = members.flatMap(({ objects }) => objects.warnings);
    const now = known.flatMap((each) => each.findings);
    const located = [...alone, ...now, ...findings].map((finding) => this.located(finding));
    const all = [...new Map(located.map((finding) => [identityOf(finding), finding])).values()];
    for (const finding of all) this.report(finding);
    const isFailing = (finding: Finding) =>
      finding.severity === 'error' ||
      (finding.severity === 'warning' && this.memberOf(finding)?.facts.warnings === 'fail');
    const fails = all.some(isFailing);
    // The report of a part of a stack would look like one without errors.
    if (isWhole) writeStackReport({ world, findings: collectFindings(all), result, fails });
    for (const member of unknown) this.reportUnchecked(member);
    if (fails) failStack();
    return all;
  }

  private report(finding: Finding): void {
    if (this.isReported(identityOf(finding))) return;
    const member = this.memberOf(finding);
    const child = finding.construct?.slice(finding.construct.indexOf('/') + 1);
    const resource = member?.children.get(child ?? '') ?? member?.component;
    logFinding(finding, resource, member?.facts.warnings === 'fail');
  }

  /** A finding in an object of a component points to the line that makes the component. */
  private located(finding: Finding): Finding {
    const member = this.memberOf(finding);
    return member === undefined ? finding : atLine(finding, member.madeAt);
  }

  private memberOf({ construct }: Finding): Member | undefined {
    return this.members.find(({ objects }) => isWithinConstruct(construct, objects.id));
  }

  private reportUnchecked({ component, objects: { title, placeholders } }: Member): void {
    const later = placeholders.unknown.filter((one) => !placeholders.secret.includes(one));
    const reasons = [
      { list: pulumi.runtime.isDryRun() ? later : [], why: 'not checked yet, as it is known only during the update' },
      { list: placeholders.secret, why: 'not checked, as it is a secret' },
    ];
    for (const { list, why } of reasons) {
      const text = `${title}: ${why}: ${[...new Set(list.map(({ path }) => path))].join(', ')}`;
      if (list.length > 0 && !this.isReported(text)) logUnchecked(text, component);
    }
  }

  private giveUp(component: pulumi.Resource | undefined, error: unknown): void {
    const text = `rollout-constructs could not check the stack: ${error instanceof Error ? error.message : String(error)}`;
    if (!this.isReported(text)) void pulumi.log.warn(text, component).catch(() => undefined);
  }

  private isReported(text: string): boolean {
    const isReported = this.reported.has(text);
    this.reported.add(text);
    return isReported;
  }
}

/** The findings of the whole stack. */
export function checkedTogether(world: World, members: readonly Member[]): readonly Finding[] {
  return checkTogether(world, members, false).findings;
}

/** The same with the rehearsals, if a report shows them. */
function checkTogether(world: World, members: readonly Member[], reports: boolean): StackResult {
  // Loaded on first use: it loads the rules of every system.
  const { checkStack } = require('../check') as typeof import('../check');
  const result = checkStack(world, optionsFor(members, reports));
  return { ...result, findings: result.findings.map(inProgram) };
}

/** The options for the check of the whole stack. */
function optionsFor(members: readonly Member[], reports: boolean): StackCheckOptions {
  const stated = members.map(({ facts, objects }) => ({ id: objects.id, settings: facts }));
  const ownerOf = (construct: string | undefined) => stated.find(({ id }) => isWithinConstruct(construct, id));
  const provers = members.filter(({ facts }) => facts.provesScripts === true);
  const options = optionsOfMembers(stated, ownerOf);
  return {
    ...options,
    rehearsal: { ...(options.rehearsal || {}), reports },
    isProven: ({ construct }) => provers.some(({ objects }) => isWithinConstruct(construct, objects.id)),
  };
}

/**
 * A program may have resources that no component refers to. An object that is given by name only may be one of them, so a
 * missing reference is a note.
 */
function inProgram(finding: Finding): Finding {
  if (finding.rule !== 'kruise-reference-missing' || finding.severity === 'note') return finding;
  return {
    ...finding,
    severity: 'note',
    fix: 'give the resource itself instead of its name, so that it is checked too; or list it in external',
  };
}

/** The objects of the resources that components refer to, with placeholders for unknown values. */
async function referencedBy(members: readonly Member[]): Promise<Manifest[]> {
  const own = new Set<pulumi.Resource>(members.flatMap(({ children }) => [...children.values()]));
  const resources = new Set(members.flatMap(({ references }) => references).filter((each) => !own.has(each)));
  const manifests = await Promise.all([...resources].map(manifestOf));
  return manifests.flatMap((manifest) => manifest ?? []);
}

async function manifestOf(resource: KubernetesResource): Promise<Manifest | undefined> {
  const fields = Object.entries(resource).filter(
    ([key, value]) =>
      !key.startsWith('__') && !['id', 'urn', 'status'].includes(key) && pulumi.Output.isInstance(value),
  );
  const states = await Promise.all(
    fields.map(async ([key, value]) => ({ key, value, state: await stateOf(value as pulumi.Output<unknown>) })),
  );
  // A finding must not bring a secret into the log.
  if (states.some(({ state }) => state.failed || state.secret)) return undefined;
  const entries = states.map(({ key, value, state }) => [
    key,
    state.value === undefined && !state.known
      ? textFor(value as object)
      : withPlaceholders(state.value, value as object),
  ]);
  return Manifest.of({ ...Object.fromEntries(entries), ...kindOf(resource) });
}

/** Replaces unknown values by a placeholder. */
function withPlaceholders(value: unknown, output: object): unknown {
  if (pulumi.isUnknown(value)) return textFor(output);
  if (Array.isArray(value)) return value.map((entry) => withPlaceholders(entry, output));
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined && entry !== null);
  return Object.fromEntries(entries.map(([key, entry]) => [key, withPlaceholders(entry, output)]));
}
