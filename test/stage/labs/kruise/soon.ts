/** Another version arrives while Kruise still takes a release back. */
import type { StoryAction } from '../../../../src/release';
import { LOOK } from '../paused';
import { type KruiseLab, lab, STYLES, upTo } from './lab';

const VERSIONS: Readonly<Record<string, StoryAction>> = { again: { release: 'v2' }, third: { release: 'v3' } };

export function soon(): KruiseLab[] {
  return STYLES.flatMap((style) =>
    Object.entries(VERSIONS).map(([name, version]) =>
      lab(`${style}-undone-soon-${name}`, { style, route: 'nginx' }, [
        ...upTo(2),
        { release: 'v1' },
        version,
        LOOK,
        'finish',
      ]),
    ),
  );
}
