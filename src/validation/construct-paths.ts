import { basename } from 'node:path';
import { addTo, groupedBy } from '../core/grouped';
import type { Manifest } from '../core/manifest';
import type { RecordedConstruct } from './context';

/** Finds the construct that made a manifest, or at least its chart; undefined where neither can be known. */
export type ConstructPaths = (manifest: Manifest) => string | undefined;

type Recorded = Readonly<Record<string, RecordedConstruct>>;

/**
 * The paths of constructs, as exactly as cdk8s records them. It keeps one path for each `metadata.name`: that of the last
 * resource of this name. Of the others only the chart can be known, from the name of the file.
 */
export function constructPaths(manifests: readonly Manifest[], recorded: Recorded): ConstructPaths {
  const owned = ownedPaths(manifests, recorded);
  const files = new Map<string, string[]>();
  for (const [manifest, path] of owned) addTo(files, fileOf(manifest), path);
  return (manifest) => owned.get(manifest) ?? chartOf(fileOf(manifest), files);
}

/** The manifests with a recorded path that is certainly their own. */
function ownedPaths(manifests: readonly Manifest[], recorded: Recorded): ReadonlyMap<Manifest, string> {
  const owned = new Map<Manifest, string>();
  for (const [name, candidates] of groupedBy(manifests, (manifest) => manifest.name)) {
    const path = Object.hasOwn(recorded, name) ? recorded[name]!.path : undefined;
    const owner = path === undefined ? undefined : ownerOf(path, candidates);
    if (owner !== undefined) owned.set(owner, path!);
  }
  return owned;
}

/** The manifest that a path was recorded for, among all that have the name. */
function ownerOf(path: string, candidates: readonly Manifest[]): Manifest | undefined {
  // Within a file, the order is the one in which paths were recorded.
  if (new Set(candidates.map(fileOf)).size === 1) return candidates.at(-1);
  // A chart comes after those within it, so a path below it that is the last one is its own.
  const chart = path.split('/')[0]!;
  return candidates.filter((manifest) => labelOf(manifest) === chart).at(-1);
}

/** The chart that a file was written for: its name is the file's, and everything known of the file is of it. */
function chartOf(file: string, files: ReadonlyMap<string, readonly string[]>): string | undefined {
  const paths = files.get(file) ?? [];
  const chart = chartLabel(file);
  return paths.length > 0 && paths.every((path) => path.startsWith(`${chart}/`)) ? chart : undefined;
}

function labelOf(manifest: Manifest): string {
  return chartLabel(fileOf(manifest));
}

/** `shop` of `dist/shop.k8s.yaml`, and of `dist/0001-shop.k8s.yaml` where charts depend on each other. */
function chartLabel(file: string): string {
  return basename(file)
    .replace(/\..*$/, '')
    .replace(/^\d{4}-/, '');
}

function fileOf(manifest: Manifest): string {
  return manifest.sourceOf()?.file ?? '';
}
