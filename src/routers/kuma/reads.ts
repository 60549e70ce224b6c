import { type Manifest, ownValue } from '../../core';
import { fieldsOfSpec, type ObjectSample, type RouteKind } from '../kinds';
import { candidatesAt, matchedPaths, stringMatchSamples } from '../request-candidates';
import { listOf, textOf, textsOf, valueIn } from '../values';
import { MESH_HTTP_ROUTE, TRAFFIC_ROUTE } from './kinds';

/** The kinds that make routes of Kuma. */
export const KUMA_READS: readonly RouteKind[] = [
  {
    ...MESH_HTTP_ROUTE,
    hostsOf: servicesRouted,
    candidatesOf: ({ object }) =>
      listOf(valueIn(object, 'spec', 'to')).flatMap((to) =>
        candidatesAt(
          textsOf([valueIn(to, 'targetRef', 'name') ?? null]).map(meshHost),
          listOf(ownValue(to, 'rules')).flatMap((rule) => matchedPaths(ownValue(rule, 'matches'))),
        ),
      ),
    rewrittenFields: fieldsOfSpec('to'),
    samplesFor(service, port): readonly ObjectSample[] {
      const { 'kuma.io/service': name } = tagsOf(service, port);
      const matches = [{ path: { type: 'PathPrefix', value: '/' } }];
      const backendRefs = [{ kind: 'MeshService', name, weight: 100 }];
      const to = [{ targetRef: { kind: 'MeshService', name }, rules: [{ matches, default: { backendRefs } }] }];
      return [{ name: 'a MeshHTTPRoute with one rule', spec: { targetRef: { kind: 'Mesh' }, to } }];
    },
  },
  {
    ...TRAFFIC_ROUTE,
    hostsOf: (manifest) => destinationsOf(manifest),
    candidatesOf: (manifest) => candidatesAt(destinationsOf(manifest), [...matchedPathsOf(manifest), '/']),
    rewrittenFields: fieldsOfSpec('conf'),
    samplesFor(service, port): readonly ObjectSample[] {
      const destination = tagsOf(service, port);
      const spec = { sources: [{ match: { 'kuma.io/service': '*' } }], destinations: [{ match: destination }] };
      return [
        { name: 'a TrafficRoute with one destination', spec: { ...spec, conf: { destination } } },
        { name: 'a TrafficRoute with a split', spec: { ...spec, conf: { split: [{ weight: 100, destination }] } } },
      ];
    },
  },
];

/** The services whose requests a MeshHTTPRoute routes; those of a MeshGateway come for any host. */
function servicesRouted({ object }: Manifest): readonly string[] {
  if (valueIn(object, 'spec', 'targetRef', 'kind') === 'MeshGateway') return [];
  const names = listOf(valueIn(object, 'spec', 'to')).map((to) => textOf(valueIn(to, 'targetRef', 'name')));
  return names.every((name) => name !== undefined) ? names.map(meshHost) : [];
}

function destinationsOf({ object }: Manifest): readonly string[] {
  const tags = listOf(valueIn(object, 'spec', 'destinations')).map((item) => valueIn(item, 'match', 'kuma.io/service'));
  return tags.flatMap((tag) => textOf(tag) ?? []).map(meshHost);
}

function matchedPathsOf({ object }: Manifest): readonly string[] {
  return listOf(valueIn(object, 'spec', 'conf', 'http')).flatMap((item) =>
    stringMatchSamples(valueIn(item, 'match', 'path')),
  );
}

/** The host name by which clients in the mesh call a service; policies name its tag. */
function meshHost(service: string): string {
  return /_svc_\d+$/.test(service) ? `${service}.mesh` : service;
}

function tagsOf(service: string, port: number) {
  return { 'kuma.io/service': `${service}_shop_svc_${port}` };
}
