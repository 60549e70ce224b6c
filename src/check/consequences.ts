/** Findings that only follow from an object that the API server refuses. They hide the cause, so they are left out. */
import type { AbsentObject, Finding, ObjectRef } from '../core/finding';
import { schemaRules } from '../core/schema';
import { rehearsalRules } from '../rehearsal';
import { apiNameRules } from './api-not-served';
import { kubernetesRules } from './kubernetes-api';

/** Rules of what the API server refuses, and of what has no name to be sent with. */
const REFUSALS: ReadonlySet<string> = new Set([
  ...[schemaRules, apiNameRules, kubernetesRules].flatMap((rules) => Object.values(rules).map(({ id }) => id)),
  'metadata-not-a-string',
  'object-without-name',
  // These say why somebody wrote what is refused.
  'alb-annotation-key-too-long',
  'argo-alb-ingress-api',
]);

const NOT_PLAYED = rehearsalRules['rehearsal-refused'].id;

/** An object that is refused, and the fields that are why. */
interface Refused {
  readonly object: ObjectRef;
  readonly paths: string[];
}

/**
 * Leaves out what follows from a refused object: what is wrong with it where it is refused itself, what is said about it at
 * other objects, and that these do not find it. That a Rollout is not rehearsed for this reason becomes a note.
 */
export function withoutConsequences(findings: readonly Finding[]): Finding[] {
  const refused = refusedObjects(findings);
  if (refused.size === 0) return [...findings];
  const all = [...refused.values()];
  const isWaiting = (finding: Finding) => (finding.absent ?? []).some((one) => all.some((each) => mayBe(each, one)));
  const waiting = new Set(findings.filter(isWaiting).map(({ object }) => keyOf(object)));
  return findings.flatMap((finding) => {
    if (REFUSALS.has(finding.rule) || finding.severity === 'note') return [finding];
    if (finding.rule === NOT_PLAYED) return [refused.has(keyOf(finding.related?.object)) ? asNote(finding) : finding];
    const own = refused.get(keyOf(finding.object));
    const isOfOwn = own?.paths.some((path) => overlaps(path, finding.path ?? '')) ?? false;
    const isOfWaiting = finding.rule.startsWith('rehearsal-') && waiting.has(keyOf(finding.object));
    const isLeftOut = isOfOwn || isOfWaiting || isWaiting(finding) || speaksOf(finding, refused);
    return isLeftOut ? [] : [finding];
  });
}

function asNote(finding: Finding): Finding {
  return { ...finding, severity: 'note' };
}

function refusedObjects(findings: readonly Finding[]): ReadonlyMap<string, Refused> {
  const refused = new Map<string, Refused>();
  for (const { rule, severity, object, path = '' } of findings) {
    if (severity !== 'error' || object === undefined || !REFUSALS.has(rule)) continue;
    const key = keyOf(object);
    const known = refused.get(key);
    if (known === undefined) refused.set(key, { object, paths: [path] });
    else known.paths.push(path);
  }
  return refused;
}

/** Whether a finding about an object of another kind is about the refused one. */
function speaksOf({ object, related }: Finding, refused: ReadonlyMap<string, Refused>): boolean {
  return related?.object !== undefined && related.object.kind !== object?.kind && refused.has(keyOf(related.object));
}

/** Whether an object may have been meant to be one that others do not find: its name or its kind is refused. */
function mayBe({ object, paths }: Refused, absent: AbsentObject): boolean {
  const hasNoMetadata = paths.includes('metadata');
  const hasNoName = hasNoMetadata || object.name === '' || paths.includes('metadata.name');
  const hasNoKind = paths.includes('kind') || paths.includes('apiVersion');
  if (!hasNoMetadata && !isBeside(object, absent)) return false;
  return (hasNoName && object.kind === absent.kind) || (hasNoKind && object.name === absent.name);
}

function isBeside(a: Pick<ObjectRef, 'namespace'>, b: Pick<ObjectRef, 'namespace'>): boolean {
  return (a.namespace ?? 'default') === (b.namespace ?? 'default');
}

/** Whether one field contains the other. */
function overlaps(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long.startsWith(short) && (short === '' || long.length === short.length || /[.[]/.test(long[short.length]!));
}

function keyOf(object: ObjectRef | undefined): string {
  if (object === undefined) return '';
  const { apiVersion, kind, namespace, name } = object;
  return `${apiVersion} ${kind} ${namespace} ${name}`;
}
