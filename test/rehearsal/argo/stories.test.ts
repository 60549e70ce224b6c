/** Stories of Argo Rollouts. What real controllers do in them is in test/stage/recordings. */
import { describe, expect, it } from 'vitest';
import { type JsonObject, Manifest, World } from '../../../src/core';
import { rehearse } from '../../../src/rehearsal';
import type { StoryAction } from '../../../src/release';
import { argoInstall, VERIFIES } from '../../stage/controllers/argo';
import { deploymentOf } from '../../stage/controllers/controller';
import { argoLabs } from '../../stage/labs/argo';

const objectsOf = (lab: string) => argoLabs('1.10.2').find(({ name }) => name === lab)!.manifests;

function stories(asked: 'all' | readonly StoryAction[], lab = 'alb-straight', more: readonly object[] = []) {
  const world = World.of([...objectsOf(lab), ...more].map((object) => Manifest.of(object as JsonObject)));
  const [rehearsal] = rehearse(world, { stories: asked === 'all' ? 'all' : [{ name: 'mine', actions: asked }] });
  return rehearsal!.stories!;
}

describe('stories of Argo Rollouts', () => {
  it('are told at every pause', () => {
    const ends = stories('all').map(({ name, end }) => `${name}: ${end}`);
    expect(ends).toEqual([
      'straight: released',
      'abort@1: rolled back',
      'abort@3: rolled back',
      'retry@1: released',
      'retry@3: released',
      'undo@1: rolled back',
      'undo@3: rolled back',
      'third-revision@1: released',
      'third-revision@3: released',
      'promote-full@1: released',
      'promote-full@3: released',
      'delete@1: stuck',
      'delete@3: stuck',
      'scale@1: released',
      'edit-step@3: released',
      'never-ready: rolled back',
      'deadline: stuck',
    ]);
  });

  it('move the canary Service to the new pods and back after an abort', () => {
    const [, story] = stories([{ release: 'v2' }, { until: { step: 1 } }, 'abort']);
    expect(story!.moments.slice(-3).map(({ title }) => title)).toEqual([
      'rollback: aborted, and the steps begin again',
      'rollback: Service shop-canary goes to the new pods and back at each reconcile',
      'rollback: the new pods are gone',
    ]);
    expect(story!.moments.slice(-3).map(({ pods }) => pods[0])).toEqual([
      { service: 'shop-canary', versions: { v1: 4 } },
      { service: 'shop-canary', versions: { v2: 1 } },
      { service: 'shop-canary', versions: { v1: 4 } },
    ]);
  });

  it.each(['alb-straight', 'nginx-straight', 'istio-straight', 'istio-subsets-straight'])(
    'show a route that is written again only where somebody took it away: %s',
    (lab) => {
      // A GitOps tool takes it away.
      const others = stories('all', lab).filter(({ name }) => !name.startsWith('sync@'));
      const titles = others.flatMap(({ moments }) => moments.map(({ title }) => title));
      expect(titles.length).toBeGreaterThan(50);
      expect(titles.filter((title) => title.includes('written again'))).toEqual([]);
    },
  );

  it.each(['alb-straight', 'alb-ping-pong-straight', 'services-straight', 'bg-straight'])(
    'wait at a pause however long somebody looks on: %s',
    (lab) => {
      const paused: StoryAction = { until: { phase: 'Paused' } };
      const rest = (...actions: StoryAction[]): StoryAction[] => [{ release: 'v2' }, paused, ...actions];
      for (const last of ['abort', { release: 'v1' }, 'promote-full', 'delete', { scale: 7 }] as const) {
        const [, story] = stories(rest({ watch: 60 }, paused, { watch: 5 }, last), lab);
        const [, short] = stories(rest(last), lab);
        expect({ last, ...story }).toEqual({ last, ...short });
      }
    },
  );

  it('leave nobody who answers when the Rollout is deleted', () => {
    const [, story] = stories([{ release: 'v2' }, { until: { step: 1 } }, 'delete']);
    const last = story!.moments.at(-1)!;
    expect(story).toMatchObject({ end: 'stuck', why: 'the pods are deleted with the Rollout, so nobody answers' });
    expect(last.cells.map(({ shares }) => shares.failed)).toContain(1);
  });

  it('wait for a promotion where an analysis is inconclusive', () => {
    const analysed: StoryAction[] = [{ release: 'v2' }, { analysis: 'inconclusive' }];
    const [, story] = stories(analysed, 'alb-analysis-inconclusive');
    expect(story).toMatchObject({ end: 'stuck', why: expect.stringContaining('inconclusive') });
    const [, promoted] = stories([...analysed, 'promote', 'finish'], 'alb-analysis-inconclusive');
    expect(promoted!.end).toBe('released');
  });

  it('have an analysis in the background wherever people act, and it runs', () => {
    const named = (lab: string, more: object = {}) =>
      stories(
        'all',
        lab,
        [more].filter((each) => 'kind' in each),
      )
        .map(({ name, end }) => `${name}: ${end}`)
        .filter((name) => name.startsWith('analysis-'));
    expect(named('alb-analysis-background-succeeds')).toEqual([
      'analysis-failed@1: rolled back',
      'analysis-error@1: rolled back',
      'analysis-inconclusive@1: released',
      'analysis-failed@3: rolled back',
      'analysis-error@3: rolled back',
      'analysis-inconclusive@3: released',
    ]);
    // It starts at step 2.
    expect(named('alb-analysis-background')).toEqual([
      'analysis-failed@3: rolled back',
      'analysis-error@3: rolled back',
      'analysis-inconclusive@3: released',
    ]);
  });

  it('stop at the step of an analysis in the background that fails, where no pause waits for people', () => {
    const { manifests } = argoLabs('1.10.2').find(({ name }) => name === 'alb-analysis-background-succeeds')!;
    const steps = [{ setWeight: 25 }, { pause: { duration: 60 } }, { setWeight: 50 }, { pause: { duration: 60 } }];
    const timed = manifests.map((object) =>
      object.kind === 'Rollout'
        ? { ...object, spec: { ...object.spec, strategy: { canary: { ...object.spec.strategy.canary, steps } } } }
        : object,
    );
    const world = World.of(timed.map((object) => Manifest.of(object as JsonObject)));
    const told = rehearse(world, { stories: 'all' })[0]!.stories!.find(({ name }) => name === 'analysis-failed@0')!;
    expect(told.end).toBe('rolled back');
    expect(weightsOf(told)).toEqual([0, 0, 25, 0, 0, 0]);
  });

  it('skip the pause after an analysis in the background that is inconclusive', () => {
    const early: StoryAction[] = [{ release: 'v2' }, { analysis: 'inconclusive' }];
    const [, story] = stories(early, 'alb-analysis-background-inconclusive');
    expect(story!.moments.at(-1)).toMatchObject({ step: 1 });
    const [, promoted] = stories([...early, 'promote'], 'alb-analysis-background-inconclusive');
    expect(promoted!.moments.at(-1)).toMatchObject({ step: 3 });
    const [, late] = stories(
      [{ release: 'v2' }, { until: { step: 1 } }, ...early.slice(1)],
      'alb-analysis-background-inconclusive',
    );
    expect(late!.moments.at(-1)).toMatchObject({ step: 1 });
  });

  it('begin again at the first step when somebody edits a step', () => {
    const edited = stories('all').find(({ name }) => name === 'edit-step@3')!;
    expect(weightsOf(edited)).toEqual([0, 0, 25, 25, 50, 50, 0, 25, 25, 25, 25, 75, 100, 100, 100]);
  });

  it('scale to the maximum of an autoscaler', () => {
    const scaleTargetRef = { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', name: 'shop' };
    const hpa = {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'shop' },
      spec: { scaleTargetRef, minReplicas: 6, maxReplicas: 9 },
    };
    const told = stories('all', 'alb-straight', [hpa]).find(({ name }) => name === 'hpa@1')!;
    expect(podsOf(told)[0]).toBe('shop-canary 6 v1, shop-stable 6 v1');
    expect(podsOf(told).at(-1)).toBe('shop-canary 9 v2, shop-stable 9 v2');
    expect(told.moments.flatMap(({ did = [] }) => did)).toContain('scale to 9 pods');
  });

  it('tell who makes the next moment, and how long that takes at least', () => {
    const story = stories('all').find(({ name }) => name === 'abort@3')!;
    expect(story.moments.map(({ next }) => next)).toEqual([
      { who: 'person', does: ['release v2'] },
      { who: 'controller' },
      { who: 'controller' },
      { who: 'person', does: ['promote'] },
      { who: 'controller' },
      { who: 'person', does: ['abort the Rollout'] },
      { who: 'controller' },
      { who: 'time', seconds: 5, field: 'abortScaleDownDelaySeconds' },
      undefined,
    ]);
    expect(story.moments.map(({ capacity }) => capacity.v2 ?? 0)).toEqual([0, 0, 0.25, 0.25, 0.5, 0.5, 0.5, 0.5, 0]);
  });

  it('abort by themselves at the deadline, where the Rollout says so', () => {
    const [, waits] = stories([{ release: 'v2', ready: 'never' }, { watch: 5 }], 'alb-deadline-abort');
    const [, aborts] = stories([{ release: 'v2', ready: 'never' }, { watch: 9 }], 'alb-deadline-abort');
    expect([waits!.end, aborts!.end]).toEqual(['stuck', 'rolled back']);
  });
});

describe('stories of blue-green Rollouts', () => {
  const bg = (asked: 'all' | readonly StoryAction[], lab = 'bg-straight') => stories(asked, lab);
  const PREVIEW: readonly StoryAction[] = [{ release: 'v2' }, { until: { phase: 'Paused' } }];

  it('are told before the switch, and after the release', () => {
    expect(bg('all').map(({ name, end }) => `${name}: ${end}`)).toEqual([
      'straight: released',
      'abort: rolled back',
      'retry: released',
      'retry@soon: released',
      'undo: rolled back',
      'undo@released: released',
      'third-revision: released',
      'promote-full: released',
      'delete: stuck',
      'scale: released',
      'never-ready: rolled back',
      'deadline: stuck',
    ]);
    expect(bg('all', 'bg-analysis-after-fails').map(({ name, end }) => `${name}: ${end}`)).toEqual(
      expect.arrayContaining([
        'analysis-failed@post-promotion: rolled back',
        'analysis-error@post-promotion: rolled back',
        'analysis-inconclusive@post-promotion: released',
      ]),
    );
  });

  it('analyse again after a promotion, and pause before the switch as always', () => {
    const once: StoryAction[] = [{ release: 'v2' }, { analysis: 'inconclusive' }, 'promote'];
    const [, again] = bg(once, 'bg-analysis-before');
    expect(again).toMatchObject({ end: 'stuck', why: 'it waits for somebody to promote it' });
    const [, twice] = bg([...once, 'promote'], 'bg-analysis-before');
    expect(twice!.end).toBe('released');
  });

  it('tell of the delays that a strategy has', () => {
    const [straight] = bg([{ release: 'v2' }, 'finish'], 'bg-automatic-seconds');
    expect(
      straight!.moments.map(({ next }) => (next?.who === 'time' ? [next.seconds, next.field] : next?.who)),
    ).toEqual(['person', 'controller', [4, 'autoPromotionSeconds'], [30, 'scaleDownDelaySeconds'], undefined]);
  });

  it('leave the preview Service without pods after an abort', () => {
    const [, story] = bg([...PREVIEW, 'abort']);
    expect(story!.moments.slice(-2).map(({ title }) => title)).toEqual([
      'rollback: aborted',
      'rollback: the new pods are gone',
    ]);
    expect(podsOf(story!).slice(-2)).toEqual(['shop-active 4 v1, shop-preview 4 v2', 'shop-active 4 v1, shop-preview']);
  });

  it('move the active Service back when an analysis fails after the switch', () => {
    const [, story] = bg([...PREVIEW, 'promote', { analysis: 'failed' }], 'bg-analysis-after-fails');
    expect(weightsOf(story!).slice(-3)).toEqual([100, 0, 0]);
    expect(story!.moments.at(-2)!.title).toBe('rollback: aborted, and Service shop-active selects the old pods');
  });

  it('go back at once as long as the old pods are there, and wait for people after that', () => {
    const back: StoryAction[] = [{ release: 'v1' }, { watch: 1 }];
    const [, soon] = bg([{ release: 'v2' }, 'finish', ...back]);
    const [, late] = bg([{ release: 'v2' }, 'finish', { watch: 6 }, ...back]);
    expect([soon!.end, late!.end]).toEqual(['released', 'stuck']);
    expect(late!.why).toBe('it waits for somebody to promote it');
  });

  it('do nothing when somebody aborts a release that is over', () => {
    const [straight, story] = bg([{ release: 'v2' }, 'finish', 'abort']);
    expect(story!.moments).toEqual(straight!.moments);
  });

  it('give the third version what the second one had', () => {
    const [, story] = bg([...PREVIEW, { release: 'v3' }, 'finish']);
    expect(podsOf(story!).slice(3)).toEqual([
      'shop-active 4 v1, shop-preview',
      'shop-active 4 v1, shop-preview 4 v3',
      'shop-active 4 v3, shop-preview 4 v3',
      'shop-active 4 v3, shop-preview 4 v3',
    ]);
  });
});

type Told = ReturnType<typeof stories>[number];

/** The pods behind each Service, moment by moment. */
function podsOf({ moments }: Told): string[] {
  return moments.map(({ pods }) =>
    pods
      .map(({ service, versions }) =>
        [service, ...Object.entries(versions).map(([name, n]) => `${n} ${name}`)].join(' '),
      )
      .join(', '),
  );
}

/** The share of the new version in requests for the host that everybody uses, moment by moment. */
function weightsOf({ moments }: Told): number[] {
  return moments.map(({ cells }) => Math.round(100 * (cells[0]!.shares.canary ?? 0)));
}

describe('a load balancer that does not take over everything', () => {
  const verifying = [deploymentOf(argoInstall('1.9.1', [VERIFIES]))];
  const told = (...actions: StoryAction[]) => stories([{ release: 'v2' }, ...actions], 'alb-straight', verifying)[1]!;
  const keepsWeights: StoryAction = { loadBalancer: 'keeps-weights' };
  const stands: StoryAction[] = [{ until: { step: 1 } }, keepsWeights, 'promote'];
  const shares = ({ moments }: ReturnType<typeof told>) => moments.map(({ cells }) => cells[0]!.shares);

  it('has stories where the controller verifies', () => {
    const ends = stories('all', 'alb-straight', verifying).map(({ name, end }) => `${name}: ${end}`);
    expect(ends).toEqual(
      expect.arrayContaining(['weights-kept@1: stuck', 'weights-kept@3: stuck', 'targets-kept: released']),
    );
    expect(stories('all', 'bg-straight', verifying).map(({ name, end }) => `${name}: ${end}`)).toContain(
      'targets-kept: stuck',
    );
    expect(stories('all', 'nginx-straight', verifying).map(({ name }) => name)).not.toContain('targets-kept');
  });

  it('holds the release at a weight, and users keep the share of before', () => {
    const story = told(...stands);
    expect(story).toMatchObject({
      end: 'stuck',
      why: 'it waits until the load balancer has weight 50 for Service "shop-canary", and it keeps 25',
    });
    expect(shares(story).at(-1)).toMatchObject({ stable: 0.75, canary: 0.25, failed: 0 });
    expect(told('promote', keepsWeights, 'finish').end).toBe('stuck');
  });

  it('lets the release go on when it takes over the weight, or when somebody skips the step', () => {
    expect(told(...stands, { loadBalancer: 'follows' }, 'finish').end).toBe('released');
    expect(told(...stands, 'promote-full').end).toBe('released');
    expect(told(...stands, 'abort').end).toBe('rolled back');
    expect(told(...stands, 'promote')).toMatchObject({ end: 'stuck', why: 'it waits for somebody to promote it' });
    const atEnd = told('finish', { release: 'v3' }, { until: { step: 3 } }, keepsWeights, 'finish');
    expect(atEnd.why).toContain('weight 75');
  });

  it('sends all requests to the old pods, which stay until the new ones are registered', () => {
    const kept = told({ loadBalancer: 'keeps-targets' }, 'finish');
    expect(kept.end).toBe('released');
    expect(shares(kept).every(({ stable, failed }) => stable === 1 && failed === 0)).toBe(true);
    expect(kept.moments.at(-1)!.capacity).toEqual({ v1: 1, v2: 1 });
    const later = told({ loadBalancer: 'keeps-targets' }, 'finish', { loadBalancer: 'follows' });
    expect(shares(later).at(-1)).toMatchObject({ failed: 0 });
    expect(later.moments.at(-1)!.capacity).toEqual({ v2: 1 });
  });

  it('has no pod that answers once the old ones are gone, where nobody verifies', () => {
    const [, story] = stories([{ release: 'v2' }, { loadBalancer: 'keeps-targets' }, 'finish']);
    expect(shares(story!).at(-1)).toMatchObject({ failed: 1 });
  });

  it('is no person who acts', () => {
    const story = told(...stands, { loadBalancer: 'follows' });
    expect(story.moments.map(({ next }) => next)).toContainEqual({
      who: 'load balancer',
      does: ['the load balancer takes over everything again'],
    });
  });

  it('stop where an object that the Rollout names is deleted, and at no other one', () => {
    const gone = (kind: string, name: string, lab?: string) => {
      const to = { patch: { apiVersion: 'v1', kind, name, with: null } };
      const all = stories([{ release: 'v2' }, { until: { phase: 'Paused' } }, to, 'finish'], lab, [OTHER]);
      const { end, why = '' } = all.find(({ name: story }) => story === 'mine')!;
      return `${end}: ${why}`;
    };
    const OTHER = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'other' }, spec: { ports: [{ port: 80 }] } };
    for (const lab of ['alb-straight', 'bg-straight']) expect(gone('Service', 'other', lab)).toBe('released: ');
    const missing = (name: string) =>
      `stuck: Service "${name}" is gone, and Argo changes nothing until somebody creates it again`;
    expect(gone('Service', 'shop-canary')).toBe(missing('shop-canary'));
    expect(gone('Service', 'shop-preview', 'bg-straight')).toBe(missing('shop-preview'));
  });
});
