/** What the labs of Argo Rollouts have in common. */
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import type { ListedLab } from '../listed';
import { type StackOptions, stackOf } from './stack';

export const STRAIGHT: readonly StoryAction[] = [{ release: 'v2' }, 'finish'];

export const DEGRADED: StoryAction = { until: { phase: 'Degraded' } };

/** Up to the pause after the first or the second weight. */
export function upTo(pause: 1 | 2): StoryAction[] {
  const first: StoryAction[] = [{ release: 'v2' }, { until: { phase: 'Paused', step: 1 } }];
  return pause === 1 ? first : [...first, 'promote', { until: { phase: 'Paused', step: 3 } }];
}

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
