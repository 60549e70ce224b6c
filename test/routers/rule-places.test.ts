/** Each rule has a place in its manifest: whoever reads an answer looks there. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { formatPath, Manifest, type Path, World } from '../../src/core';
import { parseRequest } from '../../src/rehearsal';
import { type RouteRule, type Router, routerNamed } from '../../src/routers';
import { BACKENDS } from '../stage/gateways/backends';
import { GATEWAYS } from './answers';
import { app, worldOf } from './stack';

const FOLDERS = ['../vectors/gateways', '../stage/gateways/recordings'].map((folder) => join(__dirname, folder));

interface Case {
  readonly gateway: string;
  readonly objects: string | readonly object[];
  readonly requests: readonly { readonly request: string }[];
}

/** What the real gateways were asked, by the name of the gateway. */
const recorded = FOLDERS.flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Case),
);

function worldOfCase({ gateway, objects }: Case): World {
  const own =
    typeof objects === 'string'
      ? parseAllDocuments(objects).map((document) => document.toJS())
      : [...BACKENDS, ...objects];
  const { more } = GATEWAYS[gateway]!;
  return World.of([...own, ...(more === undefined ? [] : [more])].map((object) => Manifest.of(object)));
}

function rulesOf(router: Router, world: World): readonly RouteRule[] {
  return router.routes(world).loadBalancers.flatMap(({ listeners }) => listeners.flatMap(({ rules }) => rules));
}

/** The places that a router names and that lead to nothing. */
function lostPlaces(router: Router, world: World): string[] {
  const { ignored = [], unserved } = router.routes(world);
  const places: readonly { readonly manifest: Manifest; readonly path?: Path }[] = [
    ...rulesOf(router, world),
    ...ignored,
  ];
  const isLost = ({ manifest, path }: (typeof places)[number]) =>
    path !== undefined && manifest.get(path) === undefined;
  const strangers = unserved.filter((manifest) => !world.manifests.includes(manifest));
  return [
    ...places.filter(isLost).map(({ manifest, path }) => `${manifest.name} ${formatPath(path!)}`),
    ...strangers.map(({ name }) => name),
  ];
}

const sameRule = (a: RouteRule, b: RouteRule) =>
  a.manifest === b.manifest && formatPath(a.path) === formatPath(b.path) && a.description === b.description;

/** The rules of answers, and those that were passed over, that are none of the rules of their listener. */
function strangeRules(router: Router, world: World, requests: readonly string[]): string[] {
  return router.routes(world).loadBalancers.flatMap(({ listeners }) =>
    listeners.flatMap((listener) =>
      requests.flatMap((text) => {
        const request = parseRequest(text);
        const { rule, isDefault } = listener.route(request);
        const over = listener.passedOver?.(request) ?? [];
        const named = [...(rule === undefined ? [] : [rule]), ...over.map((each) => each.rule)];
        // A listener of AWS has its default beside its rules.
        const isBeside = (each: RouteRule) => each === rule && isDefault && router.name === 'aws-alb';
        const isKnown = (each: RouteRule) => isBeside(each) || listener.rules.some((other) => sameRule(each, other));
        const strange = named.filter((each) => !isKnown(each) || each.manifest.get(each.path) === undefined);
        const isWrong = rule === undefined && !isDefault;
        return [
          ...strange.map(({ description }) => `${text}: ${description}`),
          ...(isWrong ? [`${text}: no rule`] : []),
        ];
      }),
    ),
  );
}

describe.each(Object.entries(GATEWAYS))('of %s', (gateway, { router: name }) => {
  const cases = recorded.filter((each) => each.gateway === gateway);
  const router = routerNamed(name);

  it('every rule and every ignored field has a place in its manifest', () => {
    expect(cases.flatMap((each) => lostPlaces(router, worldOfCase(each)))).toEqual([]);
  });

  it('every answer, and what was passed over, comes from the rules of the listener', () => {
    const strange = cases.flatMap((each) =>
      strangeRules(
        router,
        worldOfCase(each),
        each.requests.map(({ request }) => request),
      ),
    );
    expect(strange).toEqual([]);
  });
});

const versions: Readonly<Record<string, string>> = { 'apisix.apache.org': 'v2', 'kuma.io': 'v1alpha1' };

/** The sample objects of a router, each as a stack. */
function samplesOf({ reads }: Router): readonly World[] {
  return reads.flatMap(({ kind, group, samplesFor }) =>
    (samplesFor?.('web', 80) ?? []).map(({ spec }) => {
      const apiVersion = `${group}/${versions[group] ?? 'v1'}`;
      return worldOf(JSON.stringify({ apiVersion, kind, metadata: { name: 'web' }, spec }), app('web'));
    }),
  );
}

it.each(['apisix', 'contour', 'istio', 'kuma'] as const)('of %s every rule of a sample object has a place', (name) => {
  const router = routerNamed(name);
  const worlds = samplesOf(router);
  expect(worlds.flatMap((world) => lostPlaces(router, world))).toEqual([]);
  expect(worlds.flatMap((world) => rulesOf(router, world))).not.toEqual([]);
});

const backend = (name: string) => `{service: {name: ${name}, port: {number: 80}}}`;

/** An Ingress with a default backend or without, one with a canary, and one whose parts are ignored. */
const ingresses = (className: string, prefix: string) => {
  const ingress = (name: string, annotations: string, spec: string) =>
    `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: ${name}, annotations: {${annotations}}}\nspec: {ingressClassName: ${className}, ${spec}}`;
  const rule = (host: string, path: string, to: string) =>
    `{host: ${host}, http: {paths: [{path: ${path}, pathType: Prefix, backend: ${to}}]}}`;
  const bucket = '{resource: {kind: Bucket, name: x}}';
  return [
    ...['web', 'gray', 'rest'].map((name) => app(name)),
    ingress('one', '', `rules: [${rule('a.com', '/', backend('web'))}, ${rule('b.com', '/x/', backend('web'))}]`),
    ingress(
      'gray',
      `${prefix}/canary: 'true', ${prefix}/canary-by-header: h`,
      `rules: [${rule('a.com', '/', backend('gray'))}]`,
    ),
    ingress('rest', '', `defaultBackend: ${backend('rest')}, rules: [${rule('c.com', '/x', backend('web'))}]`),
    ingress('all', '', `defaultBackend: ${backend('rest')}`),
    ingress('lost', `${prefix}/canary: 'true'`, `rules: [${rule('d.com', '/', backend('gray'))}]`),
    ...(className === 'alb' ? [] : [ingress('bucket', '', `rules: [${rule('e.com', '/', bucket)}]`)]),
  ];
};

it.each([
  ['nginx', 'nginx', 'nginx.ingress.kubernetes.io'],
  ['higress', 'higress', 'nginx.ingress.kubernetes.io'],
  ['mse', 'mse', 'nginx.ingress.kubernetes.io'],
  ['aliyun-alb', 'alb', 'alb.ingress.kubernetes.io'],
  ['aws-alb', 'alb', 'x.example'],
] as const)('of %s every rule of an Ingress has a place', (name, className, prefix) => {
  const router = routerNamed(name);
  const targets = 'alb.ingress.kubernetes.io/target-type: ip, ';
  const texts = ingresses(className, prefix).map((text) => text.replace('annotations: {', `annotations: {${targets}`));
  const requests = [
    'http://a.com/',
    'http://a.com/ -H "h: always"',
    'http://b.com/x',
    'http://b.com/',
    'http://c.com/',
    'http://x.com/',
  ];
  const world = worldOf(...texts);
  expect(lostPlaces(router, world)).toEqual([]);
  expect(
    strangeRules(
      router,
      world,
      requests.map((request) => `GET ${request}`),
    ),
  ).toEqual([]);
  expect(rulesOf(router, world).length).toBeGreaterThan(4);
});
