/** What was found in an application with stand-ins, told of one with names. */
import type { Finding, Json } from '../../core';
import { rulesBefore, type SeparateMember } from '../../routers/aws-alb/separate';
import { type Application, readMark } from './application';

/** Where the rules of an application stand among those of its load balancer. */
export interface Place {
  readonly members: readonly SeparateMember[];
  /** The application's own Ingress among them. */
  readonly member: SeparateMember;
  /** The order of the canary Ingress. */
  readonly canaryOrder: number;
}

/** The finding with the names, numbers of rules and places in files that it has for this application. */
export function toldOf(finding: Finding, application: Application, place: Place): Finding {
  return withNames(finding as unknown as PlainObject, application, place) as unknown as Finding;
}

interface PlainObject {
  readonly [key: string]: Json;
}

function withNames(object: PlainObject, application: Application, place: Place): { readonly [key: string]: unknown } {
  const told: { [key: string]: unknown } = {};
  for (const [key, value] of Object.entries(object)) {
    if (key === 'source') {
      const source = sourceOf(value as unknown as NonNullable<Finding['source']>, application);
      if (source !== undefined) told.source = source;
    } else if (key === 'construct') {
      const { construct } = application.rollout;
      if (construct !== undefined) told.construct = construct;
    } else if (key === 'related') {
      const { message, ...others } = value as unknown as NonNullable<Finding['related']>;
      const named = withNames(others as unknown as PlainObject, application, place);
      const numbered =
        others.object === undefined ? message : withNumber(message, others.object.name, application, place);
      told.related = { message: application.names.restore(numbered), ...named };
    } else if (typeof value === 'string') {
      told[key] = application.names.restore(value);
    } else if (typeof value === 'object' && value !== null) {
      told[key] = withNames(value as PlainObject, application, place);
    } else {
      told[key] = value;
    }
  }
  return told;
}

function sourceOf({ file }: NonNullable<Finding['source']>, { rollout, ingress }: Application): Finding['source'] {
  const { isRollout, isIngress, path } = readMark(file);
  return isRollout ? rollout.sourceOf(path) : isIngress ? ingress.sourceOf(path) : undefined;
}

const RULE = /^rule (\d+) of HTTPS?:(\d+):/;

/** Rules are counted over all applications of a load balancer. */
function withNumber(
  message: string,
  ingress: string,
  application: Application,
  { members, member, canaryOrder }: Place,
): string {
  const found = RULE.exec(message);
  if (found === null) return message;
  const isCanary = application.names.restore(ingress) !== application.ingressName;
  const own = member.manifest;
  const at = isCanary
    ? { order: canaryOrder, key: `${member.key}-canary`, own }
    : { order: member.order, key: member.key, own };
  const number = Number(found[1]) + rulesBefore(members, Number(found[2]), at);
  return `rule ${number}${message.slice(`rule ${found[1]}`.length)}`;
}
