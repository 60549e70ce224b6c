/** Scripts that write the same for all steps, or the same for a match as for all traffic. */
import { describe, expect, it } from 'vitest';
import { checkScript, type ScriptToCheck } from '../../../../src/kruise/scripts/checks';
import type { ScriptTarget } from '../../../../src/kruise/scripts/library';
import { KruiseRolloutVersion } from '../../../../src/kruise/version';
import { ROUTE, read, rollout, route } from '../cases';
import { demo, traefikService } from './check';

const shown = (source: string, target: ScriptTarget = demo, more: Partial<ScriptToCheck> = {}) =>
  checkScript({ source, target, ...more }).map(
    ({ rule, source: place, message }) => `${rule} ${place?.line}:${place?.column}: ${message}`,
  );
const kind = (name: string, group: string): ScriptTarget => ({ provider: 'custom', kind: name, group });
const SAME = 'the script writes the same for every weight and every match';
const NO_MODIFIER = 'if obj.requestHeaderModifier or obj.matches and #obj.matches > 0 then error("weights only") end\n';
const ANNOTATIONS = 'local a = obj.annotations or {}\n';

describe('a step that is ignored', () => {
  it.each<[source: string, findings: readonly string[]]>([
    [`${ANNOTATIONS}return a`, [`lua-step-ignored 1:1: ${SAME}`]],
    [`${ANNOTATIONS}local w = obj.weight\nreturn a`, [`lua-step-ignored 2:11: ${SAME}`]],
    [`${ANNOTATIONS}local m = obj.matches\nreturn a`, [`lua-step-ignored 2:11: ${SAME}`]],
    [`${ANNOTATIONS}local m, w = obj.matches, obj.weight\nreturn a`, [`lua-step-ignored 2:27: ${SAME}`]],
    [`${NO_MODIFIER}${ANNOTATIONS}a.w = "50"\nreturn a`, [`lua-step-ignored 1:33: ${SAME}`]],
    ['if obj.weight == "20" then error("no") end return obj.annotations or {}', []],
    ['if obj.weight ~= "20" then error("no") end return obj.annotations or {}', []],
    ['error("no")', []],
    [`${NO_MODIFIER}${ANNOTATIONS}if a["app.example.com/owner"] then a.w = obj.weight end\nreturn a`, []],
    [`${NO_MODIFIER}${ANNOTATIONS}if not a["app.example.com/owner"] then a.w = obj.weight end\nreturn a`, []],
  ])('of an ingress script %j has %j', (source, findings) => {
    expect(shown(source)).toEqual(findings);
  });

  it.each<[source: string, findings: readonly string[]]>([
    ['return obj.data', [`lua-step-ignored 1:1: ${SAME}`]],
    ['local w = obj.canaryWeight\nreturn obj.data', [`lua-step-ignored 1:11: ${SAME}`]],
    ['if obj.canaryWeight == 20 then error("no") end\nreturn obj.data', []],
    ['if obj.canaryWeight ~= 20 then error("no") end\nreturn obj.data', [`lua-step-ignored 1:4: ${SAME}`]],
  ])('of a custom script %j has %j', (source, findings) => {
    expect(shown(source, traefikService)).toEqual(findings);
  });

  it('is none of a kind that other objects route to', () => {
    expect(shown('return obj.data', kind('VirtualService', 'networking.istio.io'))).toEqual([
      `lua-step-ignored 1:1: ${SAME}`,
    ]);
    expect(shown('return obj.data', kind('DestinationRule', 'networking.istio.io'))).toEqual([]);
  });

  it('is none on the objects of the testdata, which may not route to the Service', () => {
    const original = route({ host: 'a' });
    const testdata = [read({ rollout: rollout([{ traffic: '20%' }]), original }, ROUTE).testdata!];
    const found = shown('return obj.data', ROUTE, { testdata });
    expect(found.map((text) => text.split(' ')[0])).toEqual(['lua-testdata-scenario-missing']);
  });
});

describe('a part that is ignored on one object', () => {
  const only = (condition: string) =>
    `${NO_MODIFIER}${ANNOTATIONS}a.w = obj.weight\nif ${condition} and obj.weight ~= "0" then a.w = "50" end\nreturn a`;

  it('is named with the object, but the first', () => {
    const ignored = 'lua-weight-ignored 3:7: the script ignores the traffic of a step';
    expect(shown(only('a["app.example.com/owner"]'))).toEqual([ignored]);
    expect(shown(only('not a["app.example.com/owner"]'))).toEqual([`${ignored} on an Ingress without annotations`]);
    expect(shown(only('obj.weight'))).toEqual([ignored]);
  });

  it('is named with the object of the testdata', () => {
    const original = (host: string) => route({ host, w: 1 });
    const testdata = ['a', 'b'].map(
      (host) => read({ rollout: rollout([{ traffic: '20%' }]), original: original(host) }, ROUTE).testdata!,
    );
    const source = (host: string) =>
      `${NO_MODIFIER}local s = obj.data.spec\ns.w = obj.canaryWeight\nif s.host == "${host}" and s.w > 0 then s.w = 5 end\nreturn obj.data`;
    const ignored = 'lua-weight-ignored 3:7: the script ignores the traffic of a step';
    expect(shown(source('a'), ROUTE, { testdata })).toEqual([ignored]);
    expect(shown(source('b'), ROUTE, { testdata })).toEqual([`${ignored} on the object of testdata case`]);
    expect(shown(source('c'), ROUTE, { testdata })).toEqual([]);
  });
});

describe('a match that is widened', () => {
  const WRITTEN = {
    headers: 'a.m = assert(json.encode(headers))',
    path: 'a.m = assert(json.encode(path))',
    queries: 'a.q = assert(json.encode(queries))',
  };
  /** A script for one condition, which sends all traffic to the canary for some of them. */
  const widening = (...parts: readonly (keyof typeof WRITTEN)[]) => {
    const text = (part: keyof typeof WRITTEN) => (parts.includes(part) ? 'a.w = "100"' : WRITTEN[part]);
    return `local a = obj.annotations or {}
a.w, a.m, a.q = nil, nil, nil
if obj.requestHeaderModifier or obj.matches and (#obj.matches ~= 1 or obj.weight ~= "-1") then error("no") end
local match = (obj.matches or {})[1]
if match then
  local headers, path, queries = match.headers or {}, match.path, match.queryParams or {}
  if #headers > 1 or #queries > 1 or #headers + #queries + (path and 1 or 0) ~= 1 then error("one") end
  if headers[1] then ${text('headers')} end
  if path then ${text('path')} end
  if queries[1] then ${text('queries')} end
else
  a.w = obj.weight
end
return a`;
  };
  const widened = (what: string) => [
    `lua-match-widened 4:15: for a match with only ${what}, the script writes the same result as for traffic 100%`,
  ];

  it.each<[parts: readonly (keyof typeof WRITTEN)[], findings: readonly string[]]>([
    [[], []],
    [['headers'], widened('a header')],
    [['path'], widened('a path')],
    [['queries'], widened('a query parameter')],
    [['headers', 'path'], widened('a path or a header')],
    [['path', 'queries'], widened('a path or a query parameter')],
    [['headers', 'queries'], widened('a query parameter or a header')],
    [['headers', 'path', 'queries'], widened('a path or a query parameter or a header')],
  ])('has one finding, and none of what it ignores: %j', (parts, findings) => {
    expect(shown(widening(...parts))).toEqual(findings);
  });

  it('is only one that the release passes', () => {
    const source = widening('path', 'queries');
    const found = shown(source, demo, { version: KruiseRolloutVersion.V0_5_0 });
    expect(found.map((text) => text.split(' ')[0])).toEqual(['lua-field-absent']);
  });

  it('is none in a script that writes the same for every step', () => {
    expect(shown(`${ANNOTATIONS}local m = obj.matches\nreturn a`)).toEqual([`lua-step-ignored 2:11: ${SAME}`]);
  });
});

describe('a weight beside matches', () => {
  const script = (write: string) => `local a = obj.annotations or {}
a.w, a.m = nil, nil
if obj.requestHeaderModifier then error("no") end
if obj.matches and #obj.matches > 0 then
  a.m = assert(json.encode(obj.matches))
  ${write}
else
  a.w = obj.weight
end
return a`;
  const beside = (place: string) => [
    `lua-weight-beside-matches ${place}: a step with traffic 20% and a match on header x-user: u1 gives a different result than the match alone`,
  ];

  it.each<[write: string, findings: readonly string[]]>([
    ['', []],
    ['a.w = "0"', []],
    ['a.w = obj.weight', beside('6:9')],
    ['if obj.weight ~= "-1" then a.w = obj.weight end', beside('6:6')],
    ['if obj.weight ~= "-1" then error("no") end', []],
    ['if obj.weight == "-1" then error("no") end', []],
    ['if obj.weight == "20" and not a["app.example.com/owner"] then a.w = "20" end', beside('6:6')],
  ])('of a script with %j has %j', (write, findings) => {
    expect(shown(script(write))).toEqual(findings);
  });
});
