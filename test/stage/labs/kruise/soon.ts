/** People act while Kruise still takes a release back. */
import type { StoryAction } from '../../../../src/release';
import { LOOK } from '../paused';
import { type KruiseLab, lab, STYLES, upTo } from './lab';

/** What they do right after the roll-back. */
const DEEDS: Readonly<Record<string, readonly StoryAction[]>> = {
  again: [{ release: 'v2' }, LOOK, 'finish'],
  third: [{ release: 'v3' }, LOOK, 'finish'],
  scale: [{ scale: 6 }, LOOK],
  disable: ['disable', LOOK],
  delete: ['delete', LOOK],
};

export function soon(): KruiseLab[] {
  const told = (name: string, options: Parameters<typeof lab>[1], deed: string) =>
    lab(`${name}-undone-soon-${deed}`, options, [...upTo(2), { release: 'v1' }, ...DEEDS[deed]!]);
  return [
    ...STYLES.flatMap((style) => Object.keys(DEEDS).map((deed) => told(style, { style, route: 'nginx' }, deed))),
    ...STYLES.flatMap((style) =>
      ['again', 'third'].map((deed) => told(`${style}-istio`, { style, route: 'istio' }, deed)),
    ),
    ...(['CloneSet', 'StatefulSet'] as const).flatMap((workload) =>
      ['again', 'third'].map((deed) =>
        told(workload.toLowerCase(), { style: 'partition', route: 'nginx', workload }, deed),
      ),
    ),
  ];
}
