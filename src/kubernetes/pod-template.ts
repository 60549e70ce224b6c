/** What a change of a pod template is to controllers: they compare it as the API server stores it, with defaults. */
import { type FieldChange, fieldChanges, fieldChangeText } from '../core/field-changes';
import { asList, asObject, isJsonObject, type Json, type JsonObject, sameJson, textOf } from '../core/json';
import { formatPath, type Path, valueAt } from '../core/path';
import { parseQuantity } from './quantity';

/** The label that the controllers of ReplicaSets add; none compares it. */
const HASH_LABEL = 'pod-template-hash';

/**
 * The fields in which two pod templates differ for a controller. That a default is written, or a quantity in another unit, is
 * no difference.
 * @param path the path of the template in its object
 */
export function podTemplateChanges(before: Json | undefined, after: Json | undefined, path: Path): FieldChange[] {
  return fieldChanges(stored(before), stored(after)).flatMap((change) => {
    const old = writtenAs(change.before, before, change.path);
    const now = writtenAs(change.after, after, change.path);
    // A request that the API server derives from a limit changes with the limit.
    const isDerived = change.path.includes('requests') && ![before, after].some((one) => has(one, change.path));
    if (isDerived) return [];
    return [
      {
        path: [...path, ...change.path],
        ...(old === undefined ? {} : { before: old }),
        ...(now === undefined ? {} : { after: now }),
      },
    ];
  });
}

function has(template: Json | undefined, path: Path): boolean {
  return valueAt(template, path) !== undefined;
}

/** A value as the user wrote it: `250m`. */
function writtenAs(value: Json | undefined, template: Json | undefined, path: Path): Json | undefined {
  const written = valueAt(template, path);
  return written !== undefined && (sameJson(written, value) || quantityOf(written) === value) ? written : value;
}

/** The most fields that a sentence names. */
const NAMED = 3;

/**
 * Changes of a pod template for a sentence: `image of container web changes from "web:1" to "web:2"`.
 * @param template the template that the paths lead into
 */
export function podChangesText(changes: readonly FieldChange[], template: Json | undefined): string {
  const named = changes.slice(0, NAMED).map((change) => changeText(change, template));
  const more = changes.length - named.length;
  return `${named.join(', ')}${more === 0 ? '' : `, and ${more} more field${more === 1 ? '' : 's'}`}`;
}

function changeText(change: FieldChange, template: Json | undefined): string {
  const at = change.path.findIndex((part) => part === 'containers' || part === 'initContainers');
  const index = change.path[at + 1];
  if (at < 0 || typeof index !== 'number') return fieldChangeText(change);
  const container = asObject(asList(asObject(asObject(template).spec)[change.path[at] as string])[index]);
  const field = formatPath(change.path.slice(at + 2));
  const whose = `container ${textOf(container.name) ?? index}`;
  return fieldChangeText(change, field === '' ? whose : `${field} of ${whose}`);
}

/** The template as the API server stores it, as far as defaults are known. */
function stored(template: Json | undefined): JsonObject {
  const { metadata, spec } = asObject(withoutEmpty(template ?? {}));
  const { labels, annotations } = asObject(metadata);
  const { [HASH_LABEL]: _hash, ...others } = asObject(labels);
  return {
    metadata: { labels: others, annotations: asObject(annotations) },
    spec: podSpec(asObject(spec)),
  };
}

/** Without null, which is the same as no field. */
function withoutEmpty(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(entries.map(([key, each]) => [key, withoutEmpty(each)]));
}

function podSpec(spec: JsonObject): JsonObject {
  const { serviceAccount, serviceAccountName = serviceAccount, ...rest } = spec;
  return {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    schedulerName: 'default-scheduler',
    securityContext: {},
    ...rest,
    ...(serviceAccountName === undefined ? {} : { serviceAccountName }),
    ...containersPart('containers', rest),
    ...containersPart('initContainers', rest),
    ...(Array.isArray(rest.volumes) ? { volumes: rest.volumes.map((volume) => volumeOf(asObject(volume))) } : {}),
  };
}

function containersPart(field: 'containers' | 'initContainers', spec: JsonObject): JsonObject {
  const list = asList(spec[field]);
  return list.length === 0 ? {} : { [field]: list.map((container) => containerOf(asObject(container))) };
}

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;

function containerOf(container: JsonObject): JsonObject {
  const { ports, env, resources } = container;
  const probes = PROBES.flatMap((name) =>
    isJsonObject(container[name]) ? [[name, probeOf(container[name])] as const] : [],
  );
  return {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: isLatest(textOf(container.image) ?? '') ? 'Always' : 'IfNotPresent',
    ...container,
    resources: resourcesOf(asObject(resources)),
    ...(Array.isArray(ports) ? { ports: ports.map((port) => ({ protocol: 'TCP', ...asObject(port) })) } : {}),
    ...(Array.isArray(env) ? { env: env.map((entry) => envOf(asObject(entry))) } : {}),
    ...Object.fromEntries(probes),
  };
}

function isLatest(image: string): boolean {
  const name = image.slice(image.lastIndexOf('/') + 1);
  return !image.includes('@') && (!name.includes(':') || name.endsWith(':latest'));
}

function envOf(entry: JsonObject): JsonObject {
  const fieldRef = asObject(asObject(entry.valueFrom).fieldRef);
  if (fieldRef.fieldPath === undefined) return entry.value === '' ? withoutKey(entry, 'value') : entry;
  return { ...entry, valueFrom: { ...asObject(entry.valueFrom), fieldRef: { apiVersion: 'v1', ...fieldRef } } };
}

function withoutKey(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

function probeOf(probe: JsonObject): JsonObject {
  const { httpGet } = probe;
  return {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
    ...probe,
    ...(isJsonObject(httpGet) ? { httpGet: { scheme: 'HTTP', path: '/', ...httpGet } } : {}),
  };
}

/** The API server adds requests for limits that have none. */
function resourcesOf(resources: JsonObject): JsonObject {
  const limits = quantitiesOf(resources.limits);
  const requests = { ...limits, ...quantitiesOf(resources.requests) };
  return { ...resources, limits, requests };
}

function quantitiesOf(values: Json | undefined): JsonObject {
  return Object.fromEntries(Object.entries(asObject(values)).map(([name, value]) => [name, quantityOf(value)]));
}

/** `1000m`, `"1"` and `1` are one quantity. */
function quantityOf(value: Json): Json {
  const quantity = parseQuantity(value);
  return quantity === undefined ? value : Number(quantity.toPrecision(12));
}

const MODES: Readonly<Record<string, string>> = {
  configMap: 'defaultMode',
  secret: 'defaultMode',
  projected: 'defaultMode',
};

function volumeOf(volume: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(volume).map(([kind, source]) => {
      const mode = MODES[kind];
      return [kind, mode !== undefined && isJsonObject(source) ? { [mode]: 420, ...source } : source];
    }),
  );
}
