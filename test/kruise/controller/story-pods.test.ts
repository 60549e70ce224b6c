/** Stories in which the numbers of pods decide: workloads that are scaled, and steps that leave no old pod. */
import { describe, expect, it } from 'vitest';
import type { StoryAction } from '../../../src/release';
import { rollout } from '../rules/stack';
import { deployment, PARTITION, percentStep, release, stack, storyOf, told, until } from './moments';

const ALL_NEW = [
  { traffic: '20%', replicas: 2, pause: {} },
  { replicas: 10, pause: {} },
  { replicas: 10, pause: {} },
];
const scale = (replicas: number): StoryAction => ({ scale: replicas });

const cloneSet = { ...deployment, apiVersion: 'apps.kruise.io/v1alpha1', kind: 'CloneSet' };
const ofCloneSet = (steps: readonly object[], ...actions: readonly StoryAction[]) => {
  const workloadRef = { apiVersion: cloneSet.apiVersion, kind: cloneSet.kind, name: 'web' };
  const objects = stack().map((object) => (object === deployment ? cloneSet : object));
  return storyOf([rollout({ steps, ...PARTITION, workloadRef }), ...objects.slice(1)], actions);
};

const atPauses = (lines: readonly string[]) => lines.filter((line) => line.includes('step ')).map(podsOf);
const podsOf = (line: string) => line.split(' | ')[1]!;

describe('a way back in partition style, when no old pod is left', () => {
  it('releases the old version of a Deployment step by step, and first leaves the stable Service without a pod', () => {
    const { lines, end } = told({ steps: ALL_NEW, ...PARTITION }, release('v2'), until(2), release('v1'), until(1));
    const back = lines.slice(lines.findIndex((line) => line.startsWith('release v1')));
    expect(back).toEqual([
      'release v1 -> prepare 0: Service web selects only pods of the old version, and there is none yet (mixed stable=v1 canary=v1 abandoned-v2=v2) | 0 stable, 10 abandoned-v2 | Service web',
      'prepare 0: canary Ingress created (goes on stable=v1 canary=v1 abandoned-v2=v2) | 0 stable, 2 canary, 8 abandoned-v2 | Service web-canary, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"} stable=v1 canary=v1 abandoned-v2=v2) | 0 stable, 2 canary, 8 abandoned-v2 | Ingress web-canary',
    ]);
    expect(end).toBe('stuck: it waits for an approval');
  });

  it('makes the new version of a CloneSet the old one', () => {
    const { lines, end } = ofCloneSet(ALL_NEW, release('v2'), until(2), release('v1'), 'finish');
    const back = lines.slice(lines.findIndex((line) => line.startsWith('release v1')));
    expect(back.slice(0, 2)).toEqual([
      'release v1 -> prepare 0: canary Ingress created (goes on stable=v2 canary=v1) | 8 stable, 2 canary | Service web, Service web-canary, Ingress web-canary',
      'step 0: settled ({"traffic":"20%"} stable=v2 canary=v1) | 8 stable, 2 canary | Ingress web-canary',
    ]);
    expect(end).toBe('released');
  });
});

describe('a step in a number of pods after one in per cent', () => {
  const steps = [percentStep(20), { traffic: '50%', replicas: 5, pause: {} }, { replicas: '100%' }];
  const options = { steps, ...PARTITION };

  it('waits for pods of a Deployment for ever', () => {
    const { lines, end, error } = told(options, release('v2'), until(1), 'approve');
    expect(lines.map(podsOf)).toEqual(['8 stable, 2 canary', '8 stable, 2 canary']);
    expect(end).toBe(
      'stuck: the step wants 5 pods to be new, but the controller keeps the partition 20% of an earlier step, as it takes ' +
        'any percentage for more than any number',
    );
    expect(error).toMatchObject({ class: 'waits', state: 'StepUpgrade', step: 1 });
  });

  it('lets people go back, take another version, or delete the Rollout', () => {
    const played = (...actions: readonly StoryAction[]) =>
      told(options, release('v2'), until(1), 'approve', ...actions);
    expect(played(release('v1')).end).toBe('rolled back');
    expect(played('delete').end).toBe('released');
    expect(played(release('v3'), until(1)).end).toBe('stuck: it waits for an approval');
    expect(played('approve', scale(20)).lines).toEqual(played().lines);
  });

  it('is no matter where nobody knows how many pods the workload has', () => {
    const unknown = [percentStep(5), { traffic: '50%', replicas: 20, pause: {} }, { replicas: '100%' }];
    const objects = stack({ steps: unknown, ...PARTITION }).filter((object) => object !== deployment);
    expect(storyOf(objects, [release('v2'), 'finish']).end).toBe('released');
  });

  it('is no matter for a CloneSet', () => {
    expect(ofCloneSet(steps, release('v2'), 'finish').end).toBe('released');
  });
});

describe('a workload that is scaled in the middle', () => {
  it('has no fewer new pods in canary style', () => {
    const { lines } = told({}, release('v2'), until(2), scale(4), scale(20), 'approve');
    expect(atPauses(lines)).toEqual([
      '10 stable, 2 canary',
      '10 stable, 5 canary',
      '4 stable, 5 canary',
      '20 stable, 10 canary',
      '20 stable, 20 canary',
    ]);
  });

  it('shares the pods of a Deployment in partition style in proportion', () => {
    const steps = [
      { traffic: '20%', replicas: 2, pause: {} },
      { traffic: '50%', replicas: 5, pause: {} },
    ];
    const { lines } = told({ steps, ...PARTITION }, release('v2'), until(1), scale(20), scale(20), 'approve');
    expect(atPauses(lines)).toEqual(['8 stable, 2 canary', '16 stable, 4 canary', '15 stable, 5 canary']);
  });

  it.each(['canary', 'blueGreen'] as const)('waits in %s style while it has no pods', (style) => {
    const options = { steps: [percentStep(20), percentStep(50)], blueGreen: style === 'blueGreen' };
    const { end } = told(options, release('v2'), until(1), scale(0), 'finish');
    expect(end).toMatch(/^stuck/);
    expect(told(options, release('v2'), until(1), scale(0), scale(5), 'finish').end).toBe('released');
  });
});

describe('one write of another version and another number of pods', () => {
  const steps = [{ traffic: '50%', replicas: 6, pause: {} }, { replicas: '100%' }];
  const toFirst = [release('v2'), until(1)] as const;
  const lastOf = (lines: readonly string[]) => lines.filter((line) => line.startsWith('step ')).at(-1)!;

  it('rolls a Deployment back, however few pods are left', () => {
    const { lines, end } = told({ steps, ...PARTITION }, ...toFirst, { release: 'v1', replicas: 1 });
    expect(podsOf(lines.at(-1)!)).toBe('1 stable');
    expect(end).toBe('rolled back');
  });

  it('gives a CloneSet old pods besides the new ones of the step', () => {
    const third = ofCloneSet(
      [percentStep(20), { replicas: '100%' }],
      ...toFirst,
      { release: 'v3', replicas: 20 },
      until(1),
    );
    expect(podsOf(lastOf(third.lines))).toBe('14 stable, 4 canary, 2 abandoned-v2');
  });
});

describe('versions one after the other in partition style', () => {
  const steps = [percentStep(20), percentStep(60), { replicas: '100%' }];
  const toThird = [release('v2'), until(2), release('v3'), until(1)] as const;
  const versions = (...more: readonly StoryAction[]) => {
    const { lines } = told({ steps, ...PARTITION }, ...toThird, ...more, until(1));
    return lines
      .filter((line) => line.startsWith('step '))
      .at(-1)!
      .replace(/^.*?\}|\)|Ingress.*/g, '');
  };

  it('keep those of the earlier one longest', () => {
    expect(versions()).toBe(' stable=v1 canary=v3 abandoned-v2=v2 | 4 stable, 2 canary, 4 abandoned-v2 | ');
    expect(versions(release('v4'))).toBe(
      ' stable=v1 canary=v4 abandoned-v2=v2 abandoned-v3=v3 | 4 stable, 2 canary, 4 abandoned-v2 | ',
    );
  });

  it('have the pods that are left of them', () => {
    expect(versions(release('v2'))).toBe(
      ' stable=v1 canary=v2 abandoned-v2=v2 abandoned-v3=v3 | 4 stable, 4 canary, 2 abandoned-v3 | ',
    );
  });
});
