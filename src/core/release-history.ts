import { compareVersionNumbers, parseVersionNumber, type VersionNumber } from './version-number';

/** What a fact is in a release and in all later ones, until the next entry of its history, and what shows it. */
export interface Since<Value> {
  /** The release: `0.6.0`. */
  readonly from: string;
  readonly is: Value;
  /**
   * Recordings below `test/stage/recordings/<controller>`: `0.6.2/canary-nginx`.
   * @default - none
   */
  readonly recordings?: readonly string[];
  /**
   * The file of the controller's code of that release, and the pull request: `pkg/trafficrouting/manager.go, #243`.
   * @default - none
   */
  readonly source?: string;
}

/** The history of each fact, oldest release first. */
export type Histories<Facts> = { readonly [Fact in keyof Facts]: readonly Since<Facts[Fact]>[] };

/** The facts of the release with this number. Before the first entry of a fact, that entry counts. */
export function factsOf<Facts>(histories: Histories<Facts>, number: VersionNumber): Facts {
  const names = Object.keys(histories) as (keyof Facts)[];
  const facts = names.map((name) => [name, valueAt<Facts[keyof Facts]>(histories[name], number)]);
  return Object.fromEntries(facts);
}

function valueAt<Value>(history: readonly Since<Value>[], number: VersionNumber): Value {
  const reached = history.filter(({ from }) => compareVersionNumbers(numberOf(from), number) <= 0);
  return (reached.at(-1) ?? history[0]!).is;
}

/** All histories together name few releases, and are read for each of them. */
const numbers = new Map<string, VersionNumber>();

function numberOf(from: string): VersionNumber {
  const number = numbers.get(from) ?? parseVersionNumber(from)!;
  numbers.set(from, number);
  return number;
}
