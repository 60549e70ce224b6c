/** Which requests a rehearsal sends, to which listener, and which stories it plays, of a load balancer made by hand. */
import { describe, expect, it } from 'vitest';
import { type JsonObject, Manifest, World } from '../../src/core';
import { parseRequest, rehearse } from '../../src/rehearsal';
import type { Moment, PodGroup, Release, ReleaseController, ReleaseTraffic } from '../../src/release';
import type { Answer, HttpRequest, Listener, Router } from '../../src/routers';

const object = (kind: string, name: string, spec: object = {}): Manifest =>
  Manifest.of({
    apiVersion: kind === 'Route' ? 'own.example.com/v1' : 'v1',
    kind,
    metadata: { name, namespace: 'shop' },
    spec: spec as JsonObject,
  });
const RELEASE = object('Release', 'web');
const POD: PodGroup = { revision: 'stable', replicas: 2, labels: { app: 'web' } };
const CLUSTER = [
  RELEASE,
  object('Route', 'web', { to: 'web' }),
  object('Service', 'web', { selector: { app: 'web' }, ports: [{ port: 80 }] }),
];

interface ListenerParts {
  readonly port: number;
  readonly protocol?: 'HTTP' | 'HTTPS';
  /** Where a request goes: to the Service of the release, or nowhere. @default - to the Service */
  readonly route?: (request: HttpRequest) => boolean;
}

const TO_WEB: Answer = {
  kind: 'services',
  sticky: false,
  destinations: [{ service: { namespace: 'shop', name: 'web' }, port: 80, weight: 1, share: 1 }],
};

function routerOf(name: string, listeners: readonly ListenerParts[], host = `${name}.example.com`): Router {
  const listenerOf = ({ port, protocol = 'HTTP', route = () => true }: ListenerParts): Listener => ({
    port,
    protocol,
    rules: [],
    route: (request) =>
      route(request)
        ? {
            answer: TO_WEB,
            rule: { description: 'rule', manifest: CLUSTER[1]!, path: ['spec'] },
            isDefault: false,
          }
        : { answer: { kind: 'fixed-response', statusCode: '404' }, isDefault: true },
  });
  const kind = { kind: 'Route', group: 'own.example.com', plural: 'routes', hostsOf: () => [host] };
  return {
    name,
    reads: [kind],
    shared: [],
    routes: (world) => ({
      loadBalancers: [
        { name: 'edge', members: [...world.list('Route.own.example.com')], listeners: listeners.map(listenerOf) },
      ],
      unserved: [],
    }),
  };
}

const TRAFFIC: ReleaseTraffic = {
  namespace: 'shop',
  path: ['spec'],
  stableService: 'web',
  canaryService: 'web-canary',
  objects: [{ apiVersion: 'own.example.com/v1', kind: 'Route', name: 'web' }],
  names: ['web'],
  notReached: { rule: 'rehearsal-incomplete', message: 'not reached' },
};

interface Asked {
  readonly routers: readonly Router[];
  readonly probes?: readonly string[];
  readonly stories?: 'all' | readonly string[];
  readonly release?: Partial<Release>;
}

function rehearsalsOf({ routers, probes = [], stories = [], release = {} }: Asked) {
  const made: Release = {
    manifest: RELEASE,
    namespace: 'shop',
    style: 'own',
    path: ['spec'],
    steps: [],
    traffic: TRAFFIC,
    needs: [],
    matches: [],
    play: (world): ReturnType<Release['play']> => {
      const moment: Moment = { phase: 'before', event: 'idle', world, pods: [POD] };
      return { moments: [moment], revisionLabel: 'hash' };
    },
    ...release,
  };
  const controllers = [
    { name: 'own', reads: [], rules: {}, releasesOf: () => [made] },
  ] as unknown as ReleaseController[];
  return rehearse(World.of(CLUSTER), { controllers, routers, probes: probes.map(parseRequest), stories });
}

const sent = (asked: Asked) => {
  const [rehearsal] = rehearsalsOf(asked);
  return {
    loadBalancers: rehearsal!.loadBalancers.map(({ router, port, protocol }) => `${router} ${protocol}:${port}`),
    requests: rehearsal!.requests.map(({ class: kind, text, loadBalancer }) => `${loadBalancer} ${kind} ${text}`),
  };
};

describe('the listener that gets the requests', () => {
  it('is one with HTTPS, or else the first one', () => {
    const both = [{ port: 80 }, { port: 443, protocol: 'HTTPS' as const }];
    expect(sent({ routers: [routerOf('own', both)] })).toEqual({
      loadBalancers: ['own HTTPS:443'],
      requests: ['0 no-match GET https://own.example.com/', '0 no-match GET https://elsewhere.example.org/'],
    });
    expect(sent({ routers: [routerOf('own', [{ port: 8080 }, { port: 80 }])] }).requests[0]).toBe(
      '0 no-match GET http://own.example.com:8080/',
    );
    expect(sent({ routers: [routerOf('own', [{ port: 8443, protocol: 'HTTPS' }])] }).requests[0]).toBe(
      '0 no-match GET https://own.example.com:8443/',
    );
  });

  it('is one that leads to the application', () => {
    const closed = [{ port: 443, protocol: 'HTTPS' as const, route: () => false }, { port: 80 }];
    expect(sent({ routers: [routerOf('own', closed)] }).loadBalancers).toEqual(['own HTTP:80']);
    const nowhere = rehearsalsOf({ routers: [routerOf('own', [{ port: 80, route: () => false }])] })[0]!;
    expect(nowhere.loadBalancers).toEqual([]);
    expect(nowhere.findings.map(({ rule, severity }) => [rule, severity])).toEqual([
      ['rehearsal-incomplete', 'warning'],
    ]);
  });

  it('is one of each load balancer', () => {
    const two = [
      routerOf('one', [{ port: 80 }]),
      routerOf('two', [{ port: 80, route: ({ host }) => /two/.test(host) }]),
    ];
    expect(sent({ routers: two })).toEqual({
      loadBalancers: ['one HTTP:80', 'two HTTP:80'],
      requests: [
        '0 no-match GET http://one.example.com/',
        '0 no-match GET http://elsewhere.example.org/',
        '1 no-match GET http://two.example.com/',
        '1 elsewhere GET http://elsewhere.example.org/',
      ],
    });
  });
});

describe('a request of people', () => {
  const probed = (listeners: readonly ListenerParts[], ...probes: string[]) => {
    const { loadBalancers, requests } = sent({ routers: [routerOf('own', listeners)], probes });
    return requests
      .filter((line) => line.includes('probe'))
      .map((line) => line.replace(/^\d/, (entry) => loadBalancers[Number(entry)]!));
  };
  const BOTH: ListenerParts[] = [{ port: 80 }, { port: 443, protocol: 'HTTPS' }];

  it('goes to the listener of its scheme, or of its port', () => {
    expect(probed(BOTH, 'http://a.com/x', 'https://a.com/x')).toEqual([
      'own HTTP:80 probe GET http://a.com/x',
      'own HTTPS:443 probe GET https://a.com/x',
    ]);
    const ports: ListenerParts[] = [...BOTH, { port: 8080 }];
    expect(probed(ports, 'http://a.com:8080/')).toEqual(['own HTTP:8080 probe GET http://a.com:8080/']);
    expect(probed(ports, 'http://a.com:443/')).toEqual(['own HTTPS:443 probe GET http://a.com:443/']);
  });

  it('goes to any listener where none has its scheme or port', () => {
    expect(probed([{ port: 80 }], 'https://a.com/')).toEqual(['own HTTP:80 probe GET https://a.com/']);
    expect(probed([{ port: 80 }], 'http://a.com:81/')).toEqual(['own HTTP:80 probe GET http://a.com:81/']);
  });

  it('goes to a listener that has a rule for it', () => {
    const some: ListenerParts[] = [{ port: 80, route: ({ path }) => path !== '/x' }, { port: 81 }];
    expect(probed(some, 'http://a.com/x', 'http://a.com/y')).toEqual([
      'own HTTP:81 probe GET http://a.com:81/x',
      'own HTTP:80 probe GET http://a.com/y',
    ]);
    const none: ListenerParts[] = [80, 81].map((port) => ({ port, route: ({ path }) => path !== '/x' }));
    expect(probed(none, 'http://a.com/x')).toEqual(['own HTTP:80 probe GET http://a.com/x']);
  });

  it('is not sent where nothing listens', () => {
    expect(rehearsalsOf({ routers: [routerOf('own', [])], probes: ['http://a.com/'] })[0]!.requests).toEqual([]);
  });
});

describe('the stories that are played', () => {
  const stories = ['straight', 'abort@1', 'abort@3', 'undo@1', 'never-ready'].map((name) => ({ name, actions: [] }));
  const moments: Moment[] = [{ phase: 'before', event: 'idle', world: World.of(CLUSTER), pods: [POD] }];
  const played = (asked: 'all' | readonly string[], more: Partial<Release> = {}) => {
    const tell: Release['tell'] = (_world, all) => all.map(({ name }) => ({ name, end: 'released', moments }));
    const release = { stories: () => stories, tell, ...more };
    const [rehearsal] = rehearsalsOf({ routers: [routerOf('own', [{ port: 80 }])], stories: asked, release });
    return rehearsal!.stories?.map(({ name }) => name);
  };

  it('are all, or those of a name, or one at a step, and the straight road before them', () => {
    expect(played('all')).toEqual(['straight', 'abort@1', 'abort@3', 'undo@1', 'never-ready']);
    expect(played(['all'])).toEqual(['straight', 'abort@1', 'abort@3', 'undo@1', 'never-ready']);
    expect(played(['abort'])).toEqual(['straight', 'abort@1', 'abort@3']);
    expect(played(['abort@3', 'never-ready'])).toEqual(['straight', 'abort@3', 'never-ready']);
    expect(played(['none'])).toEqual(['straight']);
  });

  it('are none where nobody asks, or where the controller knows none', () => {
    expect(played([])).toBeUndefined();
    expect(played('all', { tell: undefined } as never)).toBeUndefined();
    expect(played('all', { stories: undefined } as never)).toBeUndefined();
    expect(played('all', { notPlayed: { rule: 'rehearsal-incomplete', message: 'not played' } })).toBeUndefined();
  });
});

describe('a release', () => {
  const routers = [routerOf('own', [{ port: 80 }])];
  const closed = [routerOf('own', [{ port: 80, route: () => false }])];

  it('is left out where it routes nothing, or needs a load balancer that is not there', () => {
    expect(rehearsalsOf({ routers, release: { traffic: undefined } as never })).toEqual([]);
    expect(rehearsalsOf({ routers, release: { needsLoadBalancer: true } })).toHaveLength(1);
    const traffic = { ...TRAFFIC, objects: [] };
    expect(rehearsalsOf({ routers: [], release: { traffic, needsLoadBalancer: true } })).toEqual([]);
    expect(rehearsalsOf({ routers: [], release: { traffic } })).toHaveLength(1);
    expect(rehearsalsOf({ routers: closed, release: { needsLoadBalancer: true } })).toHaveLength(1);
  });
});
