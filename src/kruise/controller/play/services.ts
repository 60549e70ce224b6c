/** How the controller changes Services: it copies one for the canary, and adds a selector for the version. */
import { asList, asObject, compact, isJsonObject, type JsonObject, type StringMap, textOf } from '../../../core/json';
import type { Manifest } from '../../../core/manifest';
import { type Revision, selectorOf, writtenFrom } from '../../../release';
import type { RouteSubject } from '../../subject';
import { type ControllerError, NIL_POINTER, notFound } from '../error';
import { type Play, Stopped } from './play';
import { newRevision } from './workload';

/** The canary Service, or the error. */
export type MadeService =
  | { readonly ok: true; readonly service: JsonObject }
  | { readonly ok: false; readonly error: ControllerError };

/** Options of {@link canaryServiceOf}. */
export interface CanaryServiceOptions {
  readonly name: string;
  readonly namespace: string;
  readonly revisionLabel: string;
  /**
   * The revision that it selects.
   * @default 'canary'
   */
  readonly revision?: Revision;
  /**
   * Labels of `patchPodTemplateMetadata`, which replace those in the selector.
   * @default - none
   */
  readonly patchedLabels?: StringMap;
  /**
   * Whether the copy has the labels and annotations of the stable Service.
   * @default false
   */
  readonly copiesMetadata?: boolean;
  /**
   * The feature gate AppendPodSelector: the controller also adds labels that the selector does not have.
   * @default false
   */
  readonly appendPodSelector?: boolean;
}

const MAX_NAME = 63;

/**
 * Copies the stable Service. Clears the fields that the cluster assigns (addresses, node ports) and keeps the type, so
 * that a Service of type LoadBalancer creates a second load balancer. The controller panics on a Service without selector.
 */
export function canaryServiceOf(stableService: unknown, options: CanaryServiceOptions): MadeService {
  const {
    name,
    namespace,
    revisionLabel,
    revision = 'canary',
    patchedLabels = {},
    appendPodSelector = false,
  } = options;
  const { metadata, spec: stableSpec } = asObject(stableService);
  const spec = asObject(stableSpec);
  const object = { kind: 'Service', namespace, name };
  if (!isJsonObject(spec.selector) || Object.keys(spec.selector).length === 0) {
    const stable = { ...object, name: textOf(asObject(metadata).name) ?? '' };
    return { ok: false, error: { class: 'panic', message: NIL_POINTER, object: stable, path: 'spec.selector' } };
  }
  if (name.length > MAX_NAME) {
    const message = `metadata.name: Invalid value: "${name}": must be no more than ${MAX_NAME} characters`;
    return { ok: false, error: { class: 'rejected', message, object, path: 'metadata.name' } };
  }
  const patched = Object.entries(patchedLabels).filter(
    ([key]) => appendPodSelector || Object.hasOwn(asObject(spec.selector), key),
  );
  const { clusterIP, clusterIPs, externalIPs, ipFamilyPolicy, ipFamilies, loadBalancerIP, ...kept } = spec;
  const { labels, annotations } = options.copiesMetadata === true ? asObject(metadata) : {};
  return {
    ok: true,
    service: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: compact({ name, namespace, labels, annotations }) as JsonObject,
      spec: {
        ...kept,
        ...(spec.ports === undefined ? {} : { ports: asList(spec.ports).map(withoutNodePort) }),
        selector: { ...spec.selector, [revisionLabel]: revision, ...Object.fromEntries(patched) },
      },
    },
  };
}

function withoutNodePort(port: unknown): JsonObject {
  const { nodePort, ...others } = asObject(port);
  return others;
}

/** The Service with a selector for one version. */
export function pinned(service: JsonObject, revisionLabel: string, revision: string): JsonObject {
  return withSelector(service, { ...selectorOf(service), [revisionLabel]: revision });
}

/** The Service with a selector for all versions. */
export function unpinned(service: JsonObject, revisionLabel: string): JsonObject {
  const { [revisionLabel]: _revision, ...others } = selectorOf(service);
  return withSelector(service, others);
}

function withSelector(service: JsonObject, selector: StringMap): JsonObject {
  return { ...service, spec: { ...asObject(service.spec), selector } };
}

/** Makes the canary Service, or lets an existing one select the new pods. */
export function makeCanaryService(play: Play, route: RouteSubject): void {
  const { journal, workload, version, rollout, canaryLabels } = play;
  const { namespace, canaryService: name } = route;
  const { revisionLabel } = workload;
  const stable = requireStableService(play, route);
  const existing = journal.world.find('Service', name, namespace);
  if (existing !== undefined) {
    journal.write(writtenFrom(existing, pinned(existing.object, revisionLabel, newRevision(workload))));
    return;
  }
  const { patchesCanaryServiceSelector: patches, copiesServiceMetadata: copiesMetadata } = version.facts;
  // A label that the controller itself added does not count as a selector.
  const made = canaryServiceOf(unpinned(stable.object, revisionLabel), {
    name,
    namespace,
    revisionLabel,
    revision: newRevision(workload),
    copiesMetadata,
    patchedLabels: patches && rollout.style !== 'blueGreen' ? canaryLabels : {},
  });
  if (!made.ok) throw new Stopped(made.error);
  journal.write(writtenFrom(stable, made.service));
}

/** Lets the stable Service select only the old pods. */
export function pinStableService(play: Play, route: RouteSubject): void {
  const { journal, workload } = play;
  if (workload.lacksStableRevision !== undefined) return;
  const stable = requireStableService(play, route);
  journal.write(writtenFrom(stable, pinned(stable.object, workload.revisionLabel, 'stable')));
}

/** Lets the stable Service select the pods of all versions. Returns whether that changes anything. */
export function unpinStableService({ journal, workload }: Play, route: RouteSubject): boolean {
  const stable = journal.world.find('Service', route.service, route.namespace);
  if (stable === undefined || selectorOf(stable.object)[workload.revisionLabel] === undefined) return false;
  return journal.write(writtenFrom(stable, unpinned(stable.object, workload.revisionLabel)));
}

/** The version that the stable Service selects is no longer the stable one: its hash gets another name. Returns whether it selects one. */
export function renamePin({ journal, workload }: Play, route: RouteSubject, hash: string): boolean {
  const stable = journal.world.find('Service', route.service, route.namespace);
  if (stable === undefined || selectorOf(stable.object)[workload.revisionLabel] !== 'stable') return false;
  journal.edit(writtenFrom(stable, pinned(stable.object, workload.revisionLabel, hash)));
  return true;
}

/** Deletes the canary Service. Returns whether there was one. */
export function removeCanaryService({ journal }: Play, route: RouteSubject): boolean {
  const { makesCanaryService, canaryService, namespace } = route;
  const canary = makesCanaryService ? journal.world.find('Service', canaryService, namespace) : undefined;
  if (canary === undefined) return false;
  journal.remove(canary);
  return true;
}

function requireStableService({ journal }: Play, { namespace, service }: RouteSubject): Manifest {
  const stable = journal.world.find('Service', service, namespace);
  if (stable === undefined) throw new Stopped(notFound('Service', namespace, service));
  return stable;
}
