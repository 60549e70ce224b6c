/** What the labs of Kruise Rollouts have in common. */
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import type { ListedLab } from '../listed';
import { ROUTES, type Route } from './routes';
import { type StackOptions, type Style, stackOf } from './stack';

/** A lab that some releases can play. */
export interface KruiseLab extends ListedLab {
  /** The first minor release of 0.x that can play it. */
  readonly since: number;
  /**
   * Releases whose controller would exit, for all labs.
   * @default - none
   */
  readonly except?: readonly string[];
}

export const STRAIGHT: readonly StoryAction[] = [{ release: 'v2' }, 'finish'];

/** The pods of the new version never become ready. */
export const BROKEN: StoryAction = { release: 'v2', ready: 'never' };

/** Up to the pause of a step. */
export function upTo(step: number): StoryAction[] {
  const actions: StoryAction[] = [{ release: 'v2' }, { until: { step: 1, state: 'StepPaused' } }];
  for (let next = 2; next <= step; next += 1) actions.push('approve', { until: { step: next, state: 'StepPaused' } });
  return actions;
}

export function patchOf(kind: string, apiVersion: string, change: KubernetesObject | null): StoryAction {
  return { patch: { apiVersion, kind, name: 'shop', with: change } };
}

export const HEADERS = (name: string, value: string, type = 'Exact') => [{ headers: [{ type, name, value }] }];

export const STYLES: readonly Style[] = ['canary', 'partition', 'blueGreen'];

/** From which release on a style can be declared in v1beta1. */
const SINCE: Readonly<Record<Style, number>> = { canary: 5, partition: 5, blueGreen: 6 };

export function lab(name: string, options: StackOptions, story = STRAIGHT, since = 0): KruiseLab {
  const route: Route | undefined = options.route === 'none' ? undefined : ROUTES[options.route];
  const api = options.api === 'v1alpha1' ? 3 : SINCE[options.style];
  return {
    name,
    style: styleText(options),
    router: [options.route, ...(options.and ? [options.and] : [])].join(' and '),
    manifests: stackOf(options),
    story,
    since: Math.max(since, api, route?.since ?? 0),
  };
}

/** The style, with what is not as usual: `partition, StatefulSet, v1alpha1`. */
function styleText({ style, workload = 'Deployment', api = 'v1beta1' }: StackOptions): string {
  return [style, ...(workload === 'Deployment' ? [] : [workload]), ...(api === 'v1beta1' ? [] : [api])].join(', ');
}
