/** What a controller should have written, compared with what is there: only the fields that it writes. */

import { formatPath, isJsonObject, type Json, type JsonObject, type Manifest, type Path, setOwnValue } from '../core';
import { asObject } from '../core/json';
import { compareLines } from '../core/text-diff';
import { ORIGINAL_SPEC_ANNOTATION } from '../kruise/api';

/** The hashes by which pods of two versions are told apart; the model of the controller plays them by these words. */
export interface RevisionHashes {
  readonly labels: readonly string[];
  readonly stable: string | undefined;
  readonly canary: string | undefined;
}

/** Which parts of an object are compared. */
export type Extent = 'selector' | 'service' | 'annotations' | 'ingress' | 'rules' | 'whole';

/**
 * What differs, place by place: `-` for what should be there and `+` for what is; empty when nothing differs.
 * @param isCompared the annotations that count
 */
export function differenceOf(
  expected: Manifest | undefined,
  live: Manifest | undefined,
  extent: Extent,
  hashes: RevisionHashes,
  isCompared: (annotation: string) => boolean = () => true,
): string[] {
  const found = asObject(live?.get('spec.selector'));
  const before = linesOfView(expected, extent, playedBy(hashes, found), isCompared);
  const after = linesOfView(live, extent, (_, value) => value, isCompared);
  return hunksOf(before, after).flatMap(hunkLines);
}

/** A line of an object, and the way to what it shows. */
interface Line {
  readonly text: string;
  readonly path: Path;
}

interface ChangedLine extends Line {
  readonly mark: '-' | '+';
}

/** What stands in a selector, of what the model plays. */
type Hash = (label: string, value: Json) => Json;

type IsCompared = (annotation: string) => boolean;

function linesOfView(manifest: Manifest | undefined, extent: Extent, hash: Hash, isCompared: IsCompared): Line[] {
  return manifest === undefined ? [] : linesOf(sorted(viewOf(manifest, extent, hash, isCompared)), '', []);
}

/** Runs of lines that changed. */
function hunksOf(before: readonly Line[], after: readonly Line[]): ChangedLine[][] {
  const hunks: ChangedLine[][] = [];
  let isOpen = false;
  let [at, to] = [0, 0];
  const texts = (lines: readonly Line[]) => lines.map(({ text }) => text);
  for (const { mark } of compareLines(texts(before), texts(after))) {
    const line = mark === '+' ? after[to]! : before[at]!;
    if (mark !== '+') at++;
    if (mark !== '-') to++;
    if (mark === ' ') {
      isOpen = false;
      continue;
    }
    if (!isOpen) hunks.push([]);
    isOpen = true;
    hunks.at(-1)!.push({ ...line, mark });
  }
  return hunks;
}

/** The place that all lines have in common, then the lines without the indent that they have in common. */
function hunkLines(hunk: readonly ChangedLine[]): string[] {
  const containers = hunk.map(({ path }) => path.slice(0, -1));
  const [first = []] = containers;
  const differs = first.findIndex((part, index) => containers.some((one) => one[index] !== part));
  const place = differs < 0 ? first : first.slice(0, differs);
  const indent = Math.min(...hunk.map(({ text }) => /^ */.exec(text)![0].length));
  return [formatPath(place), ...hunk.map(({ mark, text }) => `  ${mark} ${text.slice(indent)}`)];
}

function viewOf(manifest: Manifest, extent: Extent, hash: Hash, isCompared: IsCompared): JsonObject {
  const spec = asObject(manifest.get('spec'));
  const asked = Object.entries(asObject(spec.selector));
  const selector = Object.fromEntries(asked.map(([key, value]) => [key, hash(key, value)]));
  switch (extent) {
    case 'selector':
      return { spec: { selector } };
    case 'service': {
      const ports = (Array.isArray(spec.ports) ? spec.ports : []).map((port: Json) => {
        const { nodePort: _given, ...rest } = asObject(port);
        return { protocol: 'TCP', ...rest };
      });
      return { spec: { selector, ports } };
    }
    case 'rules':
      return { spec: { rules: spec.rules ?? [] } };
    case 'annotations':
      return { metadata: { annotations: annotationsOf(manifest, isCompared) } };
    case 'ingress':
      return {
        metadata: { annotations: annotationsOf(manifest, isCompared) },
        spec: pick(spec, ['ingressClassName', 'rules', 'tls']),
      };
    case 'whole':
      return { metadata: { labels: { ...manifest.labels }, annotations: annotationsOf(manifest, isCompared) }, spec };
  }
}

/** Values that are JSON are shown as such, so that a weight that differs is a line of its own. */
function annotationsOf(manifest: Manifest, isCompared: IsCompared): JsonObject {
  const annotations = {};
  for (const [key, text] of Object.entries(manifest.annotations)) {
    if (!isCompared(key)) continue;
    // The original is long, and that it is there is all that matters.
    setOwnValue(annotations, key, key === ORIGINAL_SPEC_ANNOTATION ? '(stored)' : parsed(text));
  }
  return annotations;
}

function parsed(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The words of the model as hashes; without a hash in the status, that one is asked for is all that can be compared. */
function playedBy({ labels, stable, canary }: RevisionHashes, found: JsonObject): Hash {
  return (label, value) => {
    if (!labels.includes(label)) return value;
    const hash = value === 'stable' ? stable : value === 'canary' ? canary : undefined;
    return hash ?? found[label] ?? `(the hash of the ${String(value)} version)`;
  };
}

function pick(object: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.flatMap((key) => (object[key] === undefined ? [] : [[key, object[key]]])));
}

/** Objects by their keys; lists keep their order, which means something to load balancers. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const result = {};
  for (const key of Object.keys(value).sort()) setOwnValue(result, key, sorted(value[key]!));
  return result;
}

/** As YAML has it, in its simplest form. */
function linesOf(value: Json, indent: string, path: Path): Line[] {
  if (Array.isArray(value)) {
    return value.flatMap((item: Json, index) => {
      const [first, ...rest] = linesOf(item, `${indent}  `, [...path, index]);
      return first === undefined ? [] : [{ ...first, text: `${indent}- ${first.text.trimStart()}` }, ...rest];
    });
  }
  if (isJsonObject(value)) {
    return Object.entries(value).flatMap(([key, item]) => {
      const here = [...path, key];
      const nested = linesOf(item, `${indent}  `, here);
      const isLeaf = !Array.isArray(item) && !isJsonObject(item);
      if (isLeaf || nested.length === 0) return [{ text: `${indent}${key}: ${JSON.stringify(item)}`, path: here }];
      return [{ text: `${indent}${key}:`, path: here }, ...nested];
    });
  }
  return [{ text: `${indent}${JSON.stringify(value)}`, path }];
}
