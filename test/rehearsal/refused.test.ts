import { describe, expect, it } from 'vitest';
import { Manifest } from '../../src/core';
import { unlessRefused } from '../../src/rehearsal/refused';
import { runOf } from './runs';

const { release } = runOf([], [{ cells: [] }]);
const service = (port: unknown) =>
  Manifest.of({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { ports: [{ port }] } } as never);

describe('a release of which the API server refuses an object', () => {
  it('is not played, and names the object', () => {
    const { notPlayed } = unlessRefused(release, [service(80), service('x')], undefined);
    expect(notPlayed).toMatchObject({
      rule: 'rehearsal-refused',
      message: expect.stringContaining('not rehearsed: the API server refuses its Service "web": '),
      fix: 'correct the Service "web"',
    });
  });

  it('is played where none is refused, and keeps another reason that it has', () => {
    expect(unlessRefused(release, [service(80)], undefined)).toBe(release);
    const other = { ...release, notPlayed: { rule: 'rehearsal-incomplete', message: 'another reason' } as const };
    expect(unlessRefused(other, [service('x')], undefined)).toBe(other);
  });
});
