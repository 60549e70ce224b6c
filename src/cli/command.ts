import { type ParseArgsConfig, parseArgs } from 'node:util';
import { didYouMean } from '../core/did-you-mean';
import { UserError } from '../settings/user-error';
import type { Io } from './io';
import { RENAMED_FLAGS } from './version-options';

/** A command in the list of `commands/index.ts`. */
export interface ListedCommand {
  /** As typed: `test`, `lua run`. */
  readonly name: string;
  /** One line in the list of commands. */
  readonly summary: string;
  /** Loads the file of the command. */
  load(): Promise<{ readonly default: Command }>;
}

/** One command of the command line. A new one is a file in `commands/` and an entry in `commands/index.ts`. */
export interface Command {
  /** As in the list. */
  readonly name: string;
  /** What `--help` prints: the synopsis, the options, examples, exit codes. */
  readonly usage: string;
  /** Ends with the exit code. */
  run(args: readonly string[], io: Io): Promise<number>;
}

type OptionsConfig = NonNullable<ParseArgsConfig['options']>;

type Parsed<O extends OptionsConfig> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true; strict: true; args: string[] }>
>;

/** Reads the arguments of a command; an unknown option or an argument too many is a `UserError` with a suggestion. */
export function parseOptions<const O extends OptionsConfig>(
  command: string,
  args: readonly string[],
  options: O,
  positionals: { readonly min?: number; readonly max: number; readonly what: string },
): Parsed<O> {
  rejectUnknownOptions(command, args, options);
  const parsed = parse(command, args, options);
  const [min, given] = [positionals.min ?? 0, parsed.positionals.length];
  if (given < min) throw new UserError(`${command} needs ${positionals.what}`, helpHint(command));
  if (given > positionals.max) {
    const extra = parsed.positionals[positionals.max]!;
    throw new UserError(`${command} does not know what to do with the argument "${extra}"`, helpHint(command));
  }
  return parsed;
}

/** One of a closed list, or a `UserError` that lists them. */
export function oneOf<const T extends string>(option: string, value: string, allowed: readonly T[]): T {
  if (allowed.includes(value as T)) return value as T;
  // One number is as near to a wrong one as another.
  const meant = /\d/.test(value) ? undefined : didYouMean(value, allowed);
  throw new UserError(
    `${option} is "${value}"${meant ? `; did you mean "${meant}"?` : ''}`,
    `it must be one of: ${allowed.join(', ')}`,
  );
}

function parse<O extends OptionsConfig>(command: string, args: readonly string[], options: O): Parsed<O> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true }) as Parsed<O>;
  } catch (error) {
    if (!String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS')) throw error;
    throw new UserError(`${command}: ${(error as Error).message.split('\n')[0]}`, helpHint(command));
  }
}

function rejectUnknownOptions(command: string, args: readonly string[], options: OptionsConfig): void {
  const { tokens } = parseArgs({ args: [...args], options, allowPositionals: true, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== 'option' || Object.hasOwn(options, token.name)) continue;
    if (Object.hasOwn(RENAMED_FLAGS, token.name)) {
      throw new UserError(`${token.rawName} is called --${RENAMED_FLAGS[token.name]} now`, helpHint(command));
    }
    const meant = didYouMean(token.name, Object.keys(options));
    const suggestion = meant ? `; did you mean --${meant}?` : '';
    throw new UserError(`${command} has no option ${token.rawName}${suggestion}`, helpHint(command));
  }
}

function helpHint(command: string): string {
  return `rollout-constructs ${command} --help lists the options`;
}
