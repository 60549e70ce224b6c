/** What the controller does with Services: a copy for the canary, and a selector that tells versions apart. */
import { isJsonObject, type JsonObject } from '../../core/json';
import { asList, asObject, asString, compact, type StringMap } from '../json';
import { type ControllerError, NIL_POINTER } from './error';
import type { Revision } from './pods';

/** What came of making the canary Service. */
export type MadeService =
  | { readonly ok: true; readonly service: JsonObject }
  | { readonly ok: false; readonly error: ControllerError };

/** What the canary Service is made with. */
export interface CanaryServiceOptions {
  readonly name: string;
  readonly namespace: string;
  readonly revisionLabel: string;
  /**
   * Labels of `patchPodTemplateMetadata`, which replace those that the selector asks for.
   * @default - none
   */
  readonly patchedLabels?: StringMap;
  /**
   * The feature gate AppendPodSelector: the labels are also added where the selector does not ask for them.
   * @default false
   */
  readonly appendPodSelector?: boolean;
}

const MAX_NAME = 63;

/**
 * Copies the stable Service. What belongs to the cluster is cleared (addresses, node ports), its type is kept, so that
 * a load balancer is made once more. A Service without selector ends the controller's process.
 */
export function canaryServiceOf(stableService: unknown, options: CanaryServiceOptions): MadeService {
  const { name, namespace, revisionLabel, patchedLabels = {}, appendPodSelector = false } = options;
  const { metadata, spec: stableSpec } = asObject(stableService);
  const spec = asObject(stableSpec);
  const object = { kind: 'Service', namespace, name };
  if (!isJsonObject(spec.selector) || Object.keys(spec.selector).length === 0) {
    const stable = { ...object, name: asString(asObject(metadata).name) ?? '' };
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
  const { labels, annotations } = asObject(metadata);
  return {
    ok: true,
    service: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: compact({ name, namespace, labels, annotations }) as JsonObject,
      spec: {
        ...kept,
        ...(spec.ports === undefined ? {} : { ports: asList(spec.ports).map(withoutNodePort) }),
        selector: { ...spec.selector, [revisionLabel]: 'canary', ...Object.fromEntries(patched) },
      },
    },
  };
}

function withoutNodePort(port: unknown): JsonObject {
  const { nodePort, ...others } = asObject(port);
  return others;
}

/** The Service with pods of one version only. */
export function pinned(service: JsonObject, revisionLabel: string, revision: Revision): JsonObject {
  return withSelector(service, { ...selectorOf(service), [revisionLabel]: revision });
}

/** The Service with pods of all versions again. */
export function unpinned(service: JsonObject, revisionLabel: string): JsonObject {
  const { [revisionLabel]: _revision, ...others } = selectorOf(service);
  return withSelector(service, others);
}

/** The labels that a Service selects by. */
export function selectorOf(service: JsonObject): StringMap {
  const entries = Object.entries(asObject(asObject(service.spec).selector));
  return Object.fromEntries(entries.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])));
}

function withSelector(service: JsonObject, selector: StringMap): JsonObject {
  return { ...service, spec: { ...asObject(service.spec), selector } };
}
