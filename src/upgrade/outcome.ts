/** What a stack is with one set of releases: its findings and rehearsals, and what identifies them on both sides. */
import { checkStack } from '../check';
import { type Finding, fingerprintOf, type ObjectRef } from '../core/finding';
import type { Rehearsal, RehearsedCell } from '../core/rehearsal-result';
import type { World } from '../core/world';
import type { StackCheckOptions } from '../settings/check-options';
import { versionRules } from '../settings/rules';
import type { Versions } from '../settings/versions';

/** The findings and rehearsals of a stack. */
export interface Outcome {
  readonly findings: readonly Finding[];
  readonly rehearsals: readonly Rehearsal[];
}

/** An install in the stack has the release of before: that it contradicts the other one is no news. */
const ABOUT_THE_INSTALL = new Set<string>(Object.values(versionRules).map(({ id }) => id));

/** Checks and rehearses a stack with these releases. */
export function outcomeOf(world: World, options: StackCheckOptions, versions: Versions): Outcome {
  const { findings, rehearsals } = checkStack(world, { ...options, ...versions });
  return { findings: findings.filter(({ rule }) => !ABOUT_THE_INSTALL.has(rule)), rehearsals };
}

/**
 * A text that is equal for the same finding of both sides: messages name the release that they are about.
 * @param releases the texts of all releases that are compared
 */
export function findingKey(finding: Finding, releases: readonly string[]): string {
  const { rule, object, path, message } = fingerprintOf(finding);
  const { step, request, severity } = finding;
  return JSON.stringify([rule, severity, object, path, step, request, withoutReleases(message, releases)]);
}

function withoutReleases(message: string, releases: readonly string[]): string {
  const names = [...releases].sort((a, b) => b.length - a.length).map((name) => name.replace(/[^\w]/g, '\\$&'));
  return names.length === 0
    ? message
    : message.replace(new RegExp(`\\bv?(${names.join('|')})(?![.\\w]*\\d)`, 'g'), '…');
}

/** `Rollout shop/web`, for keys. */
export function objectKey({ apiVersion = '', kind, namespace = '', name }: ObjectRef): string {
  return `${apiVersion.split('/')[0]} ${kind} ${namespace}/${name}`;
}

/** A text that is equal for requests that users see answered alike: by the same shares, and with the same errors. */
export function cellKey({ shares, answer }: Pick<RehearsedCell, 'shares' | 'answer'>): string {
  const rounded = Object.values(shares).map((share) => Math.round(share * 1e6));
  const isPods = shares.failed === 0 && shares.other === 0 && answer.kind === 'services';
  return JSON.stringify([rounded, isPods ? 'pods' : answer]);
}

/** A text that is equal for rehearsals of the same course, whatever is found in them. */
export function courseKey(rehearsal: Rehearsal): string {
  const momentsOf = (moments: Rehearsal['moments']) =>
    moments.map(({ phase, step, title, changes, cells }) => [phase, step, title, changes, cells.map(cellKey)]);
  const stories = rehearsal.stories?.map(({ name, end, why, moments }) => [name, end, why, momentsOf(moments)]);
  const requests = rehearsal.requests.map(({ text }) => text);
  return JSON.stringify([requests, momentsOf(rehearsal.moments), stories, rehearsal.stopped?.class]);
}
