/**
 * Work for each Rollout does not grow with the number of others. It is counted, not timed: how often each function and block of
 * the library runs for N Rollouts and for 4 N.
 */
import { describe, expect, test } from 'vitest';
import { checkStack } from '../../src/check';
import { allRouters, candidatesOf, type Router, type RouteTable } from '../../src/routers';
import { type Hosts, STACKS, worldOf } from './stacks';
import { growingWork, TIMES, type Work, workOf } from './work';

/** Looks at routes of one host and path only, and only where a load balancer has 13 routes: few Rollouts have none of it. */
const FROM_MANY = /^routers\/traefik\/ties\.[jt]s:/;

/** Functions whose runs grow faster than the Rollouts. */
const growing = (few: Work, many: Work, rollouts: number) => growingWork(few, many, rollouts, FROM_MANY);

/** They sort as the numbers do, and none is the beginning of another: a path would concern more Rollouts, the more there are. */
const nameOf = (index: number) => `shop-${String(index).padStart(5, '0')}`;

function workFor(name: string, count: number, hosts: Hosts): Work {
  const world = worldOf(name, count, hosts, nameOf);
  return workOf(() => checkStack(world, { isProven: () => true }));
}

const NAMES = Object.keys(STACKS);
/** An ALB reads all of its Ingresses together, and has at most 100 rules. */
const LIMITED = ['aws-alb', 'alb-in-place', 'aliyun-alb'];
const SHARING = NAMES.filter((name) => STACKS[name]!.atPath !== undefined && !LIMITED.includes(name));

describe.each([
  ['with a host each', 'own', NAMES, 6],
  // A few neighbours stand for all, and with fewer Rollouts than that there are no others.
  ['behind one host', 'shared', SHARING, 12],
] as const)('checks and rehearsals of Rollouts %s', (_words, hosts, names, few) => {
  test.each(names)('%s: the work grows as the Rollouts do', (name) => {
    workFor(name, 2, hosts);
    expect(growing(workFor(name, few, hosts), workFor(name, TIMES * few, hosts), few)).toEqual([]);
  });
});

describe('requests to a load balancer of many hosts', () => {
  /** One request for each object that makes routes. */
  const ask = (tables: readonly (readonly [Router, RouteTable])[]) =>
    workOf(() => {
      for (const [router, { loadBalancers }] of tables)
        for (const { members, listeners } of loadBalancers)
          for (const [candidate] of members.map((member) => candidatesOf(router, member))) {
            if (candidate === undefined) continue;
            const request = { host: candidate.host, path: candidate.paths[0] ?? '/', ...candidate.extras };
            for (const listener of listeners) listener.route(request);
          }
    });

  test.each(NAMES)('%s: a request costs the same, whatever other hosts there are', (name) => {
    const of = (count: number) => {
      const world = worldOf(name, count, 'own', nameOf);
      const tables = allRouters().map((router) => [router, router.routes(world)] as const);
      ask(tables.map(([router, table]) => [router, { ...table, loadBalancers: table.loadBalancers.slice(0, 1) }]));
      return ask(tables);
    };
    const few = 20;
    expect(growing(of(few), of(TIMES * few), few)).toEqual([]);
  });
});

describe('the count of work', () => {
  const read = (times: number) => {
    const world = worldOf('nginx', 2);
    return workOf(() => {
      for (let time = 0; time < times; time += 1) world.list('Service').map((service) => world.namespaceOf(service));
    });
  };

  test('is the same for the same work', () => {
    read(10);
    expect(read(10)).toEqual(read(10));
  });

  test('tells a square from a line', () => {
    const few = 6;
    const many = TIMES * few;
    expect(growing(read(few * 100), read(many * 100), few)).toEqual([]);
    expect(growing(read(few * few * 100), read(many * many * 100), few)).not.toEqual([]);
  });
});
