/** The network providers of a Rollout on a World: each reconcile returns the next World, until nothing changes. */

import type { JsonObject } from '../../core/json';
import { Manifest } from '../../core/manifest';
import type { World } from '../../core/world';
import { compileLua } from '../../lua';
import type { TrafficRoutingStrategy } from '../api';
import { type RunScript, scriptRunner } from '../scripts/contract';
import { type FoundScript, lookupIngressScript, type ScriptSources } from '../scripts/lookup';
import type { RouteSubject } from '../subject';
import { KruiseRolloutVersion } from '../version';
import { type CanaryIngress, canaryIngressName, createCanaryIngress, ensureIngressRoutes } from './canary-ingress';
import {
  type CustomScripts,
  type CustomTarget,
  customScripts,
  ensureCustomRoutes,
  finaliseCustom,
} from './custom-network';
import { type ControllerError, NIL_POINTER } from './error';
import { ensureGatewayRoutes, finaliseGateway } from './gateway';

const INGRESS = 'Ingress.networking.k8s.io';
const HTTP_ROUTE = 'HTTPRoute.gateway.networking.k8s.io';

/** A compiled script, or the controller's error if there is none. */
export type PreparedScript =
  | { readonly ok: true; readonly run: RunScript; readonly source: string; readonly from: FoundScript['from'] }
  | { readonly ok: false; readonly error: string };

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
      ? { ok: true, run: scriptRunner(compileLua(found.source), this.version), source: found.source, from: found.from }
      : { ok: false, error: found.error };
    this.byClass.set(classType, script);
    return script;
  }
}

/** The result of one reconcile. */
export interface ProviderPass {
  readonly world: World;
  readonly done: boolean;
  /** Whether this reconcile created the canary, which gets no traffic yet. */
  readonly created?: boolean;
  readonly error?: ControllerError;
}

/** One way to route traffic. */
export interface Provider {
  /** Prepares routing when the Rollout starts; only old releases do this. */
  initialise?(world: World): ProviderPass;
  ensure(world: World, strategy: TrafficRoutingStrategy): ProviderPass;
  finalise(world: World): World;
}

/** The providers of a route in the controller's order, or the error. */
export type ProviderLookup =
  | { readonly ok: true; readonly providers: readonly Provider[] }
  | { readonly ok: false; readonly error: ControllerError };

/** Finds the providers. A missing script stops the controller here, before it writes anything. */
export function providersOf(route: RouteSubject, scripts: RolloutScripts): ProviderLookup {
  const providers: Provider[] = [];
  const { ingress, gateway, customNetworkRefs } = route;
  if (customNetworkRefs.length > 0) providers.push(customProvider(route, scripts));
  if (ingress !== undefined) {
    const script = scripts.ingress(ingress.classType);
    if (!script.ok) {
      const log = `newNetworkProvider failed: ${script.error}`;
      return { ok: false, error: { class: 'script-not-found', message: script.error, log } };
    }
    providers.push(ingressProvider(route, ingress.name, script.run, scripts.version));
  }
  if (gateway !== undefined) {
    if (gateway.httpRouteName === '') return { ok: false, error: withoutName(route) };
    providers.push(gatewayProvider(route, gateway.httpRouteName));
  }
  if (providers.length === 0) {
    const message = 'TrafficRouting current only supports Ingress, Gateway API and CustomNetworkRefs';
    return { ok: false, error: { class: 'rejected', message, log: message } };
  }
  return { ok: true, providers };
}

function withoutName({ manifest, namespace }: RouteSubject): ControllerError {
  const object = { kind: manifest.kind, namespace, name: manifest.name };
  return { class: 'panic', message: NIL_POINTER, object, path: 'gateway.httpRouteName' };
}

/** A manifest that the controller writes, with the source location of the manifest that it derives from. */
export function writtenFrom(source: Manifest, object: object): Manifest {
  const { construct } = source;
  const options = construct === undefined ? {} : { construct };
  if (source.sourceOf() === undefined) return Manifest.of(object, options);
  return Manifest.of(object, { ...options, origin: { locate: (path) => source.sourceOf(path)! } });
}

function ingressProvider(route: RouteSubject, name: string, run: RunScript, version: KruiseRolloutVersion): Provider {
  const { namespace, service: stableService, canaryService } = route;
  const services = { stableService, canaryService };
  const canaryOf = (world: World) => world.find(INGRESS, canaryIngressName(name), namespace);
  const written = (world: World, stable: Manifest, ingress: CanaryIngress | undefined) =>
    ingress === undefined ? world : world.with(writtenFrom(stable, ingress));
  return {
    initialise(world) {
      const stable = world.find(INGRESS, name, namespace);
      if (stable === undefined) return missing(world, 'Ingress', name, namespace);
      if (canaryOf(world) !== undefined) return { world, done: true };
      const { canaryIngress, error } = createCanaryIngress(stable.object, services, run, version);
      return result(written(world, stable, canaryIngress), true, error, canaryIngress !== undefined);
    },
    ensure(world, strategy) {
      const stable = world.find(INGRESS, name, namespace);
      const existing = canaryOf(world);
      if (stable === undefined && existing === undefined) return missing(world, 'Ingress', name, namespace);
      const canaryIngress = existing?.object as unknown as CanaryIngress | undefined;
      const state = { stableIngress: stable?.object, ...(canaryIngress === undefined ? {} : { canaryIngress }) };
      const pass = ensureIngressRoutes(state, { ...services, strategy }, run, version);
      const after = pass.written === undefined ? undefined : pass.canaryIngress;
      return result(written(world, stable ?? existing!, after), pass.done, pass.error, pass.written === 'created');
    },
    finalise(world) {
      const canary = canaryOf(world);
      return canary === undefined ? world : world.without(canary);
    },
  };
}

function gatewayProvider(route: RouteSubject, name: string): Provider {
  const { namespace, service: stableService, canaryService } = route;
  const services = { stableService, canaryService };
  return {
    ensure(world, strategy) {
      const httpRoute = world.find(HTTP_ROUTE, name, namespace);
      if (httpRoute === undefined) return missing(world, 'HTTPRoute', name, namespace);
      const after = ensureGatewayRoutes(httpRoute.object, { ...services, strategy });
      if (after === undefined) return { world, done: true };
      return { world: world.with(writtenFrom(httpRoute, after)), done: false };
    },
    finalise(world) {
      const httpRoute = world.find(HTTP_ROUTE, name, namespace);
      if (httpRoute === undefined) return world;
      return world.with(writtenFrom(httpRoute, finaliseGateway(httpRoute.object, services)));
    },
  };
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
  const write = (world: World, found: ReturnType<typeof find>, targets: readonly CustomTarget[]) => {
    const changed = targets.flatMap(({ object }, index) => {
      const manifest = found[index]!.manifest;
      return manifest === undefined || object === undefined || object === manifest.object
        ? []
        : [writtenFrom(manifest, object as JsonObject)];
    });
    return changed.length === 0 ? world : world.with(...changed);
  };
  return {
    ensure(world, strategy) {
      const found = find(world);
      const routing = { namespace, stableService, canaryService, strategy };
      const pass = ensureCustomRoutes(targetsOf(found), routing, scripts.custom, scripts.version);
      return result(write(world, found, pass.targets), pass.done, pass.error);
    },
    finalise(world) {
      const found = find(world);
      return write(world, found, finaliseCustom(targetsOf(found)));
    },
  };
}

function missing(world: World, kind: string, name: string, namespace: string): ProviderPass {
  const error: ControllerError = {
    class: 'not-found',
    message: `${kind} "${name}" not found`,
    object: { kind, namespace, name },
  };
  return { world, done: false, error };
}

function result(world: World, done: boolean, error: ControllerError | undefined, created = false): ProviderPass {
  return { world, done, ...(created ? { created } : {}), ...(error === undefined ? {} : { error }) };
}
