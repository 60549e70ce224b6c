/** What people change around a release: pods, images, routes, Services and the Rollout itself. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json';
import type { StoryAction } from '../../../src/release';
import { BEGUN, BEGUN_IN_PARTITION, PARTITION, percentStep, release, told, until } from './moments';

const API_VERSIONS = {
  Deployment: 'apps/v1',
  Rollout: 'rollouts.kruise.io/v1beta1',
  Ingress: 'networking.k8s.io/v1',
  Service: 'v1',
};
const edit = (kind: keyof typeof API_VERSIONS, change: object | null, name = 'web'): StoryAction => ({
  patch: { apiVersion: API_VERSIONS[kind], kind, name, with: change as JsonObject | null },
});
const image = (text: string) => ({ template: { spec: { containers: [{ name: 'web', image: text }] } } });
const canarySteps = (...steps: readonly object[]) => ({ spec: { strategy: { canary: { steps } } } });
const bypassing = (text: string) => ({
  metadata: { labels: { 'rollouts.kruise.io/workload-type': null } },
  spec: image(text),
});
const RESTART = { spec: { template: { metadata: { annotations: { restarted: 'now' } } } } };
const RELEASE_ID = { metadata: { annotations: { 'rollouts.kruise.io/rollout-id': '7' } } };

describe('somebody', () => {
  it('scales in canary style', () => {
    const { lines, end } = told({}, release('v2'), until(1), { scale: 20 });
    expect(lines).toEqual([
      ...BEGUN,
      'scale to 20 pods -> step 0: scaled to 20 pods ({"traffic":"20%"} stable=v1 canary=v2) | 20 stable, 4 canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('scales in partition style', () => {
    const { lines, end } = told(PARTITION, release('v2'), until(1), { scale: 20 });
    expect(lines).toEqual([
      ...BEGUN_IN_PARTITION,
      'scale to 20 pods -> step 0: scaled to 20 pods ({"traffic":"20%"} stable=v1 canary=v2) | 16 stable, 4 canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('scales before a release', () => {
    const { lines, end } = told({}, { scale: 20 }, release('v2'), until(1));
    expect(lines).toEqual([
      'scale to 20 pods -> before: scaled to 20 pods | 20 stable',
      'release v2 -> prepare 0: canary Ingress created (goes on stable=v1 canary=v2) | 20 stable, 4 canary | Service web, Service web-canary, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"} stable=v1 canary=v2) | 20 stable, 4 canary | Ingress web-canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('scales after a release', () => {
    const { lines, end } = told({ steps: [percentStep(20)] }, release('v2'), 'promote-full', { scale: 20 });
    expect(lines).toEqual([
      ...BEGUN,
      'fully promote the Rollout -> finish: Service web selects all pods again (stable=v1 canary=v2) | 10 stable, 2 canary | Service web',
      'finish: routes restored (stable=v1 canary=v2) | 10 stable, 2 canary | Ingress web-canary',
      'finish: Service web-canary deleted (stable=v1 canary=v2) | 10 stable, 2 canary | Service web-canary',
      'finish: released (stable=v1 canary=v2) | 10 canary',
      'scale to 20 pods -> before: scaled to 20 pods (stable=v1 canary=v2) | 20 canary',
    ]);
    expect(end).toBe('released');
  });

  it('scales where only new pods are left', () => {
    const { lines, end } = told(
      { ...PARTITION, steps: [percentStep(20), percentStep(100), percentStep(100)] },
      release('v2'),
      until(2),
      {
        scale: 20,
      },
    );
    expect(lines).toEqual([
      ...BEGUN_IN_PARTITION,
      'step 1: all pods are replaced, routing stays as it was ({"traffic":"100%"} stable=v1 canary=v2) | 0 stable, 10 canary | Service web',
      'scale to 20 pods -> step 1: scaled to 20 pods ({} stable=v1 canary=v2) | 0 stable, 20 canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('changes the image, which begins a release', () => {
    const { lines, end } = told({}, edit('Deployment', { spec: image('a:v2') }), until(1));
    expect(lines).toEqual([
      'edit Deployment "web" -> prepare 0: canary Ingress created (goes on stable=v1 canary=v2) | 10 stable, 2 canary | Service web, Service web-canary, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"} stable=v1 canary=v2) | 10 stable, 2 canary | Ingress web-canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('changes the image to one without a tag', () => {
    const { lines, end } = told({}, edit('Deployment', { spec: image('b') }), until(1));
    expect(lines).toEqual([
      'edit Deployment "web" -> prepare 0: canary Ingress created (goes on stable=v1 canary=b) | 10 stable, 2 canary | Service web, Service web-canary, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"} stable=v1 canary=b) | 10 stable, 2 canary | Ingress web-canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('changes image and pods at once', () => {
    const { lines, end } = told({}, edit('Deployment', { spec: { ...image('a:v2'), replicas: 5 } }), until(1));
    expect(lines).toEqual([
      'edit Deployment "web" -> before: scaled to 5 pods | 5 stable',
      'prepare 0: canary Ingress created (goes on stable=v1 canary=v2) | 5 stable, 1 canary | Service web, Service web-canary, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"} stable=v1 canary=v2) | 5 stable, 1 canary | Ingress web-canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('changes the image past the webhook', () => {
    const { lines, end } = told({}, edit('Deployment', bypassing('a:v2')), until(1));
    expect(lines).toEqual([
      'edit Deployment "web" -> finish: the workload replaces all pods, without a release (stable=v1 canary=v2) | 10 canary',
    ]);
    expect(end).toBe('released');
  });

  it('changes the image past the webhook in the middle, where it does not matter', () => {
    const { lines, end } = told({}, release('v2'), until(1), edit('Deployment', bypassing('a:v3')));
    expect(lines).toEqual([
      ...BEGUN,
      'edit Deployment "web" -> prepare 0: routes restored (mixed stable=v1 canary=v2) | 10 stable, 2 canary | Ingress web-canary',
      'prepare 0: Service web-canary deleted (mixed stable=v1 canary=v2) | 10 stable | Service web-canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('changes pods alone', () => {
    const { lines, end } = told({}, edit('Deployment', { spec: { replicas: 4 } }));
    expect(lines).toEqual(['edit Deployment "web" -> before: scaled to 4 pods | 4 stable']);
    expect(end).toBe('released');
  });

  it('changes nothing of the pods', () => {
    const { lines, end } = told({}, release('v2'), until(1), edit('Deployment', { metadata: { labels: { a: 'b' } } }));
    expect(lines).toEqual([
      ...BEGUN,
      'edit Deployment "web" -> step 0: Deployment "web" edited ({"traffic":"20%"} stable=v1 canary=v2) | 10 stable, 2 canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('restarts the pods, which begins a release', () => {
    const { lines, end } = told({}, edit('Deployment', RESTART), until(1));
    expect(lines).toEqual([
      'edit Deployment "web" -> prepare 0: canary Ingress created (goes on stable=v1 canary=v1) | 10 stable, 2 canary | Service web, Service web-canary, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"} stable=v1 canary=v1) | 10 stable, 2 canary | Ingress web-canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('restarts the pods in the middle', () => {
    const { lines, end } = told({}, release('v2'), until(1), edit('Deployment', RESTART), until(1));
    expect(lines).toEqual([
      ...BEGUN,
      'edit Deployment "web" -> prepare 0: routes restored (mixed stable=v1 canary=v2) | 10 stable, 2 canary | Ingress web-canary',
      'prepare 0: Service web-canary deleted (mixed stable=v1 canary=v2) | 10 stable | Service web-canary',
      'prepare 0: canary Ingress created (goes on stable=v1 canary=v2 abandoned-v2=v2) | 10 stable, 2 canary | Service web-canary, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"} stable=v1 canary=v2 abandoned-v2=v2) | 10 stable, 2 canary | Ingress web-canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('changes the release id alone, and the release never gets its routes', () => {
    const { lines, end } = told({}, edit('Deployment', RELEASE_ID), 'finish');
    expect(lines).toEqual([
      'edit Deployment "web" -> prepare 0: the controller gets no further (mixed stable=v1 canary=v1) | 10 stable, 2 canary | Service web',
    ]);
    expect(end).toBe(
      'stuck: it waits for the revision of the old pods, which it does not know, as the annotation rollouts.kruise.io/rollout-id has changed without the image',
    );
  });

  it('changes the release id alone, and then the image', () => {
    const { lines, end } = told({}, edit('Deployment', RELEASE_ID), release('v2'), until(1));
    expect(lines).toEqual([
      'edit Deployment "web" -> prepare 0: the controller gets no further (mixed stable=v1 canary=v1) | 10 stable, 2 canary | Service web',
      'release v2 -> prepare 0: canary Ingress created (goes on stable=v1 canary=v2 abandoned-v1=v1) | 10 stable, 2 canary | Service web-canary, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"} stable=v1 canary=v2 abandoned-v1=v1) | 10 stable, 2 canary | Ingress web-canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('changes the release id alone in partition style, and then the image', () => {
    const { lines, end } = told(PARTITION, edit('Deployment', RELEASE_ID), release('v2'), until(1));
    expect(lines).toEqual([
      'edit Deployment "web" -> prepare 0: the controller gets no further (mixed stable=v1 canary=v1) | 8 stable, 2 canary',
      'release v2 -> prepare 0: the controller gets no further (mixed stable=v1 canary=v2 abandoned-v1=v1) | 8 stable, 2 canary',
    ]);
    expect(end).toBe(
      'stuck: it waits for the revision of the old pods, which it does not know, as the annotation rollouts.kruise.io/rollout-id has changed without the image',
    );
  });

  it('changes the release id alone without routes', () => {
    const { lines, end } = told(
      { route: null, steps: [percentStep(20)] },
      edit('Deployment', RELEASE_ID),
      'promote-full',
    );
    expect(lines).toEqual([
      'edit Deployment "web" -> step 0: no traffic is routed (stable=v1 canary=v1) | 10 stable, 2 canary',
      'fully promote the Rollout -> finish: released (stable=v1 canary=v1) | 10 canary',
    ]);
    expect(end).toBe('released');
  });

  it('edits a route in the middle', () => {
    const { lines, end } = told({}, release('v2'), until(1), edit('Ingress', { metadata: { labels: { a: 'b' } } }));
    expect(lines).toEqual([
      ...BEGUN,
      'edit Ingress "web" -> step 0: Ingress "web" edited ({"traffic":"20%"} stable=v1 canary=v2) | 10 stable, 2 canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('edits a route before a release', () => {
    const { lines, end } = told({}, edit('Ingress', { metadata: { labels: { a: 'b' } } }));
    expect(lines).toEqual([]);
    expect(end).toBe('released');
  });

  it('deletes a route in the middle', () => {
    const { lines, end } = told({}, release('v2'), until(1), edit('Ingress', null));
    expect(lines).toEqual([
      ...BEGUN,
      'delete Ingress "web" -> step 0: Ingress "web" deleted ({"traffic":"20%"} stable=v1 canary=v2) | 10 stable, 2 canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('deletes a route before a release, which then stops', () => {
    const { lines, end } = told({}, edit('Ingress', null), release('v2'), until(1), 'approve');
    expect(lines).toEqual([]);
    expect(end).toBe('stuck: Ingress "web" not found');
  });

  it('deletes the Service in the middle, and the release stops', () => {
    const { lines, end } = told({}, release('v2'), until(1), edit('Service', null), 'finish', release('v1'));
    expect(lines).toEqual([
      ...BEGUN,
      'delete Service "web" -> step 0: Service "web" deleted ({"traffic":"20%"} stable=v1 canary=v2) | 10 stable, 2 canary',
      'approve -> prepare 1: the controller gets no further (mixed stable=v1 canary=v2) | 10 stable, 5 canary',
    ]);
    expect(end).toBe('stuck: Service "web" not found');
  });

  it('edits what is not there', () => {
    const { lines, end } = told({}, release('v2'), until(1), edit('Service', {}, 'nobody'));
    expect(lines).toEqual([...BEGUN]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('edits the step at which the release is', () => {
    const { lines, end } = told(
      {},
      release('v2'),
      until(1),
      edit('Rollout', canarySteps({ ...percentStep(20), traffic: '10%' }, percentStep(50), percentStep(60))),
    );
    expect(lines).toEqual([
      ...BEGUN,
      'edit Rollout "web" -> step 0: settled ({"traffic":"10%"} stable=v1 canary=v2) | 10 stable, 2 canary | Ingress web-canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('gives the step at which the release is fewer pods: it goes on to the next one, and nobody has approved it', () => {
    const fewer = edit('Rollout', canarySteps(percentStep(10), percentStep(50), percentStep(60)));
    expect(told({}, release('v2'), until(1), fewer).lines).toEqual([
      ...BEGUN,
      'edit Rollout "web" -> step 1: settled ({"traffic":"50%"} stable=v1 canary=v2) | 10 stable, 5 canary | Ingress web-canary',
    ]);
  });

  it('edits a later step', () => {
    const { lines, end } = told(
      {},
      release('v2'),
      until(1),
      edit('Rollout', canarySteps(percentStep(20), percentStep(60), percentStep(70))),
      'approve',
    );
    expect(lines).toEqual([
      ...BEGUN,
      'edit Rollout "web", approve -> step 1: settled ({"traffic":"60%"} stable=v1 canary=v2) | 10 stable, 6 canary | Ingress web-canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('edits a step before a release', () => {
    const { lines, end } = told({}, edit('Rollout', canarySteps(percentStep(30))), release('v2'), until(1));
    expect(lines).toEqual([
      'edit Rollout "web", release v2 -> prepare 0: canary Ingress created (goes on stable=v1 canary=v2) | 10 stable, 3 canary | Service web, Service web-canary, Ingress web-canary',
      'step 0: settled ({"traffic":"30%"} stable=v1 canary=v2) | 10 stable, 3 canary | Ingress web-canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('edits more than the webhook allows', () => {
    const { lines, end } = told({}, release('v2'), until(1), edit('Rollout', canarySteps(percentStep(20))), 'approve');
    expect(lines).toEqual([
      ...BEGUN,
      'edit Rollout "web", approve -> step 1: settled ({"traffic":"50%"} stable=v1 canary=v2) | 10 stable, 5 canary | Ingress web-canary',
    ]);
    expect(end).toBe(
      'refused: the webhook refuses the edit: spec.strategy.canary.steps changes from 3 steps to 1 while a release is in progress',
    );
  });

  it('pauses the whole Rollout: what others do counts when somebody resumes it', () => {
    const pause = (paused: boolean) => edit('Rollout', { spec: { strategy: { paused } } });
    const paused = told({}, release('v2'), until(1), pause(true), 'approve', 'finish', release('v1'));
    expect(paused.lines).toEqual(BEGUN);
    expect(paused.end).toBe('stuck: the Rollout is paused');
    const approved = told({}, release('v2'), until(1), pause(true), 'approve', pause(false));
    expect(approved.lines.at(-1)).toMatch(/^edit Rollout "web", approve, edit Rollout "web" -> step 1: settled /);
    const back = told({}, release('v2'), until(1), pause(true), release('v1'), pause(false));
    expect(back.end).toBe('rolled back');
    const edited = edit('Rollout', canarySteps(percentStep(10), percentStep(50), percentStep(60)));
    expect(told({}, release('v2'), until(1), pause(true), edited).lines).toEqual(BEGUN);
    expect(told({}, release('v2'), until(1), pause(true), edited, pause(false)).lines.at(-1)).toContain(
      'step 1: settled',
    );
    expect(told({}, release('v2'), until(1), pause(true), 'delete').end).toBe('released');
  });

  it('pauses the Rollout before a release, which then takes no step', () => {
    const pause = (paused: boolean) => edit('Rollout', { spec: { strategy: { paused } } });
    expect(told({}, pause(true), release('v2'), until(1)).lines).toEqual([]);
    expect(told({}, pause(true), release('v2'), pause(false), until(1)).lines).toHaveLength(BEGUN.length);
  });

  it('edits what the API server refuses', () => {
    const { lines, end } = told(
      {},
      release('v2'),
      until(1),
      edit('Rollout', { spec: { strategy: { canary: { steps: 'none' } } } }),
    );
    expect(lines).toEqual([...BEGUN]);
    expect(end).toBe('refused: the webhook refuses the edit: it is no valid Rollout');
  });

  it('deletes the Rollout in the middle, which ends the release', () => {
    const { lines, end } = told({}, release('v2'), until(1), edit('Rollout', null));
    expect(lines).toEqual([
      ...BEGUN,
      'delete Rollout "web" -> finish 0: Service web selects all pods again (stable=v1 canary=v2) | 10 stable, 2 canary | Service web',
      'finish 0: routes restored (stable=v1 canary=v2) | 10 stable, 2 canary | Ingress web-canary',
      'finish 0: Service web-canary deleted (stable=v1 canary=v2) | 10 stable, 2 canary | Service web-canary',
      'finish: the workload rolls the new version out to everybody (stable=v1 canary=v2) | 10 canary',
    ]);
    expect(end).toBe('released');
  });
});
