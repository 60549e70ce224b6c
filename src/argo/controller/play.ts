/** What a played release of Argo Rollouts consists of, and what canary and blue-green have in common. */
import type { JsonObject } from '../../core/json';
import { asList, asObject, isSet, numberOf, partOf, stringMapOf } from '../../core/json';
import { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import type { PodGroup, Revision } from '../../release';
import { clusterOf, placed } from '../admission/findings';
import { isProblem, resolveWorkload } from '../admission/workload-ref';
import type { HeaderRoute } from './actions';
import type { AlbFailure } from './failure';

/** The label by which Services of a Rollout tell its versions apart. */
export const ARGO_REVISION_LABEL = 'rollouts-pod-template-hash';

/** The annotation by which a Service is a Rollout's. */
const MANAGED_BY = 'argo-rollouts.argoproj.io/managed-by-rollouts';

/** What the Rollout asks for at a moment. */
export interface ArgoDeclared {
  /** Percent of the requests for the pods of the new version, those of experiments with them. */
  readonly weight: number;
  /** The header routes that are set, whose requests all belong to the canary. */
  readonly headerRoutes: readonly HeaderRoute[];
}

/** A state of the cluster that lasts long enough for users to meet it. */
export interface ArgoMoment {
  /** `prepare`: the pods of a step are not there yet. `abort`: a branch of its own, from a step on. */
  readonly phase: 'before' | 'prepare' | 'step' | 'finish' | 'abort';
  /** Counted from 0, as in `steps[0]`; none in a blue-green release, and none outside of steps. */
  readonly step?: number;
  /** What has just happened: `setWeight`, `promoted`. */
  readonly event: string;
  readonly world: World;
  readonly pods: readonly PodGroup[];
  /**
   * What requests for the stable Service are to meet.
   * @default - nothing is declared for this moment
   */
  readonly declared?: ArgoDeclared;
}

/** A release, played. */
export interface ArgoPlay {
  readonly moments: readonly ArgoMoment[];
  /** Services that the controller made or moved, beside stable and canary: those of experiments, ping and pong. */
  readonly services: readonly string[];
  /**
   * Where the controller stays.
   * @default - it came to the end
   */
  readonly error?: AlbFailure & { readonly step: number };
}

/** A Rollout as far as its pods matter. */
export interface ArgoWorkload {
  readonly manifest: Manifest;
  readonly namespace: string;
  /** The Rollout with its namespace, and with the pod template of the workload that it names. */
  readonly object: JsonObject;
  readonly labels?: Readonly<Record<string, string>>;
  readonly replicas: number;
  readonly containerPorts: readonly number[];
}

/** Reads a Rollout; where its `workloadRef` leads nowhere, nothing is known of its pods. */
export function argoWorkloadOf(world: World, manifest: Manifest): ArgoWorkload {
  const own = placed(manifest, world);
  const spec = asObject(own.spec);
  const resolved = isSet(spec.workloadRef) ? resolveWorkload(own, clusterOf(world)) : own;
  // One that is scaled to nothing is played as if it had a pod: its next release is in question.
  const replicas = Math.max(1, numberOf(spec.replicas) ?? 1);
  const known = isProblem(resolved) ? own : resolved;
  const object = { ...known, spec: { ...asObject(known.spec), replicas } };
  const template = partOf(partOf(object, 'spec'), 'template');
  const { containers } = asObject(template?.spec);
  return {
    manifest,
    namespace: world.namespaceOf(manifest),
    object,
    ...(template === undefined
      ? {}
      : { labels: Object.fromEntries(stringMapOf(partOf(template, 'metadata')?.labels)) }),
    replicas,
    containerPorts: asList(containers).flatMap((container) =>
      asList(asObject(container).ports).flatMap((port) => numberOf(asObject(port).containerPort) ?? []),
    ),
  };
}

/** Pods of one version, by the hash of their ReplicaSet. */
export function podsOf(
  { labels }: ArgoWorkload,
  revision: Revision,
  replicas: number,
  hash: string = revision,
): PodGroup {
  return {
    revision,
    replicas,
    ...(labels === undefined ? {} : { labels: { ...labels, [ARGO_REVISION_LABEL]: hash } }),
  };
}

/** The World with one Pod of each kind, for whoever looks for pods in it. */
export function withPods(world: World, pods: readonly PodGroup[], workload: ArgoWorkload): World {
  const { manifest, namespace, object } = workload;
  const { apiVersion, kind, name } = manifest;
  const spec = asObject(partOf(partOf(object, 'spec'), 'template')?.spec);
  const running = pods.flatMap(({ labels, replicas }) => {
    if (labels === undefined || replicas <= 0) return [];
    const metadata = {
      name: `${name}-${labels[ARGO_REVISION_LABEL]}`,
      namespace,
      labels,
      ownerReferences: [{ apiVersion, kind, name }],
    };
    return [Manifest.of({ apiVersion: 'v1', kind: 'Pod', metadata, spec })];
  });
  return running.length === 0 ? world : world.with(...running);
}

/** The World with a Service that selects the pods of one hash; the same World where it does already. */
export function withSelector(world: World, name: string, workload: ArgoWorkload, hash: string): World {
  const service = name === '' ? undefined : world.find('Service', name, workload.namespace);
  if (service === undefined) return world;
  const { object } = service;
  const spec = asObject(object.spec);
  const selector = asObject(spec.selector);
  if (selector[ARGO_REVISION_LABEL] === hash) return world;
  const metadata = asObject(object.metadata);
  const annotations = { ...asObject(metadata.annotations), [MANAGED_BY]: workload.manifest.name };
  return world.with(
    rewritten(service, {
      ...object,
      metadata: { ...metadata, annotations },
      spec: { ...spec, selector: { ...selector, [ARGO_REVISION_LABEL]: hash } },
    }),
  );
}

/** A manifest with other content, whose values are still found in the user's file. */
export function rewritten(source: Manifest, object: JsonObject): Manifest {
  const { construct } = source;
  const options = construct === undefined ? {} : { construct };
  if (source.sourceOf() === undefined) return Manifest.of(object, options);
  return Manifest.of(object, { ...options, origin: { locate: (path) => source.sourceOf(path)! } });
}
