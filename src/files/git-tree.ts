/** The files of a commit, read from the objects of git: nothing is checked out, and no hook or filter runs. */
import { execFileSync } from 'node:child_process';
import { posix } from 'node:path';
import type { FileTree } from '../core';
import type { InputFile, SkippedFolder, Unreadable } from '../core/reader';
import { UserError } from '../settings/user-error';
import { isManifestName } from './manifests/walk';

/** A name of git for a commit, and nothing that git would take for an option. */
const REVISION = /^[A-Za-z0-9_][\w./@{}^~+-]*$/;

/** The list of the files of a large repository. */
const MAX_LIST = 512 * 1024 * 1024;
/** The contents that one call of git gives at most. */
const MAX_BATCH = 32 * 1024 * 1024;
/** The links that may follow each other. */
const MAX_LINKS = 40;

/** A commit in the checkout that a folder belongs to. */
export interface GitCommit {
  /** The folder of the checkout. */
  readonly root: string;
  /** The working folder within it: `apps/shop/`; empty for the root itself. */
  readonly prefix: string;
  /** The hash. */
  readonly commit: string;
}

/** The commit that a name stands for; undefined if git has none, or the folder is no checkout. */
export function findCommit(cwd: string, name: string): GitCommit | undefined {
  if (!REVISION.test(name)) return undefined;
  const [root, prefix = ''] = git(cwd, ['rev-parse', '--show-toplevel', '--show-prefix'])?.split('\n') ?? [];
  if (root === undefined) return undefined;
  const commit = git(cwd, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`])?.trim();
  return commit === undefined ? undefined : { root, prefix, commit };
}

/** The commit from which two commits come; undefined if they have nothing in common. */
export function mergeBaseOf({ root, prefix, commit }: GitCommit, other: GitCommit): GitCommit | undefined {
  const base = git(root, ['merge-base', commit, other.commit])?.trim();
  return base === undefined ? undefined : { root, prefix, commit: base };
}

/** Whether git ignores a file or folder, so that no commit has it. */
export function isIgnored({ root, prefix }: GitCommit, name: string): boolean {
  return (
    git(root, ['check-ignore', '-q', '--', posix.isAbsolute(name) ? name : posix.join(prefix, name)]) !== undefined
  );
}

interface Entry {
  readonly kind: 'file' | 'link' | 'module';
  readonly hash: string;
}

/** A folder: the entries by name, and the folders by name. */
interface Folder {
  readonly entries: Map<string, Entry | Folder>;
}

/** The files of a commit. Links lead to other files of the commit, never out of it. */
export class GitTree implements FileTree {
  private readonly top: Folder;
  private readonly seen = new Set<string>();
  /** The object of each file that is still to be read, in the order in which they are read. */
  private readonly hashes = new Map<string, string>();
  /** How many files with this content are still to be read. */
  private readonly uses = new Map<string, number>();
  /** Contents, and the sizes of those that are too large to read ahead. */
  private readonly contents = new Map<string, Buffer | number>();

  constructor(private readonly at: GitCommit) {
    this.top = listOf(at);
  }

  /** Whether there is a file or folder of this name. */
  has(name: string): boolean {
    return typeof this.find(name) !== 'string';
  }

  /** All at once, so that one call of git can read many of them. */
  filesOf(name: string): readonly (InputFile | Unreadable | SkippedFolder)[] {
    return [...this.walk(name)];
  }

  private *walk(name: string): Generator<InputFile | Unreadable | SkippedFolder> {
    const found = this.find(name);
    if (typeof found === 'string') yield { name, problem: found };
    else if ('entries' in found.what) yield* this.folder(name, found.what, found.path);
    else if (this.isNew(found.path)) yield this.file(name, found.what, true);
  }

  bytesOf(name: string, limit: number): Buffer | undefined | Unreadable {
    const hash = this.hashes.get(name)!;
    this.hashes.delete(name);
    if (!this.contents.has(hash)) this.fetch(hash);
    const content = this.contents.get(hash);
    const left = (this.uses.get(hash) ?? 1) - 1;
    this.uses.set(hash, left);
    if (left === 0) this.contents.delete(hash);
    if (content === undefined) {
      return { name, problem: 'git does not have its content here: fetch it, as with a clone without --filter' };
    }
    if (typeof content === 'number') return content > limit ? undefined : this.single(hash, name);
    return content.length > limit ? undefined : content;
  }

  private *folder(name: string, { entries }: Folder, path: string): Generator<InputFile | Unreadable | SkippedFolder> {
    if (!this.isNew(`${path}/`)) return;
    for (const child of [...entries.keys()].sort()) {
      const childName = posix.join(name, child);
      if (child === 'node_modules' && entries.has('package.json')) {
        yield { name: childName, skipped: 'packages of npm' };
        continue;
      }
      const found = this.resolve(path === '' ? child : `${path}/${child}`);
      if (typeof found === 'string') {
        if (isManifestName(child)) yield { name: childName, problem: found };
      } else if ('entries' in found.what) yield* this.folder(childName, found.what, found.path);
      else if (found.what.kind === 'module') yield { name: childName, skipped: 'another repository (a submodule)' };
      else if (isManifestName(child) && this.isNew(found.path)) yield this.file(childName, found.what, false);
    }
  }

  private file(name: string, { hash }: Entry, named: boolean): InputFile {
    this.hashes.set(name, hash);
    this.uses.set(hash, (this.uses.get(hash) ?? 0) + 1);
    return { name, named };
  }

  private isNew(path: string): boolean {
    if (this.seen.has(path)) return false;
    this.seen.add(path);
    return true;
  }

  private find(name: string): Found | string {
    const own = posix.isAbsolute(name) ? posix.relative(this.at.root, name) : posix.join(this.at.prefix, name);
    const path = posix.normalize(own).replace(/\/$/, '');
    if (path === '..' || path.startsWith('../')) return 'it is outside of the repository';
    return this.resolve(path === '.' ? '' : path);
  }

  /** What is at a path, after all links; or why there is nothing. */
  private resolve(path: string): Found | string {
    let parts = path === '' ? [] : path.split('/');
    let what: Entry | Folder = this.top;
    let done: string[] = [];
    for (let links = 0; parts.length > 0; ) {
      const [part, ...rest] = parts as [string, ...string[]];
      const next: Entry | Folder | undefined = 'entries' in what ? what.entries.get(part) : undefined;
      if (next === undefined) return 'no such file or folder';
      if (!('entries' in next) && next.kind === 'link') {
        if (++links > MAX_LINKS) return 'the links lead in a circle';
        const target = this.linkTarget(next.hash);
        const to = posix.normalize(posix.join(...done, target, ...rest)).replace(/\/$/, '');
        if (posix.isAbsolute(target) || to === '..' || to.startsWith('../'))
          return `it leads to ${target}, out of the repository`;
        parts = to === '.' ? [] : to.split('/');
        [what, done] = [this.top, []];
        continue;
      }
      [what, parts] = [next, rest];
      done = [...done, part];
    }
    return { what, path: done.join('/') };
  }

  private linkTarget(hash: string): string {
    return git(this.at.root, ['cat-file', 'blob', hash]) ?? '';
  }

  /** Reads this file and the next ones in one call of git. */
  private fetch(first: string): void {
    const all = [...new Set(this.hashes.values())];
    const wanted = [first, ...all.filter((hash) => hash !== first && !this.contents.has(hash))];
    const sizes = sizesOf(this.at.root, wanted);
    let sum = 0;
    const batch = wanted.filter((hash) => {
      const size = sizes.get(hash);
      if (size === undefined || size > MAX_BATCH) {
        if (size !== undefined) this.contents.set(hash, size);
        return false;
      }
      sum += size;
      return hash === first || sum <= MAX_BATCH;
    });
    for (const [hash, content] of contentsOf(this.at.root, batch)) this.contents.set(hash, content);
  }

  /** A file that is larger than what is read ahead, and smaller than the limit. */
  private single(hash: string, name: string): Buffer | Unreadable {
    return contentsOf(this.at.root, [hash]).get(hash) ?? { name, problem: 'git cannot read it' };
  }
}

interface Found {
  readonly what: Entry | Folder;
  readonly path: string;
}

const KINDS: Readonly<Record<string, Entry['kind']>> = { '120000': 'link', '160000': 'module' };

function listOf({ root, commit }: GitCommit): Folder {
  const list = run(root, ['ls-tree', '-r', '-z', '--full-tree', commit], { maxBuffer: MAX_LIST });
  if (list === undefined) throw new UserError(`git cannot list the files of ${commit}`, 'fetch the commit');
  const top: Folder = { entries: new Map() };
  for (const line of list.toString('utf8').split('\0')) {
    const [, mode, hash, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
    if (path === undefined) continue;
    const parts = path.split('/');
    let folder = top;
    for (const part of parts.slice(0, -1)) {
      const known = folder.entries.get(part);
      const next = known !== undefined && 'entries' in known ? known : { entries: new Map() };
      folder.entries.set(part, next);
      folder = next;
    }
    folder.entries.set(parts.at(-1)!, { kind: KINDS[mode!] ?? 'file', hash: hash! });
  }
  return top;
}

function sizesOf(root: string, hashes: readonly string[]): ReadonlyMap<string, number> {
  const answer = run(root, ['cat-file', '--batch-check'], { input: `${hashes.join('\n')}\n`, maxBuffer: MAX_LIST });
  const lines = (answer?.toString('utf8') ?? '').split('\n').map((line) => /^([0-9a-f]+) blob (\d+)$/.exec(line));
  return new Map(lines.flatMap((line) => (line === null ? [] : [[line[1]!, Number(line[2])] as const])));
}

function contentsOf(root: string, hashes: readonly string[]): ReadonlyMap<string, Buffer> {
  const contents = new Map<string, Buffer>();
  if (hashes.length === 0) return contents;
  const answer = run(root, ['cat-file', '--batch'], { input: `${hashes.join('\n')}\n`, maxBuffer: MAX_LIST });
  if (answer === undefined) return contents;
  for (let at = 0; at < answer.length; ) {
    const end = answer.indexOf(10, at);
    const [, hash, size] = /^([0-9a-f]+) blob (\d+)$/.exec(answer.toString('latin1', at, end)) ?? [];
    at = end + 1;
    if (hash === undefined) continue;
    contents.set(hash, answer.subarray(at, at + Number(size)));
    at += Number(size) + 1;
  }
  return contents;
}

function git(cwd: string, args: readonly string[]): string | undefined {
  return run(cwd, args, { maxBuffer: MAX_LIST })?.toString('utf8');
}

function run(
  cwd: string,
  args: readonly string[],
  options: { readonly input?: string; readonly maxBuffer: number },
): Buffer | undefined {
  try {
    return execFileSync('git', ['-C', cwd, ...args], {
      ...options,
      // A clone that lacks objects would ask the network for them.
      env: { ...process.env, GIT_NO_LAZY_FETCH: '1' },
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}
