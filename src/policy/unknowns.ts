/**
 * Values that a preview does not know. Pulumi writes a text in their place, the same for all, so that nothing can be said
 * of an object that holds one as if it were a value. What is found whichever the value turns out to be is found all the
 * same: it is in an object with another text in that place, and in one without the field.
 */
import { ownValue, setOwnValue } from '../core/json';
import type { Path } from '../core/path';

/** What Pulumi writes for a boolean, a number, a text, a list, an asset, an archive and an object; in practice the third. */
const UNKNOWN: ReadonlySet<unknown> = new Set([
  '1c4a061d-8072-4f0a-a4cb-0ff528b18fe7',
  '3eeb2bf0-c639-47a8-9e75-3b44932eb421',
  '04da6b54-80e4-46f7-96ec-b56ff0331ba9',
  '6a19a0b0-7e62-4c92-b797-7f8e31da9cc2',
  '030794c1-ac77-496b-92df-f27374a8bd58',
  'e48ece36-62e2-4504-bad9-02848725956a',
  'dd056dcd-154b-4c76-9bd3-c8f88648b5ff',
]);

/** Annotations that say nothing about where requests go: what AWS gives an id only when it makes the thing. */
const IDS =
  /\/(certificate-arn|security-groups|subnets|wafv2-acl-arn|waf-acl-id|load-balancer-attributes|tags|inbound-cidrs|auth-idp-oidc|auth-idp-cognito|customer-owned-ipv4-pool|ipam-ipv4-pool-id|role-arn)$/;

/** Kinds that a release neither reads nor writes. */
const NOT_LOOKED_AT: ReadonlySet<string> = new Set([
  'CronJob',
  'HorizontalPodAutoscaler',
  'Job',
  'NetworkPolicy',
  'PersistentVolume',
  'PersistentVolumeClaim',
  'PodDisruptionBudget',
  'Secret',
  'StorageClass',
]);

/** Whether a value is not known yet. */
export function isUnknown(value: unknown): boolean {
  return UNKNOWN.has(value);
}

/** Where an object holds values that are not known yet. */
export function unknownPaths(value: unknown, path: Path = []): Path[] {
  if (isUnknown(value)) return [path];
  if (Array.isArray(value)) return value.flatMap((entry, index) => unknownPaths(entry, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => unknownPaths(entry, [...path, key]));
}

/** Whether the value at this path affects neither other objects nor where requests go. */
export function cannotAffectRouting(object: Readonly<Record<string, unknown>>, path: Path): boolean {
  const [first, second] = path;
  if (path.length === 3 && first === 'metadata' && second === 'annotations') return IDS.test(String(path[2]));
  // Of an unknown name, it may be the very object that another one seems to miss.
  if (path.length < 2 || first === 'metadata') return false;
  if (NOT_LOOKED_AT.has(String(object.kind))) return true;
  if (object.kind === 'ConfigMap') return first === 'data' && !String(second).startsWith('lua.');
  return path.at(-1) === 'caBundle' || isInPod(path);
}

/** Whether a path is in the pod template of a workload, where only ports matter. */
export function isInPod(path: Path): boolean {
  const pod = path.findIndex((key, index) => key === 'template' && path[index + 1] === 'spec');
  return path[0] === 'spec' && pod >= 0 && path.length > pod + 2 && !path.includes('ports');
}

/** The value with a text of its own for everything that is unknown. */
export function withTexts(value: unknown, path = ''): unknown {
  if (isUnknown(value)) return `unknown-in-preview${path}`;
  if (Array.isArray(value)) return value.map((entry, index) => withTexts(entry, `${path}-${index}`));
  return mapped(value, (entry, index) => withTexts(entry, `${path}-${index}`));
}

/** The value without everything that is unknown. */
export function withoutUnknowns(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((entry) => !isUnknown(entry)).map(withoutUnknowns);
  return mapped(value, (entry) => (isUnknown(entry) ? undefined : withoutUnknowns(entry)));
}

function mapped(value: unknown, map: (entry: unknown, index: number) => unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const object = {};
  for (const [index, key] of Object.keys(value).entries()) {
    const entry = map(ownValue(value, key), index);
    if (entry !== undefined) setOwnValue(object, key, entry as never);
  }
  return object;
}
