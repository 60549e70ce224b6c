/** How the pods of a workload are divided: in a step, and after somebody has scaled the workload in the middle. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Divided,
  dividerOf,
  newPodsOf,
  oldPodsOf,
  rewritten,
  type Share,
  twoVersions,
  type Workload,
} from '../../../src/kruise/controller';

type Style = Parameters<typeof dividerOf>[0];

const workloadOf = (kind: string, replicas: number, maxSurge: Share = '25%'): Workload => ({
  kind,
  revisionLabel: 'pod-template-hash',
  replicas,
  maxUnavailable: '25%',
  maxSurge,
  recreates: false,
  waitsForDeletion: false,
  keepsBrokenPods: false,
});

/** A step, a number of pods that somebody asks for, or another version with or without another number of pods. */
type Deed =
  | { readonly step: Share }
  | { readonly scale: number }
  | { readonly another: string; readonly pods?: number | undefined };

/** The pods after each deed, as old and new ones; those of a release that gave way are between them. */
function play(style: Style, workload: Workload, deeds: readonly Deed[], begin?: Divided): string[] {
  const divider = dividerOf(style, workload);
  let now = begin ?? { division: twoVersions(workload.replicas) };
  let current = workload;
  let step: Share = 0;
  let version = 'v2';
  return deeds.map((deed) => {
    if ('another' in deed) {
      const to = { ...current, replicas: deed.pods ?? current.replicas };
      const labels = { from: version, to: deed.another };
      now = { division: rewritten(divider, { division: now.division }, { step, from: current, to, labels }) };
      [current, version] = [to, deed.another];
    } else if ('step' in deed) {
      step = deed.step;
      now = divider.upgrade(now, step, current);
    } else {
      const scaled = { ...current, replicas: deed.scale };
      now = divider.scale(now, step, current, scaled);
      current = scaled;
    }
    const { old } = now.division;
    const others = old.filter(({ hash, replicas }) => hash !== 'stable' && hash !== 'canary' && replicas > 0);
    return [oldPodsOf(now.division, 'stable'), ...others.map(({ replicas }) => replicas), newPodsOf(now.division)].join(
      '+',
    );
  });
}

const step = (share: Share): Deed => ({ step: share });
const scale = (replicas: number): Deed => ({ scale: replicas });
const another = (version: string, pods?: number): Deed => ({ another: version, pods });

describe('a Deployment in partition style', () => {
  const deployment = (replicas: number, deeds: readonly Deed[], maxSurge?: Share) =>
    play('partition', workloadOf('Deployment', replicas, maxSurge), deeds);

  it('gets the new pods of a step instead of old ones, and an old one stays below 100%', () => {
    expect(deployment(10, [step('1%'), step('25%'), step('95%'), step('100%')])).toStrictEqual([
      '9+1',
      '7+3',
      '1+9',
      '0+10',
    ]);
    expect(deployment(10, [step(3), step(12)])).toStrictEqual(['7+3', '0+10']);
    expect(deployment(1, [step('20%')])).toStrictEqual(['0+1']);
  });

  it('keeps the new pods that it has', () => {
    expect(deployment(10, [step('50%'), step('20%')])).toStrictEqual(['5+5', '5+5']);
  });

  it('gets no more for a number of pods after a percentage', () => {
    expect(deployment(10, [step('20%'), step(5), step('60%')])).toStrictEqual(['8+2', '8+2', '4+6']);
    const divider = dividerOf('partition', workloadOf('Deployment', 10));
    expect(divider.awaits(5, workloadOf('Deployment', 10))).toBe(5);
    expect(deployment(10, [step(5), step('20%')])).toStrictEqual(['5+5', '5+5']);
  });

  // Played on Kruise Rollouts 0.6.2: `test/stage/recordings/kruise/0.6.2`, labs named `partition-scale-*`.
  it('is scaled in proportion, and then gets at least what the step asks for', () => {
    expect(deployment(3, [step(1), scale(6)])).toStrictEqual(['2+1', '4+2']);
    expect(deployment(8, [step(4), scale(11)])).toStrictEqual(['4+4', '5+6']);
    expect(deployment(8, [step('50%'), scale(5)])).toStrictEqual(['4+4', '2+3']);
    expect(deployment(4, [step('25%'), scale(1)])).toStrictEqual(['3+1', '0+1']);
  });

  it('has only new pods after it had none', () => {
    expect(deployment(4, [step('25%'), scale(0), scale(6)])).toStrictEqual(['3+1', '0+0', '0+6']);
  });

  it('grows by new pods alone where it has no others', () => {
    expect(deployment(2, [step('100%'), scale(5)])).toStrictEqual(['0+2', '0+5']);
  });

  it('replaces the pods of a release that gave way first, and scales them, too', () => {
    const begin = {
      division: {
        old: [
          { hash: 'stable', replicas: 5 },
          { hash: 'before', replicas: 5 },
        ],
        canary: 0,
      },
    };
    const deeds = [step(2), step(4), scale(20), step(15), step(18)];
    expect(play('partition', workloadOf('Deployment', 10), deeds, begin)).toStrictEqual([
      '5+3+2',
      '5+1+4',
      '10+2+8',
      '5+15',
      '2+18',
    ]);
  });
});

describe('another version in the middle', () => {
  const deployment = (...deeds: Deed[]) =>
    play('partition', workloadOf('Deployment', 8), [step('75%'), ...deeds]).slice(1);
  const statefulSet = (...deeds: Deed[]) =>
    play('partition', workloadOf('StatefulSet', 8), [step('75%'), ...deeds]).slice(1);

  it('of a Deployment begins without pods, and those of the version that came last go first', () => {
    const deeds = [another('v3'), step('25%'), another('v4'), step('25%'), step('50%')];
    expect(deployment(...deeds)).toStrictEqual(['2+6+0', '2+4+2', '2+4+2+0', '2+4+2', '2+2+4']);
  });

  it('of a StatefulSet has the pods of the step at once', () => {
    const deeds = [another('v3'), step('25%'), another('v4'), step('50%')];
    expect(statefulSet(...deeds)).toStrictEqual(['2+6', '2+6', '2+4+2', '2+2+4']);
  });

  it('has the pods again that it still has', () => {
    expect(deployment(another('v3'), step('25%'), another('v2'))).toStrictEqual(['2+6+0', '2+4+2', '2+2+4']);
    const second = [another('v3'), step('25%'), another('v4'), step('25%'), another('v3'), step('50%'), another('v5')];
    expect(statefulSet(...second)).toStrictEqual(['2+6', '2+6', '2+4+2', '2+4+2', '2+6', '2+6', '2+2+4']);
  });

  it('of the same name is another one', () => {
    expect(deployment(another('v2'), step('25%'))).toStrictEqual(['2+6+0', '2+4+2']);
    expect(statefulSet(another('v2'), step('25%'))).toStrictEqual(['2+6', '2+6']);
  });

  it('can come with another number of pods', () => {
    expect(deployment(another('v3', 4))).toStrictEqual(['1+3+0']);
    expect(deployment(another('v3', 16))).toStrictEqual(['4+12+0']);
    expect(statefulSet(another('v3', 4))).toStrictEqual(['1+3']);
    // More pods have the old version, unless they are new; and later they are the first that go.
    const more = play('partition', workloadOf('StatefulSet', 4), [step('25%'), another('v3', 8), step('50%')]);
    expect(more).toStrictEqual(['3+1', '5+1+2', '3+1+4']);
  });
});

describe('a partition that another version finds', () => {
  it('lets it have as many pods', () => {
    const eight = workloadOf('CloneSet', 8);
    const labels = { from: 'v2', to: 'v3' };
    const now = { written: '25%', division: { old: [{ hash: 'stable', replicas: 2 }], canary: 6 } };
    const next = rewritten(dividerOf('partition', eight), now, { step: 1, from: eight, to: eight, labels });
    expect(next).toStrictEqual(now.division);
  });
});

describe.each(['CloneSet', 'StatefulSet', 'DaemonSet'])('a %s in partition style', (kind) => {
  const played = (replicas: number, deeds: readonly Deed[]) => play('partition', workloadOf(kind, replicas), deeds);

  it('gets the new pods of a step instead of old ones', () => {
    expect(played(10, [step('25%'), step(6), step('50%'), step('100%')])).toStrictEqual(['7+3', '4+6', '4+6', '0+10']);
    expect(played(10, [step('20%'), step(5)])).toStrictEqual(['8+2', '5+5']);
  });

  it('grows by new pods as far as its partition lets it, and shrinks to what the step asks for', () => {
    expect(played(3, [step(1), scale(6), scale(3)])).toStrictEqual(['2+1', '2+4', '2+1']);
    expect(played(6, [step(2), scale(3), scale(0), scale(5)])).toStrictEqual(['4+2', '1+2', '0+0', '0+5']);
  });
});

it('a CloneSet whose step is a percentage keeps a percentage of its pods', () => {
  const cloneSet = (replicas: number, deeds: readonly Deed[]) =>
    play('partition', workloadOf('CloneSet', replicas), deeds);
  expect(cloneSet(4, [step('36%'), scale(6)])).toStrictEqual(['2+2', '3+3']);
  expect(cloneSet(3, [step('34%'), scale(6)])).toStrictEqual(['1+2', '2+4']);
  expect(cloneSet(300, [step('1%'), step('100%')])).toStrictEqual(['297+3', '0+300']);
  // The percentage that it writes is rounded down.
  expect(cloneSet(301, [step('1%')])).toStrictEqual(['295+6']);
  expect(cloneSet(300, [step(299)])).toStrictEqual(['1+299']);
});

it('a second Deployment in canary style only grows', () => {
  const canary = (replicas: number, deeds: readonly Deed[]) =>
    play('canary', workloadOf('Deployment', replicas), deeds);
  expect(canary(10, [step('20%'), step('100%'), step('50%'), step(30)])).toStrictEqual([
    '10+2',
    '10+10',
    '10+10',
    '10+10',
  ]);
  expect(canary(6, [step('54%'), scale(2), scale(8), scale(0)])).toStrictEqual(['6+4', '2+4', '8+5', '0+5']);
});

it('a Deployment in blue-green style has a surge of new pods, and both sets are scaled in proportion', () => {
  const blueGreen = (replicas: number, deeds: readonly Deed[]) =>
    play('blueGreen', workloadOf('Deployment', replicas), deeds);
  expect(blueGreen(4, [step('50%'), scale(7), scale(3)])).toStrictEqual(['4+2', '7+4', '3+2']);
  expect(blueGreen(4, [step('100%'), scale(7), scale(1)])).toStrictEqual(['4+4', '7+7', '1+1']);
  expect(blueGreen(5, [step('34%'), step(30)])).toStrictEqual(['5+2', '5+5']);
});

describe('whatever happens', () => {
  const share = fc.oneof(
    fc.integer({ min: 1, max: 30 }),
    fc.integer({ min: 1, max: 100 }).map((percent) => `${percent}%`),
  );
  const size = fc.integer({ min: 0, max: 40 });
  const others = fc.tuple(fc.constantFrom('v2', 'v3', 'v4'), fc.option(size, { nil: undefined }));
  const deeds = fc.array(
    fc.oneof(
      share.map(step),
      size.map(scale),
      others.map(([to, pods]) => another(to, pods)),
    ),
    {
      maxLength: 8,
    },
  );
  const kind = fc.constantFrom('Deployment', 'CloneSet', 'StatefulSet');
  const numbers = (pods: string) => pods.split('+').map(Number);

  it('a workload in partition style has as many pods as it asks for, none less than zero', () => {
    const surge = fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constantFrom('0%', '25%', '100%'));
    fc.assert(
      fc.property(kind, fc.integer({ min: 1, max: 30 }), surge, deeds, (name, replicas, maxSurge, all) => {
        const played = play('partition', workloadOf(name, replicas, maxSurge), [step(1), ...all]);
        let asked = replicas;
        for (const [index, deed] of all.entries()) {
          if ('scale' in deed) asked = deed.scale;
          if ('another' in deed) asked = deed.pods ?? asked;
          const pods = numbers(played[index + 1]!);
          expect(Math.min(...pods)).toBeGreaterThanOrEqual(0);
          expect(pods.reduce((sum, count) => sum + count, 0)).toBe(asked);
        }
      }),
    );
  });

  it('a step takes no new pod away, and a workload other than a Deployment gets all that it asks for', () => {
    fc.assert(
      fc.property(
        kind,
        fc.integer({ min: 1, max: 30 }),
        fc.array(share, { minLength: 2 }),
        (name, replicas, shares) => {
          const workload = workloadOf(name, replicas);
          const news = play('partition', workload, shares.map(step)).map((pods) => numbers(pods).at(-1)!);
          expect(news).toStrictEqual([...news].sort((a, b) => a - b));
          const wanted = shares.map((each) => dividerOf('partition', workload).awaits(each, workload));
          if (name !== 'Deployment')
            for (const [index, count] of news.entries()) expect(count).toBeGreaterThanOrEqual(wanted[index]!);
        },
      ),
    );
  });
});
