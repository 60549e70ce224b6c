/** The types of a played Argo Rollouts release, and the common parts of canary and blue-green. */
import type { ObjectRef } from '../../core/finding';
import type { JsonObject } from '../../core/json';
import { asList, asObject, asText, isSet, numberOf, partOf, stringMapOf } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import {
  autoscaled,
  autoscalerOf,
  type Delay,
  type PassedState,
  type PodGroup,
  podManifest,
  type Revision,
  type StoryEnd,
  versionLabels,
  writtenFrom,
} from '../../release';
import { nameOf } from '../admission/cluster';
import { clusterBeside, clusterOf, placed } from '../admission/findings';
import { isProblem, resolveWorkload } from '../admission/workload-ref';
import type { ArgoRolloutsVersion } from '../version';
import type { HeaderRoute } from './actions';
import type { AlbFailure } from './failure';

/** The label that distinguishes versions in the selectors of a Rollout's Services. */
export const ARGO_REVISION_LABEL = 'rollouts-pod-template-hash';

/** The annotation with the Rollout that manages a Service or a DestinationRule. */
export const MANAGED_BY = 'argo-rollouts.argoproj.io/managed-by-rollouts';

/** The controller that plays a story. */
export interface ArgoController {
  /** @default ArgoRolloutsVersion.LATEST */
  readonly version?: ArgoRolloutsVersion | undefined;
  /**
   * Whether it verifies weights and targets in AWS.
   * @default false
   */
  readonly verifies?: boolean;
}

/** The traffic that the Rollout declares at a moment. */
export interface ArgoDeclared {
  /** The percentage of requests for the pods of the new version, including those of experiments. */
  readonly weight: number;
  /** The active header routes; all of their requests belong to the canary. */
  readonly headerRoutes: readonly HeaderRoute[];
  /**
   * The share of the new version in requests through the preview Service.
   * @default - nothing is declared for them
   */
  readonly preview?: number;
}

/** A state of the cluster that lasts long enough to affect users. */
export interface ArgoMoment {
  /** `prepare`: the pods of a step are not ready yet. `abort`: a separate branch that starts at a step. */
  readonly phase: 'before' | 'prepare' | 'step' | 'finish' | 'abort';
  /** Counted from 0, as in `steps[0]`; absent in a blue-green release and outside steps. */
  readonly step?: number;
  /** The event that led to this state: `setWeight`, `promoted`. */
  readonly event: string;
  readonly world: World;
  /**
   * The objects as the load balancer has taken them over.
   * @default - as they are in the cluster
   */
  readonly served?: World;
  /** The objects that the controller has written since the moment before, in its order. */
  readonly written: readonly ObjectRef[];
  /**
   * Through what the controller went since the moment before.
   * @default - one write per object
   */
  readonly passed?: readonly PassedState[];
  readonly pods: readonly PodGroup[];
  /**
   * The declared traffic of the stable Service.
   * @default - none declared at this moment
   */
  readonly declared?: ArgoDeclared;
  /**
   * How long it lasts at least.
   * @default - as long as its step says
   */
  readonly lasts?: Delay;
  /**
   * What people have done since the moment before.
   * @default - nothing
   */
  readonly did?: readonly string[];
  /**
   * The version that each hash of a ReplicaSet stands for.
   * @default - the stable one is `v1`, the canary `v2`
   */
  readonly versions?: Readonly<Record<string, string>>;
}

/** A story as it was played. */
export interface ArgoStory {
  readonly name: string;
  readonly end: StoryEnd;
  readonly moments: readonly ArgoMoment[];
  /** Why nothing more happens. */
  readonly why?: string;
  readonly error?: AlbFailure & { readonly step: number };
}

/** The result of playing a release. */
export interface ArgoPlay {
  readonly moments: readonly ArgoMoment[];
  /** Services that the controller created or changed, in addition to stable and canary: those of experiments, ping and pong. */
  readonly services: readonly string[];
  /**
   * The error that blocks the release.
   * @default - none: the release completed
   */
  readonly error?: AlbFailure & { readonly step: number };
  /**
   * Where the release waits for ever although all its pods are ready.
   * @default - nowhere
   */
  readonly waits?: { readonly step: number; readonly why: string };
}

/** Why a release stands whose pods never become ready. */
export const NEVER_READY = 'no pod of the new version becomes ready';

/** The properties of a Rollout that determine its pods. */
export interface ArgoWorkload {
  readonly manifest: Manifest;
  readonly namespace: string;
  /** The Rollout with its namespace, and with the pod template of its workloadRef. */
  readonly object: JsonObject;
  readonly labels?: Readonly<Record<string, string>>;
  readonly replicas: number;
  readonly containerPorts: readonly { readonly name: string; readonly port: number }[];
}

/** Reads a Rollout; if its `workloadRef` does not exist, its pods are unknown. */
export function argoWorkloadOf(world: World, manifest: Manifest): ArgoWorkload {
  const own = placed(manifest, world);
  const spec = asObject(own.spec);
  const resolved = isSet(spec.workloadRef) ? resolveWorkload(own, clusterOf(world)) : own;
  // A Rollout with 0 replicas is played with one pod, to check its next release.
  const declared = Math.max(1, numberOf(spec.replicas) ?? 1);
  const replicas = autoscaled(declared, autoscalerOf(world, manifest, world.namespaceOf(manifest)));
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
      asList(asObject(container).ports).flatMap((entry) => {
        const port = numberOf(asObject(entry).containerPort);
        return port === undefined ? [] : [{ name: asText(asObject(entry).name), port }];
      }),
    ),
  };
}

/** Seconds after which pods go where the strategy says nothing. */
const DEFAULT_DELAY = 30;

/** After how long pods go: at once where no old version may keep them. */
export function delayOf(strategy: JsonObject, field: 'scaleDownDelaySeconds' | 'abortScaleDownDelaySeconds'): Delay {
  const isAtOnce = field === 'scaleDownDelaySeconds' && strategy.scaleDownDelayRevisionLimit === 0;
  return { seconds: isAtOnce ? 0 : (numberOf(strategy[field]) ?? DEFAULT_DELAY), field };
}

/** Whether pods of a canary never go: a delay of 0 gives them no deadline at all. */
export function isForGood(delay: Delay, version: ArgoRolloutsVersion): boolean {
  return delay.seconds === 0 || isGivenAgain(delay, version);
}

/** Whether the controller gives pods a new deadline each time that the old one has passed. */
export function isGivenAgain({ field, seconds }: Delay, { facts }: ArgoRolloutsVersion): boolean {
  return field === 'scaleDownDelaySeconds' && seconds > 0 && !facts.removesDelayedPods;
}

/** When a release that makes no progress has failed, and whether the controller aborts it then. */
export function deadlineOf({ object }: ArgoWorkload): { readonly seconds: number; readonly aborts: boolean } {
  const { progressDeadlineSeconds, progressDeadlineAbort } = asObject(object.spec);
  return { seconds: numberOf(progressDeadlineSeconds) ?? 600, aborts: progressDeadlineAbort === true };
}

/** The pods of a version that gave way to a later one. */
export interface Abandoned {
  readonly pods: PodGroup;
  /** The weight that it had. */
  readonly weight: number;
  /** Its share of the requests stays: there are too few stable pods for all of them. */
  readonly keepsWeight: boolean;
}

/** The pods of one version, with the hash of their ReplicaSet. */
export function podsOf(
  { labels }: ArgoWorkload,
  revision: Revision,
  replicas: number,
  hash: string = revision,
): PodGroup {
  return {
    revision,
    ...(hash === revision ? {} : { hash }),
    replicas,
    ...(labels === undefined ? {} : { labels: versionLabels(labels, ARGO_REVISION_LABEL, hash) }),
  };
}

/** The World with one Pod of each group. */
export function withPods(world: World, pods: readonly PodGroup[], workload: ArgoWorkload): World {
  const { manifest, namespace, object } = workload;
  const spec = partOf(partOf(partOf(object, 'spec'), 'template'), 'spec');
  const running = pods.flatMap(({ labels, replicas }) => {
    if (labels === undefined || replicas <= 0) return [];
    return [podManifest({ workload: manifest, namespace, spec }, labels[ARGO_REVISION_LABEL]!, labels)];
  });
  return running.length === 0 ? world : world.with(...running);
}

/** The World with a Service that selects the pods of one hash; the same World if it already does. */
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
    writtenFrom(service, {
      ...object,
      metadata: { ...metadata, annotations },
      spec: { ...spec, selector: { ...selector, [ARGO_REVISION_LABEL]: hash } },
    }),
  );
}

/** The World with a Service that selects the pods of every version, as after the deletion of the Rollout. */
export function withoutSelector(world: World, name: string, workload: ArgoWorkload): World {
  const service = name === '' ? undefined : world.find('Service', name, workload.namespace);
  if (service === undefined) return world;
  const { object } = service;
  const { spec, metadata } = object;
  const { [ARGO_REVISION_LABEL]: hash, ...selector } = asObject(asObject(spec).selector);
  if (hash === undefined) return world;
  const free = { ...object, metadata: unmanaged(asObject(metadata)), spec: { ...asObject(spec), selector } };
  return world.with(writtenFrom(service, free));
}

/**
 * Why a release stops where somebody deletes this object: before anything else, Argo looks up what the Rollout names.
 * Undefined for objects that it does not name.
 */
export function missed(world: World, { manifest }: ArgoWorkload, gone: Manifest): string | undefined {
  const { services, ingresses, virtualServices, destinationRules, workloads } = clusterBeside(world, manifest);
  const named = [services, ingresses, virtualServices, destinationRules, workloads].flatMap((objects = []) => objects);
  const isNamed = named.some((object) => object.kind === gone.kind && nameOf(object) === gone.name);
  return isNamed
    ? `${gone.kind} "${gone.name}" is gone, and Argo changes nothing until somebody creates it again`
    : undefined;
}

/** The metadata of an object that no Rollout manages any more. */
export function unmanaged(metadata: JsonObject): JsonObject {
  const { [MANAGED_BY]: _by, ...annotations } = asObject(metadata.annotations);
  const { annotations: _all, ...others } = metadata;
  return Object.keys(annotations).length === 0 ? others : { ...others, annotations };
}

/** The hash of a version: of a known one, or that which a new one gets. */
export function hashOfVersion(known: Readonly<Record<string, string>>, version: string): string {
  return Object.keys(known).find((hash) => known[hash] === version) ?? (version === 'v2' ? 'canary' : version);
}
