import { describe, expect, it } from 'vitest';
import { readAlbRollout, setWeight } from '../../../src/argo/controller';
import { checkArgoAlb } from '../../../src/argo/rules';
import type { JsonObject } from '../../../src/core';
import { collectFindings } from '../../../src/core';
import { objectsOf, worldOf } from './options';

const ACTION = 'alb.ingress.kubernetes.io/actions.web-stable';
const NOTE = 'rollouts.argoproj.io/managed-alb-annotations';
const weights = (canary: number) =>
  `{"Type":"forward","ForwardConfig":{"TargetGroups":[{"ServiceName":"web-canary","ServicePort":"80","Weight":${canary}},{"ServiceName":"web-stable","ServicePort":"80","Weight":${100 - canary}}]}}`;

const named = (...names: readonly string[]) => objectsOf({ ingresses: names.map((name) => ({ metadata: { name } })) });

/** What is found where some of two Ingresses declare an action. */
function foundWith(declared: Readonly<Record<string, string>>, note?: string): string[] {
  const objects = named('one', 'two');
  const ingresses = objects.ingresses.map((ingress) => {
    const action = declared[(ingress.metadata as { name?: string }).name ?? ''];
    const annotations = {
      ...ingress.metadata.annotations,
      ...(action && { [ACTION]: action, ...(note && { [NOTE]: note }) }),
    };
    return { ...ingress, metadata: { ...ingress.metadata, annotations } };
  });
  return collectFindings(checkArgoAlb(worldOf({ ...objects, ingresses })))
    .filter(({ rule }) => rule === 'argo-alb-ingress-not-reached')
    .map(({ message }) => message);
}

describe('several Ingresses', () => {
  it('are reached where none of them declares an action', () => {
    expect(foundWith({})).toEqual([]);
  });

  it('are reached behind one with the very action, because Argo still has its note to write', () => {
    expect(foundWith({ one: weights(0) })).toEqual([]);
  });

  it('are not reached behind one that has the note as well', () => {
    expect(foundWith({ one: weights(0) }, `{"web":["${ACTION}"]}`)).toEqual([
      `Ingress "two" of Rollout "web": after the first deployment it has no annotation ${ACTION}, because Argo stops at an earlier one that needs no change`,
    ]);
  });

  it('lose their weights by an apply where only one that comes later declares them', () => {
    expect(foundWith({ two: weights(0) })).toEqual([
      'Ingress "two" of Rollout "web": after an apply during a release it has the action of its manifest, because Argo stops at an earlier one that needs no change',
    ]);
  });

  it('are mended where the first one is lost as well', () => {
    expect(foundWith({ one: weights(5), two: weights(5) })).toEqual([]);
  });
});

describe('an Ingress that is added to a Rollout which runs', () => {
  const live = (annotated: string, names: readonly string[]) => {
    const { rollout, ingresses } = named(...names);
    const before = ingresses.map((ingress) => {
      const isLive = (ingress.metadata as { name?: string }).name === annotated;
      const annotations = { ...ingress.metadata.annotations, ...(isLive && { [ACTION]: weights(0) }) };
      return { ...ingress, metadata: { ...ingress.metadata, annotations } };
    });
    const alb = readAlbRollout(rollout)!;
    // As the first deployment left it.
    const deployed = setWeight({ ...alb, ingresses: [annotated] }, before, 0).ingresses;
    return setWeight(alb, deployed, 0).ingresses.map(({ metadata }) =>
      Object.keys((metadata as JsonObject).annotations as JsonObject).includes(ACTION),
    );
  };

  it('gets its action in front of the others, and not behind them', () => {
    expect(live('old', ['old', 'new'])).toEqual([true, false]);
    expect(live('old', ['new', 'old'])).toEqual([true, true]);
  });
});
