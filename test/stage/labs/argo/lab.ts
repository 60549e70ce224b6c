/** What the labs of Argo Rollouts have in common. */
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import type { ListedLab } from '../listed';
import { type StackOptions, stackOf } from './stack';

export const STRAIGHT: readonly StoryAction[] = [{ release: 'v2' }, 'finish'];

export const PAUSED: StoryAction = { until: { phase: 'Paused' } };

export const DEGRADED: StoryAction = { until: { phase: 'Degraded' } };

/** Up to the pause after a weight, counted from 1, of steps with a pause after each weight. */
export function upTo(pause: number): StoryAction[] {
  const actions: StoryAction[] = [{ release: 'v2' }, { until: { phase: 'Paused', step: 1 } }];
  for (let next = 2; next <= pause; next += 1)
    actions.push('promote', { until: { phase: 'Paused', step: 2 * next - 1 } });
  return actions;
}

/** Up to the pause before the switch of a blue-green release. */
export const WAITING: readonly StoryAction[] = [{ release: 'v2' }, { until: { phase: 'Paused' } }];

/** Aborts there, and looks on until the new pods are gone. */
export const abort = (pause: 1 | 2, seconds: number): StoryAction[] => [
  ...upTo(pause),
  'abort',
  DEGRADED,
  { watch: seconds },
];

export function patchOf(kind: string, apiVersion: string, change: KubernetesObject | null, name = 'shop'): StoryAction {
  return { patch: { apiVersion, kind, name, with: change } };
}

/** Pods go soon after an abort and after the end, so that a play does not take a minute. */
export const SOON = { abortScaleDownDelaySeconds: 5, scaleDownDelaySeconds: 5 };

export const BETA = { name: 'shop-beta' };

export const SET_BETA = { setHeaderRoute: { ...BETA, match: [{ headerName: 'x-beta', headerValue: { exact: '1' } }] } };

export function lab(name: string, options: StackOptions, story: readonly StoryAction[] = STRAIGHT): ListedLab {
  const isBlueGreen = options.route === 'blueGreen';
  const place = isBlueGreen ? { style: 'blueGreen', router: 'alb' } : { style: 'canary', router: options.route };
  return { name, ...place, manifests: stackOf(options), story };
}

/** People change fields of a strategy. */
export function strategyEdit(strategy: 'canary' | 'blueGreen', fields: KubernetesObject): StoryAction {
  return patchOf('Rollout', 'argoproj.io/v1alpha1', { spec: { strategy: { [strategy]: fields } } });
}
