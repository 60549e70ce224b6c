import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PACKAGE_FOLDER } from '../../files/package';
import { toAbsolute, toDisplay, writeAtomically } from '../../files/paths';
import { UserError } from '../../settings/user-error';
import { type Command, parseOptions } from '../command';
import { write } from '../io';

/** Written when the package is built. */
const PAGE = join(PACKAGE_FOLDER, 'lib', 'playground.html');

const command: Command = {
  name: 'playground',
  usage: `
usage: rollout-constructs playground [options]

Writes one HTML file with this library in it, and opens it in your browser: paste manifests, and see the findings and the
rehearsal while you type; send requests of your own; share all of it with a link. The page needs no server and no network:
nothing that you write into it leaves it, except in a link that you copy.

Options
  --output <file>          write the page there (default playground.html in a new folder for temporary files)
  --no-open                write the page, and open nothing

Exit codes: 0 the page is written; 2 wrong use, or the file cannot be written.
`,
  async run(args, io) {
    const { values } = parseOptions(
      command.name,
      args,
      { output: { type: 'string' }, 'no-open': { type: 'boolean', default: false } },
      { max: 0, what: 'files: paste or drop manifests into the page' },
    );
    if (!existsSync(PAGE)) {
      throw new UserError('this copy of rollout-constructs has no playground', 'build it with: npm run build');
    }
    const file =
      values.output === undefined
        ? // Others may write into the folder of temporary files, and not into a new one in it.
          join(mkdtempSync(join(tmpdir(), 'rollout-constructs-')), 'playground.html')
        : toAbsolute(io, values.output);
    writeAtomically(file, readFileSync(PAGE, 'utf8'), values.output ?? file);
    await write(io.stdout, `${values.output === undefined ? file : toDisplay(io, file)}\n`);
    if (!values['no-open'] && !(await isOpened(file))) {
      await write(io.stderr, 'rollout-constructs: no browser was found: open the file yourself\n');
    }
    return 0;
  },
};

export default command;

/** What opens a file with the program that the user has chosen for it. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>>> = {
  darwin: ['open'],
  win32: ['explorer'],
};

/** Whether a program was found that opens the file; the program lives on without this one. */
function isOpened(file: string): Promise<boolean> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program, [...args, file], { detached: true, stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
