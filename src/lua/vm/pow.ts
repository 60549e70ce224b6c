/**
 * `x ^ y` as Go's `math.Pow` computes it. JavaScript's own power differs from it in the last digit now and then, and in
 * `1 ^ NaN` and `(-1) ^ Infinity`.
 */
export function pow(x: number, y: number): number {
  if (y === 0 || x === 1) return 1;
  if (y === 1) return x;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (x === 0) return powOfZero(x, y);
  if (!Number.isFinite(y)) return powToInfinity(x, y > 0);
  if (!Number.isFinite(x)) return powOfInfinity(x, y);
  if (y === 0.5) return Math.sqrt(x);
  if (y === -0.5) return 1 / Math.sqrt(x);
  return powFinite(x, y);
}

/** Splits a number into a mantissa from [0.5, 1) and an exponent of two. */
export function frexp(value: number): [mantissa: number, exponent: number] {
  if (value === 0 || !Number.isFinite(value)) return [value, 0];
  let exponent = Math.max(-1023, Math.floor(Math.log2(Math.abs(value))) + 1);
  let mantissa = value * 2 ** -exponent;
  // The smallest numbers overflow the factor above; scaling twice keeps every bit.
  if (exponent < -1000) mantissa = value * 2 ** 600 * 2 ** (-exponent - 600);
  while (Math.abs(mantissa) < 0.5) {
    mantissa *= 2;
    exponent--;
  }
  while (Math.abs(mantissa) >= 1) {
    mantissa /= 2;
    exponent++;
  }
  return [mantissa, exponent];
}

/** `mantissa * 2 ^ exponent`. */
export function ldexp(mantissa: number, exponent: number): number {
  let value = mantissa;
  let rest = Math.max(-5000, Math.min(5000, exponent));
  for (; rest > 1000; rest -= 1000) value *= 2 ** 1000;
  // Towards subnormal numbers only the last step may round.
  for (; rest < -1000 && Math.abs(value) > 2 ** 20; rest += 900) value *= 2 ** -900;
  return rest < -1000 ? value * 2 ** -1000 * 2 ** (rest + 1000) : value * 2 ** rest;
}

function powOfZero(x: number, y: number): number {
  const odd = isOdd(y);
  if (y < 0) return odd && Object.is(x, -0) ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return odd ? x : 0;
}

function powToInfinity(x: number, positive: boolean): number {
  if (x === -1) return 1;
  return Math.abs(x) < 1 === positive ? 0 : Number.POSITIVE_INFINITY;
}

function powOfInfinity(x: number, y: number): number {
  if (x < 0) return powOfZero(-0, -y);
  return y < 0 ? 0 : Number.POSITIVE_INFINITY;
}

function powFinite(x: number, y: number): number {
  let whole = Math.floor(Math.abs(y));
  let fraction = Math.abs(y) - whole;
  if (fraction !== 0 && x < 0) return Number.NaN;
  if (whole >= 2 ** 63) {
    if (x === -1) return 1;
    return Math.abs(x) < 1 === y > 0 ? 0 : Number.POSITIVE_INFINITY;
  }
  let mantissa = 1;
  let exponent = 0;
  if (fraction !== 0) {
    if (fraction > 0.5) {
      fraction--;
      whole++;
    }
    mantissa = Math.exp(fraction * Math.log(x));
  }
  let [factor, power] = frexp(x);
  for (let rest = whole; rest !== 0; rest = Math.floor(rest / 2)) {
    if (power < -4096 || power > 4096) {
      exponent += power;
      break;
    }
    if (rest % 2 === 1) {
      mantissa *= factor;
      exponent += power;
    }
    factor *= factor;
    power *= 2;
    if (Math.abs(factor) < 0.5) {
      factor += factor;
      power--;
    }
  }
  return y < 0 ? ldexp(1 / mantissa, -exponent) : ldexp(mantissa, exponent);
}

function isOdd(value: number): boolean {
  return Math.abs(value) < 2 ** 53 && Math.abs(value % 2) === 1;
}
