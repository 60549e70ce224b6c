/** Ingresses on AWS load balancers with a canary of Kruise Rollouts, and their classes. */
import { asList, asObject, type Json, type JsonObject, sameJson, textOf } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { ALB_CLASS_ANNOTATION, CANARY_GROUP_ORDER_ANNOTATION } from '../../kruise/alb/annotations';
import { USE_ANNOTATION } from '../../routers/ingress/alb-annotations';
import { DEFAULT_CLASS_ANNOTATION } from '../../routers/ingress/class';
import { type Code, call, isEmpty, list, maybe, object, reference, value } from '../code';
import { keyOfManifest } from '../statement';
import { AlbAnnotations, actionNames, loadBalancerCodes, ruleCodes, serviceOf } from './alb-settings';
import { type Context, metadataOf, type Recognised, statementFor } from './context';

const CLASS = 'IngressClass.networking.k8s.io';
const PARAMS = 'IngressClassParams.elbv2.k8s.aws';

/** An IngressClass with IngressClassParams of the same name. */
export function recogniseAlbIngressClass(manifest: Manifest, { world }: Context): Recognised | undefined {
  if (manifest.groupKind !== CLASS || manifest.get('spec.controller') !== 'ingress.k8s.aws/alb') return undefined;
  const params = paramsOf(manifest, world);
  if (params === undefined) return { refusal: 'an AlbIngressClass has IngressClassParams, which are not in the input' };
  const { namespaceSelector, group, certificateArn, inboundCIDRs, loadBalancerAttributes, tags, ...spec } = asObject(
    params.object.spec,
  );
  const isDefault = manifest.annotations[DEFAULT_CLASS_ANNOTATION] === 'true';
  const props = object({
    metadata: metadataOf(manifest, isDefault ? [DEFAULT_CLASS_ANNOTATION] : []),
    group: maybe(asObject(group).name),
    scheme: maybe(spec.scheme),
    targetType: maybe(spec.targetType),
    ipAddressType: maybe(spec.ipAddressType),
    certificates: maybe(certificateArn),
    sslPolicy: maybe(spec.sslPolicy),
    inboundCidrs: maybe(inboundCIDRs),
    loadBalancerAttributes: loadBalancerAttributes === undefined ? undefined : keyValues(loadBalancerAttributes),
    tags: tags === undefined ? undefined : keyValues(tags),
    namespaceSelector: maybe(asObject(namespaceSelector).matchLabels),
    isDefault: isDefault ? value(true) : undefined,
  });
  return [{ ...statementFor(manifest, 'AlbIngressClass', props), writes: [manifest, params] }];
}

function paramsOf(ingressClass: Manifest, world: Context['world']): Manifest | undefined {
  const name = textOf(ingressClass.get('spec.parameters.name'));
  return name === undefined ? undefined : world.find(PARAMS, name);
}

function keyValues(json: Json): Code {
  const entries = asList(json).map((entry) => [String(asObject(entry).key), asObject(entry).value ?? '']);
  return value(Object.fromEntries(entries) as JsonObject);
}

/** An Ingress with an action that forwards to one Service, which gets the canary. */
export function recogniseAlbCanaryIngress(manifest: Manifest, context: Context): Recognised | undefined {
  const rules = asList(manifest.get('spec.rules'));
  if (manifest.groupKind !== 'Ingress.networking.k8s.io') return undefined;
  const stable = actionNames(rules).flatMap((name) => releasedBy(name, manifest) ?? [])[0];
  if (stable === undefined) return undefined;
  const annotations = new AlbAnnotations(manifest.annotations);
  annotations.take(`actions.${stable.name}`);
  const ingressClass = classOf(manifest, context);
  const paths = ruleCodes(rules, annotations, {
    defaultPathType: 'Prefix',
    isReleased: (backend) => {
      const { name, port } = serviceOf(backend);
      return name === stable.name && port === USE_ANNOTATION;
    },
  });
  const settings = {
    service: object({ name: value(stable.name), port: value(stable.port) }),
    rules: isEverything(rules) ? undefined : list(paths),
    mode: modeCode(annotations, ingressClass.settings.group),
    ingressClass: ingressClass.code,
    scheme: annotations.oneOf('scheme', 'internal', 'internet-facing'),
    targetType: targetTypeCode(annotations),
    ...loadBalancerCodes(annotations),
    stickiness: maybe(stable.stickiness),
  };
  annotations.takeKey(ALB_CLASS_ANNOTATION);
  const props = object({ metadata: metadataOf(manifest, [...annotations.read]), ...settings });
  return [statementFor(manifest, 'AlbCanaryIngress', props)];
}

/** The Service of an action that forwards to it alone. */
function releasedBy(name: string, manifest: Manifest) {
  const { type, forwardConfig } = asObject(new AlbAnnotations(manifest.annotations).json(`actions.${name}`));
  const { targetGroups, targetGroupStickinessConfig } = asObject(forwardConfig);
  const [target, ...more] = asList(targetGroups);
  const { serviceName, servicePort } = asObject(target);
  if (type !== 'forward' || more.length > 0 || serviceName !== name || servicePort === undefined) return undefined;
  return { name, port: servicePort, stickiness: asObject(targetGroupStickinessConfig).durationSeconds };
}

/** Pods are the default of the construct. */
function targetTypeCode(annotations: AlbAnnotations): Code | undefined {
  const code = annotations.oneOf('target-type', 'ip', 'instance');
  return code?.kind === 'value' && code.value === 'ip' ? undefined : code;
}

function isEverything(rules: readonly Json[]): boolean {
  const [rule, ...more] = rules;
  const [path, ...others] = asList(asObject(asObject(rule).http).paths);
  const { backend: _, ...written } = asObject(path);
  const isAny = Object.keys(asObject(rule)).length === 1 && sameJson(written, { path: '/', pathType: 'Prefix' });
  return more.length === 0 && others.length === 0 && isAny;
}

function modeCode(annotations: AlbAnnotations, classGroup: Json | undefined): Code | undefined {
  const name = annotations.take('group.name');
  const group = name === undefined || name === classGroup ? undefined : value(name);
  const order = annotations.number('group.order');
  const canaryOrder = annotations.numberUnder(CANARY_GROUP_ORDER_ANNOTATION);
  if (canaryOrder === undefined) {
    const options = object({ group, order });
    return isEmpty(options) ? undefined : call('AlbCanaryMode.customNetworkRefs', options);
  }
  const isBelow =
    order?.kind === 'value' && canaryOrder.kind === 'value' && Number(order.value) - 1 === canaryOrder.value;
  return call('AlbCanaryMode.ingress', object({ group, order, canaryOrder: isBelow ? undefined : canaryOrder }));
}

/** The class of an Ingress: the statement that makes it, or its name with what its parameters set. */
export function classOf(manifest: Manifest, { world, statements }: Context) {
  const name = textOf(manifest.get('spec.ingressClassName')) ?? '';
  const made = world.find(CLASS, name);
  const spec = asObject((made && paramsOf(made, world))?.object.spec);
  const settings = { group: asObject(spec.group).name, targetType: spec.targetType, scheme: spec.scheme };
  const key = made && keyOfManifest(made);
  const isConstruct = key !== undefined && statements.get(key)?.class === 'AlbIngressClass';
  const params = object({
    group: maybe(settings.group),
    targetType: maybe(settings.targetType),
    scheme: maybe(settings.scheme),
  });
  const isPlain = isEmpty(params);
  const code = isConstruct
    ? reference(key)
    : isPlain
      ? name === 'alb'
        ? undefined
        : value(name)
      : call('AlbIngressClass.fromName', value(name), params);
  return { code, settings };
}
