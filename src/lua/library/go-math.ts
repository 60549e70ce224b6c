/**
 * The functions of Go's `math` package whose results differ from JavaScript's in the last digit: Go follows the Cephes
 * library, V8 follows fdlibm.
 */

const PI_4_PARTS = [0.7853981256484985, 3.774894707930798e-8, 2.6951514290790595e-15] as const;
const SIN = [
  1.5896230157654656e-10, -2.5050747762857807e-8, 2.7557313621385722e-6, -0.0001984126982958954, 0.008333333333322118,
  -0.1666666666666663,
];
const COS = [
  -1.1358536521387682e-11, 2.087570084197473e-9, -2.755731417929674e-7, 2.4801587288851704e-5, -0.0013888888888873056,
  0.041666666666666595,
];
const TAN_P = [-13093.693918138379, 1153516.6483858742, -17956525.197648488];
const TAN_Q = [1, 13681.296347069296, -1320892.3444021097, 25008380.18233579, -53869575.592945464];
const ATAN_P = [-0.8750608600031904, -16.157537187333652, -75.00855792314705, -122.88666844901361, -64.85021904942025];
const ATAN_Q = [1, 24.858464901423062, 165.02700983169885, 432.88106049129027, 485.3903996359137, 194.5506571482614];
const SINH_P = [-26.30563213397497, -2894.211355989564, -89912.72022039509, -630767.3640497717];
const SINH_Q = [1, -173.6789535582337, 15215.17378790019, -630767.3640497717];
const TANH_P = [-0.9643991794250523, -99.28772310019185, -1614.6876844170845];
const TANH_Q = [1, 112.81167849163293, 2235.4883906010045, 4844.063053251255];

/** From here on the argument needs more bits than the reduction below has; both libraries are exact for it. */
const LARGE_ANGLE = 2 ** 29;
const MORE_BITS_OF_HALF_PI = 6.123233995736766e-17;
const TAN_3_PI_8 = 2.414213562373095;

/** Go's `math.Sin`. */
export function sin(x: number): number {
  if (x === 0 || !(Math.abs(x) < LARGE_ANGLE)) return Math.sin(x);
  const { octant, rest } = reduced(Math.abs(x));
  const value = octant % 4 === 1 || octant % 4 === 2 ? cosOf(rest) : sinOf(rest);
  return octant > 3 !== x < 0 ? -value : value;
}

/** Go's `math.Cos`. */
export function cos(x: number): number {
  if (!(Math.abs(x) < LARGE_ANGLE)) return Math.cos(x);
  const { octant, rest } = reduced(Math.abs(x));
  const quarter = octant % 4;
  const value = quarter === 1 || quarter === 2 ? sinOf(rest) : cosOf(rest);
  return octant > 3 !== quarter > 1 ? -value : value;
}

/** Go's `math.Tan`. */
export function tan(x: number): number {
  if (x === 0 || !(Math.abs(x) < LARGE_ANGLE)) return Math.tan(x);
  const { octant, rest } = reduced(Math.abs(x));
  const square = rest * rest;
  const near = square > 1e-14 ? rest + rest * ((square * polynomial(TAN_P, square)) / polynomial(TAN_Q, square)) : rest;
  const value = (octant & 2) === 2 ? -1 / near : near;
  return x < 0 ? -value : value;
}

/** Go's `math.Atan`. */
export function atan(x: number): number {
  if (x === 0) return x;
  return x > 0 ? atanOfPositive(x) : -atanOfPositive(-x);
}

/** Go's `math.Atan2`. */
export function atan2(y: number, x: number): number {
  if (y === 0 || x === 0 || !Number.isFinite(x) || !Number.isFinite(y)) return Math.atan2(y, x);
  const angle = atan(y / x);
  if (x > 0) return angle;
  return angle <= 0 ? angle + Math.PI : angle - Math.PI;
}

/** Go's `math.Asin`. */
export function asin(x: number): number {
  if (x === 0) return x;
  const size = Math.abs(x);
  if (size > 1) return Number.NaN;
  const other = Math.sqrt(1 - size * size);
  const value = size > 0.7 ? Math.PI / 2 - atanOfPositive(other / size) : atanOfPositive(size / other);
  return x < 0 ? -value : value;
}

/** Go's `math.Acos`. */
export function acos(x: number): number {
  return Math.PI / 2 - asin(x);
}

/** Go's `math.Sinh`. */
export function sinh(x: number): number {
  const size = Math.abs(x);
  const value = sinhOfPositive(size);
  return x < 0 ? -value : value;
}

/** Go's `math.Cosh`. */
export function cosh(x: number): number {
  const size = Math.abs(x);
  return size > 21 ? Math.exp(size) / 2 : (Math.exp(size) + Math.exp(-size)) / 2;
}

/** Go's `math.Tanh`. */
export function tanh(x: number): number {
  const size = Math.abs(x);
  if (x === 0 || Number.isNaN(x)) return x;
  if (size > 44.014845965556525) return Math.sign(x);
  if (size >= 0.625) return Math.sign(x) * (1 - 2 / (Math.exp(2 * size) + 1));
  const square = x * x;
  return x + (x * square * polynomial(TANH_P, square)) / polynomial(TANH_Q, square);
}

/** Takes multiples of π/4 off an angle. */
function reduced(x: number): { octant: number; rest: number } {
  let octant = Math.floor(x * (4 / Math.PI));
  if (octant % 2 === 1) octant++;
  const [high, middle, low] = PI_4_PARTS;
  return { octant: octant % 8, rest: x - octant * high - octant * middle - octant * low };
}

function sinOf(rest: number): number {
  const square = rest * rest;
  return rest + rest * square * polynomial(SIN, square);
}

function cosOf(rest: number): number {
  const square = rest * rest;
  return 1 - 0.5 * square + square * square * polynomial(COS, square);
}

function atanOfPositive(x: number): number {
  if (x <= 0.66) return atanOfSmall(x);
  if (x > TAN_3_PI_8) return Math.PI / 2 - atanOfSmall(1 / x) + MORE_BITS_OF_HALF_PI;
  return Math.PI / 4 + atanOfSmall((x - 1) / (x + 1)) + 0.5 * MORE_BITS_OF_HALF_PI;
}

function atanOfSmall(x: number): number {
  const square = x * x;
  return x * ((square * polynomial(ATAN_P, square)) / polynomial(ATAN_Q, square)) + x;
}

function sinhOfPositive(x: number): number {
  if (x > 21) return Math.exp(x) / 2;
  if (x > 0.5) return (Math.exp(x) - Math.exp(-x)) / 2;
  const square = x * x;
  return (polynomial(SINH_P, square) * x) / polynomial(SINH_Q, square);
}

/** Highest power first. */
function polynomial(coefficients: readonly number[], x: number): number {
  let value = coefficients[0]!;
  for (let at = 1; at < coefficients.length; at++) value = value * x + coefficients[at]!;
  return value;
}
