import type { Finding } from '../../../core/finding';
import { readStrategy } from '../../routing';
import type { Testdata } from '../testdata';
import type { CheckedScript } from './checked-script';
import { byBothHeaders, matching, type SampleStep, weight } from './step';

/** A scenario that upstream requires in the testdata of every script. */
interface Scenario {
  readonly name: string;
  readonly covers: (step: SampleStep) => boolean;
  /** A step that covers the scenario. */
  readonly step: SampleStep;
}

const scenarios: readonly Scenario[] = [
  {
    name: 'one match with several headers (all must agree)',
    covers: ({ matches = [] }) => matches.some(({ headers = [] }) => headers.length > 1),
    step: matching(byBothHeaders),
  },
  {
    name: 'several matches with headers (any may agree)',
    covers: ({ matches = [] }) => matches.filter(({ headers = [] }) => headers.length > 0).length > 1,
    step: matching(...(byBothHeaders.headers ?? []).map((one) => ({ headers: [one] }))),
  },
  {
    name: 'a weight without matches',
    covers: ({ traffic, matches = [] }) => traffic !== undefined && matches.length === 0,
    step: weight(20),
  },
];

/** Reports testdata that is missing or lacks a required scenario. */
export function* testdataCoverage(script: CheckedScript): Iterable<Finding> {
  const { testdata } = script;
  if (testdata === undefined) return;
  const start = script.tree.chunk.body[0] ?? { line: 1 };
  if (testdata.length === 0) {
    yield script.finding('lua-testdata-missing', start, 'the script has no testdata');
    return;
  }
  const steps = testdata.flatMap((one) => stepsOf(one, script));
  const missing = scenarios.filter(({ covers, step }) => !steps.some(covers) && !isRefused(script, step));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', or ');
  yield script.finding('lua-testdata-scenario-missing', start, `no step of the testdata has ${names}`);
}

function stepsOf(testdata: Testdata, script: CheckedScript): SampleStep[] {
  const v1alpha1 = String(testdata.routing.apiVersion).endsWith('/v1alpha1');
  return testdata.steps.map((step) => readStrategy(step, { version: script.version, v1alpha1 }));
}

/** Whether the script rejects the step on every object; testdata does not need to cover such a step. */
function isRefused(script: CheckedScript, step: SampleStep): boolean {
  const outcomes = script.stages.map((stage) => script.trial.play(stage, step));
  return outcomes.length > 0 && outcomes.every(({ kind }) => kind === 'refused');
}
