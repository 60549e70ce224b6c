import { didYouMean } from '../../core/did-you-mean';
import { baseName } from '../../core/file-name';
import type { SourceLocation } from '../../core/finding';
import { isJsonObject, type Json, type JsonObject, ownValue } from '../../core/json';
import { parseDocument } from '../../core/reader/document';
import { DEFAULT_LIMITS } from '../../core/reader/limits';
import { TextPlace } from '../../core/reader/origin';
import { type Places, placeOf } from '../../core/reader/places';
import { type ScriptTarget, scriptName } from './library';

/** The expected outcome of a step. */
export type Expectation = { readonly source: SourceLocation } & (
  | { readonly kind: 'object'; readonly object: JsonObject }
  /** The script must fail with an error that contains the text. No step runs after it. */
  | { readonly kind: 'error'; readonly text: string }
  /** There is no canary Ingress yet. */
  | { readonly kind: 'absent' }
);

/** One testdata file, in upstream's format. */
export interface Testdata {
  readonly file: string;
  /** The file's name without its extension. */
  readonly name: string;
  /** The source of the steps: a Rollout, or a TrafficRouting resource, which is one step. */
  readonly routing: JsonObject;
  readonly routingKind: 'Rollout' | 'TrafficRouting';
  /** The steps of the Rollout, or the strategy of the TrafficRouting. */
  readonly steps: readonly JsonObject[];
  /** The object before the rollout; for an ingress script, the stable Ingress. */
  readonly original: JsonObject;
  readonly expected: readonly Expectation[];
  /** The position of `expected`, or the start of the file. */
  readonly expectedSource: SourceLocation;
}

/** A problem that prevents a testdata file from running. */
export interface TestdataProblem {
  readonly message: string;
  readonly source: SourceLocation;
}

/** A testdata file, or all of its problems. */
export type TestdataResult =
  | { readonly testdata: Testdata; readonly problems?: undefined }
  | { readonly testdata?: undefined; readonly problems: readonly TestdataProblem[] };

/** The name of a case: its file without folder and extension. */
export function caseName(file: string): string {
  return baseName(file).replace(/\.ya?ml$/, '');
}

/**
 * Reads one testdata file for a script.
 * @param file the name of the file in messages
 * @example readTestdata(text, 'testdata/weight.yaml', { provider: 'ingress', classType: 'nginx' })
 */
export function readTestdata(text: string, file: string, target: ScriptTarget): TestdataResult {
  const key = JSON.stringify([target, file, text]);
  const known = results.get(key);
  if (known !== undefined) return known;
  const result = new TestdataReader(text, file, target).read();
  if (results.size >= MAX_RESULTS) results.clear();
  results.set(key, result);
  return result;
}

/** The check of a script reads its testdata, the run of its cases reads it again, and both do so for every release. */
const results = new Map<string, TestdataResult>();

/** So that a program that writes testdata does not fill the memory. */
const MAX_RESULTS = 1_000;

const KEYS = ['rollout', 'trafficRouting', 'original', 'expected'];

class TestdataReader {
  private readonly problems: TestdataProblem[] = [];
  private readonly places: Places = new Map();
  private readonly text: TextPlace;
  private root: Json = null;
  private start = 0;

  constructor(
    text: string,
    private readonly file: string,
    private readonly target: ScriptTarget,
  ) {
    this.text = new TextPlace({ text, line: 1, column: 1 }, file);
  }

  read(): TestdataResult {
    const root = this.parse();
    if (root === undefined) return { problems: this.problems };
    this.rejectUnknownKeys(root);
    const routing = this.routing(root);
    const original = this.original(root.original);
    const expected = this.expected(root.expected);
    if (this.problems.length > 0 || !routing || !original) return { problems: this.problems };
    const { file } = this;
    const expectedSource = this.at('expected');
    return { testdata: { file, name: caseName(file), ...routing, original, expected, expectedSource } };
  }

  private parse(): JsonObject | undefined {
    const { values, problems } = parseDocument(this.text.document.text, DEFAULT_LIMITS, this.places);
    for (const { rule, message, fix, offset } of problems) {
      // The controller loses the precision as well.
      if (rule === 'number-loses-precision') continue;
      this.problems.push({ message: fix === undefined ? message : `${message}: ${fix}`, source: this.text.at(offset) });
    }
    if (this.problems.length > 0) return undefined;
    if (values.length > 1) {
      const source = this.text.at(values[1]!.offset);
      this.problems.push({ message: 'a testdata file holds one document: put each case in its own file', source });
      return undefined;
    }
    this.root = values[0]?.value ?? null;
    this.start = values[0]?.offset ?? 0;
    if (isJsonObject(this.root)) return this.root;
    return this.report(`expected an object with the keys ${KEYS.join(', ')}`);
  }

  private rejectUnknownKeys(root: JsonObject): void {
    for (const key of Object.keys(root)) {
      if (KEYS.includes(key)) continue;
      const meant = didYouMean(key, KEYS);
      const suggestion = meant ? `; did you mean "${meant}"?` : `; the keys are ${KEYS.join(', ')}`;
      this.problems.push({ message: `unknown key "${key}"${suggestion}`, source: this.atKey(root, key) });
    }
    for (const { path, known } of KNOWN_KEYS) this.rejectNearMisses(root, path, known);
  }

  /**
   * Rejects an unknown field with a name close to a known one, because the API server would drop it silently. Accepts
   * other unknown fields: testdata of older releases has fields that no longer exist.
   */
  private rejectNearMisses(root: JsonObject, path: readonly string[], known: readonly string[]): void {
    for (const { value, name } of valuesAt(root, path)) {
      if (!isJsonObject(value)) continue;
      for (const key of Object.keys(value)) {
        const meant = known.includes(key) ? undefined : didYouMean(key, known);
        if (meant === undefined || Object.hasOwn(value, meant)) continue;
        const message = `unknown field "${key}" in ${name}; did you mean "${meant}"?`;
        this.problems.push({ message, source: this.atKey(value, key) });
      }
    }
  }

  private routing(root: JsonObject): Pick<Testdata, 'routing' | 'routingKind' | 'steps'> | undefined {
    const given = ['rollout', 'trafficRouting'].filter((key) => root[key] !== undefined && root[key] !== null);
    if (given.length !== 1) {
      this.report(
        given.length === 0
          ? 'the testdata has no "rollout" and no "trafficRouting": add one'
          : 'the testdata has both a "rollout" and a "trafficRouting": keep one',
      );
      return undefined;
    }
    const key = given[0] as 'rollout' | 'trafficRouting';
    const routing = root[key];
    if (!isJsonObject(routing)) return this.report(`"${key}" must be an object`, key);
    return key === 'rollout' ? this.rollout(routing) : this.trafficRouting(routing);
  }

  private rollout(rollout: JsonObject): Pick<Testdata, 'routing' | 'routingKind' | 'steps'> | undefined {
    this.checkType(rollout, 'rollout', 'Rollout', ['rollouts.kruise.io/v1beta1', 'rollouts.kruise.io/v1alpha1']);
    const strategy = field(field(rollout, 'spec'), 'strategy');
    const style =
      isJsonObject(field(strategy, 'blueGreen')) && !isJsonObject(field(strategy, 'canary')) ? 'blueGreen' : 'canary';
    const steps = field(field(strategy, style), 'steps');
    if (!Array.isArray(steps) || steps.length === 0 || !steps.every(isJsonObject)) {
      return this.report('the Rollout has no steps: expected a list at spec.strategy.canary.steps', 'rollout');
    }
    return { routing: rollout, routingKind: 'Rollout', steps };
  }

  private trafficRouting(resource: JsonObject): Pick<Testdata, 'routing' | 'routingKind' | 'steps'> | undefined {
    this.checkType(resource, 'trafficRouting', 'TrafficRouting', ['rollouts.kruise.io/v1alpha1']);
    const strategy = field(field(resource, 'spec'), 'strategy');
    if (!isJsonObject(strategy)) return this.report('the TrafficRouting has no spec.strategy', 'trafficRouting');
    return { routing: resource, routingKind: 'TrafficRouting', steps: [strategy] };
  }

  private checkType(object: JsonObject, key: string, kind: string, versions: readonly string[]): void {
    if (object.kind !== kind) this.report(`${key}.kind is ${quote(object.kind)}: expected ${kind}`, key);
    if (!versions.includes(object.apiVersion as string)) {
      this.report(`${key}.apiVersion is ${quote(object.apiVersion)}: expected ${versions.join(' or ')}`, key);
    }
  }

  private original(original: unknown): JsonObject | undefined {
    if (original === undefined || original === null)
      return this.report('the testdata has no "original": add the object before the rollout');
    if (!isJsonObject(original)) return this.report('"original" must be an object', 'original');
    const [kind, group] =
      this.target.provider === 'ingress' ? ['Ingress', 'networking.k8s.io'] : [this.target.kind, this.target.group];
    const apiVersion = typeof original.apiVersion === 'string' ? original.apiVersion : '';
    if (original.kind === kind && (apiVersion === group || apiVersion.startsWith(`${group}/`))) return original;
    return this.report(
      `original is ${quote(original.kind)} of ${quote(original.apiVersion)}, but the script ${scriptName(this.target)} routes ${kind} of ${group}`,
      'original',
    );
  }

  private expected(expected: unknown): Expectation[] {
    if (expected === undefined || expected === null) return [];
    if (!Array.isArray(expected)) {
      this.report('"expected" must be a list with one item per step', 'expected');
      return [];
    }
    return expected.flatMap((item, index) => this.expectation(item, index) ?? []);
  }

  private expectation(item: unknown, index: number): Expectation | undefined {
    const source = this.at('expected', index);
    if (item === null && this.target.provider === 'ingress') return { kind: 'absent', source };
    if (!isJsonObject(item)) return this.report(`expected[${index}] must be an object`, 'expected', index);
    if (!('error' in item)) return { kind: 'object', object: item, source };
    const other = Object.keys(item).find((key) => key !== 'error');
    if (other !== undefined) {
      return this.report(
        `expected[${index}] has both "error" and "${other}", but a step that fails has no result`,
        'expected',
        index,
      );
    }
    if (typeof item.error !== 'string') {
      return this.report(`expected[${index}].error must be the text that the error contains`, 'expected', index);
    }
    return { kind: 'error', text: item.error, source };
  }

  private report(message: string, ...path: (string | number)[]): undefined {
    this.problems.push({ message, source: this.at(...path) });
    return undefined;
  }

  /** The position of a value, or of its nearest existing parent. */
  private at(...path: (string | number)[]): SourceLocation {
    return this.text.at(placeOf(this.root, this.start, path, this.places));
  }

  private atKey(object: JsonObject, key: string): SourceLocation {
    return this.text.at(this.places.get(object)?.get(key)?.key ?? this.start);
  }
}

/** The values at a path, with their names. `*` in the path means every item of a list. */
function valuesAt(root: Json, path: readonly string[]): { value: Json; name: string }[] {
  let found: { value: Json; name: string }[] = [{ value: root, name: '' }];
  for (const part of path) {
    found = found.flatMap(({ value, name }) => {
      if (part !== '*') return [{ value: ownValue(value, part) ?? null, name: name === '' ? part : `${name}.${part}` }];
      return Array.isArray(value) ? value.map((item: Json, index) => ({ value: item, name: `${name}[${index}]` })) : [];
    });
  }
  return found;
}

const STRATEGY_KEYS = ['paused', 'canary', 'blueGreen'];
const STYLE_KEYS = [
  'steps',
  'trafficRoutings',
  'failureThreshold',
  'patchPodTemplateMetadata',
  'enableExtraWorkloadForCanary',
  'trafficRoutingRef',
  'disableGenerateCanaryService',
];
const STEP_KEYS = ['traffic', 'weight', 'matches', 'requestHeaderModifier', 'replicas', 'pause'];
const ROUTING_KEYS = ['service', 'gracePeriodSeconds', 'ingress', 'gateway', 'customNetworkRefs'];
const MATCH_KEYS = ['path', 'headers', 'queryParams'];
const MATCH_ITEM_KEYS = ['type', 'name', 'value'];
const METADATA_KEYS = ['name', 'namespace', 'labels', 'annotations', 'generateName', 'uid', 'generation'];
const OBJECT_KEYS = ['apiVersion', 'kind', 'metadata', 'spec', 'status', 'error'];

/** Places where a misspelt field goes unnoticed: the API server drops it, and the case tests something else. */
const KNOWN_KEYS: readonly { readonly path: readonly string[]; readonly known: readonly string[] }[] = [
  ...['rollout', 'trafficRouting', 'original'].flatMap((key) => [
    { path: [key], known: OBJECT_KEYS },
    { path: [key, 'metadata'], known: METADATA_KEYS },
  ]),
  { path: ['expected', '*'], known: OBJECT_KEYS },
  { path: ['expected', '*', 'metadata'], known: METADATA_KEYS },
  { path: ['rollout', 'spec'], known: ['workloadRef', 'objectRef', 'strategy', 'disabled', 'rolloutID'] },
  { path: ['rollout', 'spec', 'strategy'], known: STRATEGY_KEYS },
  ...['canary', 'blueGreen'].flatMap((style) => {
    const path = ['rollout', 'spec', 'strategy', style];
    return [
      { path, known: STYLE_KEYS },
      { path: [...path, 'trafficRoutings', '*'], known: ROUTING_KEYS },
      ...strategyKeys([...path, 'steps', '*']),
    ];
  }),
  { path: ['trafficRouting', 'spec'], known: ['objectRef', 'strategy'] },
  { path: ['trafficRouting', 'spec', 'objectRef', '*'], known: ROUTING_KEYS },
  ...strategyKeys(['trafficRouting', 'spec', 'strategy']),
];

function strategyKeys(path: readonly string[]) {
  const match = [...path, 'matches', '*'];
  return [
    { path, known: STEP_KEYS },
    { path: match, known: MATCH_KEYS },
    { path: [...match, 'path'], known: MATCH_ITEM_KEYS },
    { path: [...match, 'headers', '*'], known: MATCH_ITEM_KEYS },
    { path: [...match, 'queryParams', '*'], known: MATCH_ITEM_KEYS },
    { path: [...path, 'requestHeaderModifier'], known: ['set', 'add', 'remove'] },
  ];
}

function field(value: unknown, key: string): unknown {
  return isJsonObject(value) ? value[key] : undefined;
}

function quote(value: unknown): string {
  return value === undefined ? 'absent' : JSON.stringify(value);
}
