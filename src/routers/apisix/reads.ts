import { type Manifest, ownValue } from '../../core';
import { fieldsOfSpec, placeAt, type RouteKind } from '../kinds';
import { candidatesAt } from '../request-candidates';
import { sampleOfGlob } from '../samples';
import { listOf, objectOf, textsOf, valueIn } from '../values';
import { APISIX_ROUTE, APISIX_UPSTREAM } from './kinds';

/** The kinds that make routes of APISIX. */
export const APISIX_READS: readonly RouteKind[] = [
  {
    ...APISIX_ROUTE,
    hostsOf: (manifest) => matchesOf(manifest).flatMap((match) => textsOf(ownValue(match, 'hosts'))),
    placeOf: (manifest) => {
      const { http: _http, ...besides } = objectOf(valueIn(manifest.object, 'spec')) ?? {};
      const paths = matchesOf(manifest).flatMap((match) => textsOf(ownValue(match, 'paths')));
      return placeAt(
        paths.map((path) => path.replace(/\*$/, '')),
        besides,
      );
    },
    candidatesOf: (manifest) =>
      matchesOf(manifest).flatMap((match) =>
        candidatesAt(textsOf(ownValue(match, 'hosts')), textsOf(ownValue(match, 'paths')).map(sampleOfGlob)),
      ),
    rewrittenFields: fieldsOfSpec('http'),
    samplesFor: (service, port) => [
      {
        name: 'an ApisixRoute with one rule',
        spec: {
          http: [
            {
              name: service,
              match: { hosts: ['shop.example.com'], paths: ['/*'] },
              backends: [{ serviceName: service, servicePort: port }],
            },
          ],
        },
      },
    ],
  },
  APISIX_UPSTREAM,
];

function matchesOf({ object }: Manifest) {
  return listOf(valueIn(object, 'spec', 'http')).map((rule) => ownValue(rule, 'match'));
}
