import type { Machine } from '../vm/machine';
import type { Native } from '../vm/value';
import { anyArgument, stringArgument } from './arguments';
import { decodeJson } from './json-decode';
import { encodeJson, JsonFailure } from './json-encode';

/** Kruise's own module `json`. It returns failures as nil and a message. */
export const jsonLibrary: Readonly<Record<string, Native>> = {
  decode(args, machine: Machine) {
    const text = stringArgument(machine, args, 1);
    machine.charge(text.length);
    return failing(() => decodeJson(machine, text));
  },
  encode(args, machine: Machine) {
    const value = anyArgument(machine, args, 1);
    return failing(() => machine.newString(encodeJson(value, machine.settings.emptyTable, machine.textAccount())));
  },
};

function failing<T>(work: () => T): [T] | [undefined, string] {
  try {
    return [work()];
  } catch (failure) {
    if (failure instanceof JsonFailure) return [undefined, failure.message];
    throw failure;
  }
}
