/** What a script loses of objects with several labels and annotations, or with nothing to lose. */
import { describe, expect, it } from 'vitest';
import { checkScript } from '../../../../src/kruise/scripts/checks';
import type { ScriptTarget } from '../../../../src/kruise/scripts/library';
import { ingress, NGINX, ROUTE, read, rollout, route } from '../cases';
import { check, traefikService } from './check';

const IN_PLACE: ScriptTarget = { provider: 'custom', kind: 'Ingress', group: 'networking.k8s.io' };
const shown = (findings: ReturnType<typeof check>, rules = /wiped|dropped|returns|no-return|not-json|not-string/) =>
  findings
    .filter(({ rule }) => rules.test(rule))
    .map(({ rule, message, source }) => `${rule} ${source?.line}:${source?.column}: ${message}`);

describe('an object of the testdata', () => {
  const lost = (original: object, lines: string) => {
    const testdata = [read({ rollout: rollout([{ traffic: '20%' }]), original }, ROUTE).testdata!];
    return shown(checkScript({ source: `${lines}\nreturn obj.data`, target: ROUTE, testdata }));
  };
  const two = { labels: { a: '1', b: '2' }, annotations: { c: '3', d: '4' } };
  const where = 'in a step with traffic 0% on the object of testdata case';

  it.each<[lines: string, findings: readonly string[]]>([
    ['obj.data.labels.a = nil', [`lua-metadata-dropped 2:1: the object loses labels ${where}`]],
    ['obj.data.labels.b = nil', [`lua-metadata-dropped 2:1: the object loses labels ${where}`]],
    ['obj.data.annotations.d = nil', [`lua-metadata-dropped 2:1: the object loses annotations ${where}`]],
    [
      'obj.data.annotations.d, obj.data.labels.a = nil, nil',
      [`lua-metadata-dropped 2:1: the object loses labels and annotations ${where}`],
    ],
    ['obj.data.labels.a = "other"', []],
    ['obj.data.labels.more = "5"', []],
    ['obj.data.labels.a = ""', []],
    ['obj.data.spec.host = nil obj.data.spec.w = 1', []],
    [
      'obj.data.spec.host = nil',
      [`lua-object-wiped 2:1: the returned table has no spec, and the object loses its spec ${where}`],
    ],
    [
      'obj.data.spec = nil obj.data.labels = nil',
      [`lua-object-wiped 2:1: the returned table has no spec, and the object loses its spec ${where}`],
    ],
  ])('with two of each loses: %s', (lines, findings) => {
    expect(lost(route({ host: 'a' }, two), lines)).toEqual(findings);
  });

  it.each<[lines: string, findings: readonly string[]]>([
    ['obj.data.spec, obj.data.labels, obj.data.annotations = nil, nil, nil', []],
    ['local x = 1', []],
  ])('without anything loses nothing: %s', (lines, findings) => {
    const { spec: _, ...original } = route({});
    expect(lost(original, lines)).toEqual(findings);
  });

  it('that is an Ingress keeps its annotations', () => {
    const testdata = [
      read({ rollout: rollout([{ traffic: '20%' }]), original: ingress({ owner: 'me' }) }, NGINX).testdata!,
    ];
    const source =
      'local a = {} for k, v in pairs(obj.annotations or {}) do if k ~= "owner" then a[k] = v end end a.w = obj.weight return a';
    expect(shown(checkScript({ source, target: NGINX, testdata }))).toEqual([]);
  });
});

describe('an Ingress that is edited in place', () => {
  it('may not lose one annotation of several', () => {
    const lines =
      'local annotations = obj.data.annotations\nannotations["alb.ingress.kubernetes.io/target-type"] = nil';
    expect(shown(check(`${lines}\nreturn obj.data`, IN_PLACE))).toEqual([
      'lua-metadata-dropped 3:1: the object loses annotations in a step with traffic 0% on an Ingress with an action for its Service',
    ]);
  });
});

describe('a result', () => {
  it('that is wrong by its text is not found again by its run', () => {
    const wiped = (what: string) =>
      `lua-object-wiped 1:1: the script returns ${what}, which has no spec: the object loses spec, labels and annotations`;
    for (const what of ['obj', 'obj.data.spec', '{}']) {
      expect(shown(check(`return ${what}`, traefikService))).toEqual([wiped(what)]);
      expect(shown(check(`return 1, ${what}`, traefikService))).toEqual([wiped(what)]);
    }
    expect(shown(check('return obj.data.labels', traefikService))).toEqual([
      expect.stringMatching(/^lua-object-wiped 1:1: the returned table has no spec/),
      'lua-returns-no-table 1:1: the script returns nil, not a table',
    ]);
    expect(shown(check('return { 1 }', traefikService))).toEqual([
      expect.stringMatching(
        /^lua-object-wiped 1:1: the controller cannot read the result \(json: cannot unmarshal array/,
      ),
    ]);
  });

  it('that the controller cannot read has a reason of its own', () => {
    const [finding] = check('obj.data.labels = "a"\nreturn obj.data', traefikService).filter(
      ({ rule }) => rule === 'lua-object-wiped',
    );
    expect(finding?.because).toBe('the controller logs the error and retries forever: the Rollout stays in its step.');
    const [other] = check('obj.data.spec = nil\nreturn obj.data', traefikService);
    expect(other?.because).not.toBe(finding?.because);
  });

  it('that JSON cannot represent has the reason without the names of types', () => {
    const reason = (value: string) =>
      check(`local a = obj.annotations or {}\na.x = ${value}\nreturn a`)
        .filter(({ rule }) => rule === 'lua-not-json')
        .map(({ message }) => /: (.*)$/.exec(message)?.[1]);
    expect(reason('{ y = { z = print } }')).toEqual(['cannot encode function to JSON']);
    expect(reason('0 / 0')).toEqual(['json: unsupported value: NaN']);
    expect(reason('{ 1, nil, 3 }')).toEqual(['cannot encode sparse array']);
  });

  it('is looked for in every return, but those of functions', () => {
    const source = `local a = obj.annotations or {}
a.w = obj.weight
local function f() return 1 end
if obj.weight == "77" then return f() end
if obj.weight == "78" then return nil end
if obj.weight == "79" then return true, "x" end
return a`;
    expect(shown(check(source), /returns|no-return/)).toEqual([
      'lua-returns-no-table 5:28: the script returns nil, not a table',
      'lua-returns-no-table 6:28: the script returns a string, not a table',
    ]);
  });

  it('has a place at the end of the script, if it is missing', () => {
    const start = 'local a = obj.annotations or {}\na.w = obj.weight\n';
    expect(shown(check(`${start}if obj.weight == "77" then\n  return a\nend`), /no-return/)).toEqual([
      'lua-no-return 3:1: the script ends without a return in the run that creates the canary Ingress on an Ingress with annotations',
    ]);
    expect(shown(check(`${start}if obj.weight ~= "77" then\n  return a\nend`), /no-return/)).toEqual([
      'lua-no-return 3:1: the script may end without a return',
    ]);
    expect(shown(check(`${start}f = 1`), /no-return/)).toEqual(['lua-no-return 3:1: the script ends without a return']);
    expect(shown(check('-- nothing'), /no-return/)).toEqual(['lua-no-return 1:1: the script ends without a return']);
    const severity = (condition: string) =>
      check(`${start}if ${condition} then\n  return a\nend`).find(({ rule }) => rule === 'lua-no-return')?.severity;
    expect([severity('obj.weight == "77"'), severity('obj.weight ~= "77"')]).toEqual(['error', 'warning']);
  });
});
