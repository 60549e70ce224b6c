import { describe, expect, it } from 'vitest';
import { awsAlbRouter } from '../../../src/routers';
import { answered, routed, tableOf } from '../tables';
import { ingress, SERVICES, withAction, withConditions } from './stack';

const router = awsAlbRouter();
const texts = (...objects: readonly object[]) => [...SERVICES, ...objects].map((object) => JSON.stringify(object));
const table = (...objects: readonly object[]) => tableOf(router, ...texts(...objects));
const targets = (...groups: object[]) => ({ type: 'forward', forwardConfig: { targetGroups: groups } });

describe('the rules of an AWS load balancer', () => {
  it('have the place of their path, their number and conditions in words', () => {
    const conditions = [
      { field: 'http-header', httpHeaderConfig: { httpHeaderName: 'x-u', values: ['a', 'b'] } },
      { field: 'http-header', httpHeaderConfig: { httpHeaderName: 'x-v', regexValues: ['^c$'] } },
      { field: 'query-string', queryStringConfig: { values: [{ key: 'k', value: 'v' }, { value: 'w' }] } },
      { field: 'http-request-method', httpRequestMethodConfig: { values: ['GET'] } },
      { field: 'source-ip', sourceIPConfig: { values: ['10.0.0.0/8'] } },
    ];
    expect(table(withConditions(conditions))).toEqual([
      'shop/i: shop/i',
      '- HTTP on 80',
      '  shop/i spec.rules[0].http.paths[0]: rule 1 of HTTP:80: header x-u is "a" or "b" and header x-v matches "^c$" and query has "k=v" or "w" and method is "GET" and source address is "10.0.0.0/8" and host is "a.com" and path is "/*"',
    ]);
    expect(table(withConditions([{ field: 'host-header', hostHeaderConfig: { values: ['b.com'] } }]))).toEqual([
      'shop/i: shop/i',
      '- HTTP on 80',
      '  shop/i spec.rules[0].http.paths[0]: rule 1 of HTTP:80: host is "a.com" or "b.com" and path is "/*"',
    ]);
    expect(table(ingress('i', { host: '', paths: [{ path: '', pathType: null }] }))).toEqual([
      'shop/i: shop/i',
      '- HTTP on 80',
      '  shop/i spec.rules[0].http.paths[0]: rule 1 of HTTP:80: path is "/*"',
    ]);
    expect(
      table(
        ingress('i', {
          annotations: { 'use-regex-path-match': 'true' },
          paths: [{ path: '/^x', pathType: 'ImplementationSpecific' }],
        }),
      ),
    ).toEqual([
      'shop/i: shop/i',
      '- HTTP on 80',
      '  shop/i spec.rules[0].http.paths[0]: rule 1 of HTTP:80: host is "a.com" and path matches "^x"',
    ]);
  });

  it('come by group.order and name, then Exact, longer prefixes and the rest, for each entry and port', () => {
    const paths = [
      { path: '/i*', pathType: 'ImplementationSpecific' },
      { path: '/p' },
      { path: '/pp/' },
      { path: '/e', pathType: 'Exact' },
    ];
    const member = (name: string, annotations: Readonly<Record<string, string>>) =>
      ingress(name, { annotations: { 'group.name': 'g', ...annotations }, paths });
    expect(
      table(
        member('a', { 'group.order': '2' }),
        member('c', { 'group.order': '-1', 'listen-ports': '[{"HTTPS":443}]' }),
        member('b', { 'group.order': '2' }),
      ),
    ).toEqual([
      'g: shop/c, shop/a, shop/b',
      '- HTTP on 80',
      '  shop/a spec.rules[0].http.paths[3]: rule 1 of HTTP:80: host is "a.com" and path is "/e"',
      '  shop/a spec.rules[0].http.paths[2]: rule 2 of HTTP:80: host is "a.com" and path is "/pp" or "/pp/*"',
      '  shop/a spec.rules[0].http.paths[1]: rule 3 of HTTP:80: host is "a.com" and path is "/p" or "/p/*"',
      '  shop/a spec.rules[0].http.paths[0]: rule 4 of HTTP:80: host is "a.com" and path is "/i*"',
      '  shop/b spec.rules[0].http.paths[3]: rule 5 of HTTP:80: host is "a.com" and path is "/e"',
      '  shop/b spec.rules[0].http.paths[2]: rule 6 of HTTP:80: host is "a.com" and path is "/pp" or "/pp/*"',
      '  shop/b spec.rules[0].http.paths[1]: rule 7 of HTTP:80: host is "a.com" and path is "/p" or "/p/*"',
      '  shop/b spec.rules[0].http.paths[0]: rule 8 of HTTP:80: host is "a.com" and path is "/i*"',
      '- HTTPS on 443',
      '  shop/c spec.rules[0].http.paths[3]: rule 1 of HTTPS:443: host is "a.com" and path is "/e"',
      '  shop/c spec.rules[0].http.paths[2]: rule 2 of HTTPS:443: host is "a.com" and path is "/pp" or "/pp/*"',
      '  shop/c spec.rules[0].http.paths[1]: rule 3 of HTTPS:443: host is "a.com" and path is "/p" or "/p/*"',
      '  shop/c spec.rules[0].http.paths[0]: rule 4 of HTTPS:443: host is "a.com" and path is "/i*"',
    ]);
  });

  it('are none where all is redirected to HTTPS', () => {
    const both = { 'listen-ports': '[{"HTTP":80},{"HTTPS":443}]', 'ssl-redirect': '443' };
    expect(table(ingress('i', { annotations: both }))).toEqual([
      'shop/i: shop/i',
      '- HTTP on 80',
      '- HTTPS on 443',
      '  shop/i spec.rules[0].http.paths[0]: rule 1 of HTTPS:443: host is "a.com" and path is "/*"',
    ]);
    expect(routed(router, texts(ingress('i', { annotations: both })), { path: '/x' })).toEqual({
      answer: { kind: 'redirect', port: '443', protocol: 'HTTPS', statusCode: 'HTTP_301' },
      rule: undefined,
      isDefault: true,
      passedOver: undefined,
    });
  });

  it('of other controllers and of no group are not served', () => {
    expect(
      table(
        ingress('i', { className: 'x' }),
        ingress('j', { annotations: { 'group.name': 'A' } }),
        ingress('k', { className: null }),
      ),
    ).toEqual(['unserved: shop/i', 'unserved: shop/j', 'unserved: shop/k']);
  });
});

describe('the answers of an AWS load balancer', () => {
  const answer = (action: unknown, sent: object = {}) => answered(router, texts(withAction(action)), sent);

  it.each<[string, unknown, unknown]>([
    [
      'a fixed response',
      {
        type: 'fixed-response',
        fixedResponseConfig: { statusCode: '418', contentType: 'text/html', messageBody: 'hi' },
      },
      { kind: 'fixed-response', statusCode: '418', contentType: 'text/html', messageBody: 'hi' },
    ],
    [
      'a fixed response with a code alone',
      { type: 'fixed-response', fixedResponseConfig: { statusCode: '418' } },
      { kind: 'fixed-response', statusCode: '418' },
    ],
    [
      'a redirect with every part',
      {
        type: 'redirect',
        redirectConfig: { host: 'h', path: '/p', port: '1', protocol: 'HTTPS', query: 'q', statusCode: 'HTTP_301' },
      },
      { kind: 'redirect', host: 'h', path: '/p', port: '1', protocol: 'HTTPS', query: 'q', statusCode: 'HTTP_301' },
    ],
    [
      'a redirect with one part',
      { type: 'redirect', redirectConfig: { host: 'h', statusCode: 'HTTP_302' } },
      { kind: 'redirect', host: 'h', statusCode: 'HTTP_302' },
    ],
    [
      'a forward to one Service',
      targets({ serviceName: 'web', servicePort: '80' }),
      {
        kind: 'services',
        destinations: [{ service: { namespace: 'shop', name: 'web' }, port: 80, weight: 1, share: 1 }],
        sticky: false,
      },
    ],
    [
      'a forward by the name of a port',
      targets({ serviceName: 'web', servicePort: 'http', weight: 0 }),
      {
        kind: 'services',
        destinations: [{ service: { namespace: 'shop', name: 'web' }, port: 'http', weight: 0, share: 0 }],
        sticky: false,
      },
    ],
    [
      'a forward to several',
      targets(
        { serviceName: 'web', servicePort: 80, weight: 3 },
        { targetGroupARN: 'arn', weight: 1 },
        { targetGroupName: 'n', weight: 0 },
      ),
      {
        kind: 'services',
        destinations: [
          { service: { namespace: 'shop', name: 'web' }, port: 80, weight: 3, share: 0.75 },
          { target: 'arn', weight: 1, share: 0.25 },
          { target: 'n', weight: 0, share: 0 },
        ],
        sticky: false,
      },
    ],
    [
      'a forward to an ARN',
      { type: 'forward', targetGroupARN: 'arn' },
      { kind: 'services', destinations: [{ target: 'arn', weight: 1, share: 1 }], sticky: false },
    ],
    [
      'a forward to a name',
      { type: 'forward', targetGroupName: 'n' },
      { kind: 'services', destinations: [{ target: 'n', weight: 1, share: 1 }], sticky: false },
    ],
    ['a forward to nothing', targets(), { kind: 'services', destinations: [], sticky: false }],
    [
      'a forward to a Service that is missing',
      targets({ serviceName: 'gone', servicePort: 80 }),
      {
        kind: 'fixed-response',
        statusCode: '503',
        contentType: 'text/plain',
        messageBody: 'Backend service does not exist',
      },
    ],
    [
      'a forward that is sticky',
      {
        type: 'forward',
        forwardConfig: {
          targetGroups: [{ targetGroupName: 'n' }],
          targetGroupStickinessConfig: { enabled: true, durationSeconds: 5 },
        },
      },
      { kind: 'services', destinations: [{ target: 'n', weight: 1, share: 1 }], sticky: true },
    ],
    [
      'a forward with stickiness that is off',
      {
        type: 'forward',
        forwardConfig: { targetGroups: [{ targetGroupName: 'n' }], targetGroupStickinessConfig: { enabled: false } },
      },
      { kind: 'services', destinations: [{ target: 'n', weight: 1, share: 1 }], sticky: false },
    ],
    [
      'a forward with stickiness that says nothing',
      { type: 'forward', forwardConfig: { targetGroups: [{ targetGroupName: 'n' }], targetGroupStickinessConfig: {} } },
      { kind: 'services', destinations: [{ target: 'n', weight: 1, share: 1 }], sticky: false },
    ],
  ])('can be %s', (_, action, expected) => expect(answer(action)).toEqual(expected));

  it('of an action that is missing, and of a default', () => {
    expect(answered(router, texts(ingress('i', { paths: [{ port: 'use-annotation' }] })))).toEqual({
      kind: 'fixed-response',
      statusCode: '503',
      contentType: 'text/plain',
      messageBody: 'Backend action does not exist',
    });
    const withDefault = ingress('i', {
      paths: [{ path: '/x' }],
      spec: { defaultBackend: { service: { name: 'web-canary', port: { name: 'http' } } } },
    });
    expect(routed(router, texts(withDefault), { path: '/y' })).toEqual({
      answer: {
        kind: 'services',
        destinations: [{ service: { namespace: 'shop', name: 'web-canary' }, port: 'http', weight: 1, share: 1 }],
        sticky: false,
      },
      rule: 'shop/i spec.defaultBackend: default of HTTP:80',
      isDefault: true,
      passedOver: undefined,
    });
    expect(routed(router, texts(withDefault), { path: '/x' })).toEqual({
      answer: {
        kind: 'services',
        destinations: [{ service: { namespace: 'shop', name: 'web' }, port: 80, weight: 1, share: 1 }],
        sticky: false,
      },
      rule: 'shop/i spec.rules[0].http.paths[0]: rule 1 of HTTP:80: host is "a.com" and path is "/x" or "/x/*"',
      isDefault: false,
      passedOver: undefined,
    });
    expect(routed(router, texts(ingress('i')), { host: 'b.com' })).toEqual({
      answer: { kind: 'fixed-response', statusCode: '404', contentType: 'text/plain' },
      rule: undefined,
      isDefault: true,
      passedOver: undefined,
    });
    expect(routed(router, texts(ingress('i', { paths: [{ port: 81 }] })))).toEqual({
      answer: {
        kind: 'frozen',
        reason: 'service-port',
        why: 'ingress: shop/i: unable to find port 81 on service shop/web',
        manifest: 'i',
      },
      rule: undefined,
      isDefault: false,
      passedOver: undefined,
    });
  });
});
