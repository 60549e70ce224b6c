/** Looks up Services: whether one exists, has the port, and selects pods of workloads in the World. */
import { isJsonObject, type Json, type JsonObject, type Manifest, ownValue, type World } from '../core';
import { groupedBy } from '../core/grouped';
import { remembered, rememberedList } from '../core/remembered';
import type { Destination, ServicesAnswer, Unavailable } from './router';
import { withShares } from './router';
import { entriesOf, listOf, nameOf, numberOf, objectOf, portOf, textOf, valueIn } from './values';

/** The namespace and name of a Service. */
export interface ServiceRef {
  readonly namespace: string;
  readonly name: string;
}

/** Labels that pods must have in addition to the selector of the Service. */
export interface Subset {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** The result of looking up a Service. */
export interface Resolution {
  /** The Service; undefined if it does not exist. */
  readonly service?: Manifest;
  /** The workloads whose pods it selects; undefined if unknown. */
  readonly workloads?: readonly Manifest[];
  /** Why it does not answer. */
  readonly unavailable?: Omit<Unavailable, 'statusCode'>;
}

/** The status code that clients get from a destination that does not answer. */
export type StatusCodes = (reason: Unavailable['reason']) => number;

const UNAVAILABLE: StatusCodes = () => 503;

/**
 * The Services of a World; each is looked up once. The pods are those of the templates of workloads, or the Pods of the
 * World for a workload that owns some. All Services answer in a namespace without workloads, where pods are unknown.
 */
export class Services {
  private readonly known = new Map<string, Resolution>();

  constructor(
    private readonly world: World,
    private readonly statusCodes: StatusCodes = UNAVAILABLE,
  ) {}

  /** The Service itself. */
  find({ namespace, name }: ServiceRef): Manifest | undefined {
    return this.world.find('Service', name, namespace);
  }

  /** Looks up a port of a Service, or the whole Service if no port is given. */
  resolve(ref: ServiceRef, port?: number | string, subset?: Subset): Resolution {
    const key = JSON.stringify([ref.namespace, ref.name, port, subset?.labels]);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    // Pods come and go: routes depend on them only by whether there are any.
    const resolution = this.world.derive(
      `Service ${key}`,
      (world) => lookUp(world, ref, port, subset),
      ({ unavailable }) => unavailable && { ...unavailable },
    );
    this.known.set(key, resolution);
    return resolution;
  }

  /** A destination of an answer, with its workloads. */
  destination(
    ref: ServiceRef,
    port: number | string | undefined,
    weight: number,
    subset?: Subset,
  ): Omit<Destination, 'share'> {
    const { workloads, unavailable } = this.resolve(ref, port, subset);
    return {
      service: { namespace: ref.namespace, name: ref.name },
      ...(port === undefined ? {} : { port }),
      ...(subset === undefined ? {} : { subset }),
      weight,
      ...(workloads === undefined ? {} : { workloads }),
      ...(unavailable === undefined ? {} : { unavailable: this.withStatus(unavailable) }),
    };
  }

  /** Adds the status code that clients get. */
  withStatus(unavailable: Omit<Unavailable, 'statusCode'>): Unavailable {
    return { ...unavailable, statusCode: String(this.statusCodes(unavailable.reason)) };
  }

  /** The number of the only port of a Service; undefined if it has none or several. */
  onlyPort(ref: ServiceRef): number | undefined {
    const ports = portsOf(this.find(ref));
    return ports.length === 1 ? numberOf(ownValue(ports[0], 'port')) : undefined;
  }
}

function lookUp(
  world: World,
  ref: ServiceRef,
  port: number | string | undefined,
  subset: Subset | undefined,
): Resolution {
  const service = world.find('Service', ref.name, ref.namespace);
  const label = `Service ${ref.namespace}/${ref.name}`;
  if (service === undefined) {
    return { unavailable: { reason: 'service-not-found', why: `${label} does not exist` } };
  }
  const found = findPort(service, port);
  if (found === undefined && port !== undefined && !isExternalName(service)) {
    return { service, unavailable: { reason: 'port-not-found', why: `${label} has no port ${port}` } };
  }
  const selector = selectorOf(service);
  // A Service without a selector has manual endpoints, and an external name leaves the cluster.
  if (isExternalName(service) || selector.length === 0) return { service };
  const wanted = subset === undefined ? selector : [...selector, ...Object.entries(subset.labels)];
  const pods = podsIn(world, ref.namespace);
  // A stack with routing objects only says nothing about pods.
  if (!pods.areKnown) return { service };
  const selected = pods.selected(wanted);
  const serving = selected.filter((workload) => hasPort(workload, valueIn(found, 'targetPort')));
  const workloads = serving.map(({ manifest }) => manifest);
  if (workloads.length > 0) return { service, workloads };
  return { service, workloads, unavailable: { reason: 'no-pods', why: noPods(label, wanted, selected, found) } };
}

/** The pods of a namespace, read once for all routers. */
function podsIn(world: World, namespace: string): Pods {
  const known = world.memo(podsByNamespace);
  const pods = known.get(namespace) ?? readPods(world, namespace);
  known.set(namespace, pods);
  return pods;
}

function podsByNamespace(): Map<string, Pods> {
  return new Map();
}

function readPods(world: World, namespace: string): Pods {
  const workloads = world.inNamespace(namespace).filter(isWorkload);
  return workloads.some(refersToTemplate) ? podsOf(workloads, world) : podsOfThemselves(workloads);
}

/** The pods of workloads that have their templates in themselves: the same ones at most moments of a release. */
const podsOfThemselves = rememberedList((workloads: readonly Manifest[]) => podsOf(workloads));

function podsOf(workloads: readonly Manifest[], world?: World): Pods {
  const found = workloads.flatMap((manifest) => workloadOf(manifest, world) ?? []);
  const owners = new Set(workloads.flatMap(ownersOf));
  const running = found.filter(({ manifest }) => !owners.has(`${manifest.kind} ${manifest.name}`));
  return new Pods(running, workloads.length > 0);
}

/**
 * Whether two objects make the same routes. A router reads all of an object but the selector of a Service: what pods it selects,
 * the router asks `Services`.
 */
export function sameForRouters(a: Manifest | undefined, b: Manifest | undefined): boolean {
  return a === b || (a?.groupKind === 'Service' && sameForTargets(a, b));
}

/** Whether two Services lead to the same target groups. These do not depend on the selector. */
export function sameForTargets(a: Manifest | undefined, b: Manifest | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return a.object.metadata === b.object.metadata && sameBut('selector', a.object.spec, b.object.spec);
}

function sameBut(left: string, a: Json | undefined, b: Json | undefined): boolean {
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => key === left || a[key] === b[key]);
}

/** The answer that forwards to these destinations. */
export function servicesAnswer(
  destinations: readonly Omit<Destination, 'share'>[],
  { sticky = false, countsPodsOnce = false } = {},
): ServicesAnswer {
  return {
    kind: 'services',
    destinations: withShares(destinations),
    sticky,
    ...(countsPodsOnce && { countsPodsOnce }),
  };
}

/** The ports in the manifest of a Service. */
export function portsOf(service: Manifest | undefined): readonly JsonObject[] {
  return listOf(valueIn(service?.object, 'spec', 'ports')).filter(isJsonObject);
}

/** True for a Service of the type ExternalName. */
function isExternalName(service: Manifest): boolean {
  return valueIn(service.object, 'spec', 'type') === 'ExternalName';
}

const selectorOf = remembered(({ object }: Manifest): readonly Label[] =>
  entriesOf(valueIn(object, 'spec', 'selector')),
);

/** A workload that has pods. */
interface Workload {
  readonly manifest: Manifest;
  readonly labels: Readonly<Record<string, string>>;
  readonly template: Json | undefined;
}

const WORKLOAD_KINDS = new Set([
  'Deployment.apps',
  'StatefulSet.apps',
  'DaemonSet.apps',
  'ReplicaSet.apps',
  'ReplicationController',
  'CloneSet.apps.kruise.io',
  'StatefulSet.apps.kruise.io',
  'DaemonSet.apps.kruise.io',
  'Rollout.argoproj.io',
]);

/** Whether an object says something about the pods of its namespace: also one that is scaled to zero. */
function isWorkload({ groupKind }: Manifest): boolean {
  return groupKind === 'Pod' || WORKLOAD_KINDS.has(groupKind);
}

function workloadOf(manifest: Manifest, world: World | undefined): Workload | undefined {
  if (manifest.groupKind === 'Pod') return { manifest, labels: labelsOf(manifest), template: manifest.object };
  const spec = ownValue(manifest.object, 'spec');
  if (ownValue(spec, 'replicas') === 0) return undefined;
  const template = ownValue(spec, 'template') ?? (world && referencedTemplate(world, manifest, spec));
  return { manifest, labels: isJsonObject(template) ? labelsOfTemplate(template) : NO_LABELS, template };
}

const NO_LABELS: Workload['labels'] = {};
const labelsOf = remembered((manifest: Manifest) => manifest.labels);
const labelsOfTemplate = remembered((template: JsonObject) =>
  Object.fromEntries(entriesOf(valueIn(template, 'metadata', 'labels'))),
);

/** The workloads that own a Pod of the World; the Pod replaces them. */
const ownersOf = remembered((manifest: Manifest): readonly string[] => {
  if (manifest.groupKind !== 'Pod') return [];
  const owners = listOf(valueIn(manifest.object, 'metadata', 'ownerReferences'));
  return owners.map((owner) => `${textOf(ownValue(owner, 'kind'))} ${textOf(ownValue(owner, 'name'))}`);
});

/** Whether the template of a workload is in another object. */
const refersToTemplate = remembered(({ object }: Manifest) => valueIn(object, 'spec', 'workloadRef') !== undefined);

/** The template of a Deployment that an Argo Rollout refers to; the Deployment then has no pods of its own. */
function referencedTemplate(world: World, manifest: Manifest, spec: Json | undefined): Json | undefined {
  const ref = objectOf(ownValue(spec, 'workloadRef'));
  const name = nameOf(ref?.name);
  if (name === undefined) return undefined;
  const workload = world.get({
    apiVersion: textOf(ref?.apiVersion) ?? 'apps/v1',
    kind: textOf(ref?.kind) ?? 'Deployment',
    name,
    namespace: world.namespaceOf(manifest),
  });
  return valueIn(workload?.object, 'spec', 'template');
}

/** Labels that controllers add to pods, and that templates do not contain. */
const RUNTIME_LABELS = new Set([
  'pod-template-hash',
  'controller-revision-hash',
  'rollouts-pod-template-hash',
  'statefulset.kubernetes.io/pod-name',
  'apps.kubernetes.io/pod-index',
]);

function selects(wanted: readonly Label[], labels: Readonly<Record<string, string>>): boolean {
  return wanted.every(([key, value]) => {
    const label = textOf(ownValue(labels, key));
    return label === undefined ? RUNTIME_LABELS.has(key) : label === value;
  });
}

type Label = readonly [key: string, value: string];

/** The workloads of a namespace, found by their labels. */
class Pods {
  /** By label and its value; a label is read when a Service first selects by it. */
  private readonly byLabel = new Map<string, ReadonlyMap<string | undefined, readonly Workload[]>>();

  constructor(
    private readonly all: readonly Workload[],
    /** Whether the namespace has workloads: without any, the manifests say nothing about pods. */
    readonly areKnown: boolean,
  ) {}

  /** Those with all of these labels. */
  selected(wanted: readonly Label[]): readonly Workload[] {
    const first = wanted.find(([key]) => !RUNTIME_LABELS.has(key));
    const candidates = first === undefined ? this.all : this.labelled(...first);
    return candidates.filter(({ labels }) => selects(wanted, labels));
  }

  private labelled(key: string, value: string): readonly Workload[] {
    const byValue = this.byLabel.get(key) ?? groupedBy(this.all, ({ labels }) => textOf(ownValue(labels, key)));
    this.byLabel.set(key, byValue);
    return byValue.get(value) ?? [];
  }
}

/** A number reaches any port of the pod; a name must be that of a container port. */
function hasPort({ template }: Workload, targetPort: Json | undefined): boolean {
  if (typeof targetPort !== 'string') return true;
  const spec = ownValue(template, 'spec');
  const containers = [...listOf(ownValue(spec, 'containers')), ...listOf(ownValue(spec, 'initContainers'))];
  return containers.some((container) =>
    listOf(ownValue(container, 'ports')).some((port) => ownValue(port, 'name') === targetPort),
  );
}

function findPort(service: Manifest, port: number | string | undefined): JsonObject | undefined {
  const ports = portsOf(service);
  if (port === undefined) return ports.length === 1 ? ports[0] : undefined;
  return ports.find((candidate) => ownValue(candidate, typeof port === 'string' ? 'name' : 'port') === port);
}

function noPods(
  label: string,
  wanted: readonly Label[],
  selected: readonly Workload[],
  port: JsonObject | undefined,
): string {
  if (selected.length > 0) {
    const names = selected.map(({ manifest }) => `${manifest.kind} ${manifest.name}`).join(', ');
    return `${label} sends to the container port "${portOf(port?.targetPort)}", which ${names} ${selected.length > 1 ? 'do' : 'does'} not name`;
  }
  const selector = wanted.map(([key, value]) => `${key}=${value}`).join(',');
  return `${label} selects no pods: no workload has pods with the labels ${selector}`;
}
