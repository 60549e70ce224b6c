import type { Finding } from '../../../core/finding';
import { readStrategy } from '../../routing';
import type { Testdata } from '../testdata';
import type { CheckedScript } from './checked-script';
import { byBothHeaders, matching, type SampleStep, weight } from './step';

/** What upstream asks the testdata of every script to cover. */
interface Scenario {
  readonly name: string;
  readonly covers: (step: SampleStep) => boolean;
  /** A step of it. */
  readonly step: SampleStep;
}

const scenarios: readonly Scenario[] = [
  {
    name: 'one match with several headers, all of which must agree',
    covers: ({ matches = [] }) => matches.some(({ headers = [] }) => headers.length > 1),
    step: matching(byBothHeaders),
  },
  {
    name: 'several matches with headers, any of which may agree',
    covers: ({ matches = [] }) => matches.filter(({ headers = [] }) => headers.length > 0).length > 1,
    step: matching(...(byBothHeaders.headers ?? []).map((one) => ({ headers: [one] }))),
  },
  {
    name: 'a weight without matches',
    covers: ({ traffic, matches = [] }) => traffic !== undefined && matches.length === 0,
    step: weight(20),
  },
];

/** Whether the testdata covers what a script is asked for. */
export function* testdataCoverage(script: CheckedScript): Iterable<Finding> {
  const { testdata } = script;
  if (testdata === undefined) return;
  const start = script.tree.chunk.body[0] ?? { line: 1 };
  if (testdata.length === 0) {
    yield script.finding('lua-testdata-missing', start, 'there is no testdata for the script');
    return;
  }
  const steps = testdata.flatMap((one) => stepsOf(one, script));
  const missing = scenarios.filter(({ covers, step }) => !steps.some(covers) && !isRefused(script, step));
  if (missing.length === 0) return;
  const names = missing.map(({ name }) => name).join(', nor ');
  yield script.finding('lua-testdata-scenario-missing', start, `no step of the testdata has ${names}`);
}

function stepsOf(testdata: Testdata, script: CheckedScript): SampleStep[] {
  const v1alpha1 = String(testdata.routing.apiVersion).endsWith('/v1alpha1');
  return testdata.steps.map((step) => readStrategy(step, { version: script.version, v1alpha1 }));
}

/** What the script does not support on any object need not be shown to work. */
function isRefused(script: CheckedScript, step: SampleStep): boolean {
  const outcomes = script.stages.map((stage) => script.trial.play(stage, step));
  return outcomes.length > 0 && outcomes.every(({ kind }) => kind === 'refused');
}
