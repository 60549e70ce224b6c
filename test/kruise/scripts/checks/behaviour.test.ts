import { describe, expect, it } from 'vitest';
import { byOneHeader, byWeight } from '../../../../src/kruise/scripts/rules/examples';
import { check, checkLines, rulesAndLines } from './check';

const messages = (source: string) => check(source).map(({ rule, message }) => `${rule}: ${message}`);
const withHeader = (part: string, by: string) => {
  expect(byOneHeader.text).toContain(part);
  return messages(byOneHeader.text.replace(part, () => by));
};
const store = 'header.name .. "=" .. header.value';

describe('an ingress script on its own output', () => {
  it.each([
    ['annotations.n = tostring((tonumber(annotations.n) or 0) + 1)', 'changes every time the script repeats'],
    ['annotations.n = (annotations.n or "") .. "x"', 'changes every time the script repeats'],
    ['annotations.n = annotations.m or "none" annotations.m = obj.weight', 'after the first pass'],
  ])('settles, unlike %s', (line, message) => {
    const findings = checkLines(line);

    expect(findings.map(({ rule }) => rule)).toEqual(['lua-not-idempotent']);
    expect(findings[0]!.message).toContain(message);
  });

  it('may initialise a value once', () => {
    expect(checkLines('annotations.n = annotations.n or "first"')).toEqual([]);
  });

  it('leaves no key behind; the finding names the key and the step before', () => {
    expect(withHeader('annotations["demo.example.com/canary-weight"] = nil\n', '')).toEqual([
      'lua-stale-annotation: annotation demo.example.com/canary-weight is "20" instead of "0" in a step with a match ' +
        'on header x-user: u1 if it follows a step with traffic 20%',
    ]);
  });

  it('reports each key that is left behind at its own line', () => {
    const source = byOneHeader.text
      .replace('annotations["demo.example.com/canary-header"] = nil\n', '')
      .replace(store, 'header.name\nannotations["demo.example.com/canary-value"] = header.value');
    const findings = check(source);

    expect(findings.map(({ rule }) => rule)).toEqual(['lua-stale-annotation', 'lua-stale-annotation']);
    expect(new Set(rulesAndLines(findings)).size).toBe(2);
  });
});

describe('ignored parts of a match', () => {
  it.each([
    [store, '"x-user=" .. header.value', 'lua-header-ignored: the script ignores the name of a header'],
    [store, 'header.name', 'lua-header-ignored: the script ignores the value of a header'],
    [
      '~= "Exact"',
      '== "Glob"',
      'lua-header-ignored: the script ignores the type of a header (Exact or RegularExpression)',
    ],
    [
      'if #matches > 1 then\n  error("demo supports one match only: write one match")\nend\nlocal match = matches[1]',
      'local match = matches[#matches]',
      'lua-alternative-ignored: the script ignores all matches but the last',
    ],
    [
      '#match.headers ~= 1 then\n  error("demo matches exactly one header")\nend\nlocal header = match.headers[1]',
      '#match.headers == 0 then\n  error("demo matches a header")\nend\nlocal header = match.headers[#match.headers]',
      'lua-header-ignored: the script ignores all headers of a match but the last',
    ],
    [
      'error("demo cannot match a path")',
      'annotations["demo.example.com/path"] = match.path.value',
      'lua-path-ignored: the script ignores whether a path is Exact or PathPrefix, whether a path is Exact or RegularExpression',
    ],
  ])('%s', (part, by, expected) => {
    const found = withHeader(part, by);

    expect(found.filter((message) => !message.startsWith('lua-stale-annotation'))).toContain(expected);
  });

  it('are named only if they are ignored', () => {
    const onlyValue = 'table.concat({ "v", query[1].value }, "=")';
    const source = byOneHeader.text.replace(
      'if match.queryParams then\n  error("demo cannot match a query parameter")\nend\n',
      `local query = match.queryParams
if query then
  annotations["demo.example.com/canary-header"] = ${onlyValue}
  return annotations
end
`,
    );

    expect(messages(source)).toEqual([
      'lua-query-ignored: the script ignores the name of a query parameter, the type of a query parameter (Exact or RegularExpression), all query parameters of a match but the first',
      'lua-header-ignored: the script ignores headers in a match with a query parameter',
    ]);
  });

  it('are not checked for matches that the script rejects', () => {
    expect(messages(byWeight.text)).toEqual([]);
    expect(messages(byOneHeader.text)).toEqual([]);
  });

  it('include the order of an iterated table, but not of a list or a sorted table', () => {
    const walk = (loop: string) =>
      rulesAndLines(checkLines(`local keys = {} ${loop} annotations.k = table.concat(keys, ",")`));
    const others = 'if k ~= "k" and k ~= "demo.example.com/weight" then table.insert(keys, k) end';

    expect(walk(`for k in pairs(obj.annotations or {}) do ${others} end`)).toEqual(['lua-order-dependent:4']);
    expect(walk(`for k in pairs(obj.annotations or {}) do ${others} end table.sort(keys)`)).toEqual([]);
    expect(walk('for _, k in ipairs({ "b", "a" }) do table.insert(keys, k) end')).toEqual([]);
  });
});
