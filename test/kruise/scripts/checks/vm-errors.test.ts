/** Which errors come from the VM and its libraries, and which are the script's own refusals. */
import { describe, expect, it } from 'vitest';
import { isVmError, Trial } from '../../../../src/kruise/scripts/checks/trial';
import { compileLua } from '../../../../src/lua';

const input = { annotations: { owner: 'a' }, weight: '20', canaryService: 'web-canary' };
const outcomeOf = (script: string) => new Trial(compileLua(script), 'null').run(input);

describe('a crash', () => {
  it.each<[script: string, error: string]>([
    ['local x = obj.no.field', "<string>:1: attempt to index a non-table object(nil) with key 'field'"],
    ['local x x.y = 1', "<string>:1: attempt to index a non-table object(nil) with key 'y'"],
    ['\n\n\n\n\n\n\n\n\n\nlocal x x()', '<string>:11: attempt to call a non-function object'],
    ['assert(pcall(5))', '<string>:1: attempt to call a number value'],
    ['local x = {} < {}', '<string>:1: attempt to compare table with table'],
    ['local x = 1 <= "a"', '<string>:1: attempt to compare number with string'],
    ['local x = {} + 1', '<string>:1: cannot perform add operation between table and number'],
    ['local x = 1 .. {}', '<string>:1: cannot perform concat operation between number and table'],
    ['local x = -{}', '<string>:1: __unm undefined'],
    ['local x = #nil', '<string>:1: __len undefined'],
    ['setfenv(print, {})', '<string>:1: cannot change the environment of given object'],
    ['setmetatable(nil, {})', '<string>:1: cannot set metatable to a nil object.'],
    ['setmetatable(setmetatable({}, { __metatable = 1 }), {})', '<string>:1: cannot change a protected metatable'],
    ['ipairs(nil)', '<string>:1: bad argument #1 to ipairs (table expected, got nil)'],
    ['rawset({}, 1)', '<string>:1: bad argument #3 to rawset (value expected)'],
    ['for i = "a", 2 do end', '<string>:1: for statement init must be a number'],
    ['for i = 1, {} do end', '<string>:1: for statement limit must be a number'],
    ['for i = 1, 2, {} do end', '<string>:1: for statement step must be a number'],
    ['table.concat({ {} })', '<string>:1: invalid value (table) at index 1 in table for concat'],
    ['string.gsub("a", "a", "%9")', '<string>:1: invalid capture index'],
    ['string.find("a", "%1")', '<string>:1: invalid capture index'],
    ['string.find("a", ")")', "<string>:1: invalid ')' at 0"],
    ['string.find("a", "(")', '<string>:1: unfinished capture at EOS'],
    ['string.find("a", "[")', '<string>:1: unexpected EOS at 0'],
    ['math.random(0)', 'invalid argument to Intn'],
    ['local t = {} t[nil] = 1', '<string>:1: table index is nil'],
    ['local t = {} t[0 / 0] = 1', '<string>:1: table index is NaN'],
    ['local function f() return f() + 1 end f()', '<string>:1: stack overflow'],
    ['unpack({}, 1, 1e8)', '<string>:1: registry overflow'],
    [
      'local t = setmetatable({}, {}) getmetatable(t).__index = t local x = t.a',
      '<string>:1: too many recursions in gettable',
    ],
    [
      'local t = setmetatable({}, {}) getmetatable(t).__newindex = t t.a = 1',
      '<string>:1: too many recursions in settable',
    ],
    ['math.max()', '<string>:1: wrong number of arguments'],
    ['string.dump(print)', '<string>:1: GopherLua does not support the string.dump'],
    ['require("x")', '<string>:1: package.loaders must be a table'],
    ['string.rep("aaaaaaaaaaaa", 1e18)', 'strings: Repeat count causes overflow'],
    ['string.rep("a", 1e18)', 'runtime error: makeslice: cap out of range'],
    ['local f, s = string.gmatch("a", "b") f(s) f(s)', 'runtime error: index out of range [1] with length 0'],
    [
      'local f = string.gmatch("a", "b") f(newproxy())',
      'interface conversion: interface {} is nil, not *lua.strMatchData',
    ],
  ])('is %j: %s', (script, error) => {
    expect(outcomeOf(script)).toMatchObject({ kind: 'crashed', error });
    expect(isVmError(error)).toBe(true);
    expect(isVmError(`aws-alb: ${error}`)).toBe(false);
  });
});

describe('a refusal', () => {
  it.each([
    'this ALB knows no cookies',
    'cannot set a header modifier',
    'cannot change request headers',
    'cannot perform this step',
    'cannot encode the path',
    'cannot encode an array',
    'attempt to match a path',
    'attempt to call the gateway twice',
    'attempt to compare an expression with a glob',
    'bad argument',
    'bad argument #x to the script',
    'for statement of the step',
    'invalid value of a header',
    'invalid value (2) of the annotation',
    'invalid capture of a path',
    "invalid ')' in a header",
    'invalid argument to the annotation',
    'unfinished capture',
    'unexpected EOS',
    'table index is nil in the annotation',
    'stack overflow of matches',
    'too many recursions',
    'too many captures',
    'wrong number of arguments in the annotation',
    'GopherLua cannot do that',
    'package.loaders are missing',
    'strings: none',
    'runtime error',
    'interface conversion',
    'malformed pattern in a header',
    '<string>: attempt to index a value',
    '',
  ])('is the message %j', (message) => {
    expect(isVmError(message)).toBe(false);
    expect(isVmError(`<string>:12: ${message}`)).toBe(false);
    expect(outcomeOf(`error(${JSON.stringify(message)})`)).toEqual({
      kind: 'refused',
      error: `<string>:1: ${message}`,
    });
  });

  it('may quote an error of the VM', () => {
    const script = 'local ok, message = pcall(function() return obj.no.field end) error("no: " .. message)';
    expect(outcomeOf(script)).toMatchObject({ kind: 'refused' });
  });

  it.each(['assert(json.encode(print))', 'assert(json.decode("{"))', 'error({ code = 1 })', 'error("a", 0)'])(
    'is %s',
    (script) => {
      expect(outcomeOf(script)).toMatchObject({ kind: 'refused' });
    },
  );
});
