import { describe, expect, it } from 'vitest';
import { Manifest, parseManifests, World } from '../../src/core';
import { answerKey, ask, type Backends, backendsAt } from '../../src/rehearsal/answers';
import type { Moment, PodGroup } from '../../src/release';
import type { Answer, Destination, Listener, Route } from '../../src/routers';

const service = (name: string, selector: object = { app: 'web' }) =>
  Manifest.of({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'shop' },
    spec: { selector, ports: [{ name: 'http', port: 80 }] },
  } as never);
const WORLD = World.of([
  service('web'),
  service('web-stable', { app: 'web', version: '1' }),
  service('web-canary', { app: 'web', version: '2' }),
  service('empty', { app: 'none' }),
]);
const PODS: readonly PodGroup[] = [
  { revision: 'stable', replicas: 3, labels: { app: 'web', version: '1' } },
  { revision: 'canary', replicas: 1, labels: { app: 'web', version: '2' } },
];
const backends = (more: Partial<Backends> = {}): Backends => ({
  world: WORLD,
  pods: PODS,
  revisionLabel: 'version',
  traffic: { namespace: 'shop', stableService: 'web', canaryService: 'web-canary' },
  otherServices: ['web-stable', 'empty', 'gone'],
  known: new Map(),
  ...more,
});
const REQUEST = { host: 'a.com', path: '/x' };
const listener = (answer: Answer, rule?: Route['rule']): Listener => ({
  port: 80,
  protocol: 'HTTP',
  rules: [],
  route: () => ({ answer, isDefault: false, ...(rule && { rule }) }),
});
const to = (name: string, more: Partial<Destination> = {}): Destination =>
  ({ service: { namespace: 'shop', name }, port: 80, share: 1, weight: 1, ...more }) as Destination;
const services = (...destinations: Destination[]): Answer =>
  ({ kind: 'services', destinations, sticky: false }) as Answer;
const sharesOf = (answer: Answer, more: Partial<Backends> = {}) =>
  ask(listener(answer), REQUEST, backends(more)).shares;

describe('the pods that a request reaches', () => {
  it.each<[string, Answer, object]>([
    ['both versions, by their number', services(to('web')), { stable: 0.75, canary: 0.25, failed: 0, other: 0 }],
    [
      'by the name of a port',
      services(to('web', { port: 'http' })),
      { stable: 0.75, canary: 0.25, failed: 0, other: 0 },
    ],
    ['one version', services(to('web-canary')), { stable: 0, canary: 1, failed: 0, other: 0 }],
    [
      'one subset',
      services(to('web', { subset: { name: 'v1', labels: { version: '1' } } })),
      { stable: 1, canary: 0, failed: 0, other: 0 },
    ],
    [
      'several Services by their shares',
      services(to('web-stable', { share: 0.8 }), to('web-canary', { share: 0.2 })),
      { stable: 0.8, canary: 0.2, failed: 0, other: 0 },
    ],
    ['none without a weight', services(to('web', { share: 0 })), { stable: 0, canary: 0, failed: 1, other: 0 }],
    ['none of a Service without pods', services(to('empty')), { stable: 0, canary: 0, failed: 1, other: 0 }],
    ['those of another application', services(to('api')), { stable: 0, canary: 0, failed: 0, other: 1 }],
    [
      'those of the same name in another namespace',
      services(to('web', { service: { namespace: 'pay', name: 'web' } })),
      { stable: 0, canary: 0, failed: 0, other: 1 },
    ],
  ])('are %s', (_, answer, shares) => expect(sharesOf(answer)).toEqual(shares));

  it.each<[string, Destination, string | undefined]>([
    ['no port', to('web', { port: 81 }), 'Service shop/web has no port 81'],
    ['no Service', to('gone'), 'Service shop/gone does not exist'],
    ['no pod', to('empty'), 'Service shop/empty selects no pod'],
    [
      'what the gateway says',
      to('web', { unavailable: { reason: 'port-not-found', why: 'w', statusCode: '503' } }),
      'w',
    ],
    [
      'what it says of another',
      to('api', { unavailable: { reason: 'service-not-found', why: 'w', statusCode: '503' } }),
      'w',
    ],
    // The pods of the release change, and those of others are not in its scope.
    ['its own pods', to('web', { unavailable: { reason: 'no-pods', why: 'w', statusCode: '503' } }), undefined],
    ['pods of others', to('api', { unavailable: { reason: 'no-pods', why: 'w', statusCode: '503' } }), undefined],
  ])('are none where there is %s', (_, destination, failure) => {
    const { answer, shares } = ask(listener(services(destination)), REQUEST, backends());
    expect(answer).toMatchObject({ kind: 'services', destinations: [{ share: 1 }] });
    expect(answer.kind === 'services' && answer.destinations[0]!.failure).toBe(failure);
    expect(shares.failed).toBe(failure === undefined ? 0 : 1);
  });

  it('are looked up once for each Service, port and subset', () => {
    const known = new Map();
    const subset = { name: 'v1', labels: { version: '1' } };
    const answer = services(to('web', { share: 0.5 }), to('web', { share: 0.3 }), to('web', { share: 0.2, subset }));
    const shares = sharesOf(answer, { known });
    expect(shares.stable).toBeCloseTo(0.8);
    expect([...known.keys()]).toEqual(['web:80:undefined', 'web:80:v1']);
  });
});

describe('other answers', () => {
  const NONE = { stable: 0, canary: 0, failed: 0, other: 0 };
  it.each<[Answer, object, object]>([
    [
      { kind: 'fixed-response', statusCode: '404' },
      { kind: 'fixed-response', statusCode: '404' },
      { ...NONE, other: 1 },
    ],
    [
      { kind: 'fixed-response', statusCode: '503', messageBody: 'later' },
      { kind: 'fixed-response', statusCode: '503', messageBody: 'later' },
      { ...NONE, failed: 1 },
    ],
    [
      { kind: 'redirect', statusCode: '301' },
      { kind: 'redirect', statusCode: '301', location: 'https://a.com/x' },
      { ...NONE, other: 1 },
    ],
    [
      { kind: 'redirect', statusCode: '302', protocol: 'HTTP', host: 'b.com', port: '81', path: '/y' },
      { kind: 'redirect', statusCode: '302', location: 'http://b.com:81/y' },
      { ...NONE, other: 1 },
    ],
    [{ kind: 'unknown', why: 'w' }, { kind: 'unknown', why: 'w' }, NONE],
    [{ kind: 'frozen', reason: 'r', why: 'w' } as Answer, { kind: 'nothing' }, { ...NONE, failed: 1 }],
  ])('%j', (answer, seen, shares) =>
    expect(ask(listener(answer), REQUEST, backends())).toEqual({ answer: seen, shares }),
  );

  it('are none without a listener', () => {
    expect(ask(undefined, REQUEST, backends())).toMatchObject({ answer: { kind: 'nothing' }, shares: { failed: 1 } });
  });

  it('have the rule that took the request', () => {
    const manifest = service('rule');
    const seen = ask(
      listener(services(to('web')), { description: 'a rule', manifest, path: ['spec', 'x', 0] }),
      REQUEST,
      backends(),
    );
    expect(seen.rule).toEqual({ description: 'a rule', object: manifest.ref, path: 'spec.x[0]' });
    expect(seen.manifest).toBe(manifest);
  });
});

describe('outcomes that are kept', () => {
  it('are shared by requests of one rule, but not where the request decides', () => {
    const outcomes = new Map();
    const rule = (description: string) => ({ description, manifest: service('r'), path: [] });
    const [first, second] = [rule('1'), rule('2')];
    const answer = services(to('web'));
    const asked = (by: Route['rule'], path: string, what: Answer = answer) =>
      ask(listener(what, by), { host: 'a.com', path }, backends({ outcomes }));
    expect(asked(first, '/a')).toBe(asked(first, '/b'));
    expect(asked(first, '/a')).not.toBe(asked(second, '/a'));
    expect(asked(second, '/a').rule?.description).toBe('2');
    const redirect: Answer = { kind: 'redirect', statusCode: '301' };
    expect(asked(first, '/a', redirect).answer).not.toEqual(asked(first, '/b', redirect).answer);
  });

  it('are asked of the router once for each request and listener', () => {
    let calls = 0;
    const counting = (): Listener => ({
      ...listener(services(to('web'))),
      route: () => {
        calls++;
        return { answer: services(to('web')), isDefault: false };
      },
    });
    const request = { host: 'a.com', path: '/' };
    const listeners = Array.from({ length: 9 }, counting);
    for (const one of listeners.slice(0, 8)) ask(one, request, backends());
    for (const one of listeners.slice(0, 8)) ask(one, request, backends());
    expect(calls).toBe(8);
    // The ninth replaces the first.
    ask(listeners[8], request, backends());
    ask(listeners[8], request, backends());
    expect(calls).toBe(9);
    ask(listeners[1], request, backends());
    expect(calls).toBe(9);
    ask(listeners[0], request, backends());
    expect(calls).toBe(10);
  });
});

describe('equal answers', () => {
  const keyOf = (answer: Answer) => answerKey(ask(listener(answer), REQUEST, backends()));

  it('are equal by what they reach, not by the order or by what has no weight', () => {
    const [a, b] = [to('web-stable', { share: 0.8 }), to('web-canary', { share: 0.2 })];
    expect(keyOf(services(a, b))).toBe(keyOf(services(b, a, to('web', { share: 0 }))));
    expect(keyOf(services(a, b))).toBe(keyOf(services({ ...a, share: 0.8001 }, b)));
    expect(keyOf(services(a, b))).not.toBe(keyOf(services({ ...a, share: 0.7 }, { ...b, share: 0.3 })));
    expect(keyOf(services(to('web')))).not.toBe(keyOf(services(to('web', { port: 81 }))));
    expect(keyOf({ kind: 'fixed-response', statusCode: '404' })).not.toBe(
      keyOf({ kind: 'fixed-response', statusCode: '403' }),
    );
  });
});

describe('the cluster at a moment', () => {
  it('is what the load balancer still serves', () => {
    const [world, served] = [World.of([]), WORLD];
    const moment = { phase: 'step', event: 'e', world, pods: PODS } as Moment;
    const run = { traffic: backends().traffic as never, play: { moments: [], revisionLabel: 'version' } };
    expect(backendsAt(moment, run)).toMatchObject({ world, pods: PODS, revisionLabel: 'version', otherServices: [] });
    expect(backendsAt({ ...moment, served }, run).world).toBe(served);
    const others = { ...run, play: { ...run.play, otherServices: ['x'] } };
    expect(backendsAt(moment, others).otherServices).toEqual(['x']);
  });
});

describe('what an answer shows', () => {
  it('is each Service with its port and its failure, where it has them', () => {
    const { port: _, ...anyPort } = to('web-canary', { share: 0.5 });
    const shown = ask(
      listener(services(to('web', { share: 0.5, port: 81 }), anyPort, { target: 'a bucket', share: 0, weight: 0 })),
      REQUEST,
      backends(),
    );
    expect(shown.answer).toStrictEqual({
      kind: 'services',
      sticky: false,
      destinations: [
        { name: 'shop/web', port: 81, share: 0.5, failure: 'Service shop/web has no port 81' },
        { name: 'shop/web-canary', share: 0.5 },
        { name: 'a bucket', share: 0 },
      ],
    });
  });

  it('is the rule with its place in the file', () => {
    const { manifests } = parseManifests(
      'apiVersion: v1\nkind: Route\nmetadata:\n  name: web\nspec: {a: 1}\n',
      'a.yaml',
    );
    const [manifest] = manifests;
    const rule = { description: 'rule 1', manifest: manifest!, path: ['spec', 'a'] };
    expect(ask(listener(services(to('web')), rule), REQUEST, backends())).toMatchObject({
      manifest,
      rule: {
        description: 'rule 1',
        object: { kind: 'Route', name: 'web' },
        path: 'spec.a',
        source: { file: 'a.yaml', line: 5 },
      },
    });
    expect(ask(listener(services(to('web'))), REQUEST, backends())).not.toHaveProperty('rule');
  });

  it('is the same for requests that meet the same rule, and another for another one', () => {
    const rule = (description: string) => ({ description, manifest: WORLD.list('Service')[0]!, path: [] });
    const [answer, one, two] = [services(to('web')), rule('1'), rule('2')];
    const kept = backends({ outcomes: new Map() });
    const first = ask(listener(answer, one), { ...REQUEST }, kept);
    expect(ask(listener(answer, one), { ...REQUEST }, kept)).toBe(first);
    expect(ask(listener(answer, two), { ...REQUEST }, kept).rule?.description).toBe('2');
    expect(ask(listener(answer, two), { ...REQUEST }, kept)).not.toBe(first);
    expect(ask(listener(services(to('web')), one), { ...REQUEST }, kept)).not.toBe(first);
    const redirect: Answer = { kind: 'redirect', statusCode: '301' };
    const to301 = (path: string) => ask(listener(redirect), { ...REQUEST, path }, kept).answer;
    expect([to301('/a'), to301('/b')]).toMatchObject([
      { location: 'https://a.com/a' },
      { location: 'https://a.com/b' },
    ]);
  });
});
