/** People name another Service or another route between two releases of Kruise. */
import type { StoryAction } from '../../../../src/release';
import type { KubernetesObject } from '../../cluster/api';
import { LOOK } from '../paused';
import { type KruiseLab, lab, patchOf, STRAIGHT, STYLES, upTo } from './lab';
import { HOST, ROUTES, type Route } from './routes';
import { type StackOptions, stackOf } from './stack';

const NEXT = 'shop-next';

/** The object with another name, and a route to the other Service at another host. */
function renamed(object: KubernetesObject): KubernetesObject {
  const text = JSON.stringify({ ...object, metadata: { ...object.metadata, name: NEXT } });
  return JSON.parse(
    text.replace(HOST, 'next.example.com').replace('"service":{"name":"shop"', `"service":{"name":"${NEXT}"`),
  );
}

export function otherRoutes(): KruiseLab[] {
  return STYLES.flatMap((style) => {
    const nginx: Route = ROUTES.nginx;
    const stack = { style, route: 'nginx' } as const;
    const [service] = stackOf(stack).filter(({ kind }) => kind === 'Service');
    const strategy = style === 'blueGreen' ? 'blueGreen' : 'canary';
    const edit = (trafficRoutings: KubernetesObject[] | null) =>
      patchOf('Rollout', 'rollouts.kruise.io/v1beta1', { spec: { strategy: { [strategy]: { trafficRoutings } } } });
    const route = (fields: KubernetesObject) =>
      edit([{ service: 'shop', gracePeriodSeconds: 2, ...nginx.routing, ...fields }]);
    const ingress = { classType: 'nginx', name: NEXT };
    const otherService = route({ service: NEXT });
    const otherIngress = route({ ingress });
    const both = route({ service: NEXT, ingress });
    const more = { ...stack, more: [renamed(service!), ...nginx.objects.map(renamed)] };
    const told = (name: string, options: StackOptions, ...story: readonly StoryAction[]) =>
      lab(`${style}-${name}`, options, story);
    return [
      told('other-service', more, otherService, LOOK, { release: 'v2' }, LOOK, route({}), LOOK),
      told('other-ingress', more, otherIngress, LOOK, { release: 'v2' }, LOOK, route({}), LOOK),
      told('other-route', more, both, LOOK, ...STRAIGHT, LOOK),
      told('other-route-after', more, ...STRAIGHT, both, LOOK, { release: 'v3' }, 'finish'),
      told('other-route-in-release', more, ...upTo(1), both, LOOK, 'finish'),
      told('missing-service', stack, otherService, LOOK, { release: 'v2' }, LOOK, route({}), LOOK),
      told('missing-service-after', stack, ...STRAIGHT, otherService, LOOK, { release: 'v3' }, LOOK),
      told('missing-ingress', stack, otherIngress, LOOK, { release: 'v2' }, LOOK, { release: 'v1' }, LOOK),
      told('no-route-after', stack, ...STRAIGHT, edit(null), LOOK, { release: 'v3' }, 'finish'),
    ];
  });
}
