import { didYouMean } from '../core/did-you-mean';
import { packageVersion } from '../files/package';
import { escapeCommands, escapeTerminal } from '../report/escape';
import { UserError } from '../settings/user-error';
import type { ListedCommand } from './command';
import { commands } from './commands';
import { type Io, processIo, write } from './io';

/** Exit code for a bug of ours, as in sysexits.h: apart from 1 (something failed) and 2 (wrong use or input). */
const INTERNAL_ERROR = 70;

/**
 * The command line: finds the command, runs it, and turns what goes wrong into a message and an exit code.
 * @example process.exitCode = await main(['test', 'lua_configuration'])
 */
export async function main(argv: readonly string[], io: Io = processIo()): Promise<number> {
  try {
    return await dispatch(argv, io);
  } catch (error) {
    await write(io.stderr, escapeCommands(escapeTerminal(describe(error, io))));
    return error instanceof UserError ? 2 : INTERNAL_ERROR;
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<number> {
  const [first, ...rest] = argv;
  if (first === undefined) {
    await write(io.stderr, shortHelp());
    return 2;
  }
  if (first === '--version' || first === '-V') return say(io, `${packageVersion()}\n`);
  if (first === '--help' || first === '-h') return say(io, shortHelp());
  const group = groupHelp(first === 'help' && rest.length === 1 ? [...rest, '--help'] : argv);
  if (group !== undefined) return say(io, group);
  if (first === 'help') return say(io, rest.length === 0 ? shortHelp() : await help(find(rest).command));
  const { command, args } = find(argv);
  const options = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
  if (options.includes('--help') || options.includes('-h')) return say(io, await help(command));
  return (await command.load()).default.run(args, io);
}

/** The command with the longest name that the arguments start with, and the arguments after it. */
function find(argv: readonly string[]): { command: ListedCommand; args: readonly string[] } {
  for (const length of [2, 1]) {
    const command = commands.find(({ name }) => name === argv.slice(0, length).join(' '));
    if (command && argv.length >= length) return { command, args: argv.slice(length) };
  }
  const group = commands.filter(({ name }) => name.startsWith(`${argv[0]} `)).map(({ name }) => name);
  const given = group.length > 0 ? argv.slice(0, 2).join(' ') : argv[0]!;
  const known = commands.map(({ name }) => name);
  const meant = didYouMean(argv.slice(0, 2).join(' '), known) ?? didYouMean(given, known) ?? group[0];
  throw new UserError(
    given.startsWith('-') ? `no option ${given} before a command` : `no command "${given}"`,
    meant ? `did you mean "rollout-constructs ${meant}"?` : `the commands are: ${known.join(', ')}`,
  );
}

async function say(io: Io, text: string): Promise<number> {
  await write(io.stdout, text);
  return 0;
}

/** The commands that begin with a word, for `lua --help`; undefined where something else is asked for. */
function groupHelp([word, flag]: readonly string[]): string | undefined {
  if (flag !== '--help' && flag !== '-h') return undefined;
  const group = commands.filter(({ name }) => name.startsWith(`${word} `));
  return group.length === 0 ? undefined : `${listed(group)}\n`;
}

function listed(some: readonly ListedCommand[]): string {
  const width = Math.max(...some.map(({ name }) => name.length));
  return some.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n');
}

function shortHelp(): string {
  return [
    'rollout-constructs: progressive delivery on Kubernetes, rehearsed before anything is applied',
    '',
    'usage: rollout-constructs <command> [options]',
    '',
    listed(commands),
    '',
    'rollout-constructs <command> --help tells more; --version prints the version.',
    '',
  ].join('\n');
}

async function help({ summary, load }: ListedCommand): Promise<string> {
  const { usage } = (await load()).default;
  return `${summary}\n\n${usage.trim()}\n`;
}

function describe(error: unknown, io: Io): string {
  if (error instanceof UserError) {
    return `rollout-constructs: ${error.message}\n${error.hint === undefined ? '' : `  ${error.hint}\n`}`;
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (io.env.ROLLOUT_CONSTRUCTS_DEBUG) return `${stack}\n`;
  return (
    `rollout-constructs: internal error: ${message}\n` +
    '  this is a bug of rollout-constructs; ROLLOUT_CONSTRUCTS_DEBUG=1 shows where it happened\n'
  );
}
