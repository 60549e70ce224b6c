/** How Go writes a float: `e` with an exponent, `f` without, `g` whichever is shorter; a capital writes `E`. */
export type FloatFormat = 'e' | 'E' | 'f' | 'g' | 'G';

/**
 * Writes a float as Go's `strconv.FormatFloat` does: rounded from the exact binary value, a tie to the even digit.
 * @param precision digits behind the point (`e`, `f`) or digits in all (`g`); undefined for the fewest digits that read
 * back the same
 */
export function formatFloat(value: number, format: FloatFormat, precision?: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  const sign = value < 0 || Object.is(value, -0) ? '-' : '';
  const text = formatMagnitude(Math.abs(value), format.toLowerCase(), precision);
  return sign + (format === 'E' || format === 'G' ? text.toUpperCase() : text);
}

/** `0.digits × 10^point`, without zeros at either end; zero has no digits. */
interface Decimal {
  readonly digits: string;
  readonly point: number;
}

function formatMagnitude(value: number, format: string, precision: number | undefined): string {
  if (format === 'g') return general(value, precision);
  const decimal = precision === undefined ? shortestDecimal(value) : exactDecimal(value);
  if (format === 'e') {
    const count = precision ?? Math.max(decimal.digits.length - 1, 0);
    return withExponent(rounded(decimal, count + 1), count);
  }
  const count = precision ?? Math.max(decimal.digits.length - decimal.point, 0);
  return withoutExponent(rounded(decimal, decimal.point + count), count);
}

function general(value: number, precision: number | undefined): string {
  const wanted = precision === 0 ? 1 : precision;
  const decimal = wanted === undefined ? shortestDecimal(value) : rounded(exactDecimal(value), wanted);
  const { point } = decimal;
  const { length } = decimal.digits;
  const exponent = point - 1;
  if (exponent < -4 || exponent >= exponentLimit(decimal, wanted)) {
    return withExponent(decimal, Math.max(length, 1) - 1);
  }
  return withoutExponent(decimal, Math.max(length - point, 0));
}

/** From which power of ten on `g` writes an exponent. */
function exponentLimit({ digits, point }: Decimal, precision: number | undefined): number {
  if (precision === undefined) return 6;
  return precision > digits.length && digits.length >= point ? digits.length : precision;
}

function withExponent({ digits, point }: Decimal, count: number): string {
  const fraction = count > 0 ? `.${digits.slice(1, count + 1).padEnd(count, '0')}` : '';
  const exponent = digits === '' ? 0 : point - 1;
  const size = String(Math.abs(exponent)).padStart(2, '0');
  return `${digits[0] ?? '0'}${fraction}e${exponent < 0 ? '-' : '+'}${size}`;
}

function withoutExponent({ digits, point }: Decimal, count: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, '0') : '0';
  const zeros = '0'.repeat(Math.min(Math.max(-point, 0), count));
  const fraction = (zeros + digits.slice(Math.max(point, 0))).slice(0, count).padEnd(count, '0');
  return count > 0 ? `${whole}.${fraction}` : whole;
}

function shortestDecimal(value: number): Decimal {
  if (value === 0) return ZERO;
  // Without an argument, as many digits as it takes to read the same number back.
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string];
  return { digits: mantissa.replace('.', ''), point: Number(exponent) + 1 };
}

const ZERO: Decimal = { digits: '', point: 0 };

/** Every binary fraction is a decimal one: m / 2^k is m × 5^k / 10^k. */
function exactDecimal(value: number): Decimal {
  if (value === 0) return ZERO;
  const { mantissa, exponent } = split(value);
  const scale = Math.max(-exponent, 0);
  const whole = exponent >= 0 ? mantissa << BigInt(exponent) : mantissa * 5n ** BigInt(scale);
  const digits = whole.toString();
  return { digits: trimZeros(digits), point: digits.length - scale };
}

/** `mantissa × 2^exponent` */
function split(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  return biased === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (1n << 52n), exponent: biased - 1075 };
}

function rounded(decimal: Decimal, count: number): Decimal {
  const { digits, point } = decimal;
  if (count < 0) return ZERO;
  if (count >= digits.length) return decimal;
  const kept = digits.slice(0, count);
  if (!roundsUp(digits, count)) return kept === '' ? ZERO : { digits: trimZeros(kept), point };
  const increased = kept.replace(/9*$/, '');
  if (increased === '') return { digits: '1', point: point + 1 };
  const last = Number(increased.at(-1)) + 1;
  return { digits: `${increased.slice(0, -1)}${last}`, point };
}

function roundsUp(digits: string, count: number): boolean {
  const half = digits[count] === '5' && count + 1 === digits.length;
  if (half) return count > 0 && Number(digits[count - 1]) % 2 === 1;
  return digits[count]! >= '5';
}

function trimZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}
