/** What the checks of annotations for an ALB say, word for word, and the near misses where they say nothing. */
import { describe, expect, it } from 'vitest';
import { checkScript, type ScriptToCheck } from '../../../../src/kruise/scripts/checks';
import type { ScriptTarget } from '../../../../src/kruise/scripts/library';
import { ingress, read, rollout } from '../cases';

const AWS: ScriptTarget = { provider: 'ingress', classType: 'aws-alb' };
const IN_PLACE: ScriptTarget = { provider: 'custom', kind: 'Ingress', group: 'networking.k8s.io' };
const STICKY = 'targetGroupStickinessConfig = { enabled = true, durationSeconds = 600 }';

/** A script that writes an action for the canary, and conditions for headers and query parameters. */
const SCRIPT = `local P = "alb.ingress.kubernetes.io/"
local a = obj.annotations or {}
local canary, stable, weight = obj.canaryService, "web", tonumber(obj.weight)
local conditions = json.decode(a[P .. "conditions." .. stable] or "[]")
local function add(key, form, value)
  table.insert(conditions, { field = "x", [key] = { [form] = { value } } })
end
local matches = obj.matches or {}
if #matches > 0 then weight = 100 end
for _, match in ipairs(matches) do
  for _, header in ipairs(match.headers or {}) do
    add("httpHeaderConfig", "regexValues", header.value) -- header
  end
  for _, query in ipairs(match.queryParams or {}) do
    add("queryStringConfig", "regexValues", { key = query.name, value = query.value }) -- query
  end
end
local groups = {
  { serviceName = canary, servicePort = 1, weight = weight },
  { serviceName = stable, servicePort = 1, weight = 100 - weight },
}
local action = { type = "forward", forwardConfig = { targetGroups = groups, ${STICKY} } }
if canary ~= stable then
  a[P .. "actions." .. canary] = json.encode(action)
  a[P .. "conditions." .. canary] = json.encode(conditions)
  a[P .. "transforms." .. canary] = a[P .. "transforms." .. stable]
end
a[P .. "group.order"] = "9"
return a
`;
function changed(...changes: readonly (readonly [part: string, by: string])[]): string {
  return changes.reduce((source, [part, by]) => {
    expect(source).toContain(part);
    return source.replace(part, () => by);
  }, SCRIPT);
}
/** The same for a script that edits the Ingress itself. */
const inPlace = (source: string) =>
  source
    .replace('obj.annotations', 'obj.data.annotations')
    .replace('return a\n', 'obj.data.annotations = a\nreturn obj.data\n')
    .replaceAll('obj.weight', 'obj.canaryWeight');
const HEADER = 'add("httpHeaderConfig", "regexValues", header.value) -- header';
const QUERY = 'add("queryStringConfig", "regexValues", { key = query.name, value = query.value }) -- query';
const lineOf = (source: string, part: string) => source.split('\n').findIndex((line) => line.includes(part)) + 1;

function found(source: string, target: ScriptTarget = AWS, more: Partial<ScriptToCheck> = {}) {
  return checkScript({ source, target, ...more })
    .filter(({ rule }) => /^lua-(alb|aliyun)-/.test(rule))
    .map(({ rule, message, source: place }) => `${rule} ${place?.line}: ${message}`);
}

describe('a script that keeps to the rules of an ALB', () => {
  it('has no finding', () => {
    expect(found(SCRIPT)).toEqual([]);
    expect(found(inPlace(SCRIPT), IN_PLACE)).toEqual([]);
  });

  it('is checked in an Ingress that it edits itself', () => {
    const globs = inPlace(changed([HEADER, 'add("c", "values", header.value)']));
    expect(found(globs, IN_PLACE).map((text) => text.split(':')[0])).toEqual([
      'lua-alb-regex-as-glob 12',
      'lua-alb-wildcard-unescaped 12',
      'lua-alb-cookie-whole-header 30',
    ]);
    const idle = inPlace(
      changed(['a[P .. "actions." .. canary] = json', 'a[P .. "actions." .. canary] = weight > 0 and json']),
    );
    expect(found(idle, IN_PLACE)).toEqual([]);
  });
});

describe('a regular expression', () => {
  const glob = (line: number, step: string, value: string) =>
    `lua-alb-regex-as-glob ${line}: the script writes the regular expression of a step with a match on ${step} to values, as ${value}`;
  const header = (text: string) => changed([HEADER, text]);
  const query = (text: string) => changed([QUERY, text]);
  const EXPRESSION = 'if header.type == "RegularExpression" then';
  const REGEX = `else ${HEADER.replace(' -- header', '')} end`;

  it.each<[what: string, source: string, findings: readonly string[]]>([
    [
      'of a header as it is',
      header(`${EXPRESSION} add("httpHeaderConfig", "values", header.value) ${REGEX}`),
      [glob(12, 'header x-user (expression ^(user-[0-9]+)$)', '^(user-[0-9]+)$')],
    ],
    [
      'of a header between wildcards',
      header(`${EXPRESSION} add("httpHeaderConfig", "values", "*" .. header.value .. "*") ${REGEX}`),
      [glob(12, 'header x-user (expression ^(user-[0-9]+)$)', '*^(user-[0-9]+)$*')],
    ],
    [
      'of a cookie only',
      header(
        `if header.name == "cookie" and header.type == "RegularExpression" then add("c", "values", header.value) ${REGEX}`,
      ),
      [glob(12, 'header cookie (expression ^(user-[0-9]+)$)', '^(user-[0-9]+)$')],
    ],
    [
      'of a query parameter',
      query('if query.type == "RegularExpression" then add("q", "values", query.value) end'),
      [glob(15, 'query parameter user (expression ^(user-[0-9]+)$)', '^(user-[0-9]+)$')],
    ],
    [
      'of a query parameter with its key',
      query(
        'if query.type == "RegularExpression" then add("q", "values", { key = query.name, value = query.value }) end',
      ),
      [glob(15, 'query parameter user (expression ^(user-[0-9]+)$)', '^(user-[0-9]+)$')],
    ],
    ['that is cut', header(`${EXPRESSION} add("c", "values", "user-") ${REGEX}`), []],
    ['in another form', header('add("httpHeaderConfig", "regex", header.value)'), []],
    ['outside of a condition', changed(['return a', 'a["values"] = json.encode(matches)\nreturn a']), []],
    [
      'in a condition of another controller',
      changed([HEADER, 'table.insert(conditions, { type = "x", config = { values = { header.value } } })']),
      [],
    ],
    ['that is refused', header(`${EXPRESSION} error("no") ${REGEX}`), []],
  ])('%s', (_, source, findings) => {
    expect(found(source)).toEqual(findings);
  });

  it('that the script makes of a cookie', () => {
    const cookie = (text: string) =>
      found(header(`if header.type == "Exact" and header.name == "cookie" then ${text} ${REGEX}`));
    expect(cookie('add("c", "values", header.value .. "=.*")')).toEqual([
      'lua-alb-regex-as-glob 12: the script writes the cookie grey to values, as the regular expression grey=.*',
    ]);
    expect(cookie('add("c", "values", header.value .. "=*")')).toEqual([]);
    expect(cookie('add("c", "regexValues", header.value .. "=.*")')).toEqual([]);
  });

  it('is shown once, with the place of the values', () => {
    const source = header('add("c", "values", header.value == "grey" and "grey=.*" or header.value)');
    expect(found(source).filter((text) => text.startsWith('lua-alb-regex'))).toEqual([
      glob(12, 'header x-user (expression ^(user-[0-9]+)$)', '^(user-[0-9]+)$'),
    ]);
  });
});

describe('a wildcard', () => {
  const wildcard = (line: number, step: string) =>
    `lua-alb-wildcard-unescaped ${line}: the script writes the exact value of a step with a match on ${step}: a*b?c unchanged to values`;
  const EXACT = (more: string) =>
    `if header.type == "Exact" and ${more} then add("c", "values", header.value) else ${HEADER.replace(' -- header', '')} end`;

  it.each<[what: string, source: string, findings: readonly string[]]>([
    ['of a header', changed([HEADER, EXACT('header.name == "x-user"')]), [wildcard(12, 'header x-user')]],
    [
      'of a query parameter',
      changed([
        QUERY,
        'if query.type == "Exact" then add("q", "values", { key = query.name, value = query.value }) end',
      ]),
      [wildcard(15, 'query parameter user')],
    ],
    ['of another header', changed([HEADER, EXACT('header.name == "x-other"')]), []],
    [
      'that is escaped',
      changed([
        HEADER,
        EXACT('header.name == "x-user"').replace('header.value)', '(header.value:gsub("[*?]", "\\\\%0")))'),
      ]),
      [],
    ],
    [
      'in a longer value',
      changed([HEADER, EXACT('header.name == "x-user"').replace('header.value)', '"x" .. header.value)')]),
      [],
    ],
    ['that is refused', changed([HEADER, `if string.find(header.value, "[*?]") then error("no") end ${HEADER}`]), []],
  ])('%s', (_, source, findings) => {
    expect(found(source)).toEqual(findings);
  });
});

describe('a cookie', () => {
  const cookie = (text: string) =>
    found(
      changed([
        HEADER,
        `if header.name == "cookie" and header.type == "Exact" then ${text} else ${HEADER.replace(' -- header', '')} end`,
      ]),
    );

  it('that is the whole header', () => {
    expect(cookie('add("c", "values", header.value)')).toEqual([
      'lua-alb-cookie-whole-header 12: the script writes the cookie grey=always to values, as the whole Cookie header',
    ]);
    expect(cookie('add("c", "values", "*" .. header.value .. "*")')).toEqual([]);
    expect(cookie('add("c", "regexValues", header.value)')).toEqual([]);
    expect(cookie('error("no")')).toEqual([]);
  });
});

describe('a target group', () => {
  const dropped = (name: string, groups: number, step: string) =>
    `lua-alb-target-group-dropped ${lineOf(SCRIPT, 'targetGroups')}: action ${name} has 2 target groups in a step with traffic 20% and ${groups} in ${step}`;
  const only = (condition: string, groups = '{ groups[1] }') =>
    changed(['local action =', `if ${condition} then groups = ${groups} end local action =`]);

  it.each<[condition: string, groups: string, findings: readonly string[]]>([
    ['obj.weight == "100"', '{ groups[1] }', [dropped('web-canary', 1, 'a step with traffic 100%')]],
    ['obj.weight == "100"', 'nil', [dropped('web-canary', 0, 'a step with traffic 100%')]],
    ['obj.weight == "100"', '{ "a", "b" }', [dropped('web-canary', 0, 'a step with traffic 100%')]],
    ['weight == 100', '{ groups[1] }', [dropped('web-canary', 1, 'a step with traffic 100%')]],
    ['#matches > 0', '{ groups[1] }', [dropped('web-canary', 1, 'a step with a match on header x-user: u1')]],
    ['obj.weight == "100"', '{ groups[1], groups[2], groups[1] }', []],
    ['obj.weight == "0"', '{ groups[1] }', []],
    ['obj.weight == "20"', '{ groups[1] }', []],
    ['weight > 0', '{ groups[1] }', []],
  ])('that is missing if %s: %s', (condition, groups, findings) => {
    expect(found(only(condition, groups))).toEqual(findings);
  });

  it('of an action with dots in its name', () => {
    const source = changed(
      [
        'a[P .. "actions." .. canary]',
        'a[P .. "actions." .. "a.b"] = a[P .. "none"] a[P .. "actions." .. canary .. ".v1"]',
      ],
      ['local action =', 'if obj.weight == "100" then groups = { groups[1] } end local action ='],
      ['a[P .. "conditions." .. canary]', 'a[P .. "conditions." .. canary .. ".v1"]'],
      ['a[P .. "transforms." .. canary]', 'a[P .. "transforms." .. canary .. ".v1"]'],
    );
    expect(found(source)).toEqual([dropped('web-canary.v1', 1, 'a step with traffic 100%')]);
  });

  it('of an action that another step lacks', () => {
    const source = changed(
      ['local action =', 'local name = obj.weight == "20" and "a" or "b" local action ='],
      [
        'a[P .. "actions." .. canary] =',
        'if weight > 0 then a[P .. "actions." .. name] = json.encode({ forwardConfig = { targetGroups = obj.weight == "20" and groups or {} } }) end a[P .. "actions." .. canary] =',
      ],
    );
    expect(found(source).filter((text) => text.includes('target-group'))).toEqual([]);
  });

  it.each([
    'alb.ingress.kubernetes.xx/actions.a',
    'alb.ingress.kubernetes.io/action.a',
    'alb.ingress.kubernetes.io/xactions.a',
  ])('of another annotation does not count: %s', (key) => {
    const write = `a["${key}"] = json.encode({ forwardConfig = { targetGroups = obj.weight == "20" and groups or {} } })`;
    expect(found(changed(['local action =', `${write} local action =`]))).toEqual([]);
  });

  it('of an action that is a list does not count', () => {
    const source = changed(['json.encode(action)', 'weight == 100 and "[]" or json.encode(action)']);
    expect(found(source).filter((text) => text.includes('target-group'))).toEqual([]);
  });

  it('of an action that is not JSON', () => {
    const source = changed(['json.encode(action)', 'weight == 100 and "{" or json.encode(action)']);
    expect(found(source).filter((text) => text.includes('target-group'))).toEqual([]);
  });
});

describe('a setting of the stable rule', () => {
  const lost = (line: number, what: string, step = 'a step with traffic 20%') =>
    `lua-alb-conditions-lost ${line}: action web-canary does not keep ${what} of the stable Service in ${step}`;
  const unsticky = (line: number, step = 'a step with traffic 20%') =>
    `lua-alb-stickiness-lost ${line}: action web-canary has no targetGroupStickinessConfig in ${step}, which the stable action has`;
  const CONDITIONS = 'a[P .. "conditions." .. canary] = json.encode(conditions)';
  const TRANSFORMS = 'a[P .. "transforms." .. canary] = a[P .. "transforms." .. stable]';
  const conditionsLine = lineOf(SCRIPT, 'local conditions');
  const actionsLine = lineOf(SCRIPT, '"actions."');

  it.each<[what: string, changes: readonly (readonly [string, string])[], findings: readonly string[]]>([
    ['conditions', [[CONDITIONS, '']], [lost(conditionsLine, 'conditions.web')]],
    ['transforms', [[TRANSFORMS, '']], [lost(conditionsLine, 'transforms.web')]],
    [
      'conditions and transforms',
      [
        [CONDITIONS, ''],
        [TRANSFORMS, ''],
      ],
      [lost(conditionsLine, 'conditions.web and transforms.web')],
    ],
    [
      'conditions with a match',
      [[CONDITIONS, `${CONDITIONS} if #matches > 0 then a[P .. "conditions." .. canary] = nil end`]],
      [lost(conditionsLine, 'conditions.web', 'a step with a match on header x-user: u1')],
    ],
    [
      'the source addresses',
      [[CONDITIONS, CONDITIONS.replace('(conditions)', '({ { field = "a" } })')]],
      [lost(conditionsLine, 'conditions.web')],
    ],
    ['stickiness', [[STICKY, '']], [unsticky(actionsLine)]],
    ['the seconds of stickiness', [['durationSeconds = 600', 'durationSeconds = 60']], [unsticky(actionsLine)]],
    [
      'stickiness with a match',
      [['forwardConfig = {', 'forwardConfig = #matches > 0 and { targetGroups = groups } or {']],
      [unsticky(actionsLine, 'a step with a match on header x-user: u1')],
    ],
    [
      'everything',
      [
        [CONDITIONS, ''],
        [TRANSFORMS, ''],
        [STICKY, ''],
      ],
      [lost(conditionsLine, 'conditions.web and transforms.web'), unsticky(actionsLine)],
    ],
  ])('is lost: %s', (_, changes, findings) => {
    expect(found(changed(...changes))).toEqual(findings);
  });

  it('is kept by an action that the stable Ingress has already', () => {
    const rest = [
      'json.encode(action)',
      'json.encode(action) a[P .. "actions." .. stable] = json.encode({ forwardConfig = {} })',
    ] as const;
    expect(found(changed(rest))).toEqual([]);
  });
});

describe('without a canary Service', () => {
  const same = (names: string) =>
    `lua-alb-same-service 3: without a canary Service, action web splits between ${names}`;
  const always = (groups: string) =>
    changed(['local action =', `groups = ${groups} local action =`], ['if canary ~= stable then', 'if true then']);

  it.each<[groups: string, findings: readonly string[]]>([
    ['groups', [same('web and web')]],
    ['{ groups[1], groups[2], { serviceName = "other" } }', [same('web and web and other')]],
    ['{ groups[1], { serviceName = "other" } }', []],
    ['{ groups[1] }', []],
    ['{}', []],
  ])('a split between %s has %j', (groups, findings) => {
    expect(found(always(groups)).filter((text) => text.includes('same-service'))).toEqual(findings);
  });
});

describe('the order of the canary Ingress', () => {
  const order = (value: string) => changed(['a[P .. "group.order"] = "9"', `a[P .. "group.order"] = ${value}`]);
  const never = (canary: string, stable = '10') =>
    `lua-alb-canary-never-wins ${lineOf(SCRIPT, 'group.order')}: group.order of the canary Ingress is ${canary}, that of the stable one ${stable}: no request reaches the canary`;

  it.each<[value: string, findings: readonly string[]]>([
    ['"9"', []],
    ['"-5"', []],
    ['nil', []],
    ['"10"', [never('10')]],
    ['"11"', [never('11')]],
    ['"x"', [never('x')]],
    ['a[P .. "group.order"]', [never('10')]],
  ])('that is %s has %j', (value, findings) => {
    expect(found(order(value))).toEqual(findings);
  });

  it('does not matter to a script without actions', () => {
    const source = changed(
      ['a[P .. "actions." .. canary] = json.encode(action)', 'a[P .. "actions." .. stable] = nil'],
      ['"9"', '"11"'],
    );
    expect(found(source)).toEqual([]);
  });

  it('is compared with that of the testdata too', () => {
    const testdata = (annotations: Record<string, string>) => [
      read({ rollout: rollout([{ traffic: '20%' }]), original: ingress(annotations) }, AWS).testdata!,
    ];
    const source = order('a[P .. "group.order"] and a[P .. "group.order"] ~= "0" and "9" or nil');
    const key = 'alb.ingress.kubernetes.io/group.order';
    expect(found(source, AWS, { testdata: testdata({ [key]: '0' }) })).toEqual([
      `lua-alb-canary-never-wins ${lineOf(SCRIPT, 'group.order')}: group.order of the canary Ingress is absent, that of the stable one 0: no request reaches the canary`,
    ]);
    expect(found(source, AWS, { testdata: testdata({ [key]: '1' }) }).length).toBe(1);
    expect(found(source, AWS, { testdata: testdata({ owner: 'me' }) })).toEqual([]);
  });

  it('does not matter to a script that edits the Ingress itself', () => {
    expect(found(inPlace(order('"11"')), IN_PLACE)).toEqual([]);
  });
});

describe('an action at weight 0', () => {
  const ACTION = 'a[P .. "actions." .. canary] = json.encode(action)';

  it('may not be missing', () => {
    const source = changed([ACTION, `${ACTION}\n  if weight == 0 then a[P .. "actions." .. canary] = nil end`]);
    expect(found(source)).toEqual([
      `lua-alb-idle-action-missing ${lineOf(source, '"actions."')}: action web-canary is missing when the controller creates the canary Ingress with weight 0`,
    ]);
  });

  it('may be missing if weights are refused', () => {
    const source = changed(
      [ACTION, `${ACTION}\n  if weight == 0 then a[P .. "actions." .. canary] = nil end`],
      ['local matches =', 'if obj.weight == "20" then error("no") end local matches ='],
    );
    expect(found(source)).toEqual([]);
  });

  it('is missing in the run that fails', () => {
    const source = changed(['local matches =', 'if obj.weight == "0" then error("no") end local matches =']);
    expect(found(source)).toEqual([]);
  });
});

describe('the order of a canary Ingress of Aliyun', () => {
  const ALIYUN: ScriptTarget = { provider: 'ingress', classType: 'aliyun-alb' };
  const ordered = (value: string) =>
    found(
      `local a = obj.annotations or {}
if (obj.matches and #obj.matches > 0) or obj.requestHeaderModifier then error("by weight only") end
a["alb.ingress.kubernetes.io/canary-weight"] = obj.weight
local own = a["rollout-constructs.io/canary-order"]
local stable = a["alb.ingress.kubernetes.io/order"]
a["alb.ingress.kubernetes.io/order"] = ${value}
return a`,
      ALIYUN,
    );
  const behind = (canary: string, stable: number) =>
    `lua-aliyun-order 5: order of the canary Ingress is ${canary}, that of the stable one ${stable}: no request reaches the canary`;
  const collide = (order: string) =>
    `lua-aliyun-order 5: every canary Ingress gets the order ${order}: two canaries on one ALB collide`;

  it.each<[value: string, findings: readonly string[]]>([
    ['own', []],
    ['own and tostring(500 - own)', []],
    ['"1"', [collide('1')]],
    ['"500"', [collide('500')]],
    ['"501"', [behind('501', 501)]],
    ['stable', [behind('501', 501)]],
    ['nil', [behind('absent', 501)]],
    ['own == "2" and "502" or own', [behind('502', 502)]],
    ['own == "2" and error("no") or "1"', []],
    ['own == "1" and error("no") or "1"', []],
    ['error("no")', []],
  ])('%s has %j', (value, findings) => {
    expect(ordered(value)).toEqual(findings);
  });

  it('is checked for its class only', () => {
    const source =
      'local a = obj.annotations or {} a.w = obj.weight a["alb.ingress.kubernetes.io/order"] = "1" return a';
    expect(found(source, ALIYUN)).toEqual([collide('1').replace(' 5:', ' 1:')]);
    expect(found(source, AWS)).toEqual([
      'lua-alb-canary-never-wins 1: group.order of the canary Ingress is 10, that of the stable one 10: no request reaches the canary',
    ]);
    expect(found(source, { provider: 'custom', kind: 'aliyun-alb', group: 'example.com' })).toEqual([]);
  });

  it('replaces the checks of the other ALB', () => {
    const source = changed(
      ['a[P .. "group.order"] = "9"', 'a[P .. "order"] = a["rollout-constructs.io/canary-order"]'],
      [STICKY, ''],
    );
    expect(found(source, ALIYUN)).toEqual([]);
  });
});
