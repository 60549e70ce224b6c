import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface LockedPackage {
  readonly version?: string;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync(join(__dirname, '..', 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

/** Where Node looks for a package: beside the one that asks, then in each folder above. */
function locked(from: string, name: string): boolean {
  const folders = from.split('/node_modules/');
  const paths = folders.map((_, kept) => folders.slice(0, folders.length - kept).join('/node_modules/'));
  return [...paths.map((path) => `${path}/node_modules/${name}`), `node_modules/${name}`].some(
    (path) => packages[path],
  );
}

describe('package-lock.json', () => {
  // npm leaves out an optional package that it cannot find, without a word; `npm ci` then refuses the lock file everywhere.
  it('names every package of every platform, so that npm ci takes it', () => {
    const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !locked(path, name))
        .map((name) => `${path} > ${name}`),
    );
    expect(missing).toEqual([]);
  });
});
