/** Compares what a controller should have written with what exists, for the fields that it writes. */

import { formatPath, isJsonObject, type Json, type JsonObject, type Manifest, type Path, setOwnValue } from '../core';
import { asObject } from '../core/json';
import { compareLines } from '../core/text-diff';
import { ORIGINAL_SPEC_ANNOTATION } from '../kruise/api';

/** The hashes that distinguish the pods of two versions. The model of the controller uses these words instead. */
export interface RevisionHashes {
  readonly labels: readonly string[];
  readonly stable: string | undefined;
  readonly canary: string | undefined;
}

/** The parts of an object that are compared. */
export type Extent = 'selector' | 'service' | 'annotations' | 'ingress' | 'rules' | 'whole';

/**
 * The differences by place: `-` for the expected and `+` for the actual lines; empty if nothing differs.
 * @param isCompared selects the annotations to compare
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

/** A line of an object, and the path to its value. */
interface Line {
  readonly text: string;
  readonly path: Path;
}

interface ChangedLine extends Line {
  readonly mark: '-' | '+';
}

/** The value in a selector for a version of the model. */
type Hash = (label: string, value: Json) => Json;

type IsCompared = (annotation: string) => boolean;

function linesOfView(manifest: Manifest | undefined, extent: Extent, hash: Hash, isCompared: IsCompared): Line[] {
  return manifest === undefined ? [] : linesOf(sorted(viewOf(manifest, extent, hash, isCompared)), '', []);
}

/** Groups of consecutive changed lines. */
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

/** The common path of all lines, then the lines without their common indentation. */
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

/** Shows JSON values as objects, so that a different weight is a line of its own. */
function annotationsOf(manifest: Manifest, isCompared: IsCompared): JsonObject {
  const annotations = {};
  for (const [key, text] of Object.entries(manifest.annotations)) {
    if (!isCompared(key)) continue;
    // The original is long, and only its existence matters.
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

/** Replaces the words of the model by hashes. Without a hash in the status, only the existence of a hash is compared. */
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

/** Sorts objects by key. Lists keep their order, which load balancers depend on. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const result = {};
  for (const key of Object.keys(value).sort()) setOwnValue(result, key, sorted(value[key]!));
  return result;
}

/** The value as simple YAML. */
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
