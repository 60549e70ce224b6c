/** Why no request reaches a release, and which ports routes miss, in runs made by hand. */
import { describe, expect, it } from 'vitest';
import { type JsonObject, Manifest, World } from '../../src/core';
import { missingPortFindings } from '../../src/rehearsal/missing-ports';
import { notReachedRemark } from '../../src/rehearsal/not-reached';
import type { Run } from '../../src/rehearsal/run';
import { tableKey } from '../../src/rehearsal/tables';
import type { Answer, Destination, HttpRequest, Ignored, Router } from '../../src/routers';
import { runOf } from './runs';

const object = (kind: string, name: string, spec: object = {}, namespace = 'default'): Manifest =>
  Manifest.of({
    apiVersion: 'own.example.com/v1',
    kind,
    metadata: { name, namespace },
    spec: spec as JsonObject,
  });
const [route, other] = [object('Route', 'web', { to: 'web' }), object('Route', 'other', { to: 'other' })];

const to = (name: string, more: Partial<Destination> = {}): Destination => ({
  service: { namespace: 'default', name },
  port: 80,
  weight: 1,
  share: 1,
  ...more,
});
const services = (...destinations: Destination[]): Answer => ({ kind: 'services', sticky: false, destinations });
const missing = { reason: 'port-not-found', why: 'there is no port 81', statusCode: '503' } as const;

interface Parts {
  /** The answer to a request that a member makes likely. */
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly members?: readonly Manifest[];
  readonly traffic?: Partial<Run['traffic']>;
  readonly otherServices?: readonly string[];
  readonly ignored?: readonly Ignored[];
  readonly world?: World;
}

/** A run of the Service `web`, whose load balancer answers each path with an answer of its own. */
function runWith({ answers = {}, members = [route], traffic, otherServices, ignored, world }: Parts): Run {
  const listener = {
    port: 80,
    protocol: 'HTTP' as const,
    rules: [],
    route: ({ path }: HttpRequest) => ({
      answer: answers[path] ?? ({ kind: 'fixed-response', statusCode: '404' } as const),
      rule: { description: 'rule', manifest: members[0]!, path: ['spec', path] },
      isDefault: false,
    }),
  };
  const candidatesOf = (member: Manifest) =>
    member === members[0] ? [{ host: 'a.com', paths: Object.keys(answers) }] : [];
  const state = { router: 'own', name: 'edge', members, listeners: [listener], candidatesOf, expressions: undefined };
  const table = new Map([[tableKey(state), state]]) as never;
  const objects = [
    { apiVersion: 'v1', kind: 'Service', name: 'web' },
    { apiVersion: 'own.example.com/v1', kind: 'Route', name: 'web' },
  ];
  const run = runOf(['no-match'], [{ cells: [{ shares: { stable: 1 } }], world: world ?? World.of(members) }]);
  const router = { routes: () => ({ loadBalancers: [], unserved: [], ...(ignored && { ignored }) }) };
  return {
    ...run,
    play: { ...run.play, ...(otherServices && { otherServices }) },
    seen: run.seen.map((seen) => ({ ...seen, table })),
    traffic: { ...run.traffic, objects, ...traffic },
    routers: [router as unknown as Router],
  };
}

describe('why no request reaches a release', () => {
  const remark = (parts: Parts) => {
    const { severity, message, fix, related } = notReachedRemark(runWith(parts));
    return { severity, message, fix: fix?.split(' ')[0], related: related?.object?.name };
  };
  const failing = (text: string, fix: string) => ({
    severity: 'warning',
    message: `no request reaches the application before the release, so only the controller was rehearsed: ${text}`,
    fix,
    related: undefined,
  });
  const NO_SERVICE = '100% to an error, as Service default/web does not exist';

  it('is what the release says, where its routes are elsewhere', () => {
    expect(remark({ traffic: { objects: [] } })).toMatchObject({ message: 'not reached', severity: undefined });
    expect(remark({ members: [other] })).toMatchObject({ message: 'not reached' });
  });

  it('is a route that it names and that nobody serves', () => {
    expect(remark({ members: [other], world: World.of([route, other]) })).toEqual({
      severity: 'warning',
      message: 'no load balancer that can be rehearsed serves Route "web", so no request reaches Service "web"',
      fix: 'check',
      related: 'web',
    });
  });

  it('is the answer of a load balancer that leads to its Service, and fails', () => {
    const text = `own "edge" answers requests for Route "web" with ${NO_SERVICE}`;
    expect(remark({ answers: { '/': services(to('web')) } })).toEqual(failing(text, 'correct'));
    // The first path stands for an object.
    expect(
      remark({ answers: { '/x': { kind: 'fixed-response', statusCode: '500' }, '/': services(to('web')) } }),
    ).toMatchObject({
      related: 'web',
    });
  });

  it('is no failure of other Services, unless the release has them too', () => {
    const unavailable = {
      reason: 'service-not-found',
      why: 'Service default/api does not exist',
      statusCode: '503',
    } as const;
    const answers = { '/': services(to('api', { unavailable })) };
    expect(remark({ answers })).toMatchObject({ related: 'web' });
    expect(remark({ answers, otherServices: ['api'] })).toEqual(
      failing(
        'own "edge" answers requests for Route "web" with 100% to an error, as Service default/api does not exist',
        'correct',
      ),
    );
  });

  it('is no answer that works', () => {
    const world = World.of([
      route,
      Manifest.of({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'web', namespace: 'default' },
        spec: { selector: {}, ports: [{ port: 80 }] },
      }),
    ]);
    const run = runWith({ answers: { '/': services(to('web')) }, world });
    const pods = [{ revision: 'stable' as const, replicas: 1, labels: {} }];
    const seen = run.seen.map((each) => ({ ...each, moment: { ...each.moment, pods } }));
    expect(notReachedRemark({ ...run, seen }).related?.object?.name).toBe('web');
  });

  it('is an answer that nobody knows', () => {
    expect(remark({ answers: { '/': { kind: 'unknown', why: 'it depends' } } })).toEqual(
      failing('own "edge" answers requests for Route "web" with what is not known: it depends', 'send'),
    );
  });
});

describe('a port that is not there', () => {
  const found = (parts: Parts) =>
    missingPortFindings(runWith(parts)).map(({ object: at, path, message }) => [
      `${at?.kind} ${at?.namespace}/${at?.name}`,
      path,
      message,
    ]);
  const message = (why: string = missing.why) =>
    `Route "web" sends the requests for Release "web" to a port that is not there: ${why}`;
  const at = (path: string, why?: string) => ['Route default/web', path, message(why)];

  it('is found at each place of a route that leads there', () => {
    const toMissing = services(to('web', { unavailable: missing }));
    expect(found({ answers: { a: toMissing } })).toEqual([at('spec.a')]);
    expect(found({ answers: { a: toMissing, b: services(to('web')), c: toMissing } })).toEqual([
      at('spec.a'),
      at('spec.c'),
    ]);
    const beside = services(to('api'), to('web', { unavailable: missing }));
    expect(found({ answers: { a: beside } })).toEqual([at('spec.a')]);
  });

  it('is no matter of other Services, nor of other mistakes', () => {
    expect(found({ answers: { a: services(to('api', { unavailable: missing })) } })).toEqual([]);
    const elsewhere = { service: { namespace: 'pay', name: 'web' }, unavailable: missing };
    expect(found({ answers: { a: services(to('web', elsewhere)) } })).toEqual([]);
    const { service: _, ...nowhere } = to('web', { unavailable: missing });
    expect(found({ answers: { a: services(nowhere) } })).toEqual([]);
    const gone = { ...missing, reason: 'service-not-found' as const };
    expect(found({ answers: { a: services(to('web', { unavailable: gone })) } })).toEqual([]);
    expect(found({ answers: { a: { kind: 'fixed-response', statusCode: '503' } } })).toEqual([]);
  });

  it('is found where a load balancer drops the route, and said once', () => {
    const dropped = (more: Partial<Ignored> = {}): Ignored[] => [
      { manifest: route, path: ['spec', 'to'], reason: 'port-not-found', why: 'dropped', ...more },
    ];
    expect(found({ ignored: dropped() })).toEqual([at('spec.to', 'dropped')]);
    expect(found({ ignored: [...dropped(), ...dropped()] })).toHaveLength(1);
    const answers = { a: services(to('web', { unavailable: missing })) };
    expect(found({ ignored: dropped(), answers })).toEqual([at('spec.to', 'dropped')]);
    expect(found({ ignored: dropped({ reason: 'other' }) })).toEqual([]);
    expect(found({ ignored: dropped({ path: ['spec', 'none'] }) })).toEqual([]);
    expect(found({ ignored: dropped({ manifest: object('Route', 'web', { to: 'web-2' }) }) })).toEqual([]);
    expect(found({ ignored: dropped({ manifest: object('Route', 'web', { to: 'web' }, 'pay') }) })).toEqual([]);
  });
});
