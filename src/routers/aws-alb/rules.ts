import type { Backend, IngressPath } from '../ingress/ingress';
import { type BuildContext, buildAction, type EnhancedBackend, enhanceBackend } from './backend';
import type { Member } from './class';
import { ruleConditions } from './conditions';
import { BuildFailure, forIngress, locating } from './failure';
import type { ListenPort } from './listeners';
import type { Action, AlbListener, ListenerRule } from './model';
import { optimize } from './optimizer';
import { sortPaths } from './paths';

/** A rule without a priority. */
export type UnorderedRule = Omit<ListenerRule, 'priority'>;

/**
 * A listener with its default action and its rules.
 * @param sslRedirectPort the port to which HTTP listeners redirect
 * @throws BuildFailure
 */
export function buildListener(
  listenPort: ListenPort,
  context: BuildContext,
  sslRedirectPort: number | undefined,
): AlbListener {
  const { port, protocol, members } = listenPort;
  if (sslRedirectPort !== undefined && protocol === 'HTTP') {
    // The controller does not build the rules of this listener, so that their mistakes have no effect.
    return { port, protocol, rules: [], defaultActions: [redirectToSsl(sslRedirectPort)], defaultIngress: undefined };
  }
  const defaultMember = memberWithDefault(members);
  const defaultActions = [defaultMember === undefined ? NOT_FOUND : defaultAction(defaultMember, context)];
  const rules = optimize(
    listenPort,
    members.flatMap((member) => rulesOf(member, context)),
  );
  return {
    port,
    protocol,
    rules: rules.map((rule, index) => ({ priority: index + 1, ...rule })),
    defaultActions,
    defaultIngress: defaultMember?.ingress,
  };
}

function memberWithDefault(members: readonly Member[]): Member | undefined {
  const withDefault = members.filter(({ ingress }) => ingress.defaultBackend !== undefined);
  const [member, second] = withDefault;
  if (second === undefined) return member;
  const keys = withDefault.map(({ ingress }) => ingress.key).join(' ');
  const message = `multiple ingress defined default backend: [${keys}]`;
  throw new BuildFailure('default-backend-conflict', message, second.ingress, ['spec', 'defaultBackend']);
}

function defaultAction(member: Member, context: BuildContext): Action {
  return locating(member.ingress, () => {
    const { action } = enhanceBackend(member, member.ingress.defaultBackend!, context);
    return buildAction(action, member, context);
  });
}

/** The rules of one Ingress, reused if the Ingress and its Services are unchanged. */
function rulesOf(member: Member, context: BuildContext): readonly UnorderedRule[] {
  const { built, targetGroups } = context;
  const { ipAddressType } = targetGroups.settings;
  return built.rulesOf(member, ipAddressType, targetGroups.world, () => {
    const services = targetGroups.watch(member);
    return { rules: buildRules(member, context), services, ipAddressType };
  }).rules;
}

/** The rules of one Ingress: by entry, and within an entry in the controller's order of paths. */
function buildRules(member: Member, context: BuildContext): readonly UnorderedRule[] {
  const { ingress } = member;
  const enhanced = new Map<string, EnhancedBackend>();
  const enhance = (backend: Backend): EnhancedBackend => {
    const key = JSON.stringify(backend.service ?? null);
    const known = enhanced.get(key) ?? enhanceBackend(member, backend, context);
    enhanced.set(key, known);
    return known;
  };
  return ingress.rules.flatMap(({ host, paths }) => {
    const sorted = locating(ingress, () => sortPaths(paths));
    return sorted.map((path) => forIngress(ingress, () => ruleOf(member, host, path, enhance(path.backend), context)));
  });
}

function ruleOf(
  member: Member,
  host: string,
  path: IngressPath,
  backend: EnhancedBackend,
  context: BuildContext,
): UnorderedRule {
  const { ingress } = member;
  const conditions = ruleConditions(ingress, host, path, backend.conditions, context.facts.regexPaths);
  const actions = [buildAction(backend.action, member, context)];
  return { ingress, path: path.at, conditions, actions, transforms: backend.transforms };
}

function redirectToSsl(port: number): Action {
  return { type: 'redirect', redirect: { port: String(port), protocol: 'HTTPS', statusCode: 'HTTP_301' } };
}

const NOT_FOUND: Action = { type: 'fixed-response', fixedResponse: { statusCode: '404', contentType: 'text/plain' } };
