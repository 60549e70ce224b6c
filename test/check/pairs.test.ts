/** Stacks in pairs, one mistake apart: the right one has no error, and the other says what is wrong. */
import { describe, expect, test } from 'vitest';
import { checkStack } from '../../src/check';
import { Manifest, type World } from '../../src/core';
import { CANARIES, worldOf } from '../speed/stacks';
import type { KubernetesObject } from '../stage/cluster/api';

type Plain = KubernetesObject;

/** A change of the objects of the stack; undefined where a stack has nothing to change so. */
type Mistake = (world: World) => World | undefined;

const copyOf = ({ object }: Manifest): Plain => JSON.parse(JSON.stringify(object));
const services = (world: World) => world.list('Service');

function changed(world: World, manifest: Manifest | undefined, change: (object: Plain) => void): World | undefined {
  if (manifest === undefined) return undefined;
  const object = copyOf(manifest);
  change(object);
  return world.without(manifest).with(Manifest.of(object as never));
}

const rolloutOf = (world: World) =>
  [...world.list('Rollout.rollouts.kruise.io'), ...world.list('Rollout.argoproj.io')][0];

/** The first routing of a Rollout, wherever its controller has it. */
function routingOf({ spec }: Plain): Plain {
  const { canary, blueGreen } = spec.strategy;
  return canary?.trafficRoutings?.[0] ?? canary?.trafficRouting ?? blueGreen;
}

const MISTAKES: Readonly<Record<string, Mistake>> = {
  'a Service that is not there': (world) => world.without(services(world)[0]!),
  'a Service with the labels of other pods': (world) =>
    changed(world, services(world)[0], ({ spec }) => {
      spec.selector = { app: 'somebody-else' };
    }),
  'a Service without the port of the route': (world) =>
    changed(world, services(world)[0], ({ spec }) => {
      spec.ports = [{ name: 'web', port: 81, targetPort: 8080 }];
    }),
  'a Service whose name is not valid': (world) =>
    changed(world, services(world)[0], ({ metadata }) => {
      metadata.name = 'Shop_0';
    }),
  'a route that is called otherwise': (world) =>
    changed(world, rolloutOf(world), (rollout) => {
      const routing = routingOf(rollout);
      const text = JSON.stringify(routing);
      const renamed = text.replace(
        /("(?:ingress|gateway|alb|nginx|virtualService)":\{[^{}]*?"(?:name|ingress|stableIngress|httpRouteName)":")([^"]+)"/,
        '$1nobody"',
      );
      const other =
        renamed === text ? text.replace(/("customNetworkRefs":\[\{[^{}]*"name":")([^"]+)"/, '$1nobody"') : renamed;
      Object.assign(routing, JSON.parse(other));
    }),
  'steps that are misspelt': (world) =>
    changed(world, rolloutOf(world), ({ spec }) => {
      const strategy = spec.strategy.canary ?? spec.strategy.blueGreen;
      strategy.step = strategy.steps;
      delete strategy.steps;
    }),
  'a weight above everything': (world) =>
    changed(world, rolloutOf(world), ({ spec }) => {
      const [first] = spec.strategy.canary.steps;
      if ('setWeight' in first) first.setWeight = 120;
      else first.traffic = '120%';
    }),
  'a workload that is not there': (world) => {
    const rollout = rolloutOf(world);
    if (rollout?.groupKind !== 'Rollout.rollouts.kruise.io') return undefined;
    return changed(world, rollout, ({ spec }) => {
      spec.workloadRef.name = 'nobody';
    });
  },
};

/** What is no mistake everywhere. */
const FITS: Readonly<Record<string, (stack: string) => boolean>> = {
  // A VirtualService names no port, so that Istio takes the only one that the Service has.
  'a Service without the port of the route': (stack) => !stack.endsWith('istio'),
  // Its only Service may be elsewhere.
  'a Service that is not there': (stack) => stack !== 'aliyun-alb',
};

function errorsOf(world: World): string[] {
  const { findings } = checkStack(world, { isProven: () => true });
  return [...new Set(findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule))].sort();
}

describe.each(CANARIES)('%s', (name) => {
  // Two applications: where a namespace has no other Service, all of them may be elsewhere.
  const right = worldOf(name, name === 'aliyun-alb' ? 1 : 2);

  test('has no error as it is', () => {
    expect(errorsOf(right)).toEqual([]);
  });

  const wrong = Object.entries(MISTAKES).flatMap(([what, mistake]) => {
    const world = FITS[what]?.(name) === false ? undefined : mistake(right);
    return world === undefined ? [] : [[what, world] as const];
  });
  test.each(wrong)('has one with %s', (_what, world) => {
    expect(errorsOf(world)).not.toEqual([]);
  });
});
