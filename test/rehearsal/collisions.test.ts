/** Releases at the same time on one load balancer, made by hand. */
import { describe, expect, it } from 'vitest';
import { type JsonObject, Manifest, World } from '../../src/core';
import { answerKey } from '../../src/rehearsal/answers';
import { type Contender, findCollisions } from '../../src/rehearsal/collisions';
import { answerText } from '../../src/rehearsal/words';
import type { Listener, Route, Router } from '../../src/routers';

const object = (kind: string, name: string, spec: object = {}): Manifest =>
  Manifest.of({
    apiVersion: kind === 'Ingress' ? 'networking.k8s.io/v1' : 'v1',
    kind,
    metadata: { name, namespace: 'shop' },
    spec: spec as JsonObject,
  });
const release = (name: string) =>
  Manifest.of({ apiVersion: 'example.com/v1', kind: 'Release', metadata: { name, namespace: 'shop' } });

/** A load balancer that leads every request to the Service of the last Ingress of the World. */
function routerOf(
  options: { readonly name?: string; readonly frozen?: object; readonly serves?: readonly string[] } = {},
) {
  const { name = 'own', frozen, serves } = options;
  const router = {
    name,
    reads: [],
    shared: [],
    routes: (world: World) => {
      const all = world.list('Ingress.networking.k8s.io');
      const members = all.filter((ingress) => serves?.includes(ingress.name) ?? true);
      const last = members.at(-1);
      const listener: Listener = {
        port: 80,
        protocol: 'HTTP',
        rules: [],
        route: (): Route =>
          last === undefined
            ? { answer: { kind: 'fixed-response', statusCode: '404' }, isDefault: true }
            : {
                answer: {
                  kind: 'services',
                  sticky: false,
                  destinations: [{ service: { namespace: 'shop', name: last.name }, port: 80, weight: 1, share: 1 }],
                },
                rule: { description: `rule of ${last.name}`, manifest: last, path: ['spec'] },
                isDefault: false,
              },
      };
      return {
        loadBalancers: [{ name: 'edge', members, listeners: [listener], ...(frozen && { frozen }) }],
        unserved: [],
      };
    },
  };
  return router as unknown as Router;
}

function contenderOf(name: string, written: readonly Manifest[], alone: string, port = 80): Contender {
  const answer = {
    kind: 'services' as const,
    sticky: false,
    destinations: [{ name: `shop/${alone}`, port: 80, share: 1 }],
  };
  const shares = { stable: 0, canary: 0, failed: 0, other: 1 };
  return {
    manifest: release(name),
    entries: [{ router: 'own', name: 'edge', port, protocol: 'HTTP' }],
    requests: [
      {
        sent: { class: 'no-match', label: 'any', request: { host: `${name}.example.com`, path: '/' }, entry: 0 },
        key: answerKey({ answer, shares }),
        text: answerText(answer),
      },
    ],
    backends: {
      world: World.of(written),
      pods: [],
      revisionLabel: 'hash',
      traffic: { namespace: 'shop', stableService: 'none', canaryService: 'none' },
      known: new Map(),
    },
    written,
  };
}

const [a, b] = [object('Ingress', 'a'), object('Ingress', 'b')];
const found = (contenders: readonly Contender[], router = routerOf()) =>
  [...findCollisions(contenders, [router])].map(([manifest, findings]) => ({
    of: manifest.name,
    ...findings.map(({ rule, path, message, request, related }) => ({
      rule,
      path,
      message,
      request,
      related: `${related?.message}: ${related?.object?.kind} ${related?.object?.name}`,
    }))[0]!,
  }));

describe('releases that share a load balancer', () => {
  it('collide where the requests of one go elsewhere', () => {
    expect(found([contenderOf('one', [a], 'a'), contenderOf('two', [b], 'b')])).toEqual([
      {
        of: 'one',
        rule: 'rehearsal-canaries-collide',
        path: 'spec.strategy',
        message:
          'released at the same time as "two", its requests go elsewhere: 100% to shop/b instead of 100% to shop/a',
        request: 'GET http://one.example.com/',
        related: 'rule of b takes the request: Ingress b',
      },
    ]);
  });

  it('do not where all requests go where they went alone', () => {
    expect(found([contenderOf('one', [a], 'b'), contenderOf('two', [b], 'b')])).toEqual([]);
  });

  it('collide where the load balancer freezes, and the mistake is named', () => {
    const frozen = { kind: 'frozen', reason: 'r', why: 'two orders', manifest: b };
    const both = [contenderOf('one', [a], 'b'), contenderOf('two', [b], 'b')];
    const message = (other: string) =>
      `released at the same time as "${other}", the load balancer "edge" freezes: two orders`;
    expect(found(both, routerOf({ frozen }))).toMatchObject([
      { of: 'one', message: message('two'), request: undefined, related: 'the mistake is here: Ingress b' },
      { of: 'two', message: message('one'), request: undefined, related: 'the mistake is here: Ingress b' },
    ]);
    const nowhere = found(both, routerOf({ frozen: { ...frozen, manifest: undefined } }));
    expect(nowhere.map(({ related }) => related)).toEqual([
      'the other release is Release "two": Release two',
      'the other release is Release "one": Release one',
    ]);
  });

  it('collide where an Ingress of one gets no rules', () => {
    const both = [contenderOf('one', [a], 'b'), contenderOf('two', [b], 'b')];
    expect(found(both, routerOf({ serves: ['b'] }))).toMatchObject([
      { of: 'one', message: 'released at the same time as "two", Ingress "a" gets no rules' },
    ]);
    const service = contenderOf('one', [object('Service', 'x'), b], 'b');
    expect(found([service, both[1]!], routerOf({ serves: ['b'] }))).toEqual([]);
  });

  it('have no answer where a listener is gone', () => {
    const [first] = found([contenderOf('one', [a], 'a', 81), contenderOf('two', [b], 'b')]);
    expect(first).toMatchObject({
      message:
        'released at the same time as "two", its requests go elsewhere: no answer, as nothing listens any more instead of 100% to shop/a',
      related: 'the other release is Release "two": Release two',
    });
  });

  it('name three others, and count the rest', () => {
    const names = ['one', 'two', 'three', 'four', 'five', 'six'];
    const all = names.map((name, index) => contenderOf(name, [object('Ingress', `${index}`)], `${index}`));
    const others = (count: number) =>
      found(all.slice(0, count)).map(({ of, message }) => `${of}: ${/as (.*?), its/.exec(message)![1]}`);
    expect(others(4)[0]).toBe('one: "two", "three", "four"');
    expect(others(5)).toEqual([
      'one: "two", "three", "four" and 1 more',
      'two: "one", "three", "four" and 1 more',
      'three: "one", "two", "four" and 1 more',
      'four: "one", "two", "three" and 1 more',
    ]);
    expect(others(6)[4]).toBe('five: "one", "two", "three" and 2 more');
  });
});

describe('releases that share none', () => {
  it('do not collide, whatever they write', () => {
    const [one, two] = [contenderOf('one', [a], 'a'), contenderOf('two', [b], 'b')];
    expect(found([one])).toEqual([]);
    const entries = [{ ...two.entries[0]!, name: 'other' }];
    expect(found([one, { ...two, entries }])).toEqual([]);
  });

  it('at one of two load balancers collide at the other', () => {
    const [one, two] = [contenderOf('one', [a], 'a'), contenderOf('two', [b], 'b')];
    const other = { router: 'own', name: 'other', port: 80, protocol: 'HTTP' as const };
    expect(found([{ ...one, entries: [other, ...one.entries] }, two])).toEqual([]);
    const requests = one.requests.map((each) => ({ ...each, sent: { ...each.sent, entry: 1 } }));
    expect(found([{ ...one, entries: [other, ...one.entries], requests }, two]).map(({ of }) => of)).toEqual(['one']);
  });
});
