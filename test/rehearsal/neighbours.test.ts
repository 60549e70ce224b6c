/** A rehearsal leaves out objects of its host that take none of its requests. It must not notice. */
import { describe, expect, test } from 'vitest';
import { Manifest, type World } from '../../src/core';
import type { Rehearsal } from '../../src/core/rehearsal-result';
import { allRouters, rehearse } from '../../src/rehearsal';
import { CANARIES, STACKS, worldOf } from '../speed/stacks';

const MANY = 16;

/** Routers that tell no places, so that nothing is left out. */
const everything = allRouters().map((router) => ({
  ...router,
  reads: router.reads.map(({ placeOf: _placeOf, ...kind }) => kind),
}));

/** What each request gets at each moment, and what is said of it. */
function answersOf({ requests, moments, findings }: Rehearsal) {
  const cells = requests.map(({ text }, at) => [text, moments.map(({ cells }) => cells[at])] as const);
  return { cells: new Map(cells), findings: findings.filter(({ severity }) => severity !== 'note') };
}

function expectTheSame(world: World) {
  const all = rehearse(world, { routers: everything });
  const near = rehearse(world);
  expect(near).toHaveLength(MANY);
  const others = near.map((rehearsal, index) => {
    const [few, whole] = [answersOf(rehearsal), answersOf(all[index]!)];
    expect(few.findings).toEqual(whole.findings);
    const own = rehearsal.requests.filter((request) => request.class !== 'elsewhere');
    expect(own).toEqual(all[index]!.requests.filter((request) => request.class !== 'elsewhere'));
    const shared = [...few.cells].filter(([text]) => whole.cells.has(text));
    for (const [text, cells] of shared) expect(cells, text).toEqual(whole.cells.get(text));
    return shared.length - own.length;
  });
  // Requests to other applications are still among them.
  expect(others.some((count) => count > 0)).toBe(true);
}

const OF_INGRESSES = ['nginx', 'higress', 'argo-nginx'];

/** The Ingress of one of the applications, changed. */
function withIngress(world: World, change: (ingress: { metadata: object; spec: object }) => object): World {
  const ingress = world.list('Ingress.networking.k8s.io').find(({ name }) => name === 'shop-9')!;
  return world.with(Manifest.of(change(ingress.object as never) as never));
}

describe('Rollouts with a path each, behind one host', () => {
  test.each(CANARIES.filter((name) => STACKS[name]!.atPath !== undefined))('%s', (name) => {
    expectTheSame(worldOf(name, MANY, 'shared'));
  });

  test.each(OF_INGRESSES)('%s, one with a certificate for all', (name) => {
    const tls = [{ hosts: ['shop.example.com'], secretName: 'all' }];
    const world = withIngress(worldOf(name, MANY, 'shared'), (it) => ({ ...it, spec: { ...it.spec, tls } }));
    expectTheSame(world);
  });

  test.each(OF_INGRESSES)('%s, one with an expression as its path', (name) => {
    const annotations = { 'nginx.ingress.kubernetes.io/use-regex': 'true' };
    const world = withIngress(worldOf(name, MANY, 'shared'), (it) => ({
      ...JSON.parse(JSON.stringify(it).replace('"path":"/shop-9"', '"path":"/shop-[12].*"')),
      metadata: { ...it.metadata, annotations },
    }));
    expectTheSame(world);
  });

  test.each(OF_INGRESSES)('%s, one that takes every path', (name) => {
    expectTheSame(
      withIngress(worldOf(name, MANY, 'shared'), (it) => JSON.parse(JSON.stringify(it).replace('"/shop-9"', '"/"'))),
    );
  });

  test('a step whose match takes the path of another', () => {
    const world = worldOf('gateway-api', MANY, 'shared');
    const rollout = world.list('Rollout.rollouts.kruise.io').find(({ name }) => name === 'shop-3')!;
    const object = JSON.parse(JSON.stringify(rollout.object));
    object.spec.strategy.canary.steps[0] = { replicas: '20%', matches: [{ path: { value: '/shop-9' } }] };
    const [found] = rehearse(world.with(Manifest.of(object)), { only: ({ name }) => name === 'shop-3' });
    expect(found!.findings).toContainEqual(
      expect.objectContaining({ rule: 'rehearsal-path-shadowed', request: 'GET http://shop.example.com/shop-9' }),
    );
  });
});
