import { type ParseArgsConfig, parseArgs } from 'node:util';

/**
 * The options of a script of this repository. `--help` prints the usage and ends the process; an option that is wrong is told, and ends
 * it with 2.
 */
export function readOptions<Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  if (process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
    process.stdout.write(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}`);
    process.exit(2);
  }
}
