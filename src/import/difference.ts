/** Compares what a program writes with what a manifest has. */
import { isJsonObject, type Json, sameJson } from '../core/json';
import { formatPath, type Path } from '../core/path';

/** A value that differs; undefined where there is none. */
export interface Difference {
  readonly path: Path;
  /** What the manifest has. */
  readonly wanted: Json | undefined;
  /** What the program writes. */
  readonly written: Json | undefined;
}

/** Every value that differs, regardless of the order of keys. Lists of different lengths differ as a whole. */
export function differences(wanted: Json | undefined, written: Json | undefined, path: Path = []): Difference[] {
  if (sameJson(wanted, written)) return [];
  if (isJsonObject(wanted) && isJsonObject(written)) {
    const keys = [...new Set([...Object.keys(wanted), ...Object.keys(written)])];
    return keys.flatMap((key) => differences(own(wanted, key), own(written, key), [...path, key]));
  }
  if (Array.isArray(wanted) && Array.isArray(written) && wanted.length === written.length) {
    return wanted.flatMap((item, index) => differences(item, written[index], [...path, index]));
  }
  return [{ path, wanted, written }];
}

function own(object: { readonly [key: string]: Json }, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Longer values are cut. */
const SHOWN = 80;

/**
 * A difference as a sentence.
 * @example differenceText({ path: ['spec', 'paused'], wanted: false, written: undefined }) // 'spec.paused is false, and would be left out'
 */
export function differenceText({ path, wanted, written }: Difference): string {
  const at = formatPath(path);
  if (wanted === undefined) return `${at} would be added: ${shown(written)}`;
  if (written === undefined) return `${at} is ${shown(wanted)}, and would be left out`;
  if (isSameText(wanted, written))
    return `${at} is the same JSON, and would be written without spaces or in another order`;
  return `${at} is ${shown(wanted)}, and would be ${shown(written)}`;
}

/** Annotations hold JSON as text. */
function isSameText(wanted: Json, written: Json): boolean {
  if (typeof wanted !== 'string' || typeof written !== 'string') return false;
  try {
    return sameJson(JSON.parse(wanted) as Json, JSON.parse(written) as Json);
  } catch {
    return false;
  }
}

function shown(json: Json | undefined): string {
  const text = JSON.stringify(json) ?? 'nothing';
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
