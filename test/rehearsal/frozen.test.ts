/** A load balancer that freezes keeps what it had at the moment before: a branch keeps what its step had. */
import { expect, it } from 'vitest';
import { type JsonObject, Manifest, World } from '../../src/core';
import { rehearse } from '../../src/rehearsal';
import type { Moment, PodGroup, Release, ReleaseController } from '../../src/release';
import type { Router } from '../../src/routers';

const object = (apiVersion: string, kind: string, name: string, spec: object = {}): Manifest =>
  Manifest.of({ apiVersion, kind, metadata: { name, namespace: 'shop' }, spec: spec as JsonObject });
const RELEASE = object('example.com/v1', 'Release', 'web');
const SERVICE = object('v1', 'Service', 'web', { selector: { app: 'web' }, ports: [{ port: 80 }] });
const POD: PodGroup = { revision: 'stable', replicas: 2, labels: { app: 'web' } };
const ROUTE = 'own.example.com/v1';

/** Its one rule has the name that the route gives it; with a mistake it freezes. */
const router: Router = {
  name: 'own',
  reads: [{ kind: 'Route', group: 'own.example.com', plural: 'routes' }],
  shared: [],
  routes: (world) => {
    const members = [...world.list('Route.own.example.com')];
    const [manifest] = members;
    const { rule, mistake } = manifest!.get('spec') as { readonly rule: string; readonly mistake?: boolean };
    const listener = {
      port: 80,
      protocol: 'HTTP' as const,
      rules: [],
      route: () => ({
        answer: {
          kind: 'services' as const,
          sticky: false,
          destinations: [{ service: { namespace: 'shop', name: 'web' }, port: 80, weight: 1, share: 1 }],
        },
        rule: { description: rule, manifest: manifest!, path: [] },
        isDefault: false,
      }),
    };
    const frozen = { kind: 'frozen' as const, reason: 'r', why: 'a mistake' };
    return {
      loadBalancers: [{ name: 'edge', members, listeners: mistake ? [] : [listener], ...(mistake && { frozen }) }],
      unserved: [],
    };
  },
};

const moment = (
  phase: Moment['phase'],
  rule: string,
  more: Partial<Moment> & { readonly mistake?: boolean } = {},
): Moment => {
  const { mistake, ...parts } = more;
  const route = object(ROUTE, 'Route', 'web', { rule, ...(mistake && { mistake }) });
  return { phase, event: rule, world: World.of([RELEASE, SERVICE, route]), pods: [POD], ...parts };
};

function rulesOf(moments: readonly Moment[], told: readonly (readonly Moment[])[] = []) {
  const release: Release = {
    manifest: RELEASE,
    namespace: 'shop',
    style: 'own',
    path: ['spec'],
    steps: [],
    traffic: {
      namespace: 'shop',
      path: ['spec'],
      stableService: 'web',
      canaryService: 'web',
      objects: [],
      names: ['web'],
      notReached: { rule: 'rehearsal-incomplete', message: 'not reached' },
    },
    needs: [],
    matches: [],
    play: () => ({ moments, revisionLabel: 'hash' }),
    tell: () => told.map((each, index) => ({ name: `story ${index}`, end: 'released', moments: each })),
  };
  const controllers = [
    { name: 'own', reads: [], rules: {}, releasesOf: () => [release] },
  ] as unknown as ReleaseController[];
  const stories = told.map((_each, index) => ({ name: `story ${index}`, actions: [] }));
  const [rehearsal] = rehearse(moments[0]!.world, { controllers, routers: [router], stories });
  const ruleOf = ({ cells }: { readonly cells: (typeof rehearsal & object)['moments'][number]['cells'] }) =>
    cells[0]!.rule?.description;
  return {
    straight: rehearsal!.moments.map(ruleOf),
    stories: rehearsal!.stories?.map((story) => story.moments.map(ruleOf)) ?? [],
  };
}

it('keeps the rules of the moment before, for as long as it is frozen', () => {
  const moments = [
    moment('before', 'a'),
    moment('step', 'b', { step: 0 }),
    moment('step', 'c', { step: 1, mistake: true }),
    moment('step', 'd', { step: 2, mistake: true }),
    moment('finish', 'e'),
  ];
  expect(rulesOf(moments).straight).toEqual(['a', 'b', 'b', 'b', 'e']);
});

it('keeps, in a rollback, the rules of the step that it starts from', () => {
  const moments = [
    moment('before', 'a'),
    moment('prepare', 'b', { step: 0 }),
    moment('step', 'c', { step: 0 }),
    moment('step', 'd', { step: 1 }),
    moment('finish', 'e'),
    moment('abort', 'f', { step: 0, mistake: true }),
  ];
  expect(rulesOf(moments).straight).toEqual(['a', 'b', 'c', 'd', 'e', 'c']);
});

it('keeps, in each story, the rules of the moment before in that story', () => {
  const [before, one, two] = [
    moment('before', 'a'),
    moment('step', 'b', { step: 0 }),
    moment('step', 'c', { step: 1 }),
  ];
  const frozen = () => moment('step', 'd', { step: 1, mistake: true });
  expect(
    rulesOf(
      [before, one, two],
      [
        [before, one, frozen()],
        [before, two, frozen()],
        [before, frozen()],
      ],
    ).stories,
  ).toEqual([
    ['a', 'b', 'b'],
    ['a', 'c', 'c'],
    ['a', 'a'],
  ]);
});
