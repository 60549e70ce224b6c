/** Checks what an AWS load balancer, and a canary Ingress on it, can match. */
import type { Finding } from '../../core/finding';
import type { Path } from '../../core/path';
import { defineRules } from '../../core/rule';
import type { HttpHeaderMatch, HttpRouteMatch } from '../api';
import { readStrategy } from '../routing';
import type { RolloutSubject, StepSubject } from '../subject';
import { type AlbCheck, type AlbChecker, type AlbRoute, awsRoutes } from './context';
import { cloned, edit, inPlace, yaml } from './examples';
import { sources } from './sources';

const PC = '{ name: user-agent, value: pc }';
const MATCH_STEP = '{ matches: [{ headers: [{ name: user-agent, value: pc }] }], replicas';

/** Rules on the matches of steps. */
export const awsStepRules = defineRules({
  'kruise-alb-match-empty': {
    severity: 'error',
    title: 'a match has no condition',
    because:
      'an action without conditions takes every request: all traffic would go to the canary in one step; the script ' +
      'refuses this, and the release stops',
    fix: 'add a header, a query parameter or a path; or use traffic: 100%',
    basis: 'run',
    rehearsedAs: ['rehearsal-controller-stuck'],
    sources: [sources.lbcRules, sources.ingress],
    failing: yaml(...inPlace('[{}]')),
    corrected: yaml(...inPlace()),
  },

  'kruise-alb-match-impossible': {
    severity: 'error',
    title: 'a step matches on something that an AWS load balancer cannot match',
    because:
      'the load balancer has no such condition, and the script stops the release instead of ignoring a part of the match',
    fix: 'match headers (exact, or by regular expression), cookies, exact query parameters, or a path (exact or prefix)',
    basis: 'documented',
    rehearsedAs: ['rehearsal-controller-stuck'],
    sources: [sources.awsConditions, sources.awsQuotas, sources.lbcConfig],
    failing: yaml(...inPlace('[{ queryParams: [{ type: RegularExpression, name: v, value: "[23]" }] }]')),
    corrected: yaml(...inPlace('[{ headers: [{ name: v, value: "2" }] }]')),
  },

  'kruise-alb-regex-version': {
    severity: 'error',
    title: 'a match needs regular expressions, which this load balancer controller does not support',
    because:
      'the script writes regexValues for regular expressions, for cookies, and for values with * or ?; a controller ' +
      'before v2.14.1 reads a condition without values, and applies no change of the whole group during the step',
    fix: 'update the AWS Load Balancer Controller to v2.14.1 or later, or match an exact header',
    basis: 'read',
    rehearsedAs: ['rehearsal-controller-stuck'],
    sources: [sources.lbcConfig, sources.lbcRules],
    failing: yaml(...inPlace('[{ headers: [{ name: cookie, value: beta=always }] }]')),
    corrected: yaml(...inPlace()),
  },

  'kruise-alb-match-shape': {
    severity: 'error',
    title: 'a canary Ingress cannot express the matches of a step',
    because:
      'all paths of the canary Ingress have one backend, and a backend has one list of conditions that must all hold: ' +
      'only the values of one header are alternatives, and a path in a match is an alternative to the path of the Ingress ' +
      'instead of narrowing it',
    fix: 'use customNetworkRefs with the Ingress, where every match gets its own rules; or use several exact values of one header',
    basis: 'run',
    rehearsedAs: ['rehearsal-controller-stuck'],
    sources: [sources.lbcRules, sources.ingress],
    failing: yaml(...cloned(`[{ headers: [${PC}] }, { headers: [{ name: x-canary, value: always }] }]`)),
    corrected: yaml(...inPlace(`[{ headers: [${PC}] }, { headers: [{ name: x-canary, value: always }] }]`)),
  },

  'kruise-alb-traffic-beside-matches': {
    severity: 'error',
    title: 'a step has both traffic and matches',
    because:
      'matches take precedence: the weight applies neither to the requests that match nor to the others; other load ' +
      'balancers apply it to one of the two, so the step is easy to misread',
    fix: 'split it into two steps, one with matches and one with traffic',
    basis: 'read',
    sources: [sources.api],
    failing: yaml(
      ...cloned().map((text, index) =>
        index === 0 ? edit(text, [MATCH_STEP, MATCH_STEP.replace('replicas', 'traffic: 10%, replicas')]) : text,
      ),
    ),
    corrected: yaml(...cloned()),
  },
});

/** Checks the steps of every Rollout on an AWS load balancer. */
export const checkAwsSteps: AlbChecker = (check) =>
  awsRoutes(check).flatMap((subject) =>
    (subject.rollout?.steps ?? []).flatMap((step) => stepFindings(check, subject, subject.rollout!, step)),
  );

function stepFindings(check: AlbCheck, subject: AlbRoute, rollout: RolloutSubject, step: StepSubject): Finding[] {
  const { version } = check.rollouts;
  const {
    matches = [],
    traffic,
    requestHeaderModifier,
  } = readStrategy(step.object, { version, v1alpha1: rollout.v1alpha1 });
  const at = (...rest: Path): Path => [...step.path, ...rest];
  const found: Found = (rule, message, path, fix, severity) => [
    rollout.manifest.finding(awsStepRules[rule], {
      message: `steps[${step.index}] ${message}`,
      path,
      step: step.index,
      ...(fix !== undefined && { fix }),
      ...(severity !== undefined && { severity }),
    }),
  ];
  const hasBoth = traffic !== undefined && matches.length > 0;
  const isClone = subject.mode === 'ingress';
  return [
    ...(hasBoth
      ? found(
          'kruise-alb-traffic-beside-matches',
          `has matches, so its traffic ${traffic} is not applied`,
          at(rollout.v1alpha1 ? 'weight' : 'traffic'),
          undefined,
          isClone ? 'error' : 'warning',
        )
      : []),
    ...(requestHeaderModifier === undefined
      ? []
      : found(
          'kruise-alb-match-impossible',
          'changes headers of requests, which an AWS load balancer does not do',
          at('requestHeaderModifier'),
          'remove requestHeaderModifier',
        )),
    ...matches.flatMap((match, index) =>
      matchFindings(match, at('matches', index), subject, check.aws.version.facts.regexValues, found),
    ),
    ...(isClone ? alternatives(matches, at('matches'), found) : []),
  ];
}

type Found = (
  rule: keyof typeof awsStepRules,
  message: string,
  path: Path,
  fix?: string,
  severity?: Finding['severity'],
) => Finding[];

function matchFindings(
  match: HttpRouteMatch,
  at: Path,
  { mode }: AlbRoute,
  regexValues: boolean,
  found: Found,
): Finding[] {
  const { path, headers = [], queryParams = [] } = match;
  const narrows = path !== undefined && !(path.value === '/' && path.type === 'PathPrefix');
  const number = `match ${Number(at.at(-1)) + 1}`;
  if (!narrows && headers.length + queryParams.length === 0) {
    return found('kruise-alb-match-empty', `has a ${number} without a condition`, at);
  }
  return [
    ...headers.flatMap((header, index) => headerFindings(header, [...at, 'headers', index], found)),
    ...(regexValues ? [] : headers.flatMap((header, index) => olderVersion(header, [...at, 'headers', index], found))),
    ...queryParams.flatMap(({ type, name, value }, index) => {
      const place: Path = [...at, 'queryParams', index];
      if (type === 'RegularExpression') {
        return found(
          'kruise-alb-match-impossible',
          `matches the query parameter "${name}" by a regular expression, which AWS does not support`,
          place,
          'match an exact value, or a header',
        );
      }
      return Math.max(name.length, value.length) > MAX_LENGTH
        ? found(
            'kruise-alb-match-impossible',
            `matches the query parameter "${name}", which is longer than ${MAX_LENGTH} characters`,
            place,
          )
        : [];
    }),
    ...(narrows ? pathFindings(path, [...at, 'path'], mode, found) : []),
    ...tooMany(match, narrows, at, found),
  ];
}

const MAX_LENGTH = 128;
const MAX_NAME = 40;
const TOKEN = /^[-!#$%&'+.^_`|~0-9A-Za-z]+$/;

function headerFindings({ type, name, value }: HttpHeaderMatch, at: Path, found: Found): Finding[] {
  const impossible = (message: string, fix: string) => found('kruise-alb-match-impossible', message, at, fix);
  const lower = name.toLowerCase();
  const isExact = type !== 'RegularExpression';
  if (lower === 'host')
    return impossible(
      'matches the header Host, which AWS cannot match as a header',
      'add a rule for the host to the Ingress',
    );
  if (lower === 'canary-by-cookie' && !isExact) {
    return impossible(
      'matches canary-by-cookie by a regular expression',
      'match the header cookie instead: canary-by-cookie holds the name of a cookie',
    );
  }
  if (lower === 'cookie' && isExact && !value.includes('=')) {
    return impossible(`matches the cookie "${value}" without a value`, 'write it as name=value');
  }
  if (name.length > MAX_NAME || !TOKEN.test(name)) {
    return impossible(
      `matches the header "${name}", which is not a valid header name for AWS`,
      `a name has at most ${MAX_NAME} letters, digits or -_.`,
    );
  }
  const text = testOf(lower, value, isExact);
  return text.length > MAX_LENGTH
    ? impossible(
        `matches the header "${name}" with a value of ${text.length} characters; AWS allows ${MAX_LENGTH}`,
        'shorten the value',
      )
    : [];
}

function olderVersion({ type, name, value }: HttpHeaderMatch, at: Path, found: Found): Finding[] {
  const isCookie = ['cookie', 'canary-by-cookie'].includes(name.toLowerCase());
  if (type !== 'RegularExpression' && !isCookie && !/[*?]/.test(value)) return [];
  return found('kruise-alb-regex-version', `matches the header "${name}" in a way that needs regexValues`, at);
}

/** The value that the scripts write: cookies, and values with wildcards, become regular expressions. */
function testOf(name: string, value: string, isExact: boolean): string {
  const escaped = value.replace(/[\\.+*?()[\]{}^$|]/g, '\\$&');
  if (name === 'cookie' && isExact) return `^(.*; ?)?${escaped}(;.*)?$`;
  if (name === 'canary-by-cookie') return `^(.*; ?)?${escaped}=always(;.*)?$`;
  if (!isExact) return `^(${value})$`;
  return /[*?]/.test(value) ? `^(${escaped})$` : value;
}

function pathFindings(
  { type, value = '/' }: NonNullable<HttpRouteMatch['path']>,
  at: Path,
  mode: AlbRoute['mode'],
  found: Found,
): Finding[] {
  if (mode === 'ingress') {
    return found('kruise-alb-match-shape', `matches the path "${value}", which a canary Ingress cannot narrow`, at);
  }
  if (type === 'RegularExpression') {
    return found(
      'kruise-alb-match-impossible',
      `matches the path "${value}" by a regular expression`,
      at,
      'use PathPrefix or Exact',
    );
  }
  return /[*?]/.test(value)
    ? found(
        'kruise-alb-match-impossible',
        `matches the path "${value}", but * and ? in it would be wildcards`,
        at,
        'use a path without * and ?',
      )
    : [];
}

/** The number of values that AWS allows in a rule. The path of the Ingress is always one of them. */
const MAX_VALUES = 5;

function tooMany(
  { headers = [], queryParams = [] }: HttpRouteMatch,
  narrows: boolean,
  at: Path,
  found: Found,
): Finding[] {
  const count = headers.length + queryParams.length + 1;
  if (count <= MAX_VALUES) return [];
  const path = narrows ? 'its path' : 'the path of the Ingress';
  return found(
    'kruise-alb-match-impossible',
    `has a match with ${count} values, including ${path}; AWS allows ${MAX_VALUES} in a rule`,
    at,
    'match on fewer headers and query parameters',
  );
}

/** The number of values of one condition. They are the only alternatives in a list of conditions. */
const MAX_ALTERNATIVES = 3;

function alternatives(matches: readonly HttpRouteMatch[], at: Path, found: Found): Finding[] {
  if (matches.length < 2) return [];
  const names = matches.map(({ headers = [], queryParams = [] }) => {
    if (headers.length + queryParams.length !== 1) return 'several';
    return headers.length === 1 ? `header ${headerName(headers[0]!.name)}` : 'query';
  });
  const [first] = names;
  if (first === 'several' || names.some((name) => name !== first)) {
    return found('kruise-alb-match-shape', 'has alternatives that differ in more than the value of one header', at);
  }
  return matches.length > MAX_ALTERNATIVES
    ? found(
        'kruise-alb-match-shape',
        `has ${matches.length} alternatives; AWS allows ${MAX_ALTERNATIVES} values in a condition`,
        at,
      )
    : [];
}

function headerName(name: string): string {
  const lower = name.toLowerCase();
  return lower === 'canary-by-cookie' ? 'cookie' : lower;
}
