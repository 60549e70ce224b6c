/** Hosts, paths and conditions that manifests speak of: requests for them are worth a try. */

import { isJsonObject, type Json, type Manifest, ownValue } from '../core';
import { annotationKey } from '../routers/alb-annotations';
import type { RehearsalRequest } from './request';
import { sampleOf, sampleOfGlob } from './samples';

/** Parts of a request beside its place. */
export type Extras = Pick<RehearsalRequest, 'headers' | 'query' | 'method' | 'sourceIp'>;

/** A host and paths that an object names together. */
export interface Candidate {
  readonly host: string;
  readonly paths: readonly string[];
  /** What requests must bring along to get past conditions of the object. */
  readonly extras?: Extras;
}

/** A host for routes that take any. */
export const ANY_HOST = 'any.example.com';

/** The hosts and paths of an object that routes traffic, in the order of its manifest. */
export function candidatesOf(manifest: Manifest): Candidate[] {
  const read = READERS[manifest.kind];
  return read === undefined ? [] : read(manifest);
}

/** The host names that an object serves, with wildcards; empty for one that serves any. */
export function hostPatternsOf(manifest: Manifest): string[] {
  const found = HOSTS[manifest.kind]?.(manifest) ?? [];
  return [...new Set(found.map((host) => host.toLowerCase()))];
}

const HOSTS: Readonly<Record<string, (manifest: Manifest) => string[]>> = {
  Ingress: (manifest) => list(manifest.get('spec.rules')).map((rule) => text(ownValue(rule, 'host')) ?? '*'),
  VirtualService: (manifest) => texts(manifest.get('spec.hosts')),
  HTTPRoute: (manifest) => texts(manifest.get('spec.hostnames')),
  ApisixRoute: (manifest) =>
    list(manifest.get('spec.http')).flatMap((rule) => texts(ownValue(ownValue(rule, 'match'), 'hosts'))),
  HTTPProxy: (manifest) => texts([manifest.get('spec.virtualhost.fqdn') ?? null]),
  IngressRoute: (manifest) =>
    list(manifest.get('spec.routes')).flatMap((route) => called(text(ownValue(route, 'match')) ?? '', 'Host')),
};

const READERS: Readonly<Record<string, (manifest: Manifest) => Candidate[]>> = {
  Ingress: (manifest) => [
    ...list(manifest.get('spec.rules')).flatMap((rule) => ingressRule(manifest, rule)),
    ...(manifest.get('spec.defaultBackend') === undefined ? [] : [{ host: ANY_HOST, paths: ['/'] }]),
  ],
  VirtualService: (manifest) =>
    everyHost(hostPatternsOf(manifest), [
      ...list(manifest.get('spec.http')).flatMap((rule) => list(ownValue(rule, 'match')).flatMap(istioPath)),
      '/',
    ]),
  HTTPRoute: (manifest) =>
    everyHost(
      hostPatternsOf(manifest),
      list(manifest.get('spec.rules')).flatMap((rule) => gatewayPaths(ownValue(rule, 'matches'))),
    ),
  ApisixRoute: (manifest) =>
    list(manifest.get('spec.http')).flatMap((rule) =>
      everyHost(
        texts(ownValue(ownValue(rule, 'match'), 'hosts')),
        texts(ownValue(ownValue(rule, 'match'), 'paths')).map(sampleOfGlob),
      ),
    ),
  HTTPProxy: (manifest) =>
    everyHost(
      hostPatternsOf(manifest),
      list(manifest.get('spec.routes')).map((route) => {
        const prefixes = list(ownValue(route, 'conditions')).flatMap(
          (condition) => text(ownValue(condition, 'prefix')) ?? [],
        );
        return prefixes.join('') || '/';
      }),
    ),
  IngressRoute: (manifest) =>
    list(manifest.get('spec.routes')).flatMap((route) => {
      const match = text(ownValue(route, 'match')) ?? '';
      const paths = [...called(match, 'Path'), ...called(match, 'PathPrefix')];
      return everyHost(called(match, 'Host'), paths.length > 0 ? paths : ['/']);
    }),
  MeshHTTPRoute: (manifest) =>
    list(manifest.get('spec.to')).flatMap((to) =>
      everyHost(
        texts([ownValue(ownValue(to, 'targetRef'), 'name') ?? null]).map(meshHost),
        list(ownValue(to, 'rules')).flatMap((rule) => gatewayPaths(ownValue(rule, 'matches'))),
      ),
    ),
  TrafficRoute: (manifest) =>
    everyHost(
      list(manifest.get('spec.destinations'))
        .flatMap((item) => text(ownValue(ownValue(item, 'match'), 'kuma.io/service')) ?? [])
        .map(meshHost),
      [
        ...list(manifest.get('spec.conf.http')).flatMap((item) =>
          stringMatch(ownValue(ownValue(item, 'match'), 'path')),
        ),
        '/',
      ],
    ),
};

/** The name by which clients of a mesh of Kuma call a service, which is a tag where policies name it. */
function meshHost(service: string): string {
  return /_svc_\d+$/.test(service) ? `${service}.mesh` : service;
}

function ingressRule(manifest: Manifest, rule: Json): Candidate[] {
  const host = hostOf(text(ownValue(rule, 'host')) ?? '*');
  return list(ownValue(ownValue(rule, 'http'), 'paths')).flatMap((item): Candidate[] => {
    const paths = ingressPaths(text(ownValue(item, 'path')) ?? '/', text(ownValue(item, 'pathType')));
    const service = text(ownValue(ownValue(ownValue(item, 'backend'), 'service'), 'name')) ?? '';
    const extras = albConditions(manifest, service);
    const plain = { host, paths };
    return extras === undefined ? [plain] : [{ ...plain, extras }, plain];
  });
}

/** The path itself, and one below it where those belong to it. */
function ingressPaths(path: string, pathType: string | undefined): string[] {
  if (pathType === 'Exact') return [path];
  if (pathType === 'Prefix') return path === '/' ? ['/'] : [path, `${path.replace(/\/$/, '')}/rehearsal`];
  const isRegex = /[()[\]\\|^$+]/.test(path) || path.includes('.*');
  return [isRegex ? (sampleOf(path) ?? path) : sampleOfGlob(path)].map((sample) =>
    sample.startsWith('/') ? sample : `/${sample}`,
  );
}

/** What meets the conditions that an AWS load balancer has for a backend. */
function albConditions({ annotations }: Manifest, service: string): Extras | undefined {
  const conditions = parsed(annotations[annotationKey(`conditions.${service}`)]);
  if (!Array.isArray(conditions) || conditions.length === 0) return undefined;
  const headers: Record<string, string> = {};
  const query: Record<string, string> = {};
  const extras: { method?: string; sourceIp?: string } = {};
  for (const condition of conditions as Json[]) {
    const config = isJsonObject(condition)
      ? Object.entries(condition).find(([key]) => /config$/i.test(key))?.[1]
      : undefined;
    const [value] = texts(ownValue(config, 'values')).map(sampleOfGlob);
    const [regex] = texts(ownValue(config, 'regexValues')).flatMap((expression) => sampleOf(expression) ?? []);
    const name = text(ownValue(config, 'httpHeaderName'));
    const sample = value ?? regex;
    switch (text(ownValue(condition, 'field'))) {
      case 'http-header':
        if (name !== undefined && sample !== undefined) headers[name] = sample;
        break;
      case 'query-string':
        for (const pair of list(ownValue(config, 'values')).slice(0, 1)) {
          query[text(ownValue(pair, 'key')) ?? 'any'] = sampleOfGlob(text(ownValue(pair, 'value')) ?? '');
        }
        break;
      case 'http-request-method':
        if (sample !== undefined) extras.method = sample;
        break;
      case 'source-ip':
        if (sample !== undefined) extras.sourceIp = sample.replace(/\/\d+$/, '');
        break;
    }
  }
  return {
    ...extras,
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(Object.keys(query).length > 0 ? { query } : {}),
  };
}

function parsed(annotation: string | undefined): unknown {
  try {
    return annotation === undefined ? undefined : JSON.parse(annotation);
  } catch {
    return undefined;
  }
}

function istioPath(match: Json): string[] {
  return stringMatch(ownValue(match, 'uri'));
}

/** A text that meets an exact value, a prefix or a regular expression. */
function stringMatch(match: Json | undefined): string[] {
  const exact = text(ownValue(match, 'exact')) ?? text(ownValue(match, 'prefix'));
  const regex = text(ownValue(match, 'regex'));
  if (exact !== undefined) return [exact];
  return regex === undefined ? [] : [sampleOf(regex) ?? '/'];
}

function gatewayPaths(matches: Json | undefined): string[] {
  const paths = list(matches).map((match) => {
    const path = ownValue(match, 'path');
    const value = text(ownValue(path, 'value')) ?? '/';
    return ownValue(path, 'type') === 'RegularExpression' ? (sampleOf(value) ?? '/') : value;
  });
  return paths.length > 0 ? paths : ['/'];
}

function everyHost(patterns: readonly string[], paths: readonly string[]): Candidate[] {
  const hosts = patterns.length > 0 ? patterns : ['*'];
  const starting = paths.map((path) => (path.startsWith('/') ? path : `/${path}`));
  return hosts.map((pattern) => ({ host: hostOf(pattern), paths: [...new Set(starting)] }));
}

function hostOf(pattern: string): string {
  if (pattern === '' || pattern === '*') return ANY_HOST;
  return pattern.replace(/^\*/, 'any').replace(/\*/g, 'any');
}

/** The arguments of a function in a rule of Traefik: Host(`shop.example.com`). */
function called(rule: string, name: string): string[] {
  return [...rule.matchAll(new RegExp(`\\b${name}\\(([^)]*)\\)`, 'g'))].flatMap(([, args]) =>
    [...args!.matchAll(/[`"']([^`"']*)[`"']/g)].map(([, argument]) => argument!),
  );
}

function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function texts(value: unknown): string[] {
  return list(value).filter((item) => typeof item === 'string');
}
