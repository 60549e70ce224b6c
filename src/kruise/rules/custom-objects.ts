/** Checks objects in `customNetworkRefs`, which the controller rewrites and restores. */
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

/** Rules for rewritten objects. */
export const customObjectRules = defineRules({
  'kruise-original-spec-in-git': {
    severity: 'error',
    title: 'a manifest has the original spec that the controller stored in an earlier release',
    because:
      'the controller treats the annotation as the state before the release: every release starts from this old spec ' +
      'and restores it at the end, over the spec of the manifest',
    fix: `remove the annotation ${ORIGINAL_SPEC_ANNOTATION}; the manifest was probably copied from the cluster`,
    basis: 'run',
    rehearsedAs: ['rehearsal-requests-fail'],
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
    title: 'an object that a script rewrites has an empty object or list in its spec',
    because:
      'a script gets {} and [] as the same empty table, which it returns as null (as [] up to 0.5). The API server drops ' +
      'or refuses that, so the object never has the desired state and the step does not end. This is inferred from the source',
    fix: 'remove the field if it has a default, or set a value',
    basis: 'inferred',
    rehearsedAs: ['rehearsal-never-settles'],
    sources: [source.custom],
    failing: yaml(...STACK, edit(VIRTUAL_SERVICE, ['    - route:', '    - corsPolicy: {}\n      route:'])),
    corrected: yaml(...STACK, VIRTUAL_SERVICE),
  },
});

/** Checks the objects that a release rewrites, and all objects for a stored original of an earlier release. */
export const checkCustomObjects: RolloutChecker = (check) => [...stale(check), ...emptyValues(check)];

function stale({ world, rollouts, routes }: RolloutCheck): Finding[] {
  // Without a Rollout or TrafficRouting, the manifests do not use Kruise Rollouts.
  if (rollouts.length === 0 && routes.length === 0) return [];
  return world.manifests
    .filter(({ annotations }) => annotations[ORIGINAL_SPEC_ANNOTATION] !== undefined)
    .map((manifest) =>
      manifest.finding(customObjectRules['kruise-original-spec-in-git'], {
        message: `the ${manifest.kind} "${manifest.name}" has the annotation ${ORIGINAL_SPEC_ANNOTATION}`,
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
        message: `${formatPath(path)} is ${Array.isArray(value) ? '[]' : '{}'}, which a script cannot return unchanged`,
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
