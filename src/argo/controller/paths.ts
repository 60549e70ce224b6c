/** The controller's changes to `spec.rules` of an Ingress. These functions fail where Go panics. */

import type { Json, JsonObject } from '../../core/json';
import { asList, asObject, asText, partOf } from '../../core/json';
import { USE_ANNOTATION } from '../../routers/ingress/alb-annotations';
import { nilPointer, outOfRange } from './failure';

/** `spec.rules` of an Ingress. */
export type IngressRules = readonly Json[];

/**
 * Whether a path routes to a Service with this name.
 * @throws Stopped on a path to another kind of backend, unless an earlier path routes to the Service
 */
export function hasRuleWithService(rules: IngressRules, service: string): boolean {
  return rules.some((rule, index) => {
    const http = partOf(asObject(rule), 'http');
    if (http === undefined) return false;
    return asList(http.paths).some((path, position) => serviceOf(path, index, position) === service);
  });
}

/**
 * Adds a path to an action at the start of every rule, regardless of its host and Services.
 * @throws Stopped on a rule without paths
 */
export function withActionPath(rules: IngressRules, action: string): IngressRules {
  const path = {
    path: '/*',
    pathType: 'ImplementationSpecific',
    backend: { service: { name: action, port: { name: USE_ANNOTATION } } },
  };
  return withPaths(rules, (paths, index) => {
    if (paths.length === 0) throw outOfRange('[:1] with capacity 0', `spec.rules[${index}].http.paths`);
    return [path, ...paths];
  });
}

/**
 * Removes the first path to a Service from every rule.
 * @throws Stopped on a rule without `http`
 */
export function withoutServicePath(rules: IngressRules, service: string): IngressRules {
  return withPaths(rules, (paths, index) => {
    const found = paths.findIndex((path, position) => serviceOf(path, index, position) === service);
    return found === -1 ? paths : paths.filter((_, position) => position !== found);
  });
}

/**
 * Sorts the paths of managed routes first, in the order of `managedRoutes`; other paths keep their order.
 * @throws Stopped on a rule without `http`
 */
export function sortedByManagedRoutes(rules: IngressRules, managedRoutes: readonly string[]): IngressRules {
  const ranks = new Map(managedRoutes.map((name, index) => [name, index]));
  return withPaths(rules, (paths, index) => {
    if (paths.length < 2) return paths;
    const rankOf = (service: string) => ranks.get(service) ?? ranks.size;
    return paths
      .map((path, position) => ({ path, rank: rankOf(serviceOf(path, index, position)) }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ path }) => path);
  });
}

function withPaths(rules: IngressRules, change: (paths: readonly Json[], index: number) => readonly Json[]) {
  return rules.map((rule, index): JsonObject => {
    const object = asObject(rule);
    const http = partOf(object, 'http');
    if (http === undefined) throw nilPointer(`spec.rules[${index}].http`);
    const before = asList(http.paths);
    const paths = change(before, index);
    return paths === before ? object : { ...object, http: { ...http, paths } };
  });
}

function serviceOf(path: Json, rule: number, position: number): string {
  const service = partOf(partOf(asObject(path), 'backend'), 'service');
  if (service === undefined) throw nilPointer(`spec.rules[${rule}].http.paths[${position}].backend.service`);
  return asText(service.name);
}
