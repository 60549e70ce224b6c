import type { Finding } from '../../../core/finding';
import type { StringMap } from '../../../core/json';
import type { CheckedScript } from './checked-script';
import { inputFor, type Stage } from './stage';
import {
  byBothHeaders,
  byHeader,
  byPath,
  byPattern,
  byQuery,
  creation,
  describeRun,
  header,
  isKnownTo,
  matching,
  type SampleStep,
  weight,
} from './step';
import { writtenAnnotations } from './trial';

/** Steps that write different annotations, so that each can leave an annotation for the next. */
const steps: readonly SampleStep[] = [
  creation,
  weight(20),
  weight(40),
  matching(byHeader),
  matching(byPattern),
  matching(byBothHeaders),
  matching({ headers: [header('canary-by-cookie', 'grey')] }),
  matching(byPath),
  matching(byQuery),
  matching({ ...byHeader, ...byQuery }),
  { traffic: '20%', requestHeaderModifier: { set: [{ name: 'x-canary', value: 'yes' }] } },
];

/** After this many runs with changes, the check assumes that the script never settles. */
const MAX_PASSES = 4;

/** An ingress script runs on its own output: repeating a step must change nothing, and no step may depend on the previous one. */
export function* repeats(script: CheckedScript): Iterable<Finding> {
  if (script.target.provider !== 'ingress') return;
  for (const stage of script.stages) {
    const known = steps.filter((step) => isKnownTo(script.version.facts, 'ingress', step));
    const unsettled = known.flatMap((step) => settling(script, stage, step) ?? []);
    if (unsettled.length > 0) {
      yield unsettled[0]!;
      return;
    }
    yield* leftovers(script, stage, known);
  }
}

function settling(script: CheckedScript, stage: Stage, step: SampleStep): Finding | undefined {
  const first = writtenAnnotations(script.trial.play(stage, step));
  let before = first;
  for (let pass = 2; pass <= MAX_PASSES; pass++) {
    const after = before && writtenAnnotations(script.trial.run(inputFor(stage, step, before)));
    if (before === undefined || after === undefined) return undefined;
    const changed = differingKeys(before, after);
    if (changed.length === 0) return undefined;
    const [key] = changed as [string];
    if (pass === MAX_PASSES) {
      const message = `annotation ${key} changes every time the script repeats ${describeRun('ingress', step)}: ${shown(before, key)}, then ${shown(after, key)}`;
      return script.finding('lua-not-idempotent', script.literal(key), message);
    }
    if (pass === 2 && settles(script, stage, step, after)) {
      const message = `annotation ${key} is ${shown(before, key)} after the first pass of ${describeRun('ingress', step)} and ${shown(after, key)} after the second`;
      return script.finding('lua-not-idempotent', script.literal(key), message);
    }
    before = after;
  }
  return undefined;
}

function settles(script: CheckedScript, stage: Stage, step: SampleStep, annotations: StringMap): boolean {
  const again = writtenAnnotations(script.trial.run(inputFor(stage, step, annotations)));
  return again !== undefined && differingKeys(annotations, again).length === 0;
}

/** Plays each ordered pair of steps: the second must give the same result as alone. */
function* leftovers(script: CheckedScript, stage: Stage, known: readonly SampleStep[]): Iterable<Finding> {
  const stale = new Map<string, string>();
  for (const next of known) {
    const alone = writtenAnnotations(script.trial.play(stage, next));
    if (alone === undefined) continue;
    for (const before of known) {
      const after = writtenAnnotations(script.trial.play(stage, before, next));
      if (after === undefined) continue;
      for (const key of differingKeys(alone, after)) {
        const state = `${shown(after, key)} instead of ${shown(alone, key)}`;
        const message = `annotation ${key} is ${state} in ${describeRun('ingress', next)} if it follows ${describeRun('ingress', before)}`;
        if (!stale.has(key)) stale.set(key, message);
      }
    }
  }
  for (const [key, message] of stale) yield script.finding('lua-stale-annotation', script.literal(key), message);
}

function differingKeys(left: StringMap, right: StringMap): string[] {
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].filter((key) => left[key] !== right[key]).sort();
}

/** The longest part of a value that a message shows. */
const MAX_SHOWN = 60;

function shown(annotations: StringMap, key: string): string {
  const value = annotations[key];
  if (value === undefined) return 'absent';
  return value.length > MAX_SHOWN ? `"${value.slice(0, MAX_SHOWN)}…"` : `"${value}"`;
}
