/** The network providers of a Rollout on a World: each reconcile returns the next World, until nothing changes. */

import { asObject, compact, type JsonObject } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { formatPath } from '../../core/path';
import type { World } from '../../core/world';
import { writtenFrom } from '../../release';
import type { TrafficRoutingStrategy } from '../api';
import type { GatewayApiTypes } from '../facts';
import { keptSpec, lostFields } from '../http-route-fields';
import { trafficWeight } from '../routing';
import type { RunScript } from '../scripts/contract';
import { type FoundScript, lookupIngressScript, runnerOfFound, type ScriptSources } from '../scripts/lookup';
import type { RouteSubject } from '../subject';
import { KruiseRolloutVersion } from '../version';
import { type CanaryIngress, canaryIngressName, createCanaryIngress, ensureIngressRoutes } from './canary-ingress';
import {
  type CustomScripts,
  type CustomTarget,
  customScripts,
  ensureCustomRoutes,
  finaliseCustom,
  missingCustom,
} from './custom-network';
import { type ControllerError, NIL_POINTER, notFound, scriptsUnknown } from './error';
import { ensureGatewayRoutes, restoredHttpRoute } from './gateway';

const INGRESS = 'Ingress.networking.k8s.io';
const HTTP_ROUTE = 'HTTPRoute.gateway.networking.k8s.io';

/** A compiled script, or the controller's error if there is none. */
export type PreparedScript =
  | { readonly ok: true; readonly run: RunScript; readonly source: string; readonly from: FoundScript['from'] }
  | { readonly ok: false; readonly error: string; readonly unknownIn?: string };

/** The scripts that a controller finds, each compiled once for all Rollouts. */
export class RolloutScripts {
  readonly version: KruiseRolloutVersion;
  readonly custom: CustomScripts;
  private readonly byClass = new Map<string, PreparedScript>();

  constructor(private readonly sources: ScriptSources) {
    this.version = sources.version ?? KruiseRolloutVersion.LATEST;
    this.custom = customScripts({ ...sources, version: this.version });
  }

  /** The script of an Ingress class. */
  ingress(classType: string): PreparedScript {
    const known = this.byClass.get(classType);
    if (known !== undefined) return known;
    const found = lookupIngressScript(classType, { ...this.sources, version: this.version });
    const script: PreparedScript = found.found
      ? { ok: true, run: runnerOfFound(found, this.version), source: found.source, from: found.from }
      : compact({ ok: false as const, error: found.error, unknownIn: found.unknownIn });
    this.byClass.set(classType, script);
    return script;
  }
}

/** The result of one reconcile. */
export interface ProviderPass {
  /** The objects that it writes, in its order. */
  readonly written: readonly Manifest[];
  readonly done: boolean;
  /** Whether this reconcile created the canary, which gets no traffic yet. */
  readonly created?: boolean;
  readonly error?: ControllerError;
}

/** The end of routing. */
export interface ProviderEnd {
  /** The objects as they were before the release. */
  readonly written: readonly Manifest[];
  readonly removed: readonly Manifest[];
  /** Why the controller writes this again and again. */
  readonly error?: ControllerError;
}

/** One way to route traffic. */
export interface Provider {
  /** The error for an object or a script that does not exist; a release then does not begin. */
  missing(world: World): ControllerError | undefined;
  /** Prepares routing when the Rollout starts; only old releases do this. */
  initialise?(world: World): ProviderPass;
  ensure(world: World, strategy: TrafficRoutingStrategy): ProviderPass;
  finalise(world: World): ProviderEnd;
}

/** The providers of a route in the controller's order, or the error. */
export type ProviderLookup =
  | { readonly ok: true; readonly providers: readonly Provider[] }
  | { readonly ok: false; readonly error: ControllerError };

/** Finds the providers. A missing script stops the controller here, before it writes anything. */
export function providersOf(route: RouteSubject, scripts: RolloutScripts): ProviderLookup {
  const { ingress, gateway, customNetworkRefs } = route;
  const kinds = [
    ...(customNetworkRefs.length === 0 ? [] : [() => found(customProvider(route, scripts))]),
    ...(ingress === undefined ? [] : [() => ingressLookup(route, ingress, scripts)]),
    ...(gateway === undefined ? [] : [() => gatewayLookup(route, gateway.httpRouteName, scripts.version)]),
  ];
  const used = scripts.version.facts.combinesProviders ? kinds : kinds.slice(0, 1);
  const lookups = used.map((lookup) => lookup());
  const failed = lookups.find(({ ok }) => !ok);
  if (failed !== undefined) return failed;
  const providers = lookups.flatMap((lookup) => (lookup.ok ? lookup.providers : []));
  if (providers.length === 0) {
    const message = 'TrafficRouting current only supports Ingress, Gateway API and CustomNetworkRefs';
    return { ok: false, error: { class: 'rejected', message, log: message } };
  }
  return { ok: true, providers };
}

function found(provider: Provider): ProviderLookup {
  return { ok: true, providers: [provider] };
}

function ingressLookup(
  route: RouteSubject,
  { name, classType }: NonNullable<RouteSubject['ingress']>,
  scripts: RolloutScripts,
): ProviderLookup {
  const script = scripts.ingress(classType);
  if (script.ok) return found(ingressProvider(route, name, script.run, scripts.version));
  if (script.unknownIn !== undefined) return { ok: false, error: scriptsUnknown(script.unknownIn) };
  const log = `newNetworkProvider failed: ${script.error}`;
  return { ok: false, error: { class: 'script-not-found', message: script.error, log } };
}

function gatewayLookup(route: RouteSubject, httpRouteName: string, version: KruiseRolloutVersion): ProviderLookup {
  if (httpRouteName === '') return { ok: false, error: withoutName(route) };
  return found(gatewayProvider(route, httpRouteName, version));
}

function withoutName({ manifest, namespace }: RouteSubject): ControllerError {
  const object = { kind: manifest.kind, namespace, name: manifest.name };
  return { class: 'panic', message: NIL_POINTER, object, path: 'gateway.httpRouteName' };
}

function ingressProvider(route: RouteSubject, name: string, run: RunScript, version: KruiseRolloutVersion): Provider {
  const { namespace, service: stableService, canaryService } = route;
  const services = { stableService, canaryService };
  const canaryOf = (world: World) => world.find(INGRESS, canaryIngressName(name), namespace);
  const written = (source: Manifest, ingress: CanaryIngress | undefined) =>
    ingress === undefined ? [] : [writtenFrom(source, ingress)];
  const absent = (ingress: string) => notFound('Ingress', namespace, ingress);
  return {
    missing: (world) => (world.find(INGRESS, name, namespace) === undefined ? absent(name) : undefined),
    initialise(world) {
      const stable = world.find(INGRESS, name, namespace);
      if (stable === undefined) return failed(absent(name));
      if (canaryOf(world) !== undefined) return DONE;
      const { canaryIngress, error } = createCanaryIngress(stable.object, services, run, version);
      if (isEmpty(canaryIngress)) return failed(withoutPath(name, route));
      return passOf(written(stable, canaryIngress), true, error, canaryIngress !== undefined);
    },
    ensure(world, strategy) {
      const stable = world.find(INGRESS, name, namespace);
      const existing = canaryOf(world);
      if (existing === undefined) {
        const isCreatedOnce = version.facts.canaryIngressCreatedIn === 'Initialize';
        if (isCreatedOnce && trafficWeight(strategy) !== 0) return failed(absent(canaryIngressName(name)));
        if (stable === undefined) return failed(absent(name));
      }
      const canaryIngress = existing?.object as unknown as CanaryIngress | undefined;
      const state = { stableIngress: stable?.object, ...(canaryIngress === undefined ? {} : { canaryIngress }) };
      const pass = ensureIngressRoutes(state, { ...services, strategy }, run, version);
      if (pass.written === 'created' && isEmpty(pass.canaryIngress)) return failed(withoutPath(name, route));
      const after = pass.written === undefined ? undefined : pass.canaryIngress;
      return passOf(written(stable ?? existing!, after), pass.done, pass.error, pass.written === 'created');
    },
    finalise(world) {
      const canary = canaryOf(world);
      return { written: [], removed: canary === undefined ? [] : [canary] };
    },
  };
}

function isEmpty(canaryIngress: CanaryIngress | undefined): boolean {
  return canaryIngress !== undefined && canaryIngress.spec.rules === undefined;
}

/** The API server's error for a canary Ingress into which no path was copied. */
function withoutPath(name: string, { namespace, service }: RouteSubject): ControllerError {
  return {
    class: 'rejected',
    message: `the Ingress has no path to Service "${service}", so its canary has no rules, and the API server refuses it`,
    log: 'either `defaultBackend` or `rules` must be specified',
    object: { kind: 'Ingress', namespace, name },
    path: 'spec.rules',
    fix: 'let a path of the Ingress lead to the Service of the release, or name the Ingress that has such a path',
  };
}

function gatewayProvider(route: RouteSubject, name: string, { facts }: KruiseRolloutVersion): Provider {
  const { namespace, service: stableService, canaryService } = route;
  const services = { stableService, canaryService };
  const missing = (world: World) => {
    const httpRoute = world.find(HTTP_ROUTE, name, namespace);
    if (httpRoute === undefined) return notFound('HTTPRoute', namespace, name);
    return facts.gatewayApiTypes === '0.4' && httpRoute.object.apiVersion === V1
      ? unserved(name, namespace)
      : undefined;
  };
  // The controller reads and writes the fields that its types have.
  const known = ({ object }: Manifest) => ({ ...object, spec: keptSpec(asObject(object.spec), facts.gatewayApiTypes) });
  const refusalOf = (httpRoute: Manifest) => refusedFilter(httpRoute, namespace, facts.gatewayApiTypes);
  return {
    missing,
    ensure(world, strategy) {
      const httpRoute = world.find(HTTP_ROUTE, name, namespace);
      if (httpRoute === undefined) return failed(notFound('HTTPRoute', namespace, name));
      const after = ensureGatewayRoutes(known(httpRoute), { ...services, strategy });
      if (after === undefined) return DONE;
      const refusal = refusalOf(httpRoute);
      return refusal === undefined ? passOf([writtenFrom(httpRoute, after)], false) : failed(refusal);
    },
    finalise(world) {
      const httpRoute = world.find(HTTP_ROUTE, name, namespace);
      if (httpRoute === undefined) return { written: [], removed: [] };
      const { httpRoute: after, isEmptied } = restoredHttpRoute(known(httpRoute), services);
      const written = after === undefined ? [] : [writtenFrom(httpRoute, after)];
      return { written, removed: [], ...(isEmptied ? { error: emptyRoute(name, namespace) } : {}) };
    },
  };
}

/** The version that came with Gateway API 1.0, whose CRDs have no `v1alpha2` any more. */
const V1 = 'gateway.networking.k8s.io/v1';

/** The controller asks for HTTPRoutes of a version that a cluster with `v1` does not serve. */
function unserved(name: string, namespace: string): ControllerError {
  const message = 'no matches for kind "HTTPRoute" in version "gateway.networking.k8s.io/v1alpha2"';
  return {
    class: 'rejected',
    message,
    log: message,
    object: { kind: 'HTTPRoute', namespace, name },
    fix: 'install Kruise Rollouts 0.5.0 or later: older releases read HTTPRoutes of v1alpha2 only, which Gateway API 1.0 removed',
  };
}

/** The controller removes all rules, and the API server fills in one again, for ever. */
function emptyRoute(name: string, namespace: string): ControllerError {
  const message =
    'the controller has taken the last rule out of the HTTPRoute, the API server fills in one that leads nowhere, and ' +
    'the controller tries to remove that for ever';
  const fix =
    'remove disableGenerateCanaryService if it is set, and apply the HTTPRoute again, with a rule whose backendRef is the stable Service';
  return { class: 'never-settles', message, object: { kind: 'HTTPRoute', namespace, name }, path: 'spec.rules', fix };
}

/** The API server's error for an HTTPRoute with a filter that has lost its configuration. */
function refusedFilter(
  { kind, name, object }: Manifest,
  namespace: string,
  types: GatewayApiTypes,
): ControllerError | undefined {
  const lost = lostFields(object.spec, types).find(({ filter }) => filter !== undefined);
  if (lost === undefined) return undefined;
  const [field, at] = [lost.path.at(-1), formatPath(lost.path.slice(0, -1))];
  const message = `${at}: filter.${field} must be specified for ${lost.filter} filter.type`;
  return { class: 'rejected', message, object: { kind, namespace, name }, path: formatPath(lost.path), log: message };
}

function customProvider(route: RouteSubject, scripts: RolloutScripts): Provider {
  const { namespace, service: stableService, canaryService } = route;
  const find = (world: World) =>
    route.customNetworkRefs.map(({ ref }) => ({
      target: ref,
      manifest: world.get({ ...ref, namespace }),
    }));
  const targetsOf = (found: ReturnType<typeof find>): CustomTarget[] =>
    found.map(({ target, manifest }) => ({
      ref: target,
      ...(manifest === undefined ? {} : { object: manifest.object }),
    }));
  const written = (found: ReturnType<typeof find>, targets: readonly CustomTarget[]) =>
    targets.flatMap(({ object }, index) => {
      const manifest = found[index]!.manifest;
      return manifest === undefined || object === undefined || object === manifest.object
        ? []
        : [writtenFrom(manifest, object as JsonObject)];
    });
  return {
    missing: (world) => missingCustom(targetsOf(find(world)), namespace, scripts.custom),
    ensure(world, strategy) {
      const found = find(world);
      const routing = { namespace, stableService, canaryService, strategy };
      const pass = ensureCustomRoutes(targetsOf(found), routing, scripts.custom, scripts.version);
      return passOf(written(found, pass.targets), pass.done, pass.error);
    },
    finalise(world) {
      const found = find(world);
      return { written: written(found, finaliseCustom(targetsOf(found))), removed: [] };
    },
  };
}

const DONE: ProviderPass = { written: [], done: true };

function failed(error: ControllerError): ProviderPass {
  return { written: [], done: false, error };
}

function passOf(written: readonly Manifest[], done: boolean, error?: ControllerError, created = false): ProviderPass {
  return { written, done, ...(created ? { created } : {}), ...(error === undefined ? {} : { error }) };
}
