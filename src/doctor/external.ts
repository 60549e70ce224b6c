/** Unknown objects, which must not be reported as missing: objects that could not be read, or are never read. */
import { isJsonObject, type Json, type JsonObject, type Manifest, type ObjectRef, type World } from '../core';
import { allRouters, RouteKinds } from '../routers';
import type { LiveCluster } from './cluster';
import { READ_KINDS } from './kinds';

/** The CRDs. They are long, so doctor asks the API server for its kinds instead. */
const CRDS = [
  ...['rollouts', 'batchreleases', 'rollouthistories', 'trafficroutings'].map(
    (plural) => `${plural}.rollouts.kruise.io`,
  ),
  ...['analysisruns', 'analysistemplates', 'clusteranalysistemplates', 'experiments', 'rollouts'].map(
    (plural) => `${plural}.argoproj.io`,
  ),
  'virtualenvironments.env.alibaba.com',
];

/** The objects that checks must assume to exist. */
export function externalOf(cluster: LiveCluster): ObjectRef[] {
  const { world } = cluster;
  return [
    ...CRDS.map((name) => ({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', name })),
    ...world.list('Deployment.apps').flatMap((one) => secretsOf(one, world)),
    ...namedBy(cluster),
  ];
}

function secretsOf(deployment: Manifest, world: World): ObjectRef[] {
  const volumes = deployment.get('spec.template.spec.volumes');
  return (Array.isArray(volumes) ? volumes : []).flatMap((volume: Json): ObjectRef[] => {
    const secret = isJsonObject(volume) && isJsonObject(volume.secret) ? volume.secret.secretName : undefined;
    if (typeof secret !== 'string') return [];
    return [{ apiVersion: 'v1', kind: 'Secret', name: secret, namespace: world.namespaceOf(deployment) }];
  });
}

/** Any name in a Rollout or a route may refer to an object of a kind that was not read. */
function namedBy(cluster: LiveCluster): ObjectRef[] {
  const { world } = cluster;
  const speaking = [
    'Rollout.rollouts.kruise.io',
    'TrafficRouting.rollouts.kruise.io',
    'Rollout.argoproj.io',
    ...new RouteKinds(allRouters()).names,
  ].flatMap((kind) => world.list(kind));
  return speaking.flatMap((manifest) => {
    const namespace = world.namespaceOf(manifest);
    const unread = READ_KINDS.filter(({ group, kind, name }) => {
      const groupKind = group === '' ? kind : `${kind}.${group}`;
      return name === undefined && cluster.serves(groupKind) !== false && cluster.unread(groupKind, namespace);
    });
    if (unread.length === 0) return [];
    const names = namesIn(manifest.get('spec'));
    return unread.flatMap(({ kind, clusterScoped }) =>
      names.map((name): ObjectRef => (clusterScoped === true ? { kind, name } : { kind, name, namespace })),
    );
  });
}

function namesIn(value: Json | undefined): string[] {
  const found = new Set<string>();
  const read = (one: Json | undefined): void => {
    if (typeof one === 'string' && /^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(one)) found.add(one);
    else if (Array.isArray(one)) for (const item of one) read(item);
    else if (isJsonObject(one)) for (const item of Object.values(one as JsonObject)) read(item);
  };
  read(value);
  return [...found];
}
