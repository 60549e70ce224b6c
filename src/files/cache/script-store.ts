import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../core/finding';
import { isFinding } from '../../core/finding-shape';
import type { FindingStore } from '../../core/finding-store';
import { lazy } from '../../core/lazy';
import { CODE_FOLDER, packageVersion } from '../package';
import { DiskCache } from './disk-cache';

/** The option of commands that check scripts. */
export const CACHE_OPTIONS = { 'no-cache': { type: 'boolean', default: false } } as const;

/** What help says of it. */
export const CACHE_HELP =
  '  --no-cache               check every script again, including those that have not changed since the last check';

/** Where a program runs. */
export interface Whereabouts {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The cache of a program that has no options for it: `cdk8s synth`, `pulumi preview`. */
export function scriptStoreOfProcess(): FindingStore | undefined {
  return scriptStore({ env: process.env }, false);
}

/** What is found in scripts, on the disk of this machine; undefined where there is no place for it. */
export function scriptStore(io: Whereabouts, noCache: boolean): FindingStore | undefined {
  const folder = noCache ? undefined : cacheFolder(io);
  if (folder === undefined) return undefined;
  const cache = new DiskCache(folder);
  const keyOf = (key: string) => `${fingerprint()}\n${key}`;
  return {
    get(key) {
      return findingsIn(cache.get(keyOf(key)));
    },
    set(key, findings) {
      cache.set(keyOf(key), JSON.stringify(findings));
    },
  };
}

const NAME = 'rollout-constructs';

/** What is no list of findings counts as not there. */
function findingsIn(text: string | undefined): readonly Finding[] | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return Array.isArray(value) && value.every(isFinding) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The user's cache folder. In a folder of the project, the author of a script decides what a check finds in it. */
function cacheFolder({ env }: Whereabouts): string | undefined {
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, NAME);
  return env.HOME ? join(env.HOME, '.cache', NAME) : undefined;
}

/** The folders of this library whose code decides which findings a script has. */
const ENGINE = ['core', 'lua', 'kruise'];

/** Changes with every release, and with every change of the code while it is worked on. Looks at the files once. */
const fingerprint = lazy((): string => {
  const stamps = codeFiles().map((name) => {
    const { size, mtimeMs } = statSync(join(CODE_FOLDER, name));
    return `${name} ${size} ${mtimeMs}`;
  });
  return [packageVersion(), process.version, ...stamps].join('\n');
});

/** The bundle, which is built with all other files of a package, or the sources. */
function codeFiles(): readonly string[] {
  const bundle = join('bundle', 'main.js');
  if (existsSync(join(CODE_FOLDER, bundle))) return [bundle];
  return ENGINE.flatMap((folder) =>
    readdirSync(join(CODE_FOLDER, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[jt]s$/.test(name) && !name.endsWith('.d.ts'))
      .map((name) => join(folder, name)),
  ).sort();
}
