/** What the cases at random are made of. */
import fc from 'fast-check';
import type { KubernetesObject } from '../../cluster/api';

/** Routes for a host, and the paths, headers and parameters that they name. */
export interface Routes {
  readonly objects: readonly KubernetesObject[];
  readonly hosts: readonly string[];
  readonly paths: readonly string[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly queries: readonly (readonly [name: string, value: string])[];
}

/** Routes at random, for a host and with names of their own. */
export type RoutesOf = (host: string, name: string) => fc.Arbitrary<Routes>;

/** Mostly undefined. */
export function rarely<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq: 2 });
}

/** Paths whose prefixes overlap. */
export const PATHS = ['/', '/a', '/a/', '/a/b', '/a/b/c', '/ab', '/A', '/cart', '/cart/pay'] as const;
export const PATH_PATTERNS = ['/a/.*', '/a.*', '/[a-z]+', '/cart/[a-z]+', '/(a|b)/[0-9]*', '.*/pay', '/a'] as const;
export const HEADERS: readonly (readonly [string, string])[] = [
  ['x-user', '42'],
  ['x-user', '4'],
  ['x-beta', 'true'],
  ['User-Agent', 'pc'],
];
export const VALUE_PATTERNS = ['[0-9]+', '4.*', 'a|b', '^4', 'true$', '.*', '.+'] as const;
export const QUERIES: readonly (readonly [string, string])[] = [
  ['v', '2'],
  ['v', '1'],
  ['q', 'a'],
];
