/** Services: their ports, their selectors, and what becomes of them. */

import type { Finding } from '../../core/finding';
import { asList, asObject } from '../../core/json';
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
    title: 'a port of a Service is not routed, as its name does not start with "http"',
    because:
      'the operator routes the ports whose name starts with "http" in lower case; it does not look at appProtocol, and ' +
      'takes unnamed and gRPC ports for something else. Their requests go to the pods of any environment',
    fix: 'name the port http, or http- and a suffix',
    basis: 'run',
    sources: [source.services, source.istioPorts],
    failing: yaml(...port('{ port: 80, appProtocol: http }')),
    corrected: yaml(...STACK),
  },
  'ktenv-port-https': {
    severity: 'warning',
    title: 'a port named https gets routes that no request can match',
    because:
      'the operator takes https for http, but a sidecar sees only encrypted bytes of it, no header; Istio routes such a ' +
      'port by server name alone',
    fix: 'let the app speak plain HTTP on a port named http, and leave encryption to the mesh',
    basis: 'documented',
    sources: [issue(24), source.istioPorts],
    failing: yaml(...port('{ name: http, port: 80 }, { name: https, port: 443 }')),
    corrected: yaml(...STACK),
  },
  'ktenv-port-protocol': {
    severity: 'warning',
    title: 'the name of a port starts with "http" but does not name a protocol to Istio',
    because: 'Istio reads the protocol up to the first dash; a name it does not know leaves the protocol to guesswork',
    fix: 'put a dash after http: http-web',
    basis: 'documented',
    sources: [source.istioPorts],
    failing: yaml(...port('{ name: httpweb, port: 80 }')),
    corrected: yaml(...port('{ name: http-web, port: 80 }')),
  },
  'ktenv-single-route': {
    severity: 'note',
    title: 'a Service has one route only, and gets neither VirtualService nor DestinationRule',
    because:
      'the operator writes both only when there are two routes or an extra gateway, and deletes what there is under the ' +
      'name of the Service otherwise',
    fix: 'nothing, if all pods of the Service are of one environment; a second environment brings the routes',
    basis: 'run',
    sources: [issue(44), source.router],
    failing: yaml(VIRTUAL_ENVIRONMENT, SERVICE, DEV),
    corrected: yaml(...STACK),
  },
  'ktenv-service-without-selector': {
    severity: 'error',
    title: 'a Service without selector is routed to every labelled workload of the namespace',
    because:
      'for the operator a selector that is empty or missing matches every workload, also that of an ExternalName; it ' +
      'writes routes to subsets that Istio finds no pod for',
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
      'Istio cannot tell for such pods to which Service a connection came, so the rules of one may count for the other; ' +
      'KtEnv documents that it does not support it',
    fix: 'keep one Service for each app; put both ports into it',
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
  // Without a selector the Service as a whole is the mistake.
  if (hasNoSelector({ plan, manifest })) return [];
  if (plan.ports.length === 0) {
    const rule = serviceRules['ktenv-port-unrouted'];
    const gateways = manifest.annotations[GATEWAYS_ANNOTATION];
    const more =
      gateways === undefined ? '' : `; for its gateways it gets a VirtualService without routes, which Istio refuses`;
    const names = all.map(({ name }) => (typeof name === 'string' ? `"${name}"` : 'unnamed'));
    return [
      manifest.finding(rule, {
        // A Service of another protocol on purpose is no mistake of its own.
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
    const message = `${port} of "${manifest.name}" is ${typeof name === 'string' ? `named "${name}"` : 'unnamed'}, and not routed`;
    return [manifest.finding(serviceRules['ktenv-port-unrouted'], { severity: 'warning', message, path })];
  }
  const [protocol] = name.split('-');
  if (protocol === 'https') {
    const message = `${port} of "${manifest.name}" is named "${name}"`;
    return [manifest.finding(serviceRules['ktenv-port-https'], { message, path })];
  }
  if (protocol === 'http' || protocol === 'http2') return [];
  const message = `Istio knows no protocol "${protocol}" (${port} of "${manifest.name}")`;
  return [manifest.finding(serviceRules['ktenv-port-protocol'], { message, path })];
}

/** A name that says that the port is not HTTP: neither missing, nor HTTP in another spelling, nor gRPC. */
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
        message: `"${manifest.name}" has no selector, and is taken for a Service of ${listed(plan.workloads.map(nameOf))}`,
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
  const pairs = services.flatMap((second, index) =>
    services.slice(0, index).flatMap((first) => {
      const common = first.plan.workloads.filter((one) => second.plan.workloads.includes(one));
      return common.length === 0 ? [] : [{ first, second, common }];
    }),
  );
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
