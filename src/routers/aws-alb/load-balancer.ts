import { type Json, ownValue, type Path, sameJson } from '../../core';
import { compareBytes, utf8Length } from '../../core/bytes';
import { printSet } from '../go-values';
import type { Ingress } from '../ingress/ingress';
import { listOf, textOf } from '../values';
import { annotationPath, CLASS_PATH, listAnnotation, mapAnnotation, textAnnotation } from './annotations';
import type { Member } from './class';
import { BuildFailure, locating } from './failure';

/** The settings of the load balancer that affect the rest of the group. */
export interface LoadBalancerSettings {
  readonly ipAddressType: string;
}

const MAX_NAME_LENGTH = 32;

/**
 * The settings that all members of a group share. A setting of the IngressClassParams replaces the annotation of the
 * member.
 * @throws BuildFailure if members disagree, or a value is unknown
 */
export function loadBalancerSettings(members: readonly Member[]): LoadBalancerSettings {
  oneOf(members, 'scheme', 'scheme', 'scheme', ['internet-facing', 'internal']);
  const ipAddressType = oneOf(members, 'ip-address-type', 'ipAddressType', 'IPAddressType', IP_ADDRESS_TYPES) ?? 'ipv4';
  checkSubnets(members);
  checkSecurityGroups(members);
  shared(members, 'customer-owned-ipv4-pool', undefined, 'CustomerOwnedIPv4Pool');
  checkAttributes(members);
  checkTags(members);
  const name = shared(members, 'load-balancer-name', 'loadBalancerName', 'load balancer name');
  if (name !== undefined && utf8Length(name.value) > MAX_NAME_LENGTH) {
    const message = `load balancer name cannot be longer than ${MAX_NAME_LENGTH} characters`;
    throw new BuildFailure('group-setting', message, name.ingress, name.path);
  }
  return { ipAddressType };
}

const IP_ADDRESS_TYPES = ['ipv4', 'dualstack', 'dualstack-without-public-ipv4'];

function oneOf(
  members: readonly Member[],
  suffix: string,
  param: string,
  label: string,
  known: readonly string[],
): string | undefined {
  const setting = shared(members, suffix, param, label);
  if (setting === undefined || known.includes(setting.value)) return setting?.value;
  throw new BuildFailure('group-setting', `unknown ${label}: ${setting.value}`, setting.ingress, setting.path);
}

/** A value, and the first Ingress that has it. */
interface Setting {
  readonly value: string;
  readonly ingress: Ingress;
  readonly path: Path;
}

/** The one value of a setting; members may omit it. */
function shared(
  members: readonly Member[],
  suffix: string,
  param: string | undefined,
  label: string,
): Setting | undefined {
  const values = new Set<string>();
  let first: Setting | undefined;
  for (const member of members) {
    const fromParams = param === undefined ? undefined : textOf(ownValue(member.params, param)) || undefined;
    const value = fromParams ?? textAnnotation(member.ingress.annotations, suffix);
    if (value === undefined) continue;
    const path = fromParams === undefined ? annotationPath(suffix) : CLASS_PATH;
    first ??= { value, ingress: member.ingress, path };
    values.add(value);
    if (values.size > 1) {
      const message = `conflicting ${label}: ${printSet(values)}`;
      throw new BuildFailure('group-setting-conflict', message, member.ingress, path);
    }
  }
  return first;
}

function checkSubnets(members: readonly Member[]): void {
  const selectors: Json[] = [];
  const lists: (readonly string[])[] = [];
  for (const member of members) {
    const selector = ownValue(member.params, 'subnets') ?? undefined;
    const subnets = listAnnotation(member.ingress.annotations, 'subnets');
    if (selector !== undefined) selectors.push(selector);
    else if (subnets !== undefined) lists.push(subnets);
    const isMixed = selectors.length > 0 && lists.length > 0;
    if (isMixed || !sameJson(selectors.at(-1), selectors[0]) || !sameItems(lists.at(-1), lists[0])) {
      throw conflict('conflicting subnet specifications', member, 'subnets');
    }
  }
}

function checkSecurityGroups(members: readonly Member[]): void {
  let first: readonly string[] | undefined;
  for (const member of members) {
    const groups = listAnnotation(member.ingress.annotations, 'security-groups');
    first ??= groups;
    if (groups === undefined || sameJson(first, groups)) continue;
    const message = `conflicting securityGroups: [${first?.join(' ')}] | [${groups.join(' ')}]`;
    throw conflict(message, member, 'security-groups');
  }
}

/** Attributes in the IngressClassParams of the first member resolve a conflict. */
function checkAttributes(members: readonly Member[]): void {
  const suffix = 'load-balancer-attributes';
  const settled = keyValues(members[0]?.params, 'loadBalancerAttributes');
  const ofGroup = new Map<string, string>();
  for (const member of members) {
    for (const [key, value] of pairsOf(member, suffix)) {
      const other = ofGroup.get(key);
      if (other !== undefined && other !== value && !settled.has(key)) {
        const message = `conflicting load balancer attributes ${key}: ${other} | ${value}`;
        throw conflict(message, member, suffix);
      }
      ofGroup.set(key, value);
    }
  }
}

function checkTags(members: readonly Member[]): void {
  const ofGroup = new Map<string, string>();
  for (const member of members) {
    for (const [key, value] of new Map([...pairsOf(member, 'tags'), ...keyValues(member.params, 'tags')])) {
      const other = ofGroup.get(key);
      if (other !== undefined && other !== value) {
        const message = `conflicting tag ${key}: ${other} | ${value}`;
        throw conflict(message, member, 'tags');
      }
      ofGroup.set(key, value);
    }
  }
}

/** The pairs of an annotation. */
function pairsOf({ ingress }: Member, suffix: string): Iterable<readonly [string, string]> {
  return locating(ingress, () => mapAnnotation(ingress.annotations, suffix, 'group-setting')) ?? [];
}

/** A list of `{key, value}`, as in IngressClassParams. */
function keyValues(params: Member['params'], field: string): ReadonlyMap<string, string> {
  const entries = listOf(ownValue(params, field));
  return new Map(
    entries.map((entry) => [textOf(ownValue(entry, 'key')) ?? '', textOf(ownValue(entry, 'value')) ?? '']),
  );
}

function sameItems(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  return sameJson(a && [...a].sort(compareBytes), b && [...b].sort(compareBytes));
}

/** At the annotation of the member, or at its class where that has the value. */
function conflict(message: string, { ingress }: Member, suffix: string): BuildFailure {
  const isOwn = textAnnotation(ingress.annotations, suffix) !== undefined;
  return new BuildFailure('group-setting-conflict', message, ingress, isOwn ? annotationPath(suffix) : CLASS_PATH);
}
