/** IngressGroups: the settings on which the members of one load balancer must agree. */

import type { Finding } from '../../../core/finding';
import { ownValue } from '../../../core/json';
import { defineRules } from '../../../core/rule';
import { parseInt32 } from '../../go-values';
import { annotationKey } from '../../ingress/alb-annotations';
import { textOf } from '../../values';
import { annotationPath, textAnnotation } from '../annotations';
import type { Member } from '../class';
import { BuildFailure } from '../failure';
import { groupOf, type LoadedGroup } from '../group';
import { listenPortsOf, sslRedirectPortOf } from '../listeners';
import { loadBalancerSettings } from '../load-balancer';
import type { AwsAlbCheck, AwsAlbChecker } from './context';
import { annotated, edit, named, yaml } from './examples';
import { sources } from './sources';

const member = (name: string, annotations: Readonly<Record<string, unknown>>) =>
  named(name, annotated({ 'group.name': 'shop', ...annotations }));
const HTTP_AND_HTTPS = '[{"HTTP":80},{"HTTPS":443}]';

/** Rules on groups and on the settings of their load balancer. */
export const groupRules = defineRules({
  'alb-group-name': {
    severity: 'error',
    title: 'the name of a group is invalid',
    because: 'the Ingress is then in no group, and the controller makes no load balancer for it',
    fix: 'use lower-case letters, digits, "-" and ".", at most 63, beginning and ending with a letter or digit',
    basis: 'run',
    sources: [sources.groups],
    failing: yaml(annotated({ 'group.name': 'Shop_Public' })),
    corrected: yaml(annotated({ 'group.name': 'shop-public' })),
  },

  'alb-group-order': {
    severity: 'error',
    title: 'the order of an Ingress in its group is invalid',
    because: 'the controller then applies nothing of the whole group',
    fix: 'use an integer from -1000 to 1000; the lower one is evaluated first, 0 is the default',
    basis: 'run',
    sources: [sources.groups],
    failing: yaml(annotated({ 'group.name': 'shop', 'group.order': '1001' })),
    corrected: yaml(annotated({ 'group.name': 'shop', 'group.order': '1000' })),
  },

  'alb-group-conflict': {
    severity: 'error',
    title: 'members of one group disagree on a shared setting',
    because:
      'the members of a group share one load balancer; where they disagree, the controller applies nothing of the whole group',
    fix: 'set the same value in all members, or in only one, or in the IngressClassParams',
    basis: 'run',
    sources: [sources.model, sources.annotations],
    failing: yaml(member('web', { scheme: 'internet-facing' }), member('api', { scheme: 'internal' })),
    corrected: yaml(member('web', { scheme: 'internal' }), member('api', { scheme: 'internal' })),
  },

  'alb-group-setting': {
    severity: 'error',
    title: 'the controller rejects a setting of the load balancer',
    because: 'the controller applies nothing of the whole group',
    fix: 'correct the annotation, or the IngressClassParams',
    basis: 'run',
    sources: [sources.model, sources.annotations],
    failing: yaml(annotated({ scheme: 'public' })),
    corrected: yaml(annotated({ scheme: 'internet-facing' })),
  },

  'alb-listen-ports': {
    severity: 'error',
    title: 'the ports of a load balancer are invalid, or members of a group use one for HTTP and for HTTPS',
    because: 'the controller applies nothing of the whole group',
    fix: `write listen-ports as in ${HTTP_AND_HTTPS}, with one protocol for each port of the group`,
    basis: 'run',
    sources: [sources.model, sources.annotations],
    failing: yaml(annotated({ 'listen-ports': '{"HTTP":80}' })),
    corrected: yaml(annotated({ 'listen-ports': '[{"HTTP":80}]' })),
  },

  'alb-ssl-redirect': {
    severity: 'error',
    title: 'ssl-redirect leads to a port that does not speak HTTPS',
    because: 'the controller applies nothing of the whole group',
    fix: `name a port that listen-ports has as HTTPS, as in ssl-redirect: '443' with listen-ports: '${HTTP_AND_HTTPS}'; all members with ssl-redirect name the same`,
    basis: 'run',
    sources: [sources.model],
    failing: yaml(annotated({ 'ssl-redirect': '443' })),
    corrected: yaml(annotated({ 'ssl-redirect': '443', 'listen-ports': HTTP_AND_HTTPS })),
  },

  'alb-rules-redirected': {
    severity: 'error',
    title: 'an Ingress has no rules, because its group redirects its ports to HTTPS',
    because:
      'ssl-redirect holds for the whole group: every HTTP port of it only redirects, and an Ingress that listens on no ' +
      'HTTPS port never gets a request',
    fix: `give the Ingress the HTTPS port as well: listen-ports: '${HTTP_AND_HTTPS}'`,
    basis: 'run',
    sources: [sources.rules],
    failing: yaml(
      member('web', { 'ssl-redirect': '443', 'listen-ports': HTTP_AND_HTTPS }),
      member('api', { 'listen-ports': '[{"HTTP":80}]' }),
    ),
    corrected: yaml(
      member('web', { 'ssl-redirect': '443', 'listen-ports': HTTP_AND_HTTPS }),
      member('api', { 'listen-ports': HTTP_AND_HTTPS }),
    ),
  },

  'alb-default-backend-conflict': {
    severity: 'error',
    title: 'several members of a group have a default backend on the same port',
    because: 'a port of a load balancer has one default; the controller applies nothing of the whole group',
    fix: 'keep the default backend of one member, and give the others a rule with the path /',
    basis: 'run',
    sources: [sources.rules],
    failing: yaml(withDefaultBackend(member('web', {})), withDefaultBackend(member('api', {}))),
    corrected: yaml(withDefaultBackend(member('web', {})), member('api', {})),
  },
});

function withDefaultBackend(ingress: string): string {
  const backend = '  defaultBackend: { service: { name: web, port: { name: use-annotation } } }\n';
  return edit(ingress, ['  rules:\n', `${backend}  rules:\n`]);
}

/** Checks every group as a whole. */
export const checkGroups: AwsAlbChecker = (check) => [
  ...check.redirected.map(({ ingress }) =>
    ingress.manifest.finding(groupRules['alb-rules-redirected'], {
      message: 'the Ingress listens on HTTP only, and its group redirects HTTP to HTTPS',
      path:
        textAnnotation(ingress.annotations, 'listen-ports') === undefined ? 'metadata' : annotationPath('listen-ports'),
    }),
  ),
  ...check.members.flatMap((each) => [...groupName(check, each), ...groupOrder(each)]),
  ...check.groups.flatMap((group) => [...shared(group), ...exclusive(group), ...listeners(group), ...defaults(group)]),
];

function groupName({ groups }: AwsAlbCheck, each: Member): Finding[] {
  const { ingress, params } = each;
  if (groupOf(groups, ingress.key) !== undefined) return [];
  const ofParams = ownValue(params, 'group') ?? undefined;
  const name =
    ofParams === undefined ? textAnnotation(ingress.annotations, 'group.name') : textOf(ownValue(ofParams, 'name'));
  const place = ofParams === undefined ? '' : ' of its IngressClassParams';
  return [
    ingress.manifest.finding(groupRules['alb-group-name'], {
      message: `the group name "${name ?? ''}"${place} is invalid`,
      path: ofParams === undefined ? annotationPath('group.name') : ['spec', 'ingressClassName'],
    }),
  ];
}

const MAX_ORDER = 1000;

function groupOrder({ ingress }: Member): Finding[] {
  const text = textAnnotation(ingress.annotations, 'group.order');
  if (text === undefined) return [];
  const order = parseInt32(text);
  if (order !== undefined && Math.abs(order) <= MAX_ORDER) return [];
  return [
    ingress.manifest.finding(groupRules['alb-group-order'], {
      message: `${annotationKey('group.order')} is "${text}"`,
      path: annotationPath('group.order'),
    }),
  ];
}

function shared({ members }: LoadedGroup): Finding[] {
  return failureOf(
    () => loadBalancerSettings(members),
    ({ errorClass }) =>
      groupRules[errorClass === 'group-setting-conflict' ? 'alb-group-conflict' : 'alb-group-setting'],
    members,
  );
}

/** Settings that the documentation calls exclusive, and that the model of the controller does not compare. */
const EXCLUSIVE = ['wafv2-acl-arn', 'waf-acl-id', 'shield-advanced-protection'];

function exclusive({ members }: LoadedGroup): Finding[] {
  return EXCLUSIVE.flatMap((suffix) => {
    const having = members.filter(({ ingress }) => textAnnotation(ingress.annotations, suffix) !== undefined);
    const [first] = having;
    if (first === undefined) return [];
    const value = textAnnotation(first.ingress.annotations, suffix)!;
    const others = having.filter(({ ingress }) => textAnnotation(ingress.annotations, suffix) !== value);
    return others.map(({ ingress }) =>
      ingress.manifest.finding(groupRules['alb-group-conflict'], {
        message: `${annotationKey(suffix)} is "${textAnnotation(ingress.annotations, suffix)}" here and "${value}" in ${first.ingress.key}`,
        path: annotationPath(suffix),
        related: { message: `${first.ingress.key} is in the same group`, object: first.ingress.manifest.ref },
      }),
    );
  });
}

function listeners({ members }: LoadedGroup): Finding[] {
  return failureOf(
    () => sslRedirectPortOf(members, listenPortsOf(members)),
    ({ errorClass }) => {
      if (errorClass === 'ssl-redirect') return groupRules['alb-ssl-redirect'];
      return groupRules[errorClass === 'group-setting' ? 'alb-group-setting' : 'alb-listen-ports'];
    },
    members,
    ({ errorClass, path }) =>
      errorClass === 'listener-conflict' && path?.at(-1) !== annotationKey('listen-ports')
        ? 'give all members of the group that use the port the same value, or set it in one of them alone'
        : undefined,
  );
}

function failureOf(
  build: () => unknown,
  ruleOf: (failure: BuildFailure) => (typeof groupRules)[keyof typeof groupRules],
  members: readonly Member[],
  fixOf: (failure: BuildFailure) => string | undefined = () => undefined,
): Finding[] {
  try {
    build();
    return [];
  } catch (error) {
    if (!(error instanceof BuildFailure)) throw error;
    const { manifest } = error.ingress ?? members[0]!.ingress;
    const fix = fixOf(error);
    return [
      manifest.finding(ruleOf(error), {
        message: error.message,
        ...(error.path !== undefined && { path: error.path }),
        ...(fix !== undefined && { fix }),
      }),
    ];
  }
}

function defaults({ members }: LoadedGroup): Finding[] {
  let ports: ReturnType<typeof listenPortsOf>;
  try {
    ports = listenPortsOf(members);
  } catch (error) {
    if (error instanceof BuildFailure) return [];
    throw error;
  }
  const conflicts = ports.flatMap((port) => {
    const [first, second] = port.members.filter(({ ingress }) => ingress.defaultBackend !== undefined);
    return first !== undefined && second !== undefined ? [{ port: port.port, first, second }] : [];
  });
  return conflicts.map(({ port, first, second }) =>
    second.ingress.manifest.finding(groupRules['alb-default-backend-conflict'], {
      message: `the Ingress and ${first.ingress.key} both have a default backend for port ${port}`,
      path: ['spec', 'defaultBackend'],
      related: { message: `${first.ingress.key} is in the same group`, object: first.ingress.manifest.ref },
    }),
  );
}
