/**
 * Separates what users declared in a cluster from what controllers wrote. A controller's own objects are recognized by
 * name and owner, as the model of the controller names them. Rewritten objects are restored like the controller restores
 * them at the end of a release.
 */

import { ARGO_ROLLOUT } from '../argo/admission/findings';
import { ARGO_REVISION_LABEL, MANAGED_ANNOTATIONS, readAlbRollout, removeManagedRoutes } from '../argo/controller';
import { isJsonObject, type Json, type JsonObject, type Manifest, ownValue, type World } from '../core';
import { asText } from '../core/json';
import { IN_PROGRESSING_ANNOTATION, ORIGINAL_SPEC_ANNOTATION } from '../kruise/api';
import { canaryIngressName, finaliseCustom, finaliseGateway, targetOf } from '../kruise/controller';
import { type RouteSubject, rolloutsOf, trafficRoutingsOf } from '../kruise/subject';
import type { KruiseRolloutVersion } from '../kruise/version';
import { rewrittenLike } from './cluster';

/** An object that a controller wrote. */
export interface Written {
  /** The object in the cluster. */
  readonly live: Manifest;
  /** `created`: the controller owns the object. `changed`: a user owns it. */
  readonly action: 'created' | 'changed';
  /** The Rollout, TrafficRouting or VirtualEnvironment that the controller wrote it for. */
  readonly owner: Manifest;
  /** A description: `canary Ingress`, `selector of the stable Service`. */
  readonly what: string;
}

/** A cluster without the work of controllers, and that work. */
export interface Declared {
  readonly world: World;
  readonly written: readonly Written[];
}

const INGRESS = 'Ingress.networking.k8s.io';
const HTTP_ROUTE = 'HTTPRoute.gateway.networking.k8s.io';
const REVISION_LABELS = ['pod-template-hash', 'controller-revision-hash'];
const CANARY_DEPLOYMENT = 'rollouts.kruise.io/canary-deployment';
const KTENV_OWNER = 'VirtualEnvironment';
const KTENV_KINDS = ['VirtualService', 'DestinationRule', 'EnvoyFilter'].map((kind) => `${kind}.networking.istio.io`);
/** Kinds that controllers make for each version, and that people can also apply. */
const MADE_KINDS = ['ReplicaSet.apps', 'AnalysisRun.argoproj.io'];

/** Removes the work of Kruise Rollouts, Argo Rollouts and KtEnv from a cluster. */
export function declaredOf(live: World, version: KruiseRolloutVersion): Declared {
  const taking = new Taking(
    live.without(...live.list('Pod'), ...MADE_KINDS.flatMap((kind) => live.list(kind).filter(isMade))),
  );
  for (const rollout of rolloutsOf(live, version)) {
    const { workload, namespace, manifest, route } = rollout;
    const found = workload === undefined ? undefined : live.get({ ...workload.ref, namespace });
    if (found !== undefined) taking.workload(found, manifest);
    if (route !== undefined) taking.route(route);
  }
  for (const route of trafficRoutingsOf(live)) taking.route(route);
  for (const manifest of live.list(ARGO_ROLLOUT)) taking.argo(manifest);
  taking.canaryDeployments();
  taking.environments();
  return taking;
}

class Taking implements Declared {
  readonly written: Written[] = [];

  constructor(public world: World) {}

  route(route: RouteSubject): void {
    const { manifest: owner, namespace, service, canaryService, makesCanaryService, ingress, gateway } = route;
    if (makesCanaryService) this.unpin(service, namespace, owner);
    if (canaryService !== service) this.remove('Service', canaryService, namespace, owner, 'canary Service');
    if (ingress !== undefined)
      this.remove(INGRESS, canaryIngressName(ingress.name), namespace, owner, 'canary Ingress');
    for (const { ref } of route.customNetworkRefs) {
      const found = this.world.get({ ...ref, namespace });
      if (found?.annotations[ORIGINAL_SPEC_ANNOTATION] === undefined) continue;
      const [restored] = finaliseCustom([targetOf(found.object)]);
      this.change(found, restored?.object ?? found.object, owner, `${ref.kind} of customNetworkRefs`);
    }
    const httpRoute = gateway && this.world.find(HTTP_ROUTE, gateway.httpRouteName, namespace);
    if (httpRoute !== undefined && canaryService !== service && namesBackend(httpRoute, canaryService)) {
      const restored = finaliseGateway(httpRoute.object, { stableService: service, canaryService });
      this.change(httpRoute, restored, owner, 'HTTPRoute');
    }
  }

  /** During a release, the controller marks the workload, and keeps it paused. */
  workload(found: Manifest, owner: Manifest): void {
    if (found.annotations[IN_PROGRESSING_ANNOTATION] === undefined) return;
    const { paused, ...spec } = objectAt(found, 'spec');
    const { [IN_PROGRESSING_ANNOTATION]: _mark, ...annotations } = found.annotations;
    const metadata = { ...objectAt(found, 'metadata'), annotations };
    const what = paused === undefined ? `annotation ${IN_PROGRESSING_ANNOTATION}` : 'spec.paused';
    this.change(found, { ...found.object, metadata, spec }, owner, `${what} of the ${found.kind}`);
  }

  canaryDeployments(): void {
    const copies = this.world.list('Deployment.apps').filter(({ labels }) => labels[CANARY_DEPLOYMENT] !== undefined);
    this.world = this.world.without(...copies);
  }

  /** The previous content of an action is unknown, so it counts as not declared. */
  argo(owner: Manifest): void {
    const namespace = this.world.namespaceOf(owner);
    const canary = objectAt(owner, 'spec.strategy.canary');
    const blueGreen = objectAt(owner, 'spec.strategy.blueGreen');
    const pingPong = isJsonObject(canary.pingPong) ? canary.pingPong : {};
    const services = [
      canary.stableService,
      canary.canaryService,
      pingPong.pingService,
      pingPong.pongService,
      blueGreen.activeService,
      blueGreen.previewService,
    ];
    for (const name of services) {
      if (typeof name === 'string') this.unpin(name, namespace, owner, [ARGO_REVISION_LABEL]);
    }
    const rollout = readAlbRollout({ ...owner.object, metadata: { ...objectAt(owner, 'metadata'), namespace } });
    for (const name of new Set(rollout?.ingresses)) {
      const found = this.world.find(INGRESS, name, namespace);
      if (rollout === undefined || found === undefined) continue;
      const keys = managedKeys(found, owner.name);
      if (keys.length === 0) continue;
      const [without = found.object] = removeManagedRoutes({ ...rollout, ingresses: [name] }, [found.object]).ingresses;
      this.change(found, withoutKeys(without, keys, owner.name), owner, 'actions of the Ingress');
    }
  }

  environments(): void {
    for (const kind of KTENV_KINDS) {
      for (const found of this.world.list(kind)) {
        const namespace = this.world.namespaceOf(found);
        const name = ownersOf(found).find((one) => one.kind === KTENV_OWNER)?.name;
        const owner = name && this.world.find('VirtualEnvironment.env.alibaba.com', name, namespace);
        if (!owner) continue;
        this.written.push({ live: found, action: 'created', owner, what: found.kind });
        this.world = this.world.without(found);
      }
    }
  }

  private unpin(name: string, namespace: string, owner: Manifest, labels: readonly string[] = REVISION_LABELS): void {
    const service = this.world.find('Service', name, namespace);
    const selector = service === undefined ? {} : objectAt(service, 'spec.selector');
    if (service === undefined || !labels.some((label) => Object.hasOwn(selector, label))) return;
    const kept = Object.fromEntries(Object.entries(selector).filter(([label]) => !labels.includes(label)));
    const spec = { ...objectAt(service, 'spec'), selector: kept };
    this.change(service, { ...service.object, spec }, owner, 'selector of the Service');
  }

  /** Keeps an object of that name if the Rollout does not own it. */
  private remove(groupKind: string, name: string, namespace: string, owner: Manifest, what: string): void {
    const found = this.world.find(groupKind, name, namespace);
    if (found === undefined || !isOwnedBy(found, owner)) return;
    this.written.push({ live: found, action: 'created', owner, what });
    this.world = this.world.without(found);
  }

  private change(live: Manifest, object: JsonObject, owner: Manifest, what: string): void {
    this.written.push({ live, action: 'changed', owner, what });
    this.world = this.world.with(rewrittenLike(live, object));
  }
}

/** The annotations that Argo's controller records as its own for a Rollout. */
export function managedKeys(ingress: Manifest, rollout: string): string[] {
  const keys = bookkeepingOf(ingress.annotations[MANAGED_ANNOTATIONS])[rollout];
  return Array.isArray(keys) ? keys.filter((key): key is string => typeof key === 'string') : [];
}

function bookkeepingOf(text: string | undefined): JsonObject {
  try {
    const value: Json = JSON.parse(text ?? '{}');
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Keeps the entry and the annotations of other Rollouts, which may use the same Ingress. */
function withoutKeys(ingress: JsonObject, keys: readonly string[], rollout: string): JsonObject {
  const metadata = isJsonObject(ingress.metadata) ? ingress.metadata : {};
  const annotations = isJsonObject(metadata.annotations) ? metadata.annotations : {};
  const noted = annotations[MANAGED_ANNOTATIONS];
  const { [rollout]: _own, ...others } = bookkeepingOf(typeof noted === 'string' ? noted : undefined);
  const kept = Object.entries(annotations).filter(([key]) => !keys.includes(key) && key !== MANAGED_ANNOTATIONS);
  const rest = Object.keys(others).length === 0 ? [] : [[MANAGED_ANNOTATIONS, JSON.stringify(others)] as const];
  return { ...ingress, metadata: { ...metadata, annotations: Object.fromEntries([...kept, ...rest]) } };
}

/** Whether an owner reference names the object. */
export function isOwnedBy(object: Manifest, owner: Manifest): boolean {
  return ownersOf(object).some(
    ({ apiVersion, kind, name }) =>
      kind === owner.kind && name === owner.name && apiVersion.split('/')[0] === owner.apiVersion.split('/')[0],
  );
}

function isMade(object: Manifest): boolean {
  return ownersOf(object).length > 0;
}

/** The owner references of an object. */
function ownersOf(object: Manifest) {
  const list = object.get('metadata.ownerReferences');
  return (Array.isArray(list) ? list : []).map((entry: Json) => ({
    apiVersion: asText(ownValue(entry, 'apiVersion')),
    kind: asText(ownValue(entry, 'kind')),
    name: asText(ownValue(entry, 'name')),
  }));
}

function namesBackend(httpRoute: Manifest, service: string): boolean {
  const rules = httpRoute.get('spec.rules');
  return (Array.isArray(rules) ? rules : []).some((rule: Json) => {
    const refs = ownValue(rule, 'backendRefs');
    return Array.isArray(refs) && refs.some((ref) => ownValue(ref, 'name') === service);
  });
}

function objectAt(manifest: Manifest, path: string): JsonObject {
  const value = manifest.get(path);
  return isJsonObject(value) ? value : {};
}
