/** The two states that `diff` compares: each a commit of git, or files. */
import { existsSync } from 'node:fs';
import type { ReadResult } from '../../core';
import type { Budget } from '../../core/budget';
import { findCommit, type GitCommit, GitTree, isIgnored, mergeBaseOf } from '../../files/git-tree';
import { toAbsolute } from '../../files/paths';
import { UserError } from '../../settings/user-error';
import { readInputs } from '../inputs';
import type { Io } from '../io';

/** One of the two states, as named on the command line. */
export type NamedSide =
  | { readonly name: string; readonly inputs: readonly string[]; readonly at?: undefined }
  | { readonly name: string; readonly inputs: readonly string[]; readonly at: GitCommit };

/** What was named. */
export interface SidesRequest {
  readonly base: string;
  readonly head: string;
  /** The files and folders within commits; empty if the user named none. */
  readonly paths: readonly string[];
  /** Those of the configuration. */
  readonly configured: readonly string[];
  /** Whether the base is where the head comes from. */
  readonly mergeBase: boolean;
}

/** Finds both states. Files that are named come before commits of the same name. */
export function namedSides(request: SidesRequest, io: Io): { readonly base: NamedSide; readonly head: NamedSide } {
  const { paths, configured, mergeBase } = request;
  const [base, head] = [sideOf(request.base, io), sideOf(request.head, io)];
  if (base.at === undefined && head.at === undefined) {
    if (paths.length > 0) {
      throw new UserError(
        `diff does not know what to do with "${paths[0]}": "${base.name}" and "${head.name}" are files already`,
        'name paths only together with a commit: rollout-constructs diff origin/main HEAD deploy',
      );
    }
    if (mergeBase) throw new UserError('--merge-base is for commits, and both sides are files', 'leave it out');
    return { base, head };
  }
  const folder = [base, head].find(({ at }) => at === undefined);
  const wanted = paths.length > 0 ? paths : folder !== undefined && folder.name !== '-' ? [folder.name] : configured;
  const inputs = wanted.length > 0 ? wanted : ['.'];
  const within = (side: NamedSide): NamedSide => (side.at === undefined ? side : { ...side, inputs });
  return { base: within(mergeBase ? mergedFrom(base, head) : base), head: within(head) };
}

function sideOf(name: string, io: Io): NamedSide {
  const commit = findCommit(io.cwd, name);
  const isFile = name === '-' || existsSync(toAbsolute(io, name));
  if (commit !== undefined && isFile) {
    throw new UserError(
      `"${name}" is a commit of git and a file`,
      `write ./${name} for the file, or refs/heads/${name} for the branch`,
    );
  }
  if (commit !== undefined) return { name, inputs: [], at: commit };
  if (isFile) return { name, inputs: [name] };
  const fetch = name.startsWith('origin/') ? `; git fetch origin ${name.slice('origin/'.length)} brings it` : '';
  throw new UserError(
    `"${name}" is neither a file or folder nor a commit that git has here`,
    `name a branch, a tag, a commit, or a folder of manifests${fetch}`,
  );
}

function mergedFrom(base: NamedSide, head: NamedSide): NamedSide {
  if (base.at === undefined || head.at === undefined)
    throw new UserError('--merge-base is for two commits, and one side is files', 'leave it out');
  const at = mergeBaseOf(base.at, head.at);
  if (at !== undefined) return { ...base, at };
  throw new UserError(
    `"${base.name}" and "${head.name}" have no commit in common here`,
    'a shallow clone lacks it: git fetch --unshallow, or fetch-depth: 0 in GitHub',
  );
}

/** Reads both states. A path that a commit does not have is empty there, unless neither side has it. */
export async function readSides(
  { base, head }: { readonly base: NamedSide; readonly head: NamedSide },
  io: Io,
  budget: Budget | undefined,
): Promise<{ readonly base: ReadResult; readonly head: ReadResult }> {
  const trees = [base, head].map(({ at }) => (at === undefined ? undefined : new GitTree(at)));
  const has = (index: number, path: string) => trees[index] === undefined || trees[index]!.has(path);
  const paths = [base, head].find(({ at }) => at !== undefined)?.inputs ?? [];
  const missing = paths.find((path) => trees.every((tree) => tree !== undefined) && !has(0, path) && !has(1, path));
  if (missing !== undefined) {
    throw new UserError(
      `neither "${base.name}" nor "${head.name}" has "${missing}"`,
      'name files and folders as they are from here, committed: manifests that a synth writes are compared as two folders',
    );
  }
  for (const [index, { at, name }] of [base, head].entries()) {
    const ignored = at && paths.find((path) => !has(index, path) && isIgnored(at, path));
    if (ignored === undefined) continue;
    throw new UserError(
      `git ignores "${ignored}", so "${name}" does not have it`,
      'compare what both synths wrote: git worktree add ../base <commit>, synth there, and name the two folders',
    );
  }
  const read = async (side: NamedSide, index: number): Promise<ReadResult> => {
    const tree = trees[index];
    if (tree === undefined) return readInputs(side.inputs, io, budget);
    const { readTree } = await import('../../core');
    const there = side.inputs.filter((path) => tree.has(path));
    return readTree(tree, there, budget && { budget });
  };
  return { base: await read(base, 0), head: await read(head, 1) };
}
