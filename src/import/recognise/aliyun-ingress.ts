/** Ingresses on an ALB of Alibaba Cloud with a canary of Kruise Rollouts. */
import { asList, asObject, type Json, textOf } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { ALIYUN_ORDER_ANNOTATIONS } from '../../kruise/alb/aliyun-canary-ingress';
import { type Code, list, maybe, object, value } from '../code';
import { serviceOf } from './alb-settings';
import { type Context, metadataOf, type Recognised, statementFor } from './context';

/** An Ingress with an order for itself and one for its canary. */
export function recogniseAliyunIngress(manifest: Manifest, { world }: Context): Recognised | undefined {
  const [stable, canary] = ALIYUN_ORDER_ANNOTATIONS.map((key) => manifest.annotations[key]);
  if (manifest.groupKind !== 'Ingress.networking.k8s.io' || stable === undefined || canary === undefined) {
    return undefined;
  }
  const rules = asList(manifest.get('spec.rules'));
  const services = rules.flatMap(pathsOf).map((path) => serviceOf(asObject(asObject(path).backend)));
  const released = releasedService(manifest, world);
  const own = services.find(({ name }) => name === released) ?? services[0];
  if (own?.port === undefined) return { refusal: 'no path leads to a Service' };
  const className = textOf(manifest.get('spec.ingressClassName'));
  const props = object({
    metadata: metadataOf(manifest, ALIYUN_ORDER_ANNOTATIONS),
    service: object({ name: value(own.name), port: value(own.port) }),
    rules: list(rules.map((rule) => ruleCode(rule, own))),
    ingressClassName: className === 'alb' ? undefined : maybe(className),
    order: value({ stable: Number(stable), canary: Number(canary) }),
  });
  return [statementFor(manifest, 'AliyunAlbCanaryIngress', props)];
}

/** The Service that a Rollout releases through the Ingress. */
function releasedService(ingress: Manifest, world: Context['world']): string | undefined {
  const rollouts = world.list('Rollout.rollouts.kruise.io', world.namespaceOf(ingress));
  const routings = rollouts.flatMap(({ object: { spec } }) => {
    const { canary, blueGreen } = asObject(asObject(spec).strategy);
    return asList(asObject(canary ?? blueGreen).trafficRoutings).map(asObject);
  });
  return textOf(routings.find((routing) => asObject(routing.ingress).name === ingress.name)?.service);
}

function pathsOf(rule: Json): readonly Json[] {
  return asList(asObject(asObject(rule).http).paths);
}

function ruleCode(rule: Json, own: ReturnType<typeof serviceOf>): Code {
  const { host } = asObject(rule);
  return object({
    host: maybe(host),
    paths: list(
      pathsOf(rule).map((path) => {
        const { path: text, pathType, backend } = asObject(path);
        const { name, port } = serviceOf(asObject(backend));
        const isOwn = name === own.name && port === own.port;
        return object({
          path: value(text ?? ''),
          pathType: pathType === 'Prefix' ? undefined : maybe(pathType),
          service: isOwn ? undefined : object({ name: value(name), port: maybe(port) }),
        });
      }),
    ),
  });
}
