import { latin1Bytes, latin1Text } from '../text/bytes';
import { type FormatArgument, formatString } from '../text/format';
import { GoPanic } from '../text/go-panic';
import {
  type Budget,
  expandReplacement,
  findMatches,
  findPlain,
  type Match,
  PatternError,
  type Replacement,
  replaceAll,
} from '../text/pattern';
import type { Machine } from '../vm/machine';
import { LuaFunction, type Native, nativeFunction, typeOf, Userdata, type Value, type Values } from '../vm/value';
import {
  anyArgument,
  checkTypes,
  expected,
  integerArgument,
  isTrue,
  optionalInteger,
  stringArgument,
} from './arguments';
import { lowerCase, upperCase } from './letter-case';

/** The string library without `gmatch`. */
export const stringLibrary: Readonly<Record<string, Native>> = {
  byte(args, machine: Machine) {
    const text = stringArgument(machine, args, 1);
    const { length } = text;
    let start = optionalInteger(machine, args, 2, 1) - 1;
    let end = optionalInteger(machine, args, 3, -1);
    if (start < 0) start += length + 1;
    if (end < 0) end += length + 1;
    if (args.length === 2) return start < 0 || start >= length ? [] : [text.charCodeAt(start)];
    start = Math.max(start, 0);
    end = Math.min(end, length);
    if (end <= start) return [];
    machine.reserve(end - start);
    return Array.from(text.slice(start, end), (character) => character.charCodeAt(0));
  },
  char: (args, machine: Machine) => [
    String.fromCharCode(...args.map((_, index) => lowByte(integerArgument(machine, args, index + 1)))),
  ],
  dump: (_, machine: Machine) => machine.raise('GopherLua does not support the string.dump'),
  find(args, machine: Machine) {
    const text = stringArgument(machine, args, 1);
    const pattern = stringArgument(machine, args, 2);
    if (pattern === '') return [1, 0];
    const from = startOf(text, optionalInteger(machine, args, 3, 1));
    if (args.length === 4 && isTrue(args[3])) return findText(text, pattern, from);
    const [match] = matchesOf(machine, text, pattern, from, 1);
    return match === undefined ? [undefined] : [match.start + 1, match.end, ...match.captures];
  },
  format(args, machine: Machine) {
    const format = stringArgument(machine, args, 1);
    const values = args.slice(1).map((value) => formatArgument(machine, value));
    return [machine.newString(formatString(format, values, budgetOf(machine)))];
  },
  gsub(args, machine: Machine) {
    const text = stringArgument(machine, args, 1);
    const pattern = stringArgument(machine, args, 2);
    checkTypes(machine, args, 3, ['string', 'table', 'function']);
    const replacement = anyArgument(machine, args, 3);
    const limit = optionalInteger(machine, args, 4, -1);
    const matches = matchesOf(machine, text, pattern, 0, limit < 0 ? undefined : limit);
    if (matches.length === 0) return [text, 0];
    const replaced = replaceAll(text, replacements(machine, text, matches, replacement));
    return [machine.newString(replaced), matches.length];
  },
  len: (args, machine: Machine) => [stringArgument(machine, args, 1).length],
  lower: (args, machine: Machine) => [
    machine.newString(lowerCase(stringArgument(machine, args, 1), machine.textAccount())),
  ],
  match(args, machine: Machine) {
    const text = stringArgument(machine, args, 1);
    const pattern = stringArgument(machine, args, 2);
    let from = optionalInteger(machine, args, 3, 1);
    if (from < 0) from += text.length + 1;
    const [match] = matchesOf(machine, text, pattern, Math.max(from - 1, 0), 1);
    return match === undefined ? [] : capturesOrWhole(text, match);
  },
  rep(args, machine: Machine) {
    const text = stringArgument(machine, args, 1);
    const count = integerArgument(machine, args, 2);
    if (count < 0) return [''];
    if (text.length * count >= 2 ** 63) throw new GoPanic('strings: Repeat count causes overflow');
    if (text.length * count > 2 ** 48) throw new GoPanic('runtime error: makeslice: cap out of range');
    machine.reserveString(text.length * count);
    return [machine.newString(text.repeat(text === '' ? 0 : count))];
  },
  reverse(args, machine: Machine) {
    const bytes = latin1Bytes(stringArgument(machine, args, 1));
    return [machine.newString(latin1Text(bytes.reverse()))];
  },
  sub(args, machine: Machine) {
    const text = stringArgument(machine, args, 1);
    const from = startOf(text, integerArgument(machine, args, 2));
    const to = endOf(text, optionalInteger(machine, args, 3, -1));
    return [from >= text.length || to < from ? '' : machine.newString(text.slice(from, to))];
  },
  upper: (args, machine: Machine) => [
    machine.newString(upperCase(stringArgument(machine, args, 1), machine.textAccount())),
  ],
};

/** `string.gmatch`, which is also `string.gfind`. */
export const gmatch = nativeFunction((args, machine: Machine) => {
  const text = stringArgument(machine, args, 1);
  const pattern = stringArgument(machine, args, 2);
  const state = new Userdata();
  state.data = new Matches(text, matchesOf(machine, text, pattern, 0));
  return [nextMatch, state];
});

const nextMatch = nativeFunction((args, machine: Machine) => {
  const [state] = args;
  if (!(state instanceof Userdata)) return expected(machine, 1, 'userdata', state);
  // A proxy that a script created has no matches: the controller fails with a Go error.
  if (!(state.data instanceof Matches)) throw new GoPanic(NO_MATCHES);
  return state.data.next() ?? [];
});

const NO_MATCHES = 'interface conversion: interface {} is nil, not *lua.strMatchData';

/** The remaining matches of `gmatch`, which searches for all of them first. */
class Matches {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly matches: readonly Match[],
  ) {}

  next(): Values | undefined {
    const match = this.matches[this.at];
    if (match === undefined) {
      // A call after the end makes the controller read past its list.
      if (this.at++ > this.matches.length) throw new GoPanic(beyond(this.at - 1, this.matches.length));
      return undefined;
    }
    this.at++;
    return capturesOrWhole(this.text, match);
  }
}

function beyond(index: number, length: number): string {
  return `runtime error: index out of range [${index}] with length ${length}`;
}

function matchesOf(machine: Machine, text: string, pattern: string, from: number, limit?: number): Match[] {
  try {
    const program = machine.settings.patterns.program(pattern);
    const matches = findMatches(text, program, budgetOf(machine), { from, limit });
    machine.charge(matches.length * 64);
    return matches;
  } catch (failure) {
    if (failure instanceof PatternError) machine.raise(failure.message);
    throw failure;
  }
}

function budgetOf(machine: Machine): Budget {
  return { step: (count) => machine.spend(count / 8) };
}

function formatArgument(machine: Machine, value: Value): FormatArgument {
  switch (typeof value) {
    case 'undefined':
      return { type: 'nil' };
    case 'boolean':
      return { type: 'boolean', value };
    case 'number':
      return { type: 'number', value };
    case 'string':
      return { type: 'string', value };
    default:
      return { type: typeOf(value) as 'table' | 'function' | 'userdata', text: machine.text(value) };
  }
}

function findText(text: string, wanted: string, from: number): Values {
  const at = findPlain(text, wanted, from);
  return at < 0 ? [undefined] : [at + 1, at + wanted.length];
}

function capturesOrWhole(text: string, match: Match): Values {
  return match.captures.length === 0 ? [text.slice(match.start, match.end)] : [...match.captures];
}

function replacements(machine: Machine, text: string, matches: readonly Match[], replacement: Value): Replacement[] {
  if (typeof replacement === 'string') {
    return matches.map((match) => {
      const { start, end } = match;
      return { start, end, text: expanded(machine, replacement, match, text) };
    });
  }
  const found: Replacement[] = [];
  for (const match of matches) {
    machine.spend(1);
    const captures = capturesOrWhole(text, match);
    const value =
      replacement instanceof LuaFunction
        ? machine.call(replacement, captures)[0]
        : machine.index(replacement, captures[0]);
    if (isTrue(value)) found.push({ start: match.start, end: match.end, text: replacementText(machine, value) });
  }
  return found;
}

function expanded(machine: Machine, template: string, match: Match, subject: string): string {
  machine.spend(1);
  try {
    const text = expandReplacement(template, match, subject);
    machine.charge(text.length);
    return text;
  } catch (failure) {
    if (failure instanceof PatternError) machine.raise(failure.message);
    throw failure;
  }
}

/** A replacement that is neither a string nor a number is empty. */
function replacementText(machine: Machine, value: Value): string {
  const text = typeof value === 'string' || typeof value === 'number' ? machine.text(value) : '';
  machine.charge(text.length);
  return text;
}

/** The offset of a start position; a negative one counts from the end. */
function startOf(text: string, position: number): number {
  const offset = position === 0 ? 0 : position - 1;
  return Math.max(0, offset < 0 ? text.length + offset + 1 : offset);
}

function endOf(text: string, position: number): number {
  return Math.min(Math.max(0, position < 0 ? text.length + position + 1 : position), text.length);
}

function lowByte(value: number): number {
  return Number(BigInt.asUintN(8, BigInt(value)));
}
