/** The ingress provider: copies the stable Ingress and lets a script write the copy's annotations. */

import { omitEmpty, sameStringMap } from '../../core/go-json';
import { asList, asObject, compact, isJsonObject, type JsonObject, type StringMap, textOf } from '../../core/json';
import type { Routing } from '../routing';
import { trafficWeight } from '../routing';
import {
  annotationsOf,
  type IngressScriptObject,
  ingressScriptObject,
  type RunScript,
  returnedAnnotations,
  type ScriptCall,
} from '../scripts/contract';
import { KruiseRolloutVersion } from '../version';
import { annotationsRefusal, withMetadata } from './api-server';
import { type ControllerError, MAX_PASSES, NIL_POINTER } from './error';

/** A path of an Ingress rule. */
export interface IngressPath {
  readonly path?: string;
  readonly pathType?: string;
  readonly backend: {
    readonly service: { readonly name: string; readonly port: { readonly name?: string; readonly number?: number } };
  };
}

/** An Ingress as the controller writes it. */
export interface CanaryIngress {
  readonly apiVersion: 'networking.k8s.io/v1';
  readonly kind: 'Ingress';
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: StringMap;
    readonly annotations?: StringMap;
  };
  readonly spec: {
    readonly ingressClassName?: string;
    readonly rules?: readonly { readonly host?: string; readonly http: { readonly paths: readonly IngressPath[] } }[];
    readonly tls?: readonly { readonly hosts?: readonly string[]; readonly secretName?: string }[];
  };
}

/** The Services of a traffic split. */
export type RoutedServices = Pick<Routing, 'stableService' | 'canaryService'>;

/** One step for the ingress provider. */
export type IngressRouting = RoutedServices & Pick<Routing, 'strategy'>;

/** The name of the canary copy of an Ingress. */
export function canaryIngressName(stableIngress: string): string {
  return `${stableIngress}-canary`;
}

/** The built Ingress, or the panic of the controller. */
export type BuiltIngress =
  | { readonly ok: true; readonly ingress: CanaryIngress }
  | { readonly ok: false; readonly error: ControllerError };

/**
 * Builds the canary Ingress before a script runs. Copies metadata, class and TLS of the stable Ingress, and its paths to
 * the stable Service, which now lead to the canary Service. The controller panics if any rule of the Ingress has no
 * `http`, or any path has no Service.
 */
export function buildCanaryIngress(stableIngress: unknown, services: RoutedServices): BuiltIngress {
  const stable = asObject(stableIngress);
  const spec = asObject(stable.spec);
  const fault = faultOfRules(asList(spec.rules));
  if (fault !== undefined) {
    return { ok: false, error: { class: 'panic', message: NIL_POINTER, path: fault, object: nameOf(stable) } };
  }
  const metadata = asObject(stable.metadata);
  const rules = asList(spec.rules).flatMap((rule) => canaryRule(asObject(rule), services));
  const tls = asList(spec.tls).map((entry) => tlsEntry(asObject(entry)));
  return {
    ok: true,
    ingress: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: compact({
        name: canaryIngressName(textOf(metadata.name) ?? ''),
        namespace: textOf(metadata.namespace),
        labels: typedStringMap(metadata.labels),
        annotations: typedStringMap(metadata.annotations),
      }),
      spec: compact({
        ingressClassName: textOf(spec.ingressClassName),
        rules: rules.length > 0 ? rules : undefined,
        tls: tls.length > 0 ? tls : undefined,
      }),
    },
  };
}

/** The path of the first nil field that the controller dereferences. */
function faultOfRules(rules: readonly unknown[]): string | undefined {
  for (const [index, rule] of rules.entries()) {
    const { http } = asObject(rule);
    if (!isJsonObject(http)) return `spec.rules[${index}].http`;
    const path = asList(http.paths).findIndex((item) => !isJsonObject(asObject(asObject(item).backend).service));
    if (path >= 0) return `spec.rules[${index}].http.paths[${path}].backend.service`;
  }
  return undefined;
}

function canaryRule(rule: JsonObject, { stableService, canaryService }: RoutedServices) {
  const paths = asList(asObject(rule.http).paths).flatMap((item): IngressPath[] => {
    const path = asObject(item);
    const service = asObject(asObject(path.backend).service);
    if ((service.name ?? '') !== stableService) return [];
    const port = asObject(service.port);
    return [
      compact({
        path: textOf(path.path) || undefined,
        pathType: textOf(path.pathType),
        backend: {
          service: {
            name: canaryService,
            port: compact({
              name: textOf(port.name) || undefined,
              number: typeof port.number === 'number' && port.number !== 0 ? port.number : undefined,
            }),
          },
        },
      }),
    ];
  });
  return paths.length === 0 ? [] : [compact({ host: textOf(rule.host) || undefined, http: { paths } })];
}

function tlsEntry(entry: JsonObject) {
  const hosts = asList(entry.hosts).map((host) => textOf(host) ?? '');
  return compact({
    hosts: hosts.length > 0 ? hosts : undefined,
    secretName: textOf(entry.secretName) || undefined,
  });
}

/** Decodes a map of strings as a Go client does: null is an empty string. The API server rejects any other type. */
function typedStringMap(value: unknown): StringMap | undefined {
  const entries = Object.entries(asObject(value)).filter(([, item]) => item === null || typeof item === 'string');
  return omitEmpty(Object.fromEntries(entries.map(([key, item]) => [key, textOf(item) ?? ''])));
}

/** The result of one reconcile of the ingress provider. */
export interface IngressPass {
  /** The canary Ingress afterwards; absent if there is none yet. */
  readonly canaryIngress?: CanaryIngress;
  /** The write of this reconcile, if any. */
  readonly written?: 'created' | 'patched';
  /** Whether the controller considers the step done. */
  readonly done: boolean;
  /** The run of the script; absent if it did not run. */
  readonly call?: ScriptCall<IngressScriptObject>;
  readonly error?: ControllerError;
}

/** The Ingresses in the cluster before a reconcile. */
export interface IngressState {
  readonly stableIngress: unknown;
  /** @default - none yet */
  readonly canaryIngress?: CanaryIngress;
}

/**
 * One reconcile. Without a canary Ingress, it runs the script with weight 0 and creates the Ingress, unless the step has
 * weight 0. With a canary Ingress, it runs the script for the step on the current annotations. The step is done when they
 * no longer change.
 *
 * @param run see `scriptRunner` in scripts/contract
 */
export function ensureIngressRoutes(
  state: IngressState,
  routing: IngressRouting,
  run: RunScript,
  version: KruiseRolloutVersion = KruiseRolloutVersion.LATEST,
): IngressPass {
  if (state.canaryIngress === undefined) {
    if (trafficWeight(routing.strategy) === 0) return { done: true };
    return createCanaryIngress(state.stableIngress, routing, run, version);
  }
  const { canaryIngress } = state;
  const obj = ingressScriptObject({
    annotations: annotationsOf(canaryIngress),
    strategy: routing.strategy,
    canaryService: routing.canaryService,
    version,
  });
  const { call, annotations, error } = runForAnnotations(obj, run, canaryIngress);
  if (error !== undefined) return { canaryIngress, done: false, call, error };
  if (sameStringMap(obj.annotations, annotations)) return { canaryIngress, done: true, call };
  const refusal = refusalOf(canaryIngress, annotations);
  if (refusal !== undefined) return { canaryIngress, done: false, call, error: refusal };
  return { canaryIngress: withAnnotations(canaryIngress, annotations), written: 'patched', done: false, call };
}

/** Builds the canary Ingress, runs the script on it with weight 0 only, and creates it. */
export function createCanaryIngress(
  stableIngress: unknown,
  services: RoutedServices,
  run: RunScript,
  version: KruiseRolloutVersion = KruiseRolloutVersion.LATEST,
): IngressPass {
  const built = buildCanaryIngress(stableIngress, services);
  if (!built.ok) return { done: false, error: built.error };
  const obj = ingressScriptObject({
    annotations: built.ingress.metadata.annotations,
    canaryService: services.canaryService,
    version,
  });
  const { call, annotations, error } = runForAnnotations(obj, run, built.ingress);
  if (error !== undefined) return { done: false, call, error: { ...error, ...fixByAnnotation(obj, run) } };
  const refusal = refusalOf(built.ingress, annotations);
  if (refusal !== undefined) return { done: false, call, error: refusal };
  return { canaryIngress: withAnnotations(built.ingress, annotations), written: 'created', done: false, call };
}

/** The result of a step for the canary Ingress, from its first reconcile until it settles or fails. */
export interface IngressStep {
  /** The canary Ingress afterwards; absent if there is none yet. */
  readonly canaryIngress?: CanaryIngress;
  /** The canary Ingress as created, if this step created it. */
  readonly created?: CanaryIngress;
  /** All reconciles, in order; empty for a step that routes no traffic. */
  readonly passes: readonly IngressPass[];
  readonly error?: ControllerError;
}

/**
 * Reconciles one step until it settles. A script that changes its output with every run never settles: after a limited
 * number of reconciles, the result is an error of class `never-settles`.
 */
export function runIngressStep(
  state: IngressState,
  routing: IngressRouting,
  run: RunScript,
  version: KruiseRolloutVersion = KruiseRolloutVersion.LATEST,
): IngressStep {
  const passes: IngressPass[] = [];
  let { canaryIngress } = state;
  let created: CanaryIngress | undefined;
  while (passes.length < MAX_PASSES) {
    const pass = ensureIngressRoutes({ stableIngress: state.stableIngress, canaryIngress }, routing, run, version);
    passes.push(pass);
    canaryIngress = pass.canaryIngress;
    if (pass.written === 'created') created = canaryIngress;
    if (pass.done || pass.error !== undefined) return compact({ canaryIngress, created, passes, error: pass.error });
  }
  return compact({ canaryIngress, created, passes, error: neverSettles(passes) });
}

/** Ends a rollout: deletes the canary Ingress. The controller never changes the stable Ingress. */
export function finaliseIngress(state: IngressState): { readonly deleted?: CanaryIngress } {
  return compact({ deleted: state.canaryIngress });
}

interface AnnotationsRun {
  readonly call: ScriptCall<IngressScriptObject>;
  readonly annotations?: StringMap;
  readonly error?: ControllerError;
}

function runForAnnotations(obj: IngressScriptObject, run: RunScript, ingress: CanaryIngress): AnnotationsRun {
  const call = { obj, result: run(obj) };
  const returned = returnedAnnotations(call.result);
  if (returned.ok) return { call, annotations: omitEmpty(returned.annotations) };
  const error: ControllerError = compact({
    class: 'lua' as const,
    message: returned.error,
    log: `execute lua failed: ${returned.error}`,
    line: returned.line,
    object: nameOf(ingress),
  });
  return { call, error };
}

/** The annotation that client-side `kubectl apply` adds to every object. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** A script that fails on an Ingress without annotations may work on the same Ingress with any. */
function fixByAnnotation(obj: IngressScriptObject, run: RunScript): Pick<ControllerError, 'fix'> {
  if (obj.annotations !== undefined) return {};
  const annotated = run({ ...obj, annotations: { [LAST_APPLIED]: '{}' } });
  if (!returnedAnnotations(annotated).ok) return {};
  return {
    fix:
      'add an annotation to the Ingress: the script fails only without any. Server-side apply, kubectl create and Helm ' +
      `leave the Ingress without one; client-side kubectl apply adds ${LAST_APPLIED}`,
  };
}

function withAnnotations(ingress: CanaryIngress, annotations: StringMap | undefined): CanaryIngress {
  return withMetadata(ingress, { annotations });
}

function refusalOf(ingress: CanaryIngress, annotations: StringMap | undefined): ControllerError | undefined {
  const message = annotationsRefusal(annotations);
  if (message === undefined) return undefined;
  return { class: 'rejected', message, object: nameOf(ingress), path: 'metadata.annotations' };
}

function neverSettles(passes: readonly IngressPass[]): ControllerError {
  const [before, after] = passes.slice(-2).map((pass) => pass.canaryIngress?.metadata.annotations ?? {});
  const ingress = passes[passes.length - 1].canaryIngress;
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => before[key] !== after[key],
  );
  return {
    class: 'never-settles',
    message:
      `the script changes its own output with every run: after ${passes.length} runs ` +
      `${changed.map((key) => `annotation "${key}"`).join(', ')} still ${changed.length === 1 ? 'differs' : 'differ'}`,
    object: nameOf(ingress),
    path: 'metadata.annotations',
  };
}

function nameOf(manifest: unknown) {
  const metadata = asObject(asObject(manifest).metadata);
  return { kind: 'Ingress', namespace: textOf(metadata.namespace) ?? 'default', name: textOf(metadata.name) ?? '' };
}
