import type { Finding } from '../../../core/finding';
import type { HttpRouteMatch } from '../../api';
import type { CustomScriptObject, ScriptObject } from '../contract';
import type { ScriptRuleId } from '../rules';
import type { CheckedScript } from './checked-script';
import type { Played } from './results';
import { describeRun } from './step';
import type { Outcome } from './trial';

type Crash = Extract<Outcome, { kind: 'crashed' }>;

/** Something that is absent in an input, and the input as it would be with it. */
interface Cause {
  readonly rule: ScriptRuleId;
  readonly what: string;
  readonly supply: (input: ScriptObject) => ScriptObject | undefined;
  /** What is supplied asks for something, so that a refusal of it proves nothing. */
  readonly asks?: boolean;
  /** The line that stops must read this, where what is supplied could lead the script elsewhere. */
  readonly reads?: string;
}

/**
 * Inputs on which the VM stops the script. What is to blame is found by supplying what is absent, one thing at a time,
 * until the script no longer stops at that place.
 */
export function* crashes(script: CheckedScript, played: readonly Played[]): Iterable<Finding> {
  const told = new Set<string>();
  for (const { outcome, step, stage } of played) {
    if (outcome.kind !== 'crashed') continue;
    const cause = causes.find((one) => isCause(script, one, outcome));
    const key = `${outcome.line}/${cause?.rule}`;
    if (told.has(key)) continue;
    told.add(key);
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

/** The limit that ended all runs. */
export function* limits(script: CheckedScript): Iterable<Finding> {
  const { limit } = script.trial;
  if (limit === undefined) return;
  const place = limit.line === undefined ? (script.tree.chunk.body[0] ?? { line: 1 }) : { line: limit.line };
  if (limit.limit === 'memory') {
    yield script.finding('lua-memory-limit', place, 'the script fills the memory: its checks were stopped');
  } else if (limit.limit === 'time') {
    yield script.finding('lua-time-limit', place, 'the script ran for more than one second: its checks were stopped');
  } else {
    yield script.finding(
      'lua-time-limit',
      place,
      `${limit.runs} runs of the script took 30 million loops and calls, a script usually takes some hundreds a run: its checks were stopped`,
      {
        severity: 'warning',
        because: 'the controller stops a script after one second, and its machine may be slow',
      },
    );
  }
}
