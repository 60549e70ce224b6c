/**
 * A recording in neutral words, from raw changes: hashes become the version of the image, generated names become
 * `<name>-<canary>`, and what the API server fills in is left out. Two plays of a lab give the same recording.
 */
import type { KubernetesObject } from './cluster/api';
import type { Change } from './recorder';
import { withoutFlapping, withoutRepeats } from './repeats';
import { sorted } from './sorted';

/** The number of ready pods of each version behind each Service. */
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** What happened, in order. */
export type Event =
  /** What the story did. */
  | { readonly did: string; readonly refused?: string; readonly running?: Counts }
  /** An object as the controller wrote it; null when it was deleted. */
  | { readonly object: string; readonly now: KubernetesObject | null }
  /** Where the Rollout is. Its other fields are written in one update or in two, as time allows. */
  | { readonly rollout: KubernetesObject }
  /** The versions with ready pods behind each Service, when that changed. */
  | { readonly pods: Readonly<Record<string, readonly string[]>> }
  /** Events that the controller repeats. */
  | { readonly repeats: readonly Event[] };

/** A release as it was seen. */
export interface Recording {
  readonly controller: string;
  readonly release: string;
  readonly kubernetes: string;
  /** The day of the play. */
  readonly recorded: string;
  /** The digest of what was applied and done: a recording of another lab shows nothing of this one. */
  readonly lab: string;
  /**
   * Whether the release did not reach the place that the story waits for.
   * @default false
   */
  readonly hangs?: true;
  /** What the Rollout says at the end. */
  readonly status?: KubernetesObject;
  /**
   * The warnings about the Rollout, each once.
   * @default - not recorded: the lab has no load balancer
   */
  readonly warnings?: readonly string[];
  readonly events: readonly Event[];
  readonly end: Counts;
}

/** What the story did, and the revision of etcd after which it did it. */
export interface Deed {
  readonly revision: number;
  /** Milliseconds since the recording began. */
  readonly time: number;
  readonly did: string;
  /** The answer of the API server, where it refused. */
  readonly refused?: string;
}

/** Kinds whose writes are a part of a recording; pods and ReplicaSets only say which version answers. */
const OWN_KINDS = new Set([
  'Pod',
  'ReplicaSet',
  'ControllerRevision',
  'EndpointSlice',
  'BatchRelease',
  'Rollout',
  'Gateway',
]);

/** What was played, and how many milliseconds after its begin each event came: of those that repeat, the first. */
export interface Play {
  readonly recording: Recording;
  readonly times: readonly number[];
  /** What the namespace has at the end. */
  readonly objects: readonly KubernetesObject[];
}

/** The events of a play with their times; `placeOf` says what is kept of a Rollout's status. */
export function eventsOf(
  changes: readonly Change[],
  deeds: readonly Deed[],
  placeOf: (rollout: KubernetesObject) => KubernetesObject | undefined,
): Pick<Recording, 'status' | 'events' | 'end'> & Pick<Play, 'times'> {
  const ordered = [...changes].sort((a, b) => a.revision - b.revision);
  const names = namesOf(ordered);
  const state = new State();
  const events: Event[] = [];
  const times = new Map<Event, number>();
  const last = new Map<string, string>();
  const waiting = [...deeds].sort((a, b) => a.revision - b.revision);
  const changed = (key: string, value: unknown): boolean => {
    const text = JSON.stringify(value);
    if (last.get(key) === text) return false;
    last.set(key, text);
    return true;
  };
  const add = (event: Event, time: number) => {
    const pods = state.versionsByService(names);
    for (const each of changed('pods', pods) ? [{ pods }, event] : [event]) {
      times.set(each, time);
      events.push(each);
    }
  };
  const push = (key: string, event: Event, value: unknown, time: number) => {
    if (changed(key, value)) add(event, time);
  };
  const addDeed = ({ did, refused, time }: Deed) => {
    const event = { did, ...(refused !== undefined && { refused }), running: state.countsByService(names) };
    add(event, time);
  };
  for (const change of ordered) {
    while (waiting.length > 0 && waiting[0]!.revision < change.revision) addDeed(waiting.shift()!);
    state.take(change);
    const { kind, object, time } = change;
    if (kind === 'Rollout') {
      const status = object && placeOf(object);
      const now = status === undefined ? null : JSON.parse(names.neutral(JSON.stringify(status)));
      push('Rollout', { rollout: now }, now, time);
    } else if (!OWN_KINDS.has(kind)) {
      const key = `${kind}/${names.neutral(change.name)}`;
      const now = object === undefined ? null : JSON.parse(names.neutral(JSON.stringify(contentOf(object))));
      push(key, { object: key, now }, now, time);
    }
  }
  waiting.forEach(addDeed);
  const rollout = ordered.filter(({ kind }) => kind === 'Rollout').at(-1)?.object;
  const status = JSON.parse(names.neutral(JSON.stringify(statusOf(rollout))));
  const told = withoutRepeats(withoutFlapping(events));
  const timeOf = (event: Event): number => ('repeats' in event ? timeOf(event.repeats[0]!) : times.get(event)!);
  return { status, events: told, times: told.map(timeOf), end: state.countsByService(names) };
}

/** Which objects are there, and which pods answer. */
class State {
  private readonly objects = new Map<string, KubernetesObject>();

  take({ kind, name, object }: Change): void {
    const key = `${kind}/${name}`;
    if (object === undefined) this.objects.delete(key);
    else this.objects.set(key, object);
  }

  versionsByService(names: Names): Record<string, string[]> {
    const counts = this.countsByService(names);
    return Object.fromEntries(Object.entries(counts).map(([name, versions]) => [name, Object.keys(versions).sort()]));
  }

  countsByService(names: Names): Counts {
    const result: Record<string, Record<string, number>> = {};
    for (const service of this.of('Service')) {
      const versions: Record<string, number> = {};
      for (const pod of this.of('Pod')) {
        if (!isReady(pod) || !selects(service.spec.selector, pod.metadata.labels)) continue;
        const version = names.versionOf(pod);
        versions[version] = (versions[version] ?? 0) + 1;
      }
      result[service.metadata.name] = versions;
    }
    return sorted(result);
  }

  private of(kind: string): KubernetesObject[] {
    return [...this.objects].filter(([key]) => key.startsWith(`${kind}/`)).map(([, object]) => object);
  }
}

function isReady({ metadata, status }: KubernetesObject): boolean {
  const condition = status.conditions?.find(({ type }: KubernetesObject) => type === 'Ready');
  return condition?.status === 'True' && metadata.deletionTimestamp === undefined;
}

function selects(selector: Record<string, string> | undefined, labels: Record<string, string> = {}): boolean {
  return selector !== undefined && Object.entries(selector).every(([key, value]) => labels[key] === value);
}

/** Names and hashes that the cluster makes, and what a recording calls them. */
interface Names {
  neutral(text: string): string;
  versionOf(pod: KubernetesObject): string;
}

function namesOf(changes: readonly Change[]): Names {
  const replace = new Map<string, string>();
  for (const { kind, object } of changes) {
    if (object === undefined) continue;
    if (kind === 'ReplicaSet') {
      const hash =
        object.metadata.labels?.['pod-template-hash'] ?? object.metadata.labels?.['rollouts-pod-template-hash'];
      if (hash !== undefined) replace.set(hash, versionOfImage(object.spec.template.spec.containers[0].image));
    }
    if (kind === 'ControllerRevision') {
      const image = object.data?.spec?.template?.spec?.containers?.[0]?.image;
      if (image === undefined) continue;
      const { name } = object.metadata;
      replace.set(name, versionOfImage(image));
      // A CloneSet labels its pods with the last part of the name.
      replace.set(name.slice(name.lastIndexOf('-') + 1), versionOfImage(image));
    }
    const owner = object.metadata.labels?.['rollouts.kruise.io/canary-deployment'];
    if (kind === 'Deployment' && owner !== undefined) {
      replace.set(object.metadata.name, `${owner}-${versionOfImage(object.spec.template.spec.containers[0].image)}`);
    }
  }
  const longestFirst = [...replace].sort(([a], [b]) => b.length - a.length);
  return {
    neutral: (text) => longestFirst.reduce((result, [from, to]) => result.split(from).join(to), text),
    versionOf: ({ spec }) => versionOfImage(spec.containers[0].image),
  };
}

function versionOfImage(image: string): string {
  return image.slice(image.lastIndexOf(':') + 1);
}

/** What a controller may write of an object, without what the API server fills in. */
export function contentOf({ metadata, spec = {} }: KubernetesObject): KubernetesObject {
  const { labels, annotations } = metadata;
  const own = Object.fromEntries(Object.entries(annotations ?? {}).filter(([key]) => !NOISY_ANNOTATIONS.has(key)));
  if (spec.template !== undefined) {
    const { paused, replicas, strategy, template } = spec;
    return sorted({ replicas, paused, strategy, version: versionOfImage(template.spec.containers[0].image) });
  }
  const { clusterIP, clusterIPs, ipFamilies, ipFamilyPolicy, internalTrafficPolicy, sessionAffinity, type, ...rest } =
    spec;
  return sorted({
    ...(labels && { labels }),
    ...(Object.keys(own).length > 0 && { annotations: own }),
    spec: rest,
  });
}

const NOISY_ANNOTATIONS = new Set([
  'deployment.kubernetes.io/revision',
  'kubectl.kubernetes.io/last-applied-configuration',
]);

/** What the status says to people. */
function statusOf(rollout: KubernetesObject | undefined): KubernetesObject {
  const { phase, message, conditions = [] } = rollout?.status ?? {};
  const progressing = conditions.find(({ type }: KubernetesObject) => type === 'Progressing');
  return sorted({ phase, message, reason: progressing?.reason, condition: progressing?.message });
}
