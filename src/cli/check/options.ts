import { resolve } from 'node:path';
import type { Shard } from '../../check';
import type { Severity } from '../../core/finding';
import type { RehearsalRequest } from '../../rehearsal';
import { CACHE_OPTIONS } from '../cache/script-store';
import { oneOf, parseOptions } from '../command';
import { toAbsolute, toDisplay } from '../files';
import type { Io } from '../io';
import { PARALLEL_OPTIONS, readJobs, readShard } from '../parallel/options';
import { UserError } from '../user-error';
import { readVersions, VERSION_OPTIONS, type Versions, versionTexts } from '../versions';
import { type CheckConfig, type LoadedConfig, loadConfig } from './config';
import { readProbe } from './probe';
import { rulesNamed } from './rule-names';

/** The formats of findings. */
const FORMATS = ['pretty', 'json', 'sarif', 'junit', 'github', 'markdown'] as const;

/** What one call of `check` does: options first, then the configuration, then the defaults. */
export interface CheckOptions {
  readonly inputs: readonly string[];
  readonly config: CheckConfig;
  readonly versions: Versions;
  readonly controllerNamespace?: string;
  readonly rehearsal: boolean;
  readonly probes: readonly RehearsalRequest[];
  readonly format: (typeof FORMATS)[number];
  readonly output?: string;
  /** Only these rules; undefined for all. */
  readonly only?: ReadonlySet<string>;
  readonly severities: ReadonlyMap<string, Severity | 'off'>;
  readonly maxWarnings: number;
  readonly baseline?: { readonly file: string; readonly name: string };
  readonly updateBaseline: boolean;
  readonly shard?: Shard;
  /** Undefined leaves it to the size of the stack. */
  readonly jobs?: number;
  readonly noCache: boolean;
  readonly noColor: boolean;
}

/** Reads the arguments of `check`, and the configuration. */
export function readCheckOptions(command: string, args: readonly string[], io: Io): CheckOptions {
  const { values, positionals } = parseOptions(
    command,
    args,
    {
      format: { type: 'string', default: 'pretty' },
      output: { type: 'string' },
      'max-warnings': { type: 'string' },
      rule: { type: 'string', multiple: true, default: [] },
      ignore: { type: 'string', multiple: true, default: [] },
      config: { type: 'string' },
      'no-config': { type: 'boolean', default: false },
      baseline: { type: 'string' },
      'update-baseline': { type: 'boolean', default: false },
      probe: { type: 'string', multiple: true, default: [] },
      'no-rehearsal': { type: 'boolean', default: false },
      'controller-namespace': { type: 'string' },
      'no-color': { type: 'boolean', default: false },
      ...VERSION_OPTIONS,
      ...PARALLEL_OPTIONS,
      ...CACHE_OPTIONS,
    },
    { max: Number.POSITIVE_INFINITY, what: 'manifests: files, folders, or - for stdin' },
  );
  const loaded = values['no-config'] ? undefined : loadConfig(io, values.config);
  const config = loaded?.config ?? {};
  const versions = {
    ...readVersionsOf(config, loaded),
    ...chosen(versionTexts(values)),
  };
  const controllerNamespace = values['controller-namespace'] ?? config.controllerNamespace;
  const baseline = baselineOf(values.baseline, loaded, io);
  if (values['update-baseline'] && baseline === undefined) {
    throw new UserError('--update-baseline needs to know the file', 'name it: --baseline findings.json');
  }
  const shard = readShard(values.shard);
  if (values['update-baseline'] && shard !== undefined) {
    throw new UserError('--update-baseline and --shard do not go together', 'write the baseline from a whole check');
  }
  const jobs = readJobs(values.jobs);
  return {
    inputs: inputsOf(command, positionals, loaded, io),
    config,
    versions,
    ...(controllerNamespace === undefined ? {} : { controllerNamespace }),
    rehearsal: !values['no-rehearsal'] && (config.rehearsal ?? true),
    probes: [
      ...(config.probes ?? []).map((probe, index) => readProbe(probe, `probes[${index}] of "${loaded?.name}"`)),
      ...values.probe.map((probe) => readProbe(probe, '--probe')),
    ],
    format: oneOf('--format', values.format, FORMATS),
    ...(values.output === undefined ? {} : { output: values.output }),
    ...(values.rule.length === 0 ? {} : { only: new Set(rulesNamed(values.rule, '--rule')) }),
    severities: new Map([
      ...rulesNamed(Object.keys(config.rules ?? {}), `rules of "${loaded?.name}"`).map(
        (rule) => [rule, config.rules![rule]!] as const,
      ),
      ...rulesNamed(values.ignore, '--ignore').map((rule) => [rule, 'off'] as const),
    ]),
    maxWarnings: readMaxWarnings(values['max-warnings']) ?? config.maxWarnings ?? Number.POSITIVE_INFINITY,
    ...(baseline === undefined ? {} : { baseline }),
    updateBaseline: values['update-baseline'],
    ...(shard === undefined ? {} : { shard }),
    ...(jobs === undefined ? {} : { jobs }),
    noCache: values['no-cache'],
    noColor: values['no-color'],
  };
}

function readVersionsOf({ versions = {} }: CheckConfig, loaded: LoadedConfig | undefined): Versions {
  return readVersions(versions, (key) => `versions.${key} of "${loaded?.name}"`);
}

/** Only what options say, over what the configuration says. */
function chosen(texts: ReturnType<typeof versionTexts>): Partial<Versions> {
  const names = { awsLoadBalancerController: 'lbc' } as Readonly<Record<string, string>>;
  const read = readVersions(texts, (key) => `--${names[key] ?? key}-version`);
  return Object.fromEntries(Object.keys(texts).map((key) => [key, read[key as keyof Versions]]));
}

function inputsOf(
  command: string,
  named: readonly string[],
  loaded: LoadedConfig | undefined,
  io: Io,
): readonly string[] {
  if (named.length > 0) return named;
  const files = loaded?.config.files ?? [];
  if (files.length > 0) return files.map((file) => toDisplay(io, resolve(loaded!.folder, file)));
  throw new UserError(
    `${command} needs manifests: files, folders, or - for stdin`,
    `rollout-constructs ${command} --help lists the options`,
  );
}

function baselineOf(named: string | undefined, loaded: LoadedConfig | undefined, io: Io) {
  if (named !== undefined) return { file: toAbsolute(io, named), name: named };
  const configured = loaded?.config.baseline;
  return configured === undefined ? undefined : { file: resolve(loaded!.folder, configured), name: configured };
}

/** Reads `--max-warnings`. */
export function readMaxWarnings(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UserError(`--max-warnings is "${text}"`, 'it must be a number, 0 or more');
}
