/** Whether a release goes on, and who has to act: the same answer for every controller. */
import type { CheckupItem } from '../core/checkup';
import type { PodTrouble } from './pods';
import { listed, type Question } from './question';

/**
 * Whether a release goes on by itself.
 *
 * - `idle`: no release is in progress
 * - `running`: the controller is at work, or waits for pods that come
 * - `timed`: it goes on after a time
 * - `waiting`: it goes on when somebody says so
 * - `stuck`: it goes on only after somebody repairs something, or never
 */
export type ProgressState = 'idle' | 'running' | 'timed' | 'waiting' | 'stuck';

/** The answer for one release. */
export interface Progress {
  readonly state: ProgressState;
  /** One sentence that answers "does the release go on?". */
  readonly answer: string;
  /**
   * What the controller, its pods or its analyses say.
   * @default - the answer says all
   */
  readonly details?: readonly string[];
  /**
   * What a person has to do: a command for `waiting`, the way out for `stuck`.
   * @default - nobody has to act
   */
  readonly act?: string;
  /**
   * The time at which it goes on, for `timed`: `2026-01-01T00:00:00.000Z`
   * @default - unknown
   */
  readonly at?: string;
}

/** A way in which a release waits or hangs; undefined where this one does not. */
export type Way<T> = (input: T) => Progress | undefined;

/** What the first way says that holds. */
export function firstOf<T>(ways: readonly Way<T>[], input: T): Progress {
  for (const way of ways) {
    const progress = way(input);
    if (progress !== undefined) return progress;
  }
  return { state: 'running', answer: 'yes, the controller is at work' };
}

/** A release that goes on only after somebody acts. */
export function stuck(answer: string, act: string | undefined, details: readonly string[] = []): Progress {
  return {
    state: 'stuck',
    answer,
    ...(details.length === 0 ? {} : { details }),
    ...(act === undefined ? {} : { act }),
  };
}

/** A release that goes on after a time: `yes, after the pause of 60 s, at 2026-01-01T00:01:00.000Z`. */
export function timed(answer: string, since: string | undefined, seconds: number): Progress {
  const begin = Date.parse(since ?? '');
  if (Number.isNaN(begin)) return { state: 'timed', answer };
  const end = new Date(begin + seconds * 1000);
  if (Number.isNaN(end.getTime())) return { state: 'timed', answer };
  const at = end.toISOString();
  return { state: 'timed', answer: `${answer}, at ${at}`, at };
}

/** A release that goes on when somebody runs a command. */
export function waiting(answer: string, act: string, details: readonly string[] = []): Progress {
  return { state: 'waiting', answer: `${answer}: ${act}`, act, ...(details.length === 0 ? {} : { details }) };
}

/**
 * A release whose pods do not come by themselves.
 * @param more what is added to the answer
 */
export function podsStuck(troubles: readonly PodTrouble[], more = ''): Progress {
  const names = troubles.length === 0 ? '' : `: ${listed(troubles.map(({ name }) => name))}`;
  return stuck(
    `no: pods of the new version do not become ready${more}${names}`,
    `${troubles.length === 0 ? '' : 'mend what is said of them, or '}release the old version, or one whose pods become ready; requests stay as they are until then`,
    troubles.map(({ name, why }) => `${name}: ${why}`),
  );
}

/** The answer as doctor shows it. */
export function progressItem(question: Question, { state, answer, details, act }: Progress): CheckupItem {
  const more = details === undefined ? {} : { details };
  if (state === 'idle') return question.notApplicable(answer);
  if (state === 'stuck') return question.problem(answer, { ...more, ...(act === undefined ? {} : { fix: act }) });
  return question.ok(answer, more);
}
