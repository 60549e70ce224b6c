import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseManifests, World } from '../../src/core';
import { KruiseRolloutVersion } from '../../src/kruise/version';
import { rehearse } from '../../src/rehearsal';
import { contentOf, type Recording } from './recording';

const RECORDINGS = join(__dirname, 'recordings', 'kruise');

/** Objects that route traffic. */
const ROUTING = /^(Service|Ingress)\//;

/** What a controller wrote: each write with its object. */
type Write = readonly [object: string, content: unknown];

/** Differences between the rehearsal and the controller that are not corrected yet, each with its reason. */
const KNOWN_DIFFERENCES: readonly { readonly object: RegExp; readonly field: string; readonly reason: string }[] = [
  {
    object: /^Service\/.*-canary$/,
    field: 'labels',
    reason: 'the model copies the labels of the stable Service, as the unreleased master branch does',
  },
  {
    object: /^Service\/.*-canary$/,
    field: 'annotations',
    reason: 'the model copies the annotations of the stable Service, as the unreleased master branch does',
  },
];

function recordedWrites({ events }: Recording): Write[] {
  return events.flatMap((event): Write[] =>
    'object' in event && ROUTING.test(event.object) ? [[event.object, event.now]] : [],
  );
}

function rehearsedWrites(lab: string, release: string): Write[] {
  const text = readFileSync(join(__dirname, 'labs', 'kruise', lab, 'manifests.yaml'), 'utf8');
  const world = World.of(parseManifests(text, `${lab}.yaml`).manifests);
  const [rehearsal] = rehearse(world, { kruiseVersion: KruiseRolloutVersion.find(release)! });
  const released = rehearsal!.moments.filter(({ phase }) => phase !== 'abort');
  return released.flatMap(({ changes }) =>
    changes.flatMap(({ object, after }): Write[] => {
      const key = `${object.kind}/${object.name}`;
      return ROUTING.test(key) ? [[key, after === undefined ? null : neutral(contentOf(after))]] : [];
    }),
  );
}

/** The rehearsal names the hash of pods by their side, the recording by their version. */
function neutral(content: object): unknown {
  const text = JSON.stringify(content);
  return JSON.parse(
    text
      .replaceAll('"pod-template-hash":"stable"', '"pod-template-hash":"v1"')
      .replaceAll('"pod-template-hash":"canary"', '"pod-template-hash":"v2"'),
  );
}

/** The writes of each object in their order, without known differences and without what the API server fills in. */
function byObject(writes: readonly Write[]): Record<string, unknown[]> {
  const objects = [...new Set(writes.map(([object]) => object))].sort();
  return Object.fromEntries(
    objects.map((object) => {
      const known = KNOWN_DIFFERENCES.filter((one) => one.object.test(object)).map(({ field }) => field);
      const own = writes.filter(([other]) => other === object);
      return [object, own.map(([, content]) => withoutDefaults(content, known))];
    }),
  );
}

function withoutDefaults(content: unknown, known: readonly string[]): unknown {
  return JSON.parse(JSON.stringify(content), (key, value) =>
    known.includes(key) || (key === 'protocol' && value === 'TCP') ? undefined : value,
  );
}

describe.each(readdirSync(RECORDINGS))('Kruise Rollouts %s', (release) => {
  const labs = readdirSync(join(RECORDINGS, release)).map((file) => file.replace(/\.json$/, ''));

  test.each(labs)('%s: the rehearsal writes to each object what the controller wrote', (lab) => {
    const recording: Recording = JSON.parse(readFileSync(join(RECORDINGS, release, `${lab}.json`), 'utf8'));
    expect(recordedWrites(recording).length).toBeGreaterThan(5);
    expect(byObject(rehearsedWrites(lab, release))).toEqual(byObject(recordedWrites(recording)));
  });
});
