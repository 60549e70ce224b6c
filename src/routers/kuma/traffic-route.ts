/** TrafficRoute: a list of matches, tried in order, and a default. */
import { isJsonObject, type Json, type Manifest, ownValue, type Path, type World } from '../../core';
import { compileRegex } from '../../core/regex';
import { nameOfKind } from '../kinds';
import type { Candidate } from '../listener';
import { allOf, headerOf, methodOf, type RequestTest } from '../request';
import type { Answer } from '../router';
import { type Services, servicesAnswer } from '../services';
import { byAge, keyOf, listOf, numberOf, placedItems, textOf, valueIn } from '../values';
import { TRAFFIC_ROUTE } from './kinds';
import { destinationOf, type MeshService, SERVICE_TAG, taggedService, tagOf } from './services';

/** The TrafficRoute for a service: one that names the service comes before one for all services. */
export function trafficRouteFor(world: World, { ref, port }: MeshService): Manifest | undefined {
  const tags = [...(port === undefined ? [] : [tagOf(ref, port)]), ref.name];
  const ranked = byAge(world, world.list(nameOfKind(TRAFFIC_ROUTE))).flatMap((manifest) => {
    const destination = bestTag(valueIn(manifest.object, 'spec', 'destinations'), tags);
    if (destination === 0) return [];
    // Routes for certain clients come second, because the client is unknown.
    const source = bestTag(valueIn(manifest.object, 'spec', 'sources'), []);
    return [{ manifest, rank: destination * 2 + source }];
  });
  return ranked.sort((a, b) => b.rank - a.rank)[0]?.manifest;
}

/** 2 if a selector has one of the names, 1 if it has `*`, 0 otherwise. */
function bestTag(selectors: Json | undefined, names: readonly string[]): number {
  const ranks = listOf(selectors).map((selector) => {
    const tag = textOf(valueIn(selector, 'match', SERVICE_TAG)) ?? '*';
    return names.includes(tag) ? 2 : tag === '*' ? 1 : 0;
  });
  return Math.max(0, ...ranks);
}

/** The candidates of a TrafficRoute for the requests to a service. */
export function trafficRouteCandidates(
  world: World,
  services: Services,
  manifest: Manifest,
  asked: MeshService,
): readonly Candidate[] {
  const conf = ownValue(ownValue(manifest.object, 'spec'), 'conf');
  const namespace = world.namespaceOf(manifest);
  const make = (value: Json | undefined, path: Path, words: string, matches: RequestTest): Candidate => ({
    rule: { description: `TrafficRoute ${keyOf(world, manifest)}: ${words}`, manifest, path },
    matches,
    answer: answerOf(services, value, asked, namespace),
  });
  const entries = placedItems(ownValue(conf, 'http'), ['spec', 'conf', 'http']).map(({ value, at }) => {
    const conditions = conditionsOf(ownValue(value, 'match'));
    const words = conditions.map((condition) => condition.words).join(' and ') || 'any request';
    return make(value, at, words, allOf(conditions.map(({ test }) => test)));
  });
  return [...entries, make(conf, ['spec', 'conf'], 'what is left', () => true)];
}

function answerOf(services: Services, route: Json | undefined, asked: MeshService, namespace: string): Answer {
  const split = listOf(ownValue(route, 'split'));
  const entries = split.length === 0 ? [{ weight: 1, destination: ownValue(route, 'destination') ?? null }] : split;
  return servicesAnswer(
    entries.map((entry) => {
      const destination = ownValue(entry, 'destination');
      const weight = entries.length === 1 ? 1 : (numberOf(ownValue(entry, 'weight')) ?? 0);
      return destinationOf(services, taggedService(destination, asked, namespace), weight, destination);
    }),
  );
}

interface Condition {
  readonly words: string;
  readonly test: RequestTest;
}

function conditionsOf(match: Json | undefined): readonly Condition[] {
  const path = stringTest(ownValue(match, 'path'));
  const method = stringTest(ownValue(match, 'method'));
  const headers = ownValue(match, 'headers');
  return [
    ...(path === undefined ? [] : [{ words: `path ${path.words}`, test: pathTest(path.test) }]),
    ...(method === undefined ? [] : [{ words: `method ${method.words}`, test: methodTest(method.test) }]),
    ...(isJsonObject(headers) ? Object.entries(headers) : []).flatMap(([name, value]) => {
      const header = stringTest(value);
      if (header === undefined) return [];
      return [{ words: `header ${name} ${header.words}`, test: headerTest(name, header.test) }];
    }),
  ];
}

function pathTest(test: (text: string) => boolean): RequestTest {
  return ({ path }) => test(path);
}

function methodTest(test: (text: string) => boolean): RequestTest {
  return (request) => test(methodOf(request));
}

function headerTest(name: string, test: (text: string) => boolean): RequestTest {
  return (request) => {
    const value = headerOf(request, name);
    return value !== undefined && test(value);
  };
}

function stringTest(value: Json | undefined) {
  const exact = textOf(ownValue(value, 'exact'));
  if (exact !== undefined) return { words: `is "${exact}"`, test: (text: string) => text === exact };
  const prefix = textOf(ownValue(value, 'prefix'));
  if (prefix !== undefined)
    return { words: `begins with "${prefix}"`, test: (text: string) => text.startsWith(prefix) };
  const regex = textOf(ownValue(value, 'regex'));
  if (regex === undefined) return undefined;
  const compiled = compileRegex(regex, { whole: true });
  return { words: `matches ${regex}`, test: (text: string) => compiled?.(text) ?? false };
}
