/** Requests that are worth sending, derived from the hosts, paths and conditions in manifests. */
import { type Json, ownValue } from '../core';
import type { HttpRequest } from './router';
import { sampleOf } from './samples';
import { listOf, textOf } from './values';

/** Parts of a request other than its host and path. */
export type RequestExtras = Pick<HttpRequest, 'headers' | 'query' | 'method' | 'sourceIp'>;

/** A host and paths that an object names together. */
export interface RequestCandidate {
  readonly host: string;
  readonly paths: readonly string[];
  /**
   * What a request needs to pass the conditions of the object.
   * @default - nothing
   */
  readonly extras?: RequestExtras;
}

/** A host for routes that accept any host. */
export const ANY_HOST = 'any.example.com';

/** Each path at each host; at any host if there are no hosts. */
export function candidatesAt(patterns: readonly string[], paths: readonly string[]): RequestCandidate[] {
  const hosts = patterns.length > 0 ? patterns : ['*'];
  const absolute = paths.map((path) => (path.startsWith('/') ? path : `/${path}`));
  return hosts.map((pattern) => ({ host: exampleHost(pattern), paths: [...new Set(absolute)] }));
}

/** A host name that matches a pattern. */
export function exampleHost(pattern: string): string {
  if (pattern === '' || pattern === '*') return ANY_HOST;
  return pattern.replace(/^\*/, 'any').replace(/\*/g, 'any');
}

/** Texts that match an `exact`, `prefix` or `regex` condition, as Istio and Kuma write them. */
export function stringMatchSamples(match: Json | undefined): string[] {
  const exact = textOf(ownValue(match, 'exact')) ?? textOf(ownValue(match, 'prefix'));
  const regex = textOf(ownValue(match, 'regex'));
  if (exact !== undefined) return [exact];
  return regex === undefined ? [] : [sampleOf(regex) ?? '/'];
}

/** The paths of the `matches` of a rule, as the Gateway API and Kuma write them. */
export function matchedPaths(matches: Json | undefined): string[] {
  const paths = listOf(matches).map((match) => {
    const path = ownValue(match, 'path');
    const value = textOf(ownValue(path, 'value')) ?? '/';
    return ownValue(path, 'type') === 'RegularExpression' ? (sampleOf(value) ?? '/') : value;
  });
  return paths.length > 0 ? paths : ['/'];
}
