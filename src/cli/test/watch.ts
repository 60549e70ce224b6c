import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { toAbsolute, toDisplay } from '../../files/paths';
import type { SelectedScript } from '../../files/scripts/selection';
import { escapeTerminalLine } from '../../report/escape';
import { UserError } from '../../settings/user-error';
import { type Io, write } from '../io';

/**
 * Files are looked at this often. Asking the system to tell of changes is quicker, and unreliable in containers, on
 * network drives and for folders that come and go; a few hundred files cost next to nothing to look at.
 */
const POLL_MILLISECONDS = 200;

type Snapshot = ReadonlyMap<string, string>;

/** What to do on a change, with the scripts that it concerns. */
export type OnChange = (affected: readonly SelectedScript[]) => Promise<void>;

/**
 * Waits for changes of scripts and testdata until Ctrl-C. A change counts once the files have been quiet for a moment,
 * so that an editor's several writes are one change.
 * @param select reads the scripts anew
 */
export async function watchScripts(
  path: string,
  select: () => readonly SelectedScript[],
  io: Io,
  onChange: OnChange,
): Promise<void> {
  let interrupted = false;
  let wake = () => {};
  const release = io.onInterrupt(() => {
    interrupted = true;
    wake();
  });
  const pause = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, POLL_MILLISECONDS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  try {
    let scripts = select();
    let tested = snapshotOf(scripts, toAbsolute(io, path));
    let last = tested;
    while (!interrupted) {
      await pause();
      const now = snapshotOf(scripts, toAbsolute(io, path));
      const isQuiet = sameSnapshot(now, last);
      last = now;
      if (interrupted || !isQuiet || sameSnapshot(now, tested)) continue;
      const before = scripts;
      const after = await selected(select, io);
      if (after === undefined) {
        tested = now;
        continue;
      }
      scripts = after;
      last = snapshotOf(scripts, toAbsolute(io, path));
      const changed = changedFiles(tested, last);
      tested = last;
      const affected = scripts.filter((script) => concerns(script, before, changed));
      if (affected.length === 0) continue;
      await announce(changed, io);
      await onChange(affected);
    }
  } finally {
    release();
  }
}

/** Scripts may be gone for a moment, while somebody moves them. */
async function selected(
  select: () => readonly SelectedScript[],
  io: Io,
): Promise<readonly SelectedScript[] | undefined> {
  try {
    return select();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    await write(io.stderr, `${escapeTerminalLine(error.message)}; waiting for changes\n`);
    return undefined;
  }
}

function concerns(script: SelectedScript, before: readonly SelectedScript[], changed: ReadonlySet<string>): boolean {
  const known = before.find(({ file }) => file === script.file);
  if (known === undefined || changed.has(script.file)) return true;
  return [...new Set([...known.testdata, ...script.testdata])].some((file) => changed.has(file));
}

async function announce(changed: ReadonlySet<string>, io: Io): Promise<void> {
  const files = [...changed].filter((file) => /\.(lua|ya?ml)$/.test(file)).map((file) => toDisplay(io, file));
  const clear = io.isTTY.stdout ? '\u001b[2J\u001b[3J\u001b[H' : '\n';
  await write(io.stdout, `${clear}changed: ${escapeTerminalLine(files.sort().join(', '))}\n\n`);
}

/** Scripts, testdata, and the folders that hold them: those change when a file comes or goes. */
function snapshotOf(scripts: readonly SelectedScript[], place: string): Snapshot {
  const paths = new Set([place]);
  for (const { file, testdata } of scripts) {
    const folder = dirname(file);
    for (const path of [file, folder, dirname(folder), `${folder}/testdata`, ...testdata, ...testdata.map(dirname)])
      paths.add(path);
  }
  return new Map([...paths].map((path) => [path, stampOf(path)]));
}

function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? 'absent' : `${stat.mtimeMs} ${stat.size} ${stat.ino}`;
}

function sameSnapshot(left: Snapshot, right: Snapshot): boolean {
  return left.size === right.size && [...left].every(([path, stamp]) => right.get(path) === stamp);
}

function changedFiles(before: Snapshot, after: Snapshot): ReadonlySet<string> {
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return new Set(paths.filter((path) => before.get(path) !== after.get(path)));
}
