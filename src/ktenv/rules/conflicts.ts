/** Objects of Istio that somebody else wrote, in the way of the operator's. */

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
    title: 'a hand-written object has the name of one that the operator writes, and will be overwritten or deleted',
    because:
      'the operator writes a VirtualService and a DestinationRule of the name of each routed Service, and an EnvoyFilter ' +
      'of the name of the VirtualEnvironment with autoInject; what is there already it replaces, and deletes where it ' +
      'would write nothing',
    fix: 'remove it; what it says goes into the annotation kt-virtual-environment/rule of the Service, or into an object of another name',
    basis: 'run',
    sources: [source.router],
    failing: yaml(...STACK, VIRTUAL_SERVICE),
    corrected: yaml(...STACK),
  },
  'ktenv-route-conflict': {
    severity: 'warning',
    title: 'another VirtualService routes the same host in the mesh',
    because:
      'Istio merges VirtualServices of one host at gateways only; for sidecars the older one counts, the other is dropped',
    fix: 'keep the operator’s alone, or bind the other to a gateway and not to the mesh',
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
      'both are put into the HTTP filters of every sidecar of the namespace; when Envoy refuses the sum, it keeps the old ' +
      'listeners and neither works (inferred)',
    fix: 'limit the other one by a workloadSelector, or look at the error_state of a sidecar’s config_dump after the change',
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
      const fate = service.plan.outcome === 'written' ? 'overwrites' : 'deletes';
      return found.finding(rule, {
        message: `the operator ${fate} the ${kind} "${found.name}", which has the name of a Service with environments`,
        ...relatedTo(service.manifest, `the Service "${found.name}" is here`),
      });
    }),
  );
  const filter = world.find('EnvoyFilter.networking.istio.io', manifest.name, namespace);
  if (filter === undefined) return routes;
  const fate = plan.environment.autoInject ? 'overwrites' : 'deletes';
  return [
    ...routes,
    filter.finding(rule, {
      message: `the operator ${fate} the EnvoyFilter "${filter.name}", which has the name of the VirtualEnvironment`,
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
      message: `the VirtualService "${other.name}" routes the host "${service.manifest.name}" in the mesh, as the operator’s will`,
      path: ['spec', 'hosts'],
      ...relatedTo(service.manifest, `the Service "${service.manifest.name}" is here`),
    });
  });
}

/** A host as the whole name of a Service, where it is one. */
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
