/** What ends an experiment of a canary step: its duration, an analysis that it requires, or an analysis that fails. */
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import type { ListedLab } from '../listed';
import { analysisTemplate, unanswered } from './analysis';
import { DEGRADED, lab, PAUSED, SOON, STRAIGHT } from './lab';

const AT_EXPERIMENT: StoryAction = { until: { step: 1 } };
const LOOK: StoryAction = { watch: 12 };

const analysed = (more: KubernetesObject, experiment: KubernetesObject = {}) => [
  { setWeight: 25 },
  {
    experiment: {
      templates: [{ name: 'exp', specRef: 'canary' }],
      analyses: [{ name: 'version', templateName: 'shop', ...more }],
      ...experiment,
    },
  },
  { setWeight: 50 },
  { pause: {} },
];

export function experiments(): ListedLab[] {
  const alb = { route: 'alb', strategy: SOON } as const;
  const succeeds = { more: [analysisTemplate('result == "1"')] };
  const fails = { more: [analysisTemplate('result == "2"')] };
  const inconclusive = { more: [analysisTemplate('result == "2"', 'result == "3"')] };
  const required = { requiredForCompletion: true };
  const lasting = { duration: '20s' };
  const aborted = [{ release: 'v2' }, AT_EXPERIMENT, { analysis: 'failed' }, DEGRADED, LOOK] as const;
  const paused: readonly StoryAction[] = [{ release: 'v2' }, AT_EXPERIMENT, { analysis: 'inconclusive' }, PAUSED, LOOK];
  return [
    // Nothing ends it: nobody requires the analysis.
    lab('experiment-analysis', { ...alb, ...succeeds, steps: analysed({}) }, [
      { release: 'v2' },
      AT_EXPERIMENT,
      LOOK,
      'promote',
      'finish',
    ]),
    lab('experiment-analysis-required', { ...alb, ...succeeds, steps: analysed(required) }, STRAIGHT),
    lab('experiment-analysis-lasting', { ...alb, ...succeeds, steps: analysed({}, { duration: '4s' }) }, STRAIGHT),
    lab('experiment-analysis-fails', { ...alb, ...fails, steps: analysed({}) }, [...aborted]),
    lab('experiment-analysis-fails-lasting', { ...alb, ...fails, steps: analysed({}, lasting) }, [...aborted]),
    lab('experiment-analysis-errs', { ...alb, more: [unanswered()], steps: analysed(required) }, [...aborted]),
    lab('experiment-analysis-inconclusive', { ...alb, ...inconclusive, steps: analysed({}) }, [
      ...paused,
      'promote',
      LOOK,
    ]),
    lab('experiment-analysis-inconclusive-lasting', { ...alb, ...inconclusive, steps: analysed({}, lasting) }, [
      ...paused,
      'promote',
      LOOK,
    ]),
    lab('experiment-analysis-inconclusive-abort', { ...alb, ...inconclusive, steps: analysed({}) }, [
      ...paused,
      'abort',
      DEGRADED,
      LOOK,
    ]),
  ];
}
