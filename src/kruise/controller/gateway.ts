/** The gateway provider: rewrites the rules of an HTTPRoute in place, without a stored original. */

import { goJson } from '../../core/go-json';
import type { JsonObject } from '../../core/json';
import { asList, asObject, compact } from '../../core/json';
import type { HttpRouteMatch } from '../api';
import { type Routing, trafficWeight } from '../routing';
import type { RoutedServices } from './canary-ingress';

type Rule = JsonObject;

/** One step for the gateway provider. */
export type GatewayRouting = RoutedServices & Pick<Routing, 'strategy'>;

/** One reconcile: returns the changed HTTPRoute, or undefined if its rules are already correct. */
export function ensureGatewayRoutes(httpRoute: JsonObject, routing: GatewayRouting): JsonObject | undefined {
  const rules = rulesOf(httpRoute);
  const desired =
    (routing.strategy.matches?.length ?? 0) > 0
      ? rulesByMatches(rules, routing.strategy.matches ?? [], routing)
      : rulesByWeight(rules, trafficWeight(routing.strategy), routing);
  return goJson(desired) === goJson(rules) ? undefined : withRules(httpRoute, desired);
}

/** Ends a rollout: removes the canary Service and sets the stable Service's weight to 1, regardless of its original weight. */
export function finaliseGateway(httpRoute: JsonObject, services: RoutedServices): JsonObject {
  return withRules(httpRoute, restoredRules(rulesOf(httpRoute), services));
}

function restoredRules(rules: readonly Rule[], { stableService, canaryService }: RoutedServices): Rule[] {
  return rules.flatMap((rule) => {
    const others = refsOf(rule).filter((ref) => !isService(ref, canaryService));
    const first = others.findIndex((ref) => isService(ref, stableService));
    const refs = others.map((ref, index) => (index === first ? { ...ref, weight: 1 } : ref));
    return refs.length === 0 ? [] : [{ ...rule, backendRefs: refs }];
  });
}

/** What the controller writes at the end of a rollout. */
export interface RestoredRoute {
  /** Undefined if the rules already are as they should be, or as the API server keeps them. */
  readonly httpRoute?: JsonObject;
  /** Whether the controller wants no rule, which the API server never keeps: it tries again for ever. */
  readonly isEmptied: boolean;
}

/** Takes the canary out of an HTTPRoute. */
export function restoredHttpRoute(httpRoute: JsonObject, services: RoutedServices): RestoredRoute {
  const rules = rulesOf(httpRoute);
  const wanted = restoredRules(rules, services);
  const restored = withRules(httpRoute, wanted);
  const isKept = goJson(rulesOf(restored)) === goJson(rules);
  return { isEmptied: wanted.length === 0 && rules.length > 0, ...(isKept ? {} : { httpRoute: restored }) };
}

/** Appends a canary rule for each rule of the stable Service, with the matches of both the rule and the step. */
function rulesByMatches(rules: readonly Rule[], matches: readonly HttpRouteMatch[], services: RoutedServices): Rule[] {
  let ofPaths: readonly HttpRouteMatch[] = matches.filter(({ path }) => path !== undefined);
  const others = matches.filter(({ path }) => path === undefined);
  const stable = rules.filter((rule) => refTo(rule, services.canaryService) === undefined);
  const canaries: Rule[] = [];
  for (const rule of stable) {
    const ref = refTo(rule, services.stableService);
    if (ref === undefined) continue;
    const added: JsonObject[] = ofPaths.map(({ path, headers, queryParams }) => asJson({ path, headers, queryParams }));
    // A match on a path does not depend on the rule, so only the first rule adds it.
    ofPaths = [];
    if (added.length === 0 && others.length === 0) continue;
    for (const base of asList(rule.matches).map(asObject)) {
      // The controller counts the matches without a path, but indexes into the list of all matches.
      for (const index of others.keys()) added.push(combined(base, matches[index]!));
    }
    canaries.push({ ...rule, backendRefs: [{ ...ref, name: services.canaryService }], matches: added });
  }
  return [...stable, ...canaries];
}

function combined(base: JsonObject, { headers = [], queryParams = [] }: HttpRouteMatch): JsonObject {
  return asJson({
    ...base,
    headers: headers.length > 0 ? [...asList(base.headers), ...headers] : base.headers,
    queryParams: queryParams.length > 0 ? [...asList(base.queryParams), ...queryParams] : base.queryParams,
  });
}

function rulesByWeight(rules: readonly Rule[], weight: number, services: RoutedServices): Rule[] {
  return rules.map((rule) => {
    const stable = refTo(rule, services.stableService);
    if (stable === undefined) return rule;
    const canary = refTo(rule, services.canaryService) ?? { ...stable, name: services.canaryService };
    const refs = withRef(refsOf(rule), { ...stable, weight: 100 - weight });
    return { ...rule, backendRefs: withRef(refs, { ...canary, weight }) };
  });
}

function withRef(refs: readonly JsonObject[], ref: JsonObject): JsonObject[] {
  const at = refs.findIndex((other) => isService(other, ref.name as string));
  return at < 0 ? [...refs, ref] : refs.map((other, index) => (index === at ? ref : other));
}

function refTo(rule: Rule, service: string): JsonObject | undefined {
  return refsOf(rule).find((ref) => isService(ref, service));
}

function refsOf(rule: Rule): JsonObject[] {
  return asList(rule.backendRefs).map(asObject);
}

function isService(ref: JsonObject, name: string): boolean {
  return ref.kind === 'Service' && ref.name === name;
}

/** The rules with the defaults of the CRD, as the controller reads them. */
function rulesOf(httpRoute: JsonObject): Rule[] {
  const rules = asList(asObject(httpRoute.spec).rules);
  return (rules.length > 0 ? rules : [{}]).map((value) => {
    const rule = asObject(value);
    const refs = asList(rule.backendRefs).map((ref) => ({ group: '', kind: 'Service', weight: 1, ...asObject(ref) }));
    const matches = asList(rule.matches);
    return asJson({
      ...rule,
      backendRefs: refs.length > 0 ? refs : undefined,
      matches: (matches.length > 0 ? matches : [{}]).map(defaultedMatch),
    });
  });
}

function defaultedMatch(value: unknown): JsonObject {
  const match = asObject(value);
  const typed = (list: unknown) =>
    Array.isArray(list) ? list.map((item) => ({ type: 'Exact', ...asObject(item) })) : undefined;
  return asJson({
    ...match,
    path: { type: 'PathPrefix', value: '/', ...asObject(match.path) },
    headers: typed(match.headers),
    queryParams: typed(match.queryParams),
  });
}

/** The API server fills in one rule where none is left; it leads nowhere. */
function withRules(httpRoute: JsonObject, rules: readonly Rule[]): JsonObject {
  const filled = rules.length > 0 ? rules : [{ matches: [defaultedMatch({})] }];
  return { ...httpRoute, spec: { ...asObject(httpRoute.spec), rules: filled } };
}

function asJson(object: object): JsonObject {
  return compact(object) as JsonObject;
}
