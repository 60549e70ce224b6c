/** A GitOps tool applies what the controller has changed, or a person deletes what it has created, in the middle of a release. */
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import { applied } from '../applied';
import type { ListedLab } from '../listed';
import { DEGRADED, lab, patchOf, SOON, STRAIGHT, upTo } from './lab';
import { ROUTES } from './routes';

const LOOK: StoryAction = { watch: 8 };
const BACK: StoryAction = { release: 'v1' };
const AGAIN: readonly StoryAction[] = [{ release: 'v3' }, 'finish'];
const CANARY_INGRESS = 'shop-shop-canary';

/** Routers whose declared route the controller changes in place. */
const IN_PLACE = ['alb', 'istio', 'istio-subsets'] as const;

export function gitOps(): ListedLab[] {
  const told = (name: string, route: keyof typeof ROUTES, ...story: readonly StoryAction[]) =>
    lab(`${route}-${name}`, { route, strategy: SOON }, story);
  const ingress = (change: Parameters<typeof patchOf>[2], name?: string) =>
    patchOf('Ingress', 'networking.k8s.io/v1', change, name);
  const half = ingress(
    { metadata: { annotations: { 'nginx.ingress.kubernetes.io/canary-weight': '50' } } },
    CANARY_INGRESS,
  );
  return [
    ...IN_PLACE.flatMap((route) =>
      ROUTES[route].objects.flatMap((object: KubernetesObject) => {
        const name = ROUTES[route].objects.length > 1 ? `applied-again-${object.kind}` : 'applied-again';
        const again = applied(object);
        return [
          told(name, route, ...upTo(2), again, LOOK, 'finish'),
          told(`${name}-aborted`, route, ...upTo(2), 'abort', DEGRADED, LOOK, again, LOOK),
          told(`${name}-back`, route, ...upTo(2), again, LOOK, BACK, LOOK),
          told(`${name}-after`, route, ...STRAIGHT, LOOK, again, LOOK),
          ...(object.kind === 'DestinationRule' ? [told(`${name}-before`, route, again, LOOK, ...STRAIGHT)] : []),
        ];
      }),
    ),
    ...(['alb', 'istio', 'nginx'] as const).map((route) =>
      told(
        'service-gone-after',
        route,
        ...STRAIGHT,
        LOOK,
        patchOf('Service', 'v1', null, 'shop-canary'),
        LOOK,
        ...AGAIN,
      ),
    ),
    ...(['shop-stable', 'shop-canary'] as const).flatMap((name) => {
      const freed = patchOf('Service', 'v1', { spec: { selector: { 'rollouts-pod-template-hash': null } } }, name);
      const told = (when: string, ...story: readonly StoryAction[]) =>
        lab(`alb-replaced-${name}-${when}`, { route: 'alb', strategy: SOON }, story);
      return [
        told('paused', ...upTo(1), freed, LOOK, 'finish'),
        told('aborted', ...upTo(1), 'abort', DEGRADED, LOOK, freed, LOOK),
        told('after', ...STRAIGHT, LOOK, freed, LOOK),
      ];
    }),
    told('canary-ingress-gone', 'nginx', ...upTo(1), ingress(null, CANARY_INGRESS), LOOK, 'finish'),
    told(
      'canary-ingress-gone-aborted',
      'nginx',
      ...upTo(1),
      'abort',
      DEGRADED,
      LOOK,
      ingress(null, CANARY_INGRESS),
      LOOK,
      'retry',
      'finish',
    ),
    told('canary-ingress-gone-after', 'nginx', ...STRAIGHT, LOOK, ingress(null, CANARY_INGRESS), LOOK, ...AGAIN),
    told('canary-ingress-edited-after', 'nginx', ...STRAIGHT, LOOK, half, LOOK),
    told('canary-ingress-edited', 'nginx', ...upTo(1), half, LOOK, 'finish'),
    told(
      'edit-ingress',
      'nginx',
      ...upTo(1),
      ingress({ metadata: { annotations: { 'nginx.ingress.kubernetes.io/proxy-body-size': '16m' } } }),
      LOOK,
      'finish',
    ),
  ];
}
