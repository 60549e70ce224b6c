import type { Finding } from '../../../core/finding';
import type { CheckedScript } from './checked-script';
import { inputFor } from './stage';
import {
  byBothHeaders,
  byHeader,
  byPath,
  byQuery,
  describeRun,
  isKnownTo,
  matching,
  type SampleStep,
  weight,
} from './step';
import type { Outcome } from './trial';

const steps: readonly SampleStep[] = [
  weight(20),
  matching(byHeader),
  matching(byBothHeaders),
  matching({ ...byHeader, ...byPath, ...byQuery }),
  { ...weight(20), requestHeaderModifier: { set: [{ name: 'x-canary', value: 'yes' }], remove: ['x-internal'] } },
];

/** Two objects are enough: a script handles the maps of all objects the same way. */
const MAX_STAGES = 2;

/** A map of two keys has two orders; these seeds produce both. */
const SEEDS = [1, 2, 3, 4, 5, 6];

/** Reports a result that changes with the order in which `pairs` iterates over the maps of the input. */
export function* orderDependence(script: CheckedScript): Iterable<Finding> {
  // Only these functions depend on the order of a table.
  const walkers = ['pairs', 'next'];
  const walker = script.tree.globals.find(({ node, written }) => !written && walkers.includes(node.name));
  if (walker === undefined) return;
  for (const stage of script.stages.slice(0, MAX_STAGES)) {
    for (const step of steps.filter((one) => isKnownTo(script.version.facts, script.target.provider, one))) {
      const input = inputFor(stage, step);
      const given = comparable(script.trial.run(input));
      if (given === undefined) continue;
      if (SEEDS.every((seed) => (comparable(script.trial.run(input, seed)) ?? given) === given)) continue;
      const message = `the result of ${describeRun(stage.provider, step)} on ${stage.name} changes with the iteration order of a table`;
      yield script.finding('lua-order-dependent', walker.node, message);
      return;
    }
  }
}

function comparable(outcome: Outcome): string | undefined {
  if (outcome.kind === 'stopped') return undefined;
  // An error message may name the first key of an iteration, so it is not compared.
  return outcome.kind === 'table' ? outcome.result.json : outcome.kind;
}
