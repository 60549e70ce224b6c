/** Objects of `customNetworkRefs`, which the controller rewrites and puts back. */
import type { Finding } from '../../core/finding';
import { isJsonObject, type Json } from '../../core/json';
import type { Path } from '../../core/path';
import { formatPath } from '../../core/path';
import { defineRules } from '../../core/rule';
import { ORIGINAL_SPEC_ANNOTATION } from '../api';
import type { RolloutCheck, RolloutChecker } from './context';
import * as example from './examples';
import { customRollout, edit, yaml } from './examples';
import { source } from './sources';

const VIRTUAL_SERVICE = `apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: web, namespace: shop }
spec:
  hosts: [shop.example.com]
  http:
    - route: [{ destination: { host: web } }]
`;
const STACK = [
  customRollout('apiVersion: networking.istio.io/v1, kind: VirtualService, name: web'),
  example.DEPLOYMENT,
  example.SERVICE,
] as const;

/** Rules on rewritten objects. */
export const customObjectRules = defineRules({
  'kruise-original-spec-in-git': {
    severity: 'error',
    title: 'a manifest carries what the controller noted during some earlier release',
    because:
      'the controller takes the annotation for the state before the release: every release starts from this old spec ' +
      'and restores it at the end, over whatever the manifest says',
    fix: `remove the annotation ${ORIGINAL_SPEC_ANNOTATION}; it was probably copied from the cluster`,
    basis: 'run',
    sources: [source.custom],
    failing: yaml(
      ...STACK,
      edit(VIRTUAL_SERVICE, [
        'metadata: { name: web, namespace: shop }',
        `metadata:\n  name: web\n  namespace: shop\n  annotations:\n    ${ORIGINAL_SPEC_ANNOTATION}: '{"spec":{"hosts":["old.example.com"]}}'`,
      ]),
    ),
    corrected: yaml(...STACK, VIRTUAL_SERVICE),
  },

  'kruise-custom-spec-empty-value': {
    severity: 'warning',
    title: 'an empty object or list in the spec of an object that a script rewrites',
    because:
      'a script gets {} and [] as the same empty table, which comes back as null (as [] up to 0.5); the API server drops ' +
      'or refuses that, so the object never becomes what the controller wants and the step does not end. This is reasoned from the source',
    fix: 'leave the field out if it has a default, or give it a value',
    basis: 'inferred',
    sources: [source.custom],
    failing: yaml(...STACK, edit(VIRTUAL_SERVICE, ['    - route:', '    - corsPolicy: {}\n      route:'])),
    corrected: yaml(...STACK, VIRTUAL_SERVICE),
  },
});

/** Checks the objects that a release rewrites, and every object for what an earlier one left in it. */
export const checkCustomObjects: RolloutChecker = (check) => [...stale(check), ...emptyValues(check)];

function stale({ world, rollouts, routes }: RolloutCheck): Finding[] {
  // Without a Rollout or TrafficRouting the manifests belong to somebody else.
  if (rollouts.length === 0 && routes.length === 0) return [];
  return world.manifests
    .filter(({ annotations }) => annotations[ORIGINAL_SPEC_ANNOTATION] !== undefined)
    .map((manifest) =>
      manifest.finding(customObjectRules['kruise-original-spec-in-git'], {
        message: `the ${manifest.kind} "${manifest.name}" carries the annotation ${ORIGINAL_SPEC_ANNOTATION}`,
        path: ['metadata', 'annotations', ORIGINAL_SPEC_ANNOTATION],
      }),
    );
}

function emptyValues({ world, routes }: RolloutCheck): Finding[] {
  const objects = new Set(
    routes.flatMap(({ customNetworkRefs, namespace }) =>
      customNetworkRefs.flatMap(({ ref }) => world.get({ ...ref, namespace }) ?? []),
    ),
  );
  return [...objects].flatMap((manifest) =>
    emptyPlaces(manifest.get('spec') ?? null, ['spec']).map(({ path, value }) =>
      manifest.finding(customObjectRules['kruise-custom-spec-empty-value'], {
        message: `${formatPath(path)} is ${Array.isArray(value) ? '[]' : '{}'}, which no script can give back as it is`,
        path,
      }),
    ),
  );
}

function emptyPlaces(value: Json, path: Path): { readonly path: Path; readonly value: Json }[] {
  if (Array.isArray(value)) {
    return value.length === 0 ? [{ path, value }] : value.flatMap((item, index) => emptyPlaces(item, [...path, index]));
  }
  if (!isJsonObject(value)) return [];
  const entries = Object.entries(value);
  return entries.length === 0 ? [{ path, value }] : entries.flatMap(([key, item]) => emptyPlaces(item, [...path, key]));
}
