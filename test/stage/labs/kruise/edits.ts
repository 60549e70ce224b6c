/** People change the steps of a Rollout of Kruise in the middle of a release. */
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import { beginPaused, LOOK, whilePaused } from '../paused';
import { HEADERS, type KruiseLab, lab, patchOf, STYLES, upTo } from './lab';
import type { Style } from './stack';

/** The whole Rollout pauses, or goes on. */
const pause = (paused: boolean) => patchOf('Rollout', 'rollouts.kruise.io/v1beta1', { spec: { strategy: { paused } } });
const BETA: KubernetesObject = { matches: HEADERS('x-beta', '1') };

const step = (routing: KubernetesObject, replicas: number | string): KubernetesObject => ({
  ...routing,
  replicas,
  pause: {},
});
const share = (traffic: string, replicas: number | string) => step({ traffic }, replicas);

/** With as many pods in the first two steps. In partition style, the last step has no route. */
const stepsOf = (style: Style) =>
  [
    step(BETA, 2),
    share('20%', 2),
    share('30%', 4),
    style === 'partition' ? step({}, '100%') : share('100%', '100%'),
  ] as const;

export function edits(): KruiseLab[] {
  return [...editsOfSteps(), ...editsOfOldSteps(), ...disabled(), ...unwritable()];
}

/** In v1alpha1, where the number of steps may change. */
function editsOfOldSteps(): KruiseLab[] {
  const weighed = (weight: number, replicas: number): KubernetesObject => ({ weight, replicas, pause: {} });
  const [first, second, third, last] = [weighed(10, 2), weighed(20, 2), weighed(30, 4), weighed(50, 4)] as const;
  const steps = [share('10%', 2), share('20%', 2), share('30%', 4), share('50%', 4)];
  const edit = (changed: readonly KubernetesObject[]) =>
    patchOf('Rollout', 'rollouts.kruise.io/v1alpha1', { spec: { strategy: { canary: { steps: changed } } } });
  return (['canary', 'partition'] as const).flatMap((style) => {
    const stack = { style, route: 'nginx', replicas: 8, steps, api: 'v1alpha1' } as const;
    const name = `alpha-${style}-edit`;
    return [
      lab(`${name}-later`, stack, [...upTo(2), edit([first, second, weighed(40, 4), last]), LOOK, 'finish']),
      {
        ...lab(`${name}-fewer-steps`, stack, [...upTo(3), edit([first, weighed(30, 4)]), LOOK, 'finish']),
        except: ['0.6.0', '0.6.1'],
      },
      lab(`${name}-more-steps`, stack, [
        ...upTo(2),
        edit([first, second, third, weighed(40, 4), last]),
        LOOK,
        'finish',
      ]),
    ];
  });
}

function editsOfSteps(): KruiseLab[] {
  return STYLES.flatMap((style) => {
    const steps = stepsOf(style);
    const [first, second, third, last] = steps;
    const stack = { style, route: 'nginx', replicas: 8, steps } as const;
    const strategy = style === 'blueGreen' ? 'blueGreen' : 'canary';
    const edit = (changed: readonly KubernetesObject[], more: KubernetesObject = {}) =>
      patchOf('Rollout', 'rollouts.kruise.io/v1beta1', {
        spec: { strategy: { [strategy]: { steps: changed, ...more } } },
      });
    const at = (place: number, ...actions: StoryAction[]) => [...upTo(place), ...actions];
    return [
      lab(`${style}-edit-later`, stack, at(2, edit([first, second, share('40%', 4), last]), LOOK, 'finish')),
      lab(`${style}-edit-fewer-pods`, stack, at(3, edit([first, second, share('30%', 3), last]), LOOK, 'finish')),
      lab(
        `${style}-edit-fewer-pods-rollback`,
        stack,
        at(2, edit([step(BETA, 1), share('20%', 1), third, last]), LOOK, { release: 'v1' }, 'finish'),
      ),
      lab(`${style}-edit-more-pods`, stack, at(2, edit([first, share('20%', 3), third, last]), LOOK, 'finish')),
      lab(`${style}-edit-count`, stack, at(2, edit([first, third, last]), LOOK, 'finish')),
      lab(
        `${style}-edit-pause`,
        stack,
        at(2, edit([first, { ...second, pause: { duration: 600 } }, third, last]), LOOK, 'finish'),
      ),
      lab(`${style}-edit-threshold`, stack, at(2, edit(steps, { failureThreshold: '50%' }), LOOK, 'finish')),
      lab(`${style}-paused`, stack, at(2, ...whilePaused(pause, 'approve'), 'finish')),
      lab(`${style}-paused-rollback`, stack, at(2, ...whilePaused(pause, { release: 'v1' }))),
      lab(`${style}-paused-third`, stack, at(2, ...whilePaused(pause, { release: 'v3' }))),
      lab(
        `${style}-paused-edit`,
        stack,
        at(3, ...whilePaused(pause, edit([first, second, share('30%', 3), last])), 'finish'),
      ),
      lab(`${style}-paused-before`, stack, [pause(true), LOOK, { release: 'v2' }, LOOK, pause(false), LOOK, 'finish']),
      lab(`${style}-paused-delete`, stack, at(2, ...beginPaused(pause), 'delete', LOOK)),
      lab(`${style}-paused-scale`, stack, at(2, ...whilePaused(pause, { scale: 4 }), 'finish')),
    ];
  });
}

/** A step of v1alpha1 with weight 0, which v1beta1 has not: the controller writes to every Rollout as v1beta1. */
function unwritable(): KruiseLab[] {
  const steps = [
    { weight: 0, replicas: '25%', pause: {} },
    { weight: 50, replicas: '50%', pause: {} },
    { replicas: '100%', pause: {} },
  ];
  const edit = patchOf('Rollout', 'rollouts.kruise.io/v1alpha1', { spec: { strategy: { canary: { steps } } } });
  return (['canary', 'partition'] as const).map((style) =>
    lab(`alpha-${style}-edit-weight-0`, { style, route: 'nginx', api: 'v1alpha1' }, [
      edit,
      { watch: 10 },
      { release: 'v2' },
      { watch: 25 },
    ]),
  );
}

/** While a Rollout is disabled, the workload replaces its pods by itself. */
function disabled(): KruiseLab[] {
  const endEarly: readonly StoryAction[] = ['disable', { watch: 25 }];
  const third: StoryAction = { release: 'v3' };
  const enable: readonly StoryAction[] = ['enable', LOOK];
  const workload = (change: KubernetesObject) => patchOf('Deployment', 'apps/v1', change);
  return STYLES.flatMap((style) => {
    const stack = { style, route: 'nginx' } as const;
    const told = (name: string, ...story: readonly StoryAction[]) => lab(`${style}-disabled-${name}`, stack, story);
    return [
      told('third', ...upTo(2), ...endEarly, third, LOOK),
      told('undo', ...upTo(2), ...endEarly, { release: 'v1' }, LOOK, ...enable),
      told('enabled', ...upTo(2), ...endEarly, third, LOOK, ...enable, { release: 'v2' }, 'finish'),
      told('before', 'disable', LOOK, { release: 'v2' }, LOOK, ...enable, third, 'finish'),
      told('scaled', ...upTo(2), ...endEarly, { scale: 6 }, LOOK, ...enable),
      told(
        'restarted',
        ...upTo(1),
        ...endEarly,
        workload({ spec: { template: { metadata: { annotations: { restarted: 'yes' } } } } }),
        LOOK,
        ...enable,
      ),
      told('by-patch', ...upTo(2), patchOf('Rollout', 'rollouts.kruise.io/v1beta1', { spec: { disabled: true } }), {
        watch: 25,
      }),
    ];
  });
}
