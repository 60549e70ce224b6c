import type { Finding, Severity, SourceLocation } from '../core/finding';
import type { RuleCatalogue } from '../core/rule';
import type { SuppressedFinding, SuppressionResult } from '../core/suppression';
import type { ScriptSet } from '../kruise/scripts/library';
import type { Story } from '../release';
import type { StackCheckOptions } from './check-options';
import type { CheckConfig } from './config';
import { readProbe } from './probe';
import { rulesNamed } from './rule-names';
import { readVersions } from './versions';

/** A place where users state settings: flags, properties, a configuration file. */
export interface SettingsSource {
  /** The settings, already checked by type or schema. */
  readonly config: CheckConfig;
  /**
   * Its stories, read.
   * @default - none
   */
  readonly stories?: readonly (string | Story)[];
  /**
   * Where relative paths of the settings start.
   * @default - the working directory
   */
  readonly folder?: string;
  /** What messages call a field: `--kruise-version`, or `kruiseVersion of "rollout-constructs.config.yaml"`. */
  readonly place: (field: string) => string;
  /**
   * The line of the file that has a word: a rule that it turns off, or accepts.
   * @default - the settings come from no file
   */
  readonly lineOf?: (word: string) => SourceLocation;
}

/** A severity that users give to a rule, and where. */
export interface Weight {
  readonly severity: Severity | 'off';
  /** As messages call the place: `rules of "rollout-constructs.config.yaml"`. */
  readonly place: string;
  /**
   * The line.
   * @default - it is no file
   */
  readonly source?: SourceLocation;
}

/** The settings of one check. */
export interface Settings {
  /** The options of `checkStack`. */
  readonly check: StackCheckOptions;
  /** The severities that users give to rules. */
  readonly severities: ReadonlyMap<string, Weight>;
  readonly maxWarnings: number;
  /**
   * The namespace of objects that name none.
   * @default 'default'
   */
  readonly namespace?: string;
}

/**
 * Reads the scripts that a setting names, where the shell finds them.
 * @param folder where relative paths start; undefined for the working directory
 * @param place what messages call the text: `--scripts`
 */
export type ScriptsReader = (text: string, folder: string | undefined, place: string) => ScriptSet;

/**
 * The settings that several sources state together. Of single values the first source that states one wins; lists are
 * joined, with those of the last source first. A value that cannot be read is a `UserError` that names its place.
 *
 * @param readScripts how the scripts of a cluster are read
 */
export function settingsOf(
  sources: readonly SettingsSource[],
  catalogue: () => RuleCatalogue,
  readScripts: ScriptsReader,
): Settings {
  const first = <Field extends keyof CheckConfig>(field: Field): CheckConfig[Field] =>
    sources.find(({ config }) => config[field] !== undefined)?.config[field];
  const weakestFirst = [...sources].reverse();
  const versions = weakestFirst.map(({ config, place }) => readVersions(config, place));
  const controllerNamespace = first('controllerNamespace');
  const partitionPercentLimit = first('partitionPercentLimit');
  const namespace = first('namespace');
  const scripts = weakestFirst.flatMap(({ config, folder, place }) =>
    (config.scripts ?? []).map((one, index) => readScripts(one, folder, place(`scripts[${index}]`))),
  );
  const probes = weakestFirst.flatMap(({ config, place }) =>
    (config.probes ?? []).map((probe, index) => readProbe(probe, place(`probes[${index}]`))),
  );
  const stories = weakestFirst.flatMap((source) => source.stories ?? []);
  const external = weakestFirst.flatMap(({ config }) => config.external ?? []);
  const suppressions = weakestFirst.flatMap(({ config, lineOf }) =>
    (config.suppressions ?? []).map((one) => ({ ...one, ...(lineOf && { source: lineOf(one.rule) }) })),
  );
  const severities = weakestFirst.flatMap(({ config: { rules = {} }, place, lineOf }) =>
    rulesNamed(Object.keys(rules), place('rules'), catalogue).map((id): readonly [string, Weight] => [
      id,
      { severity: rules[id]!, place: place('rules'), ...(lineOf && { source: lineOf(id) }) },
    ]),
  );
  return {
    check: {
      ...Object.assign({}, ...versions),
      ...(controllerNamespace === undefined ? {} : { controllerNamespace }),
      ...(partitionPercentLimit === undefined ? {} : { partitionPercentLimit }),
      ...(sources.some(({ config }) => config.scripts !== undefined) ? { scripts } : {}),
      external,
      suppressions,
      rehearsal: (first('rehearsal') ?? true) && {
        probes,
        ...(stories.length === 0 ? {} : { stories }),
      },
    },
    severities: new Map(severities),
    maxWarnings: first('maxWarnings') ?? Number.POSITIVE_INFINITY,
    ...(namespace === undefined ? {} : { namespace }),
  };
}

/**
 * The findings with the severities that users give to their rules; those of rules that are off are named as suppressed.
 */
export function weighed(findings: readonly Finding[], severities: Settings['severities']): SuppressionResult {
  const suppressed: SuppressedFinding[] = [];
  const left = findings.flatMap((finding) => {
    const weight = severities.get(finding.rule);
    if (weight === undefined || weight.severity === finding.severity) return [finding];
    const { severity, place, source } = weight;
    if (severity === 'off') {
      const by = source === undefined ? 'option' : 'configuration';
      suppressed.push({ finding, reason: `${place} turns the rule off`, by, ...(source && { source }) });
      return [];
    }
    const isLower = SEVERITIES.indexOf(severity) > SEVERITIES.indexOf(finding.severity);
    return [{ ...finding, severity, ...(isLower && { lowered: { from: finding.severity, by: place } }) }];
  });
  return { findings: left, suppressed };
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];
