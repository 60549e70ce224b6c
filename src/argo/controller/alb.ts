/** The controller's calls that change ALB Ingresses. Pure functions of manifests that never throw. */
import { goJson } from '../../core/go-json';
import type { JsonObject } from '../../core/json';
import { asList, asObject, asText, partOf, stringMapOf } from '../../core/json';
import {
  actionKey,
  conditionKey,
  type HeaderRoute,
  headerAction,
  headerConditions,
  readHeaderRoute,
  type WeightDestination,
  weightAction,
} from './actions';
import type { AlbRollout } from './alb-rollout';
import { MANAGED_ANNOTATIONS, updateBookkeeping } from './bookkeeping';
import { type AlbFailure, nilMap, Stopped } from './failure';
import {
  hasRuleWithService,
  type IngressRules,
  sortedByManagedRoutes,
  withActionPath,
  withoutServicePath,
} from './paths';

/** The Ingresses after one or more calls. */
export interface AlbResult {
  /** All Ingresses after the calls, in the given order. */
  readonly ingresses: readonly JsonObject[];
  /** The names of the patched Ingresses, without duplicates. */
  readonly written: readonly string[];
  /**
   * The error that stopped the controller. `ingresses` has the earlier writes.
   * @default - none
   */
  readonly error?: AlbFailure;
}

/** The annotations of an Ingress, and its rules if the call writes them too. */
interface Desired {
  readonly annotations: ReadonlyMap<string, string>;
  readonly rules?: IngressRules;
}

/** Writes the weight action: `weight` percent to the canary, the rest to stable. */
export function setWeight(
  rollout: AlbRollout,
  ingresses: readonly unknown[],
  weight: number,
  experiments: readonly WeightDestination[] = [],
): AlbResult {
  return patchEach(rollout, ingresses, (ingress) => {
    if (!hasRuleWithService(rulesOf(ingress), rollout.actionService)) {
      throw new Stopped(
        'service-not-in-rules',
        `ingress does not have service \`${rollout.actionService}\` in rules`,
        'spec.rules',
      );
    }
    const key = actionKey(rollout, rollout.actionService);
    const annotations = annotationsOf(ingress).set(key, weightAction(rollout, weight, experiments));
    return { annotations: booked(annotations, rollout, { add: [key] }) };
  });
}

/** Writes a header route: action, conditions and a path in every rule. Without `match`, removes them. */
export function setHeaderRoute(rollout: AlbRollout, ingresses: readonly unknown[], route: unknown): AlbResult {
  const { name, match } = readHeaderRoute(route);
  return patchEach(rollout, ingresses, (ingress) => {
    const annotations = headerAnnotations(rollout, ingress, { name, match });
    const before = rulesOf(ingress);
    const exists = hasRuleWithService(before, name);
    const rules =
      match === undefined
        ? exists
          ? withoutServicePath(before, name)
          : before
        : exists
          ? before
          : withActionPath(before, name);
    return { annotations, rules: sortedByManagedRoutes(rules, rollout.managedRoutes) };
  });
}

/** Removes all `managedRoutes`. The controller calls this in every reconcile that does not need them. */
export function removeManagedRoutes(rollout: AlbRollout, ingresses: readonly unknown[]): AlbResult {
  const { managedRoutes } = rollout;
  if (managedRoutes.length === 0) return { ingresses: ingresses.map(asObject), written: [] };
  const keys = managedRoutes.flatMap((name) => [actionKey(rollout, name), conditionKey(rollout, name)]);
  return patchEach(rollout, ingresses, (ingress) => {
    const annotations = annotationsOf(ingress);
    for (const key of keys) annotations.delete(key);
    return {
      annotations: booked(requireAnnotations(annotations, ingress), rollout, { remove: keys }),
      rules: managedRoutes.reduce(withoutServicePath, rulesOf(ingress)),
    };
  });
}

function headerAnnotations(rollout: AlbRollout, ingress: JsonObject, { name, match }: HeaderRoute) {
  const annotations = annotationsOf(ingress);
  const action = actionKey(rollout, name);
  const condition = conditionKey(rollout, name);
  if (match === undefined) {
    annotations.delete(action);
    annotations.delete(condition);
    return booked(requireAnnotations(annotations, ingress), rollout, { remove: [action, condition] });
  }
  const values = [headerAction(rollout), headerConditions(match)] as const;
  requireAnnotations(annotations, ingress).set(action, values[0]).set(condition, values[1]);
  return booked(annotations, rollout, { add: [action, condition] });
}

/** Panics as the controller does when it writes to the annotations of an Ingress without annotations. */
function requireAnnotations(annotations: Map<string, string>, ingress: JsonObject): Map<string, string> {
  if (annotationsOf(ingress).size === 0) throw nilMap('metadata.annotations');
  return annotations;
}

function booked(
  annotations: Map<string, string>,
  rollout: AlbRollout,
  change: Parameters<typeof updateBookkeeping>[2],
): ReadonlyMap<string, string> {
  const before = annotations.get(MANAGED_ANNOTATIONS);
  return annotations.set(MANAGED_ANNOTATIONS, updateBookkeeping(before, rollout.name, change));
}

/** Patches the Rollout's Ingresses in order. Stops at an error, and at the first Ingress that needs no patch. */
function patchEach(
  rollout: AlbRollout,
  ingresses: readonly unknown[],
  desire: (ingress: JsonObject) => Desired,
): AlbResult {
  const manifests = ingresses.map(asObject);
  const written: string[] = [];
  for (const name of rollout.ingresses) {
    const index = manifests.findIndex((manifest) => isIngressOf(rollout, manifest, name));
    try {
      if (index === -1) throw new Stopped('not-found', `ingress.networking.k8s.io "${name}" not found`);
      const before = manifests[index]!;
      const after = patched(before, desire(before));
      if (after === before) break;
      manifests[index] = after;
      if (!written.includes(name)) written.push(name);
    } catch (stopped) {
      if (!(stopped instanceof Stopped)) throw stopped;
      const { kind, message, path } = stopped;
      return { ingresses: manifests, written, error: { class: kind, message, ingress: name, path } };
    }
  }
  return { ingresses: manifests, written };
}

function isIngressOf(rollout: AlbRollout, manifest: JsonObject, name: string): boolean {
  const { name: found, namespace } = asObject(manifest.metadata);
  return found === name && (asText(namespace) || 'default') === (rollout.namespace ?? 'default');
}

function patched(ingress: JsonObject, { annotations, rules }: Desired): JsonObject {
  const before = rulesOf(ingress);
  const isSame =
    sameAnnotations(annotations, annotationsOf(ingress)) &&
    (rules === undefined || rules === before || goJson(rules) === goJson(before));
  if (isSame) return ingress;
  const after = withAnnotations(ingress, annotations);
  return rules === undefined ? after : { ...after, spec: { ...asObject(ingress.spec), rules } };
}

/** Whether annotations are the same in the JSON that the controller compares. */
function sameAnnotations(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  if (a.size !== b.size) return false;
  const keys = [...a.keys()];
  if (!keys.every((key) => b.has(key))) return goJson(Object.fromEntries(a)) === goJson(Object.fromEntries(b));
  return keys.every((key) => a.get(key) === b.get(key) || goJson(a.get(key)) === goJson(b.get(key)));
}

/** The annotations of an Ingress; empty if it has none. */
export function annotationsOf(ingress: JsonObject): Map<string, string> {
  return new Map(stringMapOf(partOf(partOf(ingress, 'metadata'), 'annotations')));
}

/** `spec.rules` of an Ingress. */
export function rulesOf(ingress: JsonObject): IngressRules {
  return asList(partOf(ingress, 'spec')?.rules);
}

/** The Ingress with other annotations. */
export function withAnnotations(ingress: JsonObject, annotations: ReadonlyMap<string, string>): JsonObject {
  const { annotations: _before, ...others } = asObject(ingress.metadata);
  const metadata = annotations.size === 0 ? others : { ...others, annotations: Object.fromEntries(annotations) };
  return { ...ingress, metadata };
}
