/** A field that is not known is not there: nothing that Argo's part of the library gives has a field without a value. */
import { expect, it } from 'vitest';
import { admissionFindings, argoAdmissionRules } from '../../src/argo/admission';
import { playArgoBlueGreen, playArgoCanary } from '../../src/argo/controller';
import { releasesOf } from '../../src/argo/release';
import { argoAlbRules, checkArgoAlb } from '../../src/argo/rules';
import { type JsonObject, Manifest, parseManifests, World } from '../../src/core';
import type { StoryAction } from '../../src/release';
import { holesIn } from '../holes';
import { type StackOptions, stackOf } from '../stage/labs/argo/stack';
import { tell } from './controller/told';

const V2: StoryAction = { release: 'v2' };
const PAUSED: StoryAction = { until: { phase: 'Paused' } };
const ROUTES = ['alb', 'alb-ping-pong', 'nginx', 'istio', 'istio-subsets', 'services', 'none', 'blueGreen'] as const;
const worldOf = (options: StackOptions) => World.of(stackOf(options).map((object) => Manifest.of(object)));

it('sees a field without a value', () => {
  expect(holesIn([{ a: 1, b: { c: undefined } }])).toEqual(['.0.b.c']);
});

it.each(ROUTES)('in plays and stories: %s', (route) => {
  const world = worldOf({ route });
  const manifest = world.list('Rollout.argoproj.io')[0]!;
  expect(holesIn(playArgoCanary(world, manifest) ?? playArgoBlueGreen(world, manifest))).toEqual([]);
  for (const last of ['abort', 'promote-full', 'delete', { release: 'v3' }, { loadBalancer: 'keeps-targets' }] as const)
    expect(holesIn(tell({ route }, [V2, PAUSED, last], { verifies: true }))).toEqual([]);
  expect(holesIn(tell({ route }, ['finish']))).toEqual([]);
});

it.each(ROUTES)('in releases: %s', (route) => {
  const world = worldOf({ route, workloadRef: true });
  for (const release of releasesOf(world)) {
    const told = release.tell!(world, [{ name: 'mine', actions: [V2, PAUSED, 'abort'] }]);
    expect(holesIn([release.play(world), told, release.traffic, release.steps, release.stories!()])).toEqual([]);
  }
});

it('in a play that stops, where the Ingress is missing or has no annotations', () => {
  const steps = [
    { setWeight: 5 },
    { setHeaderRoute: { name: 'beta', match: [{ headerName: 'x', headerValue: { exact: '1' } }] } },
  ];
  const routing = { managedRoutes: [{ name: 'beta' }] };
  const objects = stackOf({ route: 'alb', steps, routing });
  const broken = objects.map((object) =>
    object.kind === 'Ingress' ? { ...object, metadata: { name: 'shop' } } : object,
  );
  for (const some of [broken, objects.filter(({ kind }) => kind !== 'Ingress')]) {
    const world = World.of(some.map((object) => Manifest.of(object as JsonObject)));
    const [release] = releasesOf(world);
    const play = release!.play(world);
    expect(play.stop).toBeDefined();
    const told = release!.tell!(world, [{ name: 'mine', actions: [V2, 'finish'] }]);
    expect(told[0]!.stop).toBeDefined();
    expect(holesIn([play, told])).toEqual([]);
  }
});

it('in findings, those of every example of a rule', () => {
  for (const { failing } of [...Object.values(argoAdmissionRules), ...Object.values(argoAlbRules)]) {
    const { manifests } = parseManifests(failing.text, 'example.yaml');
    const world = World.of(manifests);
    expect(holesIn([admissionFindings(world), checkArgoAlb(world)])).toEqual([]);
  }
});
