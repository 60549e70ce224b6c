/** What the comparison of a rehearsal and a recording finds. A release that goes on in one of them alone is a difference. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { differencesOf, rehearsalOf } from './compare';
import { labsOf } from './labs';
import { MODELS } from './models';
import type { Recording } from './recording';

const MODEL = MODELS.argo!;

function recordingOf(release: string, name: string): Recording {
  return JSON.parse(readFileSync(join(__dirname, 'recordings', 'argo', release, `${name}.json`), 'utf8'));
}

/** In what the recording of a release differs from the rehearsal of another release. */
function differencesBetween(name: string, recorded: Recording, rehearsed: string): string[] {
  const lab = labsOf('argo', rehearsed).find((each) => each.name === name)!;
  return differencesOf(lab, recorded, MODEL, rehearsalOf(lab, rehearsed, MODEL)).map(({ about }) => about);
}

describe('a recording and a rehearsal', () => {
  it('that are of one release do not differ', () => {
    expect(differencesBetween('bg-undo-scaled', recordingOf('1.7.2', 'bg-undo-scaled'), '1.7.2')).toEqual([]);
  });

  it('differ where only the rehearsal goes back', () => {
    expect(differencesBetween('bg-undo-scaled', recordingOf('1.7.2', 'bg-undo-scaled'), '1.9.1')).toEqual([
      'writes',
      'where it stands',
      'pods at the end',
    ]);
  });

  it('differ where only the cluster goes back', () => {
    const differences = differencesBetween('bg-undo-scaled', recordingOf('1.9.1', 'bg-undo-scaled'), '1.7.2');
    expect(differences).toContain('writes');
    expect(differences).toContain('where it stands');
  });

  it('differ where only one of them leaves a Service without a pod', () => {
    const recording = recordingOf('1.9.1', 'services-undo-2');
    const events = recording.events.map((event) => ('pods' in event ? { pods: { 'shop-canary': [] } } : event));
    expect(differencesBetween('services-undo-2', { ...recording, events }, '1.9.1')).toContain(
      'Services without a pod',
    );
    const straight = recordingOf('1.9.1', 'services-straight');
    const full = straight.events.filter((event) => !('pods' in event));
    expect(differencesBetween('services-straight', { ...straight, events: full }, '1.9.1')).toContain(
      'Services without a pod',
    );
  });

  it('differ where the cluster waits for people, and only there', () => {
    const name = 'bg-aborted-soon-retry';
    expect(differencesBetween(name, recordingOf('1.10.2', name), '1.9.1')).toEqual(['pods at each pause']);
    expect(differencesBetween(name, recordingOf('1.9.1', name), '1.10.2')).toEqual(['pods at each pause']);
  });

  it('differ in the weights of steps on the way back, but not in those that follow the pods', () => {
    const name = 'istio-dynamic-back-abort';
    const recording = recordingOf('1.9.1', name);
    const without = (canary: number) => {
      const isWeight = (event: Recording['events'][number]) => JSON.stringify(event).includes(`"weight":${canary}}]`);
      const abort = recording.events.findIndex((event) => 'did' in event && event.did === 'abort the Rollout');
      return { ...recording, events: recording.events.filter((event, at) => at < abort || !isWeight(event)) };
    };
    expect(differencesBetween(name, recording, '1.9.1')).toEqual([]);
    expect(differencesBetween(name, without(10), '1.9.1')).toEqual([]);
    expect(differencesBetween(name, without(40), '1.9.1')).toEqual(['writes']);
    expect(differencesBetween(name, recordingOf('1.8.5', name), '1.9.1')).toEqual(['writes']);
  });
});
