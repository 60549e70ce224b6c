/** One kind, watched: what a server may do to it. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ApiError, type LongConnection } from '../../src/cli/cluster/client';
import type { StreamOptions } from '../../src/cli/cluster/stream';
import { KindFeed } from '../../src/cli/watch/kind-feed';

const KIND = { groupKind: 'Service', apiVersion: 'v1', kind: 'Service', plural: 'services', namespaced: true };

type Lines = (how: Omit<StreamOptions, 'timeoutSeconds'>, times: number) => Promise<void>;

/** A feed whose server answers every list with one Service, and watches as the test says. */
function feedOf(lines: Lines) {
  const asked: string[] = [];
  let [times, refreshed, changes] = [0, 0, 0];
  const connection: LongConnection = {
    from: 'test',
    get: async (path) => {
      asked.push(`list ${path}`);
      return { metadata: { resourceVersion: '5' }, items: [{ metadata: { name: 'web', namespace: 'shop' } }] };
    },
    lines: (path, how) => {
      asked.push(`watch ${new URLSearchParams(path.split('?')[1]).get('resourceVersion')}`);
      return lines(how, times++);
    },
    refresh: async () => {
      refreshed++;
    },
    close: () => {},
  };
  const feed = new KindFeed(
    connection,
    KIND,
    { namespace: 'shop' },
    {
      onChange: () => {
        changes++;
      },
      onState: () => {},
      refresh: () => connection.refresh(),
    },
  );
  const stopping = new AbortController();
  return {
    feed,
    asked,
    counts: () => ({ refreshed, changes }),
    /** Follows for some time, or until something holds. */
    async follow(milliseconds: number, holds = () => false) {
      const following = feed.follow(stopping.signal);
      const end = performance.now() + milliseconds;
      while (performance.now() < end && !holds()) await wait(Math.min(20, milliseconds));
      stopping.abort();
      await following;
    },
  };
}

const untilStopped = ({ signal }: Pick<StreamOptions, 'signal'>) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });
const event = (type: string, name: string, resourceVersion: string) =>
  JSON.stringify({ type, object: { metadata: { name, namespace: 'shop', resourceVersion } } });

describe('a feed', () => {
  it('adds, changes and deletes objects, and goes on where it was', async () => {
    const { feed, asked, follow, counts } = feedOf(async (how, times) => {
      how.onOpen();
      if (times > 0) return untilStopped(how);
      for (const line of [event('ADDED', 'other', '6'), event('DELETED', 'web', '7'), event('BOOKMARK', 'x', '9')])
        how.onLine(line);
    });
    await follow(20_000, () => asked.length > 2);
    expect(feed.manifests.map(({ name }) => name)).toEqual(['other']);
    expect(asked).toEqual(['list /api/v1/namespaces/shop/services?limit=250', 'watch 5', 'watch 9']);
    expect(counts().changes).toBe(3);
  });

  it.each([
    ['a status of HTTP', () => Promise.reject(new ApiError(410, 'too old'))],
    [
      'an event',
      async (how: Omit<StreamOptions, 'timeoutSeconds'>) => {
        how.onOpen();
        how.onLine(JSON.stringify({ type: 'ERROR', object: { code: 410, message: 'too old' } }));
      },
    ],
  ])('lists anew when its place is gone, by %s', async (_what, gone) => {
    const { asked, feed, follow } = feedOf((how, times) => (times === 0 ? gone(how) : untilStopped(how)));
    await follow(20_000, () => asked.length > 3);
    expect(asked.map((one) => one.split(' ')[0])).toEqual(['list', 'watch', 'list', 'watch']);
    expect(feed.trouble).toBeUndefined();
  });

  it('waits longer and longer for a server that does not answer', async () => {
    const { asked, feed, follow } = feedOf(() => Promise.reject(new ApiError(0, 'the connection is refused')));
    await follow(1000);
    const { length } = asked.filter((one) => one.startsWith('watch'));
    expect(length).toBeGreaterThan(1);
    expect(length).toBeLessThanOrEqual(3);
    expect(feed.trouble).toMatchObject({ why: 'the connection is refused', isRefused: false });
  });

  it('does not hurry a server that says 410 for ever', async () => {
    const { asked, follow } = feedOf(() => Promise.reject(new ApiError(410, 'too old')));
    await follow(1000);
    expect(asked.filter((one) => one.startsWith('watch')).length).toBeLessThanOrEqual(4);
  });

  it('reads the credentials again when they are refused', async () => {
    const { follow, counts } = feedOf((how, times) =>
      times === 0 ? Promise.reject(new ApiError(401, 'Unauthorized')) : untilStopped(how),
    );
    await follow(20_000, () => counts().refreshed > 0);
    expect(counts().refreshed).toBe(1);
  });

  it('asks again soon for what a server that has just started refuses', async () => {
    const { asked, feed, follow } = feedOf((how, times) => {
      if (times < 2) return Promise.reject(new ApiError(times === 0 ? 403 : 404, 'not yet'));
      how.onOpen();
      return untilStopped(how);
    });
    await follow(20_000, () => asked.length > 3);
    expect(asked.filter((one) => one.startsWith('watch'))).toEqual(['watch 5', 'watch 5', 'watch 5']);
    expect(feed.trouble).toBeUndefined();
  });

  it('gives up a server that tells of more objects than there can be', async () => {
    const { feed, asked, follow } = feedOf(async (how, times) => {
      how.onOpen();
      if (times > 0) return untilStopped(how);
      for (let index = 0; index < 30_000; index++) how.onLine(event('ADDED', `web-${index}`, String(index)));
    });
    await follow(20_000, () => asked.filter((one) => one.startsWith('watch')).length > 1);
    expect(asked.filter((one) => one.startsWith('list'))).toHaveLength(2);
    expect(feed.manifests).toHaveLength(1);
  });

  it.each(['<html>', '{}', '{"type":"ADDED"}', '[]', 'null', '{"type":1,"object":{}}'])(
    'survives the line %s',
    async (line) => {
      const { feed, follow } = feedOf(async (how, times) => {
        how.onOpen();
        if (times > 0) return untilStopped(how);
        how.onLine(line);
      });
      await follow(50);
      expect(feed.manifests.map(({ name }) => name)).toEqual(['web']);
    },
  );
});
