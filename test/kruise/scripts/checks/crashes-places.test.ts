/** What is said of inputs that stop a script, and of limits, word for word. */
import { describe, expect, it } from 'vitest';
import { check, traefikService } from './check';

const START = 'local annotations = obj.annotations or {}\nannotations.w = obj.weight\n';
const END = '\nreturn annotations';
const shown = (findings: ReturnType<typeof check>) =>
  findings
    .filter(({ rule }) => /unguarded|crash|limit/.test(rule))
    .map(({ rule, severity, message, source }) => `${severity} ${rule} ${source?.line}:${source?.column}: ${message}`);
const found = (lines: string) => shown(check(START + lines + END));
const custom = (lines: string) => shown(check(`${lines}\nreturn obj.data`, traefikService));

const CREATION = 'the run that creates the canary Ingress';
const HEADER = 'a step with a match on header x-user: u1';
const PATH = 'a step with a match on path /v2';
const FULL = 'an Ingress with annotations';
const BARE = 'an Ingress without annotations';
const index = (key: string) => `attempt to index a non-table object(nil) with key '${key}'`;

/** A finding about a line, in a step on an object. */
function stop(rule: string, line: number, step: string, object: string, error: string, absent?: string): string {
  const because = absent === undefined ? '' : `, because ${absent} is nil`;
  return `error lua-${rule} ${line}:1: the script stops in ${step} on ${object}${because}: line ${line}: ${error}`;
}

describe('an ingress script that stops', () => {
  it.each<[lines: string, findings: readonly string[]]>([
    [
      'local x = obj.annotations["a"]',
      [stop('annotations-unguarded', 3, CREATION, BARE, index('a'), 'obj.annotations')],
    ],
    [
      '\n\nlocal x = obj.annotations["a"]',
      [stop('annotations-unguarded', 5, CREATION, BARE, index('a'), 'obj.annotations')],
    ],
    [
      'if not obj.annotations then local x = annotations.none.x end',
      [stop('annotations-unguarded', 3, CREATION, BARE, index('x'), 'obj.annotations')],
    ],
    ['local x = obj.matches[1]', [stop('matches-unguarded', 3, CREATION, FULL, index('1'), 'obj.matches')]],
    ['local n = #obj.matches', [stop('matches-unguarded', 3, CREATION, FULL, '__len undefined', 'obj.matches')]],
    [
      'local h = obj.matches and obj.matches[1].headers',
      [
        stop(
          'matches-unguarded',
          3,
          'a step with traffic 20% and empty matches',
          FULL,
          index('headers'),
          'obj.matches[1]',
        ),
      ],
    ],
    [
      'local m = (obj.matches or {})[1]\nlocal h = m.path',
      [stop('matches-unguarded', 4, CREATION, FULL, index('path'), 'obj.matches[1]')],
    ],
    [
      'local m = (obj.matches or {})[1]\nlocal h = 1 + (m or annotations.none.x)',
      [stop('crash', 4, CREATION, FULL, index('x'))],
    ],
    [
      'local first = 1\nlocal m = obj.matches and #obj.matches == 0 and annotations.none.x',
      [stop('crash', 4, 'a step with traffic 20% and empty matches', FULL, index('x'))],
    ],
    [
      'local h = obj.matches and obj.matches[1] and obj.matches[1].headers[1]',
      [stop('match-part-unguarded', 3, PATH, FULL, index('1'), 'headers of the match')],
    ],
    [
      'for _, m in ipairs(obj.matches or {}) do local n = #m.headers end',
      [stop('match-part-unguarded', 3, PATH, FULL, '__len undefined', 'headers of the match')],
    ],
    [
      'for _, m in ipairs(obj.matches or {}) do local n = m.headers[1].name end',
      [stop('match-part-unguarded', 3, PATH, FULL, index('1'), 'headers of the match')],
    ],
    [
      'for _, m in ipairs(obj.matches or {}) do local n = #m.queryParams end',
      [stop('match-part-unguarded', 3, HEADER, FULL, '__len undefined', 'queryParams of the match')],
    ],
    [
      'for _, m in ipairs(obj.matches or {}) do local n = m.queryParams[1].name end',
      [stop('match-part-unguarded', 3, HEADER, FULL, index('1'), 'queryParams of the match')],
    ],
    [
      'for _, m in ipairs(obj.matches or {}) do local n = m.path.value end',
      [stop('match-part-unguarded', 3, HEADER, FULL, index('value'), 'path of the match')],
    ],
    [
      'for _, m in ipairs(obj.matches or {}) do local n = m.headers[1].name .. m.queryParams[1].name end',
      [stop('match-part-unguarded', 3, HEADER, FULL, index('1'), 'queryParams of the match')],
    ],
    [
      'for _, m in ipairs(obj.matches or {}) do local n = #m.headers + #m.queryParams + #m.path.value end',
      [stop('match-part-unguarded', 3, HEADER, FULL, '__len undefined', 'headers, path or queryParams of the match')],
    ],
    [
      'if obj.requestHeaderModifier then local n = #obj.requestHeaderModifier.set end',
      [
        stop(
          'header-modifier-unguarded',
          3,
          'a step with traffic 20% and a requestHeaderModifier with add only',
          FULL,
          '__len undefined',
          'obj.requestHeaderModifier.set',
        ),
      ],
    ],
    [
      'if obj.requestHeaderModifier then local n = #obj.requestHeaderModifier.add end',
      [
        stop(
          'header-modifier-unguarded',
          3,
          'a step with traffic 20% and a requestHeaderModifier with set only',
          FULL,
          '__len undefined',
          'obj.requestHeaderModifier.add',
        ),
      ],
    ],
    [
      'if obj.requestHeaderModifier then local n = #obj.requestHeaderModifier.remove end',
      [
        stop(
          'header-modifier-unguarded',
          3,
          'a step with traffic 20% and a requestHeaderModifier with set only',
          FULL,
          '__len undefined',
          'obj.requestHeaderModifier.remove',
        ),
      ],
    ],
    [
      'local c = obj.requestHeaderModifier\nlocal n = c and #c.set + #c.add + #c.remove',
      [
        stop(
          'header-modifier-unguarded',
          4,
          'a step with traffic 20% and a requestHeaderModifier with set only',
          FULL,
          '__len undefined',
          'obj.requestHeaderModifier or one of its lists',
        ),
      ],
    ],
    ...['set', 'add', 'remove'].map((list): [string, string[]] => [
      `local n = #obj.requestHeaderModifier.${list}`,
      [
        stop(
          'header-modifier-unguarded',
          3,
          CREATION,
          FULL,
          index(list),
          'obj.requestHeaderModifier or one of its lists',
        ),
      ],
    ]),
    ['local x = annotations.none.x', [stop('crash', 3, CREATION, FULL, index('x'))]],
    ['if obj.matches then local x = annotations.none.x end', [stop('crash', 3, HEADER, FULL, index('x'))]],
    [
      'local x = 1 + obj.weight .. {}',
      [stop('crash', 3, CREATION, FULL, 'cannot perform concat operation between number and table')],
    ],
    [
      'local x = obj.annotations["a"] local y = obj.matches[1]',
      [
        stop('crash', 3, CREATION, BARE, index('a')),
        stop('matches-unguarded', 3, CREATION, FULL, index('1'), 'obj.matches'),
      ],
    ],
    [
      'if obj.weight == "20" then local x = annotations.none.x end\nif obj.weight == "100" then local x = annotations.none.y end',
      [
        stop('crash', 3, 'a step with traffic 20%', FULL, index('x')),
        stop('crash', 4, 'a step with traffic 100%', FULL, index('y')),
      ],
    ],
    [
      'if obj.weight == "20" or obj.weight == "100" then local x = annotations.none.x end',
      [stop('crash', 3, 'a step with traffic 20%', FULL, index('x'))],
    ],
    [
      'if obj.requestHeaderModifier then error("no") end local n = #obj.requestHeaderModifier.set',
      [stop('crash', 3, CREATION, FULL, index('set'))],
    ],
    [
      'for _, m in ipairs(obj.matches or {}) do if m.path then error("no") end local n = m.path.value end',
      [stop('crash', 3, HEADER, FULL, index('value'))],
    ],
    ['local h = obj.matches and obj.matches[1] and obj.matches[1].headers and obj.matches[1].headers[1].name', []],
  ])('%j has %j', (lines, findings) => {
    expect(found(lines)).toEqual(findings);
  });

  it.each<[part: string, line: string, step: string, key: string]>([
    ['headers of the match', 'local h = m.headers[1] none(h.type, h.name, h.value)', PATH, '1'],
    ['queryParams of the match', 'local q = m.queryParams[1] none(q.type, q.name, q.value)', HEADER, '1'],
    ['path of the match', 'none(m.path.type, m.path.value)', HEADER, 'type'],
    [
      'headers, path or queryParams of the match',
      'local h, q = m.headers[1], m.queryParams[1] none(h.type, h.name, h.value, q.type, q.name, q.value, m.path.type, m.path.value)',
      HEADER,
      '1',
    ],
  ])('for the lack of %s has a complete one instead', (part, line, step, key) => {
    const none =
      'local function none(...) for i = 1, select("#", ...) do if #select(i, ...) == 0 then error("empty") end end end';
    expect(found(`${none}\nfor _, m in ipairs(obj.matches or {}) do ${line} end`)).toEqual([
      stop('match-part-unguarded', 4, step, FULL, index(key), part),
    ]);
  });

  it('for the lack of matches has a complete one instead', () => {
    const line = 'local h = obj.matches[1].headers[1] if #h.type * #h.name * #h.value == 0 then error("empty") end';
    expect(found(line)[0]).toBe(stop('matches-unguarded', 3, CREATION, FULL, index('1'), 'obj.matches[1]'));
  });

  it.each([
    [
      'for _, m in ipairs(obj.matches or {}) do local n = #m.headers error("no") end',
      PATH,
      'match-part-unguarded',
      'headers of the match',
    ],
    [
      'for _, m in ipairs(obj.matches or {}) do local n = #m.queryParams error("no") end',
      HEADER,
      'match-part-unguarded',
      'queryParams of the match',
    ],
    [
      'local c = obj.requestHeaderModifier if c then local n = #c.set error("no") end',
      'a step with traffic 20% and a requestHeaderModifier with add only',
      'header-modifier-unguarded',
      'obj.requestHeaderModifier.set',
    ],
    ['local n = #obj.matches error("no")', CREATION, 'matches-unguarded', 'obj.matches'],
  ])('for the lack of an empty part may refuse the part: %s', (line, step, rule, part) => {
    expect(found(line)).toEqual([stop(rule, 3, step, FULL, '__len undefined', part)]);
  });

  it.each([
    ['for _, m in ipairs(obj.matches or {}) do local v = m.path.value error("no") end', HEADER, 'value'],
    ['for _, m in ipairs(obj.matches or {}) do local v = m.headers[1].name error("no") end', PATH, '1'],
    ['local n = obj.requestHeaderModifier.set error("no")', CREATION, 'set'],
  ])('for the lack of a part that asks for something may not refuse it: %s', (line, step, key) => {
    expect(found(line)).toEqual([stop('crash', 3, step, FULL, index(key))]);
  });

  it('at no line is shown at the first', () => {
    expect(found('local x = math.random(0)')).toEqual([
      `error lua-crash 1:1: the script stops in ${CREATION} on ${FULL}: invalid argument to Intn`,
    ]);
  });

  it('is shown at the first character of the line', () => {
    expect(found('if obj.weight then\n  local x = annotations.none.x\nend')[0]).toMatch(/^error lua-crash 4:3: /);
  });
});

describe('a custom script that stops', () => {
  const sample = 'a weighted TraefikService';
  const bare = `${sample} and without labels and annotations`;
  const step = 'a step with traffic 0%';

  it.each<[lines: string, findings: readonly string[]]>([
    ['local x = obj.data.labels["a"]', [stop('labels-unguarded', 1, step, bare, index('a'), 'obj.data.labels')]],
    [
      'obj.data.annotations["a"] = "b"',
      [stop('annotations-unguarded', 1, step, bare, index('a'), 'obj.data.annotations')],
    ],
    [
      'local x = obj.data.labels["a"] .. obj.data.annotations["b"]',
      [stop('crash', 1, step, sample, 'cannot perform concat operation between nil and nil')],
    ],
    ['obj.data.annotations["a"] = obj.data.labels["b"]', [stop('crash', 1, step, bare, index('b'))]],
    ['local x = obj.data.spec.none.x', [stop('crash', 1, step, sample, index('x'))]],
    ['local x = obj.matches[1]', [stop('matches-unguarded', 1, step, sample, index('1'), 'obj.matches')]],
  ])('%j has %j', (lines, findings) => {
    expect(custom(lines)).toEqual(findings);
  });
});

describe('a limit', () => {
  it('of time has its line', () => {
    expect(found('  while true do end')).toEqual([
      'error lua-time-limit 3:3: the script ran for more than one second: its checks were stopped',
    ]);
  });

  it('of memory has its line', () => {
    expect(found('local s = string.rep("a", 2 ^ 29)')).toEqual([
      'error lua-memory-limit 3:1: the script uses too much memory: its checks were stopped',
    ]);
  });

  it('of memory is shown at the start, if the result is too long', () => {
    const lines = 'local s, t = string.rep("a", 2 ^ 20), {}\nfor i = 1, 17 do t[i] = s end\nannotations.t = t';
    expect(found(lines)).toEqual([
      'error lua-memory-limit 1:1: the script uses too much memory: its checks were stopped',
    ]);
    expect(shown(check(`\n\n  ${START}${lines}${END}`))).toEqual([
      'error lua-memory-limit 3:3: the script uses too much memory: its checks were stopped',
    ]);
  });

  it('of all work is a warning at the start, with the number of runs', () => {
    const source = `${START}for i = 1, 2151 do local s = string.rep("a", 4648 * 256) end${END}`;
    const limits = check(source).filter(({ rule }) => rule === 'lua-time-limit');
    expect(limits).toMatchObject([
      {
        severity: 'warning',
        message:
          '4 runs of the script took 30 million loops and calls, where a usual script takes a few hundred per run: its checks were stopped',
        because: 'the controller stops a script after one second, and may run on a slow machine',
        source: { line: 1, column: 1 },
      },
    ]);
  });
});
