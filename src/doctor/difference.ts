/** What a controller should have written, compared with what is there: only the fields that it writes. */
import { isJsonObject, type Json, type JsonObject, type Manifest, setOwnValue } from '../core';
import { textDiff } from '../core/text-diff';
import { ORIGINAL_SPEC_ANNOTATION } from '../kruise/api';

/** The hashes by which pods of two versions are told apart; the model of the controller plays them by these words. */
export interface RevisionHashes {
  readonly labels: readonly string[];
  readonly stable: string | undefined;
  readonly canary: string | undefined;
}

/** Which parts of an object are compared. */
export type Extent = 'selector' | 'service' | 'ingress' | 'rules' | 'whole';

/** Lines of a diff, `-` for what should be there and `+` for what is; empty when nothing differs. */
export function differenceOf(
  expected: Manifest | undefined,
  live: Manifest | undefined,
  extent: Extent,
  hashes: RevisionHashes,
): string[] {
  const found = asObject(live?.get('spec.selector'));
  return textDiff(
    textOf(expected, extent, playedBy(hashes, found)),
    textOf(live, extent, (_, value) => value),
  );
}

/** What stands in a selector, of what the model plays. */
type Hash = (label: string, value: Json) => Json;

function textOf(manifest: Manifest | undefined, extent: Extent, hash: Hash): string {
  if (manifest === undefined) return '';
  return `${linesOf(sorted(viewOf(manifest, extent, hash)), '').join('\n')}\n`;
}

function viewOf(manifest: Manifest, extent: Extent, hash: Hash): JsonObject {
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
    case 'ingress':
      return {
        metadata: { annotations: annotationsOf(manifest) },
        spec: pick(spec, ['ingressClassName', 'rules', 'tls']),
      };
    case 'whole':
      return { metadata: { labels: { ...manifest.labels }, annotations: annotationsOf(manifest) }, spec };
  }
}

/** Values that are JSON are shown as such, so that a weight that differs is a line of its own. */
function annotationsOf(manifest: Manifest): JsonObject {
  const annotations = {};
  for (const [key, text] of Object.entries(manifest.annotations)) {
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
function linesOf(value: Json, indent: string): string[] {
  if (Array.isArray(value)) {
    if (value.length === 0) return [`${indent}[]`];
    return value.flatMap((item: Json) => {
      const [first = '', ...rest] = linesOf(item, `${indent}  `);
      return [`${indent}- ${first.trimStart()}`, ...rest];
    });
  }
  if (isJsonObject(value)) {
    const entries = Object.entries(value);
    if (entries.length === 0) return [`${indent}{}`];
    return entries.flatMap(([key, item]) => {
      const isNested = (Array.isArray(item) && item.length > 0) || (isJsonObject(item) && Object.keys(item).length > 0);
      if (isNested) return [`${indent}${key}:`, ...linesOf(item, `${indent}  `)];
      return [`${indent}${key}: ${JSON.stringify(item)}`];
    });
  }
  return [`${indent}${JSON.stringify(value)}`];
}

function asObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
