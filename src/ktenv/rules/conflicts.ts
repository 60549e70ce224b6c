/** Checks Istio objects that conflict with those of the operator. */

import type { Finding } from '../../core/finding';
import { asList, asObject, textsOf } from '../../core/json';
import { defineRules } from '../../core/rule';
import { type KtEnvCheck, type KtEnvChecker, relatedTo, routed, type Subject } from './context';
import { AUTO_INJECT, DEV, edit, PROJECT, SERVICE, STACK, yaml } from './examples';
import { source } from './sources';

const VIRTUAL_SERVICE = `apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: { name: web, namespace: shop }
spec:
  hosts: [web]
  http: [{ route: [{ destination: { host: web } }] }]
`;

const ENVOY_FILTER = `apiVersion: networking.istio.io/v1alpha3
kind: EnvoyFilter
metadata: { name: limits, namespace: shop }
spec:
  configPatches:
    - applyTo: HTTP_FILTER
      match: { context: SIDECAR_OUTBOUND }
      patch: { operation: INSERT_BEFORE, value: { name: limits } }
`;

/** Rules on hand-written objects of Istio. */
export const conflictRules = defineRules({
  'ktenv-hand-written': {
    severity: 'error',
    title: 'the operator overwrites or deletes a hand-written object that has the name of its own object',
    because:
      'the operator writes a VirtualService and a DestinationRule with the name of each routed Service, and with autoInject ' +
      'an EnvoyFilter with the name of the VirtualEnvironment; it replaces an existing object of that name, and deletes it ' +
      'if it has nothing to write',
    fix: 'remove it; move its content to the annotation kt-virtual-environment/rule of the Service, or to an object with a different name',
    basis: 'run',
    sources: [source.router],
    failing: yaml(...STACK, VIRTUAL_SERVICE),
    corrected: yaml(...STACK),
  },
  'ktenv-route-conflict': {
    severity: 'warning',
    title: 'another VirtualService routes the same host in the mesh',
    because:
      'Istio merges VirtualServices for the same host at gateways only; sidecars use the older one and ignore the other',
    fix: 'keep only the one of the operator, or bind the other one to a gateway instead of the mesh',
    basis: 'documented',
    sources: [source.istioHosts],
    failing: yaml(...STACK, edit(VIRTUAL_SERVICE, ['name: web,', 'name: web-by-hand,'])),
    corrected: yaml(
      ...STACK,
      edit(
        VIRTUAL_SERVICE,
        ['name: web,', 'name: web-by-hand,'],
        ['  hosts: [web]', '  hosts: [web]\n  gateways: [public]'],
      ),
    ),
  },
  'ktenv-envoy-filter-conflict': {
    severity: 'warning',
    title: 'another EnvoyFilter changes the same outbound listeners',
    because:
      'Istio adds both to the HTTP filters of every sidecar of the namespace; if Envoy refuses the result, it keeps the old ' +
      'listeners and neither filter works (inferred)',
    fix: 'restrict the other one with a workloadSelector, or check the error_state in the config_dump of a sidecar after the change',
    basis: 'inferred',
    sources: [source.envoyFilter],
    failing: yaml(AUTO_INJECT, SERVICE, DEV, PROJECT, ENVOY_FILTER),
    corrected: yaml(
      AUTO_INJECT,
      SERVICE,
      DEV,
      PROJECT,
      edit(ENVOY_FILTER, ['spec:\n', 'spec:\n  workloadSelector: { labels: { app: batch } }\n']),
    ),
  },
});

/** Checks for conflicts. */
export const checkConflicts: KtEnvChecker = (check) =>
  check.subjects.flatMap((subject) => [
    ...overwritten(subject, check),
    ...sameHost(subject, check),
    ...filters(subject, check),
  ]);

function overwritten(subject: Subject, { world }: KtEnvCheck): Finding[] {
  const { namespace, manifest, plan } = subject;
  const rule = conflictRules['ktenv-hand-written'];
  const routes = routed(subject).flatMap((service) =>
    ['VirtualService', 'DestinationRule'].flatMap((kind) => {
      const found = world.find(`${kind}.networking.istio.io`, service.manifest.name, namespace);
      if (found === undefined) return [];
      const action = service.plan.outcome === 'written' ? 'overwrites' : 'deletes';
      return found.finding(rule, {
        message: `the operator ${action} the ${kind} "${found.name}", which has the name of a Service with environments`,
        ...relatedTo(service.manifest, `the Service "${found.name}" is here`),
      });
    }),
  );
  const filter = world.find('EnvoyFilter.networking.istio.io', manifest.name, namespace);
  if (filter === undefined) return routes;
  const action = plan.environment.autoInject ? 'overwrites' : 'deletes';
  return [
    ...routes,
    filter.finding(rule, {
      message: `the operator ${action} the EnvoyFilter "${filter.name}", which has the name of the VirtualEnvironment`,
      ...relatedTo(manifest, `the VirtualEnvironment "${filter.name}" is here`),
    }),
  ];
}

function sameHost(subject: Subject, { world }: KtEnvCheck): Finding[] {
  return world.list('VirtualService.networking.istio.io').flatMap((other) => {
    const gateways = textsOf(other.get('spec.gateways'));
    if (gateways.length > 0 && !gateways.includes('mesh')) return [];
    const namespace = world.namespaceOf(other);
    const hosts = textsOf(other.get('spec.hosts')).map((host) => fullName(host, namespace));
    const service = routed(subject).find(
      ({ plan, manifest }) =>
        plan.outcome === 'written' &&
        hosts.includes(fullName(manifest.name, subject.namespace)) &&
        (other.name !== manifest.name || namespace !== subject.namespace),
    );
    if (service === undefined) return [];
    return other.finding(conflictRules['ktenv-route-conflict'], {
      message: `the VirtualService "${other.name}" routes the host "${service.manifest.name}" in the mesh, as the one of the operator does`,
      path: ['spec', 'hosts'],
      ...relatedTo(service.manifest, `the Service "${service.manifest.name}" is here`),
    });
  });
}

/** A host as the full name of a Service, if it is a Service. */
function fullName(host: string, namespace: string): string {
  const parts = host.split('.');
  if (parts.length === 1) return `${host}.${namespace}.svc.cluster.local`;
  if (parts.length === 2) return `${host}.svc.cluster.local`;
  return parts.length === 3 && parts[2] === 'svc' ? `${host}.cluster.local` : host;
}

function filters({ namespace, manifest, plan }: Subject, { world }: KtEnvCheck): Finding[] {
  if (!plan.environment.autoInject) return [];
  const others = world.list('EnvoyFilter.networking.istio.io', namespace).filter(({ name }) => name !== manifest.name);
  return others.flatMap((filter) => {
    if (filter.get('spec.workloadSelector') !== undefined) return [];
    const patches = asList(filter.get('spec.configPatches')).map(asObject);
    const index = patches.findIndex(({ applyTo, match }) => {
      const { context = 'ANY' } = asObject(match);
      return (
        ['HTTP_FILTER', 'NETWORK_FILTER'].includes(String(applyTo)) &&
        ['ANY', 'SIDECAR_OUTBOUND'].includes(String(context))
      );
    });
    if (index < 0) return [];
    return filter.finding(conflictRules['ktenv-envoy-filter-conflict'], {
      message: `the EnvoyFilter "${filter.name}" changes the outbound filters of "${namespace}", as autoInject does`,
      path: ['spec', 'configPatches', index],
    });
  });
}
