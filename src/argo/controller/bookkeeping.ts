import { goJson } from '../../core/go-json';
import { goJsonSyntaxError } from '../../core/go-json-syntax';
import { isJsonObject, type Json, setOwnValue } from '../../core/json';
import { nilMap, outOfRange, Stopped } from './failure';

/** The annotation that lists the annotations that the controller wrote, per Rollout. */
export const MANAGED_ANNOTATIONS = 'rollouts.argoproj.io/managed-alb-annotations';

/** The annotation of earlier releases, which the controller only deletes. */
export const MANAGED_ACTIONS = 'rollouts.argoproj.io/managed-alb-actions';

/** The path of the annotation, for messages. */
const BOOKKEEPING_PATH = `metadata.annotations["${MANAGED_ANNOTATIONS}"]`;

/** The annotation keys of each Rollout, by name; null if the JSON has null. */
export type Bookkeeping = Map<string, readonly string[] | null>;

/**
 * Reads the annotation; undefined for the JSON `null`, which becomes Go's nil map.
 * @throws Stopped
 */
export function readBookkeeping(annotation: string | undefined): Bookkeeping | undefined {
  if (annotation === undefined || annotation === '') return new Map();
  const syntax = goJsonSyntaxError(annotation);
  if (syntax !== undefined) throw unreadable(syntax);
  const value: Json = JSON.parse(annotation);
  if (value === null) return undefined;
  if (!isJsonObject(value)) throw wrongType(value, 'ingress.ManagedALBAnnotations');
  return new Map(Object.entries(value).map(([rollout, keys]) => [rollout, readKeys(keys)]));
}

/** The annotation as the controller writes it. */
export function writeBookkeeping(bookkeeping: Bookkeeping): string {
  const object = {};
  for (const [rollout, keys] of bookkeeping) setOwnValue(object, rollout, keys);
  return goJson(object);
}

/**
 * The annotation with keys of a Rollout added or removed.
 * @throws Stopped
 */
export function updateBookkeeping(
  annotation: string | undefined,
  rollout: string,
  change: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
): string {
  const bookkeeping = readBookkeeping(annotation);
  if (bookkeeping === undefined) throw nilMap(BOOKKEEPING_PATH);
  let keys = bookkeeping.get(rollout) ?? [];
  for (const key of change.add ?? []) keys = keys.includes(key) ? keys : [...keys, key];
  for (const key of change.remove ?? []) keys = without(keys, key);
  return writeBookkeeping(bookkeeping.set(rollout, keys));
}

/** Like the controller, shortens the list while iterating over it, which panics if a key occurs twice. */
function without(keys: readonly string[], key: string): readonly string[] {
  const walked = [...keys];
  let length = keys.length;
  for (let index = 0; index < keys.length; index++) {
    if (walked[index] !== key) continue;
    if (index + 1 > length) throw outOfRange(`[${index + 1}:${length}]`, BOOKKEEPING_PATH);
    walked.copyWithin(index, index + 1, length--);
  }
  return walked.slice(0, length);
}

function readKeys(value: Json): readonly string[] | null {
  if (value === null) return null;
  if (!Array.isArray(value)) throw wrongType(value, 'ingress.ManagedALBAnnotation');
  return value.map((key: Json) => {
    if (key !== null && typeof key !== 'string') throw wrongType(key, 'string');
    return key ?? '';
  });
}

function wrongType(value: Json, type: string): Stopped {
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  return unreadable(`json: cannot unmarshal ${found} into Go value of type ${type}`);
}

function unreadable(message: string): Stopped {
  return new Stopped('bookkeeping', message, BOOKKEEPING_PATH);
}
