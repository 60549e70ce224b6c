/** Checks that the objects that a Rollout names exist. */
import { severityOfAbsence } from '../../core/absence';
import { didYouMean } from '../../core/did-you-mean';
import type { Finding, ObjectRef } from '../../core/finding';
import { groupKindOf, type Manifest } from '../../core/manifest';
import type { Path } from '../../core/path';
import { defineRules } from '../../core/rule';
import { API_GROUP, TRAFFIC_ROUTING_ANNOTATION } from '../api';
import type { RouteSubject } from '../subject';
import { listed, type RolloutCheck, type RolloutChecker } from './context';
import { DEPLOYMENT, edit, INGRESS, ROLLOUT, SERVICE, yaml } from './examples';
import { source } from './sources';

/** Rules for references. */
export const referenceRules = defineRules({
  'kruise-reference-missing': {
    severity: 'error',
    title: 'a Rollout or TrafficRouting names an object that does not exist',
    because:
      'the controller looks for the object in the namespace of the Rollout. While it is missing, the release waits, and only ' +
      "the controller's log gives the reason",
    fix: 'correct the name, add the object, or declare it as external',
    basis: 'read',
    sources: [source.manager, source.ingress, source.gateway, source.custom],
    failing: yaml(edit(ROLLOUT, ['service: web', 'service: wbe']), DEPLOYMENT, SERVICE, INGRESS),
    corrected: yaml(ROLLOUT, DEPLOYMENT, SERVICE, INGRESS),
  },
});

const rule = referenceRules['kruise-reference-missing'];

/** A reference from one object to another. */
interface Reference {
  readonly from: Manifest;
  readonly path: Path;
  readonly ref: ObjectRef & { readonly namespace: string };
}

/**
 * Checks that referenced objects exist. A missing object is an error if the World has other objects of that kind and
 * namespace, and a warning if it has other objects in the namespace. Otherwise a single note lists the references that
 * were not checked.
 */
export const checkReferences: RolloutChecker = (check) => {
  const missing = referencesOf(check).filter(
    ({ ref }) => ref.name !== '' && check.world.get(ref) === undefined && !check.isExternal(ref),
  );
  const known = missing.filter(({ ref }) => holdsOthers(check, ref.namespace));
  const unknown = missing.filter((reference) => !known.includes(reference));
  return [...known.map((reference) => finding(check, reference)), ...notes(unknown)];
};

function referencesOf({ rollouts, routes }: RolloutCheck): Reference[] {
  const workloads = rollouts.flatMap(({ manifest, namespace, workload }): Reference[] =>
    workload === undefined
      ? []
      : [{ from: manifest, path: [...workload.path, 'name'], ref: { ...workload.ref, namespace } }],
  );
  const annotated = rollouts.flatMap(({ manifest, namespace }): Reference[] => {
    const name = manifest.annotations[TRAFFIC_ROUTING_ANNOTATION];
    if (name === undefined) return [];
    const ref = { apiVersion: `${API_GROUP}/v1alpha1`, kind: 'TrafficRouting', namespace, name };
    return [{ from: manifest, path: ['metadata', 'annotations', TRAFFIC_ROUTING_ANNOTATION], ref }];
  });
  return [...workloads, ...annotated, ...routes.flatMap(referencesOfRoute)];
}

function referencesOfRoute({ manifest, namespace, path, ...route }: RouteSubject): Reference[] {
  const { service, ingress, gateway, customNetworkRefs } = route;
  const reference = (at: Path, apiVersion: string, kind: string, name: string): Reference => ({
    from: manifest,
    path: at,
    ref: { apiVersion, kind, namespace, name },
  });
  return [
    reference([...path, 'service'], 'v1', 'Service', service),
    ...(ingress ? [reference([...ingress.path, 'name'], 'networking.k8s.io/v1', 'Ingress', ingress.name)] : []),
    ...(gateway
      ? [
          reference(
            [...gateway.path, 'httpRouteName'],
            'gateway.networking.k8s.io/v1',
            'HTTPRoute',
            gateway.httpRouteName,
          ),
        ]
      : []),
    ...customNetworkRefs.map(({ path: at, ref }) => reference([...at, 'name'], ref.apiVersion, ref.kind, ref.name)),
  ];
}

function holdsOthers({ world }: RolloutCheck, namespace: string): boolean {
  return world.inNamespace(namespace).some(({ group }) => group !== API_GROUP);
}

function finding({ world }: RolloutCheck, { from, path, ref }: Reference): Finding {
  const sameKind = world.list(groupKindOf(ref.kind, ref.apiVersion ?? ''));
  const here = sameKind.filter((manifest) => world.namespaceOf(manifest) === ref.namespace);
  const elsewhere = sameKind.find((manifest) => manifest.name === ref.name);
  const meant = didYouMean(
    ref.name,
    here.map(({ name }) => name),
  );
  return from.finding(rule, {
    severity: severityOfAbsence(world, from, ref),
    message: `there is no ${ref.kind} "${ref.name}" in the namespace "${ref.namespace}"`,
    path,
    absent: [ref],
    ...(meant !== undefined && {
      fix: `did you mean "${meant}"? If not, ${rule.fix.replace(/^correct the name, /, '')}`,
    }),
    ...(elsewhere !== undefined && {
      fix: `move both to one namespace: the controller looks for the ${ref.kind} only in the namespace of the ${from.kind}`,
      related: {
        message: `the ${ref.kind} "${ref.name}" is in the namespace "${world.namespaceOf(elsewhere)}"`,
        object: elsewhere.ref,
        ...sourceOf(elsewhere),
      },
    }),
  });
}

function sourceOf(manifest: Manifest) {
  const place = manifest.sourceOf();
  return place === undefined ? {} : { source: place };
}

function notes(references: readonly Reference[]): Finding[] {
  const objects = new Set(references.map(({ from }) => from));
  return [...objects].map((from) => {
    const missing = references.filter((reference) => reference.from === from);
    const names = [...new Set(missing.map(({ ref }) => `${ref.kind} "${ref.name}"`))];
    return from.finding(rule, {
      severity: 'note',
      message: `${listed(names)} ${names.length === 1 ? 'is' : 'are'} not among the manifests, so ${names.length === 1 ? 'it was' : 'they were'} not checked`,
      absent: missing.map(({ ref }) => ref),
      because: 'the checks see only the given manifests',
      fix: 'add the manifests of the whole namespace, or declare the objects as external',
    });
  });
}
