/** Runs made by hand, for tests of what is judged alone. */
import { Manifest, World } from '../../src/core';
import type { RehearsedShares, RequestClass } from '../../src/core/rehearsal-result';
import type { Cell, Run } from '../../src/rehearsal/run';
import type { Moment } from '../../src/release';

/** An answer by the share of each part: `{ canary: 0.5, failed: 0.5 }`. */
export interface CellParts {
  readonly shares: Partial<RehearsedShares>;
  readonly expectedCanary?: number;
  /** The object whose rule takes the request, and the Services that it leads to. */
  readonly by?: Manifest;
  readonly to?: readonly string[];
}

export interface MomentParts extends Partial<Pick<Moment, 'phase' | 'step' | 'world' | 'declared'>> {
  readonly cells: readonly CellParts[];
}

const RELEASE = Manifest.of({ apiVersion: 'example.com/v1', kind: 'Release', metadata: { name: 'web' } });
const PATH = ['spec'];

/** A run whose requests have these classes, with one cell for each of them at every moment. */
export function runOf(classes: readonly RequestClass[], moments: readonly MomentParts[]): Run {
  const seen = moments.map(({ cells, ...parts }, index) => {
    const phase = index === 0 ? ('before' as const) : ('step' as const);
    const step = index === 0 ? {} : { step: index - 1 };
    const moment: Moment = { phase, ...step, event: 'event', world: World.of([]), pods: [], ...parts };
    return { moment, table: new Map(), cells: cells.map(cellOf) };
  });
  const traffic = {
    namespace: 'default',
    path: PATH,
    stableService: 'web',
    canaryService: 'web-canary',
    objects: [],
    names: ['web'],
    notReached: { rule: 'rehearsal-incomplete' as const, message: 'not reached' },
  };
  const play = { moments: seen.map(({ moment }) => moment), revisionLabel: 'revision' };
  return {
    release: {
      manifest: RELEASE,
      namespace: 'default',
      style: 'canary',
      path: PATH,
      steps: moments.slice(1).map(() => ({ path: PATH, trafficPath: PATH })),
      needs: [],
      matches: [],
      play: () => play,
    },
    traffic,
    play,
    stories: [],
    routers: [],
    entries: [{ router: 'aws-alb', name: 'web', port: 80, protocol: 'HTTP' }],
    requests: classes.map((kind, index) => ({
      class: kind,
      label: `request ${index}`,
      request: { host: 'web.example.com', path: `/${index}` },
      entry: 0,
    })),
    seen,
  };
}

function cellOf({ shares, expectedCanary, by, to = [] }: CellParts): Cell {
  const all = { stable: 0, canary: 0, failed: 0, other: 0, ...shares };
  const destinations = to.map((name) => ({ name, share: 1 / to.length }));
  return {
    answer: { kind: 'services', destinations, sticky: false },
    shares: all,
    key: JSON.stringify(all),
    ...(expectedCanary === undefined ? {} : { expectedCanary }),
    ...(by === undefined ? {} : { manifest: by }),
  };
}
