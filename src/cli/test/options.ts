import { CACHE_OPTIONS } from '../../files/cache/script-store';
import type { KruiseRolloutVersion } from '../../kruise/version';
import { testReporters } from '../../report/test-results';
import { UserError } from '../../settings/user-error';
import { oneOf, parseOptions } from '../command';
import type { Io } from '../io';
import { KRUISE_VERSION_OPTION, kruiseVersionOf } from '../version-options';

/** What `test` was asked to do. */
export interface TestCommandOptions {
  readonly path: string;
  /** Whether a case is run, by the text that describes it. */
  readonly filter?: (description: string) => boolean;
  readonly filterText?: string;
  readonly watch: boolean;
  readonly update: boolean;
  readonly yes: boolean;
  readonly coverage: boolean;
  readonly coverageThreshold?: number;
  readonly reporter: keyof typeof testReporters;
  readonly output?: string;
  readonly version: KruiseRolloutVersion;
  readonly noColor: boolean;
  readonly checks: boolean;
  readonly noCache: boolean;
}

/** Reads the arguments of `test`. */
export function readTestOptions(args: readonly string[], io: Io): TestCommandOptions {
  const { values, positionals } = parseOptions(
    'test',
    args,
    {
      filter: { type: 'string' },
      watch: { type: 'boolean', default: false },
      update: { type: 'boolean', default: false },
      yes: { type: 'boolean', default: false },
      coverage: { type: 'boolean', default: false },
      'coverage-threshold': { type: 'string' },
      reporter: { type: 'string', default: 'pretty' },
      output: { type: 'string' },
      ...KRUISE_VERSION_OPTION,
      'no-color': { type: 'boolean', default: false },
      'no-checks': { type: 'boolean', default: false },
      ...CACHE_OPTIONS,
    },
    { max: 1, what: 'a folder' },
  );
  const { watch, update, yes } = values;
  if (watch && update) throw new UserError('--watch and --update do not go together', 'update first, then watch');
  if (yes && !update) throw new UserError('--yes has a meaning only with --update');
  if (update && isCi(io)) {
    throw new UserError(
      '--update never writes in CI (the variable CI is set)',
      'run it on your machine, look at what it writes, and commit that',
    );
  }
  const threshold = readThreshold(values['coverage-threshold']);
  return {
    path: positionals[0] ?? './lua_configuration',
    filter: values.filter === undefined ? undefined : readFilter(values.filter),
    filterText: values.filter,
    watch,
    update,
    yes,
    coverage: values.coverage || threshold !== undefined,
    coverageThreshold: threshold,
    reporter: oneOf('--reporter', values.reporter, Object.keys(testReporters) as (keyof typeof testReporters)[]),
    output: values.output,
    version: kruiseVersionOf(values['kruise-version']),
    noColor: values['no-color'],
    checks: !values['no-checks'],
    noCache: values['no-cache'],
  };
}

function isCi({ env }: Io): boolean {
  return env.CI !== undefined && !['', '0', 'false'].includes(env.CI);
}

function readThreshold(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d+(\.\d+)?%?$/.test(value) ? Number.parseFloat(value) : Number.NaN;
  if (number >= 0 && number <= 100) return number;
  throw new UserError(
    `--coverage-threshold is "${value}"`,
    'it must be a number from 0 to 100: the percentage of lines',
  );
}

/** `/…/` or `/…/i` is a regular expression, everything else a text to be contained. */
function readFilter(text: string): (description: string) => boolean {
  const expression = /^\/(.+)\/(i?)$/.exec(text);
  if (expression === null) return (description) => description.includes(text);
  try {
    const pattern = new RegExp(expression[1]!, expression[2]);
    return (description) => pattern.test(description);
  } catch (error) {
    throw new UserError(`--filter: ${(error as Error).message}`);
  }
}
