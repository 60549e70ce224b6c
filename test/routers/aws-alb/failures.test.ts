/** The first mistake of a group: its class, the words of the controller, the Ingress and the field. */
import { describe, expect, it } from 'vitest';
import { frozen, ingress, withAction, withConditions } from './stack';

const targets = (...groups: object[]) => ({ type: 'forward', forwardConfig: { targetGroups: groups } });
const to = (serviceName: string, more: object = {}) => ({ serviceName, servicePort: 80, ...more });

describe('a mistake in an action', () => {
  it.each<[string, unknown, string[]]>([
    [
      'text that is no JSON',
      '{',
      [
        'json at i metadata.annotations["…/actions.web"]: ingress: shop/i: failed to parse json annotation, …/actions.web: {: is no JSON: unexpected end of JSON input',
      ],
    ],
    [
      'a type that nobody knows',
      { type: 'Forward' },
      ['action-type at i metadata.annotations["…/actions.web"]: ingress: shop/i: unknown action type: Forward'],
    ],
    ['no type', {}, ['action-type at i metadata.annotations["…/actions.web"]: ingress: shop/i: unknown action type: ']],
    [
      'a fixed response without its config',
      { type: 'fixed-response' },
      ['action-config at i metadata.annotations["…/actions.web"]: ingress: shop/i: missing FixedResponseConfig'],
    ],
    [
      'a fixed response without a code',
      { type: 'fixed-response', fixedResponseConfig: {} },
      [
        'action-config at i metadata.annotations["…/actions.web"]: ingress: shop/i: invalid FixedResponseConfig: statusCode is required',
      ],
    ],
    [
      'a redirect without its config',
      { type: 'redirect' },
      ['action-config at i metadata.annotations["…/actions.web"]: ingress: shop/i: missing RedirectConfig'],
    ],
    [
      'a redirect without a code',
      { type: 'redirect', redirectConfig: { host: 'x' } },
      [
        'action-config at i metadata.annotations["…/actions.web"]: ingress: shop/i: invalid RedirectConfig: statusCode is required',
      ],
    ],
    [
      'a forward without its config',
      { type: 'forward' },
      [
        'action-config at i metadata.annotations["…/actions.web"]: ingress: shop/i: missing ForwardConfig or TargetGroupARN/TargetGroupName',
      ],
    ],
    [
      'a forward to two kinds of targets',
      { ...targets(to('web')), targetGroupARN: 'arn' },
      [
        'action-config at i metadata.annotations["…/actions.web"]: ingress: shop/i: either ForwardConfig or TargetGroupARN/TargetGroupName can be specified',
      ],
    ],
    [
      'a forward to a name beside the config',
      { ...targets(to('web')), targetGroupName: 'n' },
      [
        'action-config at i metadata.annotations["…/actions.web"]: ingress: shop/i: either ForwardConfig or TargetGroupARN/TargetGroupName can be specified',
      ],
    ],
    [
      'a target without a Service',
      targets({}),
      [
        'action-config at i metadata.annotations["…/actions.web"]: ingress: shop/i: invalid ForwardConfig: invalid TargetGroupTuple: missing serviceName or targetGroupARN/targetGroupName',
      ],
    ],
    [
      'a target with a Service and an ARN',
      targets({ ...to('web'), targetGroupARN: 'arn' }),
      [
        'action-config at i metadata.annotations["…/actions.web"]: ingress: shop/i: invalid ForwardConfig: invalid TargetGroupTuple: either serviceName or targetGroupARN/targetGroupName can be specified',
      ],
    ],
    [
      'a target with a Service and a name',
      targets({ ...to('web'), targetGroupName: 'n' }),
      [
        'action-config at i metadata.annotations["…/actions.web"]: ingress: shop/i: invalid ForwardConfig: invalid TargetGroupTuple: either serviceName or targetGroupARN/targetGroupName can be specified',
      ],
    ],
    [
      'a target without a port',
      targets({ serviceName: 'web' }),
      [
        'action-config at i metadata.annotations["…/actions.web"]: ingress: shop/i: invalid ForwardConfig: invalid TargetGroupTuple: missing servicePort',
      ],
    ],
    [
      'a weight that is missing among two',
      targets(to('web', { weight: 1 }), to('web-canary')),
      [
        'action-weight-missing at i metadata.annotations["…/actions.web"]: ingress: shop/i: invalid ForwardConfig: weight must be set when route to multiple target groups',
      ],
    ],
    [
      'a weight that is no integer',
      targets(to('web', { weight: 1.5 })),
      [
        'json at i metadata.annotations["…/actions.web"]: ingress: shop/i: failed to parse json annotation, …/actions.web: {"type":"forward","forwardConfig":{"targetGroups":[{"serviceName":"web","servicePort":80,"weight":1.5}]}}: forwardConfig.targetGroups.weight must be an integer of 32 bits, without a fraction or an exponent, not 1.5',
      ],
    ],
    [
      'a Service that is missing among two',
      targets(to('b', { weight: 1 }), to('a', { weight: 1 })),
      ['service-not-found at i nowhere: ingress: shop/i: Service "a" not found'],
    ],
    [
      'a port that the Service does not have',
      targets(to('web', { servicePort: 81 })),
      ['service-port at i nowhere: ingress: shop/i: unable to find port 81 on service shop/web'],
    ],
    [
      'a port by a name that the Service does not have',
      targets(to('web', { servicePort: 'grpc' })),
      ['service-port at i nowhere: ingress: shop/i: unable to find port grpc on service shop/web'],
    ],
    ['nothing for one target without a weight', targets(to('web')), []],
    ['nothing for one Service that is missing', targets(to('gone')), []],
    ['nothing for a target group of AWS', { type: 'forward', targetGroupARN: 'arn' }, []],
    ['nothing for no target', targets(), []],
  ])('%s', (_, action, expected) => expect(frozen(withAction(action))).toEqual(expected));
});

describe('a mistake in a condition', () => {
  it.each<[string, unknown, string[]]>([
    [
      'text that is no JSON',
      '[',
      [
        'json at i metadata.annotations["…/conditions.web"]: ingress: shop/i: failed to parse json annotation, …/conditions.web: [: is no JSON: unexpected end of JSON input',
      ],
    ],
    [
      'no list',
      {},
      [
        'json at i metadata.annotations["…/conditions.web"]: ingress: shop/i: failed to parse json annotation, …/conditions.web: {}: must be a list, not an object',
      ],
    ],
    [
      'a host without its config',
      [{ field: 'host-header' }],
      ['condition-config at i metadata.annotations["…/conditions.web"]: ingress: shop/i: missing hostHeaderConfig'],
    ],
    [
      'a host without values',
      [{ field: 'host-header', hostHeaderConfig: {} }],
      [
        'condition-config at i metadata.annotations["…/conditions.web"]: ingress: shop/i: invalid hostHeaderConfig: values or regexValues must be specified',
      ],
    ],
    [
      'a host with both kinds of values',
      [{ field: 'host-header', hostHeaderConfig: { values: ['a'], regexValues: ['b'] } }],
      [
        'condition-config at i metadata.annotations["…/conditions.web"]: ingress: shop/i: invalid hostHeaderConfig: precisely one of values and regexValues can be specified',
      ],
    ],
    [
      'a path without its config',
      [{ field: 'path-pattern' }],
      ['condition-config at i metadata.annotations["…/conditions.web"]: ingress: shop/i: missing pathPatternConfig'],
    ],
    [
      'a path without values',
      [{ field: 'path-pattern', pathPatternConfig: {} }],
      [
        'condition-config at i metadata.annotations["…/conditions.web"]: ingress: shop/i: invalid pathPatternConfig: values or regexValues must be specified',
      ],
    ],
    [
      'a header without its config',
      [{ field: 'http-header' }],
      ['condition-config at i metadata.annotations["…/conditions.web"]: ingress: shop/i: missing httpHeaderConfig'],
    ],
    [
      'a header without values',
      [{ field: 'http-header', httpHeaderConfig: { httpHeaderName: 'h' } }],
      [
        'condition-config at i metadata.annotations["…/conditions.web"]: ingress: shop/i: invalid httpHeaderConfig: values or regexValues must be specified',
      ],
    ],
    [
      'a method without its config',
      [{ field: 'http-request-method' }],
      [
        'condition-config at i metadata.annotations["…/conditions.web"]: ingress: shop/i: missing httpRequestMethodConfig',
      ],
    ],
    [
      'a method without values',
      [{ field: 'http-request-method', httpRequestMethodConfig: {} }],
      [
        'condition-config at i metadata.annotations["…/conditions.web"]: ingress: shop/i: invalid httpRequestMethodConfig: values cannot be empty',
      ],
    ],
    [
      'an address without its config',
      [{ field: 'source-ip' }],
      ['condition-config at i metadata.annotations["…/conditions.web"]: ingress: shop/i: missing sourceIPConfig'],
    ],
    [
      'an address without values',
      [{ field: 'source-ip', sourceIPConfig: { values: [] } }],
      [
        'condition-config at i metadata.annotations["…/conditions.web"]: ingress: shop/i: invalid sourceIPConfig: values cannot be empty',
      ],
    ],
    [
      'a query without its config',
      [{ field: 'query-string' }],
      ['condition-config at i metadata.annotations["…/conditions.web"]: ingress: shop/i: missing queryStringConfig'],
    ],
    [
      'a query without values',
      [{ field: 'query-string', queryStringConfig: {} }],
      [
        'condition-config at i metadata.annotations["…/conditions.web"]: ingress: shop/i: invalid queryStringConfig: Values cannot be empty',
      ],
    ],
    [
      'a query with an empty value',
      [{ field: 'query-string', queryStringConfig: { values: [{ key: 'a', value: 'b' }, { key: 'c' }] } }],
      [
        'condition-config at i metadata.annotations["…/conditions.web"]: ingress: shop/i: invalid queryStringConfig: value cannot be empty',
      ],
    ],
    [
      'expressions beside the host',
      [{ field: 'host-header', hostHeaderConfig: { regexValues: ['a', 'b'] } }],
      [
        'condition-values-and-regex at i metadata.annotations["…/conditions.web"]: ingress: shop/i: host condition must specify exactly one of Values and RegexValues, got both Values [a.com] and RegexValues [a b]',
      ],
    ],
    [
      'expressions beside the path',
      [{ field: 'path-pattern', pathPatternConfig: { regexValues: ['a'] } }],
      [
        'condition-values-and-regex at i metadata.annotations["…/conditions.web"]: ingress: shop/i: path condition must specify exactly one of Values and RegexValues, got both Values [/*] and RegexValues [a]',
      ],
    ],
    [
      'nothing for a query without a key',
      [{ field: 'query-string', queryStringConfig: { values: [{ value: 'b' }] } }],
      [],
    ],
    ['nothing for an unknown field', [{ field: 'x' }], []],
  ])('%s', (_, conditions, expected) => expect(frozen(withConditions(conditions))).toEqual(expected));
});

describe('a mistake in a transform', () => {
  const withTransforms = (transforms: unknown) =>
    ingress('i', { annotations: { 'transforms.web': JSON.stringify(transforms) } });
  const rewrites = [{ regex: 'a', replace: 'b' }];

  it.each<[string, unknown, string[]]>([
    [
      'a type that nobody knows',
      [{ type: 'x' }],
      ['transform at i metadata.annotations["…/transforms.web"]: ingress: shop/i: unknown transform type: x'],
    ],
    [
      'a rewrite of the URL without its config',
      [{ type: 'url-rewrite' }],
      ['transform at i metadata.annotations["…/transforms.web"]: ingress: shop/i: missing urlRewriteConfig'],
    ],
    [
      'a rewrite of the URL with the config of the host',
      [{ type: 'url-rewrite', hostHeaderRewriteConfig: { rewrites } }],
      ['transform at i metadata.annotations["…/transforms.web"]: ingress: shop/i: missing urlRewriteConfig'],
    ],
    [
      'a rewrite of the host without its config',
      [{ type: 'host-header-rewrite' }],
      ['transform at i metadata.annotations["…/transforms.web"]: ingress: shop/i: missing hostHeaderRewriteConfig'],
    ],
    [
      'a rewrite without rewrites',
      [{ type: 'url-rewrite', urlRewriteConfig: {} }],
      [
        'transform at i metadata.annotations["…/transforms.web"]: ingress: shop/i: urlRewriteConfig.rewrites cannot be empty',
      ],
    ],
    [
      'a rewrite of the host without rewrites',
      [{ type: 'host-header-rewrite', hostHeaderRewriteConfig: { rewrites: [] } }],
      [
        'transform at i metadata.annotations["…/transforms.web"]: ingress: shop/i: hostHeaderRewriteConfig.rewrites cannot be empty',
      ],
    ],
    [
      'nothing for both',
      [
        { type: 'url-rewrite', urlRewriteConfig: { rewrites } },
        { type: 'host-header-rewrite', hostHeaderRewriteConfig: { rewrites } },
      ],
      [],
    ],
  ])('%s', (_, transforms, expected) => expect(frozen(withTransforms(transforms))).toEqual(expected));
});

describe('a mistake in a path', () => {
  it.each<[string, object, string[]]>([
    [
      'a type that nobody knows',
      { paths: [{}, { path: '/x', pathType: 'Regex' }] },
      ['path-type at i spec.rules[0].http.paths[1].pathType: unknown pathType for path /x'],
    ],
    [
      'a wildcard in an exact path',
      { paths: [{}, { path: '/x*', pathType: 'Exact' }] },
      [
        "path-wildcard at i spec.rules[0].http.paths[1].path: ingress: shop/i: exact path shouldn't contain wildcards: /x*",
      ],
    ],
    [
      'a wildcard in a prefix',
      { paths: [{ path: '/x?' }] },
      [
        "path-wildcard at i spec.rules[0].http.paths[0].path: ingress: shop/i: prefix path shouldn't contain wildcards: /x?",
      ],
    ],
    [
      'a flag that is no boolean',
      { paths: [{ pathType: 'ImplementationSpecific' }], annotations: { 'use-regex-path-match': 'yes' } },
      [
        'bool-annotation at i metadata.annotations["…/use-regex-path-match"]: ingress: shop/i: failed to parse bool annotation, …/use-regex-path-match: "yes"',
      ],
    ],
    [
      'a backend that is no Service',
      { spec: { rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend: { resource: {} } }] } }] } },
      ['resource-backend at i spec.rules[0].http.paths[0].backend: ingress: shop/i: missing required "service" field'],
    ],
    [
      'a default backend that is no Service',
      { spec: { defaultBackend: { resource: {} } } },
      ['resource-backend at i spec.defaultBackend: missing required "service" field'],
    ],
    [
      'a default backend without its port',
      { spec: { defaultBackend: { service: { name: 'web', port: { number: 1 } } } } },
      ['service-port at i nowhere: unable to find port 1 on service shop/web'],
    ],
    [
      'nothing for wildcards in a path of the controller',
      {
        paths: [
          { path: '/x*', pathType: 'ImplementationSpecific' },
          { path: '/y?', pathType: null },
        ],
      },
      [],
    ],
    ['nothing for a flag that nobody reads', { annotations: { 'use-regex-path-match': 'yes' } }, []],
  ])('%s', (_, options, expected) => expect(frozen(ingress('i', options))).toEqual(expected));
});
