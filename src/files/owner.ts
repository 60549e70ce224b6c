/** What the owner of a repository says: the files of the base that a change is to be merged into, as git has them. */
import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { UserError } from '../settings/user-error';

/** A name of git for a commit, and nothing that git would take for an option. */
const REVISION = /^[A-Za-z0-9_][\w./@{}^~-]*$/;

const MAX_FILE = 32 * 1024 * 1024;

/** The files of a base, which the change that is checked cannot edit. */
export class OwnerFiles {
  private readonly root: string;
  private readonly commit: string;
  private readonly texts = new Map<string, string | undefined>();

  /**
   * @param cwd a folder of the checkout
   * @param base the base as git names it: `origin/main`
   */
  constructor(
    cwd: string,
    readonly base: string,
  ) {
    if (!REVISION.test(base)) throw new UserError(`--base is "${base}", which is no name of a commit`);
    const root = git(cwd, ['rev-parse', '--show-toplevel']);
    if (root === undefined)
      throw new UserError('--trust owner reads the base from git, and this is no checkout of git');
    this.root = root.trim();
    const commit = git(this.root, ['rev-parse', '--verify', '--quiet', `${base}^{commit}`]);
    if (commit === undefined) {
      const fetch = base.startsWith('origin/') ? `git fetch --depth=1 origin ${base.slice(7)}` : 'fetch it';
      throw new UserError(`git has no "${base}", which --trust owner reads`, `${fetch}; or name another with --base`);
    }
    this.commit = commit.trim();
  }

  /** Whether a file belongs to the checkout, so that the change may have edited it. */
  holds(file: string): boolean {
    return this.pathOf(file) !== undefined;
  }

  /** The text that a file of the checkout has in the base; undefined if it is not there. */
  text(file: string): string | undefined {
    const path = this.pathOf(file);
    if (path === undefined) return undefined;
    if (!this.texts.has(path)) this.texts.set(path, git(this.root, ['show', `${this.commit}:${path}`]));
    return this.texts.get(path);
  }

  /** Whether the base says that a finding of this rule is accepted for this reason: in the file, or for one that is made, anywhere. */
  accepts(file: string | undefined, rule: string, reason: string): boolean {
    const text = file === undefined ? undefined : this.text(file);
    if (text !== undefined) return holdsBoth(text, rule, reason);
    if (file !== undefined && git(this.root, ['ls-files', '--error-unmatch', '--', file]) !== undefined) return false;
    const [word = ''] = reason.split('\n');
    const found = git(this.root, ['grep', '-lF', '-e', word, this.commit]) ?? '';
    return found
      .split('\n')
      .filter((line) => line !== '')
      .some((line) => holdsBoth(this.text(join(this.root, line.slice(this.commit.length + 1))) ?? '', rule, reason));
  }

  private pathOf(file: string): string | undefined {
    const path = relative(this.root, realPathOf(file)).split(sep).join('/');
    return path.startsWith('../') || path === '..' || /^[A-Za-z]:|^\//.test(path) ? undefined : path;
  }
}

/** The base that a CI system names; undefined where it names none. */
export function baseOf(env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (env.GITHUB_BASE_REF) return `origin/${env.GITHUB_BASE_REF}`;
  if (env.CI_MERGE_REQUEST_DIFF_BASE_SHA) return env.CI_MERGE_REQUEST_DIFF_BASE_SHA;
  // What was pushed to the main branch has been reviewed.
  const isMain = env.CI_COMMIT_BRANCH !== undefined && env.CI_COMMIT_BRANCH === env.CI_DEFAULT_BRANCH;
  return env.GITHUB_EVENT_NAME === 'push' || isMain ? 'HEAD' : undefined;
}

/** YAML may fold a reason into several lines. */
function holdsBoth(text: string, rule: string, reason: string): boolean {
  const plain = text.replace(/\s+/g, ' ');
  return plain.includes(rule) && plain.includes(reason.replace(/\s+/g, ' '));
}

/** The folder without links; a file that is only in the base does not exist here. */
function realPathOf(file: string): string {
  try {
    return join(realpathSync(dirname(file)), basename(file));
  } catch {
    return file;
  }
}

function git(cwd: string, args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', ['-C', cwd, ...args], {
      encoding: 'utf8',
      maxBuffer: MAX_FILE,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}
