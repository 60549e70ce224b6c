import { passes, summarize, type TestReport } from '../../core/test-result';
import { toDisplay } from '../../files/paths';
import type { SelectedScript } from '../../files/scripts/selection';
import { caseName } from '../../kruise/scripts/testdata';
import { escapeTerminalLine } from '../../report/escape';
import { UserError } from '../../settings/user-error';
import type { Command } from '../command';
import { type Io, write } from '../io';
import { readTestOptions, type TestCommandOptions } from '../test/options';
import { filtered, runTests, scriptsAt, writeReport } from '../test/session';
import { updateAll } from '../test/update';
import { watchScripts } from '../test/watch';

const command: Command = {
  name: 'test',
  usage: `
usage: rollout-constructs test [path] [options]

path is a folder of scripts in the layout of openkruise/rollouts (default ./lua_configuration), a folder with such
folders in it, or a part of one: the folder or file of a script, a testdata folder, a testdata file.

  <group>/<Kind>/trafficRouting.lua          testdata/<case>.yaml beside it
  trafficrouting_ingress/<class>.lua         testdata/<class>/<case>.yaml beside it

Options
  --filter <text|/regex/>      only cases whose "<script> > <case>" or file contains the text or matches
  --watch                      test again what a change of a script or its testdata concerns; Ctrl-C ends
  --update                     show what the scripts give now as "expected", ask, and write it; never in CI
  --yes                        with --update: do not ask
  --coverage                   which lines of each script the cases execute, and the lines that none does
  --coverage-threshold <n>     fail if a script stays below n percent
  --reporter <format>          pretty, json, junit, github or tap (default pretty)
  --output <file>              write the report there, and a readable one to stdout
  --kruise-version <v>         the version of Kruise Rollouts: 0.6 or 0.6.1 (default the newest known)
  --no-checks                  only the testdata, without the checks of the scripts themselves
  --no-cache                   check every script again, including those that have not changed since the last check
  --no-color                   no colours; so does the variable NO_COLOR

Exit codes: 0 everything passed; 1 a step, a check or a threshold failed; 2 wrong use, no scripts or no testdata.
`,
  async run(args, io) {
    const options = readTestOptions(args, io);
    const { scripts, unused, nested } = scriptsAt(options.path, io);
    for (const file of unused) {
      await write(
        io.stderr,
        `note: ${escapeTerminalLine(toDisplay(io, file))} is no script by its place or name, and is not tested\n`,
      );
    }
    for (const folder of nested) {
      await write(
        io.stderr,
        `note: ${escapeTerminalLine(toDisplay(io, folder))} is a library of its own, tested when it is named\n`,
      );
    }
    requireCases(scripts, options, io);
    return options.watch ? watch(scripts, options, io) : testOnce(scripts, options, io);
  },
};

export default command;

async function testOnce(scripts: readonly SelectedScript[], options: TestCommandOptions, io: Io): Promise<number> {
  let tested = await runTests(scripts, options, io);
  if (options.update) {
    const outcome = await updateAll(tested, options.yes, { ...io, ...conversationOf(options, io) });
    if (outcome === 'written') tested = await runTests(scripts, options, io);
  }
  return codeOf(await writeReport(tested, options, io));
}

/** Where the update is shown and asked about: not on a stdout that a program reads. */
function conversationOf({ reporter, output }: TestCommandOptions, { stdout, stderr, isTTY }: Io) {
  const isRead = reporter !== 'pretty' && output === undefined;
  return isRead ? { stdout: stderr, isTTY: { ...isTTY, stdout: isTTY.stderr } } : { stdout, isTTY };
}

async function watch(scripts: readonly SelectedScript[], options: TestCommandOptions, io: Io): Promise<number> {
  const test = async (affected: readonly SelectedScript[]) => {
    await writeReport(await runTests(affected, options, io), options, io);
    await write(io.stdout, 'waiting for changes; Ctrl-C ends\n');
  };
  const watching = watchScripts(options.path, () => scriptsAt(options.path, io).scripts, io, test);
  await test(scripts);
  await watching;
  return 0;
}

function requireCases(scripts: readonly SelectedScript[], options: TestCommandOptions, io: Io): void {
  if (filtered(scripts, options, io).some(({ cases }) => cases.length > 0)) return;
  if (options.filter !== undefined) {
    const [example] = scripts.filter(({ testdata }) => testdata.length > 0);
    const hint = example ? `a case is called as in "${example.name} > ${caseName(example.testdata[0]!)}"` : undefined;
    throw new UserError(`no case matches --filter ${options.filterText}`, hint);
  }
  const names = scripts.map(({ name }) => name).join(', ');
  throw new UserError(`no testdata for ${names}`, 'rollout-constructs test --help shows where it goes');
}

function codeOf(report: TestReport): number {
  return passes(summarize(report)) ? 0 : 1;
}
