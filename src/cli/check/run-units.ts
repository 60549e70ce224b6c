/** Checks each cluster or environment by itself, and puts the results together. */
import type { ReadResult } from '../../core';
import type { ReportContext } from '../../report';
import { readInputs } from '../inputs';
import type { Io } from '../io';
import type { CheckCommandOptions } from './options';
import { type CheckRun, runCheck } from './run-check';

/** One stack of those that are checked. */
interface Unit {
  /** Undefined if there is only one. */
  readonly name?: string;
  readonly read: ReadResult;
  readonly options: CheckCommandOptions;
}

/** What was found in all stacks, and what reports say about them. */
export interface UnitsRun extends Pick<CheckRun, 'findings' | 'suppressed' | 'ifAll'> {
  /** Everything that was read. */
  readonly read: ReadResult;
  readonly scope: Pick<ReportContext, 'objects' | 'checkedFor' | 'assumptions' | 'stacks' | 'differences'>;
}

/** Reads what the options name. */
export async function readUnits(options: CheckCommandOptions, io: Io): Promise<readonly Unit[]> {
  if (options.clusters.length > 0) {
    const units: Unit[] = [];
    for (const { name, settings, files } of options.clusters) {
      const read = await readInputs(files, io, settings.check.budget);
      units.push({ name, read, options: { ...options, ...settings, severities: options.severities } });
    }
    return units;
  }
  const read = await readInputs(options.inputs, io, options.check.budget);
  if (read.stacks === undefined) return [{ read, options }];
  return read.stacks.map(({ name, manifests }) => ({ name, read: { ...read, manifests }, options }));
}

/** Checks all of them, one after the other. */
export async function runUnits(units: readonly Unit[], io: Io): Promise<UnitsRun> {
  const { differencesOf, findingsOfAll } = await import('../../check');
  const { describeVersions } = await import('../../settings/cluster');
  const runs: (CheckRun & { readonly name: string; readonly manifests: ReadResult['manifests'] })[] = [];
  for (const { name = '', read, options } of units) {
    runs.push({ ...(await runCheck(read, options, io)), name, manifests: read.manifests });
  }
  const [first, ...others] = runs;
  const read = readOf(units);
  if (others.length === 0 && first!.name === '') {
    const { findings, suppressed, ifAll, objects, cluster } = first!;
    const checkedFor = describeVersions(cluster);
    return { read, findings, suppressed, ifAll, scope: { objects, checkedFor, assumptions: cluster.assumptions } };
  }
  const stacks = runs.map(({ name, objects, cluster }) => ({ name, objects, checkedFor: describeVersions(cluster) }));
  const assumptions = [...new Set(runs.flatMap(({ cluster }) => cluster.assumptions))];
  return {
    read,
    findings: findingsOfAll(runs),
    suppressed: distinct(runs.flatMap(({ suppressed }) => suppressed)),
    ifAll: distinct(runs.flatMap(({ ifAll }) => ifAll)),
    scope: {
      objects: new Set(runs.flatMap(({ manifests }) => manifests)).size,
      assumptions,
      stacks,
      differences: differencesOf(runs),
    },
  };
}

function readOf(units: readonly Unit[]): ReadResult {
  return {
    manifests: units.flatMap(({ read }) => read.manifests),
    findings: distinct(units.flatMap(({ read }) => read.findings)),
    sources: new Map(units.flatMap(({ read }) => [...read.sources])),
  };
}

function distinct<Item>(items: readonly Item[]): Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
