/**
 * All components of one stack, checked together once all of them are there: what one refers to and another one makes, and
 * the rehearsal of their releases. Nothing here throws into the program: what was found goes into the log.
 */
import * as pulumi from '@pulumi/pulumi';
import type { StackCheckOptions } from '../check';
import { isWithinConstruct } from '../core/construct-path';
import { type Finding, identityOf } from '../core/finding';
import { Manifest } from '../core/manifest';
import { World } from '../core/world';
import { rejectOldNames } from '../settings/config';
import { optionsOfMembers } from '../settings/members';
import type { StackFacts } from './checks';
import type { AnyComponentObjects } from './component-objects';
import { isDeferred } from './deferred';
import { isPlainObject, textFor } from './output-placeholders';
import { stateOf } from './output-state';
import { type KubernetesResource, kindOf } from './references';
import { logFinding, logUnchecked } from './report';

/** A component, and what it is checked for. */
export interface Member {
  readonly component: pulumi.Resource;
  readonly objects: AnyComponentObjects;
  readonly facts: StackFacts;
  /** The resources of its objects, by their names. */
  readonly children: ReadonlyMap<string, pulumi.Resource>;
  /** Resources of the program that it refers to. */
  readonly references: readonly KubernetesResource[];
}

/** One program may run several stacks, and tests run many. */
const watches = new WeakMap<object, Watch>();

/** Watches a component: its values as they become known, and the stack that it is part of. */
export function watch(member: Member): void {
  rejectOldNames(member.facts, member.objects.title);
  currentWatch().add(member);
}

/**
 * Everything that was found in the stack, when all its components are there and all their values are known that will be.
 * The log has the same; this is for tests.
 *
 * @example expect(await stackFindings()).toEqual([]);
 */
export async function stackFindings(): Promise<readonly Finding[]> {
  return currentWatch().findings();
}

/** What the program of one stack has to itself. */
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
  private readonly said = new Set<string>();
  private readonly due = new Set<Member>();
  private running: Promise<readonly Finding[]> = Promise.resolve([]);

  add(member: Member): void {
    this.members.push(member);
    for (const finding of member.objects.warnings) this.say(finding);
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

  /** Says what is wrong with the values of one component that are known by now. */
  private checkAlone(member: Member): void {
    try {
      for (const finding of member.objects.known().findings) this.say(finding);
    } catch (error) {
      this.giveUp(member.component, error);
    }
  }

  private async run(count: number): Promise<readonly Finding[]> {
    // The program may be over before the last value is known, and the log has to be open until then.
    const release = pulumi.runtime.rpcKeepAlive();
    try {
      await this.complete();
      // Every component starts a run, and that of the last one knows all of them.
      return count === this.members.length ? await this.check([...this.members]) : await this.running;
    } catch (error) {
      this.giveUp(this.members[0]?.component, error);
      return [];
    } finally {
      release();
    }
  }

  /** Waits until the program has made all of its components, and until every value is known or will not be. */
  private async complete(): Promise<void> {
    const stack = pulumi.runtime.getStackResource();
    // Without the program of a stack, as in tests, components are made until nothing else happens.
    if (stack !== undefined) await stateOf(stack.outputs);
    let seen: number;
    do {
      seen = this.members.length;
      await Promise.all(this.members.flatMap(({ objects }) => objects.placeholders.all.map(({ settled }) => settled)));
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.members.length !== seen);
  }

  private async check(members: readonly Member[]): Promise<readonly Finding[]> {
    const references = await referencedBy(members);
    const known = members.map(({ objects }) => objects.known());
    const world = World.of([...references, ...known.flatMap(({ manifests }) => manifests)]);
    const unknown = members.filter(({ objects }) => objects.placeholders.unknown.length > 0);
    const findings = checkedTogether(world, members)
      .filter((finding) => !isDeferred(finding, world))
      // What it is about may be what is not known.
      .filter(({ rule }) => unknown.length === 0 || rule !== 'suppression-unused');
    const alone = members.flatMap(({ objects }) => objects.warnings);
    const now = known.flatMap((each) => each.findings);
    const all = [...new Map([...alone, ...now, ...findings].map((finding) => [identityOf(finding), finding])).values()];
    for (const finding of all) this.say(finding);
    for (const member of unknown) this.sayUnchecked(member);
    return all;
  }

  private say(finding: Finding): void {
    if (this.isSaid(identityOf(finding))) return;
    const member = this.members.find(({ objects }) => isWithinConstruct(finding.construct, objects.id));
    const child = finding.construct?.slice(finding.construct.indexOf('/') + 1);
    const resource = member?.children.get(child ?? '') ?? member?.component;
    logFinding(finding, resource, member?.facts.warnings === 'fail');
  }

  private sayUnchecked({ component, objects: { title, placeholders } }: Member): void {
    const later = placeholders.unknown.filter((one) => !placeholders.secret.includes(one));
    const reasons = [
      { list: pulumi.runtime.isDryRun() ? later : [], why: 'not checked yet, as it is known only during the update' },
      { list: placeholders.secret, why: 'not checked, as it is a secret' },
    ];
    for (const { list, why } of reasons) {
      const text = `${title}: ${why}: ${[...new Set(list.map(({ path }) => path))].join(', ')}`;
      if (list.length > 0 && !this.isSaid(text)) logUnchecked(text, component);
    }
  }

  private giveUp(component: pulumi.Resource | undefined, error: unknown): void {
    const text = `rollout-constructs could not check the stack: ${error instanceof Error ? error.message : String(error)}`;
    if (!this.isSaid(text)) void pulumi.log.warn(text, component).catch(() => undefined);
  }

  private isSaid(text: string): boolean {
    const isSaid = this.said.has(text);
    this.said.add(text);
    return isSaid;
  }
}

/** The findings of the whole stack. */
export function checkedTogether(world: World, members: readonly Member[]): Finding[] {
  // Loaded here: it knows every rule of every system.
  const { checkStack } = require('../check') as typeof import('../check');
  return checkStack(world, optionsFor(members)).findings.map(inProgram);
}

/** How the whole stack is checked. */
function optionsFor(members: readonly Member[]): StackCheckOptions {
  const stated = members.map(({ facts, objects }) => ({ id: objects.id, settings: facts }));
  const ownerOf = (construct: string | undefined) => stated.find(({ id }) => isWithinConstruct(construct, id));
  const provers = members.filter(({ facts }) => facts.provesScripts === true);
  const options = optionsOfMembers(stated, ownerOf);
  return {
    ...options,
    rehearsal: { ...(options.rehearsal || {}), reports: false },
    isProven: ({ construct }) => provers.some(({ objects }) => isWithinConstruct(construct, objects.id)),
  };
}

/**
 * A program has more resources than those that components name, so that an object that is only named by its name may well
 * be there.
 */
function inProgram(finding: Finding): Finding {
  if (finding.rule !== 'kruise-reference-missing' || finding.severity === 'note') return finding;
  return {
    ...finding,
    severity: 'note',
    fix: 'give the resource itself instead of its name, so that it is checked too; or say that it is external',
  };
}

/** The objects of resources that components refer to, with texts for what is unknown in them. */
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
  // A secret must not come into the log by way of a finding.
  if (states.some(({ state }) => state.failed || state.secret)) return undefined;
  const entries = states.map(({ key, value, state }) => [
    key,
    state.value === undefined && !state.known ? textFor(value as object) : withTexts(state.value, value as object),
  ]);
  return Manifest.of({ ...Object.fromEntries(entries), ...kindOf(resource) });
}

/** Puts a text in the place of everything that is unknown. */
function withTexts(value: unknown, output: object): unknown {
  if (pulumi.isUnknown(value)) return textFor(output);
  if (Array.isArray(value)) return value.map((entry) => withTexts(entry, output));
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined && entry !== null);
  return Object.fromEntries(entries.map(([key, entry]) => [key, withTexts(entry, output)]));
}
