/** How the options of an install are read from its objects. */
import {
  asList,
  asObject,
  compact,
  isJsonObject,
  type Json,
  type JsonObject,
  sameJson,
  textOf,
} from '../../../core/json';
import type { Manifest } from '../../../core/manifest';
import type { World } from '../../../core/world';
import type { KubernetesObject } from '../../../kubernetes/api';
import { type Code, object, value } from '../../code';

/** The options that were read; a version is a class, all others are JSON. */
export type ReadOptions = Readonly<Record<string, unknown>>;

/** Writes the objects of an install, as its construct does. */
export type Write = (options: ReadOptions) => readonly (KubernetesObject | JsonObject)[];

/** Why an object without a namespace is no part of an install: its objects name one another with theirs. */
export function noNamespace(construct: string): string {
  return `it names no namespace, which ${construct} gives its objects`;
}

/** Of several readings, the one that writes the most objects of the input; and of its options those that count. */
export function bestReading(readings: readonly ReadOptions[], write: Write, world: World): ReadOptions {
  const scored = readings.map((options) => ({ options, equal: equalObjects(write(options), world) }));
  const best = scored.reduce((first, other) => (other.equal > first.equal ? other : first));
  return needed(compact(best.options as Record<string, unknown>), write);
}

function equalObjects(written: readonly object[], world: World): number {
  return written.filter((one) => sameJson(foundIn(world, one)?.object, one as JsonObject)).length;
}

/** The objects of the input that have the kinds and names of what is written. */
export function inputOf(written: readonly object[], world: World): Manifest[] {
  return written.flatMap((one) => foundIn(world, one) ?? []);
}

function foundIn(world: World, written: object): Manifest | undefined {
  const { apiVersion, kind, metadata } = written as KubernetesObject;
  const { name, namespace } = metadata;
  return world.get({ apiVersion, kind, name, ...(namespace !== undefined && { namespace }) });
}

/** Without the options that say what is the default. */
function needed(options: ReadOptions, write: Write): ReadOptions {
  const wanted = write(options) as Json;
  return Object.keys(options).reduce((kept, key) => {
    const { [key]: _, ...without } = kept;
    return sameJson(write(without) as Json, wanted) ? without : kept;
  }, options);
}

/** The options as props. A value that is not JSON has its own expression. */
export function propsOf(options: ReadOptions, expressions: Readonly<Record<string, Code | undefined>>): Code {
  const plain = Object.entries(options).filter(([key]) => !Object.hasOwn(expressions, key));
  return object({ ...expressions, ...Object.fromEntries(plain.map(([key, one]) => [key, value(one as Json)])) });
}

/** The settings of pods that all installs have. */
export function podOptions(deployment: Manifest, own: JsonObject, ownAnnotations: readonly string[]) {
  const { metadata, spec } = asObject(deployment.get('spec.template'));
  const { labels, annotations } = asObject(metadata);
  const { nodeSelector, tolerations, affinity, topologySpreadConstraints, priorityClassName, imagePullSecrets } =
    asObject(spec);
  return {
    podLabels: without(labels, Object.keys(own)),
    podAnnotations: without(annotations, ownAnnotations),
    nodeSelector,
    tolerations,
    affinity,
    topologySpreadConstraints,
    priorityClassName,
    imagePullSecrets: imagePullSecrets && asList(imagePullSecrets).map((secret) => textOf(asObject(secret).name)),
  };
}

/** The entries of an object but for some; undefined where none is left. */
export function without(json: Json | undefined, keys: readonly string[]): JsonObject | undefined {
  const rest = Object.entries(asObject(json)).filter(([key]) => !keys.includes(key));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** `{ minAvailable: 1 }`; false where the input has no budget. */
export function budgetOf(name: string, namespace: string, world: World): JsonObject | false {
  const budget = world.find('PodDisruptionBudget.policy', name, namespace);
  return budget === undefined ? false : (without(budget.get('spec'), ['selector']) ?? {});
}

/** How Prometheus scrapes, if the input has a ServiceMonitor. */
export function monitorOf(name: string, namespace: string, world: World): JsonObject | undefined {
  const monitor = world.find('ServiceMonitor.monitoring.coreos.com', name, namespace);
  if (monitor === undefined) return undefined;
  const { interval, scrapeTimeout } = asObject(asList(monitor.get('spec.endpoints'))[0]);
  const { labels } = asObject(monitor.object.metadata);
  return compact({ labels, interval, scrapeTimeout }) as JsonObject;
}

/** The parts of `registry/repository:tag@sha256:…`. */
export function imageParts(image: string): {
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
} {
  const [name = '', digest] = image.split('@');
  const colon = name.indexOf(':', name.lastIndexOf('/') + 1);
  return {
    repository: colon < 0 ? name : name.slice(0, colon),
    ...(colon >= 0 && { tag: name.slice(colon + 1) }),
    ...(digest !== undefined && { digest }),
  };
}

/** Command line flags in their order. Each flag is read once. */
export class Flags {
  private readonly left: string[];

  constructor(args: Json | undefined) {
    this.left = asList(args).map(String);
  }

  /** The value of `--name=value`. */
  text(name: string): string | undefined {
    return this.all(name, 1)[0];
  }

  /** The values of a flag that may be there several times; undefined where it is not. */
  texts(name: string): string[] | undefined {
    const found = this.all(name, Number.POSITIVE_INFINITY);
    return found.length === 0 ? undefined : found;
  }

  /** A number; left where it is if it is not written as one. */
  number(name: string): number | undefined {
    const start = `--${name}=`;
    const text = this.left.find((arg) => arg.startsWith(start))?.slice(start.length);
    if (text === undefined || String(Number(text)) !== text) return undefined;
    return Number(this.text(name));
  }

  /** Whether `--name` is there. */
  has(name: string): boolean {
    return this.take(`--${name}`);
  }

  /** Takes a whole argument. */
  take(arg: string): boolean {
    const index = this.left.indexOf(arg);
    if (index >= 0) this.left.splice(index, 1);
    return index >= 0;
  }

  /** What nobody has read. */
  get rest(): readonly string[] | undefined {
    return this.left.length === 0 ? undefined : this.left;
  }

  private all(name: string, most: number): string[] {
    const start = `--${name}=`;
    const found = this.left.filter((arg) => arg.startsWith(start)).slice(0, most);
    for (const arg of found) this.take(arg);
    return found.map((arg) => arg.slice(start.length));
  }
}

/** Environment variables without those that the install writes itself. */
export function extraEnv(env: Json | undefined, own: readonly string[]): Json[] | undefined {
  const rest = asList(env).filter((variable) => !own.includes(textOf(asObject(variable).name) ?? ''));
  return rest.length === 0 ? undefined : rest;
}

/** The labels of an object that has no labels of its own, and with that those of all objects. */
export function commonLabels(manifest: Manifest | undefined): JsonObject | undefined {
  const { labels } = asObject(manifest?.object.metadata);
  return isJsonObject(labels) ? labels : undefined;
}

/** The number of the container's port with this name. */
export function portNamed(ports: Json | undefined, name: string): Json | undefined {
  return asList(ports)
    .map(asObject)
    .find((port) => port.name === name)?.containerPort;
}
