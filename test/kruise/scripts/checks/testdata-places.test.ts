/** What is said of the testdata of a script. */
import { describe, expect, it } from 'vitest';
import { checkScript } from '../../../../src/kruise/scripts/checks';
import { NGINX, ROUTE, read, rollout, route, trafficRouting } from '../cases';

const SCRIPT = `local spec = obj.data.spec
spec.w, spec.m, spec.h = obj.canaryWeight, obj.matches, obj.requestHeaderModifier
return obj.data`;
const header = (name: string) => ({ name, value: 'b' });
const headers = (...names: readonly string[]) => ({ headers: names.map(header) });
const ALL = 'one match with several headers (all must agree)';
const ANY = 'several matches with headers (any may agree)';
const WEIGHT = 'a weight without matches';

/** The names of the scenarios that testdata with these steps lack. */
function missing(steps: readonly object[], source = SCRIPT, more: object = { rollout: rollout(steps) }) {
  const { testdata, problems } = read({ original: route({}), ...more }, ROUTE);
  expect(problems).toBeUndefined();
  const found = checkScript({ source, target: ROUTE, testdata: [testdata!] }).filter(({ rule }) =>
    rule.startsWith('lua-testdata'),
  );
  expect(found.length).toBeLessThan(2);
  if (found.length === 0) return [];
  const { rule, message, source: place } = found[0]!;
  expect(rule).toBe('lua-testdata-scenario-missing');
  expect(place).toEqual({ file: '<string>', line: 1, column: 1 });
  const start = 'no step of the testdata has ';
  expect(message.startsWith(start)).toBe(true);
  return message.slice(start.length).split(', or ');
}

describe('testdata', () => {
  it.each<[steps: readonly object[], lacking: readonly string[]]>([
    [[{ traffic: '20%' }], [ALL, ANY]],
    [[{ traffic: '20%', matches: [] }], [ALL, ANY]],
    [[{ replicas: 1 }], [ALL, ANY, WEIGHT]],
    [[{ traffic: '20%', matches: [headers('a')] }], [ALL, ANY, WEIGHT]],
    [[{ matches: [headers('a')] }], [ALL, ANY, WEIGHT]],
    [[{ matches: [headers('a', 'b')] }], [ANY, WEIGHT]],
    [[{ matches: [headers('a'), headers('b', 'c')] }], [WEIGHT]],
    [[{ matches: [headers('a'), headers('b')] }], [ALL, WEIGHT]],
    [[{ matches: [headers('a'), { path: { value: '/' } }] }], [ALL, ANY, WEIGHT]],
    [[{ matches: [headers('a'), { headers: [] }] }], [ALL, ANY, WEIGHT]],
    [[{ matches: [{ queryParams: [header('a'), header('b')] }] }], [ALL, ANY, WEIGHT]],
    [[{ traffic: '20%' }, { matches: [headers('a', 'b')] }, { matches: [headers('a'), headers('b')] }], []],
  ])('with the steps %j lack %j', (steps, lacking) => {
    expect(missing(steps)).toEqual(lacking);
  });

  it('count the steps of any API version, of a Rollout and of a TrafficRouting', () => {
    const old = { ...rollout([{ weight: 20 }]), apiVersion: 'rollouts.kruise.io/v1alpha1' };
    expect(missing([], SCRIPT, { rollout: old })).toEqual([ALL, ANY]);
    expect(missing([], SCRIPT, { rollout: rollout([{ weight: 20 }]) })).toEqual([ALL, ANY, WEIGHT]);
    expect(missing([], SCRIPT, { trafficRouting: trafficRouting({ weight: 20 }) })).toEqual([ALL, ANY]);
    expect(missing([], SCRIPT, { trafficRouting: trafficRouting({ matches: [headers('a', 'b')] }) })).toEqual([
      ANY,
      WEIGHT,
    ]);
  });

  it.each<[refused: string, lacking: readonly string[]]>([
    ['obj.matches', [WEIGHT]],
    ['obj.matches and #obj.matches > 1', [ALL, WEIGHT]],
    ['obj.matches and #obj.matches[1].headers > 1', [ANY, WEIGHT]],
    ['not obj.matches', [ALL, ANY]],
    ['obj.canaryWeight == 20', [ALL, ANY]],
    ['obj.canaryWeight == 30', [ALL, ANY, WEIGHT]],
  ])('need no step that the script refuses: %s', (refused, lacking) => {
    const source = `if ${refused} then error("no") end\n${SCRIPT}`;
    expect(missing([{ replicas: 1 }], source)).toEqual(lacking);
  });

  it('need a step that the script refuses on one object only', () => {
    const cases = ['a', 'b'].map(
      (host) => read({ rollout: rollout([{ replicas: 1 }]), original: route({ host }) }, ROUTE).testdata!,
    );
    const source = `if obj.matches and obj.data.spec.host == "a" then error("no") end\n${SCRIPT}`;
    const [finding] = checkScript({ source, target: ROUTE, testdata: cases }).filter(({ rule }) =>
      rule.startsWith('lua-testdata'),
    );
    expect(finding?.message).toContain(ALL);
  });

  it('need every scenario if the script stops', () => {
    expect(missing([{ replicas: 1 }], `if obj.matches then local x = obj.matches.a.b end\n${SCRIPT}`)).toEqual([
      ALL,
      ANY,
      WEIGHT,
    ]);
  });

  it('need every scenario without an object to try', () => {
    const without = { rollout: rollout([{ replicas: 1 }], 'canary', { trafficRoutings: [] }) };
    expect(missing([], `error("no")\n${SCRIPT}`, without)).toEqual([ALL, ANY, WEIGHT]);
  });

  it('may not be missing, if they are looked for', () => {
    const rules = (more: object, source = `\n\n  local a = obj.annotations or {}\na.w = obj.weight\nreturn a`) =>
      checkScript({ source, target: NGINX, ...more })
        .filter(({ rule }) => rule.startsWith('lua-testdata'))
        .map(({ rule, message, source: place }) => `${rule} ${place?.line}:${place?.column}: ${message}`);
    expect(rules({ testdata: [] })).toEqual(['lua-testdata-missing 3:3: the script has no testdata']);
    expect(rules({})).toEqual([]);
    expect(rules({ testdata: [] }, '-- nothing')).toEqual(['lua-testdata-missing 1:1: the script has no testdata']);
  });
});
