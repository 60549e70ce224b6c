/** An application as far as its rehearsal looks at it, with its own names and with stand-ins. */
import { isJsonObject, type Json, type JsonObject, Manifest, type Path, type World } from '../../core';
import { LUA_CONFIG_MAP_NAME } from '../../kruise/api';
import { asList, asObject, asString, type StringMap } from '../../kruise/json';
import type { RolloutSubject } from '../../kruise/rules/subject';
import type { SeparateMember } from '../../routers/aws-alb/separate';
import { Names } from './names';

/** A Rollout with its workload, Service and Ingress, all by themselves. */
export interface Application {
  readonly rollout: Manifest;
  readonly ingress: Manifest;
  readonly names: Names;
  /** All of it with stand-ins, as JSON: equal for applications that differ in their names alone. */
  readonly text: string;
  readonly namespace: string;
  readonly ingressName: string;
}

const INGRESS = 'Ingress.networking.k8s.io';
const PREFIX = 'alb.ingress.kubernetes.io/';
const LONGEST = 20_000;

/**
 * Reads an application; undefined for one in which something is unusual, so that it has to be rehearsed as it is.
 * @param member its Ingress
 */
export function applicationOf(
  world: World,
  { manifest, namespace, v1alpha1, style, route, workload, strategy }: RolloutSubject,
  member: SeparateMember,
): Application | undefined {
  if (v1alpha1 || style === 'blueGreen' || route?.ingress === undefined || workload === undefined) return undefined;
  if (!route.makesCanaryService || route.gateway !== undefined || route.customNetworkRefs.length > 0) return undefined;
  const find = (kind: string, name: string) => world.find(kind, name, namespace);
  const ingress = find(INGRESS, route.ingress.name);
  const service = find('Service', route.service);
  const workloadManifest = world.get({ ...workload.ref, namespace });
  if (ingress === undefined || ingress !== member.manifest || service === undefined || workloadManifest === undefined) {
    return undefined;
  }
  const all = [manifest, ingress, service, workloadManifest];
  if (all.some((each) => each.namespace !== namespace || each.name === LUA_CONFIG_MAP_NAME)) return undefined;
  if (find(INGRESS, `${ingress.name}-canary`) !== undefined) return undefined;
  if (find('Service', route.canaryService) !== undefined) return undefined;
  const group = ingress.annotations[`${PREFIX}group.name`];
  const names = Names.of([...all.map(({ name }) => name), namespace], [...member.hosts], group);
  if (names === undefined) return undefined;
  const text = JSON.stringify([
    rolloutAs(manifest, strategy.object, names),
    workloadAs(workloadManifest, style, names),
    serviceAs(service, names),
    ingressAs(ingress, route.service, names),
  ]);
  if (text.length > LONGEST || !names.isFree(text)) return undefined;
  return { rollout: manifest, ingress, names, text, namespace, ingressName: ingress.name };
}

/** The four objects again, with stand-ins; what is found in them says which of them and where. */
export function objectsOf({ text }: Application): Manifest[] {
  const objects = JSON.parse(text) as JsonObject[];
  return objects.map((object, index) => {
    const locate = (path: Path) => ({ file: markOf(index, path), line: 1, column: 1 });
    return Manifest.of(object, { origin: { locate }, construct: 'stand-in' });
  });
}

/** Which object a mark means, and where in it. */
export function readMark(file: string): {
  readonly isRollout: boolean;
  readonly isIngress: boolean;
  readonly path: Path;
} {
  const [index, path] = JSON.parse(file) as [number, Path];
  return { isRollout: index === 0, isIngress: index === 3, path };
}

function markOf(index: number, path: Path): string {
  return JSON.stringify([index, path]);
}

function rolloutAs(manifest: Manifest, canary: JsonObject, names: Names): object {
  const spec = asObject(manifest.get('spec'));
  const routings = asList(canary.trafficRoutings).map((item) => {
    const routing = asObject(item);
    const ingress = asObject(routing.ingress);
    return {
      ...routing,
      service: renamed(routing.service, names),
      ingress: { ...ingress, name: renamed(ingress.name, names) },
    };
  });
  const workloadRef = asObject(spec.workloadRef);
  return {
    apiVersion: manifest.apiVersion,
    kind: manifest.kind,
    metadata: metadataAs(manifest, names),
    spec: {
      ...spec,
      workloadRef: { ...workloadRef, name: renamed(workloadRef.name, names) },
      strategy: { ...asObject(spec.strategy), canary: { ...canary, trafficRoutings: routings } },
    },
  };
}

/** Stands for any number of pods of a workload beside which the canary has one of its own. */
const SOME_REPLICAS = 10;

/**
 * Of a workload only the number and the labels of its pods matter to an AWS load balancer. How many there are matters
 * only where a Service selects pods of both versions: see `isMixed`.
 */
function workloadAs(manifest: Manifest, style: RolloutSubject['style'], names: Names): object {
  const { apiVersion, kind } = manifest;
  const labels = manifest.get('spec.template.metadata.labels');
  const declared = manifest.get('spec.replicas') ?? 1;
  const replicas = style === 'canary' && typeof declared === 'number' && declared >= 1 ? SOME_REPLICAS : declared;
  return {
    apiVersion,
    kind,
    metadata: metadataAs(manifest, names),
    spec: { replicas, template: { metadata: { labels: valuesAs(labels, names) } } },
  };
}

function serviceAs(manifest: Manifest, names: Names): object {
  const { apiVersion, kind } = manifest;
  const spec = asObject(manifest.get('spec'));
  return {
    apiVersion,
    kind,
    metadata: metadataAs(manifest, names, manifest.get('metadata.annotations')),
    spec: { ...spec, ...(spec.selector === undefined ? {} : { selector: valuesAs(spec.selector, names) }) },
  };
}

function ingressAs(manifest: Manifest, service: string, names: Names): object {
  const { apiVersion, kind } = manifest;
  const spec = asObject(manifest.get('spec'));
  const annotations = manifest.get('metadata.annotations');
  return {
    apiVersion,
    kind,
    metadata: metadataAs(manifest, names, isJsonObject(annotations) ? annotationsAs(annotations, names) : annotations),
    spec: {
      ...spec,
      rules: asList(spec.rules).map((rule) => ruleAs(asObject(rule), service, names)),
      ...(spec.tls === undefined ? {} : { tls: asList(spec.tls).map((entry) => tlsAs(asObject(entry), names)) }),
    },
  };
}

/** Labels of these objects are copied, and read by nobody. */
function metadataAs(manifest: Manifest, names: Names, annotations?: Json): object {
  const { labels: _labels, annotations: _annotations, ...others } = asObject(manifest.object.metadata);
  return {
    ...others,
    name: renamed(manifest.name, names),
    namespace: renamed(others.namespace, names),
    ...(annotations === undefined ? {} : { annotations }),
  };
}

function annotationsAs(annotations: JsonObject, names: Names): JsonObject {
  const renamedEntries = Object.entries(annotations).map(([key, value]): [string, Json | undefined] => {
    if (key === `${PREFIX}group.name`) return [key, names.group];
    // What conditions compare with requests stays as it is.
    const isCompared = key.startsWith(`${PREFIX}conditions.`) || key.startsWith(`${PREFIX}transforms.`);
    return [names.standIn(key), isCompared ? value : renamed(value, names)];
  });
  return Object.fromEntries(renamedEntries) as JsonObject;
}

function ruleAs(rule: JsonObject, service: string, names: Names): object {
  const host = asString(rule.host);
  const http = asObject(rule.http);
  const paths = asList(http.paths).map((item) => {
    const path = asObject(item);
    const backend = asObject(path.backend);
    const target = asObject(backend.service);
    return target.name === service
      ? { ...path, backend: { ...backend, service: { ...target, name: renamed(service, names) } } }
      : path;
  });
  return {
    ...rule,
    ...(host === undefined ? {} : { host: names.host(host) }),
    ...(rule.http === undefined ? {} : { http: { ...http, paths } }),
  };
}

function tlsAs(entry: JsonObject, names: Names): object {
  const hosts = asList(entry.hosts).map((host) => (typeof host === 'string' ? names.host(host) : host));
  return {
    ...entry,
    ...(entry.hosts === undefined ? {} : { hosts }),
    ...(entry.secretName === undefined ? {} : { secretName: renamed(entry.secretName, names) }),
  };
}

function valuesAs(value: Json | undefined, names: Names): Json | StringMap | undefined {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, renamed(item, names) as Json]));
}

function renamed(value: Json | undefined, names: Names): Json | undefined {
  return typeof value === 'string' ? names.standIn(value) : value;
}
