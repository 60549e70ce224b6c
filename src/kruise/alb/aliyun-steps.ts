/** Checks the steps of a Rollout on an ALB of Alibaba Cloud. */
import type { Finding } from '../../core/finding';
import type { Path } from '../../core/path';
import { defineRules } from '../../core/rule';
import type { HttpHeaderMatch, HttpRouteMatch } from '../api';
import { readStrategy, routesTraffic } from '../routing';
import type { RolloutSubject, StepSubject } from '../subject';
import type { AlbCheck, AlbRoute } from './context';
import { aliyun, edit, yaml } from './examples';
import { sources } from './sources';

const MATCH_STEP = '{ matches: [{ headers: [{ name: user-agent, value: pc }] }], replicas';

/** Rules on what a canary Ingress can match. */
export const aliyunStepRules = defineRules({
  'kruise-aliyun-match': {
    severity: 'error',
    title: 'a canary Ingress cannot express the matches of a step',
    because:
      'the ALB matches one header with one exact value, and one cookie with the value always; the script of this library ' +
      'stops the release instead of ignoring a part of a match. The built-in script ignores it, or fails where a match has no header',
    fix: 'match one header with type Exact, or one cookie as <name>=always, or use one match for each; put alternatives into separate steps',
    basis: 'documented',
    rehearsedAs: ['rehearsal-controller-stuck'],
    sources: [sources.aliyunIngress, sources.aliyunScript],
    failing: yaml(...aliyun('[{ headers: [{ type: RegularExpression, name: user-agent, value: "pc|mobile" }] }]')),
    corrected: yaml(...aliyun()),
  },

  'kruise-aliyun-traffic-beside-matches': {
    severity: 'error',
    title: 'a step has both traffic and matches',
    because:
      'an Ingress of the ALB must not have a weight together with a header or a cookie; the script of this library leaves ' +
      'out the weight, because matches take precedence, and the built-in script writes both',
    fix: 'split it into two steps, one with matches and one with traffic',
    basis: 'documented',
    sources: [sources.aliyunIngress, sources.api],
    failing: yaml(
      edit(aliyun()[0]!, [MATCH_STEP, MATCH_STEP.replace('replicas', 'traffic: 10%, replicas')]),
      ...aliyun().slice(1),
    ),
    corrected: yaml(...aliyun()),
  },
});

/** Checks the steps of every Rollout with a canary Ingress. */
export function checkAliyunSteps(check: AlbCheck, routes: readonly AlbRoute[]): Finding[] {
  return routes.flatMap(({ rollout, route }) => {
    const { kind } = check.scriptOf(route);
    // Only the rehearsal knows what another script does with a step.
    if (kind === 'other') return [];
    return (rollout?.steps ?? []).flatMap((step) => stepFindings(check, rollout!, step, kind === 'builtin'));
  });
}

function stepFindings(
  { rollouts: { version } }: AlbCheck,
  { manifest, v1alpha1 }: RolloutSubject,
  step: StepSubject,
  isBuiltin: boolean,
): Finding[] {
  const strategy = readStrategy(step.object, { version, v1alpha1 });
  if (!routesTraffic(strategy)) return [];
  const { matches = [], traffic, requestHeaderModifier } = strategy;
  const found: Found = (rule, message, path) => [
    manifest.finding(aliyunStepRules[rule], {
      message: `steps[${step.index}] ${message}`,
      path: [...step.path, ...path],
      step: step.index,
    }),
  ];
  const weight = v1alpha1 ? 'weight' : 'traffic';
  return [
    ...(traffic !== undefined && matches.length > 0
      ? found(
          'kruise-aliyun-traffic-beside-matches',
          isBuiltin
            ? `has matches and traffic ${traffic}, and the built-in script writes both`
            : `has matches, so its traffic ${traffic} is not applied`,
          [weight],
        )
      : []),
    ...(requestHeaderModifier === undefined
      ? []
      : found('kruise-aliyun-match', 'changes headers of requests, which the ALB does not support', [
          'requestHeaderModifier',
        ])),
    ...matches.flatMap((match, index) => matchFindings(match, ['matches', index], found, isBuiltin)),
    ...several(matches, found, isBuiltin),
  ];
}

type Found = (rule: keyof typeof aliyunStepRules, message: string, path: Path) => Finding[];

function matchFindings(match: HttpRouteMatch, at: Path, found: Found, isBuiltin: boolean): Finding[] {
  const { path, headers = [], queryParams = [] } = match;
  const number = `match ${Number(at[1]) + 1}`;
  const narrows = path !== undefined && !(path.value === '/' && path.type === 'PathPrefix');
  return [
    ...(narrows ? found('kruise-aliyun-match', `matches the path "${path.value}"`, [...at, 'path']) : []),
    ...(queryParams.length > 0
      ? found('kruise-aliyun-match', `matches the query parameter "${queryParams[0]!.name}"`, [...at, 'queryParams'])
      : []),
    ...(headers.length > 1
      ? found('kruise-aliyun-match', `has a ${number} with ${headers.length} headers; the ALB matches one`, [
          ...at,
          'headers',
        ])
      : []),
    ...(headers.length === 0 && queryParams.length === 0 && !narrows
      ? found('kruise-aliyun-match', `has a ${number} without a condition`, at)
      : []),
    ...headers.flatMap((header, index) => headerFindings(header, [...at, 'headers', index], found, isBuiltin)),
  ];
}

function headerFindings({ type, name, value }: HttpHeaderMatch, at: Path, found: Found, isBuiltin: boolean): Finding[] {
  if (type === 'RegularExpression')
    return found('kruise-aliyun-match', `matches the header "${name}" by a regular expression`, at);
  const lower = name.toLowerCase();
  if (lower === 'host') return found('kruise-aliyun-match', 'matches the header Host', at);
  return !isBuiltin && lower === 'cookie' && !/^[^=;]+=always$/.test(value)
    ? found('kruise-aliyun-match', `matches the cookie "${value}"; the ALB matches only the value always`, at)
    : [];
}

/** The built-in script knows one name for a cookie, and sends a header Cookie as any other header. */
function isCookie({ headers = [] }: HttpRouteMatch, isBuiltin: boolean): boolean {
  const name = headers[0]?.name ?? '';
  return isBuiltin ? name === 'canary-by-cookie' : ['cookie', 'canary-by-cookie'].includes(name.toLowerCase());
}

function several(matches: readonly HttpRouteMatch[], found: Found, isBuiltin: boolean): Finding[] {
  const withHeader = matches.filter(({ headers = [] }) => headers.length > 0);
  const cookies = withHeader.filter((match) => isCookie(match, isBuiltin)).length;
  return [
    ...(withHeader.length - cookies > 1
      ? found(
          'kruise-aliyun-match',
          `has ${withHeader.length - cookies} matches on headers; the ALB matches one header with one value`,
          ['matches'],
        )
      : []),
    ...(cookies > 1
      ? found('kruise-aliyun-match', `has ${cookies} matches on cookies; the ALB matches one`, ['matches'])
      : []),
  ];
}
