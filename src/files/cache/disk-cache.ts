import { createHash, randomBytes } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** How much a cache may hold. */
export interface DiskCacheLimits {
  /** Bytes of all entries together. */
  readonly size: number;
  readonly entries: number;
}

const LIMITS: DiskCacheLimits = { size: 16 * 1024 * 1024, entries: 2000 };

/**
 * Texts by the input that they were made from, kept in a folder between runs. Any number of runs may use it at once: an
 * entry is there as a whole or not at all. What is damaged counts as not there, and so does everything when the folder
 * cannot be read or written, is a link, or belongs to somebody else.
 */
export class DiskCache {
  private written = 0;

  constructor(
    private readonly folder: string,
    private readonly limits: DiskCacheLimits = LIMITS,
  ) {}

  /** The text that was kept for a key of any length. */
  get(key: string): string | undefined {
    const file = this.fileOf(key);
    try {
      if (!this.isOwn() || !isOwnFile(file)) return undefined;
      const entry = readFileSync(file, 'utf8');
      const lineFeed = entry.indexOf('\n');
      const text = entry.slice(lineFeed + 1);
      return lineFeed > 0 && entry.slice(0, lineFeed) === sealOf(key, text) ? text : undefined;
    } catch {
      return undefined;
    }
  }

  set(key: string, text: string): void {
    const file = this.fileOf(key);
    const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      if (!this.isOwn()) return;
      // Once a run: between two runs there is not much more than before.
      if (this.written === 0) this.makeRoom();
      writeFileSync(temporary, `${sealOf(key, text)}\n${text}`, { flag: 'wx', mode: 0o600 });
      renameSync(temporary, file);
      this.written++;
    } catch {
      // Without a cache everything only takes longer.
      discard(temporary);
    }
  }

  /** Takes out the oldest entries until half of what is allowed is left, once there is more than that. */
  private makeRoom(): void {
    const entries = readdirSync(this.folder)
      .flatMap((name) => {
        const file = join(this.folder, name);
        const stats = ENTRY.test(name) ? lstatSync(file, { throwIfNoEntry: false }) : undefined;
        return stats?.isFile() ? [{ file, size: stats.size, time: stats.mtimeMs }] : [];
      })
      .sort((a, b) => a.time - b.time);
    let [size, count] = [entries.reduce((sum, entry) => sum + entry.size, 0), entries.length];
    if (size <= this.limits.size && count <= this.limits.entries) return;
    for (const entry of entries) {
      if (size <= this.limits.size / 2 && count <= this.limits.entries / 2) return;
      rmSync(entry.file, { force: true });
      size -= entry.size;
      count--;
    }
  }

  /** Whether the folder and the one that it is in are no links, and of this user: nobody else decides what is found here. */
  private isOwn(): boolean {
    return [dirname(this.folder), this.folder].every((folder) => {
      const stats = lstatSync(folder);
      return stats.isDirectory() && isOwnedHere(stats.uid);
    });
  }

  private fileOf(key: string): string {
    return join(this.folder, hashOf(key));
  }
}

/** The name of an entry, or of one that was not finished. Other files are not of a cache. */
const ENTRY = /^[0-9a-f]{64}(\.[0-9a-f]{12}\.tmp)?$/;

function isOwnFile(file: string): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats?.isFile() === true && isOwnedHere(stats.uid);
}

/** Windows has no such numbers. */
function isOwnedHere(uid: number): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/** Binds what was found to what it was found in. */
function sealOf(key: string, text: string): string {
  return hashOf(`${hashOf(key)}\n${text}`);
}

function discard(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Where nothing can be written, nothing is there to be removed either.
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
