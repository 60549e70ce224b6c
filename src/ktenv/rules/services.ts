/** Checks Services: their ports, their selectors, and whether the operator routes them. */

import type { Finding } from '../../core/finding';
import { asList, asObject } from '../../core/json';
import { indexedBy } from '../../core/keyed';
import { defineRules } from '../../core/rule';
import { GATEWAYS_ANNOTATION } from '../api/names';
import type { Workload } from '../controller';
import { type KtEnvChecker, listed, relatedTo, routed, type Subject } from './context';
import { DEV, edit, PROJECT, SERVICE, STACK, VIRTUAL_ENVIRONMENT, yaml } from './examples';
import { issue, source } from './sources';

const port = (text: string) =>
  [VIRTUAL_ENVIRONMENT, edit(SERVICE, ['{ name: http, port: 80 }', text]), DEV, PROJECT] as const;

/** Rules on the Services of a namespace. */
export const serviceRules = defineRules({
  'ktenv-port-unrouted': {
    severity: 'error',
    title: 'a port of a Service is not routed because its name does not start with "http"',
    because:
      'the operator routes only ports whose name starts with "http" in lower case; it ignores appProtocol, unnamed ports ' +
      'and gRPC ports. Requests to other ports go to the pods of any environment',
    fix: 'name the port http, or http- with a suffix',
    basis: 'run',
    sources: [source.services, source.istioPorts],
    failing: yaml(...port('{ port: 80, appProtocol: http }')),
    corrected: yaml(...STACK),
  },
  'ktenv-port-https': {
    severity: 'warning',
    title: 'a port named https gets routes that no request can match',
    because:
      'the operator treats https as http, but a sidecar sees only encrypted bytes and no header; Istio routes such a port ' +
      'by server name only',
    fix: 'serve plain HTTP on a port named http, and leave encryption to the mesh',
    basis: 'documented',
    sources: [issue(24), source.istioPorts],
    failing: yaml(...port('{ name: http, port: 80 }, { name: https, port: 443 }')),
    corrected: yaml(...STACK),
  },
  'ktenv-port-protocol': {
    severity: 'warning',
    title: 'the name of a port starts with "http" but is not a protocol that Istio knows',
    because: 'Istio reads the protocol from the name up to the first dash; for an unknown protocol it has to guess',
    fix: 'put a dash after http: http-web',
    basis: 'documented',
    sources: [source.istioPorts],
    failing: yaml(...port('{ name: httpweb, port: 80 }')),
    corrected: yaml(...port('{ name: http-web, port: 80 }')),
  },
  'ktenv-single-route': {
    severity: 'note',
    title: 'a Service has only one route, and gets neither VirtualService nor DestinationRule',
    because:
      'the operator writes both only if there are two routes or an extra gateway; without these, it deletes existing ' +
      'objects with the name of the Service',
    fix: 'nothing, if all pods of the Service belong to one environment; a second environment adds the routes',
    basis: 'run',
    sources: [issue(44), source.router],
    failing: yaml(VIRTUAL_ENVIRONMENT, SERVICE, DEV),
    corrected: yaml(...STACK),
  },
  'ktenv-service-without-selector': {
    severity: 'error',
    title: 'a Service without selector gets routes to every labelled workload of the namespace',
    because:
      'for the operator an empty or missing selector matches every workload, even for a Service of type ExternalName; it ' +
      'writes routes to subsets for which Istio finds no pod',
    fix: 'add the selector, or move the Service to a namespace without VirtualEnvironment',
    basis: 'run',
    sources: [source.labels],
    failing: yaml(
      ...STACK,
      `apiVersion: v1
kind: Service
metadata: { name: bank, namespace: shop }
spec: { type: ExternalName, externalName: bank.example.com, ports: [{ name: http, port: 80 }] }
`,
    ),
    corrected: yaml(...STACK),
  },
  'ktenv-pods-shared': {
    severity: 'warning',
    title: 'pods belong to several Services',
    because:
      'Istio cannot determine which Service a connection to such a pod was for, so the rules of one Service may apply to ' +
      'the other; KtEnv documents that it does not support this',
    fix: 'keep one Service for each app, with both ports',
    basis: 'documented',
    sources: [source.istioPods],
    failing: yaml(...STACK, edit(SERVICE, ['name: web,', 'name: web-too,'])),
    corrected: yaml(...STACK),
  },
});

/** Checks Services. */
export const checkServices: KtEnvChecker = ({ subjects }) =>
  subjects.flatMap((subject) => [
    ...routed(subject).flatMap((service) => [...ports(service), ...routes(service)]),
    ...shared(subject),
  ]);

type Service = Subject['services'][number];

function ports({ plan, manifest }: Service): Finding[] {
  const all = asList(manifest.get('spec.ports')).map(asObject);
  // Without a selector, another check reports the whole Service.
  if (hasNoSelector({ plan, manifest })) return [];
  if (plan.ports.length === 0) {
    const rule = serviceRules['ktenv-port-unrouted'];
    const gateways = manifest.annotations[GATEWAYS_ANNOTATION];
    const more =
      gateways === undefined ? '' : `; for its gateways it gets a VirtualService without routes, which Istio rejects`;
    const names = all.map(({ name }) => (typeof name === 'string' ? `"${name}"` : 'unnamed'));
    return [
      manifest.finding(rule, {
        // A Service may use another protocol on purpose.
        severity: gateways === undefined && all.every(({ name }) => isOtherProtocol(name)) ? 'warning' : 'error',
        message: `no port of "${manifest.name}" has a name that starts with "http" (${listed(names)})${more}`,
        path: ['spec', 'ports'],
      }),
    ];
  }
  return all.flatMap((one, index) => portFindings(manifest, one, index));
}

function portFindings(manifest: Service['manifest'], one: ReturnType<typeof asObject>, index: number): Finding[] {
  const { name, appProtocol } = one;
  const port = one.port === undefined ? `ports[${index}]` : `port ${String(one.port)}`;
  const path = ['spec', 'ports', index, 'name'];
  if (typeof name !== 'string' || !name.startsWith('http')) {
    if (isOtherProtocol(name) && !/^http/i.test(String(appProtocol ?? ''))) return [];
    const message = `${port} of "${manifest.name}" is ${typeof name === 'string' ? `named "${name}"` : 'unnamed'}, so it is not routed`;
    return [manifest.finding(serviceRules['ktenv-port-unrouted'], { severity: 'warning', message, path })];
  }
  const [protocol] = name.split('-');
  if (protocol === 'https') {
    const message = `${port} of "${manifest.name}" is named "${name}"`;
    return [manifest.finding(serviceRules['ktenv-port-https'], { message, path })];
  }
  if (protocol === 'http' || protocol === 'http2') return [];
  const message = `"${protocol}" is not a protocol that Istio knows (${port} of "${manifest.name}")`;
  return [manifest.finding(serviceRules['ktenv-port-protocol'], { message, path })];
}

/** Whether the name states another protocol: it is not missing, not HTTP in another spelling, and not gRPC. */
function isOtherProtocol(name: unknown): boolean {
  return typeof name === 'string' && name !== '' && !/^(http|grpc)/i.test(name);
}

function hasNoSelector({ manifest }: Service): boolean {
  return Object.keys(asObject(manifest.get('spec.selector'))).length === 0;
}

function routes(service: Service): Finding[] {
  const { plan, manifest } = service;
  if (hasNoSelector(service)) {
    return [
      manifest.finding(serviceRules['ktenv-service-without-selector'], {
        message: `"${manifest.name}" has no selector, so the operator routes it to ${listed(plan.workloads.map(nameOf))}`,
        path: ['spec', 'selector'],
      }),
    ];
  }
  if (plan.outcome !== 'too-few-routes' || plan.ports.length === 0) return [];
  return [
    manifest.finding(serviceRules['ktenv-single-route'], {
      message: `"${manifest.name}" has only its default route`,
    }),
  ];
}

function shared(subject: Subject): Finding[] {
  const services = routed(subject).filter((service) => !hasNoSelector(service));
  const selecting = indexedBy(services, ({ plan }) => plan.workloads);
  const pairs = services.flatMap((second, index) => {
    const { workloads } = second.plan;
    const sharing = new Set(workloads.flatMap((workload) => selecting.get(workload) ?? []));
    if (sharing.size < 2) return [];
    const earlier = services.slice(0, index).filter((service) => sharing.has(service));
    return earlier.map((first) => {
      return { first, second, common: first.plan.workloads.filter((one) => workloads.includes(one)) };
    });
  });
  return pairs.map(({ first, second, common }) =>
    second.manifest.finding(serviceRules['ktenv-pods-shared'], {
      message: `"${second.manifest.name}" and "${first.manifest.name}" both select the pods of ${listed(common.map(nameOf))}`,
      path: ['spec', 'selector'],
      ...relatedTo(first.manifest, `"${first.manifest.name}" is here`),
    }),
  );
}

function nameOf({ kind, name }: Workload): string {
  return `${kind} "${name}"`;
}
