/** What is said of scripts that run on their own output, or in another order, word for word. */
import { describe, expect, it } from 'vitest';
import { checkScript, type ScriptToCheck } from '../../../../src/kruise/scripts/checks';
import { KruiseRolloutVersion } from '../../../../src/kruise/version';
import { checkLines, customWith, demo, traefikService } from './check';

const CREATION = 'the run that creates the canary Ingress';
const KEY = 'annotations["demo.example.com/n"]';
const NAME = 'demo.example.com/n';

const shown = (findings: ReturnType<typeof checkLines>) =>
  findings.map(({ rule, message, source }) => `${rule} ${source?.line}:${source?.column}: ${message}`);
const found = (...lines: readonly string[]) => shown(checkLines(...lines));

describe('a script on its own output', () => {
  const counting = (most: number) => found(`${KEY} = tostring(math.min((tonumber(${KEY}) or 0) + 1, ${most}))`);
  const always = (at: string, name: string, one: string, other: string, step = CREATION) =>
    `lua-not-idempotent ${at}: annotation ${name} changes every time the script repeats ${step}: ${one}, then ${other}`;

  it.each<[most: number, findings: readonly string[]]>([
    [1, []],
    [2, []],
    [
      3,
      [
        `lua-not-idempotent 4:13: annotation ${NAME} is "2" after the first pass of ${CREATION} and "3" after the second`,
      ],
    ],
    [
      4,
      [`lua-stale-annotation 4:13: annotation ${NAME} is "3" instead of "2" in ${CREATION} if it follows ${CREATION}`],
    ],
    [5, [always('4:13', NAME, '"4"', '"5"')]],
    [9, [always('4:13', NAME, '"4"', '"5"')]],
  ])('that counts up to %i has %j', (most, findings) => {
    expect(counting(most)).toEqual(findings);
  });

  it('has the first key that changes', () => {
    const add = (key: string) =>
      `annotations["demo.example.com/${key}"] = (annotations["demo.example.com/${key}"] or "") .. "x"`;
    expect(found(add('b'), add('a'))).toEqual([always('5:13', 'demo.example.com/a', '"xxxx"', '"xxxxx"')]);
  });

  it('has a key that comes and goes', () => {
    const toggle = `if ${KEY} then ${KEY} = nil else ${KEY} = "x" end`;
    expect(found(toggle)).toEqual([always('4:16', NAME, 'absent', '"x"')]);
  });

  it('has the step that does not settle', () => {
    expect(found(`if obj.weight == "40" then ${KEY} = (${KEY} or "") .. "x" end`)).toEqual([
      always('4:40', NAME, '"xxx"', '"xxxx"', 'a step with traffic 40%'),
    ]);
  });

  it('is tried on each object', () => {
    const bare = 'if not annotations["app.example.com/owner"] then';
    expect(found(`${bare} ${KEY} = (${KEY} or "") .. "x" end`)).toEqual([
      always(`4:${bare.length + 14}`, NAME, '"xxxx"', '"xxxxx"'),
    ]);
  });

  it.each([
    ['fails in its second run', `if ${KEY} then error("no") end ${KEY} = "1"`],
    ['keeps its first value', `${KEY} = ${KEY} or "first"`],
    ['writes a value of the step', `${KEY} = obj.weight`],
  ])('has no finding if it %s', (_, line) => {
    expect(found(line)).toEqual([]);
  });

  it('shows the first 60 characters of a value', () => {
    const text = (letter: string, length: number) => `string.rep("${letter}", ${length})`;
    const left = (length: number) =>
      found(`if obj.weight == "20" then ${KEY} = ${text('x', length)} else ${KEY} = ${KEY} or ${text('y', 61)} end`);
    const message = (value: string) => [
      `lua-stale-annotation 4:40: annotation ${NAME} is ${value} instead of "${'y'.repeat(60)}…" in ${CREATION} if it follows a step with traffic 20%`,
    ];
    expect(left(60)).toEqual(message(`"${'x'.repeat(60)}"`));
    expect(left(61)).toEqual(message(`"${'x'.repeat(60)}…"`));
  });
});

describe('an annotation that a step leaves behind', () => {
  /** Writes every part of a step; of some steps it leaves an annotation. */
  const leaving = (condition: string, write: string, more: Partial<ScriptToCheck> = {}) => {
    const source = `local a = obj.annotations or {}
a.w, a.m, a.h = nil, nil, nil
local matches = obj.matches and #obj.matches > 0 and json.encode(obj.matches)
local change = obj.requestHeaderModifier and json.encode(obj.requestHeaderModifier)
a.w, a.m, a.h = obj.weight, matches or nil, change or nil
if ${condition} then ${write} end
return a`;
    return shown(checkScript({ source, target: demo, ...more }).filter(({ rule }) => rule.includes('stale')));
  };
  const stale = (value: string, expected: string, next: string, before: string, at = '6') =>
    expect.stringMatching(
      new RegExp(
        `^lua-stale-annotation ${at}:\\d+: ${escaped(`annotation ${NAME} is ${value} instead of ${expected} in ${next} if it follows ${before}`)}$`,
      ),
    );
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const match = (...names: string[]) =>
    `matches and ${names.map((name) => `matches:find('${name}', 1, true)`).join(' and ')}`;
  const WRITE = `a["${NAME}"] = "x"`;

  it.each<[condition: string, before: string]>([
    ['obj.weight == "20" and not change', 'a step with traffic 20%'],
    ['obj.weight == "40"', 'a step with traffic 40%'],
    [
      `${match('"x-user"', '"u1"')} and not matches:find("user-agent", 1, true) and not obj.matches[1].queryParams`,
      'a step with a match on header x-user: u1',
    ],
    [match('user-[0-9]+'), 'a step with a match on header x-user (expression ^(user-[0-9]+)$)'],
    [match('"user-agent"', '"pc"'), 'a step with a match on header x-user: u1 and header user-agent: pc'],
    [match('"canary-by-cookie"', '"grey"'), 'a step with a match on header canary-by-cookie: grey'],
    [match('"/v2"'), 'a step with a match on path /v2'],
    [
      `matches and obj.matches[1].queryParams and not obj.matches[1].headers and ${match('"v"', '"2"')}`,
      'a step with a match on query parameter v: 2',
    ],
    [
      'matches and obj.matches[1].queryParams and obj.matches[1].headers and not obj.matches[1].path',
      'a step with a match on header x-user: u1 and query parameter v: 2',
    ],
    [
      `change and change:find('"set":[{"name":"x-canary","value":"yes"}]', 1, true) and obj.weight == "20"`,
      'a step with traffic 20% and a requestHeaderModifier with set only',
    ],
  ])('if %s', (condition, before) => {
    expect(leaving(condition, WRITE)).toEqual([stale('"x"', 'absent', CREATION, before)]);
  });

  it('is one that the next step removes, too', () => {
    const kept = `a["${NAME}"] = "x" end if obj.weight == "20" and not change then a["${NAME}"] = nil`;
    expect(leaving('obj.weight == "0"', kept)).toEqual([
      stale('absent', '"x"', 'a step with traffic 40%', 'a step with traffic 20%'),
    ]);
    expect(
      leaving(
        'obj.weight == "40"',
        `a["${NAME}"] = "x" end if obj.weight ~= "40" and a["${NAME}"] then a["${NAME}"] = "y"`,
      ),
    ).toEqual([stale('"y"', 'absent', CREATION, 'a step with traffic 40%')]);
  });

  it('is looked for in the steps that the release knows', () => {
    const { V0_5_0 } = KruiseRolloutVersion;
    expect(leaving(match('"/v2"'), WRITE, { version: V0_5_0 })).toEqual([]);
    expect(leaving('obj.weight == "40"', WRITE, { version: V0_5_0 })).toHaveLength(1);
  });

  it('has one finding for each place', () => {
    const two = `if obj.weight == "20" then annotations["demo.example.com/one"], annotations["demo.example.com/two"] = "x", "y" end`;
    expect(found(two)).toEqual([
      `lua-stale-annotation 4:40: annotation demo.example.com/one is "x" instead of absent in ${CREATION} if it follows a step with traffic 20%`,
      `lua-stale-annotation 4:77: annotation demo.example.com/two is "y" instead of absent in ${CREATION} if it follows a step with traffic 20%`,
    ]);
    const same = `if obj.weight == "20" then for _, k in ipairs({ "one", "two" }) do annotations["demo.example.com/" .. k .. "-x"] = "x" end end`;
    expect(found(same)).toHaveLength(1);
  });

  it('is none of a custom script, which runs on the original', () => {
    const findings = checkScript({
      source: customWith('if obj.canaryWeight == 20 then obj.data.annotations = { left = "x" } end'),
      target: traefikService,
    });
    expect(findings.filter(({ rule }) => /stale|idempotent/.test(rule))).toEqual([]);
  });
});

describe('the order of a table', () => {
  const keys = (from = 'obj.annotations or {}') =>
    `local keys = {} for k in pairs(${from}) do if k ~= "${NAME}" and not k:find("weight") then table.insert(keys, k) end end`;
  const JOINED = `${KEY} = table.concat(keys, ",")`;
  const dependent = (at: string, step: string, object = 'an Ingress with annotations') =>
    `lua-order-dependent ${at}: the result of ${step} on ${object} changes with the iteration order of a table`;

  /** The findings of a script that accepts every step, and depends on the order in some of them. */
  const inStep = (condition: string) => {
    const source = `local a = obj.annotations or {}
${keys().replaceAll('annotations["', 'a["')}
a.w, a.m, a.k = nil, nil, nil
a.w, a.m = obj.weight, obj.matches and #obj.matches > 0 and json.encode(obj.matches) or nil
local change = obj.requestHeaderModifier
a.h = change and json.encode(change)
if ${condition} then a["${NAME}"] = table.concat(keys, ",") end
return a`;
    return shown(checkScript({ source, target: demo }).filter(({ rule }) => rule.includes('order')));
  };

  it.each<[lines: string, findings: readonly string[]]>([
    [`${keys()} ${JOINED}`, [dependent('4:26', 'a step with traffic 20%')]],
    [`${keys()} table.sort(keys) ${JOINED}`, []],
    [`${keys('{ a = 1, b = 2 }')} ${JOINED}`, []],
    [`${keys('json.decode("{\\"a\\":1,\\"b\\":2}")')} ${JOINED}`, [dependent('4:26', 'a step with traffic 20%')]],
    [
      `local k = next(obj.annotations or {}) ${KEY} = k and (k:find("app") and "1" or "2")`,
      [dependent('4:11', 'a step with traffic 20%')],
    ],
    [
      `${keys()} if keys[1] == "app.example.com/owner" then error("no") end`,
      [dependent('4:26', 'a step with traffic 20%')],
    ],
    [`${keys()} if keys[1] then error(keys[1]) end`, []],
    [`local pairs = ipairs ${keys('{ "b", "a" }').replace(':find("weight")', '')} ${KEY} = "1"`, []],
  ])('%j has %j', (lines, findings) => {
    expect(found(lines).filter((text) => /order|crash/.test(text))).toEqual(findings);
  });

  it.each<[condition: string, step: string]>([
    ['obj.weight == "20" and not change', 'a step with traffic 20%'],
    [
      'obj.matches and #obj.matches[1].headers == 1 and not obj.matches[1].path',
      'a step with a match on header x-user: u1',
    ],
    [
      'obj.matches and obj.matches[1].headers and #obj.matches[1].headers == 2',
      'a step with a match on header x-user: u1 and header user-agent: pc',
    ],
    [
      'obj.matches and obj.matches[1].path and obj.matches[1].headers and obj.matches[1].queryParams',
      'a step with a match on header x-user: u1 and path /v2 and query parameter v: 2',
    ],
    [
      'change and change.set and change.set[1].name == "x-canary" and change.set[1].value == "yes" and change.remove and change.remove[1] == "x-internal"',
      'a step with traffic 20% and a requestHeaderModifier with set and remove only',
    ],
  ])('is tried in the step if %s', (condition, step) => {
    const guarded = condition.replace(
      '#obj.matches[1].headers == 1',
      'obj.matches[1].headers and #obj.matches[1].headers == 1',
    );
    expect(inStep(guarded)).toEqual([dependent('2:26', step)]);
  });

  it('is not tried in other steps', () => {
    expect(inStep('obj.weight == "40"')).toEqual([]);
    expect(inStep('obj.matches and #obj.matches > 1')).toEqual([]);
  });

  it('is tried on two objects', () => {
    const source = (index: number) => {
      const orders = ['"501"', '"502"', 'nil'];
      return `local a = obj.annotations or {}
if (obj.matches and #obj.matches > 0) or obj.requestHeaderModifier then error("by weight only") end
local keys = {}
for k in pairs(a) do if not k:find("demo") then table.insert(keys, k) end end
local map = {} for k in pairs(json.decode("{\\"a\\":1,\\"b\\":2}")) do table.insert(map, k) end
a["demo.example.com/weight"] = obj.weight
if a["alb.ingress.kubernetes.io/order"] == ${orders[index]} then a["demo.example.com/n"] = map[1] end
return a`;
    };
    const target = { provider: 'ingress', classType: 'aliyun-alb' } as const;
    const orders = [0, 1, 2].map((index) =>
      shown(checkScript({ source: source(index), target }).filter(({ rule }) => rule.includes('dependent'))),
    );
    expect(orders).toEqual([
      [dependent('4:10', 'a step with traffic 20%', 'an Ingress of order 501')],
      [dependent('4:10', 'a step with traffic 20%', 'an Ingress of order 502')],
      [],
    ]);
  });
});

describe('the value of a header', () => {
  const script = (write: string) => `local a = obj.annotations or {}
a.w, a.h = nil, nil
if obj.requestHeaderModifier then error("no") end
local matches = obj.matches or {}
if #matches == 0 then a.w = obj.weight return a end
if #matches > 1 or obj.weight ~= "-1" then error("one match") end
local m = matches[1]
if m.path or m.queryParams or not m.headers or #m.headers ~= 1 then error("one header") end
local h = m.headers[1] if h.name == "" then error("empty") end
${write}
return a`;
  const written = (name: string, value: string) => script(`a.h = ${name} .. "|" .. h.type .. "|" .. (${value})`);
  const messages = (source: string) => shown(checkScript({ source, target: demo }));
  const RENAMED = (at: string) =>
    `lua-header-renamed ${at}: the script writes the same result for the headers x-cookie-consent and cookie`;
  const SPLIT = (at: string) =>
    `lua-header-value-split ${at}: the script does not write the value "one;two" of the header user-agent as one value`;

  it.each<[value: string, findings: readonly string[]]>([
    ['h.value', []],
    ['h.value:gsub(";", "%%3B")', []],
    ['h.value:gsub(";", "12345")', []],
    ['h.value:gsub(";", "123456")', [SPLIT('10:42')]],
    ['h.value:gsub(";", "")', [SPLIT('10:42')]],
    ['h.value:gsub(";", ",")', [SPLIT('10:42')]],
    ['h.value:gsub(";", "\\"")', [SPLIT('10:42')]],
    ['h.value:match("^[^;]*")', [SPLIT('10:42')]],
    ['h.value:gsub("%-", "")', []],
    ['h.value:find(";") and error("no") or h.value', []],
  ])('%s has %j', (value, findings) => {
    expect(messages(written('h.name', value))).toEqual(findings);
  });

  it('is looked for where headers are read, if values are not', () => {
    const source = script('local text = h["val" .. "ue"]\na.h = h.name .. h.type .. text:gsub(";", "")');
    expect(messages(source)).toEqual([SPLIT('8:35')]);
  });

  it.each<[name: string, findings: readonly string[]]>([
    ['h.name', []],
    ['(h.name:find("cookie") and "cookie" or h.name)', [RENAMED('10:20')]],
    ['(h.name == "cookie" and "cookies" or h.name)', []],
    ['(h.name:find("cookie") and error("no") or h.name)', []],
    ['(h.name:find("x%-cookie") and error("no") or h.name)', []],
  ])('with the name %s has %j', (name, findings) => {
    expect(messages(written(name, 'h.value')).map((text) => text.replace(/10:\d+/, '10:20'))).toEqual(findings);
  });

  it('of a script that ignores all names has another finding', () => {
    expect(messages(written('"any"', 'h.value')).map((text) => text.split(' ')[0])).toEqual(['lua-header-ignored']);
  });
});
