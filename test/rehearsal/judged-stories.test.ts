/** What is found in stories, in runs made by hand. */
import { describe, expect, it } from 'vitest';
import { storyFindings } from '../../src/rehearsal/story-findings';
import type { Entrance, PodGroup } from '../../src/release';
import { type MomentParts, runOf } from './runs';

const pods = (stable: number, canary = 0): PodGroup[] => [
  { revision: 'stable', replicas: stable },
  { revision: 'canary', replicas: canary },
];
type Parts = MomentParts & { readonly pods?: readonly PodGroup[] };
const OK: Parts = { cells: [{ shares: { stable: 1 } }], pods: pods(10) };
const at = (shares: Parts['cells'][number]['shares'], more: Partial<Parts> = {}): Parts => ({
  cells: [{ shares }],
  pods: pods(10),
  ...more,
});

/** The findings of stories beside a straight road; each story begins with the state before the release. */
function found(
  stories: Readonly<Record<string, readonly Parts[]>>,
  straight: readonly Parts[] = [OK],
  entrance: Entrance = 'split',
) {
  const kinds = straight[0]!.cells.map(() => 'no-match' as const);
  const seenOf = (moments: readonly Parts[]) => {
    const run = runOf(kinds, moments);
    return run.seen.map((seen, index) => ({ ...seen, moment: { ...seen.moment, pods: moments[index]!.pods ?? [] } }));
  };
  const run = runOf(kinds, straight);
  return storyFindings({
    ...run,
    release: { ...run.release, entranceOf: () => entrance },
    seen: seenOf(straight),
    stories: Object.entries(stories).map(([name, moments]) => ({
      story: { name, end: 'released', moments: [] },
      seen: seenOf([straight[0]!, ...moments]),
    })),
  }).map(({ rule, message, step }) => [rule.replace('rehearsal-', ''), message, step]);
}

const NOTHING = 'an error, as no Service has any weight';

describe('requests that fail in a story', () => {
  it('are found where they do not fail on the straight road', () => {
    expect(found({ abort: [at({ failed: 0.5, stable: 0.5 })] })).toEqual([
      [
        'story-requests-fail',
        `50% of the requests get an error: ${NOTHING}, in the story abort at "steps[0]: event"`,
        0,
      ],
    ]);
  });

  it('are not found where as many fail on the straight road, or hardly more', () => {
    const straight = [OK, at({ failed: 0.5, stable: 0.5 })];
    expect(found({ abort: [at({ failed: 0.5, stable: 0.5 })] }, straight)).toEqual([]);
    expect(found({ abort: [at({ failed: 0.51, stable: 0.49 })] }, straight)).toEqual([]);
    expect(found({ abort: [at({ failed: 0.52, stable: 0.48 })] }, straight)).toHaveLength(1);
  });

  it('are found once for each cause, with the names of up to three stories', () => {
    const failing = [at({ failed: 1 })];
    const names = (count: number) =>
      /in the story (.*) at/.exec(
        String(
          found(Object.fromEntries(['a', 'b', 'c', 'd', 'e'].slice(0, count).map((name) => [name, failing])))[0]![1],
        ),
      )![1];
    expect([1, 2, 3, 4, 5].map(names)).toEqual([
      'a',
      'a (also b)',
      'a (also b, c)',
      'a (also b, c and 1 more)',
      'a (also b, c and 2 more)',
    ]);
    expect(found({ a: [...failing, ...failing], b: failing })).toHaveLength(1);
  });

  it('are no matter without pods, before the release, or where they were not those of everybody', () => {
    expect(found({ delete: [at({ failed: 1 }, { pods: pods(0) })] })).toEqual([]);
    expect(found({ delete: [at({ failed: 1 }, { pods: [] })] })).toEqual([]);
    expect(found({ delete: [] }, [at({ stable: 0.5, failed: 0.5 })])).toEqual([]);
    expect(found({ abort: [at({ failed: 1 })] }, [at({ other: 1 })])).toEqual([]);
    expect(found({ abort: [at({ failed: 1 })] }, [OK], 'canary')).toEqual([]);
  });

  it('are found outside of steps too', () => {
    const [finding] = found({ abort: [at({ failed: 1 }, { phase: 'finish', step: undefined } as never)] });
    expect(finding![2]).toBeUndefined();
    expect(finding![1]).toContain('at "end: event"');
  });
});

describe('pods that get too many requests in a story', () => {
  it('are those of the new version, or of the old one', () => {
    expect(found({ abort: [at({ stable: 0.6, canary: 0.4 }, { pods: pods(10, 1) })] })).toEqual([
      [
        'pods-overloaded',
        '40% of the requests go to 1 new pod, 10% of the 10 before the release: each takes 4 times as many as before, in the story abort at "steps[0]: event"',
        0,
      ],
    ]);
    expect(found({ abort: [at({ stable: 1 }, { pods: pods(4, 1) })] })).toEqual([
      [
        'pods-overloaded',
        '100% of the requests go to 4 old pods, 40% of the 10 before the release: each takes 2.5 times as many as before, in the story abort at "steps[0]: event"',
        0,
      ],
    ]);
    expect(found({ abort: [at({ stable: 0.4, canary: 0.6 }, { pods: pods(1, 1) })] })).toHaveLength(2);
  });

  it('take twice as many at least', () => {
    expect(found({ abort: [at({ stable: 1 }, { pods: pods(5) })] })).toHaveLength(1);
    expect(found({ abort: [at({ stable: 1 }, { pods: pods(6) })] })).toEqual([]);
    expect(found({ abort: [at({ stable: 0.8, canary: 0.2 }, { pods: pods(10, 1) })] })).toHaveLength(1);
    expect(found({ abort: [at({ stable: 0.81, canary: 0.19 }, { pods: pods(10, 1) })] })).toEqual([]);
  });

  it('are no matter where there are none, or where there was one before the release', () => {
    expect(found({ abort: [at({ canary: 1 }, { pods: pods(10, 0) })] })).toEqual([]);
    const one = at({ stable: 1 }, { pods: pods(1) });
    expect(found({ abort: [at({ canary: 1 }, { pods: pods(0, 1) })] }, [one])).toEqual([]);
    const two = at({ stable: 1 }, { pods: pods(2) });
    expect(found({ abort: [at({ canary: 1 }, { pods: pods(0, 1) })] }, [two])).toHaveLength(1);
  });
});

describe('a controller that cannot go on in a story', () => {
  const run = runOf(['no-match'], [OK, OK, OK]);
  const told = (name: string, message: string, step = 1) => ({
    story: {
      name,
      end: 'stuck' as const,
      moments: [],
      stop: { class: 'own', message, step, remark: { rule: 'rehearsal-incomplete' as const, message: '' } },
    },
    seen: run.seen,
  });
  const steps = [0, 1].map((index) => ({ path: ['steps', index], trafficPath: ['steps', index, 'weight'] }));
  const stops = (...stories: ReturnType<typeof told>[]) =>
    storyFindings({ ...run, release: { ...run.release, steps }, stories });

  it('is found once for each message, at its step', () => {
    const found = stops(told('a', 'broken'), told('b', 'broken'), told('c', 'gone', 7));
    expect(found.map(({ rule, message, path, step }) => [rule, message, path, step])).toEqual([
      ['rehearsal-story-stuck', 'the controller cannot go on in the story a (also b): broken', 'steps[1].weight', 1],
      ['rehearsal-story-stuck', 'the controller cannot go on in the story c: gone', 'spec', 7],
    ]);
  });

  it('is found on the straight road only, where it stops there', () => {
    const play = { ...run.play, stop: told('a', 'broken').story.stop };
    expect(storyFindings({ ...run, play, stories: [told('a', 'broken')] })).toEqual([]);
  });
});
