import { type Json, type Manifest, ownValue } from '../../core';
import { fieldsOfSpec, type RouteKind } from '../kinds';
import { candidatesAt } from '../request-candidates';
import { sampleOf } from '../samples';
import { listOf, textOf, textsOf, valueIn } from '../values';
import { HTTP_PROXY } from './kinds';

/** The kind that makes routes of Contour. */
export const CONTOUR_READS: readonly RouteKind[] = [
  {
    ...HTTP_PROXY,
    hostsOf,
    candidatesOf: (manifest) =>
      candidatesAt(
        hostsOf(manifest),
        listOf(valueIn(manifest.object, 'spec', 'routes')).map((route) => {
          const conditions = listOf(ownValue(route, 'conditions'));
          return conditions.map(pathIn).join('') || '/';
        }),
      ),
    rewrittenFields: fieldsOfSpec('routes'),
    samplesFor: (service, port) => [
      {
        name: 'an HTTPProxy with one route',
        spec: {
          virtualhost: { fqdn: 'shop.example.com' },
          routes: [{ conditions: [{ prefix: '/' }], services: [{ name: service, port }] }],
        },
      },
    ],
  },
];

/** A path that a condition matches. */
function pathIn(condition: Json): string {
  const regex = textOf(ownValue(condition, 'regex'));
  const expression = regex === undefined ? undefined : sampleOf(regex);
  return textOf(ownValue(condition, 'prefix')) ?? textOf(ownValue(condition, 'exact')) ?? expression ?? '';
}

function hostsOf({ object }: Manifest): readonly string[] {
  return textsOf([valueIn(object, 'spec', 'virtualhost', 'fqdn') ?? null]);
}
