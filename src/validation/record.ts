import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Manifest } from '../core/manifest';

/** The file next to the manifests. kubectl does not take it for a manifest: its name has no extension. */
export const RECORD = '.construct-paths';

/** An object of an app, and the construct that made it. */
export interface RecordedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly path: string;
}

/** The paths that the app recorded; none if it does not load record-paths. */
export function recordedPaths(files: readonly string[]): (manifest: Manifest) => string | undefined {
  // An app may write each chart into a folder of its own.
  const folders = new Set(files.flatMap((file) => [dirname(file), dirname(dirname(file))]));
  const paths = new Map<string, string | undefined>();
  for (const object of [...folders].flatMap(recordIn)) {
    const key = keyOf(object);
    paths.set(key, paths.has(key) && paths.get(key) !== object.path ? undefined : object.path);
  }
  return ({ ref }) => paths.get(keyOf(ref));
}

function recordIn(folder: string): readonly RecordedObject[] {
  const file = join(folder, RECORD);
  if (!existsSync(file)) return [];
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Paths are a help to readers: without them the report is less exact, and right.
    return [];
  }
}

type Identity = Partial<Omit<RecordedObject, 'path'>>;

function keyOf({ apiVersion, kind, namespace, name }: Identity): string {
  return JSON.stringify([apiVersion, kind, namespace, name]);
}
