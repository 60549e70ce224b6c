/** Istio subsets without Services: the controller touches the DestinationRule only while pods are ready, which depends on the release. */
import type { StoryAction } from '../../../../src/release';
import type { ListedLab } from '../listed';
import { analysisTemplate } from './analysis';
import { BETA, lab, SET_BETA, SOON, upTo } from './lab';
import { type StackOptions, serviceOf } from './stack';

const LOOK: StoryAction = { watch: 12 };
const ROUTE: StackOptions = { route: 'istio-subsets', strategy: SOON };
const PING_PONG: StackOptions = { route: 'istio-ping-pong', strategy: SOON };
const UNNAMED_HEADER: StackOptions = {
  route: 'istio-unnamed',
  strategy: SOON,
  routing: { managedRoutes: [BETA] },
  steps: [{ setWeight: 25 }, { pause: {} }, SET_BETA, { setWeight: 50 }, { pause: {} }],
};

export function subsets(): ListedLab[] {
  const broken: readonly StoryAction[] = [{ release: 'v2', ready: 'never' }, LOOK];
  const brokenLater: readonly StoryAction[] = [...upTo(1), { release: 'v3', ready: 'never' }, LOOK];
  const deadline = { progressDeadlineSeconds: 8, progressDeadlineAbort: true };
  const inBackground = { ...SOON, analysis: { templates: [{ templateName: 'shop' }] } };
  return [
    lab('istio-subsets-broken-abort', ROUTE, [...broken, 'abort', LOOK]),
    lab('istio-subsets-broken-undo', ROUTE, [...broken, { release: 'v1' }, LOOK]),
    lab('istio-subsets-broken-third', ROUTE, [...broken, { release: 'v3' }, LOOK, 'finish']),
    lab('istio-subsets-broken-later-abort', ROUTE, [...brokenLater, 'abort', LOOK, { release: 'v1' }, LOOK]),
    lab('istio-subsets-deadline-abort', { ...ROUTE, spec: deadline }, [broken[0]!, { watch: 25 }]),
    lab('istio-subsets-deadline-third', { ...ROUTE, spec: deadline }, [
      broken[0]!,
      { watch: 25 },
      { release: 'v3' },
      LOOK,
    ]),
    // With Services, the controller does not ask for the pods.
    lab(
      'istio-subsets-services-deadline-abort',
      {
        ...ROUTE,
        strategy: { ...SOON, canaryService: 'shop-canary', stableService: 'shop-stable' },
        more: [serviceOf('shop-canary'), serviceOf('shop-stable')],
        spec: deadline,
      },
      [broken[0]!, { watch: 25 }],
    ),
    lab(
      'istio-subsets-analysis-background-broken',
      { ...ROUTE, strategy: inBackground, more: [analysisTemplate('result == "2"')] },
      [...broken, LOOK],
    ),
    lab('istio-ping-pong-broken-abort', PING_PONG, [...broken, 'abort', LOOK, { release: 'v1' }, LOOK]),
    lab('istio-ping-pong-deadline-abort', { ...PING_PONG, spec: deadline }, [broken[0]!, { watch: 25 }]),
    lab('istio-unnamed-header', UNNAMED_HEADER, [
      ...upTo(1),
      'promote',
      { until: { phase: 'Paused', step: 4 } },
      'finish',
    ]),
    lab('istio-subsets-scale', ROUTE, [...upTo(1), { scale: 8 }, LOOK, 'finish']),
  ];
}
