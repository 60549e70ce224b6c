import type { Shard } from '../../check';
import type { Budget } from '../../core/budget';
import type { BaselineFile } from '../../files/baseline';
import { CACHE_OPTIONS } from '../../files/cache/script-store';
import { rulesNamed } from '../../settings/rule-names';
import type { Settings } from '../../settings/settings';
import { UserError } from '../../settings/user-error';
import { BUDGET_OPTIONS, readBudget } from '../budget';
import { oneOf, parseOptions } from '../command';
import type { Io } from '../io';
import { PARALLEL_OPTIONS, readJobs, readShard } from '../parallel/options';
import { baselineFile, type ClusterSettings, readSettings, SETTINGS_OPTIONS } from '../settings';
import { readTrust, TRUST_OPTIONS, type TrustSettings } from '../trust';

/** The formats of findings. */
const FORMATS = ['pretty', 'json', 'sarif', 'junit', 'github', 'markdown'] as const;

/** What one call of `check` does: flags first, then the configuration, then the defaults. */
export interface CheckCommandOptions extends Settings {
  readonly inputs: readonly string[];
  /** The clusters of the configuration, with their own files; empty if the inputs are for one cluster. */
  readonly clusters: readonly ClusterSettings[];
  readonly format: (typeof FORMATS)[number];
  readonly output?: string;
  /** Only these rules; undefined for all. */
  readonly only?: ReadonlySet<string>;
  readonly baseline?: BaselineFile;
  readonly updateBaseline: boolean;
  readonly shard?: Shard;
  /** Undefined leaves the number to the size of the stack. */
  readonly jobs?: number;
  readonly noCache: boolean;
  readonly noColor: boolean;
  readonly trust: TrustSettings;
}

/** Reads the arguments of `check`, and the configuration. */
export function readCheckOptions(command: string, args: readonly string[], io: Io): CheckCommandOptions {
  const { values, positionals } = parseOptions(
    command,
    args,
    {
      format: { type: 'string', default: 'pretty' },
      output: { type: 'string' },
      'max-warnings': { type: 'string' },
      rule: { type: 'string', multiple: true, default: [] },
      ignore: { type: 'string', multiple: true, default: [] },
      baseline: { type: 'string' },
      'update-baseline': { type: 'boolean', default: false },
      'no-rehearsal': { type: 'boolean', default: false },
      'no-color': { type: 'boolean', default: false },
      ...SETTINGS_OPTIONS,
      ...PARALLEL_OPTIONS,
      ...CACHE_OPTIONS,
      ...TRUST_OPTIONS,
      ...BUDGET_OPTIONS,
    },
    { max: Number.POSITIVE_INFINITY, what: 'manifests: files, folders, or - for stdin' },
  );
  const maxWarnings = readMaxWarnings(values['max-warnings']);
  const trust = readTrust(values, io);
  const { settings, loaded, files, clusters } = readSettings(
    values,
    {
      rules: Object.fromEntries(values.ignore.map((id) => [id, 'off'])),
      ...(values['no-rehearsal'] ? { rehearsal: false } : {}),
      ...(maxWarnings === undefined ? {} : { maxWarnings }),
    },
    io,
    trust,
  );
  const baseline = baselineFile(values.baseline, loaded, io, trust);
  if (values['update-baseline'] && baseline === undefined) {
    throw new UserError('--update-baseline needs to know the file', 'name it: --baseline findings.json');
  }
  if (values['update-baseline'] && trust.owner !== undefined) {
    throw new UserError('--update-baseline and --trust owner do not go together', 'write the baseline without --trust');
  }
  const shard = readShard(values.shard);
  if (values['update-baseline'] && shard !== undefined) {
    throw new UserError('--update-baseline and --shard do not go together', 'write the baseline from a whole check');
  }
  const jobs = readJobs(values.jobs);
  const catalogue = () => (require('../../check') as typeof import('../../check')).wholeCatalogue();
  const budget = readBudget(values.budget);
  return {
    ...settings,
    check: { ...settings.check, ...(budget && { budget }) },
    ...inputsAndClusters(command, positionals, files, clusters, budget),
    format: oneOf('--format', values.format, FORMATS),
    ...(values.output === undefined ? {} : { output: values.output }),
    ...(values.rule.length === 0 ? {} : { only: new Set(rulesNamed(values.rule, '--rule', catalogue)) }),
    ...(baseline === undefined ? {} : { baseline }),
    updateBaseline: values['update-baseline'],
    ...(shard === undefined ? {} : { shard }),
    ...(jobs === undefined ? {} : { jobs }),
    noCache: values['no-cache'],
    noColor: values['no-color'],
    trust,
  };
}

/** Files that the arguments name belong to one cluster; the files of the configuration may belong to several. */
function inputsAndClusters(
  command: string,
  named: readonly string[],
  files: readonly string[],
  clusters: readonly ClusterSettings[],
  budget: Budget | undefined,
): Pick<CheckCommandOptions, 'inputs' | 'clusters'> {
  if (named.length > 0 || clusters.length === 0) return { inputs: inputsOf(command, named, files), clusters: [] };
  const empty = clusters.find((each) => each.files.length === 0);
  if (empty !== undefined) {
    throw new UserError(
      `the cluster "${empty.name}" of the configuration has no files`,
      'name them in its files, or in the files of the configuration',
    );
  }
  return {
    inputs: [],
    clusters: clusters.map(({ settings, ...rest }) => ({
      ...rest,
      settings: { ...settings, check: { ...settings.check, ...(budget && { budget }) } },
    })),
  };
}

/** The files that the arguments name, or else those of the configuration. */
export function inputsOf(command: string, named: readonly string[], configured: readonly string[]): readonly string[] {
  if (named.length > 0) return named;
  if (configured.length > 0) return configured;
  throw new UserError(
    `${command} needs manifests: files, folders, or - for stdin`,
    `rollout-constructs ${command} --help lists the options`,
  );
}

/** Reads `--max-warnings`. */
export function readMaxWarnings(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UserError(`--max-warnings is "${text}"`, 'it must be a number, 0 or more');
}
