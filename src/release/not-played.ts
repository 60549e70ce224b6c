import type { World } from '../core/world';
import type { ReleasePlay } from './moment';
import type { Release } from './release';
import type { Remark } from './remark';

/** A release that is not played, for a reason: it has only the state before it. */
export function notPlayed(release: Release, reason: Remark): Release {
  const play = (scope: World): ReleasePlay => {
    const { stop: _stop, moments, ...played } = release.play(scope);
    return { ...played, moments: moments.slice(0, 1) };
  };
  return { ...release, notPlayed: reason, play };
}
