import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}

/** The lock file of the project, and that of the generator of its documentation site. */
describe.each(['package-lock.json', 'site/package-lock.json'])('%s', (file) => {
  const { packages } = JSON.parse(readFileSync(join(__dirname, '..', file), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };

  /** Where Node looks for a package: beside the one that asks, then in each folder above. */
  function isLocked(from: string, name: string): boolean {
    const folders = from.split('/node_modules/');
    const paths = folders.map((_, kept) => folders.slice(0, folders.length - kept).join('/node_modules/'));
    return [...paths.map((path) => `${path}/node_modules/${name}`), `node_modules/${name}`].some(
      (path) => packages[path],
    );
  }

  // npm leaves out an optional package that it cannot find, without a word; `npm ci` then refuses the lock file everywhere.
  it('names every package of every platform, so that npm ci takes it', () => {
    const missing = Object.entries(packages).flatMap(([path, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !isLocked(path, name))
        .map((name) => `${path} > ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('names no registry, so that everybody installs from their own', () => {
    const from = Object.values(packages).flatMap(({ resolved }) => resolved ?? []);
    expect(from.filter((address) => /^https?:/.test(address))).toEqual([]);
  });
});
