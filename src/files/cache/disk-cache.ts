import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
 * cannot be read or written.
 */
export class DiskCache {
  private written = 0;

  constructor(
    private readonly folder: string,
    private readonly limits: DiskCacheLimits = LIMITS,
  ) {}

  /** The text that was kept for a key of any length. */
  get(key: string): string | undefined {
    try {
      const entry = readFileSync(this.fileOf(key), 'utf8');
      const lineFeed = entry.indexOf('\n');
      const text = entry.slice(lineFeed + 1);
      return lineFeed > 0 && entry.slice(0, lineFeed) === hashOf(text) ? text : undefined;
    } catch {
      return undefined;
    }
  }

  set(key: string, text: string): void {
    const file = this.fileOf(key);
    const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
    try {
      mkdirSync(this.folder, { recursive: true });
      // Once a run: between two runs there is not much more than before.
      if (this.written === 0) this.makeRoom();
      writeFileSync(temporary, `${hashOf(text)}\n${text}`);
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
        const stats = statSync(file, { throwIfNoEntry: false });
        return stats === undefined ? [] : [{ file, size: stats.size, time: stats.mtimeMs }];
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

  private fileOf(key: string): string {
    return join(this.folder, hashOf(key));
  }
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
