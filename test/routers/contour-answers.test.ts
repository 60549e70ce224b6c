import { describe, expect, it } from 'vitest';
import { contourRouter } from '../../src/routers';
import { app, ask, worldOf } from './stack';
import { answered, routed } from './tables';

const router = contourRouter();

function proxy(name: string, spec: string, namespace = 'default'): string {
  return `apiVersion: projectcontour.io/v1\nkind: HTTPProxy\nmetadata: {name: ${name}, namespace: ${namespace}}\nspec: {${spec}}`;
}

const HOST = 'virtualhost: {fqdn: a.com}';
const TLS = 'virtualhost: {fqdn: a.com, tls: {secretName: s}}';
const root = (routes: string, more = '') => proxy('root', `${HOST}, routes: [${routes}]${more}`);
const to = (name: string, conditions = '', more = '') =>
  `{services: [{name: ${name}, port: 80}], conditions: [${conditions}]${more}}`;

const APPS = ['a', 'b', 'c'].map((name) => app(name));

describe('answers of Contour', () => {
  it.each<[string, string, object]>([
    ['a redirect', '{requestRedirectPolicy: {}}', { kind: 'redirect', statusCode: '302' }],
    [
      'a redirect with every part',
      '{requestRedirectPolicy: {scheme: https, hostname: b.com, port: 8443, path: /x, statusCode: 301}}',
      { kind: 'redirect', statusCode: '301', protocol: 'HTTPS', host: 'b.com', port: '8443', path: '/x' },
    ],
    [
      'a redirect to a prefix',
      '{requestRedirectPolicy: {prefix: /y}}',
      { kind: 'redirect', statusCode: '302', path: '/y' },
    ],
    [
      'a redirect before a response',
      '{requestRedirectPolicy: {path: /x}, directResponsePolicy: {statusCode: 200}}',
      { kind: 'redirect', statusCode: '302', path: '/x' },
    ],
    [
      'a response',
      '{directResponsePolicy: {statusCode: 418}, services: [{name: a, port: 80}]}',
      { kind: 'fixed-response', statusCode: '418' },
    ],
    [
      'a response without a code',
      '{directResponsePolicy: {body: hi}}',
      { kind: 'fixed-response', statusCode: '0', messageBody: 'hi' },
    ],
    [
      'the one service of the weight 0',
      '{services: [{name: a, port: 80, weight: 0}]}',
      {
        kind: 'services',
        destinations: [
          { service: { namespace: 'default', name: 'a' }, port: 80, weight: 1, share: 1, workloads: ['Deployment a'] },
        ],
        sticky: false,
      },
    ],
    [
      'services with a weight of 0 and one',
      '{services: [{name: a, port: 80, weight: 0}, {name: b, port: 80, weight: 1}]}',
      {
        kind: 'services',
        destinations: [
          { service: { namespace: 'default', name: 'a' }, port: 80, weight: 0, share: 0, workloads: ['Deployment a'] },
          { service: { namespace: 'default', name: 'b' }, port: 80, weight: 1, share: 1, workloads: ['Deployment b'] },
        ],
        sticky: false,
      },
    ],
    [
      'services of the weight 0',
      '{services: [{name: a, port: 80, weight: 0}, {name: b, port: 80}]}',
      {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'a' },
            port: 80,
            weight: 1,
            share: 0.5,
            workloads: ['Deployment a'],
          },
          {
            service: { namespace: 'default', name: 'b' },
            port: 80,
            weight: 1,
            share: 0.5,
            workloads: ['Deployment b'],
          },
        ],
        sticky: false,
      },
    ],
    [
      'the first of services that do not exist',
      '{services: [{name: x, port: 80, weight: 5}, {name: y, port: 80, weight: 5}]}',
      {
        kind: 'services',
        destinations: [
          {
            service: { namespace: 'default', name: 'x' },
            port: 80,
            weight: 1,
            unavailable: { reason: 'service-not-found', why: 'Service default/x does not exist', statusCode: '503' },
            share: 1,
          },
        ],
        sticky: false,
      },
    ],
    [
      'a mirror, which is left out',
      '{services: [{name: a, port: 80, mirror: true}, {name: b, port: 80}]}',
      {
        kind: 'services',
        destinations: [
          { service: { namespace: 'default', name: 'b' }, port: 80, weight: 1, share: 1, workloads: ['Deployment b'] },
        ],
        sticky: false,
      },
    ],
    ['no service', '{services: []}', { kind: 'services', destinations: [], sticky: false }],
  ])('%s', (_, route, expected) => expect(answered(router, [...APPS, root(route)])).toEqual(expected));

  it.each<[string, string, string, string]>([
    ['a host without a certificate', HOST, 'a', '404'],
    ['a host with a certificate', TLS, 'redirect 301 HTTPS', 'a'],
  ])('of %s', (_, host, http, https) => {
    const world = worldOf(...APPS, proxy('root', `${host}, routes: [${to('a')}]`));
    expect([ask(router, world, {}), ask(router, world, { port: 443 })]).toEqual([http, https]);
  });

  it('are plain where a route permits it', () => {
    const both = (permit: string) =>
      ask(
        router,
        worldOf(...APPS, proxy('root', `${TLS}, routes: [${to('a', '', `, permitInsecure: ${permit}`)}]`)),
        {},
      );
    expect([both('true'), both('false'), both('"true"')]).toEqual(['a', 'redirect 301 HTTPS', 'redirect 301 HTTPS']);
  });

  it('of tcpproxy need a certificate', () => {
    const spec = `tcpproxy: {services: [{name: b, port: 80}]}, routes: [${to('a')}]`;
    expect(routed(router, [...APPS, proxy('root', `${TLS}, ${spec}`)], { port: 443, path: '/x' })).toEqual({
      answer: {
        kind: 'services',
        destinations: [
          { service: { namespace: 'default', name: 'b' }, port: 80, weight: 1, share: 1, workloads: ['Deployment b'] },
        ],
        sticky: false,
      },
      rule: 'root spec.tcpproxy: HTTPProxy default/root for a.com: path prefix /',
      isDefault: false,
      passedOver: [],
    });
    expect(ask(router, worldOf(...APPS, proxy('root', `${HOST}, ${spec}`)), {})).toBe('a');
    expect(ask(router, worldOf(...APPS, proxy('root', `${TLS}, ${spec}`)), {})).toBe('redirect 301 HTTPS');
  });
});
