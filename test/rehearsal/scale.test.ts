/** Many Rollouts: what is kept between them and between moments must not change any answer. */
import { describe, expect, it } from 'vitest';
import { rolloutStack } from '../../bench/rollouts';
import { Manifest, World } from '../../src/core';
import { allRouters, findingsOf, rehearsalFindings, rehearse } from '../../src/rehearsal';
import { awsAlbRouter, type Router } from '../../src/routers';

const worldOf = (objects: readonly object[]) => World.of(objects.map((object) => Manifest.of(object)));

/** Every World gets routers that remember nothing. */
function forgetful(): readonly Router[] {
  return allRouters().map((router) =>
    router.name === 'aws-alb' ? { ...router, routes: (world) => awsAlbRouter().routes(world) } : router,
  );
}

/** Routers that count how often they are asked, and how large the Worlds are that they are asked about. */
function countingRouters() {
  const counts = { asked: 0, largest: 0 };
  const routers: readonly Router[] = allRouters().map((router) => ({
    ...router,
    routes(world) {
      counts.asked++;
      counts.largest = Math.max(counts.largest, world.manifests.length);
      return router.routes(world);
    },
  }));
  return { routers, counts };
}

describe('a stack of many Rollouts', () => {
  it('is rehearsed the same whether or not load balancers remember what they have built', () => {
    for (const perLoadBalancer of [1, 4]) {
      const world = worldOf(rolloutStack(10, { perLoadBalancer }));
      expect(rehearse(world)).toEqual(rehearse(world, { routers: forgetful() }));
    }
  });

  it('is rehearsed the same alone as among others, apart from those that share its load balancer', () => {
    const alone = rehearse(worldOf(rolloutStack(4, { perLoadBalancer: 4 })));
    const among = rehearse(worldOf(rolloutStack(24, { perLoadBalancer: 4 })));
    for (const rehearsal of alone) {
      expect(among.find(({ rollout }) => rollout.name === rehearsal.rollout.name)).toEqual(rehearsal);
    }
  });

  it('has no errors, and the findings of all rehearsals are the findings of the stack', () => {
    const world = worldOf(rolloutStack(25));
    const findings = rehearsalFindings(world);
    expect(findings).toEqual(findingsOf(rehearse(world)));
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('asks load balancers only about what concerns a Rollout, as often for each as for others', () => {
    const [few, many] = [20, 60].map((count) => {
      const { routers, counts } = countingRouters();
      rehearsalFindings(worldOf(rolloutStack(count)), { routers });
      return { each: counts.asked / count, largest: counts.largest };
    });
    expect(many!.each).toBeCloseTo(few!.each, 0);
    expect(many!.largest).toBe(few!.largest);
  });
});
