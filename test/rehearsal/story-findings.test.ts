/** What is wrong only where a release does not go straight. */
import { describe, expect, it } from 'vitest';
import { type JsonObject, Manifest, World } from '../../src/core';
import { rehearse } from '../../src/rehearsal';
import type { StoryRequest } from '../../src/release';
import { argoLabs } from '../stage/labs/argo';
import { rehearseStack } from './stack';

const OWN = /^rehearsal-(story-|pods-)/;
const pause = {};

function findingsOf(steps: readonly JsonObject[], stories: StoryRequest | undefined = 'all'): string[] {
  const nginx = { annotations: {}, ingressClassName: 'nginx', port: { number: 80 } };
  const route = { ingress: { name: 'web', classType: 'nginx' } };
  const { findings } = rehearseStack({ ...nginx, route, steps }, { stories });
  return findings.filter(({ rule }) => OWN.test(rule)).map(({ severity, message }) => `${severity}: ${message}`);
}

describe('findings about stories', () => {
  it('are not there where every story does what it should', () => {
    const steps = [
      { traffic: '20%', replicas: '20%', pause },
      { traffic: '50%', replicas: '50%', pause },
    ];
    expect(findingsOf(steps)).toEqual([]);
  });

  it('tell once of pods that get too many requests, with the stories that show it', () => {
    const steps = [{ traffic: '50%', replicas: '10%', pause }];
    const [finding, ...others] = findingsOf(steps);
    expect(others).toEqual([]);
    expect(finding).toMatch(
      /^warning: 50% of the requests go to \d+ new pods?, 10% of the \d+ before the release: each takes 5 times/,
    );
    expect(finding).toMatch(/in the story straight \(also [^)]* and \d+ more\) at "steps\[0\]: 50%"$/);
  });

  it('are not there where nobody asks for stories', () => {
    expect(findingsOf([{ traffic: '50%', replicas: '10%', pause }], [])).toEqual([]);
  });

  it('tell once of requests that fail in a story only', () => {
    const lab = argoLabs('1.10.2').find(({ name }) => name === 'alb-ping-pong-dynamic')!;
    const world = World.of(lab.manifests.map((object) => Manifest.of(object as JsonObject)));
    const findings = rehearse(world, { stories: 'all' }).flatMap(({ findings: all }) => all);
    const failing = findings.filter(({ rule }) => rule === 'rehearsal-story-requests-fail');
    expect(failing).toHaveLength(1);
    expect(failing[0]!.message).toContain('Service default/shop-pong selects no pod');
    expect(failing[0]!.message).toContain('third-revision@1');
    expect(failing[0]!.request).toBe('GET http://shop.example.com/');
  });
});
