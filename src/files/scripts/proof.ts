import type { Finding } from '../../core/finding';
import { type FindingStore, findingsBy } from '../../core/finding-store';
import { findingOf } from '../../core/rule';
import { applySuppressions, type Suppression, type SuppressionResult } from '../../core/suppression';
import type { Difference, StepResult } from '../../core/test-result';
import { World } from '../../core/world';
import { DEFAULT_CONTROLLER_NAMESPACE } from '../../kruise/api';
import { kruiseCatalogue } from '../../kruise/catalogue';
import { isLasting } from '../../kruise/scripts/checks/kept';
import { checkRoutingConfigMap, isNeverRun } from '../../kruise/scripts/config-map';
import { configMapRules } from '../../kruise/scripts/config-map-rules';
import type { RoutingScript } from '../../kruise/scripts/library';
import { isProven, proofKey } from '../../kruise/scripts/proven';
import { KruiseRolloutVersion } from '../../kruise/version';
import { compileLua } from '../../lua';
import { shippedScripts } from './library';
import { checkWithTestdata, readText, testCase } from './script-tester';

/** How to check a ConfigMap of scripts. */
export interface ProofOptions {
  /**
   * The controller's namespace.
   * @default 'kruise-rollout'
   */
  readonly namespace?: string;
  /** @default KruiseRolloutVersion.LATEST */
  readonly version?: KruiseRolloutVersion;
  /**
   * Findings to accept.
   * @default - none
   */
  readonly suppressions?: readonly Suppression[];
  /**
   * Keeps what is found in a script from one process to the next.
   * @default - the results last as long as the process
   */
  readonly store?: FindingStore;
}

/**
 * Checks a ConfigMap of these scripts: its keys and size, each script on its own, and each script against its testdata.
 */
export function proveScripts(scripts: readonly RoutingScript[], options: ProofOptions = {}): SuppressionResult {
  const {
    namespace = DEFAULT_CONTROLLER_NAMESPACE,
    version = KruiseRolloutVersion.LATEST,
    suppressions,
    store,
  } = options;
  const findings = [
    ...checkRoutingConfigMap(scripts, namespace, version),
    // A script that never runs has a finding that says so.
    ...scripts
      .filter((script) => !isNeverRun(script, version))
      .flatMap((script) => proveScript(script, version, store)),
  ];
  return applySuppressions(findings, { world: World.of([]), catalogue: kruiseCatalogue(), suppressions });
}

const proven = new Map<string, readonly Finding[]>();

/** Maximum number of cached results, so that a program that generates scripts does not fill the memory. */
const MAX_PROVEN = 1_000;

/** Checks one script. A script with the same testdata and version is checked once per process. */
function proveScript(
  script: RoutingScript,
  version: KruiseRolloutVersion,
  store: FindingStore | undefined,
): readonly Finding[] {
  const { file, source, testdata } = script;
  const texts = testdata?.map(readText);
  const proof = proofKey(script, texts, version);
  if (isProven(proof)) return [];
  // Findings name the files.
  const key = JSON.stringify(['proveScript', proof, file, testdata]);
  const known = proven.get(key);
  if (known) return known;
  const findings = findingsBy(store, key, () => runProof(script, version), isLasting(source));
  if (proven.size >= MAX_PROVEN) proven.clear();
  proven.set(key, findings);
  return findings;
}

function runProof(script: RoutingScript, version: KruiseRolloutVersion): readonly Finding[] {
  return [...checkWithTestdata(script, { version, display }), ...failures(script, version)];
}

/**
 * The proofs of this package's scripts in which nothing is found, for a release: with testdata, as a construct has them, and
 * without, as they are read from a ConfigMap.
 */
export function proofsOfPackage(version: KruiseRolloutVersion): string[] {
  return shippedScripts().scripts.flatMap((script) =>
    [script, { ...script, testdata: undefined }]
      .filter((each) => runProof(each, version).length === 0)
      .map((each) => proofKey(each, each.testdata?.map(readText), version)),
  );
}

/** Messages show files as the app named them. */
const display = (file: string): string => file;

function failures(script: RoutingScript, version: KruiseRolloutVersion): Finding[] {
  const compiled = compileLua(script.source);
  if (compiled.syntaxError) return [];
  return (script.testdata ?? []).flatMap((file) => {
    const outcome = testCase(script, compiled, file, { version, display });
    const { name, steps } = 'played' in outcome ? outcome.result : outcome;
    return steps
      .filter(({ status }) => status === 'failed')
      .map((step) =>
        failure({ message: `${script.name} > ${name} > ${step.name}: ${reason(step)}`, source: step.source }),
      );
  });
}

function failure(details: Pick<Finding, 'message' | 'source'>): Finding {
  return findingOf(configMapRules['lua-testdata-failed'], details);
}

/** The number of differences that a one-line message lists. */
const NAMED_DIFFERENCES = 3;

function reason({ message, differences }: StepResult): string {
  const named = differences.slice(0, NAMED_DIFFERENCES).map(describe);
  const more = differences.length - named.length;
  return [...(message ? [message] : []), ...named, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}

function describe({ kind, path, jsonPath, expected, actual }: Difference): string {
  const place = jsonPath ? `${path} (${jsonPath})` : path;
  switch (kind) {
    case 'missing':
      return `${place} is missing, expected ${short(expected)}`;
    case 'unexpected':
      return `${place} is ${short(actual)}, but was not expected`;
    case 'reordered':
      return `${place} has the expected items in another order`;
    case 'changed':
      return `${place} is ${short(actual)}, expected ${short(expected)}`;
  }
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
