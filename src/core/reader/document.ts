import type { Json } from '../json';
import type { ReadLimits } from './limits';
import { type ParsedText, type Problem, tooManyValues } from './parsed-text';
import type { Places } from './places';
import { parsePlainJson, placesOfPlainJson } from './plain-json';
import { parsePlainYaml } from './plain-yaml';

// Loaded on first use: most documents are plain.
const parser = () => require('./yaml-parser') as typeof import('./yaml-parser');

// The characters that kubectl's parser rejects, in addition to the byte order mark.
const NOT_YAML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/;

/**
 * Reads the text of a document. A document with a mistake has the problem instead of a value.
 * @param places receives the places of all values; costs time and memory
 */
export function parseDocument(text: string, limits: ReadLimits, places?: Places): ParsedText {
  const control = NOT_YAML.exec(text);
  if (control !== null) return { values: [], problems: [controlCharacter(control)] };
  const json = parsePlainJson(text, limits.depth);
  if (json !== undefined) {
    const most = limits.values * PLAIN_VALUES;
    if (holdsMoreThan(json, most)) {
      return { values: [], problems: [tooManyValues({ ...limits, values: most }, text.indexOf('{'))] };
    }
    if (places !== undefined) recordPlaces(text, json, places);
    return { values: [{ value: json, offset: text.indexOf('{') }], problems: [] };
  }
  const plain = parsePlainYaml(text, limits, places);
  return plain === undefined ? parser().parseYaml(text, limits, places) : { values: [plain], problems: [] };
}

/** A value of plain JSON costs far less than one of YAML. The YAML parser keeps tokens and nodes of each value. */
const PLAIN_VALUES = 20;

function holdsMoreThan(value: Json, limit: number): boolean {
  let count = 0;
  // Without recursion, because the limit of depth may have been raised.
  const open: Json[] = [value];
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    if (typeof each !== 'object' || each === null) continue;
    const inner = Array.isArray(each) ? each : Object.values(each);
    count += inner.length;
    if (count > limit) return true;
    for (const one of inner) if (typeof one === 'object' && one !== null) open.push(one);
  }
  return false;
}

function recordPlaces(text: string, value: Json, places: Places): void {
  try {
    placesOfPlainJson(text, value, places);
  } catch (error) {
    // The depth limit was raised beyond the size of the call stack: deeper values get the place of their parent.
    if (!(error instanceof RangeError)) throw error;
  }
}

function controlCharacter({ 0: character, index }: RegExpExecArray): Problem {
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  return {
    rule: 'yaml-invalid',
    message: `the control character U+${code} is not allowed in YAML`,
    fix: `remove it; within double quotes it can be written as \\x${code.slice(2).toLowerCase()}`,
    offset: index,
  };
}
