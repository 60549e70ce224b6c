import { describe, expect, it } from 'vitest';
import { routerNamed } from '../../../src/routers';
import { IngressNginxVersion } from '../../../src/routers/canary-ingress/nginx-version';
import { app, ask, worldOf } from '../stack';

describe('IngressNginxVersion', () => {
  it.each([
    ['1.9.6', false],
    ['1.11.5', false],
    ['v1.12.0', true],
    ['1.14.0', true],
  ])('%s checks annotations: %s', (version, annotationValidation) => {
    expect(IngressNginxVersion.of(version).facts).toEqual({ annotationValidation });
    expect(String(IngressNginxVersion.of(version))).toBe(`v${version.replace(/^v/, '')}`);
  });

  it('takes facts of a build of one’s own', () => {
    expect(IngressNginxVersion.of('1.12.0', { annotationValidation: false }).facts.annotationValidation).toBe(false);
  });

  it('refuses what is no release', () => {
    expect(() => IngressNginxVersion.of('1.12')).toThrow(
      'ingress-nginx version "1.12" is not a version: write it as in "1.11.5"',
    );
  });

  it('has the newest one as the default', () => {
    expect(IngressNginxVersion.LATEST.version).toBe('1.14.0');
  });
});

describe('a canary of ingress-nginx', () => {
  const ingress = (name: string, service: string, annotations: object = {}) => `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: ${name}, annotations: ${JSON.stringify(annotations)}}
spec:
  ingressClassName: nginx
  rules: [{host: a.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: ${service}, port: {number: 80}}}}]}}]`;
  const canary = (key: string, value: string, more: object = {}) =>
    ingress('web-canary', 'b', {
      'nginx.ingress.kubernetes.io/canary': 'true',
      [`nginx.ingress.kubernetes.io/${key}`]: value,
      ...more,
    });
  const told = (version: string | undefined, text: string, headers: Readonly<Record<string, string>>) => {
    const options = version === undefined ? {} : { ingressNginxVersion: IngressNginxVersion.of(version) };
    return ask(routerNamed('nginx', options), worldOf(app('a'), app('b'), ingress('web', 'a'), text), { headers });
  };
  const byHeader = { 'nginx.ingress.kubernetes.io/canary-by-header': 'x-user' };

  it.each([
    ['1.11.5', 'b'],
    ['1.12.0', 'a'],
    [undefined, 'a'],
  ])('%s: a value with a sign that 1.12 refuses takes the request to %s', (version, expected) => {
    const text = canary('canary-by-header-value', 'a@b', byHeader);
    expect(told(version, text, { 'x-user': 'a@b' })).toBe(expected);
    expect(told(version, text, { 'x-user': 'other' })).toBe('a');
  });

  it.each(['1.11.5', '1.12.0'])('%s: a plain value takes the request', (version) => {
    expect(told(version, canary('canary-by-header-value', 'a-b', byHeader), { 'x-user': 'a-b' })).toBe('b');
  });
});
