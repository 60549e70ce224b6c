import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bool,
  decodeGoJson,
  ignored,
  int32,
  intOrString,
  JsonError,
  list,
  mapOf,
  optional,
  struct,
  text,
} from '../../../src/routers/aws-alb/go-json';

const target = struct({ serviceName: optional(text), servicePort: optional(intOrString), weight: optional(int32) });
const action = struct({ type: text, config: optional(struct({ targets: list(target), on: bool })) });

const decode = (json: string) => decodeGoJson(json, action);

describe('JSON as Go decodes it into structs', () => {
  it('ignores the case of keys, and ignores unknown keys', () => {
    const json = '{"TYPE":"forward","unknown":{"a":[1,"}",null]},"Config":{"Targets":[{"SERVICENAME":"web"}]}}';
    expect(decode(json)).toEqual({
      type: 'forward',
      config: { targets: [{ serviceName: 'web', servicePort: undefined, weight: undefined }], on: false },
    });
  });

  it('folds the Kelvin sign and the long s as Go does, and nothing else beyond ASCII', () => {
    expect(decode('{"config":{"target\u017f":[{"\u017ferviceName":"web"}]}}').config?.targets).toHaveLength(1);
    expect(decodeGoJson('{"\u212ae":"1"}', struct({ ke: text }))).toEqual({ ke: '1' });
    expect(decodeGoJson('{"\u0130d":"1"}', struct({ id: text }))).toEqual({ id: '' });
  });

  it('gives absent fields the zero value, and distinguishes absent from empty only for pointers', () => {
    expect(decode('{}')).toEqual({ type: '', config: undefined });
    expect(decodeGoJson('{"a":""}', struct({ a: optional(text) }))).toEqual({ a: '' });
  });

  it.each([['null'], ['{"type":null,"config":null}'], [' \t\r\n{} ']])('reads %j as an empty object', (json) => {
    expect(decode(json)).toEqual({ type: '', config: undefined });
  });

  it('writes the second value of a key over the first, field by field', () => {
    const json =
      '{"config":{"on":true,"targets":[{"serviceName":"a","weight":1}]},"Config":{"targets":[{"weight":2}]}}';
    expect(decode(json).config).toEqual({
      on: true,
      targets: [{ serviceName: 'a', servicePort: undefined, weight: 2 }],
    });
    expect(decode('{"config":{"on":true},"config":null}').config).toBeUndefined();
    expect(decode('{"type":"a","type":null}').type).toBe('a');
  });

  it.each([
    ['20', 20],
    ['-0', 0],
    ['-7', -7],
    ['2147483647', 2147483647],
  ])('reads the integer %s', (json, value) => {
    expect(decodeGoJson(json, int32)).toBe(value);
  });

  it.each(['20.0', '2e1', '20.5', '2147483648', '1e400', '"20"', 'true', '[]', '{}'])(
    'refuses %s as an integer',
    (json) => {
      expect(() => decodeGoJson(json, int32)).toThrow(JsonError);
    },
  );

  it.each([
    ['80', 80],
    ['"080"', '080'],
    ['"http"', 'http'],
  ])('keeps the port %s as it is', (json, port) => {
    expect(decodeGoJson(json, intOrString)).toBe(port);
  });

  it('reads maps with the keys as they are, the last of two', () => {
    expect([...decodeGoJson('[{"HTTP":80,"http":81,"HTTP":82}]', list(mapOf(int32)))[0]!]).toEqual([
      ['HTTP', 82],
      ['http', 81],
    ]);
  });

  it('skips fields that the release does not know', () => {
    const json = '{"regexValues":[{"deep":"]"}],"name":"x"}';
    expect(decodeGoJson(json, struct({ name: text, regexValues: ignored([]) }))).toEqual({
      name: 'x',
      regexValues: [],
    });
  });

  it('replaces half a surrogate pair', () => {
    expect(decodeGoJson('"\\ud800x\\ud83d\\ude00"', text)).toBe('\ufffdx\u{1f600}');
  });

  it.each([
    ['{"config":{"targets":[{"weight":20.0}]}}', 'config.targets.weight must be an integer of 32 bits'],
    ['{"config":{"targets":{}}}', 'config.targets must be a list, not an object'],
    ['{"type":200}', 'type must be a string, not the number 200'],
    ['{"config":{"on":"yes"}}', 'config.on must be true or false, not the string "yes"'],
    ['[]', 'must be an object, not a list'],
    ['', 'unexpected end of JSON input'],
    ["{'type':1}", 'is no JSON'],
    ['{"type":"a"} trailing', 'is no JSON'],
  ])('says what is wrong with %s', (json, message) => {
    expect(() => decode(json)).toThrow(message);
  });

  it('rejects what nests deeper than Go allows, without a stack overflow', () => {
    const nested = (depth: number) => `{"unknown":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(decode(nested(9_999))).toEqual({ type: '', config: undefined });
    expect(() => decode(nested(10_000))).toThrow('exceeded max depth');
  });

  it('decodes or rejects every text, and agrees with JSON.parse on what is JSON', () => {
    const near = fc.array(fc.constantFrom('{', '}', '[', ']', ',', ':', '"type"', '"a"', '1', '-', ' ', 'null', '\\'), {
      maxLength: 12,
    });
    const texts = fc.oneof(
      fc.json(),
      near.map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (json) => {
        let isJson = true;
        try {
          JSON.parse(json);
        } catch {
          isJson = false;
        }
        try {
          decode(json);
          expect(isJson).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(JsonError);
          if (!isJson) expect(() => decodeGoJson(json, ignored(1))).toThrow(JsonError);
        }
      }),
      { seed: 11, numRuns: 500 },
    );
  });
});
