/** Runs one testdata file as the controller would run its rollout, and compares each step with its expectation. */
import type { SourceLocation } from '../../core/finding';
import { asObject, compact, isJsonObject, type Json, type JsonObject, sameJson } from '../../core/json';
import { shortened } from '../../core/shortened';
import type { CaseResult, Difference, StepResult } from '../../core/test-result';
import type { LuaRunOptions, LuaScript } from '../../lua';
import { ORIGINAL_SPEC_ANNOTATION } from '../api';
import {
  type CanaryIngress,
  type ControllerError,
  type CustomScripts,
  type CustomTarget,
  runCustomStep,
  runIngressStep,
  targetOf,
} from '../controller';
import { type Routing, routesTraffic, routingOfRollout, routingOfTrafficRouting } from '../routing';
import { KruiseRolloutVersion } from '../version';
import { annotationsOf, labelsOf, returnedData, type ScriptCall, type ScriptObject, scriptRunner } from './contract';
import { diff } from './diff';
import type { ScriptTarget } from './library';
import type { Expectation, Testdata } from './testdata';

/** The script and settings for running a case. */
export interface CaseOptions {
  readonly target: ScriptTarget;
  readonly script: LuaScript;
  /** The script's file, as messages show it. */
  readonly scriptFile: string;
  readonly version: KruiseRolloutVersion;
  /** @default - only the options that the version requires */
  readonly runOptions?: LuaRunOptions;
}

/** What the controller has written once a step has settled. */
export type Outcome =
  | { readonly kind: 'object'; readonly annotations: Json; readonly labels: Json; readonly spec?: Json }
  /** There is no canary Ingress yet. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'error'; readonly error: ControllerError };

/** One step as the controller plays it. */
export interface PlayedStep {
  /** The step's name in reports: `step 0 (traffic 20%)`. */
  readonly name: string;
  /** The step's name in upstream's debug files: `step_0`. */
  readonly key: string;
  readonly outcome: Outcome;
  /** The input of the script's first run for this step; absent if the script did not run. */
  readonly obj?: ScriptObject;
  readonly stdout: string;
  /** A problem that the controller will run into although the script's result is correct. */
  readonly warning?: string;
}

/** A case that has been run: the result for reports, and the outcome of each step for `--update`. */
export interface RunCase {
  readonly result: CaseResult;
  readonly played: readonly PlayedStep[];
}

/** Runs a case and compares each step with its expectation. */
export function runCase(testdata: Testdata, options: CaseOptions): RunCase {
  const { file, name } = testdata;
  const lacking = lackingFor(testdata, options);
  if (lacking !== undefined) {
    const skipped: StepResult = { name: 'testdata', status: 'skipped', message: lacking, differences: [] };
    return { result: { file, name, steps: [skipped] }, played: [] };
  }
  const routings = routingsOf(testdata, options.version);
  if ('fault' in routings) {
    const source = { file, line: 1, column: 1 };
    return { result: { file, name, steps: [failed('testdata', routings.fault, source)] }, played: [] };
  }
  const played = playCase(testdata, routings.routings, options);
  return { result: { file, name, steps: judge(testdata, played, options) }, played };
}

/** Plays a case without comparing, to show the script's input at each step for debugging. */
export function playSteps(
  testdata: Testdata,
  options: CaseOptions,
): { readonly steps: readonly PlayedStep[] } | { readonly fault: string } {
  const routings = routingsOf(testdata, options.version);
  return 'fault' in routings ? routings : { steps: playCase(testdata, routings.routings, options) };
}

/** The number of items that `expected` needs if no step is expected to fail. */
function expectedCount(testdata: Testdata, target: ScriptTarget): number {
  return testdata.steps.length + (target.provider === 'ingress' ? 1 : 0);
}

/** The result of a case whose file cannot be used. */
export function unusableCase(
  file: string,
  name: string,
  problems: readonly { readonly message: string; readonly source: SourceLocation }[],
): CaseResult {
  return { file, name, steps: problems.map(({ message, source }) => failed('testdata', message, source)) };
}

/** Why an older release cannot play a case: it reads less of the Rollout, so it never does what the case expects. */
function lackingFor(testdata: Testdata, { version, target }: CaseOptions): string | undefined {
  const { ALL, LATEST } = KruiseRolloutVersion;
  if (ALL.indexOf(version) >= ALL.indexOf(LATEST)) return undefined;
  const newest = routingsOf(testdata, LATEST);
  const isIngress = target.provider === 'ingress';
  const { ingressRequestHeaderModifier, customRequestHeaderModifier } = version.facts;
  const passesModifier = isIngress ? ingressRequestHeaderModifier : customRequestHeaderModifier;
  const modifies =
    'routings' in newest && newest.routings.some(({ strategy }) => strategy.requestHeaderModifier !== undefined);
  const readsAll = sameJson(routingsOf(testdata, version) as unknown as Json, newest as unknown as Json);
  if (readsAll && (passesModifier || !modifies)) return undefined;
  return `Kruise Rollouts ${version} does not read all that the case declares`;
}

type Routings = { readonly routings: readonly Routing[] } | { readonly fault: string };

function routingsOf(testdata: Testdata, version: KruiseRolloutVersion): Routings {
  const routings = testdata.steps.map((_, step) =>
    testdata.routingKind === 'Rollout'
      ? routingOfRollout(testdata.routing, step, { version })
      : routingOfTrafficRouting(testdata.routing, { version }),
  );
  const found = routings.filter((routing) => routing !== undefined);
  const where =
    testdata.routingKind === 'Rollout' ? 'trafficRoutings[0].service of the Rollout' : 'spec.objectRef[0].service';
  if (found.length < routings.length || found.some(({ stableService }) => stableService === '')) {
    return { fault: `set the name of the stable Service at ${where}` };
  }
  const refused = [...new Set(found.flatMap((routing) => routing.refused))];
  if (refused.length > 0)
    return { fault: `the API server would refuse the ${testdata.routingKind}: ${refused.join('; ')}` };
  return { routings: found };
}

function playCase(testdata: Testdata, routings: readonly Routing[], options: CaseOptions): PlayedStep[] {
  return options.target.provider === 'ingress'
    ? playIngressCase(testdata, routings, options)
    : playCustomCase(testdata, routings, options);
}

/** Each step runs on the Ingress that the previous step wrote; the first step that routes traffic creates it. */
function playIngressCase(testdata: Testdata, routings: readonly Routing[], options: CaseOptions): PlayedStep[] {
  const run = scriptRunner(options.script, options.version, options.runOptions);
  const steps: PlayedStep[] = [];
  let creation: PlayedStep = { name: 'creation', key: 'creation', outcome: { kind: 'absent' }, stdout: '' };
  let canaryIngress: CanaryIngress | undefined;
  for (const [index, routing] of routings.entries()) {
    const state = { stableIngress: testdata.original, canaryIngress };
    const { passes, ...step } = routesTraffic(routing.strategy)
      ? runIngressStep(state, routing, run, options.version)
      : { canaryIngress, passes: [], error: undefined };
    const creates = canaryIngress === undefined && (step.created ?? step.error) !== undefined;
    if (creates) {
      const outcome = step.created ? outcomeOf(step.created) : errorOutcome(step.error!);
      creation = { ...creation, outcome, ...callsOf(passes.slice(0, 1)) };
    }
    if (creates && step.created === undefined) break;
    canaryIngress = step.canaryIngress;
    const outcome = step.error ? errorOutcome(step.error) : outcomeOf(canaryIngress);
    steps.push({ ...stepName(index, routing, testdata), outcome, ...callsOf(creates ? passes.slice(1) : passes) });
    if (step.error) break;
  }
  return [creation, ...steps];
}

/** Each step runs on the original object, even after a failed step. */
function playCustomCase(testdata: Testdata, routings: readonly Routing[], options: CaseOptions): PlayedStep[] {
  const run = scriptRunner(options.script, options.version, options.runOptions);
  const scripts: CustomScripts = () => ({ ok: true, run });
  const steps: PlayedStep[] = [];
  let targets: readonly CustomTarget[] = [targetOf(testdata.original)];
  for (const [index, routing] of routings.entries()) {
    if (!routesTraffic(routing.strategy)) {
      steps.push({ ...stepName(index, routing, testdata), outcome: outcomeOf(targets[0]!.object), stdout: '' });
      continue;
    }
    const step = runCustomStep(targets, routing, scripts, options.version);
    targets = step.targets;
    const calls = step.passes.flatMap((pass) => pass.calls);
    steps.push({ ...stepName(index, routing, testdata), ...customOutcome(step, calls), ...shown(calls) });
  }
  return steps;
}

function customOutcome(
  step: ReturnType<typeof runCustomStep>,
  calls: readonly ScriptCall[],
): Pick<PlayedStep, 'outcome' | 'warning'> {
  const returned = calls.length > 0 ? returnedData(calls[calls.length - 1]!.result) : undefined;
  if (!returned?.ok) return { outcome: step.error ? errorOutcome(step.error) : outcomeOf(step.targets[0]?.object) };
  const { spec, labels = {}, annotations = {} } = returned.data;
  const outcome = compact({ kind: 'object' as const, annotations, labels, spec: spec as Json | undefined });
  // The effect of a null is inferred, not run, so it does not fail the step.
  if (step.error?.class === 'never-settles' && step.error.path !== undefined)
    return { outcome, warning: step.error.message };
  return step.error ? { outcome: errorOutcome(step.error) } : { outcome };
}

function outcomeOf(manifest: unknown): Outcome {
  if (manifest === undefined) return { kind: 'absent' };
  const { [ORIGINAL_SPEC_ANNOTATION]: _stored, ...annotations } = annotationsOf(manifest) ?? {};
  const spec = asObject(manifest).spec as Json | undefined;
  return compact({ kind: 'object' as const, annotations, labels: labelsOf(manifest) ?? {}, spec });
}

function errorOutcome(error: ControllerError): Outcome {
  return { kind: 'error', error };
}

function callsOf(passes: readonly { readonly call?: ScriptCall }[]) {
  return shown(passes.flatMap(({ call }) => (call === undefined ? [] : [call])));
}

/** The first run counts: later runs of a step only check whether anything still changes. */
function shown(calls: readonly ScriptCall[]): Pick<PlayedStep, 'obj' | 'stdout'> {
  return compact({ obj: calls[0]?.obj, stdout: calls[0]?.result.stdout ?? '' });
}

function stepName(index: number, { strategy }: Routing, { routingKind }: Testdata) {
  const matches = strategy.matches?.length ?? 0;
  const parts = [
    ...(strategy.traffic === undefined ? [] : [`traffic ${strategy.traffic}`]),
    ...(matches > 0 ? [`${matches} match${matches === 1 ? '' : 'es'}`] : []),
  ];
  const key = routingKind === 'Rollout' ? `step_${index}` : 'steps_0';
  return { name: `step ${index} (${parts.join(', ') || 'no traffic'})`, key };
}

function judge(testdata: Testdata, played: readonly PlayedStep[], options: CaseOptions): StepResult[] {
  const { expected } = testdata;
  const errorAt = expected.findIndex(({ kind }) => kind === 'error');
  const steps: StepResult[] = [];
  for (const [index, step] of played.entries()) {
    const expectation = expected[index];
    if (expectation === undefined) break;
    steps.push(compare(step, expectation, options));
    if (expectation.kind === 'error') break;
  }
  const total = expectedCount(testdata, options.target);
  const wanted = errorAt >= 0 ? errorAt + 1 : total;
  if (expected.length !== wanted)
    steps.push(failed('testdata', countMessage(testdata, options.target, errorAt), testdata.expectedSource));
  const after = errorAt >= 0 ? errorAt + 1 : total;
  // The controller never reaches these steps: the canary Ingress stays as the failing step left it.
  for (let index = played.length; index < Math.min(after, expected.length); index++) {
    const name = `step ${index - (options.target.provider === 'ingress' ? 1 : 0)}`;
    const message = `${played[played.length - 1]!.name} fails, and the controller retries it without going on`;
    steps.push({ name, status: 'skipped', message, differences: [] });
  }
  return steps;
}

function countMessage(testdata: Testdata, target: ScriptTarget, errorAt: number): string {
  const count = testdata.expected.length;
  if (errorAt >= 0) {
    return `expected[${errorAt}] is an error, and nothing runs after an error: remove the ${count - errorAt - 1} after it`;
  }
  const steps = testdata.steps.length;
  const wanted =
    target.provider === 'ingress'
      ? `${steps + 1}: the canary Ingress as created, and after each of ${steps} step${steps === 1 ? '' : 's'}`
      : `${steps}, one per step`;
  const hint = count < expectedCount(testdata, target) ? '; --update writes the missing ones' : '';
  return `"expected" has ${count} item${count === 1 ? '' : 's'} but needs ${wanted}${hint}`;
}

function compare(step: PlayedStep, expectation: Expectation, options: CaseOptions): StepResult {
  const { outcome, name, stdout, warning } = step;
  const { source } = expectation;
  const passed: StepResult = compact({ name, status: 'passed', differences: [], source, warning });
  const fault = (message: string | undefined, differences: readonly Difference[] = [], line?: number): StepResult =>
    compact({
      ...passed,
      status: 'failed' as const,
      message,
      differences,
      stdout: stdout === '' ? undefined : stdout,
      scriptSource: line === undefined ? undefined : { file: options.scriptFile, line, column: 1 },
    });
  if (expectation.kind === 'error') {
    if (outcome.kind !== 'error')
      return fault(`expected the script to fail with "${expectation.text}", but it did not`);
    if (outcome.error.message.includes(expectation.text)) return passed;
    return fault(
      `expected an error with "${expectation.text}": ${describeError(outcome.error)}`,
      [],
      outcome.error.line,
    );
  }
  if (outcome.kind === 'error') return fault(describeError(outcome.error), [], outcome.error.line);
  if (expectation.kind === 'absent') {
    return outcome.kind === 'absent' ? passed : fault('expected no canary Ingress yet, but the controller created one');
  }
  if (outcome.kind === 'absent') {
    return fault(
      'the controller has not created a canary Ingress yet, because no step so far routes traffic: expect null here',
    );
  }
  const differences = differencesOf(expectation.object, outcome, options.target);
  return differences.length === 0 ? passed : fault(undefined, differences);
}

/**
 * Compares as upstream does: spec, labels and annotations completely. An Ingress only has its annotations compared,
 * unless the expectation gives more.
 */
export function differencesOf(
  expected: JsonObject,
  actual: Extract<Outcome, { kind: 'object' }>,
  target: ScriptTarget,
): Difference[] {
  const metadata = asObject(expected.metadata);
  const whole = target.provider === 'custom';
  return [
    ...diff(emptyIfAbsent(metadata.annotations), actual.annotations, 'metadata.annotations'),
    ...(whole || metadata.labels !== undefined
      ? diff(emptyIfAbsent(metadata.labels), actual.labels, 'metadata.labels')
      : []),
    ...(whole || expected.spec !== undefined ? diff(expected.spec ?? undefined, actual.spec ?? undefined, 'spec') : []),
  ];
}

function emptyIfAbsent(value: Json | undefined): Json {
  return isJsonObject(value) || (value !== undefined && value !== null) ? value : {};
}

/** Shorten longer errors: a script may raise an error of megabytes. */
const ERROR_SHOWN = 2000;

function describeError(error: ControllerError): string {
  return shortened(describeWhole(error), ERROR_SHOWN);
}

function describeWhole(error: ControllerError): string {
  const at = error.path === undefined ? '' : ` (${error.path})`;
  switch (error.class) {
    case 'lua':
      return `the script fails: ${error.message}`;
    case 'panic':
      return `the controller panics${at}: ${error.message}`;
    case 'rejected':
      return `the API server refuses what the controller writes: ${error.message}`;
    case 'never-settles':
      return `the step never ends: ${error.message}`;
    default:
      return error.message;
  }
}

function failed(name: string, message: string, source: SourceLocation): StepResult {
  return { name, status: 'failed', message, differences: [], source };
}
