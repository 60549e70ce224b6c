/** Releases of Argo Rollouts that hang, and the way out of each. */
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import { hangsIn, known, type ListedHang } from '../hang';
import { jobTemplate } from '.';
import { analysisTemplate } from './analysis';
import { patchOf, upTo } from './lab';
import { STEPS, type StackOptions, stackOf } from './stack';

const API = 'argoproj.io/v1alpha1';
const PAUSED: StoryAction = { until: { phase: 'Paused' } };
const DEGRADED: StoryAction = { until: { phase: 'Degraded' } };
const SEE: StoryAction = { watch: 6 };
const BROKEN: StoryAction = { release: 'v2', ready: 'never' };
const SOON = { abortScaleDownDelaySeconds: 5, scaleDownDelaySeconds: 5 };
const ALB: StackOptions = { route: 'alb', strategy: SOON };
const BLUE_GREEN: StackOptions = { route: 'blueGreen', strategy: SOON };
const TEMPLATES = { templates: [{ templateName: 'shop' }] };
const ANALYSED = [{ setWeight: 25 }, { analysis: TEMPLATES }, { setWeight: 50 }, { pause: {} }];

const GOOD = analysisTemplate('result == "1"');
const UNCLEAR = analysisTemplate('result == "2"', 'result == "3"');
const CORRECTED: StoryAction = patchOf('AnalysisTemplate', API, { spec: GOOD.spec });
const FOLLOWS: StoryAction = { loadBalancer: 'follows' };

/** A quota that the pods of one version exceed together with those of the other. */
const QUOTA = (pods: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'pods' },
  spec: { hard: { pods } },
});

const NODES = (disk: string | null) =>
  patchOf('Rollout', API, { spec: { template: { spec: { nodeSelector: disk === null ? null : { disk } } } } });

const PAUSE = (paused: boolean) => patchOf('Rollout', API, { spec: { paused } });

const steps = (list: readonly KubernetesObject[]) =>
  patchOf('Rollout', API, { spec: { strategy: { canary: { steps: list } } } });

const { again, hang } = hangsIn(stackOf);

/** All hangs. */
export function argoHangs(): readonly ListedHang[] {
  const istio: StackOptions = { ...ALB, route: 'istio' };
  const background: StackOptions = { ...ALB, strategy: { ...SOON, analysis: TEMPLATES }, more: [UNCLEAR] };
  const before: StackOptions = {
    ...BLUE_GREEN,
    strategy: { ...SOON, prePromotionAnalysis: TEMPLATES },
    more: [UNCLEAR],
  };
  const after: StackOptions = {
    ...BLUE_GREEN,
    strategy: { ...SOON, postPromotionAnalysis: TEMPLATES },
    more: [UNCLEAR],
  };
  const referring: StackOptions = { ...ALB, workloadRef: true };
  return [
    // Refused by the controller.
    known('alb-service-gone', again(ALB, 'Service', 'shop-canary'), 'finish'),
    known('bg-service-gone', again(BLUE_GREEN, 'Service', 'shop-preview'), 'finish'),
    known('alb-route-gone', again(ALB, 'Ingress'), 'finish'),
    known('istio-route-gone', again(istio, 'VirtualService'), 'finish'),
    hang(
      'template-gone',
      { ...ALB, steps: [{ setWeight: 25 }, { pause: {} }, { analysis: TEMPLATES }], more: [GOOD] },
      [...upTo(1), patchOf('AnalysisTemplate', API, null), SEE],
      [{ apply: GOOD }, 'finish'],
    ),
    hang(
      'workload-gone',
      referring,
      [...upTo(1), patchOf('Deployment', 'apps/v1', null), SEE],
      [again(referring, 'Deployment'), 'finish'],
    ),
    hang('invalid-step', ALB, [...upTo(1), steps([{ setWeight: 150 }]), SEE], [steps(STEPS), 'finish']),
    hang('invalid-before', ALB, [steps([{ setWeight: 150 }]), SEE, { release: 'v2' }, SEE], [steps(STEPS), 'finish']),
    // Aborted.
    known('alb-abort-2', 'retry', 'finish'),
    known('alb-analysis-fails', CORRECTED, 'retry', 'finish'),
    known('alb-analysis-error', CORRECTED, 'retry', 'finish'),
    known('bg-analysis-before-fails', CORRECTED, 'retry', 'finish'),
    // The failed AnalysisRun stays, and a retry is aborted at once.
    known('bg-analysis-after-fails', CORRECTED, { release: 'v3' }, 'finish'),
    known('alb-deadline-abort', { release: 'v3' }, 'finish'),
    hang('bg-abort', BLUE_GREEN, [{ release: 'v2' }, PAUSED, 'abort', DEGRADED, SEE], ['retry', 'finish']),
    // Pods.
    known('alb-deadline', { release: 'v3' }, 'finish'),
    hang('alb-broken', ALB, [BROKEN, { watch: 15 }], [{ release: 'v3' }, 'finish']),
    hang('bg-broken', BLUE_GREEN, [BROKEN, { watch: 15 }], [{ release: 'v3' }, 'finish']),
    hang(
      'bg-quota',
      { ...BLUE_GREEN, more: [QUOTA('6')] },
      [{ release: 'v2' }, { watch: 12 }],
      [patchOf('ResourceQuota', 'v1', QUOTA('20'), 'pods'), 'finish'],
    ),
    hang('alb-unschedulable', ALB, [NODES('fast'), { watch: 12 }], [NODES(null), { until: { phase: 'Healthy' } }]),
    // Analyses and experiments.
    hang(
      'analysis-inconclusive',
      { ...ALB, steps: ANALYSED, more: [UNCLEAR] },
      [{ release: 'v2' }, PAUSED, SEE],
      ['promote', 'finish'],
    ),
    hang(
      'background-inconclusive',
      background,
      [{ release: 'v2' }, PAUSED, { watch: 10 }],
      [CORRECTED, 'promote', 'finish'],
    ),
    hang('bg-before-inconclusive', before, [{ release: 'v2' }, PAUSED, SEE], [CORRECTED, 'promote', 'finish']),
    hang(
      'bg-after-inconclusive',
      after,
      [{ release: 'v2' }, PAUSED, 'promote', { watch: 8 }, PAUSED, SEE],
      // A promotion, where nobody waits until the status rests: it never does.
      [CORRECTED, { status: { pauseConditions: null } }, { until: { phase: 'Healthy' } }],
    ),
    hang(
      'analysis-job',
      { ...ALB, steps: ANALYSED, more: [jobTemplate('never')] },
      [{ release: 'v2' }, { until: { step: 1 } }, { watch: 10 }],
      ['promote', 'finish'],
    ),
    hang(
      'experiment',
      {
        ...ALB,
        steps: [{ setWeight: 25 }, { experiment: { templates: [{ name: 'exp', specRef: 'canary' }] } }, { pause: {} }],
      },
      [{ release: 'v2' }, { until: { step: 1 } }, { watch: 10 }],
      ['promote', 'finish'],
    ),
    hang(
      'experiment-inconclusive',
      {
        ...ALB,
        more: [UNCLEAR],
        steps: [
          { setWeight: 25 },
          {
            experiment: {
              templates: [{ name: 'exp', specRef: 'canary' }],
              analyses: [{ name: 'version', templateName: 'shop' }],
            },
          },
          { setWeight: 50 },
          { pause: {} },
        ],
      },
      [{ release: 'v2' }, PAUSED, 'promote', { watch: 10 }, PAUSED, SEE],
      // A promotion that skips the step.
      [{ status: { currentStepIndex: 2 } }, { until: { step: 3 } }, 'promote', { until: { phase: 'Healthy' } }],
    ),
    hang(
      'analysis-none',
      { ...ALB, steps: [{ setWeight: 25 }, { analysis: {} }, { pause: {} }] },
      [{ release: 'v2' }, { until: { step: 1 } }, { watch: 10 }],
      ['promote', 'finish'],
    ),
    hang(
      'bg-before-none',
      { ...BLUE_GREEN, strategy: { ...SOON, prePromotionAnalysis: {} } },
      [{ release: 'v2' }, { watch: 12 }],
      ['promote-full', { until: { phase: 'Healthy' } }],
    ),
    hang(
      'bg-after-none',
      { ...BLUE_GREEN, strategy: { ...SOON, postPromotionAnalysis: {} } },
      [{ release: 'v2' }, PAUSED, 'promote', { watch: 12 }],
      ['promote-full', { until: { phase: 'Healthy' } }],
    ),
    hang(
      'bg-window',
      { ...BLUE_GREEN, spec: { rollbackWindow: { revisions: 3 } } },
      [{ release: 'v2' }, 'finish', { watch: 12 }, { release: 'v1' }, { watch: 12 }],
      ['promote-full', { until: { phase: 'Healthy' } }],
    ),
    hang(
      'istio-subsets-broken',
      { route: 'istio-subsets', strategy: SOON, spec: { progressDeadlineSeconds: 8, progressDeadlineAbort: true } },
      [BROKEN, { watch: 20 }],
      [{ release: 'v3' }, 'finish'],
    ),
    // Pauses.
    hang('alb-pause', ALB, upTo(1), ['promote', 'finish']),
    hang(
      'alb-pause-hour',
      { ...ALB, steps: [{ setWeight: 25 }, { pause: { duration: '1h' } }] },
      [{ release: 'v2' }, PAUSED],
      ['promote', { until: { phase: 'Healthy' } }],
    ),
    hang('bg-pause', BLUE_GREEN, [{ release: 'v2' }, PAUSED], ['promote', 'finish']),
    hang(
      'bg-seconds',
      { ...BLUE_GREEN, strategy: { ...SOON, autoPromotionEnabled: true, autoPromotionSeconds: 3600 } },
      [{ release: 'v2' }, PAUSED],
      [],
    ),
    hang('alb-paused', ALB, [...upTo(1), PAUSE(true), SEE], [PAUSE(false), 'finish']),
    hang('alb-paused-before', ALB, [PAUSE(true), SEE, { release: 'v2' }, SEE], [PAUSE(false), 'finish']),
    hang('none-pause', { route: 'none' }, upTo(1), ['promote', 'finish']),
    // The controller has not read the last change: it came while the controller wrote the status.
    known('none-undo-2', 'finish'),
    // Load balancers.
    known('verify-alb-kept-first', FOLLOWS, 'finish'),
    known('verify-alb-kept', FOLLOWS, 'finish'),
    known('verify-alb-kept-end', FOLLOWS, 'finish'),
    known('verify-alb-kept-deadline', FOLLOWS, 'finish'),
    known('verify-alb-kept-abort', FOLLOWS, 'retry', 'finish'),
    known('verify-bg-kept', FOLLOWS, { until: { phase: 'Healthy' } }),
    known('verify-ping-pong-kept', FOLLOWS, 'finish'),
    known('verify-alb-missing', { release: 'v1' }, { watch: 20 }),
  ];
}
