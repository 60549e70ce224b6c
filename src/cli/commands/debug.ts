import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toAbsolute, toDisplay, writeAtomically } from '../../files/paths';
import { type PlayedStep, playSteps } from '../../kruise/scripts/case-runner';
import { debugFile, luaLiteral } from '../../kruise/scripts/debug-file';
import type { LibraryScript } from '../../kruise/scripts/library';
import { caseName, readTestdata, type Testdata } from '../../kruise/scripts/testdata';
import type { KruiseRolloutVersion } from '../../kruise/version';
import { compileLua } from '../../lua';
import { escapeTerminal } from '../../report/escape';
import { UserError } from '../../settings/user-error';
import { type Command, parseOptions } from '../command';
import { type Io, write } from '../io';
import { scriptsAt } from '../test/session';
import { KRUISE_VERSION_HELP, KRUISE_VERSION_OPTION, kruiseVersionOf } from '../version-options';

const command: Command = {
  name: 'debug',
  usage: `
usage: rollout-constructs debug <case> [options]

case is a testdata file, or a part of "<script> > <case>" that only one case has.
Writes <case>_obj.lua next to the testdata: the table "steps" with what the script is given at each step (step_0,
step_1, ...; creation for an ingress script; steps_0 for a TrafficRouting), and one of them as the global "obj".

Options
  --dir <folder>           where a case is looked for by name (default ./lua_configuration)
  --step <n|creation>      the step that becomes obj (default 0, or creation where that fails)
  --stdout                 print the Lua instead of writing the file
${KRUISE_VERSION_HELP}

An ingress step is given what the step before it left behind, so the steps after one that fails are not there.
Exit codes: 0 written; 2 wrong use, no such case or step.
`,
  async run(args, io) {
    const { values, positionals } = parseOptions(
      command.name,
      args,
      {
        dir: { type: 'string', default: './lua_configuration' },
        step: { type: 'string' },
        stdout: { type: 'boolean', default: false },
        ...KRUISE_VERSION_OPTION,
      },
      { min: 1, max: 1, what: 'a case: a testdata file or a part of its name' },
    );
    const { script, file } = findCase(positionals[0]!, values.dir, io);
    const testdata = readCase(script, file, io);
    const played = play(script, testdata, kruiseVersionOf(values['kruise-version']), io);
    const chosen = chooseStep(played, values.step);
    const steps = played.flatMap(({ key, name, obj }) => (obj === undefined ? [] : [{ key, title: name, obj }]));
    const lua = debugFile(toDisplay(io, file), steps, chosen.key);
    if (values.stdout) {
      await write(io.stdout, lua);
      return 0;
    }
    const target = join(dirname(file), `${caseName(file)}_obj.lua`);
    writeAtomically(target, lua);
    await write(io.stdout, escapeTerminal(instructions(script, toDisplay(io, target), chosen, io)));
    return 0;
  },
};

export default command;

interface FoundCase {
  readonly script: LibraryScript;
  readonly file: string;
}

function findCase(text: string, dir: string, io: Io): FoundCase {
  if (/\.ya?ml$/.test(text)) {
    const [script] = scriptsAt(text, io).scripts;
    const file = script?.testdata.find((each) => each === toAbsolute(io, text));
    if (script === undefined || file === undefined) throw new UserError(`"${text}" is not testdata of a script`);
    return { script, file };
  }
  const cases = scriptsAt(dir, io).scripts.flatMap((script) =>
    script.testdata.map((file) => ({ script, file, title: `${script.name} > ${caseName(file)}` })),
  );
  const exact = cases.filter(({ title, file }) => title === text || caseName(file) === text);
  const found = exact.length > 0 ? exact : cases.filter(({ title }) => title.includes(text));
  if (found.length === 1) return found[0]!;
  if (found.length === 0) throw new UserError(`no case in ${dir} has "${text}" in its name`, listed(cases));
  throw new UserError(`${found.length} cases in ${dir} have "${text}" in their name`, listed(found));
}

function listed(cases: readonly { readonly title: string }[]): string {
  const shown = cases.slice(0, 20).map(({ title }) => title);
  return `cases: ${shown.join('\n         ')}${cases.length > shown.length ? `\n         and ${cases.length - shown.length} more` : ''}`;
}

function readCase(script: LibraryScript, file: string, io: Io): Testdata {
  const read = readTestdata(readFileSync(file, 'utf8'), toDisplay(io, file), script.target);
  if (read.testdata) return read.testdata;
  const [first] = read.problems;
  throw new UserError(`${first!.source.file}:${first!.source.line}:${first!.source.column}: ${first!.message}`);
}

function play(script: LibraryScript, testdata: Testdata, version: KruiseRolloutVersion, io: Io): readonly PlayedStep[] {
  const played = playSteps(testdata, {
    target: script.target,
    script: compileLua(script.source),
    scriptFile: toDisplay(io, script.file),
    version,
  });
  if ('fault' in played) throw new UserError(`${testdata.file}: ${played.fault}`);
  return played.steps;
}

function chooseStep(played: readonly PlayedStep[], given: string | undefined): PlayedStep {
  const wanted = given ?? '0';
  const keys = [`step_${wanted}`, `steps_${wanted}`, wanted];
  const run = played.filter(({ obj }) => obj !== undefined);
  const step = run.find(({ key }) => keys.includes(key)) ?? (given === undefined ? run[0] : undefined);
  if (step !== undefined) return step;
  const known = run.map(({ key }) => key.replace(/^steps?_/, ''));
  const failing = played.find(({ outcome }) => outcome.kind === 'error');
  const why = failing?.outcome.kind === 'error' ? `; ${failing.name} fails: ${failing.outcome.error.message}` : '';
  throw new UserError(
    `the script is not run for step ${wanted}${why}`,
    known.length > 0 ? `--step can be: ${known.join(', ')}` : 'no step of this case routes traffic',
  );
}

function instructions(script: LibraryScript, target: string, chosen: PlayedStep, io: Io): string {
  const json = /\bjson\s*\./.test(script.source)
    ? [
        'The script uses "json", which a plain Lua does not have: load a module with encode and decode before it,',
        '  json = require("dkjson")',
      ]
    : [];
  return [
    `wrote ${target}: obj is what the script is given at ${chosen.name}`,
    '',
    'In VS Code with the extension Lua Debug (actboy168.lua-debug):',
    `1. While you debug, put this line first in ${toDisplay(io, script.file)}:`,
    `     dofile(${luaLiteral(target)})`,
    '2. Set a breakpoint, then Run and Debug > Lua Debug > Debug Current File (from the folder you are in now).',
    '3. Remove the line: the controller does not have this file.',
    ...json,
    '',
  ].join('\n');
}
