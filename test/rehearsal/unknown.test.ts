/** Where nobody can tell where a request goes, a rehearsal says so, and judges nothing. */
import { describe, expect, test } from 'vitest';
import { Manifest, type World } from '../../src/core';
import { parseRequest, rehearse } from '../../src/rehearsal';
import { rehearsalReporters } from '../../src/report/rehearsal';
import { worldOf } from '../speed/stacks';

/** The route of the application is for some addresses only. */
function forAddresses(): World {
  const world = worldOf('traefik', 1);
  const [route] = world.list('IngressRoute.traefik.io');
  const text = JSON.stringify(route!.object).replace('com`)', 'com`) && ClientIP(`10.0.0.0/8`)');
  return world.with(Manifest.of(JSON.parse(text)));
}

const probe = (from: string) => parseRequest(`GET http://shop-0.example.com/${from}`);
const PLAIN = { color: false, ascii: false, findings: [] } as const;

describe('a route for some addresses of clients', () => {
  test('without an address is not known: it says what decides, and how to decide it', () => {
    const [rehearsal] = rehearse(forAddresses());
    const found = rehearsal!.findings.find(({ rule }) => rule === 'rehearsal-incomplete');
    expect(found).toMatchObject({ severity: 'warning', fix: 'send a request of your own that decides it: --probe' });
    expect(found!.message).toContain('what is not known: ClientIP depends on the address of the client');
  });

  test('is rehearsed with a request that has one', () => {
    const [rehearsal] = rehearse(forAddresses(), { probes: [probe(' from 10.0.0.1')] });
    const shares = rehearsal!.moments.map(({ cells }) => cells[0]!.shares.canary);
    expect(shares).toContain(0.2);
  });

  test('shows no share in any report', () => {
    const rehearsals = rehearse(forAddresses(), { probes: [probe(' from 10.0.0.1'), probe('')] });
    const cells = rehearsals[0]!.moments.map((moment) => moment.cells[1]!);
    expect(new Set(cells.map(({ answer, verdict }) => `${answer.kind} ${verdict}`))).toEqual(new Set(['unknown good']));
    expect(cells.flatMap(({ shares }) => Object.values(shares))).toEqual(Array(4 * cells.length).fill(0));
    for (const format of ['pretty', 'markdown', 'html'] as const) {
      expect(rehearsalReporters[format](rehearsals, PLAIN), format).toContain('not known');
    }
  });
});
