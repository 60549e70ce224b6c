import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromLuaString, toLuaString } from '../../../src/lua/convert';
import { formatFloat } from '../../../src/lua/text/float';
import { type FormatArgument, formatString } from '../../../src/lua/text/format';

type Plain = string | number | boolean | null;

function format(directive: string, ...values: Plain[]): string {
  return fromLuaString(formatString(toLuaString(directive), values.map(argument)));
}

function argument(value: Plain): FormatArgument {
  if (value === null) return { type: 'nil' };
  if (typeof value === 'boolean') return { type: 'boolean', value };
  return typeof value === 'number' ? { type: 'number', value } : { type: 'string', value: toLuaString(value) };
}

describe('string.format', () => {
  it.each<[string, Plain[], string]>([
    ['plain', [], 'plain'],
    ['%d%%', [50], '50%'],
    ['%5d|%-5d|%05d|%+d|% d', [42, 42, 42, 42, 42], '   42|42   |00042|+42| 42'],
    ['%-05d|%+05d|%05d', [3, 3, -3], '3    |+0003|-0003'],
    ['%.3d|%.0d|%08.3d', [5, 0, 5], '005||     005'],
    ['%d', [3.7], '3'],
    ['%d', [-3.7], '-3'],
    ['%d', [1e300], '-9223372036854775808'],
    ['%i', [3.9], '3'],
    ['%x|%X|%#x|%x', [255, 255, 255, -1], 'ff|FF|0xff|-1'],
    ['%o|%#o|%O|%#O|%#05o', [8, 8, 8, 8, 8], '10|010|0o10|0o010|00010'],
    ['%b|%#b', [5, 5], '101|0b101'],
    ['%c%c', [0x48, 0x4e2d], 'H中'],
    ['%c', [-1], '\ufffd'],
    ['%U|%.6U|%12U|%-9U|', [0x41, 0x41, 0x41, 0x41], 'U+0041|U+000041|      U+0041|U+0041   |'],
    ['%U|%#U', [0x4e2d, 0x4e2d], "U+4E2D|U+4E2D '中'"],
    ['%5.2f|%.0f|%.3f', [3.24159, 2.5, 2], ' 3.24|2|2.000'],
    ['%.0f|%.0f|%.1f', [0.5, 1.5, 0.25], '0|2|0.2'],
    ['%f|%08.3f|%+08.3f|% .1f', [1.5, -3, 4, 5], '1.500000|-003.000|+004.000| 5.0'],
    ['%.20f', [0.1], '0.10000000000000000555'],
    ['%e|%E|%+.1e', [12345.678, 1e-10, 12345], '1.234568e+04|1.000000E-10|+1.2e+04'],
    ['%g|%G|%g|%.3g|%.10g', [1e20, 1e-7, 100000, 1234.5, 1.5], '1e+20|1E-07|100000|1.23e+03|1.5'],
    ['%#g|%#.3g|%#.0f', [1.5, 100, 3], '1.50000|100.|3.'],
    ['%f|%5.1f|%05f|% f', [Number.NaN, Infinity, -Infinity, Infinity], 'NaN| +Inf| -Inf| Inf'],
    ['%s|%s|%s|%s', ['x', 1.5, 5, 1e15], 'x|1.5|5|1000000000000000'],
    ['%s|%s|%5s', [null, true, null], 'nil|true|  nil'],
    ['%5s|%-5s|%05s|%.2s', ['ab', 'ab', 'ab', 'abc'], '   ab|ab   |000ab|ab'],
    ['%4s|%.1s', ['éà', '日本'], '  éà|日'],
    ['%x|%X|% x|%#x|% #x|%.1x', ['hi', 'hi', 'hi', 'hi', 'hi', 'hi'], '6869|6869|68 69|0x6869|0x68 0x69|68'],
    ['%q', ['a"b\\é\u0001\u007f\n'], '"a\\"b\\\\é\\x01\\x7f\\n"'],
    ['%+q|%#q|%#q', ['é', 'ab', 'a`'], '"\\u00e9"|`ab`|"a`"'],
    ['%q', [65], '"65"'],
    ['%d|%d|%d', ['x', '12', '3.7'], '0|12|3.7'],
    ['%v|%v|%v|%v|%v', [2, 2.5, 'x', true, null], '2|2.5|x|true|nil'],
    ['%#v|%#v|%#v|%#v', [2, 'x', true, null], '2|"x"|true|&lua.LNilType{}'],
    ['%+v|%.2v|%5v', [2, 3.25678, 1], '2|3.3|    1'],
    ['%t|%5t', [true, false], 'true|false'],
    ['%T|%T|%T|%T', [65, 'x', true, null], 'lua.LNumber|lua.LString|lua.LBool|*lua.LNilType'],
    ['%d', [null], '&{}'],
  ])('%j, %j', (directive, values, text) => {
    expect(format(directive, ...values)).toBe(text);
  });

  describe('writes errors into the text', () => {
    it.each<[string, Plain[], string]>([
      ['%u', [42], '%!u(int64=42)'],
      ['%u', [1.5], '%!u(float64=1.5)'],
      ['%z|%5z', ['x', 1], '%!z(string=x)|%!z(int64=    1)'],
      ['%d', [true], '%!d(lua.LBool=true)'],
      ['%f', ['x'], '%!f(string=x)'],
      ['%t', [1], '%!t(int64=1)'],
      ['%é', [1], '%!é(int64=1)'],
      ['%w|%p', [1, 'a'], '%!w(lua.LNumber=1)|%!p(lua.LString=a)'],
      ['%d %d', [1], '1 %!d(MISSING)'],
      ['%s', [], '%!s(MISSING)'],
      ['%', [], '%!(NOVERB)'],
      ['%5.', [], '%!.(MISSING)'],
      ['%.', [3], '%!.(int64=3)'],
      ['%*d', [5, 3], '%!(BADWIDTH)%!d(MISSING)'],
      ['%.*f', [5, 3], '%!(BADPREC)%!f(MISSING)'],
      ['%5%', [1], '%%!(EXTRA lua.LNumber=1)'],
      ['%5%%5%', [null, 'x'], '%%%!(EXTRA *lua.LNilType=nil, lua.LString=x)'],
      ['%[1]d %[1]d', [4], '4 4'],
      ['%[2]d %[1]d', [4, 5], '5 4'],
      ['%[3]d', [4], '%!d(BADINDEX)'],
      ['%[x]d', [4], '%!d(BADINDEX)'],
      ['%[1', [4], '%!(NOVERB)'],
      ['%[1d', [4], '%!d(BADINDEX)'],
      ['100%%', [5], '100%%!(EXTRA lua.LNumber=5)'],
      ['%[1]5d', [4], '%!d(BADINDEX)'],
      ['%20000000d', [1], '%!(NOVERB)%!(EXTRA lua.LNumber=1)'],
    ])('%j, %j', (directive, values, text) => {
      expect(format(directive, ...values)).toBe(text);
    });
  });

  it('drops surplus arguments', () => {
    expect(format('a', 1, 2)).toBe('a');
    expect(format('%d', 1, 2)).toBe('1');
  });

  it('shows tables by the text it is given', () => {
    const table: FormatArgument = { type: 'table', text: 'table: 0xc0001a2b40' };
    expect(formatString('%s|%20.5s|%p', [table, table, table])).toBe(
      'table: 0xc0001a2b40|               table|0xc0001a2b40',
    );
  });

  it('keeps bytes that are not UTF-8', () => {
    expect(formatString('\xff%s', [{ type: 'string', value: '\xfe' }])).toBe('\xff\xfe');
    expect(formatString('%q', [{ type: 'string', value: '\xfe' }])).toBe('"\\xfe"');
  });

  it('charges its budget for every piece', () => {
    let written = 0;
    const budget = {
      step(count: number) {
        written += count;
      },
    };
    formatString('ab%1000d', [{ type: 'number', value: 1 }], budget);
    expect(written).toBe(1002);
  });

  it('never fails', () => {
    const directive = fc.string({ unit: fc.constantFrom(...'%%%%0123456789.*[]+-# dsxqgefvtTUcé'), maxLength: 20 });
    const value = fc.oneof(fc.double(), fc.string(), fc.boolean(), fc.constant(null));
    fc.assert(
      fc.property(directive, fc.array(value, { maxLength: 4 }), (text, values) => {
        fc.pre(!/\d{5}/.test(text));
        expect(typeof format(text, ...values)).toBe('string');
      }),
      { seed: 20220504, numRuns: 500 },
    );
  });
});

describe('a float of fixed precision', () => {
  it('is the nearest decimal, and the even one of two', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.integer({ min: 0, max: 20 }),
        (value, digits) => {
          const text = formatFloat(value, 'e', digits);
          // toExponential takes the larger one of two, so that only exact ties can differ.
          const script = value.toExponential(digits).replace(/e([+-])(\d)$/, 'e$10$2');
          if (text !== script) expect(Number(text)).toBeLessThanOrEqual(Number(script));
          else expect(text).toBe(script);
        },
      ),
      { seed: 20220504, numRuns: 500 },
    );
  });

  it.each([
    [0.5, 'f', 0, '0'],
    [2.5, 'e', 0, '2e+00'],
    [9.5, 'f', 0, '10'],
    [99.99, 'f', 1, '100.0'],
    [0.06, 'f', 1, '0.1'],
    [0.04, 'f', 1, '0.0'],
    [0.001, 'f', 0, '0'],
    [0, 'e', 2, '0.00e+00'],
    [-0, 'f', 1, '-0.0'],
    [0, 'g', undefined, '0'],
    [123456789, 'g', 3, '1.23e+08'],
    [999999, 'g', 3, '1e+06'],
    [0.00001234, 'g', 2, '1.2e-05'],
    [5e-324, 'e', 3, '4.941e-324'],
    [1e22, 'f', 0, '10000000000000000000000'],
    [1.5, 'f', undefined, '1.5'],
    [100, 'e', undefined, '1e+02'],
  ] as const)('%d as %s with precision %s is %s', (value, form, precision, text) => {
    expect(formatFloat(value, form, precision)).toBe(text);
  });
});
