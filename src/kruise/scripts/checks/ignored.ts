import type { Finding } from '../../../core/finding';
import { allRouters, RouteKinds } from '../../../routers';
import type { HttpHeaderFilter, HttpRouteMatch } from '../../api';
import { type ScriptTarget, scriptName } from '../library';
import type { ScriptRuleId } from '../rules';
import type { CheckedScript } from './checked-script';
import type { Stage } from './stage';
import {
  byHeader,
  byPath,
  byQuery,
  describeStep,
  header,
  isKnownTo,
  matching,
  pattern,
  type SampleStep,
  shapes,
  weight,
} from './step';
import { writtenText } from './trial';

/** Two steps that differ in one part. If the script writes the same result for both, it ignores that part. */
interface Difference {
  readonly rule: ScriptRuleId;
  /** The part that the script ignores if both results are the same. */
  readonly part: string;
  /** Don't report this part if the script ignores that larger part: a script that ignores the path ignores its type. */
  readonly within?: string;
  readonly one: SampleStep;
  readonly other: SampleStep;
}

/** The fields that a rule is about, to find the position of a finding. */
const readAt: Partial<Record<ScriptRuleId, readonly string[]>> = {
  'lua-weight-ignored': ['obj.weight', 'obj.canaryWeight'],
  'lua-header-ignored': ['obj.matches[].headers', 'obj.matches'],
  'lua-path-ignored': ['obj.matches[].path', 'obj.matches'],
  'lua-query-ignored': ['obj.matches[].queryParams', 'obj.matches'],
  'lua-alternative-ignored': ['obj.matches[]', 'obj.matches'],
  'lua-header-modifier-ignored': ['obj.requestHeaderModifier', 'obj.matches'],
};

const user = header('x-user', 'u1');
const agent = header('user-agent', 'pc');
const headers = (...list: readonly NonNullable<HttpRouteMatch['headers']>[number][]) => matching({ headers: list });
const query = (...list: readonly NonNullable<HttpRouteMatch['queryParams']>[number][]) =>
  matching({ queryParams: list });
const path = (type: 'Exact' | 'PathPrefix' | 'RegularExpression', value: string, other: HttpRouteMatch = {}) =>
  matching({ ...other, path: { type, value } });
const version = header('v', '2');

const set = [{ name: 'x-canary', value: 'yes' }];
const modifier: HttpHeaderFilter = { set, add: [{ name: 'x-version', value: '2' }], remove: ['x-internal'] };

function modifierDifferences(where: string, one: SampleStep): readonly Difference[] {
  const rule: ScriptRuleId = 'lua-header-modifier-ignored';
  const whole = `requestHeaderModifier ${where}`;
  return [
    { rule, part: whole, one, other: { ...one, requestHeaderModifier: modifier } },
    ...(['set', 'add', 'remove'] as const).map(
      (list): Difference => ({
        rule,
        part: `requestHeaderModifier.${list} ${where}`,
        within: whole,
        one,
        other: { ...one, requestHeaderModifier: { [list]: modifier[list] } },
      }),
    ),
  ];
}

const differences: readonly Difference[] = [
  { rule: 'lua-weight-ignored', part: 'the traffic of a step', one: weight(20), other: weight(40) },

  {
    rule: 'lua-header-ignored',
    part: 'the name of a header',
    one: headers(user),
    other: headers(header('x-team', 'u1')),
  },
  {
    rule: 'lua-header-ignored',
    part: 'the value of a header',
    one: headers(user),
    other: headers(header('x-user', 'u2')),
  },
  {
    rule: 'lua-header-ignored',
    part: 'the type of a header (Exact or RegularExpression)',
    one: headers(user),
    other: headers(pattern('x-user', 'u1')),
  },
  {
    rule: 'lua-header-ignored',
    part: 'the expression of a header',
    within: 'the value of a header',
    one: headers(pattern('x-user', 'u1.*')),
    other: headers(pattern('x-user', 'u2.*')),
  },
  {
    rule: 'lua-header-ignored',
    part: 'all headers of a match but the first',
    one: headers(user),
    other: headers(user, agent),
  },
  {
    rule: 'lua-header-ignored',
    part: 'all headers of a match but the last',
    one: headers(agent),
    other: headers(user, agent),
  },
  {
    rule: 'lua-header-ignored',
    part: 'headers in a match with a path',
    one: matching(byPath),
    other: matching({ ...byPath, ...byHeader }),
  },
  {
    rule: 'lua-header-ignored',
    part: 'headers in a match with a query parameter',
    one: matching(byQuery),
    other: matching({ ...byQuery, ...byHeader }),
  },

  {
    rule: 'lua-alternative-ignored',
    part: 'all matches but the first',
    one: headers(user),
    other: matching({ headers: [user] }, { headers: [agent] }),
  },
  {
    rule: 'lua-alternative-ignored',
    part: 'all matches but the last',
    one: headers(agent),
    other: matching({ headers: [user] }, { headers: [agent] }),
  },
  {
    rule: 'lua-alternative-ignored',
    part: 'all values of one header but the first',
    within: 'all matches but the first',
    one: headers(user),
    other: matching({ headers: [user] }, { headers: [header('x-user', 'u2')] }),
  },
  {
    rule: 'lua-alternative-ignored',
    part: 'all values of one header but the last',
    within: 'all matches but the last',
    one: headers(header('x-user', 'u2')),
    other: matching({ headers: [user] }, { headers: [header('x-user', 'u2')] }),
  },

  {
    rule: 'lua-path-ignored',
    part: 'the path of a match',
    one: path('PathPrefix', '/v2'),
    other: path('PathPrefix', '/v3'),
  },
  {
    rule: 'lua-path-ignored',
    part: 'the path in a match with a header',
    within: 'the path of a match',
    one: matching(byHeader),
    other: matching({ ...byHeader, ...byPath }),
  },
  {
    rule: 'lua-path-ignored',
    part: 'the path in a match with a query parameter',
    within: 'the path of a match',
    one: matching(byQuery),
    other: matching({ ...byQuery, ...byPath }),
  },
  ...[{}, byHeader].flatMap((other): readonly Difference[] => [
    {
      rule: 'lua-path-ignored',
      part: 'whether a path is Exact or PathPrefix',
      within: 'the path of a match',
      one: path('PathPrefix', '/v2', other),
      other: path('Exact', '/v2', other),
    },
    {
      rule: 'lua-path-ignored',
      part: 'whether a path is Exact or RegularExpression',
      within: 'the path of a match',
      one: path('RegularExpression', '/v2', other),
      other: path('Exact', '/v2', other),
    },
  ]),

  {
    rule: 'lua-query-ignored',
    part: 'the query parameters of a match',
    one: query(version),
    other: query(header('v', '3')),
  },
  {
    rule: 'lua-query-ignored',
    part: 'query parameters in a match with a header',
    within: 'the query parameters of a match',
    one: matching(byHeader),
    other: matching({ ...byHeader, ...byQuery }),
  },
  {
    rule: 'lua-query-ignored',
    part: 'query parameters in a match with a path',
    within: 'the query parameters of a match',
    one: matching(byPath),
    other: matching({ ...byPath, ...byQuery }),
  },
  {
    rule: 'lua-query-ignored',
    part: 'the name of a query parameter',
    within: 'the query parameters of a match',
    one: query(version),
    other: query(header('version', '2')),
  },
  {
    rule: 'lua-query-ignored',
    part: 'the type of a query parameter (Exact or RegularExpression)',
    within: 'the query parameters of a match',
    one: query(version),
    other: query(pattern('v', '2')),
  },
  {
    rule: 'lua-query-ignored',
    part: 'all query parameters of a match but the first',
    within: 'the query parameters of a match',
    one: query(version),
    other: query(version, header('beta', 'yes')),
  },
  {
    rule: 'lua-query-ignored',
    part: 'all query parameters of a match but the last',
    within: 'the query parameters of a match',
    one: query(header('beta', 'yes')),
    other: query(version, header('beta', 'yes')),
  },

  ...modifierDifferences('in a step with traffic', weight(20)),
  ...modifierDifferences('in a step with matches', matching(byHeader)),
];

/** Reports parts of a step that a script ignores, by playing steps that differ in one part. */
export function* ignoredParts(script: CheckedScript): Iterable<Finding> {
  const { facts } = script.version;
  const known = differences.filter(
    ({ one, other }) =>
      isKnownTo(facts, script.target.provider, one) && isKnownTo(facts, script.target.provider, other),
  );
  const ignored = new Map<ScriptRuleId, Map<string, Stage>>();
  for (const stage of script.stages.filter((one) => dependsOnStep(script, one))) {
    for (const difference of known) {
      if (!isIgnored(script, stage, difference)) continue;
      const parts = ignored.get(difference.rule) ?? new Map<string, Stage>();
      ignored.set(difference.rule, parts);
      if (!parts.has(difference.part)) parts.set(difference.part, stage);
    }
  }
  for (const [rule, parts] of ignored) yield findingFor(script, rule, parts);
}

function findingFor(script: CheckedScript, rule: ScriptRuleId, parts: ReadonlyMap<string, Stage>): Finding {
  const within = new Map(differences.map((difference) => [difference.part, difference.within]));
  const reported = [...parts.keys()].filter((part) => !parts.has(within.get(part) ?? ''));
  const [, stage] = [...parts][0]!;
  // The first stage is the plain one and needs no mention.
  const where = stage === script.stages[0] ? '' : ` on ${stage.name}`;
  return script.finding(
    rule,
    script.firstRead(...(readAt[rule] ?? [])),
    `the script ignores ${reported.join(', ')}${where}`,
  );
}

function isIgnored(script: CheckedScript, stage: Stage, { one, other }: Difference): boolean {
  const first = writtenText(script.trial.play(stage, one));
  const second = writtenText(script.trial.play(stage, other));
  return first !== undefined && first === second && !isWidened(script, stage, one);
}

/** Whether a step gives the same result as one with all traffic, which another rule reports. */
function isWidened(script: CheckedScript, stage: Stage, step: SampleStep): boolean {
  if (!step.matches) return false;
  const all = writtenText(script.trial.play(stage, weight(100)));
  return all !== undefined && all === writtenText(script.trial.play(stage, step));
}

/** Whether the result depends on the step; skips objects that the script does not need to change. */
function dependsOnStep(script: CheckedScript, stage: Stage): boolean {
  const texts = new Set(shapes.map((step) => writtenText(script.trial.play(stage, step))));
  texts.delete(undefined);
  return texts.size > 1;
}

/** Reports a script that writes the same result for every step. */
export function* ignoredSteps(script: CheckedScript): Iterable<Finding> {
  if (isDeclaration(script.target)) return;
  const stages = script.stages.filter(({ routes }) => routes);
  const written = stages.filter((stage) => writtenText(script.trial.play(stage, weight(20))) !== undefined);
  if (written.length === 0 || written.some((stage) => dependsOnStep(script, stage))) return;
  const place = script.firstRead('obj.weight', 'obj.canaryWeight', 'obj.matches');
  yield script.finding('lua-step-ignored', place, 'the script writes the same for every weight and every match');
}

/** For a kind that other objects route to, and that holds no routes. */
function isDeclaration(target: ScriptTarget): boolean {
  return new RouteKinds(allRouters()).of(scriptName(target)).some((kind) => kind.isDeclaration);
}

const narrow: readonly (readonly [string, SampleStep])[] = [
  ['a path', matching(byPath)],
  ['a query parameter', matching(byQuery)],
  ['a header', matching(byHeader)],
];

/** Reports matches that become a rule without conditions. */
export function* widenedMatches(script: CheckedScript): Iterable<Finding> {
  const widened = narrow.filter(
    ([, step]) =>
      isKnownTo(script.version.facts, script.target.provider, step) &&
      script.stages.some((stage) => dependsOnStep(script, stage) && isWidened(script, stage, step)),
  );
  if (widened.length === 0) return;
  const what = widened.map(([part]) => part).join(' or ');
  const message = `for a match with only ${what}, the script writes the same result as for traffic 100%`;
  yield script.finding('lua-match-widened', script.firstRead('obj.matches[]', 'obj.matches'), message);
}

/** Reports a script that uses the weight of a step with matches, although the API gives matches precedence. */
export function* weightsBesideMatches(script: CheckedScript): Iterable<Finding> {
  for (const stage of script.stages) {
    const alone = writtenText(script.trial.play(stage, matching(byHeader)));
    const withWeight = writtenText(script.trial.play(stage, { ...matching(byHeader), ...weight(20) }));
    if (alone === undefined || withWeight === undefined || alone === withWeight) continue;
    const place = script.firstRead('obj.weight', 'obj.canaryWeight');
    const message = `${describeStep({ ...weight(20), ...matching(byHeader) })} gives a different result than the match alone`;
    yield script.finding('lua-weight-beside-matches', place, message);
    return;
  }
}
