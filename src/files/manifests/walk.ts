import { closeSync, fstatSync, openSync, readdirSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { InputFile, SkippedFolder, Unreadable } from '../../core/reader/input-file';
import { checkoutOf, isWithin } from './checkout';

const MANIFEST = /\.(ya?ml|json)$/i;

/** Whether a file with this name may hold manifests. */
export function isManifestName(name: string): boolean {
  return MANIFEST.test(name);
}

/** Finds the files of the names that the user gave. A file that several names lead to comes once. */
export class FileWalk {
  private readonly seen = new Set<string>();
  /** The folder that links may not lead out of. */
  private checkout = '';

  /** Whether an earlier name led to the same file or folder. */
  hasSeen(name: string): boolean {
    const found = lookUp(name);
    return !('problem' in found) && this.seen.has(found.realPath);
  }

  /** The file of this name, or the manifest files of the folder, sorted by name. */
  *filesOf(name: string): Generator<InputFile | Unreadable | SkippedFolder> {
    const found = lookUp(name);
    if ('problem' in found) {
      yield found;
      return;
    }
    this.checkout = checkoutOf(name);
    const outside = this.leadsOut(name, found);
    if (outside !== undefined) yield outside;
    else if (found.stats.isDirectory()) yield* this.folder(name, found.realPath);
    else if (this.isNew(found.realPath)) yield { name: withSlashes(name), named: true };
  }

  private *folder(folder: string, realPath: string): Generator<InputFile | Unreadable | SkippedFolder> {
    // This also stops at a link that leads back to a parent folder.
    if (!this.isNew(realPath)) return;
    let names: string[];
    try {
      names = readdirSync(folder).sort();
    } catch (error) {
      yield { name: withSlashes(folder), problem: reasonOf(error) };
      return;
    }
    for (const name of names) {
      // Git keeps no file of a repository there.
      if (name === '.git') continue;
      // Other folders are read as `kubectl apply --recursive` reads them, also those with a dot.
      if (name === 'node_modules' && names.includes('package.json'))
        yield { name: withSlashes(join(folder, name)), skipped: 'packages of npm' };
      else yield* this.entry(join(folder, name));
    }
  }

  private *entry(path: string): Generator<InputFile | Unreadable | SkippedFolder> {
    const found = lookUp(path);
    if ('problem' in found) {
      if (isManifestName(path)) yield found;
      return;
    }
    const outside = this.leadsOut(path, found);
    if (outside !== undefined) {
      if (found.stats.isDirectory() || isManifestName(path)) yield outside;
    } else if (found.stats.isDirectory()) {
      yield* this.folder(path, found.realPath);
    } else if (found.stats.isFile() && isManifestName(path) && this.isNew(found.realPath)) {
      yield { name: withSlashes(path), named: false };
    }
  }

  /** A link that leads out of the checkout. */
  private leadsOut(name: string, { stats, realPath }: Found): Unreadable | undefined {
    // What has no path, such as a pipe, holds only what somebody writes into it.
    if (!(stats.isFile() || stats.isDirectory()) || isWithin(this.checkout, realPath)) return undefined;
    return {
      name: withSlashes(name),
      problem: `it leads to ${withSlashes(realPath)}, out of ${withSlashes(this.checkout)}`,
    };
  }

  private isNew(realPath: string): boolean {
    if (this.seen.has(realPath)) return false;
    this.seen.add(realPath);
    return true;
  }
}

interface Found {
  readonly stats: Stats;
  readonly realPath: string;
}

function lookUp(name: string): Found | Unreadable {
  try {
    const stats = statSync(name);
    // A pipe, such as the shell's <(…), has no path.
    return { stats, realPath: stats.isFile() || stats.isDirectory() ? realpathSync(name) : name };
  } catch (error) {
    return { name: withSlashes(name), problem: reasonOf(error) };
  }
}

/** Uses `/` everywhere, so that a report does not depend on the operating system. Windows accepts both. */
function withSlashes(name: string): string {
  return process.platform === 'win32' ? name.replaceAll('\\', '/') : name;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ELOOP: 'the links lead in a circle',
  ENOTDIR: 'a part of its path is not a folder',
  ENAMETOOLONG: 'the name is too long',
  EISDIR: 'it is a folder',
  EMFILE: 'too many open files',
};

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? message;
}

const CHUNK = 1 << 16;

/**
 * The bytes of a file, pipe or terminal; undefined if there are more than the limit. Never holds more than the limit.
 * @param file the name, or the descriptor of an open file
 */
export function readBytes(file: string | number, limit: number): Buffer | undefined | Unreadable {
  let descriptor: number | undefined;
  try {
    descriptor = typeof file === 'number' ? file : openSync(file, 'r');
    const stats = fstatSync(descriptor);
    return stats.isFile() && stats.size > limit
      ? undefined
      : readUpTo(descriptor, limit, stats.isFile() ? stats.size : 0);
  } catch (error) {
    return { name: String(file), problem: reasonOf(error) };
  } finally {
    if (typeof file === 'string' && descriptor !== undefined) closeSync(descriptor);
  }
}

function readUpTo(descriptor: number, limit: number, expected: number): Buffer | undefined {
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.max(CHUNK, expected - total + 1));
    const count = readOnce(descriptor, chunk);
    if (count === 0) return Buffer.concat(chunks, total);
    total += count;
    if (total > limit) return undefined;
    chunks.push(chunk.subarray(0, count));
  }
}

function readOnce(descriptor: number, chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(descriptor, chunk, 0, chunk.length, null);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Windows reports the end of a pipe as an error.
      if (code === 'EOF') return 0;
      // Standard input may be non-blocking and report that no data is available yet.
      if (code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}
