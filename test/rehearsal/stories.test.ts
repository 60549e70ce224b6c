/** Releases that do not go straight. What real controllers do in these stories is in test/stage/recordings. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RehearsedStory } from '../../src/core/rehearsal-result';
import type { StoryAction } from '../../src/release';
import { rehearseStack, type StackOptions } from './stack';

const pause = {};
const STEPS = [
  { traffic: '20%', replicas: '20%', pause },
  { traffic: '50%', replicas: '50%', pause },
  { traffic: '100%', replicas: '100%', pause },
];
const NGINX: StackOptions = {
  steps: STEPS,
  annotations: {},
  ingressClassName: 'nginx',
  port: { number: 80 },
  route: { ingress: { name: 'web', classType: 'nginx' } },
};

function told(actions: readonly StoryAction[], stack: StackOptions = NGINX): RehearsedStory {
  return rehearseStack(stack, { stories: [{ name: 'mine', actions }] }).stories!.at(-1)!;
}

function titles({ moments }: RehearsedStory): string[] {
  return moments.flatMap(({ title, did = [] }) => [...did.map((deed) => `# ${deed}`), title]);
}

describe('stories of Kruise Rollouts', () => {
  it('are those that the Rollout can take, at each step that waits, the straight road first', () => {
    const names = rehearseStack(NGINX, { stories: 'all' }).stories!.map(({ name, end }) => `${name}: ${end}`);
    expect(names).toEqual([
      'straight: released',
      'roll-back@0: rolled back',
      'roll-back@1: rolled back',
      'third-revision@0: released',
      'third-revision@1: released',
      'delete@0: released',
      'delete@1: released',
      'disable@0: released',
      'disable@1: released',
      'jump-forward@0: released',
      'jump-back@1: released',
      'scale@0: released',
      'edit-step@0: released',
      'edit-route@0: released',
      'never-ready: rolled back',
    ]);
  });

  it('are told only where they are asked for', () => {
    expect(rehearseStack(NGINX).stories).toBeUndefined();
    const stories = rehearseStack(NGINX, { stories: ['roll-back', 'delete@1'] }).stories!;
    expect(stories.map(({ name }) => name)).toEqual(['straight', 'roll-back@0', 'roll-back@1', 'delete@1']);
  });

  it('have the straight road as the rehearsal has it', () => {
    const { moments, stories } = rehearseStack(NGINX, { stories: ['straight'] });
    const straight = moments.filter(({ phase }) => phase !== 'abort');
    expect(stories![0]!.moments.map(({ title, changes, cells }) => ({ title, changes, cells }))).toEqual(
      straight.map(({ title, changes, cells }) => ({
        title,
        changes,
        cells: cells.map((cell) => ({ ...cell, verdict: 'good' })),
      })),
    );
  });

  it('end with the new version for everybody when the Rollout is deleted in the middle', () => {
    const story = told([{ release: 'v2' }, { until: { step: 2 } }, 'delete']);
    expect(titles(story).slice(-5)).toEqual([
      '# delete the Rollout',
      'end: Service web selects all pods again',
      'end: routes restored',
      'end: Service web-canary deleted',
      'end: the workload rolls the new version out to everybody',
    ]);
    expect(story.moments.at(-2)!.pods).toEqual([{ service: 'web', versions: { v1: 10, v2: 5 } }]);
    expect(story.moments.at(-1)!.pods).toEqual([{ service: 'web', versions: { v2: 10 } }]);
  });

  it('begin again with a third version', () => {
    const story = told([{ release: 'v2' }, { until: { step: 2 } }, { release: 'v3' }, { until: { step: 1 } }]);
    expect(titles(story).slice(-5)).toEqual([
      '# release v3',
      'steps[1]: routes restored',
      'steps[1]: Service web-canary deleted',
      'steps[0]: canary Ingress created',
      'steps[0]: 20%',
    ]);
    const { pods, cells } = story.moments.at(-1)!;
    expect(pods).toEqual([
      { service: 'web', versions: { v1: 10 } },
      { service: 'web-canary', versions: { v3: 2 } },
    ]);
    expect(cells[0]!.shares.canary).toBeCloseTo(0.2);
  });

  it('are stuck when a third version reaches a blue-green release, until somebody rolls back', () => {
    const stack: StackOptions = {
      ...NGINX,
      style: 'blueGreen',
      steps: STEPS.map((step) => ({ ...step, replicas: '100%' })),
    };
    const begin: StoryAction[] = [{ release: 'v2' }, { until: { step: 2 } }, { release: 'v3' }];
    const stuck = told([...begin, 'finish'], stack);
    expect(stuck).toMatchObject({ end: 'stuck', why: expect.stringContaining('roll-back') });
    expect(told([...begin, { release: 'v1' }], stack).end).toBe('rolled back');
  });

  it('end with the old image where the controller waits before the first step', () => {
    const stack: StackOptions = {
      ...NGINX,
      style: 'blueGreen',
      strategy: { disableGenerateCanaryService: true },
      steps: STEPS.map((step) => ({ ...step, replicas: '100%' })),
    };
    const back: StoryAction[] = [{ watch: 15 }, { release: 'v1' }];
    expect(told([{ release: 'v2' }, 'finish'], stack)).toMatchObject({ end: 'stuck' });
    expect(told([{ release: 'v2' }, ...back], stack).end).toBe('rolled back');
    expect(told([{ release: 'v2', ready: 'never' }, ...back], stack).end).toBe('rolled back');
    expect(told([{ release: 'v2' }, { watch: 15 }, { release: 'v3' }], stack).end).toBe('stuck');
  });

  it('wait on where a jump names the step that comes next anyway', () => {
    const paused: StoryAction[] = [{ release: 'v2' }, { until: { step: 1 } }];
    const titles = (...actions: StoryAction[]) => told([...paused, ...actions]).moments.map(({ title }) => title);
    expect(titles({ jump: 2 })).toEqual(titles());
    expect(titles({ jump: 3 }).length).toBeGreaterThan(titles().length);
  });

  it('are refused where the webhook refuses an edit', () => {
    const patch = {
      apiVersion: 'rollouts.kruise.io/v1beta1',
      kind: 'Rollout',
      name: 'web',
      with: { spec: { strategy: { canary: { steps: STEPS.slice(0, 2) } } } },
    };
    const story = told([{ release: 'v2' }, { until: { step: 1 } }, { patch }]);
    expect(story).toMatchObject({
      end: 'refused',
      why: expect.stringContaining('the webhook refuses the edit: spec.strategy'),
    });
  });

  it('leave nothing behind, whatever people do', () => {
    const action = fc.oneof(
      fc.constantFrom<StoryAction>('approve', 'promote', 'enable'),
      fc.integer({ min: 1, max: 3 }).map((jump): StoryAction => ({ jump })),
      fc.integer({ min: 1, max: 30 }).map((scale): StoryAction => ({ scale })),
      fc.constantFrom('v2', 'v3', 'v4').map((release): StoryAction => ({ release })),
    );
    const last = fc.constantFrom<StoryAction>('finish', 'delete', 'disable', { release: 'v1' });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 6 }), last, (middle, end) => {
        const { moments } = told([{ release: 'v2' }, ...middle, end]);
        const changes = moments.flatMap((moment) => moment.changes);
        const left = new Map(changes.map(({ object, after }) => [`${object.kind}/${object.name}`, after]));
        expect(left.get('Ingress/web-canary')).toBeUndefined();
        expect(left.get('Service/web-canary')).toBeUndefined();
        expect((left.get('Service/web')?.spec as { selector: object } | undefined)?.selector).toEqual({ app: 'web' });
        for (const { cells } of moments) {
          for (const { shares } of cells) {
            expect(shares.stable + shares.canary + shares.failed + shares.other).toBeCloseTo(1);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('tell of the pauses and grace periods that the manifests declare', () => {
    const steps = [
      { traffic: '20%', replicas: '20%', pause: { duration: 60 } },
      { traffic: '50%', replicas: '50%', pause },
    ];
    const { moments } = told([{ release: 'v2' }, 'finish'], { ...NGINX, steps });
    const pauses = moments.filter(({ phase }) => phase === 'step').map(({ next }) => next);
    expect(pauses).toEqual([
      { who: 'time', seconds: 60, field: 'pause.duration' },
      { who: 'person', does: ['approve'] },
    ]);
    const ending = moments.find(({ phase }) => phase === 'finish')!;
    expect(ending.next).toMatchObject({ who: 'time', field: 'gracePeriodSeconds' });
  });
});
