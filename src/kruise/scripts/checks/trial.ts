import type { LuaData, LuaResult, LuaScript, LuaSuccess, LuaType } from '../../../lua';
import type { StringMap } from '../../json';
import { returnedAnnotations, type ScriptObject } from '../contract';
import { inputFor, type Stage } from './stage';
import { creation, type SampleStep } from './step';

/** How a script took one input. */
export type Outcome =
  /** It returned a table. */
  | { readonly kind: 'table'; readonly result: LuaSuccess; readonly input: ScriptObject }
  /** It returned something else, or nothing. */
  | { readonly kind: 'other'; readonly type: LuaType; readonly input: ScriptObject }
  /** It called `error` or `assert`: the step is not supported, and the rollout stops instead of mis-routing. */
  | { readonly kind: 'refused'; readonly error: string }
  /** The VM stopped it. */
  | { readonly kind: 'crashed'; readonly error: string; readonly line?: number; readonly input: ScriptObject }
  /** It returned a table that cannot be written as JSON. */
  | { readonly kind: 'unwritable'; readonly error: string; readonly input: ScriptObject }
  /** It ran into a limit, or an earlier run did. */
  | { readonly kind: 'stopped' };

/** The limit that ended all trials of a script. */
export interface LimitReached {
  /** `total`: no single run was too long, but all of them together. */
  readonly limit: 'time' | 'memory' | 'total';
  readonly error?: string;
  readonly line?: number;
  readonly runs: number;
}

const stopped: Outcome = { kind: 'stopped' };

/** What the VM and the libraries say when they stop a script; anything else came from the script's own `error`. */
const vmErrors =
  /^(attempt to (index|call|compare) |cannot (perform|change|set|encode) |bad argument #|for statement |invalid (value \(|capture|order function|argument to|key to)|table index is |__\w+ undefined|stack overflow|registry overflow|too many (recursions|captures)|unexpected EOS|unfinished capture|malformed pattern|slice bounds |runtime error|strings: |wrong number of arguments|GopherLua |package\.loaders )/;

/** True when the text is the VM's own and not that of a call to `error`. */
export function isVmError(error: string): boolean {
  return vmErrors.test(error.replace(/^<string>:\d+: /, ''));
}

/**
 * All runs of a script together may take this much work, some seconds; they usually take a hundredth of it. Counted and
 * not timed, so that a script is judged alike on every machine.
 */
const TOTAL_WORK = 30_000_000;

/**
 * Runs one script on many inputs, remembers what it did, and ends all runs at the first limit: a script that hangs once
 * would hang a hundred times.
 */
export class Trial {
  /** Globals that any run made. */
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

  /** The limit that ended the trials, if one did. */
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

  /** The line that ran last, for what has a result but no place: a `return`. */
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

  /** Steps that ask for the same have one number, so that a step need not be written out at each look-up. */
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
  // The controller looks at the type before it encodes: a function is no table rather than something unwritable.
  if (returned && result.type !== undefined && result.type !== 'table')
    return { kind: 'other', type: result.type, input };
  if (result.ok) return { kind: 'table', result, input };
  const { error, line } = result;
  if (result.stage === 'encode') return { kind: 'unwritable', error, input };
  return isVmError(error) ? { kind: 'crashed', error, line, input } : { kind: 'refused', error };
}

/** The annotations that the controller would write after an ingress script; undefined when it could write none. */
export function writtenAnnotations(outcome: Outcome): StringMap | undefined {
  if (outcome.kind !== 'table') return undefined;
  if (!read.has(outcome)) {
    const returned = returnedAnnotations(outcome.result);
    read.set(outcome, returned.ok ? (returned.annotations ?? {}) : undefined);
  }
  return read.get(outcome);
}

const read = new WeakMap<Outcome, StringMap | undefined>();

/** The text by which two outcomes are compared; undefined when there is nothing to write. */
export function writtenText(outcome: Outcome): string | undefined {
  return outcome.kind === 'table' ? outcome.result.json : undefined;
}
