import { describe, expect, it } from 'vitest';
import type { Rule } from '../../../../src/core';
import { checkScript } from '../../../../src/kruise/scripts/checks';
import { scriptRules } from '../../../../src/kruise/scripts/rules';
import { readTestdata } from '../../../../src/kruise/scripts/testdata';
import { check, targetOfExample } from './check';

const rules: readonly Rule[] = Object.values(scriptRules);
const shownInLua = rules.filter(({ failing }) => failing.language === 'lua');

describe('the examples of the rules', () => {
  it.each(shownInLua.map((rule) => [rule.id, rule] as const))(
    '%s: exactly it is found in what is wrong',
    (id, rule) => {
      const findings = check(rule.failing.text, targetOfExample(rule.failing.text));

      expect(findings.map((finding) => finding.rule)).toEqual([id]);
    },
  );

  it.each(shownInLua.map((rule) => [rule.id, rule] as const))(
    '%s: nothing is found in what is corrected',
    (_, rule) => {
      expect(check(rule.corrected.text, targetOfExample(rule.corrected.text))).toEqual([]);
    },
  );

  it('shows every rule but those about testdata in Lua', () => {
    const others = rules.filter((rule) => !shownInLua.includes(rule)).map(({ id }) => id);

    expect(others).toEqual(['lua-testdata-missing', 'lua-testdata-scenario-missing']);
  });
});

/** A script that supports all three scenarios. */
const httpProxy = `
local routes = {}
for _, match in ipairs(obj.matches or {}) do
  if match.path or match.queryParams or not match.headers or obj.requestHeaderModifier then
    error("headers only")
  end
  local conditions = {}
  for _, header in ipairs(match.headers) do
    local key = header.type == "Exact" and "exact" or "regex"
    table.insert(conditions, { header = { name = header.name, [key] = header.value } })
  end
  local port = obj.data.spec.routes[1].services[1].port
  table.insert(routes, { conditions = conditions, services = { { name = obj.canaryService, port = port } } })
end
for _, route in ipairs(obj.data.spec.routes) do
  if not obj.matches then
    if obj.requestHeaderModifier then
      error("no header modifiers")
    end
    route.services[1].weight = obj.stableWeight
    table.insert(route.services, { name = obj.canaryService, port = route.services[1].port, weight = obj.canaryWeight })
  end
  table.insert(routes, route)
end
obj.data.spec.routes = routes
return obj.data
`;

describe('the examples about testdata', () => {
  const target = targetOfExample(scriptRules['lua-testdata-scenario-missing'].corrected.text);
  const findings = (text: string) => {
    const { testdata, problems } = readTestdata(text, 'steps.yaml', target);
    expect(problems).toBeUndefined();
    return checkScript({ source: httpProxy, target, testdata: testdata ? [testdata] : [] });
  };

  it('lua-testdata-scenario-missing: names each missing scenario', () => {
    const found = findings(scriptRules['lua-testdata-scenario-missing'].failing.text);

    expect(found.map(({ rule, message }) => [rule, message])).toEqual([
      [
        'lua-testdata-scenario-missing',
        'no step of the testdata has one match with several headers (all must agree), or several matches with headers (any may agree)',
      ],
    ]);
  });

  it('reports nothing if all three exist', () => {
    expect(findings(scriptRules['lua-testdata-scenario-missing'].corrected.text)).toEqual([]);
    expect(findings(scriptRules['lua-testdata-missing'].corrected.text)).toEqual([]);
  });

  it('lua-testdata-missing: reports missing testdata only if it is known to be missing', () => {
    expect(checkScript({ source: httpProxy, target, testdata: [] }).map(({ rule }) => rule)).toEqual([
      'lua-testdata-missing',
    ]);
    expect(checkScript({ source: httpProxy, target })).toEqual([]);
  });

  it('does not require a scenario that the script rejects', () => {
    const { testdata } = readTestdata(scriptRules['lua-testdata-scenario-missing'].failing.text, 'a.yaml', target);
    const source = `if obj.matches then error("no matches") end${httpProxy}`;

    expect(checkScript({ source, target, testdata: [testdata!] })).toEqual([]);
  });
});
