/** MeshHTTPRoute: rules for the requests to a service, the most specific match first. */
import { isJsonObject, type Json, type Manifest, ownValue, type World } from '../../core';
import { addTo, groupedBy } from '../../core/grouped';
import { compareRanks, compileMatches, type MatchOptions, type MatchRank } from '../http-route/matches';
import { redirectAnswer } from '../http-route/redirect';
import { nameOfKind } from '../kinds';
import type { Candidate } from '../listener';
import type { Answer } from '../router';
import { type Services, servicesAnswer } from '../services';
import {
  byAge,
  compareText,
  keyOf,
  listOf,
  nameOf,
  numberOf,
  type Placed,
  placedItems,
  textOf,
  textsOf,
  valueIn,
} from '../values';
import { MESH_HTTP_ROUTE } from './kinds';
import { destinationOf, type MeshService, meshService } from './services';

/** A rule and its matches. Rules of several policies with the same matches are merged. */
interface PolicyRule {
  readonly manifest: Manifest;
  readonly placed: Placed;
}

/** An entry of `spec.to` with its policy. */
export interface RouteTarget {
  readonly manifest: Manifest;
  readonly to: Placed;
}

/** All entries of `spec.to`. Policies for the whole mesh come first, so that later policies can replace their rules. */
export function routeTargets(world: World): readonly RouteTarget[] {
  const manifests = byAge(world, world.list(nameOfKind(MESH_HTTP_ROUTE))).map((manifest, index) => ({
    manifest,
    index,
    rank: TARGET_ORDER.indexOf(targetKind(manifest)),
  }));
  return manifests
    .sort((a, b) => a.rank - b.rank || b.index - a.index)
    .flatMap(({ manifest }) =>
      placedItems(valueIn(manifest.object, 'spec', 'to'), ['spec', 'to']).map((to) => ({ manifest, to })),
    );
}

const TARGET_ORDER = ['Mesh', 'MeshGateway', 'MeshSubset', 'Dataplane', 'MeshService', 'MeshServiceSubset'];

/** The kind of the policy's target. */
export function targetKind(manifest: Manifest): string {
  return textOf(valueIn(manifest.object, 'spec', 'targetRef', 'kind')) ?? 'Mesh';
}

/** Entries by their service. */
export class TargetIndex {
  private readonly byService = new Map<string, { readonly target: RouteTarget; readonly port: number | undefined }[]>();

  constructor(world: World, targets: readonly RouteTarget[]) {
    for (const target of targets) {
      const reference = ownValue(target.to.value, 'targetRef');
      if (ownValue(reference, 'kind') !== 'MeshService') continue;
      const namespace = nameOf(ownValue(reference, 'namespace')) ?? world.namespaceOf(target.manifest);
      const { ref, port } = meshService(textOf(ownValue(reference, 'name')) ?? '', namespace);
      const section = Number(
        nameOf(ownValue(reference, 'sectionName')) ?? numberOf(ownValue(reference, 'port')) ?? Number.NaN,
      );
      const key = `${ref.namespace}/${ref.name}`;
      const wanted = port ?? (Number.isNaN(section) ? undefined : section);
      addTo(this.byService, key, { target, port: wanted });
    }
  }

  /** The entries for a port of a Service; entries without a port apply to all ports. */
  for({ ref, port }: MeshService): readonly RouteTarget[] {
    const entries = this.byService.get(`${ref.namespace}/${ref.name}`) ?? [];
    return entries.filter((entry) => (entry.port ?? port) === port).map(({ target }) => target);
  }
}

/** The candidates of these entries. Rules without backends forward to the requested service. */
export function routeCandidates(
  world: World,
  services: Services,
  targets: readonly RouteTarget[],
  asked: MeshService | undefined,
): readonly Candidate[] {
  const byMatches = new Map<string, PolicyRule>();
  for (const { manifest, to } of targets) {
    for (const placed of placedItems(ownValue(to.value, 'rules'), [...to.at, 'rules'])) {
      const key = JSON.stringify(ownValue(placed.value, 'matches') ?? null);
      // A later policy replaces the rule of an earlier one, in the same position.
      byMatches.set(key, { manifest, placed });
    }
  }
  return [...byMatches.values()]
    .flatMap((rule) => ruleCandidates(world, services, rule, asked))
    .sort((a, b) => compareRanks(a.rank, b.rank));
}

const KUMA: MatchOptions = { repeatedHeaders: true, pathlessLast: true };

function ruleCandidates(
  world: World,
  services: Services,
  { manifest, placed: { value, at } }: PolicyRule,
  asked: MeshService | undefined,
): readonly (Candidate & { readonly rank: MatchRank })[] {
  const answer = answerOf(world, services, manifest, ownValue(value, 'default'), asked);
  // A rule whose weights are all 0 makes no route.
  if (answer === undefined) return [];
  return compileMatches(ownValue(value, 'matches'), KUMA).map(({ words, test, rank }) => ({
    rule: { description: `MeshHTTPRoute ${keyOf(world, manifest)}: ${words}`, manifest, path: at },
    matches: test,
    answer,
    rank,
  }));
}

function answerOf(
  world: World,
  services: Services,
  manifest: Manifest,
  defaults: Json | undefined,
  asked: MeshService | undefined,
): Answer | undefined {
  const filters = listOf(ownValue(defaults, 'filters'));
  const redirect = filters.find((filter) => ownValue(filter, 'type') === 'RequestRedirect');
  if (redirect !== undefined) return redirectAnswer(ownValue(redirect, 'requestRedirect'));
  const refs = ownValue(defaults, 'backendRefs');
  if (refs === undefined) return asked && servicesAnswer([destinationOf(services, asked, 1, undefined)]);
  const home = world.namespaceOf(manifest);
  const destinations = listOf(refs).flatMap((ref) => {
    const weight = numberOf(ownValue(ref, 'weight')) ?? 1;
    if (weight <= 0) return [];
    const kind = textOf(ownValue(ref, 'kind')) ?? 'MeshService';
    const name = textOf(ownValue(ref, 'name')) ?? '';
    const namespace = nameOf(ownValue(ref, 'namespace')) ?? home;
    if (kind !== 'MeshService' && kind !== 'MeshServiceSubset')
      return [{ target: `${kind} ${namespace}/${name}`, weight }];
    const named = meshService(name, namespace);
    const service = { ref: named.ref, port: named.port ?? numberOf(ownValue(ref, 'port')) };
    return [destinationOf(services, service, weight, ownValue(ref, 'tags'))];
  });
  return destinations.length === 0 ? undefined : servicesAnswer(destinations);
}

/** The gateways that policies target, with the entries of each. */
export function gatewayTargets(world: World): ReadonlyMap<string, readonly RouteTarget[]> {
  const targets = routeTargets(world)
    .filter(({ manifest }) => targetKind(manifest) === 'MeshGateway')
    .sort((a, b) => compareText(keyOf(world, a.manifest), keyOf(world, b.manifest)));
  return groupedBy(targets, ({ manifest }) => textOf(valueIn(manifest.object, 'spec', 'targetRef', 'name')) ?? '');
}

/** The hosts of an entry; all hosts if it names none. */
export function hostnamesOf({ to }: RouteTarget): readonly string[] {
  const hostnames = textsOf(isJsonObject(to.value) ? to.value.hostnames : undefined);
  return hostnames.length === 0 ? ['*'] : hostnames;
}
