import type { StringMap } from '../../../core/json';
import { remembered } from '../../../core/remembered';
import type { LuaData, LuaResult, LuaScript, LuaSuccess, LuaType } from '../../../lua';
import { returnedAnnotations, type ScriptObject } from '../contract';
import { inputFor, type Stage } from './stage';
import { creation, type SampleStep } from './step';

/** The outcome of one run of a script. */
export type Outcome =
  /** The script returned a table. */
  | { readonly kind: 'table'; readonly result: LuaSuccess; readonly input: ScriptObject }
  /** The script returned another value, or nothing. */
  | { readonly kind: 'other'; readonly type: LuaType; readonly input: ScriptObject }
  /** The script called `error` or `assert`: it does not support the step, and the rollout stops instead of misrouting. */
  | { readonly kind: 'refused'; readonly error: string }
  /** The VM stopped the script. */
  | { readonly kind: 'crashed'; readonly error: string; readonly line?: number; readonly input: ScriptObject }
  /** The script returned a table that JSON cannot represent. */
  | { readonly kind: 'unwritable'; readonly error: string; readonly input: ScriptObject }
  /** The script reached a limit, in this or an earlier run. */
  | { readonly kind: 'stopped' };

/** The limit that ended all trials of a script. */
export interface LimitReached {
  /** `total`: all runs together took too long, but no single run did. */
  readonly limit: 'time' | 'memory' | 'total';
  readonly error?: string;
  readonly line?: number;
  readonly runs: number;
}

const stopped: Outcome = { kind: 'stopped' };

/**
 * Error messages of the VM and the libraries, so far that no message of a script begins like one: a script may well say
 * that it "cannot set a header". Any other message comes from the script's own `error`.
 */
const vmErrors = new RegExp(
  `^(${[
    'attempt to (index|call) a ',
    'attempt to compare \\w+ with ',
    'cannot perform \\w+ operation between ',
    'cannot change (a protected metatable|the environment of )',
    'cannot set metatable to ',
    'bad argument #\\d+ to ',
    'for statement (init|limit|step) must be ',
    "invalid (value \\(\\w+\\) at index |capture index|'\\)' at |argument to Intn)",
    'unfinished capture at ',
    'unexpected EOS at ',
    'table index is (nil|NaN)$',
    '__(unm|len) undefined',
    '(stack|registry) overflow$',
    'too many recursions in ',
    'wrong number of arguments$',
    'GopherLua does not ',
    'package\\.loaders must ',
    'strings: Repeat ',
    'runtime error: ',
    'interface conversion: ',
  ].join('|')})`,
);

/** Whether an error comes from the VM and not from a call to `error`. */
export function isVmError(error: string): boolean {
  return vmErrors.test(error.replace(/^<string>:\d+: /, ''));
}

/**
 * The limit of work for all runs of a script, a few seconds; they usually take a hundredth of it. Work is counted, not
 * timed, so that the result is the same on every machine.
 */
const TOTAL_WORK = 30_000_000;

/**
 * Runs one script on many inputs, caches the outcomes, and stops at the first limit: a script that hangs once would hang a
 * hundred times.
 */
export class Trial {
  /** Globals that any run has set. */
  readonly globals = new Set<string>();
  private readonly outcomes = new Map<string, Outcome>();
  private readonly played = new Map<Stage, Map<string, Outcome>>();
  private readonly stepIds = new Map<SampleStep, number>();
  private readonly stepTexts = new Map<string, number>();
  private spent = 0;
  private runs = 0;
  private reached: LimitReached | undefined;

  constructor(
    private readonly script: LuaScript,
    private readonly emptyTable: 'null' | '[]',
  ) {}

  /** The limit that ended the runs, if any. */
  get limit(): LimitReached | undefined {
    return this.reached;
  }

  /** Runs the script on one input. */
  run(input: ScriptObject, mapOrderSeed?: number): Outcome {
    const key = `${mapOrderSeed ?? ''}${JSON.stringify(input)}`;
    const known = this.outcomes.get(key);
    if (known) return known;
    if (this.reached) return stopped;
    const outcome = this.runOnce(input, mapOrderSeed);
    this.outcomes.set(key, outcome);
    return outcome;
  }

  /** The last line that ran, to find the `return` of a result. */
  lastLine(input: ScriptObject): number | undefined {
    if (this.reached) return undefined;
    let last: number | undefined;
    const onLine = (line: number) => {
      last = line;
    };
    this.script.run(input as unknown as LuaData, { emptyTable: this.emptyTable, onLine });
    return last;
  }

  /**
   * Plays steps as the controller does: an ingress script runs at creation and then on its own output, step by step; a
   * custom script always runs on the original object.
   */
  play(stage: Stage, ...steps: readonly SampleStep[]): Outcome {
    const played = this.played.get(stage) ?? new Map<string, Outcome>();
    this.played.set(stage, played);
    const key = steps.map((step) => this.idOf(step)).join();
    const known = played.get(key);
    if (known) return known;
    const outcome = this.playOnce(stage, steps);
    played.set(key, outcome);
    return outcome;
  }

  private playOnce(stage: Stage, steps: readonly SampleStep[]): Outcome {
    const last = steps.at(-1);
    if (stage.provider === 'custom') return this.run(inputFor(stage, last ?? creation));
    if (last === undefined) return this.run(inputFor(stage, creation));
    const before = this.play(stage, ...steps.slice(0, -1));
    if (before.kind !== 'table') return before;
    const annotations = writtenAnnotations(before);
    return annotations === undefined ? stopped : this.run(inputFor(stage, last, annotations));
  }

  /** Equal steps have the same number, so that a lookup does not need to serialize the step. */
  private idOf(step: SampleStep): number {
    const known = this.stepIds.get(step);
    if (known !== undefined) return known;
    const text = JSON.stringify(step);
    const id = this.stepTexts.get(text) ?? this.stepTexts.size;
    this.stepTexts.set(text, id);
    this.stepIds.set(step, id);
    return id;
  }

  private runOnce(input: ScriptObject, mapOrderSeed?: number): Outcome {
    const result = this.script.run(input as unknown as LuaData, { emptyTable: this.emptyTable, mapOrderSeed });
    this.spent += result.work;
    this.runs += 1;
    for (const name of result.globals) this.globals.add(name);
    if (!result.ok && (result.limit === 'time' || result.limit === 'memory')) {
      const { limit, error, line } = result;
      this.reached = { limit, error, line, runs: this.runs };
      return stopped;
    }
    if (this.spent > TOTAL_WORK) this.reached = { limit: 'total', runs: this.runs };
    return outcomeOf(result, input);
  }
}

function outcomeOf(result: LuaResult, input: ScriptObject): Outcome {
  const returned = result.ok || result.stage === 'encode';
  // The controller checks the type before it encodes: a function is a wrong type, not an encoding error.
  if (returned && result.type !== undefined && result.type !== 'table')
    return { kind: 'other', type: result.type, input };
  if (result.ok) return { kind: 'table', result, input };
  const { error, line } = result;
  if (result.stage === 'encode') return { kind: 'unwritable', error, input };
  return isVmError(error) ? { kind: 'crashed', error, line, input } : { kind: 'refused', error };
}

/** The annotations that the controller writes after an ingress script; undefined if it cannot write any. */
export function writtenAnnotations(outcome: Outcome): StringMap | undefined {
  return outcome.kind === 'table' ? annotationsIn(outcome.result) : undefined;
}

const annotationsIn = remembered((result: LuaSuccess): StringMap | undefined => {
  const returned = returnedAnnotations(result);
  return returned.ok ? (returned.annotations ?? {}) : undefined;
});

/** The text to compare two outcomes by; undefined if the controller writes nothing. */
export function writtenText(outcome: Outcome): string | undefined {
  return outcome.kind === 'table' ? outcome.result.json : undefined;
}
