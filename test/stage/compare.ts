/** Holds a rehearsal of Kruise Rollouts against a recording: what is written to Services and routes, and in which order. */
import { type Manifest, parseManifests, World } from '../../src/core';
import type { Rehearsal } from '../../src/core/rehearsal-result';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { rehearse } from '../../src/rehearsal';
import type { KubernetesObject } from './cluster/api';
import type { KruiseLab } from './labs/kruise';
import { contentOf, type Event, type Recording } from './recording';

/** What a controller wrote: `create Service/shop-canary …`; the text is comparable. */
export type Write = string;

/** Objects of other people and controllers. */
const NOT_ROUTING = /^(Deployment|StatefulSet|HorizontalPodAutoscaler|TrafficRouting|ControllerRevision)\//;

/** The events up to the moment in which somebody leaves the straight road, which is all that a rehearsal plays. */
export function straightPart({ events }: Recording): { events: readonly Event[]; left?: string } {
  const end = events.findIndex((event) => 'did' in event && !/^(release v2|approve)$/.test(event.did));
  if (end < 0) return { events };
  return { events: events.slice(0, end), left: (events[end] as { did: string }).did };
}

/** The writes of a recording, a cycle once, without those that only note the original spec, which no user can see. */
export function recordedWrites(events: readonly Event[]): Write[] {
  return events.flatMap((event): Write[] => {
    if ('repeats' in event) return recordedWrites(event.repeats);
    if (!('object' in event) || NOT_ROUTING.test(event.object)) return [];
    if (isNote(event)) return [];
    return [writeOf(event.object, event.now)];
  });
}

const ORIGINAL = 'rollouts.kruise.io/original-spec-configuration';

/** True for a custom object whose spec is still the one that its annotation has. */
function isNote({ now }: { readonly now: KubernetesObject | null }): boolean {
  const original = now?.annotations?.[ORIGINAL];
  return original !== undefined && JSON.stringify(JSON.parse(original).spec) === JSON.stringify(now!.spec);
}

/** The rehearsal of a lab as this release plays it. */
export function rehearsalOf(
  lab: Pick<KruiseLab, 'name' | 'manifests'>,
  release: string,
  install: readonly KubernetesObject[],
): Rehearsal | undefined {
  const text = [...lab.manifests, ...install].map((object) => JSON.stringify(object)).join('\n---\n');
  const manifests: readonly Manifest[] = parseManifests(text, `${lab.name}.yaml`).manifests;
  return rehearse(World.of(manifests), { kruiseVersion: KruiseRolloutVersion.find(release)! })[0];
}

/** The writes of the released road of a rehearsal, or of the roll-back that it also plays. */
export function rehearsedWrites({ moments }: Rehearsal, isRollback = false): Write[] {
  return moments
    .filter(({ phase }) => (phase === 'abort') === isRollback)
    .flatMap(({ changes }) =>
      changes.flatMap(({ object, after }): Write[] => {
        const key = `${object.kind}/${object.name}`;
        return NOT_ROUTING.test(`${key}/`) ? [] : [writeOf(key, after === undefined ? null : contentOf(after))];
      }),
    );
}

function writeOf(object: string, content: unknown): Write {
  if (content === null) return `${object} deleted`;
  return `${object} ${neutral(content)}`;
}

/** Without what the API server fills in; pods of the rehearsal are named by their side, those of a recording by version. */
function neutral(content: unknown): string {
  return JSON.stringify(content, (key, value) => {
    if (key === 'protocol' && value === 'TCP') return undefined;
    if (key === 'parentRefs') return value.map(({ name, namespace }: KubernetesObject) => ({ name, namespace }));
    return value;
  })
    .replaceAll('"pod-template-hash":"stable"', '"pod-template-hash":"v1"')
    .replaceAll('"pod-template-hash":"canary"', '"pod-template-hash":"v2"')
    .replaceAll('"controller-revision-hash":"stable"', '"controller-revision-hash":"v1"')
    .replaceAll('"controller-revision-hash":"canary"', '"controller-revision-hash":"v2"');
}
