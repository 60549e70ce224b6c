import { isJsonObject, type Manifest, ownValue, type World } from '../../core';
import { numberOf } from '../../core/json';
import { parseIntOrString } from '../go-values';
import { listOf, textOf } from '../values';
import { int32Annotation, mapAnnotation, textAnnotation } from './annotations';
import type { Member } from './class';
import { BuildFailure, type ErrorClass } from './failure';
import type { LoadBalancerSettings } from './load-balancer';
import type { TargetGroup } from './model';

/** A port of a Service as the API server fills it in. */
interface ServicePort {
  readonly name: string;
  readonly port: number;
  readonly targetPort: number | string;
  /** 0 if the Service has none. */
  readonly nodePort: number;
}

/** The target groups of one group of Ingresses; each is built once. */
export class TargetGroups {
  private readonly made = new Map<string, TargetGroup>();
  private readonly lookedFor = new Map<Member, Map<string, Manifest | undefined>>();

  constructor(
    readonly world: World,
    readonly settings: LoadBalancerSettings,
  ) {}

  /** The Service of that name in the member's namespace. */
  findService(member: Member, name: string): Manifest | undefined {
    const service = this.world.find('Service', name, member.ingress.namespace);
    this.lookedFor.get(member)?.set(name, service);
    return service;
  }

  /** Starts to record the Services that the member looks up. */
  watch(member: Member): ReadonlyMap<string, Manifest | undefined> {
    const services = new Map<string, Manifest | undefined>();
    this.lookedFor.set(member, services);
    return services;
  }

  /**
   * The target group of an Ingress for a port of a Service.
   * @throws BuildFailure
   */
  get(member: Member, service: Manifest, port: number | string): TargetGroup {
    // Each Ingress has its own target groups, even for a Service that another Ingress uses.
    const key = `${member.ingress.key} ${service.name}:${port}`;
    const existing = this.made.get(key);
    if (existing !== undefined) return existing;
    withoutPlaceInService(service, () => checkTargetGroup(member, service, port, this.settings));
    const made = { namespace: member.ingress.namespace, service: service.name, port };
    this.made.set(key, made);
    return made;
  }
}

/** A mistake in an annotation of the Service has no place in the Ingress. */
function withoutPlaceInService(service: Manifest, check: () => void): void {
  try {
    check();
  } catch (error) {
    const isOfService = error instanceof BuildFailure && Object.hasOwn(service.annotations, String(error.path?.at(-1)));
    throw isOfService ? failure(error.errorClass, error.message) : error;
  }
}

function checkTargetGroup(
  { ingress, params }: Member,
  service: Manifest,
  port: number | string,
  settings: LoadBalancerSettings,
): void {
  const servicePort = lookUpPort(service, port);
  if (servicePort === undefined) {
    throw failure('service-port', `unable to find port ${port} on service ${ingress.namespace}/${service.name}`);
  }
  // The annotations of the Service win over those of the Ingress.
  const annotations = { ...ingress.annotations, ...service.annotations };
  const targetType =
    (textOf(ownValue(params, 'targetType')) || textAnnotation(annotations, 'target-type')) ?? 'instance';
  if (targetType !== 'instance' && targetType !== 'ip')
    throw failure('target-type', `unknown targetType: ${targetType}`);
  checkChoice(annotations, 'backend-protocol', ['HTTP', 'HTTPS']);
  checkChoice(annotations, 'backend-protocol-version', ['HTTP1', 'HTTP2', 'GRPC']);
  checkHealthCheck(annotations, service, targetType);
  mapAnnotation(annotations, 'target-group-attributes', 'target-group-setting');
  mapAnnotation(service.annotations, 'tags', 'target-group-setting');
  if (isIpv6(service) && !settings.ipAddressType.startsWith('dualstack')) {
    throw failure('target-group-setting', 'unsupported IPv6 configuration, lb not dual-stack');
  }
  checkPort(targetType, servicePort);
}

function checkPort(targetType: string, { nodePort, targetPort }: ServicePort): void {
  if (targetType === 'instance' && nodePort === 0) {
    const why = "When using Instance targets, your service be must of type 'NodePort' or 'LoadBalancer'";
    throw failure('target-group-port', `TargetGroup port is empty. ${why}`);
  }
  if (targetType === 'ip' && targetPort === 0) {
    throw failure('target-group-port', 'TargetGroup port is empty. Are you using the correct service type?');
  }
}

function checkHealthCheck(annotations: Readonly<Record<string, string>>, service: Manifest, targetType: string): void {
  checkHealthCheckPort(textAnnotation(annotations, 'healthcheck-port'), service, targetType);
  checkChoice(annotations, 'healthcheck-protocol', ['HTTP', 'HTTPS']);
  for (const suffix of HEALTH_CHECK_NUMBERS) int32Annotation(annotations, suffix, 'target-group-setting');
}

const HEALTH_CHECK_NUMBERS = [
  'healthcheck-interval-seconds',
  'healthcheck-timeout-seconds',
  'healthy-threshold-count',
  'unhealthy-threshold-count',
];

function checkHealthCheckPort(text: string | undefined, service: Manifest, targetType: string): void {
  if (text === undefined || text === 'traffic-port') return;
  const port = parseIntOrString(text);
  if (typeof port === 'number') return;
  const servicePort = lookUpPort(service, port);
  if (servicePort === undefined) {
    throw failure('target-group-setting', `failed to resolve healthCheckPort: unable to find port ${port}`);
  }
  if (targetType === 'ip' && typeof servicePort.targetPort === 'string') {
    const why = "cannot use named healthCheckPort for IP TargetType when service's targetPort is a named port";
    throw failure('target-group-setting', why);
  }
}

function checkChoice(annotations: Readonly<Record<string, string>>, suffix: string, known: readonly string[]): void {
  const value = textAnnotation(annotations, suffix);
  if (value === undefined || known.includes(value)) return;
  throw failure('target-group-setting', `${suffix} must be within [${known.join(', ')}]: ${value}`);
}

function lookUpPort(service: Manifest, port: number | string): ServicePort | undefined {
  const spec = ownValue(service.object, 'spec');
  const type = textOf(ownValue(spec, 'type')) ?? 'ClusterIP';
  const allocates = type === 'NodePort' || (type === 'LoadBalancer' && allocatesNodePorts(spec));
  const found = listOf(ownValue(spec, 'ports')).find(
    (candidate) => ownValue(candidate, typeof port === 'string' ? 'name' : 'port') === port,
  );
  if (found !== undefined) {
    return {
      name: textOf(ownValue(found, 'name')) ?? '',
      port: numberOf(ownValue(found, 'port')) ?? 0,
      targetPort: targetPortOf(ownValue(found, 'targetPort')) || (numberOf(ownValue(found, 'port')) ?? 0),
      // The API server chooses a node port if the manifest has none.
      nodePort: numberOf(ownValue(found, 'nodePort')) || (allocates ? CHOSEN_BY_API_SERVER : 0),
    };
  }
  const isExternalName = type === 'ExternalName' && typeof port === 'number';
  return isExternalName ? { name: '', port, targetPort: port, nodePort: 0 } : undefined;
}

const CHOSEN_BY_API_SERVER = 30_000;

function allocatesNodePorts(spec: unknown): boolean {
  return ownValue(spec, 'allocateLoadBalancerNodePorts') !== false;
}

function isIpv6(service: Manifest): boolean {
  const spec = ownValue(service.object, 'spec');
  return isJsonObject(spec) && listOf(spec.ipFamilies).includes('IPv6');
}

function targetPortOf(value: unknown): number | string {
  return typeof value === 'number' || typeof value === 'string' ? value : 0;
}

function failure(errorClass: ErrorClass, message: string): BuildFailure {
  return new BuildFailure(errorClass, message);
}
