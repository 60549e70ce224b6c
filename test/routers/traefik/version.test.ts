import { describe, expect, it } from 'vitest';
import { routerNamed } from '../../../src/routers';
import { TraefikVersion } from '../../../src/routers/traefik/version';
import { type Ask, app, ask, worldOf } from '../stack';

describe('TraefikVersion', () => {
  it.each([
    ['2.10.7', 'v2', false, 'unknown'],
    ['2.11.24', 'v2', false, 'unknown'],
    ['2.11.25', 'v2', false, 'routed'],
    ['2.11.31', 'v2', false, 'routed'],
    ['2.11.32', 'v2', false, 'refused'],
    ['2.11.34', 'v2', false, 'refused'],
    ['2.11.35', 'v2', false, 'routed'],
    ['3.0.0', 'v3', false, 'unknown'],
    ['3.4.0', 'v3', false, 'unknown'],
    ['3.4.1', 'v3', false, 'routed'],
    ['3.6.2', 'v3', false, 'routed'],
    ['3.6.3', 'v3', false, 'refused'],
    ['3.6.6', 'v3', false, 'refused'],
    ['3.6.7', 'v3', false, 'routed'],
    ['v3.6.24', 'v3', false, 'routed'],
    ['3.7.0', 'v3', true, 'routed'],
    ['3.100.0', 'v3', true, 'routed'],
  ])('%s: rules %s, wildcards of Host: %s, unusual paths %s', (version, ruleSyntax, hostWildcards, unusualPaths) => {
    expect(TraefikVersion.of(version).facts).toEqual({ ruleSyntax, hostWildcards, unusualPaths });
    expect(String(TraefikVersion.of(version))).toBe(`v${version.replace(/^v/, '')}`);
  });

  it('takes facts of a build of one’s own', () => {
    expect(TraefikVersion.of('3.6.12', { hostWildcards: true }).facts.hostWildcards).toBe(true);
  });

  it.each(['3.6', 'latest', ''])('refuses "%s"', (version) => {
    expect(() => TraefikVersion.of(version)).toThrow(
      `Traefik version "${version}" is not a version: write it as in "3.6.12"`,
    );
  });

  it('has the newest one as the default', () => {
    expect(TraefikVersion.LATEST.version).toBe('3.7.13');
  });
});

const route = (match: string, more = '', group = 'traefik.io') =>
  `apiVersion: ${group}/v1alpha1\nkind: IngressRoute\nmetadata: {name: web}\nspec:\n  routes: [{kind: Rule, match: '${match}', services: [{name: a, port: 80}]${more}}]`;
const ingress = (host: string, more = '') => `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web${more}}
spec:
  ingressClassName: traefik
  rules: [{host: '${host}', http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: a, port: {number: 80}}}}]}}]`;
const told = (version: string, text: string, request: Ask) =>
  ask(routerNamed('traefik', { traefikVersion: TraefikVersion.of(version) }), worldOf(app('a'), text), request);

describe('releases of Traefik', () => {
  it.each([
    ['3.7.0', 'a'],
    ['3.6.24', '404'],
  ])('%s: Host with a wildcard: %s', (version, expected) => {
    expect(told(version, route('Host(`*.a.com`)'), { host: 'x.a.com' })).toBe(expected);
    expect(told(version, route('Host(`*`)'), { host: 'x.a.com' })).toBe(expected);
    expect(told(version, route('Host(`x.a.com`)'), { host: 'x.a.com' })).toBe('a');
  });

  it.each([
    ['3.7.0', 'x.a.com', 'a'],
    ['3.6.24', 'x.a.com', 'a'],
    ['3.6.24', 'x.y.a.com', '404'],
    ['3.6.24', 'x.abcom', '404'],
    ['3.6.24', 'a_b.a.com', '404'],
    ['3.7.0', 'a_b.a.com', 'a'],
    ['2.11.53', 'x.a.com', 'a'],
    ['2.11.53', 'x.y.a.com', '404'],
  ])('%s: an Ingress for *.a.com takes %s: %s', (version, host, expected) => {
    expect(told(version, ingress('*.a.com'), { host })).toBe(expected);
  });

  it.each([
    ['2.11.53', 'Host(`b.com`, `a.com`)', '', 'traefik.io', 'a'],
    ['3.6.24', 'Host(`b.com`, `a.com`)', '', 'traefik.io', '404'],
    ['3.6.24', 'Host(`b.com`, `a.com`)', ', syntax: v2', 'traefik.io', 'a'],
    ['3.6.24', 'Host(`b.com`, `a.com`)', '', 'traefik.containo.us', 'a'],
    ['2.11.53', 'Header(`x`, `y`)', ', syntax: v3', 'traefik.io', '404'],
    ['2.11.53', 'Header(`x`, `y`)', '', 'traefik.io', 'dropped'],
  ])('%s: the rule %s%s of %s: %s', (version, match, more, group, expected) => {
    const text = route(match, more, group);
    const table = routerNamed('traefik', { traefikVersion: TraefikVersion.of(version) }).routes(
      worldOf(app('a'), text),
    );
    const isDropped = table.ignored!.length > 0;
    if (expected === 'dropped') expect(isDropped).toBe(true);
    else expect(told(version, text, {})).toBe(expected);
  });

  it.each([
    ['3.6.12', '/x%2Fy', 'a'],
    ['3.6.5', '/x%2Fy', '400'],
    ['3.6.5', '/x%5cy', '400'],
    ['3.6.5', '/x%00', '400'],
    ['3.6.5', '/x%3By', '400'],
    ['3.6.5', '/x%25y', '400'],
    ['3.6.5', '/x%3Fy', '400'],
    ['3.6.5', '/x%23y', '400'],
    ['3.6.5', '/x%20y', 'a'],
    ['3.6.5', '/x?y=%2F', 'a'],
    ['3.4.0', '/x', 'a'],
    ['3.4.0', '/x.y/.z/..w', 'a'],
    ['3.4.0', '/x?y=%2F', 'a'],
    ['3.4.1', '/x//y', 'a'],
  ])('%s: the path %s: %s', (version, target, expected) => {
    const [path] = target.split('?') as [string];
    expect(told(version, route('PathPrefix(`/x`)'), { path, target })).toBe(expected);
  });

  it.each(['/x//y', '/x/./y', '/x/..', '/x%2Fy', '/x%20y'])('3.4.0: how the path %s is read is not known', (path) => {
    expect(told('3.4.0', route('PathPrefix(`/x`)'), { path, target: path })).toBe(
      `not known: releases of Traefik before 2.11.25 and 3.4.1 read the path ${path} in another way than later ones, which was never tried`,
    );
  });
});
