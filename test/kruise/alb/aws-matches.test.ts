/** Which matches of a step an AWS load balancer can have, and which a canary Ingress. */
import { describe, expect, test } from 'vitest';
import type { AlbCheckOptions } from '../../../src/kruise/alb';
import {
  CLONED_INGRESS,
  CLONING,
  CLONING_ROLLOUT,
  cloned,
  edit,
  inPlace,
  SERVICE,
  yaml,
} from '../../../src/kruise/alb/examples';
import { AwsLoadBalancerControllerVersion } from '../../../src/routers/aws-alb/version';
import { check } from './check';

const AT = 'spec.strategy.canary.steps[0].matches';

/** What is found, as the part of the rule after `kruise-alb-`, the path after the matches, and the message. */
function found(documents: readonly string[], options?: AlbCheckOptions): string[] {
  return check(yaml(...documents).text, options).map(
    ({ rule, path, message }) => `${rule.replace('kruise-alb-', '')} ${path?.replace(AT, '')}: ${message}`,
  );
}

const header = (name: string, value: string, type = 'Exact') => JSON.stringify([{ headers: [{ type, name, value }] }]);
const query = (name: string, value: string, type = 'Exact') =>
  JSON.stringify([{ queryParams: [{ type, name, value }] }]);
const path = (value: string, type = 'PathPrefix') => JSON.stringify([{ path: { type, value } }]);
const many = (length: number) => Array.from({ length }, (_, index) => ({ name: `h${index}`, value: '1' }));

describe('a match on an Ingress that is edited in place', () => {
  test.each([
    header('x-user', 'a'),
    header('x-user', '[a-z]+', 'RegularExpression'),
    header('cookie', 'a=b'),
    header('Cookie', 'a', 'RegularExpression'),
    header('canary-by-cookie', 'beta'),
    header("-!#$%&'+.^_`|~09AZaz", 'a'),
    header('x'.repeat(40), 'a'),
    header('x', 'a'.repeat(128)),
    header('x', 'a'.repeat(124), 'RegularExpression'),
    header('x', `*${'a'.repeat(122)}`),
    header('cookie', `a=${'b'.repeat(110)}`),
    header('canary-by-cookie', 'a'.repeat(105)),
    query('v', '2'),
    query('v'.repeat(128), '2'.repeat(128)),
    path('/v2'),
    path('/', 'Exact'),
    JSON.stringify([{ headers: many(4) }]),
    JSON.stringify([{ headers: many(2), queryParams: many(2), path: { type: 'Exact', value: '/a' } }]),
    JSON.stringify(many(4).map((each) => ({ headers: [each] }))),
  ])('may be %s', (matches) => {
    expect(found(inPlace(matches))).toEqual([]);
  });

  test.each([
    ['[{}]', 'match-empty [0]: steps[0] has a match 1 without a condition'],
    [`[${header('x', '1').slice(1, -1)}, {}]`, 'match-empty [1]: steps[0] has a match 2 without a condition'],
    [path('/'), 'match-empty [0]: steps[0] has a match 1 without a condition'],
    [header('Host', 'a'), '[0].headers[0]: steps[0] matches the header Host, which AWS cannot match as a header'],
    [
      header('Canary-By-Cookie', 'a', 'RegularExpression'),
      '[0].headers[0]: steps[0] matches canary-by-cookie by a regular expression',
    ],
    [header('Cookie', 'a'), '[0].headers[0]: steps[0] matches the cookie "a" without a value'],
    [
      header('x'.repeat(41), 'a'),
      `[0].headers[0]: steps[0] matches the header "${'x'.repeat(41)}", which is not a valid header name for AWS`,
    ],
    [header('x-*', 'a'), '[0].headers[0]: steps[0] matches the header "x-*", which is not a valid header name for AWS'],
    [
      header('x', 'a'.repeat(129)),
      '[0].headers[0]: steps[0] matches the header "x" with a value of 129 characters; AWS allows 128',
    ],
    [
      header('x', 'a'.repeat(125), 'RegularExpression'),
      '[0].headers[0]: steps[0] matches the header "x" with a value of 129 characters; AWS allows 128',
    ],
    [
      header('x', `*${'a'.repeat(123)}`),
      '[0].headers[0]: steps[0] matches the header "x" with a value of 129 characters; AWS allows 128',
    ],
    [
      header('cookie', `a=${'b'.repeat(111)}`),
      '[0].headers[0]: steps[0] matches the header "cookie" with a value of 129 characters; AWS allows 128',
    ],
    [
      header('canary-by-cookie', 'a'.repeat(106)),
      '[0].headers[0]: steps[0] matches the header "canary-by-cookie" with a value of 129 characters; AWS allows 128',
    ],
    [
      query('v', '2', 'RegularExpression'),
      '[0].queryParams[0]: steps[0] matches the query parameter "v" by a regular expression, which AWS does not support',
    ],
    [
      query('v', '2'.repeat(129)),
      '[0].queryParams[0]: steps[0] matches the query parameter "v", which is longer than 128 characters',
    ],
    [
      query('v'.repeat(129), '2'),
      `[0].queryParams[0]: steps[0] matches the query parameter "${'v'.repeat(129)}", which is longer than 128 characters`,
    ],
    [path('/a.*', 'RegularExpression'), '[0].path: steps[0] matches the path "/a.*" by a regular expression'],
    [path('/a?'), '[0].path: steps[0] matches the path "/a?", but * and ? in it would be wildcards'],
    [
      JSON.stringify([{ headers: many(5) }]),
      '[0]: steps[0] has a match with 6 values, including the path of the Ingress; AWS allows 5 in a rule',
    ],
    [
      JSON.stringify([{ headers: many(3), queryParams: many(2), path: { type: 'Exact', value: '/a' } }]),
      '[0]: steps[0] has a match with 6 values, including its path; AWS allows 5 in a rule',
    ],
  ])('may not be %s', (matches, message) => {
    const rule = message.startsWith('match-empty') ? '' : 'match-impossible ';
    expect(found(inPlace(matches))).toEqual([`${rule}${message}`]);
  });

  test.each([
    [header('x', 'a'), false],
    [header('x', 'a*'), true],
    [header('x', 'a?'), true],
    [header('x', 'a', 'RegularExpression'), true],
    [header('Cookie', 'a=b'), true],
    [header('canary-by-cookie', 'a'), true],
    [query('v', '2'), false],
  ])('needs a load balancer controller with regexValues for %s: %s', (matches, needs) => {
    const options = { awsLoadBalancerControllerVersion: AwsLoadBalancerControllerVersion.V2_13_4 };
    expect(found(inPlace(matches), options).map((each) => each.split(':')[0])).toEqual(
      needs ? ['regex-version [0].headers[0]'] : [],
    );
  });
});

describe('the matches of a step with a canary Ingress', () => {
  const each = (...names: string[]) =>
    JSON.stringify(names.map((name, index) => ({ headers: [{ name, value: `a=${index}` }] })));
  const differ = 'match-shape : steps[0] has alternatives that differ in more than the value of one header';

  test.each([
    [each('x', 'x', 'X'), []],
    [each('cookie', 'canary-by-cookie', 'Cookie'), []],
    [JSON.stringify([{ queryParams: many(1) }, { queryParams: many(1) }]), []],
    [JSON.stringify([{ headers: many(2) }]), []],
    [each('x', 'y'), [differ]],
    [JSON.stringify([{ headers: many(2) }, { headers: many(2) }]), [differ]],
    [JSON.stringify([{ headers: many(1) }, { queryParams: many(1) }]), [differ]],
    [each('x', 'x', 'x', 'x'), ['match-shape : steps[0] has 4 alternatives; AWS allows 3 values in a condition']],
    [path('/v2'), ['match-shape [0].path: steps[0] matches the path "/v2", which a canary Ingress cannot narrow']],
    [
      path('/a?', 'RegularExpression'),
      ['match-shape [0].path: steps[0] matches the path "/a?", which a canary Ingress cannot narrow'],
    ],
  ])('%s', (matches, messages) => {
    expect(found(cloned(matches))).toEqual(messages);
  });
});

describe('the order of a canary Ingress', () => {
  const [STABLE, CANARY] = ['group.order: "10"', 'canary-group-order: "9"'];
  const orders = (stable: string, canary: string) =>
    found([
      CLONING_ROLLOUT,
      edit(
        CLONED_INGRESS,
        [`    alb.ingress.kubernetes.io/${STABLE}\n`, stable],
        [`    rollout-constructs.io/${CANARY}\n`, canary],
      ),
      SERVICE,
      ...CLONING,
    ]).filter((each) => each.startsWith('order'));
  const stableOf = (order: string) => `    alb.ingress.kubernetes.io/group.order: "${order}"\n`;
  const canaryOf = (order: string) => `    rollout-constructs.io/canary-group-order: "${order}"\n`;
  const KEY = 'rollout-constructs.io/canary-group-order';
  const PATH = `order metadata.annotations["${KEY}"]`;

  test.each([
    [stableOf('10'), canaryOf('9'), undefined],
    [stableOf('1000'), canaryOf('-1000'), undefined],
    [stableOf('-999'), canaryOf('-1000'), undefined],
    ['', canaryOf('-1'), undefined],
    [stableOf('1001'), canaryOf('1001'), undefined],
    [stableOf('10'), canaryOf('10'), `${PATH}: ${KEY} is 10, and group.order is 10`],
    ['', canaryOf('0'), `${PATH}: ${KEY} is 0, and group.order is 0, the default`],
    [stableOf('10'), canaryOf('-1001'), `${PATH}: ${KEY} is "-1001", not an integer from -1000 to 1000`],
    [stableOf('10'), canaryOf('1001'), `${PATH}: ${KEY} is "1001", not an integer from -1000 to 1000`],
    [stableOf('10'), canaryOf('1.5'), `${PATH}: ${KEY} is "1.5", not an integer from -1000 to 1000`],
    [stableOf('10'), canaryOf('+1'), `${PATH}: ${KEY} is "+1", not an integer from -1000 to 1000`],
    [
      stableOf('-1000'),
      canaryOf('-1000'),
      'order metadata.annotations["alb.ingress.kubernetes.io/group.order"]: group.order is -1000, so no order is left for the canary',
    ],
    [
      stableOf('10'),
      '',
      `order metadata.annotations: ${KEY} is not set, so the canary Ingress of the Rollout "web" gets the order 10 of the stable one`,
    ],
    [
      '',
      '',
      `order metadata.annotations: ${KEY} is not set, so the canary Ingress of the Rollout "web" gets no order, like the stable one`,
    ],
  ])('is checked with %j and %j', (stable, canary, message) => {
    expect(orders(stable, canary)).toEqual(message === undefined ? [] : [message]);
  });
});

describe('a path that the canary Ingress takes', () => {
  const other = (
    name: string,
    order: string | undefined,
    rule: string,
    annotations = '',
  ) => `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: ${name}
  namespace: shop
  annotations:
    alb.ingress.kubernetes.io/target-type: ip
    alb.ingress.kubernetes.io/group.name: shop
${order === undefined ? '' : `    alb.ingress.kubernetes.io/group.order: "${order}"\n`}${annotations}spec:
  ingressClassName: alb
  rules:
    - ${rule}
`;
  const rule = (at: string, type = 'Prefix', host = 'shop.example.com', service = 'api') =>
    `{ ${host === '' ? '' : `host: "${host}", `}http: { paths: [{ path: "${at}", pathType: ${type}, backend: { service: { name: ${service}, port: { number: 80 } } } }] } }`;
  const taken = (ingress: string, stable = CLONED_INGRESS) =>
    found([CLONING_ROLLOUT, stable, SERVICE, edit(SERVICE, ['name: web,', 'name: api,']), ...CLONING, ingress]).filter(
      (each) => each.startsWith('shadowed-path'),
    );
  const message = (what: string, below: string) =>
    `shadowed-path spec.rules[0].http.paths[0]: the path ${what} of "api" is below ${below}, which the canary Ingress "web-canary" takes first during a release of the Rollout "web"`;

  const anyHost = edit(CLONED_INGRESS, ['- host: shop.example.com\n      http', '- http']);
  const conditions = `    alb.ingress.kubernetes.io/conditions.api: '[{"field":"http-header","httpHeaderConfig":{"httpHeaderName":"a","values":["b"]}}]'\n`;

  test.each([
    ['after the canary', other('api', '11', rule('/api')), ['shop.example.com/api', 'shop.example.com/']],
    [
      'with the order of the canary, and a later name',
      other('zzz', '9', rule('/api')),
      ['shop.example.com/api', 'shop.example.com/'],
    ],
    ['with conditions', other('api', '11', rule('/'), conditions), ['shop.example.com/', 'shop.example.com/']],
    ['with the order of the canary, and an earlier name', other('api', '9', rule('/api')), undefined],
    ['before the canary', other('api', '8', rule('/api')), undefined],
    ['without an order, which is 0', other('zzz', undefined, rule('/api')), undefined],
    ['that is the same', other('api', '11', rule('/')), undefined],
    ['of another host', other('api', '11', rule('/api', 'Prefix', 'other.example.com')), undefined],
    ['of any host', other('api', '11', rule('/api', 'Prefix', '')), undefined],
  ])('is one %s', (_, ingress, expected) => {
    expect(taken(ingress)).toEqual(expected === undefined ? [] : [message(expected[0]!, expected[1]!)]);
  });

  test.each([
    [rule('/api', 'Prefix', ''), '*/api'],
    [rule('/api', 'Exact', 'a.example.com'), 'a.example.com/api'],
  ])('is every one below a rule without a host: %s', (text, what) => {
    expect(taken(other('api', '11', text), anyHost)).toEqual([message(what, '*/')]);
  });
});
