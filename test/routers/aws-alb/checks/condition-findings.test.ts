import { describe, expect, it } from 'vitest';
import { AwsLoadBalancerControllerVersion } from '../../../../src/routers/aws-alb/version';
import { ingress, withConditions } from '../stack';
import { findingsIn } from './findings';

describe('findings in conditions', () => {
  const header = (config: object) => [{ field: 'http-header', httpHeaderConfig: { httpHeaderName: 'h', ...config } }];
  const named = (httpHeaderName: string) => [
    { field: 'http-header', httpHeaderConfig: { httpHeaderName, values: ['a'] } },
  ];
  const query = (...values: object[]) => [{ field: 'query-string', queryStringConfig: { values } }];

  it.each<[string, unknown, string[]]>([
    [
      'a condition that cannot be read',
      '{',
      [
        'alb-condition-invalid at i metadata.annotations["…/conditions.web"]: failed to parse json annotation, …/conditions.web: {: is no JSON: unexpected end of JSON input',
      ],
    ],
    [
      'a condition without values',
      header({}),
      [
        'alb-condition-invalid at i metadata.annotations["…/conditions.web"]: invalid httpHeaderConfig: values or regexValues must be specified',
      ],
    ],
    [
      'a field that is unknown',
      [{ field: 'source-ip', sourceIPConfig: { values: ['10.0.0.0/8'] } }, { field: 'sourceip' }],
      [
        'alb-condition-field-unknown at i metadata.annotations["…/conditions.web"]: entry 2 of …/conditions.web has the field "sourceip", which is unknown | fix: did you mean "source-ip"?',
      ],
    ],
    [
      'a field that is unknown, unlike others',
      [{ field: 'whatever' }],
      [
        'alb-condition-field-unknown at i metadata.annotations["…/conditions.web"]: entry 1 of …/conditions.web has the field "whatever", which is unknown',
      ],
    ],
    [
      'a field in other letters',
      [{ FIELD: 'http-header', httpHeaderConfig: { httpHeaderName: 'h', values: ['a'] } }],
      [],
    ],
    [
      'no field',
      [{}],
      [
        'alb-condition-field-unknown at i metadata.annotations["…/conditions.web"]: entry 1 of …/conditions.web has the field "", which is unknown',
      ],
    ],
    ['three values', header({ values: ['a', 'b', 'c'] }), []],
    [
      'four values',
      header({ values: ['a', 'b', 'c', 'd'] }),
      [
        'alb-condition-limit at i metadata.annotations["…/conditions.web"]: a condition on http-header has 4 values; AWS allows 3',
        'alb-condition-limit at i metadata.annotations["…/conditions.web"]: the rule has 6 values with host and path; AWS allows 5',
      ],
    ],
    [
      'four expressions',
      header({ regexValues: ['a', 'b', 'c', 'd'] }),
      [
        'alb-condition-limit at i metadata.annotations["…/conditions.web"]: a condition on http-header has 4 values; AWS allows 3',
        'alb-condition-limit at i metadata.annotations["…/conditions.web"]: the rule has 6 values with host and path; AWS allows 5',
      ],
    ],
    ['a value of 128', header({ values: ['a'.repeat(128)] }), []],
    [
      'a value of 129',
      header({ values: ['a'.repeat(129)] }),
      [
        'alb-condition-limit at i metadata.annotations["…/conditions.web"]: a value of http-header has 129 characters; AWS allows 128 | fix: shorten the value',
      ],
    ],
    [
      'a parameter of 129 with its key',
      query({ key: 'k', value: 'v'.repeat(128) }),
      [
        'alb-condition-limit at i metadata.annotations["…/conditions.web"]: a value of query-string has 129 characters; AWS allows 128 | fix: shorten the value',
      ],
    ],
    ['a parameter of 128 with its key', query({ key: 'k', value: 'v'.repeat(127) }), []],
    [
      'the header Host',
      named('HOST'),
      [
        'alb-condition-limit at i metadata.annotations["…/conditions.web"]: a condition is on the header "Host", which AWS refuses | fix: use the host of the rule, or a condition of the field host-header',
      ],
    ],
    ['a header of 40 letters', named('h'.repeat(40)), []],
    [
      'a header of 41 letters',
      named('h'.repeat(41)),
      [
        'alb-condition-limit at i metadata.annotations["…/conditions.web"]: a condition is on the header "hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh", which is no header name for AWS | fix: a name has 1 to 40 letters, digits or -_., and no wildcard',
      ],
    ],
    [
      'a header with a wildcard',
      named('h?'),
      [
        'alb-condition-limit at i metadata.annotations["…/conditions.web"]: a condition is on the header "h?", which is no header name for AWS | fix: a name has 1 to 40 letters, digits or -_., and no wildcard',
      ],
    ],
    ['a header with all signs', named("-!#$%&'+.^_`|~09AZaz"), []],
    [
      'a header without a name',
      named(''),
      [
        'alb-condition-limit at i metadata.annotations["…/conditions.web"]: a condition is on the header "", which is no header name for AWS | fix: a name has 1 to 40 letters, digits or -_., and no wildcard',
      ],
    ],
    ['five values of a rule', [...header({ values: ['a'] }), ...query({ value: 'b' }, { value: 'c' })], []],
    [
      'six values of a rule',
      [...header({ values: ['a'] }), ...query({ value: 'b' }, { value: 'c' }, { value: 'd' })],
      [
        'alb-condition-limit at i metadata.annotations["…/conditions.web"]: the rule has 6 values with host and path; AWS allows 5',
      ],
    ],
    ['five wildcards', header({ values: ['*a*', '*?'] }), []],
    [
      'six wildcards',
      header({ values: ['*a*', '*?*'] }),
      [
        'alb-condition-wildcards at i metadata.annotations["…/conditions.web"]: the rule has 6 wildcards with host and path; AWS allows 5 by default',
      ],
    ],
    ['wildcards that are escaped', query({ value: '\\*\\?\\*\\*\\*\\*' }), []],
    ['wildcards in expressions', header({ regexValues: ['a*b*c*d*e*f*'] }), []],
    [
      'hosts that widen',
      [{ field: 'host-header', hostHeaderConfig: { values: ['b.com', 'c.com'] } }],
      [
        'alb-condition-widens at i metadata.annotations["…/conditions.web"]: the condition adds the hosts b.com, c.com to the host a.com',
      ],
    ],
    [
      'paths that widen',
      [{ field: 'path-pattern', pathPatternConfig: { values: ['/x', '/y'] } }],
      [
        'alb-condition-widens at i metadata.annotations["…/conditions.web"]: the condition adds the paths /x, /y to the path /',
      ],
    ],
    [
      'expressions beside the path',
      [{ field: 'path-pattern', pathPatternConfig: { regexValues: ['^/x'] } }],
      [
        'alb-condition-mixed-regex at i metadata.annotations["…/conditions.web"]: path condition must specify exactly one of Values and RegexValues, got both Values [/*] and RegexValues [^/x]',
      ],
    ],
    [
      'two methods',
      [
        { field: 'http-request-method', httpRequestMethodConfig: { values: ['GET'] } },
        { field: 'http-request-method', httpRequestMethodConfig: { values: ['PUT'] } },
      ],
      [
        'alb-condition-limit at i metadata.annotations["…/conditions.web"]: there are several conditions of the field http-request-method; AWS allows one in a rule | fix: merge the values into one condition',
      ],
    ],
  ])('%s', (_, conditions, expected) => expect(findingsIn([withConditions(conditions)])).toEqual(expected));

  it('are none that widen where the Ingress has neither a host nor a path', () => {
    const conditions = JSON.stringify([
      { field: 'host-header', hostHeaderConfig: { values: ['b.com'] } },
      { field: 'path-pattern', pathPatternConfig: { values: ['/x'] } },
    ]);
    const options = {
      annotations: { 'conditions.web': conditions },
      paths: [{ path: '', pathType: 'ImplementationSpecific' }],
    };
    expect(findingsIn([ingress('i', { ...options, host: '' })])).toEqual([]);
    expect(findingsIn([ingress('i', options)])).toHaveLength(1);
  });

  it('are none in a path that another rule refuses', () => {
    const annotations = { 'conditions.web': JSON.stringify(header({ values: ['a'] })) };
    expect(findingsIn([ingress('i', { annotations, paths: [{ path: '/x*' }] })])).toEqual([
      "alb-path-wildcard at i spec.rules[0].http.paths[0].path: prefix path shouldn't contain wildcards: /x*",
    ]);
  });

  it('read the last of two fields', () => {
    const config = '"httpHeaderConfig": {"httpHeaderName": "h", "values": ["a"]}';
    const rules = (text: string) => findingsIn([withConditions(text)]).map((line) => line.split(' ')[0]);
    expect(rules(`[{"field": "x", "FIELD": "http-header", ${config}}]`)).toEqual([]);
    expect(rules(`[{"field": "http-header", "FIELD": "x", ${config}}]`)).toEqual(['alb-condition-field-unknown']);
  });

  it('come once for a mistake that two paths share', () => {
    const paths = [{}, { path: '/y' }];
    expect(findingsIn([ingress('i', { annotations: { 'conditions.web': '{' }, paths })])).toHaveLength(1);
    expect(findingsIn([ingress('i', { annotations: { 'conditions.other': '{' }, paths })])).toEqual([
      'alb-annotation-unused at i metadata.annotations["…/conditions.other"]: no backend is called "other", so …/conditions.other is never read',
    ]);
  });

  it('are those of a rule by its own backend', () => {
    const five = JSON.stringify(header({ values: ['a', 'b', 'c'] }));
    const own = ingress('i', {
      annotations: { 'conditions.web': five },
      paths: [
        { path: '/x' },
        { path: '/*', pathType: 'ImplementationSpecific' },
        { path: '/y', service: 'web-canary' },
      ],
    });
    expect(findingsIn([own])).toEqual([
      'alb-condition-limit at i metadata.annotations["…/conditions.web"]: the rule has 6 values with host and path; AWS allows 5',
    ]);
  });

  it('come once for each path of the backend', () => {
    const conditions = JSON.stringify([{ field: 'path-pattern', pathPatternConfig: { values: ['/x'] } }]);
    const paths = [{}, { path: '/y' }, { path: '/z', service: 'web-canary' }];
    expect(findingsIn([ingress('i', { annotations: { 'conditions.web': conditions }, paths })])).toEqual([
      'alb-condition-widens at i metadata.annotations["…/conditions.web"]: the condition adds the paths /x to the path /',
      'alb-condition-widens at i metadata.annotations["…/conditions.web"]: the condition adds the paths /x to the path /y',
    ]);
  });

  it('of an older release name what it does not read', () => {
    const old = { version: AwsLoadBalancerControllerVersion.V2_13_4 };
    const host = [{ field: 'host-header', hostHeaderConfig: { regexValues: ['a'] } }];
    expect(findingsIn([withConditions(header({ regexValues: ['a'] }))], old)).toEqual([
      'alb-regex-version at i metadata.annotations["…/conditions.web"]: the condition has regexValues, which the AWS Load Balancer Controller v2.13.4 does not know',
    ]);
    expect(findingsIn([withConditions(header({ values: ['b'], regexValues: ['a'] }))], old)).toEqual([]);
    expect(findingsIn([withConditions(header({ values: ['b'] }))], old)).toEqual([]);
    expect(findingsIn([withConditions(host)], old)).toEqual([
      'alb-regex-version at i metadata.annotations["…/conditions.web"]: the condition has regexValues, which the AWS Load Balancer Controller v2.13.4 does not know',
      'alb-condition-mixed-regex at i metadata.annotations["…/conditions.web"]: host condition must specify exactly one of Values and RegexValues, got both Values [a.com] and RegexValues [a]',
    ]);
    expect(findingsIn([withConditions(header({ regexValues: ['a'] }))])).toEqual([]);
  });
});
