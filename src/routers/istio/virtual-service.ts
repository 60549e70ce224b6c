import { isJsonObject, type Json, type Manifest, ownValue, type Path, type World } from '../../core';
import { nameOfKind } from '../kinds';
import { type Candidate, fixedResponse } from '../listener';
import type { Answer, Ignored, RedirectAnswer } from '../router';
import { servicesAnswer } from '../services';
import { keyOf, listOf, nameOf, numberOf, placedItems, textOf, textsOf, valueIn } from '../values';
import type { Destinations } from './destinations';
import { VIRTUAL_SERVICE } from './kinds';
import { type CompiledMatch, compileMatches, type RouteContext } from './match';

/** A rule of a VirtualService at one gateway. */
export interface RouteCandidate extends Candidate {
  /** True when every request passes. */
  readonly isCatchAll: boolean;
}

/** The input of the compiler, and a callback for what it ignores. */
export interface CompileOptions {
  readonly world: World;
  readonly destinations: Destinations;
  readonly ignore: (ignored: Ignored) => void;
}

/** The gateways that a VirtualService is for: `mesh`, or Gateways as `namespace/name`. */
export function gatewaysOf(world: World, virtualService: Manifest): readonly string[] {
  const gateways = textsOf(valueIn(virtualService.object, 'spec', 'gateways'));
  if (gateways.length === 0) return ['mesh'];
  return gateways.map((gateway) => qualifyGateway(gateway, world.namespaceOf(virtualService)));
}

/** A Gateway's name with its namespace. */
function qualifyGateway(gateway: string, namespace: string): string {
  if (gateway === 'mesh') return gateway;
  return gateway.includes('/') ? gateway.replace(/^\.\//, `${namespace}/`) : `${namespace}/${gateway}`;
}

/** The rules of a VirtualService at one port of one gateway, up to the first that matches every request. */
export function compileVirtualService(
  virtualService: Manifest,
  context: RouteContext,
  options: CompileOptions,
): readonly RouteCandidate[] {
  const candidates: RouteCandidate[] = [];
  for (const { value: rule, at } of placedItems(valueIn(virtualService.object, 'spec', 'http'), ['spec', 'http'])) {
    for (const candidate of compileRule(virtualService, rule, at, context, options)) {
      candidates.push(candidate);
      if (candidate.isCatchAll) return candidates;
    }
  }
  return candidates;
}

function compileRule(
  manifest: Manifest,
  rule: Json,
  at: Path,
  context: RouteContext,
  options: CompileOptions,
): readonly RouteCandidate[] {
  const namespace = options.world.namespaceOf(manifest);
  const matches = compileMatches(ownValue(rule, 'match'), context, (gateway) => qualifyGateway(gateway, namespace));
  if (matches === undefined) return [];
  const delegate = ownValue(rule, 'delegate');
  if (isJsonObject(delegate)) return delegated(manifest, delegate, at, matches, context, options);
  const answer = answerOf(rule, namespace, context, options.destinations);
  return matches.map((match) => candidateOf(manifest, at, match, answer, options.world));
}

function candidateOf(
  manifest: Manifest,
  at: Path,
  { words, test, conditions, isCatchAll }: CompiledMatch,
  answer: Answer,
  world: World,
): RouteCandidate {
  const description = `VirtualService ${keyOf(world, manifest)} http[${at.at(-1)}]: ${words}`;
  return { rule: { description, manifest, path: at }, matches: test, conditions, answer, isCatchAll };
}

/** The rules of the delegate, a VirtualService without hosts, with the conditions of this rule. */
function delegated(
  root: Manifest,
  delegate: Json,
  at: Path,
  matches: readonly CompiledMatch[],
  context: RouteContext,
  options: CompileOptions,
): readonly RouteCandidate[] {
  const { world } = options;
  const name = nameOf(ownValue(delegate, 'name')) ?? '';
  const namespace = nameOf(ownValue(delegate, 'namespace')) ?? world.namespaceOf(root);
  const found = world.find(nameOfKind(VIRTUAL_SERVICE), name, namespace);
  if (found === undefined || listOf(valueIn(found.object, 'spec', 'hosts')).length > 0) {
    const why = `there is no VirtualService ${namespace}/${name} without hosts to delegate to`;
    options.ignore({ manifest: root, path: [...at, 'delegate'], reason: 'delegate-not-found', why });
    return [];
  }
  const rules = placedItems(valueIn(found.object, 'spec', 'http'), ['spec', 'http'])
    // Istio follows one delegate, not a chain of them.
    .filter(({ value }) => !isJsonObject(ownValue(value, 'delegate')))
    .flatMap(({ value, at: place }) => compileRule(found, value, place, context, options));
  return matches.flatMap((match) => rules.map((rule) => underMatch(match, rule)));
}

function underMatch(match: CompiledMatch, rule: RouteCandidate): RouteCandidate {
  const description = match.isCatchAll ? rule.rule.description : `${rule.rule.description} and ${match.words}`;
  return {
    rule: { ...rule.rule, description },
    matches: (request) => match.test(request) && rule.matches(request),
    conditions: [...match.conditions, ...(rule.conditions ?? [])],
    answer: rule.answer,
    isCatchAll: match.isCatchAll && rule.isCatchAll,
  };
}

function answerOf(rule: Json, namespace: string, context: RouteContext, destinations: Destinations): Answer {
  const abort = valueIn(rule, 'fault', 'abort');
  const status = numberOf(ownValue(abort, 'httpStatus'));
  if (status !== undefined && (numberOf(valueIn(abort, 'percentage', 'value')) ?? 0) >= 100)
    return fixedResponse(status);
  const redirect = ownValue(rule, 'redirect');
  if (isJsonObject(redirect)) return redirectAnswer(redirect);
  const direct = ownValue(rule, 'directResponse');
  if (isJsonObject(direct)) {
    return fixedResponse(numberOf(direct.status) ?? 0, textOf(valueIn(direct, 'body', 'string')));
  }
  const routes = listOf(ownValue(rule, 'route'));
  const weighted = routes.map((route) => {
    // A single destination gets all requests, whatever its weight.
    const weight = routes.length === 1 ? 1 : (numberOf(ownValue(route, 'weight')) ?? 0);
    return destinations.of(ownValue(route, 'destination'), weight, namespace, context.port);
  });
  return servicesAnswer(weighted);
}

function redirectAnswer(redirect: Json): RedirectAnswer {
  const scheme = nameOf(ownValue(redirect, 'scheme'));
  const host = nameOf(ownValue(redirect, 'authority'));
  const path = nameOf(ownValue(redirect, 'uri'));
  const port = numberOf(ownValue(redirect, 'port'));
  return {
    kind: 'redirect',
    statusCode: String(numberOf(ownValue(redirect, 'redirectCode')) || 301),
    ...(scheme === undefined ? {} : { protocol: scheme.toUpperCase() }),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port: String(port) }),
    ...(path === undefined ? {} : { path }),
  };
}
