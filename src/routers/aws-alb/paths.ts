import { utf8Length } from '../../core/bytes';
import type { Ingress, IngressPath } from '../ingress/ingress';
import { boolAnnotation } from './annotations';
import { BuildFailure } from './failure';

/** The patterns of a path in the load balancer. */
export interface PathPatterns {
  readonly values: readonly string[];
  readonly regexValues: readonly string[];
}

/**
 * The paths of one entry of `spec.rules` in the order of their rules: Exact, Prefix with the longest first,
 * ImplementationSpecific. Paths that are equal in this keep their order.
 * @throws BuildFailure
 */
export function sortPaths(paths: readonly IngressPath[]): readonly IngressPath[] {
  return paths
    .map((path) => ({ path, rank: rankOf(path), length: utf8Length(path.path) }))
    .sort((a, b) => a.rank - b.rank || (a.rank === PREFIX_RANK ? b.length - a.length : 0))
    .map(({ path }) => path);
}

/**
 * The patterns of a path of an Ingress; none for the empty path.
 * @param knowsRegex whether the release supports regular expressions
 * @throws BuildFailure
 */
export function pathPatterns(ingress: Ingress, { path, pathType, at }: IngressPath, knowsRegex: boolean): PathPatterns {
  if (path === '') return { values: [], regexValues: [] };
  switch (pathType) {
    case 'Exact':
      if (hasWildcard(path)) throw wildcard('exact', path, [...at, 'path']);
      return { values: [path], regexValues: [] };
    case 'Prefix':
      if (path === '/') return { values: ['/*'], regexValues: [] };
      if (hasWildcard(path)) throw wildcard('prefix', path, [...at, 'path']);
      return { values: prefixPatterns(path), regexValues: [] };
    default:
      // Kubernetes requires paths to begin with a slash, which is not part of the expression.
      return knowsRegex && usesRegex(ingress)
        ? { values: [], regexValues: [path.slice(1)] }
        : { values: [path], regexValues: [] };
  }
}

const PREFIX_RANK = 1;

function rankOf({ path, pathType, at }: IngressPath): number {
  switch (pathType) {
    case 'Exact':
      return 0;
    case 'Prefix':
      return PREFIX_RANK;
    case 'ImplementationSpecific':
    case undefined:
      return 2;
    default:
      throw new BuildFailure('path-type', `unknown pathType for path ${path}`, undefined, [...at, 'pathType']);
  }
}

function prefixPatterns(path: string): readonly string[] {
  const prefix = path.endsWith('/') ? path.slice(0, -1) : path;
  return [prefix, `${prefix}/*`];
}

function usesRegex({ annotations }: Ingress): boolean {
  return boolAnnotation(annotations, 'use-regex-path-match', 'bool-annotation') ?? false;
}

function hasWildcard(path: string): boolean {
  return /[*?]/.test(path);
}

function wildcard(type: string, path: string, at: IngressPath['at']): BuildFailure {
  return new BuildFailure('path-wildcard', `${type} path shouldn't contain wildcards: ${path}`, undefined, at);
}
