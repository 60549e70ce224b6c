/** Releases of a version that was there before, with `rollbackWindow`. */
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import type { ListedLab } from '../listed';
import { analysisTemplate } from './analysis';
import { lab, PAUSED, patchOf, SOON, STRAIGHT } from './lab';
import type { StackOptions } from './stack';

const LOOK: StoryAction = { watch: 12 };
const succeeds = analysisTemplate('result == "1"');
const failing = patchOf('AnalysisTemplate', 'argoproj.io/v1alpha1', { spec: analysisTemplate('result == "2"').spec });
const templates = { templates: [{ templateName: 'shop' }] };
const window = (revisions: number) => ({ rollbackWindow: { revisions } });

const alb = (revisions: number, more: Partial<StackOptions> = {}): StackOptions => ({
  route: 'alb',
  strategy: SOON,
  spec: window(revisions),
  ...more,
});
const blueGreen = (revisions: number, strategy: KubernetesObject = {}): StackOptions => ({
  route: 'blueGreen',
  strategy: { ...SOON, ...strategy },
  spec: window(revisions),
  more: [succeeds],
});

export function rollbackWindows(): ListedLab[] {
  const promoted: readonly StoryAction[] = [...STRAIGHT, LOOK];
  const back: readonly StoryAction[] = [{ release: 'v1' }, LOOK, 'promote', LOOK, 'promote-full', LOOK];
  const third: readonly StoryAction[] = [{ release: 'v3' }, 'finish', LOOK];
  const before = { prePromotionAnalysis: templates };
  return [
    lab('alb-rollback-window', alb(3), [...STRAIGHT, { release: 'v1' }, 'finish']),
    lab('alb-rollback-window-late', alb(3), [...promoted, { release: 'v1' }, 'finish']),
    lab('alb-rollback-window-scaled', alb(3), [...promoted, { release: 'v1', replicas: 8 }, 'finish']),
    lab('alb-rollback-window-outside', alb(1), [...promoted, ...third, { release: 'v1' }, LOOK]),
    lab('alb-rollback-window-inside', alb(1), [...promoted, ...third, { release: 'v2' }, LOOK]),
    lab('alb-rollback-window-middle', alb(3), [...promoted, { release: 'v3' }, PAUSED, { release: 'v1' }, LOOK]),
    // The version is newer than the stable one.
    lab('alb-rollback-window-newer', alb(3), [
      ...promoted,
      { release: 'v3' },
      PAUSED,
      { release: 'v4' },
      PAUSED,
      { release: 'v3' },
      LOOK,
    ]),
    lab('none-rollback-window', alb(3, { route: 'none', strategy: {} }), [...promoted, { release: 'v1' }, LOOK]),
    // Within the window, the version needs no analysis.
    lab('alb-rollback-window-analysis', alb(3, { strategy: { ...SOON, analysis: templates }, more: [succeeds] }), [
      ...promoted,
      failing,
      { release: 'v1' },
      LOOK,
    ]),
    lab('bg-rollback-window', blueGreen(3, { scaleDownDelaySeconds: 60 }), [...STRAIGHT, { release: 'v1' }, LOOK]),
    lab('bg-rollback-window-late-seconds', blueGreen(3, { autoPromotionEnabled: true, autoPromotionSeconds: 5 }), [
      ...promoted,
      ...back,
    ]),
    lab('bg-rollback-window-late', blueGreen(3), [...promoted, ...back]),
    lab('bg-rollback-window-late-automatic', blueGreen(3, { autoPromotionEnabled: true }), [
      ...promoted,
      { release: 'v1' },
      LOOK,
    ]),
    lab('bg-rollback-window-late-previews', blueGreen(3, { previewReplicaCount: 1 }), [...promoted, ...back]),
    lab(
      'bg-rollback-window-late-previews-automatic',
      blueGreen(3, { previewReplicaCount: 1, autoPromotionEnabled: true }),
      [...promoted, ...back],
    ),
    lab('bg-rollback-window-late-abort', blueGreen(3), [...promoted, ...back.slice(0, 2), 'abort', LOOK]),
    lab('bg-rollback-window-outside', blueGreen(1), [...promoted, ...third, { release: 'v1' }, LOOK]),
    lab('bg-rollback-window-analysis', blueGreen(3, before), [...promoted, failing, ...back]),
    lab('bg-rollback-window-analysis-automatic', blueGreen(3, { ...before, autoPromotionEnabled: true }), [
      ...promoted,
      failing,
      ...back,
    ]),
    lab('bg-rollback-window-analysis-after', blueGreen(3, { postPromotionAnalysis: templates }), [
      ...promoted,
      failing,
      ...back,
    ]),
  ];
}
