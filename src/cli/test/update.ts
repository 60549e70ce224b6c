import { createInterface } from 'node:readline/promises';
import { textDiff } from '../../core/text-diff';
import { toDisplay, writeAtomically } from '../../files/paths';
import type { TestedScript } from '../../files/scripts/script-tester';
import { updateTestdata } from '../../kruise/scripts/testdata-update';
import { escapeTerminal, escapeTerminalLine } from '../../report/escape';
import { UserError } from '../../settings/user-error';
import { type Io, write } from '../io';

/** What became of an update. */
export type UpdateOutcome = 'nothing to write' | 'written' | 'declined';

/** Shows what would be written into testdata, asks, and writes it. */
export async function updateAll(tested: readonly TestedScript[], yes: boolean, io: Io): Promise<UpdateOutcome> {
  const writes: { file: string; text: string }[] = [];
  for (const { script, cases } of tested) {
    for (const { file, text, testdata, played } of cases) {
      const update = updateTestdata(text, testdata, played, script.target);
      if (update.refused !== undefined)
        await write(
          io.stdout,
          `${escapeTerminalLine(toDisplay(io, file))}: not updated: ${escapeTerminal(update.refused)}\n`,
        );
      if (update.text === text) continue;
      writes.push({ file, text: update.text });
      const lines = [
        escapeTerminalLine(toDisplay(io, file)),
        ...textDiff(text, update.text).map((line) => `  ${line}`),
      ];
      await write(io.stdout, `${escapeTerminal(lines.join('\n'))}\n`);
    }
  }
  if (writes.length === 0) return 'nothing to write';
  const files = `${writes.length} file${writes.length === 1 ? '' : 's'}`;
  if (!yes && !(await confirmed(`write ${files}?`, io))) return 'declined';
  for (const { file, text } of writes) writeAtomically(file, text);
  await write(io.stdout, `wrote ${files}\n`);
  return 'written';
}

async function confirmed(question: string, io: Io): Promise<boolean> {
  if (!io.isTTY.stdin || !io.isTTY.stdout) {
    throw new UserError(
      'nothing written: there is no terminal to ask on',
      'if the above is right, run it again with --yes',
    );
  }
  const reader = createInterface({ input: io.stdin, output: io.stdout, terminal: false });
  try {
    const closed = new Promise<string>((resolve) => reader.once('close', () => resolve('')));
    const answer = await Promise.race([reader.question(`${question} [y/N] `), closed]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    reader.close();
  }
}
