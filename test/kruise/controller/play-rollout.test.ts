import { describe, expect, it } from 'vitest';
import { Manifest, World } from '../../../src/core';
import { playRollout, RolloutScripts } from '../../../src/kruise/controller';
import { builtinScripts } from '../../../src/kruise/scripts/library';
import { rolloutsOf } from '../../../src/kruise/subject';
import { KruiseRolloutVersion } from '../../../src/kruise/version';
import { deployment, ingress, rollout, service } from '../rules/stack';

const version = KruiseRolloutVersion.LATEST;

function play(steps: readonly object[]) {
  const objects = [rollout({ steps }), service(), ingress(), deployment()];
  const world = World.of(objects.map((object) => Manifest.of(object)));
  const scripts = new RolloutScripts({ builtins: builtinScripts(version), version });
  return playRollout(world, rolloutsOf(world, version)[0]!, scripts);
}

describe('a rollback', () => {
  it('starts from the first step that routes traffic, with the routes of that step', () => {
    const { moments, error } = play([
      { replicas: '10%' },
      { traffic: '20%', replicas: '20%' },
      { traffic: '60%', replicas: '60%' },
    ]);
    expect(error).toBeUndefined();
    const weights = moments.map(({ phase, step, world }) => [
      phase,
      step,
      world.find('Ingress.networking.k8s.io', 'web-canary', 'shop')?.annotations[
        'nginx.ingress.kubernetes.io/canary-weight'
      ],
    ]);
    expect(weights.filter(([phase]) => phase === 'step')).toEqual([
      ['step', 0, undefined],
      ['step', 1, '20'],
      ['step', 2, '60'],
    ]);
    const aborted = weights.filter(([phase]) => phase === 'abort');
    expect(aborted.length).toBeGreaterThan(0);
    for (const [, step] of aborted) expect(step).toBe(1);
  });
});
