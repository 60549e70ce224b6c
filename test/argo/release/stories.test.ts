/** The stories that a Rollout can take: their names, and what people do in them. */
import { describe, expect, it } from 'vitest';
import { releasesOf } from '../../../src/argo/release';
import { type JsonObject, Manifest, World } from '../../../src/core';
import type { StoryAction } from '../../../src/release';
import { type StackOptions, stackOf } from '../../stage/labs/argo/stack';

const HPA = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'shop' },
  spec: { scaleTargetRef: { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', name: 'shop' }, maxReplicas: 9 },
};
const VERIFYING = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'argo-rollouts' },
  spec: {
    selector: { matchLabels: { app: 'argo' } },
    template: {
      metadata: { labels: { app: 'argo' } },
      spec: {
        containers: [
          { name: 'argo-rollouts', image: 'argoproj/argo-rollouts:v1.9.1', args: ['--aws-verify-target-group'] },
        ],
      },
    },
  },
};

/** An action in a word or two. */
function wordOf(action: StoryAction): string {
  if (typeof action === 'string') return action;
  if ('release' in action) return action.ready === undefined ? action.release : `${action.release} never ready`;
  if ('until' in action) return `until ${action.until.phase ?? action.until.step}`;
  if ('patch' in action) return `edit ${action.patch.kind} ${action.patch.name} ${stepsIn(action.patch.with)}`;
  return Object.entries(action)
    .map((entry) => entry.join(' '))
    .join();
}

function stepsIn(change: JsonObject | null): string {
  return JSON.stringify(Manifest.of(change ?? {}).get('spec.strategy.canary.steps'));
}

function storiesOf(options: StackOptions): Record<string, string> {
  const world = World.of(stackOf(options).map((object) => Manifest.of(object)));
  const [release] = releasesOf(world);
  return Object.fromEntries(release!.stories!().map(({ name, actions }) => [name, actions.map(wordOf).join(', ')]));
}

const EVERYWHERE = ['abort', 'retry', 'undo', 'third-revision', 'promote-full', 'delete', 'scale', 'edit-step'];
const others = (stories: Record<string, string>) =>
  Object.fromEntries(Object.entries(stories).filter(([name]) => !EVERYWHERE.includes(name.split('@')[0]!)));

describe('the stories of a canary', () => {
  it('happen at each pause for people', () => {
    expect(storiesOf({ route: 'alb' })).toEqual({
      straight: 'v2, finish',
      'abort@1': 'v2, until 1, abort',
      'abort@3': 'v2, until 3, abort',
      'retry@1': 'v2, until 1, abort, retry, finish',
      'retry@3': 'v2, until 3, abort, retry, finish',
      'undo@1': 'v2, until 1, v1',
      'undo@3': 'v2, until 3, v1',
      'third-revision@1': 'v2, until 1, v3, finish',
      'third-revision@3': 'v2, until 3, v3, finish',
      'promote-full@1': 'v2, until 1, promote-full',
      'promote-full@3': 'v2, until 3, promote-full',
      'delete@1': 'v2, until 1, delete',
      'delete@3': 'v2, until 3, delete',
      'scale@1': 'v2, until 1, scale 8, finish',
      'edit-step@3': `v2, until 3, edit Rollout shop ${JSON.stringify([
        { setWeight: 25 },
        { pause: {} },
        { setWeight: 25 },
        { pause: {} },
        { setWeight: 75 },
      ])}, finish`,
      'never-ready': 'v2 never ready, watch 60, abort',
      deadline: 'v2 never ready, watch 600',
    });
  });

  it('have a sync of what the controller rewrites in place', () => {
    expect(storiesOf({ route: 'istio-subsets' })['sync@1']).toBe(
      'v2, until 1, edit VirtualService shop undefined, edit DestinationRule shop undefined, finish',
    );
    expect(storiesOf({ route: 'nginx' })).not.toHaveProperty('sync@1');
  });

  it('happen at the first step where no pause waits for people', () => {
    const steps = [{ setWeight: 9 }, { pause: { duration: 5 } }];
    const stories = storiesOf({ route: 'alb', steps });
    expect(Object.keys(stories)).toEqual([
      'straight',
      ...EVERYWHERE.map((name) => `${name}@0`),
      'never-ready',
      'deadline',
    ]);
    expect(stories['edit-step@0']).toContain('[{"setWeight":4},{"pause":{"duration":5}}]');
  });

  it('edit no step where none has a weight that can be halved', () => {
    expect(storiesOf({ route: 'alb', steps: [{ setWeight: 1 }, { pause: {} }] })).not.toHaveProperty('edit-step@1');
    expect(storiesOf({ route: 'alb', steps: [{ pause: {} }, { setWeight: 50 }] })).not.toHaveProperty('edit-step@0');
    expect(storiesOf({ route: 'alb', steps: [{ setWeight: 2 }, { pause: {} }] })['edit-step@1']).toContain(
      '[{"setWeight":1},{"pause":{}}]',
    );
  });

  it('scale one pod to two, wait for the deadline of the Rollout, and follow an autoscaler', () => {
    const stories = storiesOf({
      route: 'alb',
      spec: { replicas: undefined, progressDeadlineSeconds: 30 },
      more: [HPA],
    });
    expect(stories['scale@1']).toBe('v2, until 1, scale 2, finish');
    expect(stories.deadline).toBe('v2 never ready, watch 30');
    expect(stories['hpa@1']).toBe('v2, until 1, scale 9, finish');
    expect(stories).not.toHaveProperty('hpa@3');
  });

  it('go back within the rollback window', () => {
    expect(others(storiesOf({ route: 'alb', spec: { rollbackWindow: { revisions: 2 } } }))).toEqual({
      straight: 'v2, finish',
      'rollback-window': 'v2, finish, v1, finish',
      'never-ready': 'v2 never ready, watch 60, abort',
      deadline: 'v2 never ready, watch 600',
    });
  });

  const ANALYSIS = { templates: [{ templateName: 'a' }] };
  const analysedAt = (options: Partial<StackOptions>) =>
    Object.entries(storiesOf({ route: 'alb', ...options }))
      .filter(([name]) => name.startsWith('analysis-'))
      .map(([name, actions]) => `${name}: ${actions}`);
  const allAt = (step: number) => [
    `analysis-failed@${step}: v2, until ${step}, analysis failed`,
    `analysis-error@${step}: v2, until ${step}, analysis error`,
    `analysis-inconclusive@${step}: v2, until ${step}, analysis inconclusive, promote, finish`,
  ];

  it('have the ends of each analysis: in a step, in the background, and in both once', () => {
    const steps = [{ setWeight: 25 }, { analysis: ANALYSIS }, { pause: {} }, { setWeight: 50 }, { pause: {} }];
    expect(analysedAt({ steps })).toEqual(allAt(1));
    expect(analysedAt({ strategy: { analysis: ANALYSIS } })).toEqual([...allAt(1), ...allAt(3)]);
    expect(analysedAt({ steps, strategy: { analysis: ANALYSIS } })).toEqual([...allAt(1), ...allAt(2), ...allAt(4)]);
    expect(analysedAt({ strategy: { analysis: { ...ANALYSIS, startingStep: 3 } } })).toEqual(allAt(3));
    expect(analysedAt({ strategy: { analysis: { ...ANALYSIS, startingStep: 4 } } })).toEqual(allAt(4));
    expect(analysedAt({ strategy: { analysis: { ...ANALYSIS, startingStep: 5 } } })).toEqual([]);
    expect(analysedAt({ strategy: { analysis: { templates: [] } } })).toEqual([]);
  });

  it('have a load balancer that keeps weights or targets, where the controller verifies those of an ALB', () => {
    expect(others(storiesOf({ route: 'alb', more: [VERIFYING] }))).toEqual({
      straight: 'v2, finish',
      'weights-kept@1': 'v2, until 1, loadBalancer keeps-weights, finish',
      'weights-kept@3': 'v2, until 3, loadBalancer keeps-weights, finish',
      'targets-kept': 'v2, loadBalancer keeps-targets, finish',
      'never-ready': 'v2 never ready, watch 60, abort',
      deadline: 'v2 never ready, watch 600',
    });
    for (const route of ['nginx', 'istio'] as const) {
      expect(Object.keys(storiesOf({ route, more: [VERIFYING] })).filter((name) => name.includes('kept'))).toEqual([]);
    }
  });
});

describe('the stories of a blue-green release', () => {
  it('happen before the switch', () => {
    expect(storiesOf({ route: 'blueGreen' })).toEqual({
      straight: 'v2, finish',
      abort: 'v2, until Paused, abort',
      retry: 'v2, until Paused, abort, watch 3600, retry, finish',
      'retry@soon': 'v2, until Paused, abort, retry, finish',
      undo: 'v2, until Paused, v1',
      'undo@released': 'v2, finish, v1, finish',
      'third-revision': 'v2, until Paused, v3, finish',
      'promote-full': 'v2, until Paused, promote-full',
      delete: 'v2, until Paused, delete',
      scale: 'v2, until Paused, scale 8, finish',
      'never-ready': 'v2 never ready, watch 60, abort',
      deadline: 'v2 never ready, watch 600',
    });
  });

  it('happen while it starts, where nobody has to promote it', () => {
    const strategy = { autoPromotionEnabled: true };
    const stories = storiesOf({ route: 'blueGreen', strategy, more: [HPA, VERIFYING] });
    expect(stories).toMatchObject({
      abort: 'v2, abort',
      retry: 'v2, abort, watch 3600, retry, finish',
      'retry@soon': 'v2, abort, retry, finish',
      delete: 'v2, delete',
      hpa: 'v2, scale 9, finish',
      'targets-kept': 'v2, loadBalancer keeps-targets, finish',
    });
  });

  it('have the ends of analyses before and after the switch', () => {
    const analyses = { prePromotionAnalysis: {}, postPromotionAnalysis: {} };
    const named = (strategy: object) =>
      Object.entries(storiesOf({ route: 'blueGreen', strategy: strategy as JsonObject }))
        .filter(([name]) => name.startsWith('analysis-'))
        .map(([name, actions]) => `${name}: ${actions}`);
    expect(named({ ...analyses })).toEqual([
      'analysis-failed@pre-promotion: v2, analysis failed',
      'analysis-error@pre-promotion: v2, analysis error',
      'analysis-inconclusive@pre-promotion: v2, analysis inconclusive, promote, finish',
      'analysis-failed@post-promotion: v2, until Paused, promote, analysis failed',
      'analysis-error@post-promotion: v2, until Paused, promote, analysis error',
      'analysis-inconclusive@post-promotion: v2, until Paused, promote, analysis inconclusive, promote, finish',
    ]);
    expect(named({ postPromotionAnalysis: {}, autoPromotionEnabled: true })[0]).toBe(
      'analysis-failed@post-promotion: v2, analysis failed',
    );
  });

  it('keep targets before the promotion', () => {
    expect(storiesOf({ route: 'blueGreen', more: [VERIFYING] })['targets-kept']).toBe(
      'v2, until Paused, loadBalancer keeps-targets, finish',
    );
  });
});
