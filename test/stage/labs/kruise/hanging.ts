/** Releases of Kruise Rollouts that hang, and the way out of each. */
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import { hangsIn, known, type ListedHang } from '../hang';
import { BROKEN, patchOf, upTo } from './lab';
import { type StackOptions, type Style, stackOf } from './stack';

const API = 'rollouts.kruise.io/v1beta1';
const HEALTHY: StoryAction = { until: { phase: 'Healthy' } };
const STYLES: readonly Style[] = ['canary', 'partition', 'blueGreen'];

const deployment = (spec: KubernetesObject) => patchOf('Deployment', 'apps/v1', { spec });
const onNodes = (disk: string | null) =>
  deployment({ template: { spec: { nodeSelector: disk === null ? null : { disk } } } });
const strategy = (change: KubernetesObject) => patchOf('Rollout', API, { spec: { strategy: change } });

/** A controller that has failed for long waits for minutes, unless the Rollout changes. */
const LOOK_AGAIN = patchOf('Rollout', API, { metadata: { annotations: { again: '1' } } });

/** A quota that the pods of a release exceed. */
const QUOTA = (pods: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'pods' },
  spec: { hard: { pods } },
});
const MORE_PODS: StoryAction = { patch: { apiVersion: 'v1', kind: 'ResourceQuota', name: 'pods', with: QUOTA('20') } };

const { again, hang } = hangsIn(stackOf);

/** All hangs. */
export function kruiseHangs(): readonly ListedHang[] {
  const nginx = (style: Style): StackOptions => ({ style, route: 'nginx' });
  const gateway: StackOptions = { style: 'canary', route: 'gateway-api' };
  const istio: StackOptions = { style: 'canary', route: 'istio' };
  const pause = {};
  return [
    known('blueGreen-third-2', { release: 'v1' }, HEALTHY, { release: 'v3' }, 'finish'),
    ...(['blueGreen', 'partition'] as const).map((style) =>
      known(`${style}-rollout-id`, 'disable', { until: { phase: 'Disabled' } }, { watch: 5 }, 'enable', HEALTHY),
    ),
    known('blueGreen-one-service', strategy({ blueGreen: { disableGenerateCanaryService: null } }), 'finish'),
    known(
      'canary-gateway-api-same-service',
      strategy({ canary: { disableGenerateCanaryService: null } }),
      again(gateway, 'HTTPRoute'),
      LOOK_AGAIN,
      HEALTHY,
    ),
    known('canary-gateway-api-jump-to-matches', again(gateway, 'HTTPRoute'), HEALTHY),
    // What is missing.
    known('canary-service-gone', again(nginx('canary'), 'Service'), 'finish'),
    known('canary-gateway-api-route-gone', again(gateway, 'HTTPRoute'), 'finish'),
    known('canary-istio-route-gone', again(istio, 'VirtualService'), 'finish'),
    ...STYLES.flatMap((style) => [
      known(`${style}-no-ingress`, again(nginx(style), 'Ingress'), 'finish'),
      known(`${style}-no-service`, again(nginx(style), 'Service'), 'finish'),
    ]),
    // Steps that need more pods than there are, or as many.
    known('partition-one-pod', { release: 'v1' }, 'finish'),
    known('partition-all-at-step', strategy({ canary: { steps: [{ replicas: 4, pause }] } }), 'finish'),
    // Routes that cannot be written.
    known('canary-aws-alb-long-name', { release: 'v1' }, 'finish'),
    known(
      'canary-mse-no-annotations',
      patchOf('Ingress', 'networking.k8s.io/v1', { metadata: { annotations: { a: 'b' } } }),
      'finish',
    ),
    known(
      'advanced-daemonset-nginx',
      'disable',
      { until: { phase: 'Disabled' } },
      strategy({ canary: { trafficRoutings: null } }),
      'enable',
      HEALTHY,
    ),
    // Pods.
    ...STYLES.map((style) =>
      hang(`${style}-broken`, nginx(style), [BROKEN, { watch: 15 }], [{ release: 'v1' }, 'finish']),
    ),
    hang('canary-broken-third', nginx('canary'), [BROKEN, { watch: 15 }], [{ release: 'v3' }, 'finish']),
    ...STYLES.map((style) =>
      hang(
        `${style}-quota`,
        { ...nginx(style), more: [QUOTA('4')] },
        [{ release: 'v2' }, { watch: 20 }],
        [MORE_PODS, 'finish'],
      ),
    ),
    ...STYLES.map((style) =>
      hang(`${style}-unschedulable`, nginx(style), [onNodes('fast'), { watch: 15 }], [onNodes(null), 'finish']),
    ),
    // People and time.
    ...STYLES.map((style) => hang(`${style}-pause`, nginx(style), upTo(1), ['finish'])),
    hang(
      'canary-pause-hour',
      { ...nginx('canary'), steps: [{ traffic: '20%', replicas: 1, pause: { duration: 3600 } }, { replicas: '100%' }] },
      [{ release: 'v2' }, { until: { step: 1, state: 'StepPaused' } }],
      ['approve', 'finish'],
    ),
    ...STYLES.map((style) =>
      hang(
        `${style}-paused`,
        nginx(style),
        [...upTo(1), strategy({ paused: true }), { watch: 5 }, 'approve', { watch: 15 }],
        [strategy({ paused: false }), 'finish'],
      ),
    ),
  ];
}
