import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/core/json';
import {
  deedText,
  isOfAnalysis,
  isOfLoadBalancer,
  LOAD_BALANCER_STATES,
  STORY_DEEDS,
  STORY_NAMES,
  type Story,
  type StoryAction,
  stepsToActAt,
  waitsForPeople,
} from '../../src/release/story';
import { type Telling, tellAll } from '../../src/release/tell';

describe('what people do in a story', () => {
  it.each<[StoryAction, string]>([
    ['approve', 'approve'],
    ['finish', 'approve every step'],
    ['delete', 'delete the Rollout'],
    ['disable', 'disable the Rollout'],
    ['enable', 'enable the Rollout'],
    ['abort', 'abort the Rollout'],
    ['retry', 'retry the Rollout'],
    ['promote', 'promote'],
    ['promote-full', 'fully promote the Rollout'],
    [{ release: 'v2' }, 'release v2'],
    [{ release: 'v2', ready: 'never' }, 'release v2, whose pods never become ready'],
    [{ release: 'v1', replicas: 8 }, 'release v1 with 8 pods'],
    [{ release: 'v2', creates: 'Rollout' }, 'release v2, and create the Rollout'],
    [{ until: { step: 1 } }, 'wait'],
    [{ watch: 30 }, 'wait for 30 s'],
    [{ jump: 2 }, 'jump to step 2'],
    [{ scale: 7 }, 'scale to 7 pods'],
    [{ analysis: 'failed' }, 'an analysis fails'],
    [{ analysis: 'error' }, 'an analysis ends with an error'],
    [{ analysis: 'inconclusive' }, 'an analysis is inconclusive'],
    [{ loadBalancer: 'follows' }, 'the load balancer takes over everything again'],
    [{ loadBalancer: 'keeps-weights' }, 'the load balancer takes over no weight any more'],
    [{ loadBalancer: 'keeps-targets' }, 'the load balancer registers no pod any more'],
    [{ patch: { apiVersion: 'v1', kind: 'Service', name: 'web', with: {} } }, 'edit Service "web"'],
    [{ patch: { apiVersion: 'v1', kind: 'Service', name: 'web', with: null } }, 'delete Service "web"'],
  ])('%j is "%s"', (action, text) => {
    expect(deedText(action)).toBe(text);
    expect(isOfAnalysis(text)).toBe(typeof action === 'object' && 'analysis' in action);
    expect(isOfLoadBalancer(text)).toBe(typeof action === 'object' && 'loadBalancer' in action);
  });

  it('has a text for each deed and each state', () => {
    for (const deed of STORY_DEEDS) expect(deedText(deed)).toMatch(/^[a-z]/);
    expect(LOAD_BALANCER_STATES).toEqual(['follows', 'keeps-weights', 'keeps-targets']);
  });
});

it('has names, which are part of the API', () => {
  expect(STORY_NAMES.join(' ')).toBe(
    'straight roll-back third-revision delete disable jump-forward jump-back scale hpa edit-step edit-route sync never-ready abort retry undo ' +
      'rollback-window promote-full analysis-failed analysis-error analysis-inconclusive weights-kept targets-kept deadline',
  );
});

describe('pauses', () => {
  it.each([
    [{}, true],
    [{ duration: 10 }, false],
    [null, false],
    [undefined, false],
    ['', false],
  ])('%j waits for people: %j', (pause, waits) => expect(waitsForPeople(pause)).toBe(waits));

  it.each<[(Json | undefined)[], number[]]>([
    [
      [{ duration: 1 }, {}, undefined, {}],
      [1, 3],
    ],
    [[{ duration: 1 }, undefined], [0]],
    [[], []],
  ])('of %j let people act at %j', (pauses, steps) => expect(stepsToActAt(pauses)).toEqual(steps));
});

describe('stories that begin alike', () => {
  it('are played together as far as they are alike, and told in their own order', () => {
    const played: string[] = [];
    const from = (done: readonly string[]): Telling<string> => {
      const own = [...done];
      return {
        fork: () => from(own),
        act: (action) => {
          own.push(deedText(action));
          played.push(own.join(' > '));
        },
        told: (name) => `${name}: ${own.join(' > ')}`,
      };
    };
    const story = (name: string, ...actions: StoryAction[]): Story => ({ name, actions });
    const told = tellAll(from([]), [
      story('a', { release: 'v2' }, 'approve', 'finish'),
      story('b', { release: 'v2' }, 'delete'),
      story('c'),
      story('d', { release: 'v3' }),
      story('e', { release: 'v2' }, 'approve'),
    ]);
    expect(told).toEqual([
      'a: release v2 > approve > approve every step',
      'b: release v2 > delete the Rollout',
      'c: ',
      'd: release v3',
      'e: release v2 > approve',
    ]);
    expect(played).toEqual([
      'release v2',
      'release v2 > approve',
      'release v2 > approve > approve every step',
      'release v2 > delete the Rollout',
      'release v3',
    ]);
  });
});
