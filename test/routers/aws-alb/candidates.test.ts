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
