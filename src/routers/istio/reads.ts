import { type Manifest, ownValue, type World } from '../../core';
import { indexedBy } from '../../core/keyed';
import { fieldsOfSpec, nameOfKind, type ObjectSample, type RouteKind } from '../kinds';
import { candidatesAt, stringMatchSamples } from '../request-candidates';
import { listOf, textsOf, valueIn } from '../values';
import { DESTINATION_RULE, VIRTUAL_SERVICE } from './kinds';
import { gatewaysOf } from './virtual-service';

/** The kinds that make routes of Istio. */
export const ISTIO_READS: readonly RouteKind[] = [
  {
    ...VIRTUAL_SERVICE,
    hostsOf,
    candidatesOf: (manifest) => candidatesAt(hostsOf(manifest), [...matchedUris(manifest), '/']),
    rewrittenFields: fieldsOfSpec('http', 'tcp', 'tls'),
    samplesFor(service): readonly ObjectSample[] {
      const route = [{ destination: { host: service } }];
      const matched = { match: [{ uri: { prefix: '/shop' } }], route };
      const tls = [{ match: [{ port: 443, sniHosts: ['shop.example.com'] }], route }];
      return [
        { name: 'a VirtualService with one route', spec: { hosts: [service], http: [{ route }] } },
        { name: 'a VirtualService whose route has a match', spec: { hosts: [service], http: [matched] } },
        {
          name: 'a VirtualService that ends in a redirect',
          spec: { hosts: [service], http: [matched, { redirect: { uri: '/shop' } }] },
        },
        { name: 'a VirtualService with TLS routes only', spec: { hosts: [service], tls } },
      ];
    },
  },
  {
    ...DESTINATION_RULE,
    isDeclaration: true,
    rewrittenFields: fieldsOfSpec('subsets'),
    samplesFor: (service): readonly ObjectSample[] => [
      {
        name: 'a DestinationRule with a subset',
        spec: { host: service, subsets: [{ name: 'base', labels: { version: 'base' } }] },
      },
      {
        name: 'a DestinationRule without subsets',
        spec: { host: service, trafficPolicy: { loadBalancer: { simple: 'LEAST_REQUEST' } } },
      },
    ],
  },
];

function hostsOf({ object }: Manifest): readonly string[] {
  return textsOf(valueIn(object, 'spec', 'hosts'));
}

function matchedUris({ object }: Manifest): readonly string[] {
  return listOf(valueIn(object, 'spec', 'http'))
    .flatMap((rule) => listOf(ownValue(rule, 'match')))
    .flatMap((match) => stringMatchSamples(ownValue(match, 'uri')));
}

/** The VirtualServices of the mesh and of each Gateway, whether it lets them in or not. */
export function virtualServicesByGateway(world: World): readonly (readonly Manifest[])[] {
  return [...indexedBy(world.list(nameOfKind(VIRTUAL_SERVICE)), (manifest) => gatewaysOf(world, manifest)).values()];
}
