import { ownValue, type Path } from '../../core';
import { compareBytes } from '../../core/bytes';
import { addTo } from '../../core/grouped';
import { parseInt32 } from '../go-values';
import { annotationKey } from '../ingress/alb-annotations';
import { parseCidr } from '../ip-address';
import { textOf } from '../values';
import {
  annotationPath,
  CLASS_PATH,
  int32Annotation,
  jsonAnnotation,
  listAnnotation,
  textAnnotation,
} from './annotations';
import type { Member } from './class';
import { BuildFailure, forIngress } from './failure';
import { int32, list, mapOf } from './go-json';
import type { Protocol } from './model';

/** A port of the load balancer, and the members with rules on it. */
export interface ListenPort {
  readonly port: number;
  readonly protocol: Protocol;
  readonly members: readonly Member[];
}

const LISTEN_PORTS = 'listen-ports';
const listenPortsJson = list(mapOf(int32));

/**
 * The ports of a group, in ascending order. A port has only the rules of the members that name it.
 * @throws BuildFailure
 */
export function listenPortsOf(members: readonly Member[]): readonly ListenPort[] {
  const byPort = new Map<number, { member: Member; protocol: Protocol }[]>();
  for (const member of members) {
    const ports = forIngress(member.ingress, () => {
      checkInboundCidrs(member);
      return portsOf(member);
    });
    for (const [port, protocol] of ports) addTo(byPort, port, { member, protocol });
  }
  return [...byPort]
    .sort(([a], [b]) => a - b)
    .map(([port, users]) => {
      const { protocol } = users[0]!;
      const other = users.find((user) => user.protocol !== protocol);
      if (other !== undefined) throw protocolConflict(port, users[0]!, other);
      const using = users.map(({ member }) => member);
      checkSame(port, using, 'inbound-cidrs', inboundCidrsOf);
      checkSame(port, using, 'security-group-prefix-lists', prefixListsOf);
      if (protocol === 'HTTPS') checkSame(port, using, 'ssl-policy', sslPolicyOf);
      return { port, protocol, members: using };
    });
}

/**
 * The port to which HTTP listeners redirect all requests; undefined if they don't redirect.
 * @throws BuildFailure
 */
export function sslRedirectPortOf(members: readonly Member[], listenPorts: readonly ListenPort[]): number | undefined {
  const ports = new Set<number>();
  let last: { readonly member: Member; readonly path: Path } | undefined;
  for (const member of members) {
    const fromParams = textOf(ownValue(member.params, 'sslRedirectPort')) || undefined;
    const port =
      fromParams === undefined
        ? forIngress(member.ingress, () => int32Annotation(member.ingress.annotations, 'ssl-redirect', 'ssl-redirect'))
        : parseInt32(fromParams);
    // A port in the IngressClassParams that is not a number disables the redirect of the whole group.
    if (fromParams !== undefined && port === undefined) return undefined;
    if (port === undefined) continue;
    ports.add(port);
    last = { member, path: fromParams === undefined ? annotationPath('ssl-redirect') : CLASS_PATH };
  }
  const [port] = ports;
  if (port === undefined) return undefined;
  const fail = (message: string) => new BuildFailure('ssl-redirect', message, last!.member.ingress, last!.path);
  if (ports.size > 1) throw fail(`conflicting sslRedirect port: [${[...ports].sort((a, b) => a - b).join(' ')}]`);
  const listener = listenPorts.find((candidate) => candidate.port === port);
  if (listener === undefined) throw fail(`listener does not exist for SSLRedirect port: ${port}`);
  if (listener.protocol !== 'HTTPS') throw fail(`listener protocol non-SSL for SSLRedirect port: ${port}`);
  return port;
}

function portsOf({ ingress, params }: Member): ReadonlyMap<number, Protocol> {
  const text = textAnnotation(ingress.annotations, LISTEN_PORTS);
  if (text === undefined)
    return hasCertificates({ ingress, params }) ? new Map([[443, 'HTTPS']]) : new Map([[80, 'HTTP']]);
  const entries = decodeListenPorts(ingress.annotations);
  if (entries.length === 0) throw badListenPorts(`empty listen-ports configuration: \`${text}\``);
  const ports = new Map<number, Protocol>();
  for (const entry of entries) {
    for (const [protocol, port] of entry) {
      if (port < 1 || port > 65535) throw badListenPorts(`listen port must be within [1, 65535]: ${port}`);
      if (protocol !== 'HTTP' && protocol !== 'HTTPS') {
        throw badListenPorts(`listen protocol must be within [HTTP, HTTPS]: ${protocol}`);
      }
      ports.set(port, protocol);
    }
  }
  return ports;
}

function decodeListenPorts(annotations: Readonly<Record<string, string>>): readonly ReadonlyMap<string, number>[] {
  try {
    return jsonAnnotation(annotations, LISTEN_PORTS, listenPortsJson) ?? [];
  } catch (error) {
    throw error instanceof BuildFailure ? badListenPorts(error.message) : error;
  }
}

function badListenPorts(message: string): BuildFailure {
  return new BuildFailure('listen-ports', message, undefined, annotationPath(LISTEN_PORTS));
}

/** Whether the member names certificates. Certificates that are discovered in AWS do not affect the ports. */
function hasCertificates({ ingress, params }: Member): boolean {
  const ofParams = ownValue(params, 'certificateArn');
  if (Array.isArray(ofParams) && ofParams.length > 0) return true;
  return (listAnnotation(ingress.annotations, 'certificate-arn') ?? []).length > 0;
}

function checkInboundCidrs(member: Member): void {
  for (const cidr of inboundCidrsOf(member)) {
    if (parseCidr(cidr) !== undefined) continue;
    const message = `invalid ${annotationKey('inbound-cidrs')}: ${cidr} is no CIDR`;
    throw new BuildFailure('group-setting', message, undefined, placeOf(member, 'inboundCIDRs', 'inbound-cidrs'));
  }
}

/** Where a list comes from: the class of the Ingress, or its annotation. */
function placeOf({ params }: Member, field: string, suffix: string): Path {
  return paramsList(params, field) === undefined ? annotationPath(suffix) : CLASS_PATH;
}

function inboundCidrsOf({ ingress, params }: Member): readonly string[] {
  return paramsList(params, 'inboundCIDRs') ?? listAnnotation(ingress.annotations, 'inbound-cidrs') ?? [];
}

function prefixListsOf({ ingress, params }: Member): readonly string[] {
  return (
    paramsList(params, 'prefixListsIDs') ?? listAnnotation(ingress.annotations, 'security-group-prefix-lists') ?? []
  );
}

function sslPolicyOf({ ingress, params }: Member): readonly string[] {
  const policy = textOf(ownValue(params, 'sslPolicy')) || textAnnotation(ingress.annotations, 'ssl-policy');
  return policy === undefined ? [] : [policy];
}

function paramsList(params: Member['params'], field: string): readonly string[] | undefined {
  const value = ownValue(params, field);
  return Array.isArray(value) && value.length > 0 ? value.filter((item) => typeof item === 'string') : undefined;
}

/** Members may omit a setting of a listener, but must not disagree. */
function checkSame(
  port: number,
  members: readonly Member[],
  suffix: string,
  valuesOf: (member: Member) => readonly string[],
): void {
  let first: { readonly member: Member; readonly text: string } | undefined;
  for (const member of members) {
    const values = [...new Set(valuesOf(member))].sort(compareBytes);
    if (values.length === 0) continue;
    const text = values.join(', ');
    first ??= { member, text };
    if (first.text === text) continue;
    const message = `${mergeFailed(port)}: conflicting ${suffix}, ${first.member.ingress.key}: ${first.text} | ${member.ingress.key}: ${text}`;
    const isOwn = textAnnotation(member.ingress.annotations, suffix) !== undefined;
    throw new BuildFailure('listener-conflict', message, member.ingress, isOwn ? annotationPath(suffix) : CLASS_PATH);
  }
}

function protocolConflict(
  port: number,
  first: { readonly member: Member; readonly protocol: Protocol },
  other: { readonly member: Member; readonly protocol: Protocol },
): BuildFailure {
  const { ingress } = other.member;
  const message = `${mergeFailed(port)}: conflicting protocol, ${first.member.ingress.key}: ${first.protocol} | ${ingress.key}: ${other.protocol}`;
  return new BuildFailure('listener-conflict', message, ingress, annotationPath(LISTEN_PORTS));
}

function mergeFailed(port: number): string {
  return `failed to merge listenPort config for port: ${port}`;
}
