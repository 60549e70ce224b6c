import { expect, it } from 'vitest';
import { Manifest } from '../../../src/core';
import { AWS_ALB_INGRESS } from '../../../src/routers/aws-alb/reads';

it('makes a request that meets every condition of a backend, and one that meets none', () => {
  const conditions = [
    { field: 'http-request-method', httpRequestMethodConfig: { values: ['PATCH'] } },
    { field: 'http-header', httpHeaderConfig: { httpHeaderName: 'x-user', values: ['a'] } },
    { field: 'query-string', queryStringConfig: { values: [{ key: 'v', value: '2' }] } },
    { field: 'source-ip', sourceIpConfig: { values: ['10.0.0.1/32'] } },
  ];
  const ingress = Manifest.of({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web', annotations: { 'alb.ingress.kubernetes.io/conditions.web': JSON.stringify(conditions) } },
    spec: {
      rules: [
        {
          host: 'shop.example.com',
          http: { paths: [{ path: '/', backend: { service: { name: 'web', port: { number: 80 } } } }] },
        },
      ],
    },
  });
  const plain = { host: 'shop.example.com', paths: ['/'] };

  const extras = { method: 'PATCH', headers: { 'x-user': 'a' }, query: { v: '2' }, sourceIp: '10.0.0.1' };
  const [candidate, without] = AWS_ALB_INGRESS.candidatesOf!(ingress);
  expect(candidate!.extras).toEqual(extras);
  expect(candidate).toMatchObject({ host: plain.host });
  expect(without).not.toHaveProperty('extras');
});

it.each<[string, object, object | undefined]>([
  ['no list', {}, undefined],
  ['none', [], undefined],
  ['a header without a name', [{ field: 'http-header', httpHeaderConfig: { values: ['a'] } }], {}],
  ['a header without values', [{ field: 'http-header', httpHeaderConfig: { httpHeaderName: 'x' } }], {}],
  [
    'a header with wildcards',
    [{ field: 'http-header', httpHeaderConfig: { httpHeaderName: 'x', values: ['a*', 'b'] } }],
    { headers: { x: 'aany' } },
  ],
  [
    'a header with an expression',
    [{ field: 'http-header', httpHeaderConfig: { httpHeaderName: 'x', regexValues: ['^(pc)$'] } }],
    { headers: { x: 'pc' } },
  ],
  [
    'a query of any key, the first of two',
    [{ field: 'query-string', queryStringConfig: { values: [{ value: '2' }, { key: 'w', value: '3' }] } }],
    { query: { any: '2' } },
  ],
  ['a query without values', [{ field: 'query-string', queryStringConfig: { values: [] } }], {}],
  ['a method without values', [{ field: 'http-request-method', httpRequestMethodConfig: {} }], {}],
  ['an address without values', [{ field: 'source-ip', sourceIpConfig: {} }], {}],
  ['a condition of another field', [{ field: 'host-header', hostHeaderConfig: { values: ['a'] } }], {}],
  ['no object', [5], {}],
])('takes of conditions what it can: %s', (_, conditions, extras) => {
  const ingress = Manifest.of({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web', annotations: { 'alb.ingress.kubernetes.io/conditions.web': JSON.stringify(conditions) } },
    spec: { rules: [{ http: { paths: [{ path: '/', backend: { service: { name: 'web' } } }] } }] },
  });
  const candidates = AWS_ALB_INGRESS.candidatesOf!(ingress);
  expect(candidates.map((each) => each.extras)).toEqual(extras === undefined ? [undefined] : [extras, undefined]);
});

it.each<[string, string, object | undefined]>([
  ['text that is no JSON', '{', undefined],
  ['a text', '"a"', undefined],
  [
    'another key than a config',
    '[{"field": "http-request-method", "httpRequestMethodConfigs": {"values": ["PUT"]}}]',
    {},
  ],
  [
    'a config in other letters',
    '[{"field": "http-request-method", "HTTPREQUESTMETHODCONFIG": {"values": ["PUT"]}}]',
    { method: 'PUT' },
  ],
  [
    'a value before an expression',
    '[{"field": "http-request-method", "xConfig": {"values": ["PUT"], "regexValues": ["a"]}}]',
    { method: 'PUT' },
  ],
  [
    'an expression that has a sample',
    '[{"field": "http-request-method", "xConfig": {"regexValues": ["(", "a+"]}}]',
    { method: 'aa' },
  ],
  [
    'a range of addresses',
    '[{"field": "source-ip", "sourceIPConfig": {"values": ["10.0.0.0/8"]}}]',
    { sourceIp: '10.0.0.0' },
  ],
  [
    'a parameter with wildcards',
    '[{"field": "query-string", "queryStringConfig": {"values": [{"key": "k", "value": "a?*"}]}}]',
    { query: { k: 'aaany' } },
  ],
  [
    'a parameter without a value',
    '[{"field": "query-string", "queryStringConfig": {"values": [{"key": "k"}]}}]',
    { query: { k: '' } },
  ],
  [
    'two headers and two parameters',
    '[{"field": "http-header", "httpHeaderConfig": {"httpHeaderName": "a", "values": ["1"]}}, {"field": "http-header", "httpHeaderConfig": {"httpHeaderName": "b", "values": ["2"]}}, {"field": "query-string", "queryStringConfig": {"values": [{"key": "c", "value": "3"}]}}, {"field": "query-string", "queryStringConfig": {"values": [{"key": "d", "value": "4"}]}}]',
    { headers: { a: '1', b: '2' }, query: { c: '3', d: '4' } },
  ],
])('of a text with %s makes %j', (_, conditions, extras) => {
  const ingress = Manifest.of({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'web', annotations: { 'alb.ingress.kubernetes.io/conditions.web': conditions } },
    spec: { rules: [{ http: { paths: [{ path: '/', backend: { service: { name: 'web' } } }] } }] },
  });
  const plain = { host: 'any.example.com', paths: ['/'] };
  expect(AWS_ALB_INGRESS.candidatesOf!(ingress)).toEqual(
    extras === undefined ? [plain] : [{ ...plain, extras }, plain],
  );
});
