import type { Json } from '../core/json';

const QUANTITY = /^([+-]?)(\d+\.?\d*|\.\d+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;
const FACTORS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** The value of a quantity such as `100m` or `1Gi`; undefined if it is invalid. */
export function parseQuantity(value: Json | undefined): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  const found = QUANTITY.exec(value.trim());
  if (found === null) return undefined;
  const [, sign, digits, suffix = ''] = found;
  const factor = suffix === '' ? 1 : (FACTORS[suffix] ?? Number(`1${suffix}`));
  return Number(digits) * factor * (sign === '-' ? -1 : 1);
}

/** Whether a value is a quantity: a number, or a text such as `100m` or `1Gi`. */
export function hasQuantity(value: Json): boolean {
  return parseQuantity(value) !== undefined;
}
