/** A GitOps tool applies what the controller has changed, or a person deletes what it has created, in the middle of a release. */
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import { applied } from '../applied';
import { type KruiseLab, lab, patchOf, STYLES, upTo } from './lab';
import { ROUTES } from './routes';
import { type StackOptions, WORKLOADS } from './stack';

const LOOK: StoryAction = { watch: 8 };
const BACK: StoryAction = { release: 'v1' };

const canaryObject = (apiVersion: string, kind: string, change: object | null): StoryAction => ({
  patch: { apiVersion, kind, name: 'shop-canary', with: change as never },
});
const CANARY_SERVICE_GONE = canaryObject('v1', 'Service', null);
const CANARY_INGRESS_GONE = canaryObject('networking.k8s.io/v1', 'Ingress', null);
/** A tool that replaces the Service takes the hash out of its selector. */
const REPLACED = patchOf('Service', 'v1', { spec: { selector: { 'pod-template-hash': null } } });
const HALF: StoryAction = canaryObject('networking.k8s.io/v1', 'Ingress', {
  metadata: { annotations: { 'nginx.ingress.kubernetes.io/canary-weight': '50' } },
});

/** Routers whose declared route the controller changes in place. */
const IN_PLACE = ['alb-in-place', 'istio', 'istio-subsets', 'gateway-api', 'traefik', 'contour'] as const;

/** Fields of a Deployment that people declare, and that the controller changes for the time of a release. */
const DECLARED: Readonly<Record<string, KubernetesObject>> = {
  strategy: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } } },
  'min-ready': { minReadySeconds: 0 },
  deadline: { progressDeadlineSeconds: 600 },
  unpaused: { paused: false },
};

function workloadsAgain(): KruiseLab[] {
  return STYLES.flatMap((style) =>
    Object.entries(DECLARED).flatMap(([field, spec]) => {
      const again = patchOf('Deployment', 'apps/v1', { spec });
      const told = (name: string, ...story: readonly StoryAction[]) =>
        lab(`${style}-workload-${field}${name}`, { style, route: 'nginx' }, [...upTo(1), again, LOOK, ...story]);
      return [told('', 'finish'), told('-back', BACK, 'finish')];
    }),
  );
}

/** The same for other workloads, by the name of their labs. */
const OTHERS: readonly (readonly [string, Pick<StackOptions, 'workload' | 'style'>, KubernetesObject])[] = [
  ['cloneset-partition', { workload: 'CloneSet', style: 'partition' }, { updateStrategy: { partition: 0 } }],
  ['cloneset-blueGreen-min-ready', { workload: 'CloneSet', style: 'blueGreen' }, { minReadySeconds: 0 }],
  [
    'cloneset-blueGreen-strategy',
    { workload: 'CloneSet', style: 'blueGreen' },
    { updateStrategy: { maxSurge: 0, maxUnavailable: '20%' } },
  ],
  [
    'statefulset-partition',
    { workload: 'StatefulSet', style: 'partition' },
    { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } },
  ],
  [
    'advanced-statefulset-partition',
    { workload: 'AdvancedStatefulSet', style: 'partition' },
    { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } },
  ],
];

function otherWorkloadsAgain(): KruiseLab[] {
  return OTHERS.flatMap(([name, { workload = 'Deployment', style }, spec]) => {
    const { apiVersion, kind } = WORKLOADS[workload];
    const again = patchOf(kind, apiVersion, { spec });
    const told = (suffix: string, ...story: readonly StoryAction[]) =>
      lab(`${name}-again${suffix}`, { style, workload, route: 'nginx' }, [...upTo(1), again, LOOK, ...story]);
    return [told('', 'finish'), told('-back', BACK, LOOK, 'finish')];
  });
}

export function gitOps(): KruiseLab[] {
  return [...routesAgain(), ...workloadsAgain(), ...otherWorkloadsAgain()];
}

function routesAgain(): KruiseLab[] {
  return STYLES.flatMap((style) => {
    const told = (name: string, route: keyof typeof ROUTES, ...story: readonly StoryAction[]) =>
      lab(`${style}-${route}-${name}`, { style, route }, story);
    return [
      ...IN_PLACE.flatMap((route) => {
        const again = applied(ROUTES[route].objects.at(-1)!);
        return [
          told('applied-again', route, ...upTo(2), again, LOOK, 'finish'),
          told('applied-again-back', route, ...upTo(2), again, LOOK, BACK, 'finish'),
        ];
      }),
      told('service-replaced', 'nginx', ...upTo(1), REPLACED, LOOK, 'finish'),
      told('service-replaced-back', 'nginx', ...upTo(1), REPLACED, LOOK, BACK, 'finish'),
      told('canary-ingress-gone', 'nginx', ...upTo(1), CANARY_INGRESS_GONE, LOOK, 'finish'),
      told('canary-ingress-gone-back', 'nginx', ...upTo(1), CANARY_INGRESS_GONE, LOOK, BACK, 'finish'),
      told('canary-ingress-edited', 'nginx', ...upTo(1), HALF, LOOK, 'finish'),
      told('canary-service-gone', 'nginx', ...upTo(1), CANARY_SERVICE_GONE, LOOK, 'finish'),
      told('canary-service-gone-back', 'istio', ...upTo(1), CANARY_SERVICE_GONE, LOOK, BACK, 'finish'),
    ];
  });
}
