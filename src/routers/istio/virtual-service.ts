import { isJsonObject, type Json, type Manifest, ownValue, type Path, type World } from '../../core';
import { remembered } from '../../core/remembered';
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

/** A rule before the Services of a World are looked up. */
export interface CompiledRule extends Omit<RouteCandidate, 'answer'> {
  readonly answer: (destinations: Destinations) => Answer;
}

/** The rules of a VirtualService at one port of one gateway, and what is ignored of it there. */
export interface CompiledService {
  readonly rules: readonly CompiledRule[];
  readonly ignored: readonly Ignored[];
}

/** The input of the compiler, and a list for what it ignores. */
interface CompileOptions {
  readonly world: World;
  readonly ignored: Ignored[];
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
export function compileVirtualService(manifest: Manifest, context: RouteContext, world: World): CompiledService {
  const rules = listOf(valueIn(manifest.object, 'spec', 'http'));
  // A delegate is another object, which may change.
  if (rules.some((rule) => isJsonObject(ownValue(rule, 'delegate')))) return compile(manifest, context, world);
  const { gateway, port, scheme, headers } = context;
  const known = compiledWith(headers)(manifest);
  const place = JSON.stringify([world.namespaceOf(manifest), gateway, port, scheme]);
  const compiled = known.get(place) ?? compile(manifest, context, world);
  known.set(place, compiled);
  return compiled;
}

/** What VirtualServices without delegates are at each gateway. */
const compiledWith = remembered((_headers: RouteContext['headers']) =>
  remembered((_manifest: Manifest) => new Map<string, CompiledService>()),
);

function compile(virtualService: Manifest, context: RouteContext, world: World): CompiledService {
  const rules: CompiledRule[] = [];
  const ignored: Ignored[] = [];
  for (const { value: rule, at } of placedItems(valueIn(virtualService.object, 'spec', 'http'), ['spec', 'http'])) {
    for (const compiled of compileRule(virtualService, rule, at, context, { world, ignored })) {
      rules.push(compiled);
      if (compiled.isCatchAll) return { rules, ignored };
    }
  }
  return { rules, ignored };
}

function compileRule(
  manifest: Manifest,
  rule: Json,
  at: Path,
  context: RouteContext,
  options: CompileOptions,
): readonly CompiledRule[] {
  const namespace = options.world.namespaceOf(manifest);
  const matches = compileMatches(ownValue(rule, 'match'), context, (gateway) => qualifyGateway(gateway, namespace));
  if (matches === undefined) return [];
  const delegate = ownValue(rule, 'delegate');
  if (isJsonObject(delegate)) return delegated(manifest, delegate, at, matches, context, options);
  const answer = (destinations: Destinations) => answerOf(rule, namespace, context, destinations);
  return matches.map((match) => ruleOf(manifest, at, match, answer, options.world));
}

function ruleOf(
  manifest: Manifest,
  at: Path,
  { words, test, conditions, isCatchAll }: CompiledMatch,
  answer: CompiledRule['answer'],
  world: World,
): CompiledRule {
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
): readonly CompiledRule[] {
  const { world, ignored } = options;
  const name = nameOf(ownValue(delegate, 'name')) ?? '';
  const namespace = nameOf(ownValue(delegate, 'namespace')) ?? world.namespaceOf(root);
  const found = world.find(nameOfKind(VIRTUAL_SERVICE), name, namespace);
  if (found === undefined || listOf(valueIn(found.object, 'spec', 'hosts')).length > 0) {
    const why = `there is no VirtualService ${namespace}/${name} without hosts to delegate to`;
    ignored.push({ manifest: root, path: [...at, 'delegate'], reason: 'delegate-not-found', why });
    return [];
  }
  const rules = placedItems(valueIn(found.object, 'spec', 'http'), ['spec', 'http'])
    // Istio follows one delegate, not a chain of them.
    .filter(({ value }) => !isJsonObject(ownValue(value, 'delegate')))
    .flatMap(({ value, at: place }) => compileRule(found, value, place, context, options));
  return matches.flatMap((match) => rules.map((rule) => underMatch(match, rule)));
}

function underMatch(match: CompiledMatch, rule: CompiledRule): CompiledRule {
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
