/** Checks the annotations of Services that the operator reads. */

import type { Finding } from '../../core/finding';
import { asList, asObject } from '../../core/json';
import type { Manifest } from '../../core/manifest';
import { defineRules } from '../../core/rule';
import { GATEWAYS_ANNOTATION, HOSTS_ANNOTATION, RULE_ANNOTATION } from '../api/names';
import { type KtEnvCheck, type KtEnvChecker, listed, relatedTo, routed, type Subject } from './context';
import { DEV, edit, PROJECT, SERVICE, VIRTUAL_ENVIRONMENT, yaml } from './examples';
import { source } from './sources';

const GATEWAY = `apiVersion: networking.istio.io/v1
kind: Gateway
metadata: { name: public, namespace: shop }
spec:
  servers: [{ port: { number: 8080, name: http, protocol: HTTP }, hosts: ["*"] }]
`;

const annotated = (annotation: string, ...more: readonly string[]) =>
  yaml(
    VIRTUAL_ENVIRONMENT,
    edit(SERVICE, [
      'metadata: { name: web, namespace: shop }',
      `metadata:\n  name: web\n  namespace: shop\n  annotations:\n    kt-virtual-environment/${annotation}`,
    ]),
    DEV,
    PROJECT,
    ...more,
  );

/** Rules on the annotations of Services. */
export const annotationRules = defineRules({
  'ktenv-annotation-blank': {
    severity: 'error',
    title: 'a list of hosts or gateways has spaces or an empty name',
    because: 'the operator splits the list at commas and keeps spaces, so the name matches no host or gateway',
    fix: 'separate the names with commas, without spaces',
    basis: 'run',
    sources: [source.services],
    failing: annotated('hosts: a.example.com, b.example.com'),
    corrected: annotated('hosts: a.example.com,b.example.com'),
  },
  'ktenv-rule-annotation': {
    severity: 'error',
    title: 'the rule annotation, or a part of it, has no effect',
    because:
      'the annotation is one HTTPRoute of Istio’s old API as JSON; the operator logs or silently drops what does not fit, ' +
      'keeps only the first element of match and route, and merges it with what it generates',
    fix: 'write one JSON object with fields of HTTPRoute, with one match and without route',
    basis: 'run',
    sources: [source.virtualService],
    failing: annotated(`rule: '{"timeout":5}'`),
    corrected: annotated(`rule: '{"timeout":"5s"}'`),
  },
  'ktenv-gateway-port': {
    severity: 'warning',
    title: 'no server of the gateway listens on the port of the Service, so the routes never match there',
    because:
      'every route matches on the port of the Service; for a request through a gateway, that is the port of the server of ' +
      'the gateway (inferred from how Istio matches ports, not tested)',
    fix: 'give the Service and a server of the gateway the same port',
    basis: 'inferred',
    sources: [source.virtualService],
    failing: annotated('gateways: public', GATEWAY),
    corrected: annotated('gateways: public', edit(GATEWAY, ['number: 8080', 'number: 80'])),
  },
});

/** Checks annotations. */
export const checkAnnotations: KtEnvChecker = (check) =>
  check.subjects.flatMap((subject) =>
    routed(subject).flatMap((service) => [
      ...blanks(service.manifest, HOSTS_ANNOTATION),
      ...blanks(service.manifest, GATEWAYS_ANNOTATION),
      ...rule(service),
      ...gateways(service, subject, check),
    ]),
  );

function blanks(manifest: Manifest, annotation: string): Finding[] {
  const text = manifest.annotations[annotation];
  const wrong = text?.split(',').filter((name) => name === '' || name !== name.trim()) ?? [];
  if (wrong.length === 0) return [];
  return [
    manifest.finding(annotationRules['ktenv-annotation-blank'], {
      message: `${annotation} of "${manifest.name}" contains ${listed(wrong.map((name) => `"${name}"`))}`,
      path: ['metadata', 'annotations', annotation],
    }),
  ];
}

function rule({ plan, manifest }: Subject['services'][number]): Finding[] {
  if (plan.rule === undefined) return [];
  const { problem, dropped, base } = plan.rule;
  const lost = (['match', 'route'] as const).filter((name) => asList(base?.[name]).length > 1);
  const messages = [
    ...(problem === undefined ? [] : [`is ignored: ${problem}`]),
    ...(dropped.length === 0 ? [] : [`loses ${listed(dropped)}, which the operator does not support in this form`]),
    ...lost.map((name) => `loses every element of ${name} except the first`),
  ];
  return messages.map((message) =>
    manifest.finding(annotationRules['ktenv-rule-annotation'], {
      message: `the rule of "${manifest.name}" ${message}`,
      path: ['metadata', 'annotations', RULE_ANNOTATION],
    }),
  );
}

function gateways(
  { plan, manifest }: Subject['services'][number],
  { namespace }: Subject,
  { world }: KtEnvCheck,
): Finding[] {
  const names = manifest.annotations[GATEWAYS_ANNOTATION]?.split(',') ?? [];
  return names.flatMap((name) => {
    const [own, other] = name.includes('/') ? (name.split('/') as [string, string]) : [namespace, name];
    const gateway = world.find('Gateway.networking.istio.io', other, own);
    if (gateway === undefined) return [];
    const servers = asList(gateway.get('spec.servers')).map((server) => asObject(asObject(server).port).number);
    if (plan.ports.length === 0 || plan.ports.some(({ port }) => servers.includes(port))) return [];
    return manifest.finding(annotationRules['ktenv-gateway-port'], {
      message: `"${manifest.name}" is routed at ${listed(plan.ports.map(({ port }) => String(port)))}, the gateway "${name}" listens on ${listed(servers.filter((each) => each !== undefined).map(String)) || 'no port'}`,
      path: ['metadata', 'annotations', GATEWAYS_ANNOTATION],
      ...relatedTo(gateway, `the gateway "${name}" is here`),
    });
  });
}
