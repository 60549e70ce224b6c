/** A field that is not known is not there: no rehearsal and no answer has a field without a value. */
import { expect, it } from 'vitest';
import { Manifest, parseManifests, World } from '../../src/core';
import { parseRequest, rehearsalRules, rehearse, routeRequest } from '../../src/rehearsal';
import { holesIn } from '../holes';
import { stackOf } from '../stage/labs/argo/stack';
import { objectsOf, type StackOptions } from './stack';

const NGINX: StackOptions = {
  ingressClassName: 'nginx',
  annotations: {},
  port: { number: 80 },
  route: { ingress: { name: 'web', classType: 'nginx' } },
};
const REQUESTS = ['shop.example.com/', 'http://shop.example.com/', 'other.example.com/x'].map(parseRequest);

function holesOf(world: World): string[] {
  const rehearsals = rehearse(world, { stories: 'all', probes: REQUESTS });
  return holesIn([rehearsals, REQUESTS.map((request) => routeRequest(world, request))]);
}

const examples = Object.values(rehearsalRules).filter(({ failing }) => failing.language === 'yaml');

it.each(examples)('in the example of $id, read from a file or built by a program', ({ failing }) => {
  const { manifests } = parseManifests(failing.text, 'stack.yaml');
  expect(holesOf(World.of(manifests))).toEqual([]);
  expect(holesOf(World.of(manifests.map(({ object }) => Manifest.of(object))))).toEqual([]);
});

it.each<[string, readonly object[]]>([
  ['Kruise and ingress-nginx', objectsOf(NGINX)],
  ['Kruise and no script', objectsOf({ scripts: {} })],
  ['Argo and an ALB', stackOf({ route: 'alb' })],
  ['Argo without a router', stackOf({ route: 'none' })],
  ['Argo and a blue-green strategy', stackOf({ route: 'blueGreen' })],
])('of %s', (_, objects) => {
  expect(holesOf(World.of(objects.map((object) => Manifest.of(object))))).toEqual([]);
});
