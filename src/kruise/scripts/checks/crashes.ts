import type { Finding } from '../../../core/finding';
import type { HttpRouteMatch } from '../../api';
import type { CustomScriptObject, ScriptObject } from '../contract';
import type { ScriptRuleId } from '../rules';
import type { CheckedScript } from './checked-script';
import type { Played } from './results';
import { describeRun } from './step';
import type { Outcome } from './trial';

type Crash = Extract<Outcome, { kind: 'crashed' }>;

/** A part that an input lacks, and the input with that part. */
interface Cause {
  readonly rule: ScriptRuleId;
  readonly what: string;
  readonly supply: (input: ScriptObject) => ScriptObject | undefined;
  /** The supplied part requests something from the script, so that an error() call proves nothing. */
  readonly asks?: boolean;
  /** The failing line must read this field, because the supplied part could lead the script down another path. */
  readonly reads?: string;
}

/**
 * Reports inputs on which the VM stops the script. To find the cause, adds one absent part at a time until the script no
 * longer stops at that line.
 */
export function* crashes(script: CheckedScript, played: readonly Played[]): Iterable<Finding> {
  for (const { outcome, step, stage } of played) {
    if (outcome.kind !== 'crashed') continue;
    const cause = causes.find((one) => isCause(script, one, outcome));
    const error = outcome.error.replace(/^<string>:/, 'line ');
    const because = cause ? `, because ${cause.what} is nil` : '';
    const message = `the script stops in ${describeRun(stage.provider, step)} on ${stage.name}${because}: ${error}`;
    yield script.finding(cause?.rule ?? 'lua-crash', { line: outcome.line ?? 1 }, message);
  }
}

function isCause(script: CheckedScript, cause: Cause, crash: Crash): boolean {
  if (cause.reads !== undefined && !reads(script, crash.line, cause.reads)) return false;
  const input = cause.supply(crash.input);
  if (input === undefined) return false;
  const outcome = script.trial.run(input);
  if (outcome.kind === 'stopped' || (cause.asks && outcome.kind !== 'table')) return false;
  return !(outcome.kind === 'crashed' && outcome.line === crash.line);
}

function reads(script: CheckedScript, line: number | undefined, path: string): boolean {
  const { tree } = script;
  return tree.all('Index').some((index) => index.endLine === line && tree.pathOf(index)?.startsWith(path));
}

const sample = { type: 'Exact', name: 'x-user', value: 'u1' } as const;

const causes: readonly Cause[] = [
  {
    rule: 'lua-annotations-unguarded',
    what: 'obj.annotations',
    supply: (input) => ('weight' in input && !input.annotations ? { ...input, annotations: {} } : undefined),
  },
  {
    rule: 'lua-annotations-unguarded',
    what: 'obj.data.annotations',
    supply: (input) => withData(input, 'annotations'),
  },
  { rule: 'lua-labels-unguarded', what: 'obj.data.labels', supply: (input) => withData(input, 'labels') },
  {
    rule: 'lua-matches-unguarded',
    what: 'obj.matches',
    supply: (input) => (input.matches ? undefined : { ...input, matches: [] }),
  },
  matchPart('headers', { headers: [] }),
  matchPart('headers', { headers: [sample] }),
  matchPart('queryParams', { queryParams: [] }),
  matchPart('queryParams', { queryParams: [sample] }),
  matchPart('path', { path: { type: 'PathPrefix', value: '/' } }),
  matchPart('headers, path or queryParams', {
    headers: [sample],
    queryParams: [sample],
    path: { type: 'PathPrefix', value: '/' },
  }),
  ...(['set', 'add', 'remove'] as const).map(modifierList),
  {
    rule: 'lua-header-modifier-unguarded',
    what: 'obj.requestHeaderModifier or one of its lists',
    asks: true,
    supply: (input) => ({
      ...input,
      requestHeaderModifier: { set: [], add: [], remove: [], ...input.requestHeaderModifier },
    }),
  },
  {
    rule: 'lua-matches-unguarded',
    what: 'obj.matches[1]',
    reads: 'obj.matches[]',
    supply: (input) => (input.matches?.length ? undefined : { ...input, matches: [{ headers: [sample] }] }),
    asks: true,
  },
];

function withData(input: ScriptObject, part: 'labels' | 'annotations'): CustomScriptObject | undefined {
  if (!('data' in input) || input.data[part]) return undefined;
  return { ...input, data: { ...input.data, [part]: {} } };
}

function matchPart(part: string, supplied: HttpRouteMatch): Cause {
  return {
    rule: 'lua-match-part-unguarded',
    what: `${part} of the match`,
    asks: Object.values(supplied).some((value) => !Array.isArray(value) || value.length > 0),
    supply: (input) => {
      if (!input.matches?.some((match) => Object.keys(supplied).some((key) => !(key in match)))) return undefined;
      return { ...input, matches: input.matches.map((match) => ({ ...supplied, ...match })) };
    },
  };
}

function modifierList(list: 'set' | 'add' | 'remove'): Cause {
  return {
    rule: 'lua-header-modifier-unguarded',
    what: `obj.requestHeaderModifier.${list}`,
    supply: (input) =>
      input.requestHeaderModifier && !input.requestHeaderModifier[list]
        ? { ...input, requestHeaderModifier: { ...input.requestHeaderModifier, [list]: [] } }
        : undefined,
  };
}

/** Reports the limit that ended all runs. */
export function* limits(script: CheckedScript): Iterable<Finding> {
  const { limit } = script.trial;
  if (limit === undefined) return;
  const place = limit.line === undefined ? (script.tree.chunk.body[0] ?? { line: 1 }) : { line: limit.line };
  if (limit.limit === 'memory') {
    yield script.finding('lua-memory-limit', place, 'the script uses too much memory: its checks were stopped');
  } else if (limit.limit === 'time') {
    yield script.finding('lua-time-limit', place, 'the script ran for more than one second: its checks were stopped');
  } else {
    yield script.finding(
      'lua-time-limit',
      place,
      `${limit.runs} runs of the script took 30 million loops and calls, where a usual script takes a few hundred per run: its checks were stopped`,
      {
        severity: 'warning',
        because: 'the controller stops a script after one second, and may run on a slow machine',
      },
    );
  }
}
