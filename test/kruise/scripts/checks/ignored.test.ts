/** Which part of a step a script ignores, word for word. */
import { describe, expect, it } from 'vitest';
import { checkScript } from '../../../../src/kruise/scripts/checks';
import type { ScriptTarget } from '../../../../src/kruise/scripts/library';
import { KruiseRolloutVersion } from '../../../../src/kruise/version';
import { customWith, demo, traefikService } from './check';

/** Writes every part of a step, and refuses one with an empty part. */
const WHOLE = `local a = obj.annotations or {}
a.w, a.m, a.h = nil, nil, nil
local function item(one)
  if one.name == "" or one.value == "" then error("empty") end
  if one.type ~= "Exact" and one.type ~= "RegularExpression" then error("type") end
end
local function header(one)
  item(one)
  return one.name .. "|" .. one.type .. "|" .. one.value -- header
end
local function query(one)
  item(one)
  return one.name .. "|" .. one.type .. "|" .. one.value -- query
end
local function path(one)
  if one.type ~= "Exact" and one.type ~= "PathPrefix" and one.type ~= "RegularExpression" then error("type") end
  if not string.find(one.value, "^/v%d$") then error("path") end
  return one.type .. "|" .. one.value -- path
end
local function pair(one)
  if one.name == "" or one.value == "" then error("empty") end
  return one.name .. "|" .. one.value
end
local function name(one)
  if one == "" then error("empty") end
  return one
end
local function all(list, text)
  local texts = {}
  for _, one in ipairs(list or {}) do table.insert(texts, text(one)) end
  return table.concat(texts, ",")
end
local matches = {}
for _, match in ipairs(obj.matches or {}) do
  local headers = all(match.headers, header)
  local path = all({ match.path }, path)
  local queries = all(match.queryParams, query)
  table.insert(matches, headers .. ";" .. path .. ";" .. queries)
end
if #matches > 0 then
  a.m = table.concat(matches, "&")
else
  a.w = obj.weight
end
local change = obj.requestHeaderModifier or {}
local set = all(change.set, pair)
local add = all(change.add, pair)
local remove = all(change.remove, name)
if set .. add .. remove ~= "" then
  a.h = set .. ";" .. add .. ";" .. remove
end
return a
`;
const lineOf = (text: string) => WHOLE.split('\n').findIndex((line) => line.includes(text)) + 1;
function changed(...changes: readonly (readonly [part: string, by: string])[]): string {
  return changes.reduce((source, [part, by]) => {
    expect(source).toContain(part);
    return source.replace(part, () => by);
  }, WHOLE);
}
const shown = (source: string, target: ScriptTarget = demo, version?: KruiseRolloutVersion) =>
  checkScript({ source, target, version }).map(
    ({ rule, source: place, message }) => `${rule} ${place?.line}:${place?.column}: ${message}`,
  );

const HEADERS = 'all(match.headers, header)';
const PATHS = 'all({ match.path }, path)';
const QUERIES = 'all(match.queryParams, query)';
const headerIs = (text: string) =>
  [['one.name .. "|" .. one.type .. "|" .. one.value -- header', text]] as [string, string][];
const queryIs = (text: string) =>
  [['one.name .. "|" .. one.type .. "|" .. one.value -- query', text]] as [string, string][];
const pathIs = (text: string) => [['one.type .. "|" .. one.value -- path', text]] as [string, string][];

describe('a script that writes every part of a step', () => {
  it('ignores nothing', () => {
    expect(shown(WHOLE)).toEqual([]);
  });
});

describe('a script that leaves out a part', () => {
  const kind = (text: string) => `(Exact or RegularExpression)${text}`;

  it.each<[rule: string, parts: string, changes: readonly [string, string][]]>([
    ['header', 'the name of a header', headerIs('one.type .. "|" .. one.value')],
    ['header', 'the value of a header', headerIs('one.name .. "|" .. one.type')],
    ['header', `the type of a header ${kind('')}`, headerIs('one.name .. "|" .. one.value')],
    [
      'header',
      'the expression of a header',
      headerIs('one.name .. one.type .. (one.type == "Exact" and one.value or "")'),
    ],
    [
      'header',
      `the name of a header, the value of a header, the type of a header ${kind(', headers in a match with a path, headers in a match with a query parameter')}`,
      headerIs('""'),
    ],
    [
      'header',
      'all headers of a match but the first',
      [[HEADERS, 'all(match.headers and { match.headers[1] }, header)']],
    ],
    [
      'header',
      'all headers of a match but the last',
      [[HEADERS, 'all(match.headers and { match.headers[#match.headers] }, header)']],
    ],
    ['header', 'headers in a match with a path', [[HEADERS, `match.path and "" or ${HEADERS}`]]],
    ['header', 'headers in a match with a query parameter', [[HEADERS, `match.queryParams and "" or ${HEADERS}`]]],

    ['alternative', 'all matches but the first', [['ipairs(obj.matches or {})', 'ipairs({ (obj.matches or {})[1] })']]],
    [
      'alternative',
      'all matches but the last',
      [['ipairs(obj.matches or {})', 'ipairs({ (obj.matches or {})[#(obj.matches or {})] })']],
    ],
    [
      'alternative',
      'all values of one header but the first',
      [
        [
          '  table.insert(matches',
          '  local last = matches[#matches]\n  if not last or last:match("^[^|]*") ~= headers:match("^[^|]*") then\n  table.insert(matches',
        ],
        ['queries)\nend', 'queries) end\nend'],
      ],
    ],
    [
      'alternative',
      'all values of one header but the last',
      [
        [
          '  table.insert(matches',
          '  local last = matches[#matches]\n  if last and last:match("^[^|]*") == headers:match("^[^|]*") then table.remove(matches) end\n  table.insert(matches',
        ],
      ],
    ],

    ['path', 'the path of a match', pathIs('""')],
    ['path', 'the path of a match', pathIs('one.type')],
    [
      'path',
      'whether a path is Exact or PathPrefix',
      pathIs('(one.type == "PathPrefix" and "Exact" or one.type) .. one.value'),
    ],
    [
      'path',
      'whether a path is Exact or RegularExpression',
      pathIs('(one.type == "RegularExpression" and "Exact" or one.type) .. one.value'),
    ],
    [
      'path',
      'whether a path is Exact or PathPrefix, whether a path is Exact or RegularExpression',
      pathIs('one.value'),
    ],
    [
      'path',
      'the path in a match with a header, whether a path is Exact or PathPrefix, whether a path is Exact or RegularExpression',
      [[PATHS, `match.headers and "" or ${PATHS}`]],
    ],
    [
      'path',
      'whether a path is Exact or PathPrefix, whether a path is Exact or RegularExpression',
      [[PATHS, `match.headers and match.path and match.path.value or ${PATHS}`]],
    ],
    ['path', 'the path in a match with a query parameter', [[PATHS, `match.queryParams and "" or ${PATHS}`]]],

    ['query', 'the query parameters of a match', queryIs('""')],
    ['query', 'the query parameters of a match', queryIs('one.name .. one.type')],
    ['query', 'the name of a query parameter', queryIs('one.type .. one.value')],
    ['query', `the type of a query parameter ${kind('')}`, queryIs('one.name .. one.value')],
    [
      'query',
      'all query parameters of a match but the first',
      [[QUERIES, 'all(match.queryParams and { match.queryParams[1] }, query)']],
    ],
    [
      'query',
      'all query parameters of a match but the last',
      [[QUERIES, 'all(match.queryParams and { match.queryParams[#match.queryParams] }, query)']],
    ],
    ['query', 'query parameters in a match with a header', [[QUERIES, `match.headers and "" or ${QUERIES}`]]],
    ['query', 'query parameters in a match with a path', [[QUERIES, `match.path and "" or ${QUERIES}`]]],

    [
      'header-modifier',
      'requestHeaderModifier in a step with traffic, requestHeaderModifier in a step with matches',
      [['~= ""', '== "?"']],
    ],
    [
      'header-modifier',
      'requestHeaderModifier in a step with traffic',
      [['if set .. add .. remove ~= ""', 'if obj.matches and set .. add .. remove ~= ""']],
    ],
    [
      'header-modifier',
      'requestHeaderModifier in a step with matches',
      [['if set .. add .. remove ~= ""', 'if not obj.matches and set .. add .. remove ~= ""']],
    ],
    ...(['set', 'add', 'remove'] as const).flatMap((list): [string, string, [string, string][]][] => {
      const call = `all(change.${list}, ${list === 'remove' ? 'name' : 'pair'})`;
      const parts = (where: string) => `requestHeaderModifier.${list} in a step with ${where}`;
      return [
        ['header-modifier', `${parts('traffic')}, ${parts('matches')}`, [[call, `change.${list} and ""  or ""`]]],
        ['header-modifier', parts('traffic'), [[call, `obj.matches and ${call} or ""`]]],
        ['header-modifier', parts('matches'), [[call, `obj.matches and "" or ${call}`]]],
      ];
    }),
    [
      'header-modifier',
      'requestHeaderModifier.set in a step with traffic, requestHeaderModifier.remove in a step with traffic, requestHeaderModifier.set in a step with matches, requestHeaderModifier.remove in a step with matches',
      [
        ['all(change.set, pair)', '""'],
        ['all(change.remove, name)', '""'],
      ],
    ],

    ['weight', 'the traffic of a step', [['a.w = obj.weight', 'a.w = obj.weight == "0" and "0" or "50"']]],
    [
      'weight',
      'the traffic of a step',
      [['a.w = obj.weight', 'a.w = (obj.weight == "20" or obj.weight == "40") and "50" or obj.weight']],
    ],
  ])('has the finding lua-%s-ignored: %s', (rule, parts, changes) => {
    expect(shown(changed(...changes)).map((text) => text.replace(/ \d+:\d+:/, ':'))).toEqual([
      `lua-${rule}-ignored: the script ignores ${parts}`,
    ]);
  });

  it('may leave out every part that its release does not pass', () => {
    const without = changed([PATHS, '""'], [QUERIES, '""'], ['obj.requestHeaderModifier or {}', '{}']);
    const { V0_3_0, V0_5_0, V0_6_0 } = KruiseRolloutVersion;
    const rules = (version: KruiseRolloutVersion, target: ScriptTarget = demo) =>
      checkScript({ source: without, target, version }).map(({ rule }) => rule);
    expect(rules(V0_3_0)).toEqual([]);
    expect(rules(V0_5_0)).toEqual(['lua-header-modifier-ignored']);
    expect(rules(V0_6_0)).toEqual(['lua-path-ignored', 'lua-query-ignored', 'lua-header-modifier-ignored']);
  });
});

describe('the place of what is ignored', () => {
  it.each<[what: string, source: string, place: string]>([
    ['headers', changed(...headerIs('one.type .. one.value')), `${lineOf(HEADERS)}:23`],
    ['a path', changed(...pathIs('""')), `${lineOf(PATHS)}:22`],
    ['query parameters', changed(...queryIs('""')), `${lineOf(QUERIES)}:23`],
    [
      'matches',
      changed(['ipairs(obj.matches or {})', 'ipairs({ (obj.matches or {})[1] })']),
      `${lineOf('ipairs(obj')}:26`,
    ],
    ['a modifier', changed(['~= ""', '== "?"']), `${lineOf('obj.requestHeaderModifier')}:16`],
    ['the weight', changed(['= obj.weight', '= obj.weight == "0" and "0" or "5"']), `${lineOf('= obj.weight')}:9`],
  ])('is its first read: %s', (_, source, place) => {
    expect(shown(source).map((text) => text.split(/: | /)[1])).toEqual([place]);
  });

  it('is that of the matches, if nothing of them is read', () => {
    const source =
      'local m = obj.matches\nlocal a = obj.annotations or {}\na.w = obj.weight ~= "-1" and obj.weight or nil\nreturn a';
    expect(shown(source).map((text) => text.split(': ')[0])).toEqual([
      'lua-alternative-ignored 1:11',
      'lua-header-ignored 1:11',
      'lua-path-ignored 1:11',
      'lua-query-ignored 1:11',
      'lua-header-modifier-ignored 1:11',
      'lua-weight-beside-matches 3:7',
    ]);
  });

  it('is that of the weight of a custom script', () => {
    const refuse = customWith().split('\n')[0]!;
    const source = `${refuse}\nlocal w = obj.canaryWeight == 0 and 0 or 5\nobj.data.spec.weighted.services[1].weight = w\nreturn obj.data`;
    expect(shown(source, traefikService)).toEqual([
      'lua-weight-ignored 2:11: the script ignores the traffic of a step',
    ]);
  });
});
