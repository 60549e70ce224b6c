/** Which checks of a script run, and which of their findings are shown. */
import { describe, expect, it } from 'vitest';
import { checkScript, checkScriptAndComments, type ScriptToCheck } from '../../../../src/kruise/scripts/checks';
import { KruiseRolloutVersion } from '../../../../src/kruise/version';
import { ROUTE, read, rollout, route } from '../cases';
import { byWeightWith, check, checkLines, customWith, demo, rulesAndLines, traefikService } from './check';

const ignore = (text: string) => `-- rollout-constructs.io/ignore ${text}`;
const shown = (findings: ReturnType<typeof check>) =>
  findings.map(({ rule, source, message }) => `${rule} ${source?.line}:${source?.column}: ${message}`);

describe('a crash', () => {
  it.each([
    ['lua-unavailable', 'local t = os.time() + 1'],
    ['lua-unavailable', 'local t = table.unpack({})'],
    ['lua-field-absent', 'local s = obj.stableService .. "x"'],
    ['lua-weight-type', 'if obj.weight > 50 then error("a") end'],
  ])('is explained by a finding %s on its line: %s', (rule, line) => {
    expect(rulesAndLines(checkLines(line))).toEqual([`${rule}:4`]);
    expect(rulesAndLines(checkLines(`local other = annotations.none.x`, line))).toEqual(['lua-crash:4', `${rule}:5`]);
    expect(rulesAndLines(checkLines(line.replace('local', '\nlocal')))[0]).toMatch(rule);
  });

  it('is shown behind a finding on another line', () => {
    expect(rulesAndLines(checkLines('local s = obj.stableService', 'local x = s.name'))).toEqual([
      'lua-field-absent:4',
      'lua-crash:5',
    ]);
  });

  it('is not explained by another finding on its line', () => {
    expect(rulesAndLines(checkLines('count = annotations.none.x'))).toEqual(['lua-crash:4', 'lua-global:4']);
  });
});

describe('a result that is discarded', () => {
  const WIPED = 'which has no spec: the object loses spec, labels and annotations';

  it.each<[source: string, findings: readonly string[]]>([
    ['return obj', ['lua-object-wiped 1:1: the script returns obj, ']],
    ['return {}', ['lua-object-wiped 1:1: the script returns {}, ']],
    ['local m = obj.matches\nreturn obj', ['lua-object-wiped 2:1: the script returns obj, ']],
  ])('says nothing of the steps: custom %j', (source, findings) => {
    expect(shown(check(source, traefikService))).toEqual(findings.map((start) => start + WIPED));
  });

  it('says nothing of the steps: ingress', () => {
    const dropped =
      'annotation app.example.com/owner of an Ingress with annotations is missing after the run that creates';
    expect(shown(check('return obj'))).toEqual([
      'lua-annotations-dropped 1:1: the script returns obj itself, not the annotations',
    ]);
    expect(shown(check('return {}'))).toEqual([`lua-annotations-dropped 1:1: ${dropped} the canary Ingress`]);
  });

  it('says what it ignores of a step all the same', () => {
    const source = 'local r = { w = obj.canaryWeight }\nreturn r';
    expect(check(source, traefikService).map(({ rule }) => rule)).toEqual([
      'lua-alternative-ignored',
      'lua-header-ignored',
      'lua-path-ignored',
      'lua-query-ignored',
      'lua-object-wiped',
      'lua-header-modifier-ignored',
    ]);
  });

  it('is not the only reason to ignore a step', () => {
    expect(rulesAndLines(check('local a = obj.annotations or {}\nlocal w = obj.weight\nreturn a'))).toEqual([
      'lua-step-ignored:2',
    ]);
  });
});

describe('a script that replaces obj', () => {
  it('is read, and not run', () => {
    const source = 'obj = { weight = "1" }\ncount = 1\nlocal t = os.time()\nreturn obj.none.x';
    expect(rulesAndLines(check(source))).toEqual(['lua-obj-overwritten:1', 'lua-unavailable:3', 'lua-global:2']);
  });

  it('has no unused suppression', () => {
    expect(rulesAndLines(check(`${ignore('lua-crash: never')}\nobj = {}\nreturn obj`))).toEqual([
      'lua-obj-overwritten:2',
    ]);
  });
});

describe('an unused suppression', () => {
  const unused = (rule: string, more: Partial<ScriptToCheck> = {}, ...lines: readonly string[]) =>
    rulesAndLines(checkScript({ source: byWeightWith(ignore(`${rule}: why`), ...lines), target: demo, ...more }));

  it.each(['lua-global', 'lua-time-limit', 'lua-crash', 'lua-syntax', 'lua-alb-same-service'])(
    'of %s is shown, if all checks are complete',
    (rule) => {
      expect(unused(rule)).toEqual(['suppression-unused:4']);
    },
  );

  it('is not shown behind a limit', () => {
    expect(unused('lua-crash', {}, 'while true do end')).toEqual(['lua-time-limit:5']);
  });

  it('of a rule about testdata is shown only if the testdata are known', () => {
    expect(unused('lua-testdata-missing')).toEqual([]);
    expect(unused('lua-testdata-scenario-missing')).toEqual([]);
    expect(unused('lua-testdata-missing', { testdata: [] })).toEqual([]);
    expect(unused('lua-testdata-scenario-missing', { testdata: [] })).toEqual([
      'lua-testdata-missing:1',
      'suppression-unused:4',
    ]);
  });

  it('in a script that does not parse is one of lua-syntax', () => {
    const source = (rule: string) => `x = = 1 ${ignore(`${rule}: why`)}`;
    expect(rulesAndLines(check(source('lua-global')))).toEqual(['lua-syntax:1']);
    expect(rulesAndLines(check(source('lua-syntax')))).toEqual([]);
  });
});

describe('the findings of a script', () => {
  it('are one for each rule and place', () => {
    expect(rulesAndLines(checkLines('a, b, a = 1, 2, 3', 'a = 4'))).toEqual(['lua-global:4', 'lua-global:4']);
    expect(rulesAndLines(checkLines('annotations["demo.example.com/n"] = 1'))).toEqual(['lua-annotation-not-string:4']);
  });

  it('have the name of the file, which the controller calls <string>', () => {
    const source = byWeightWith('count = 1');
    expect(checkScript({ source, target: demo })).toMatchObject([{ source: { file: '<string>', line: 4, column: 1 } }]);
    expect(checkScript({ source, target: demo, file: 'demo.lua' })).toMatchObject([{ source: { file: 'demo.lua' } }]);
    expect(checkScript({ source: 'x =', target: demo })).toMatchObject([{ source: { file: '<string>' } }]);
    expect(checkScript({ source: 'x =', target: demo, file: 'demo.lua' })).toMatchObject([
      { source: { file: 'demo.lua' } },
    ]);
  });

  it('that a comment accepts are marked, or left out', () => {
    const source = byWeightWith('count = 1', ignore('lua-global: read by the debugger'));
    expect(checkScript({ source, target: demo })).toEqual([]);
    expect(checkScriptAndComments({ source, target: demo })).toMatchObject([
      {
        rule: 'lua-global',
        source: { file: '<string>', line: 4, column: 1 },
        accepted: {
          reason: 'read by the debugger',
          by: 'comment',
          source: { file: '<string>', line: 5, column: 1 },
        },
      },
    ]);
  });

  it('are those of a release, by default of the latest', () => {
    const source = byWeightWith();
    const rules = (version?: KruiseRolloutVersion) => rulesAndLines(checkScript({ source, target: demo, version }));
    expect(rules()).toEqual([]);
    expect(rules(KruiseRolloutVersion.V0_3_0)).toEqual(['lua-field-absent:1']);
  });
});

describe('the runs of a script', () => {
  const crashAt = (condition: string) => {
    const source = byWeightWith(`if ${condition} then local x = annotations.none.x end`);
    return check(source).map(({ message }) => /^the script stops in (.*?)(, because.*)?: line/.exec(message)?.[1]);
  };

  it.each([
    ['obj.weight == "0"', 'the run that creates the canary Ingress on an Ingress with annotations'],
    ['obj.weight == "100"', 'a step with traffic 100% on an Ingress with annotations'],
    ['not obj.annotations', 'the run that creates the canary Ingress on an Ingress without annotations'],
    ['obj.canaryService == "web"', 'a step with traffic 20% on an Ingress with annotations, without a canary Service'],
    [
      'obj.canaryService == "web" and obj.weight == "20"',
      'a step with traffic 20% on an Ingress with annotations, without a canary Service',
    ],
  ])('reach %s', (condition, where) => {
    expect(crashAt(condition)).toEqual([where]);
  });

  it('have a match without a canary Service too', () => {
    const source = `if obj.canaryService == "web" and obj.matches then local t = {} local x = t.none.x end\n${byWeightWith()}`;
    const [finding] = check(source).filter(({ rule }) => rule === 'lua-crash');
    expect(finding?.message).toContain(
      'in a step with a match on header x-user: u1 on an Ingress with annotations, without a canary Service',
    );
  });

  it('have no canary Service on the first object only', () => {
    const source = byWeightWith(
      'if obj.canaryService == "web" and not obj.annotations then local t = {} local x = t.none.x end',
    );
    expect(check(source).filter(({ rule }) => rule === 'lua-crash')).toEqual([]);
  });

  it('are on five objects at most', () => {
    const hosts = [...'abcdefg'];
    const testdata = hosts.map((host) => {
      const original = route({ weighted: { services: [{ name: 'web', port: 1, weight: 1 }] }, host });
      return read({ rollout: rollout([{ traffic: '20%' }]), original }, ROUTE).testdata!;
    });
    const crashes = (host: string) => {
      const source = customWith(`if obj.data.spec.host == "${host}" then local t = {} local x = t.none.x end`);
      return checkScript({ source, target: ROUTE, testdata }).some(({ rule }) => rule === 'lua-crash');
    };
    expect(hosts.map(crashes)).toEqual([true, true, true, true, true, false, false]);
  });
});

describe('an object of the testdata', () => {
  it('comes behind the samples', () => {
    const { apiVersion, ...rest } = route({ weighted: { services: [{ name: 'web', port: 1, weight: 1 }] } });
    expect(apiVersion).toBe('example.com/v1');
    const testdata = [...'abcd'].map((host) => {
      const original = { ...rest, apiVersion: 'traefik.io/v1', kind: 'TraefikService', spec: { ...rest.spec, host } };
      return read({ rollout: rollout([{ traffic: '20%' }]), original }, traefikService).testdata!;
    });
    const crashes = (host: string) => {
      const source = customWith(`if obj.data.spec.host == "${host}" then local t = {} local x = t.none.x end`);
      return checkScript({ source, target: traefikService, testdata }).some(({ rule }) => rule === 'lua-crash');
    };
    expect([...'abcd'].map(crashes)).toEqual([true, true, true, false]);
  });
});
