import type { Finding } from '../../../core/finding';
import { asObject, isJsonObject } from '../../../core/json';
import type { CustomScriptObject, IngressScriptObject } from '../contract';
import { returnedAnnotations, returnedData } from '../contract';
import type { CheckedScript, Place } from './checked-script';
import { canFallThrough } from './flow';
import { userAnnotation } from './sample-objects';
import type { Stage } from './stage';
import { describeRun, type SampleStep } from './step';
import type { Outcome } from './trial';

/** One step on one object, and its outcome. */
export interface Played {
  readonly stage: Stage;
  readonly step: SampleStep;
  readonly outcome: Outcome;
}

type Returned = Extract<Outcome, { kind: 'table' }>;

/** Reports a script that can end without a return, or returns a value that is not a table. */
export function* missingReturns(script: CheckedScript, played: readonly Played[]): Iterable<Finding> {
  const others = played.filter(({ outcome }) => outcome.kind === 'other');
  const [nothing] = others.filter(({ outcome }) => outcome.kind === 'other' && outcome.type === 'nil');
  const end = script.tree.chunk.body.at(-1) ?? { line: 1, column: 1 };
  if (canFallThrough(script.tree, script.tree.chunk.body)) {
    const returns = script.returns().length > 0;
    if (nothing || !returns) {
      const when =
        nothing && returns ? ` in ${describeRun(script.target.provider, nothing.step)} on ${nothing.stage.name}` : '';
      yield script.finding('lua-no-return', end, `the script ends without a return${when}`);
    } else {
      yield script.finding('lua-no-return', end, 'the script may end without a return', { severity: 'warning' });
    }
  }
  yield* wrongReturns(script, others);
}

function* wrongReturns(script: CheckedScript, others: readonly Played[]): Iterable<Finding> {
  const found = new Map<Place, string>();
  for (const statement of script.returns()) {
    const last = statement.values.at(-1);
    const value = last && script.tree.valueOf(last);
    if (value === undefined) found.set(statement, 'nothing');
    else if (value.kind === 'Nil') found.set(statement, statement.values.length > 1 ? 'nil as its last value' : 'nil');
    else if (['Number', 'String', 'Boolean', 'Function'].includes(value.kind))
      found.set(statement, `a ${value.kind.toLowerCase()}`);
  }
  for (const { outcome } of others) {
    if (outcome.kind !== 'other') continue;
    const place = script.returnAt(script.trial.lastLine(outcome.input));
    // Without a return on that line, the script reached its end, which another rule reports.
    const returned = outcome.type === 'nil' ? 'nil' : `a ${outcome.type}`;
    if ('endLine' in place && !found.has(place)) found.set(place, returned);
  }
  for (const [place, what] of found)
    yield script.finding('lua-returns-no-table', place, `the script returns ${what}, not a table`);
}

/** Reports tables that JSON cannot represent. */
export function* unwritableResults(script: CheckedScript, played: readonly Played[]): Iterable<Finding> {
  for (const { outcome, step, stage } of played) {
    if (outcome.kind !== 'unwritable') continue;
    const reason = outcome.error.replace(/json: error calling MarshalJSON for type luamanager\.jsonValue: /g, '');
    const message = `the controller cannot encode the result of ${describeRun(script.target.provider, step)} on ${stage.name}: ${reason}`;
    yield script.finding('lua-not-json', script.returnAt(script.trial.lastLine(outcome.input)), message);
  }
}

/** Reports annotations of an ingress script that are lost or not strings. */
export function* wrongAnnotations(script: CheckedScript, played: readonly Played[]): Iterable<Finding> {
  if (script.target.provider !== 'ingress') return;
  for (const { outcome, step, stage } of played) {
    if (outcome.kind !== 'table') continue;
    const input = outcome.input as IngressScriptObject;
    const value: unknown = JSON.parse(outcome.result.json);
    const wrong = wrongValue(value);
    if (outcome.result.returnedObj) {
      yield script.finding(
        'lua-annotations-dropped',
        script.lastReturn(),
        'the script returns obj itself, not the annotations',
        {
          fix: 'return obj.annotations, or the table with the annotations',
        },
      );
    } else if (wrong) {
      const returned = returnedAnnotations(outcome.result);
      const reason = returned.ok ? 'the controller writes an empty string' : returned.error;
      const message = `annotation ${wrong.key} is ${wrong.type} in ${describeRun(script.target.provider, step)}: ${reason}`;
      yield script.finding('lua-annotation-not-string', script.literal(wrong.key), message);
    } else if (value !== null && !isJsonObject(value)) {
      yield script.finding(
        'lua-annotation-not-string',
        script.lastReturn(),
        'the script returns a list, not a map of annotations',
      );
    } else if (
      input.annotations?.[userAnnotation.key] &&
      asObject(value)[userAnnotation.key] !== userAnnotation.value
    ) {
      const lost = asObject(value)[userAnnotation.key] === undefined ? 'is missing' : 'has another value';
      const message = `annotation ${userAnnotation.key} of ${stage.name} ${lost} after ${describeRun(script.target.provider, step)}`;
      yield script.finding('lua-annotations-dropped', script.returnAt(script.trial.lastLine(outcome.input)), message);
    }
  }
}

function wrongValue(value: unknown): { readonly key: string; readonly type: string } | undefined {
  if (!isJsonObject(value)) return undefined;
  const wrong = Object.entries(value).find(([, one]) => typeof one !== 'string');
  if (wrong === undefined) return undefined;
  const [key, one] = wrong;
  if (one === null) return { key, type: 'an empty table' };
  return {
    key,
    type: Array.isArray(one) ? 'a list' : typeof one === 'object' ? 'a table' : `the ${typeof one} ${one}`,
  };
}

/** Reports custom scripts that remove the spec, labels or annotations of the object. */
export function* wipedObjects(script: CheckedScript, played: readonly Played[]): Iterable<Finding> {
  if (script.target.provider !== 'custom') return;
  const reported = new Set<Place>();
  for (const statement of script.returns()) {
    const last = statement.values.at(-1);
    const path = last && script.tree.pathOf(last);
    const isEmpty = last?.kind === 'Table' && last.fields.length === 0;
    const what = isEmpty ? '{}' : path;
    if (what !== 'obj' && what !== 'obj.data.spec' && what !== '{}') continue;
    reported.add(statement);
    yield script.finding(
      'lua-object-wiped',
      statement,
      `the script returns ${what}, which has no spec: the object loses spec, labels and annotations`,
    );
  }
  for (const one of played) {
    const lost = one.outcome.kind === 'table' ? lostParts(one.outcome) : undefined;
    if (one.outcome.kind !== 'table' || lost === undefined) continue;
    const place = script.returnAt(script.trial.lastLine(one.outcome.input));
    if (reported.has(place)) continue;
    const message = `${lost.what} in ${describeRun(script.target.provider, one.step)} on ${one.stage.name}`;
    yield script.finding(lost.rule, place, message, lost.more);
  }
}

interface Lost {
  readonly rule: 'lua-object-wiped' | 'lua-metadata-dropped';
  readonly what: string;
  readonly more?: { readonly because: string };
}

function lostParts(outcome: Returned): Lost | undefined {
  const { data } = outcome.input as CustomScriptObject;
  const returned = returnedData(outcome.result);
  if (!returned.ok) {
    const because = 'the controller logs the error and retries forever: the Rollout stays in its step.';
    return {
      rule: 'lua-object-wiped',
      what: `the controller cannot read the result (${returned.error})`,
      more: { because },
    };
  }
  if (data.spec !== undefined && returned.data.spec === undefined)
    return { rule: 'lua-object-wiped', what: 'the returned table has no spec, and the object loses its spec' };
  const lost = (['labels', 'annotations'] as const).filter((part) =>
    Object.keys(data[part] ?? {}).some((key) => !Object.hasOwn(returned.data[part] ?? {}, key)),
  );
  return lost.length === 0
    ? undefined
    : { rule: 'lua-metadata-dropped', what: `the object loses ${lost.join(' and ')}` };
}
