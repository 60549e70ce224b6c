import { remembered } from '../../core/remembered';
import { parseCidr } from '../ip-address';
import type { HttpRequest } from '../router';
import { Shortlist } from '../shortlist';
import type {
  Action,
  AlbListener,
  Condition,
  HeaderCondition,
  ListenerRule,
  QueryCondition,
  TextCondition,
} from './model';
import { type PatternOptions, regexPattern, type TextPattern, wildcardPattern } from './pattern';

/** The result of matching a request. */
export interface Match {
  /** Undefined if no rule matches; the action is then the listener's default. */
  readonly rule: ListenerRule | undefined;
  readonly action: Action;
}

/**
 * Finds the first rule with conditions that all match the request. Follows the AWS documentation; not verified on a
 * real load balancer.
 */
export function matchRequest(listener: AlbListener, request: HttpRequest): Match {
  const rule = rulesByHost(listener)
    .of(request.host.toLowerCase())
    .find(({ conditions }) => testOfAll(conditions)(request));
  const actions = rule === undefined ? listener.defaultActions : rule.actions;
  return { rule, action: actions.at(-1)! };
}

/** Most rules of a shared load balancer are for other hosts. */
const rulesByHost = remembered(
  ({ rules }: AlbListener) => new Shortlist(rules, ({ conditions }) => onlyHost(conditions)),
);

/** The one host that a rule requires; undefined if it has none or several. */
function onlyHost(conditions: readonly Condition[]): string | undefined {
  const condition = conditions.find(({ field }) => field === 'host-header');
  if (condition === undefined || condition.field !== 'host-header') return undefined;
  const { values = [], regexValues = [] } = condition;
  const [host] = values;
  return values.length !== 1 || regexValues.length > 0 || /[*?]/.test(host!) ? undefined : host!.toLowerCase();
}

/** Compiles each list of conditions once. Lists never change, and all ports share that of a rule. */
const testOfAll = remembered((conditions: readonly Condition[]): RequestTest => {
  const all = conditions.map(testOf);
  return (request) => all.every((each) => each(request));
});

type RequestTest = (request: HttpRequest) => boolean;

/** Compiles each condition at its first request. Conditions never change. */
const testOf = remembered(compile);

function compile(condition: Condition): RequestTest {
  switch (condition.field) {
    case 'host-header':
      return textTest(condition, { ignoreCase: true }, ({ host }) => host);
    case 'path-pattern':
      return textTest(condition, {}, ({ path }) => path);
    case 'http-header':
      return headerTest(condition);
    case 'query-string':
      return queryTest(condition);
    case 'http-request-method':
      return ({ method = 'GET' }) => (condition.values ?? []).includes(method);
    case 'source-ip':
      return sourceTest(condition);
  }
}

function textTest(
  condition: TextCondition,
  options: PatternOptions,
  textOf: (request: HttpRequest) => string,
): RequestTest {
  const matches = anyOf(condition, options);
  return (request) => matches(textOf(request));
}

function headerTest(condition: HeaderCondition): RequestTest {
  const name = condition.httpHeaderName.toLowerCase();
  const matches = anyOf(condition, { ignoreCase: true });
  return ({ headers = {} }) =>
    Object.entries(headers).some(([key, value]) => key.toLowerCase() === name && matches(value));
}

function queryTest({ values }: QueryCondition): RequestTest {
  const options = { ignoreCase: true, escapes: true };
  const pairs = values.map(({ key, value }) => ({
    key: key === undefined ? undefined : wildcardPattern(key, options),
    value: wildcardPattern(value, options),
  }));
  return ({ query = {} }) =>
    Object.entries(query).some(([name, text]) =>
      pairs.some(({ key, value }) => (key === undefined || key(name)) && value(text)),
    );
}

function sourceTest({ values = [] }: TextCondition): RequestTest {
  const ranges = values.flatMap((value) => parseCidr(value) ?? []);
  return ({ sourceIp }) => sourceIp !== undefined && ranges.some((range) => range.contains(sourceIp));
}

function anyOf(
  { values = [], regexValues = [] }: { readonly values?: readonly string[]; readonly regexValues?: readonly string[] },
  options: PatternOptions,
): TextPattern {
  const patterns = [
    ...values.map((value) => wildcardPattern(value, options)),
    ...regexValues.map((value) => regexPattern(value, options)),
  ];
  return (text) => patterns.some((matches) => matches(text));
}
