import type { HttpRequest } from '../router';
import { parseCidr } from './ip-address';
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

/** What a listener does with a request. */
export interface Match {
  /** Undefined when no rule matched; the action is then the listener's default. */
  readonly rule: ListenerRule | undefined;
  readonly action: Action;
}

/**
 * The rule that takes a request: the first one whose conditions all match. Written after the AWS documentation, not tried
 * on a load balancer.
 */
export function matchRequest(listener: AlbListener, request: HttpRequest): Match {
  const rule = listener.rules.find(({ conditions }) => conditions.every((condition) => testOf(condition)(request)));
  const actions = rule === undefined ? listener.defaultActions : rule.actions;
  return { rule, action: actions.at(-1)! };
}

type RequestTest = (request: HttpRequest) => boolean;

/** Conditions are data and never change; each is compiled at its first request. */
const tests = new WeakMap<Condition, RequestTest>();

function testOf(condition: Condition): RequestTest {
  const known = tests.get(condition);
  if (known !== undefined) return known;
  const test = compile(condition);
  tests.set(condition, test);
  return test;
}

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
