import { GoPanic } from '../text/go-panic';
import { modulo } from '../vm/arithmetic';
import type { Machine } from '../vm/machine';
import { frexp, ldexp, pow } from '../vm/pow';
import type { Native } from '../vm/value';
import { integerArgument, numberArgument } from './arguments';
import { acos, asin, atan, atan2, cos, cosh, sin, sinh, tan, tanh } from './go-math';

/** A function of one number. */
function unary(compute: (value: number) => number): Native {
  return (args, machine: Machine) => [compute(numberArgument(machine, args, 1))];
}

/** A function of two numbers. */
function binary(compute: (first: number, second: number) => number): Native {
  return (args, machine: Machine) => {
    const first = numberArgument(machine, args, 1);
    return [compute(first, numberArgument(machine, args, 2))];
  };
}

/** The largest or smallest of all arguments; NaN never replaces another. */
function extreme(isBetter: (candidate: number, best: number) => boolean): Native {
  return (args, machine: Machine) => {
    if (args.length === 0) machine.raise('wrong number of arguments');
    let best = numberArgument(machine, args, 1);
    for (let position = 2; position <= args.length; position++) {
      const candidate = numberArgument(machine, args, position);
      if (isBetter(candidate, best)) best = candidate;
    }
    return [best];
  };
}

/** The math library. */
export const mathLibrary: Readonly<Record<string, Native>> = {
  abs: unary(Math.abs),
  acos: unary(acos),
  asin: unary(asin),
  atan: unary(atan),
  atan2: binary(atan2),
  ceil: unary(Math.ceil),
  cos: unary(cos),
  cosh: unary(cosh),
  deg: unary((radians) => (radians * 180) / Math.PI),
  exp: unary(Math.exp),
  floor: unary(Math.floor),
  fmod: binary((first, second) => first % second),
  frexp: (args, machine: Machine) => [...frexp(numberArgument(machine, args, 1))],
  ldexp(args, machine: Machine) {
    const mantissa = numberArgument(machine, args, 1);
    return [ldexp(mantissa, integerArgument(machine, args, 2))];
  },
  log: unary(Math.log),
  log10: unary(log10),
  max: extreme((candidate, best) => candidate > best),
  min: extreme((candidate, best) => candidate < best),
  mod: binary(modulo),
  modf(args, machine: Machine) {
    const value = numberArgument(machine, args, 1);
    const whole = Math.trunc(value);
    // Go's fraction of an infinity is NaN.
    return [whole, Number.isFinite(value) ? value - whole : Number.NaN];
  },
  pow: binary(pow),
  random(args, machine: Machine) {
    if (args.length === 0) return [random(machine)];
    const first = integerArgument(machine, args, 1);
    if (args.length === 1) return [randomBelow(machine, first) + 1];
    return [randomBelow(machine, integerArgument(machine, args, 2) + 1 - first) + first];
  },
  randomseed(args, machine: Machine) {
    machine.seed = integerArgument(machine, args, 1) | 0;
    return [];
  },
  rad: unary((degrees) => (degrees * Math.PI) / 180),
  sin: unary(sin),
  sinh: unary(sinh),
  sqrt: unary(Math.sqrt),
  tan: unary(tan),
  tanh: unary(tanh),
};

/** The constants of the math library. `huge` is the largest number, not infinity. */
export const mathConstants = { pi: Math.PI, huge: Number.MAX_VALUE };

/**
 * The next random number from [0, 1). The sequence is the same in every run and not the controller's, which is Go's and
 * differs between releases of Go.
 */
function random(machine: Machine): number {
  machine.seed = (machine.seed + 0x6d2b79f5) | 0;
  const { seed } = machine;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

function randomBelow(machine: Machine, limit: number): number {
  if (!(limit > 0)) throw new GoPanic('invalid argument to Intn');
  return Math.floor(random(machine) * limit);
}

/** Go divides the logarithms of 2 and 10 with all their digits; a quotient of numbers is off by the last one. */
const LOG10_OF_2 = 0.3010299956639812;

/** Go computes this from the logarithm to the base of two, exactly for powers of two. */
function log10(value: number): number {
  const [mantissa, exponent] = frexp(value);
  if (value === 0 || !Number.isFinite(value)) return Math.log10(value);
  const log2 = mantissa === 0.5 ? exponent - 1 : Math.log(mantissa) * Math.LOG2E + exponent;
  return log2 * LOG10_OF_2;
}
