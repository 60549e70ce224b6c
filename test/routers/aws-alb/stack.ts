import { formatPath, Manifest, World } from '../../../src/core';
import type { AlbGroup, AlbOptions } from '../../../src/routers/aws-alb';
import { awsAlbRouter, buildModel } from '../../../src/routers/aws-alb';

export const PREFIX = 'alb.ingress.kubernetes.io';

export interface PathOptions {
  readonly path?: string;
  readonly pathType?: string | null;
  readonly service?: string;
  readonly port?: number | string;
}

export interface IngressOptions {
  readonly namespace?: string;
  /** Without the prefix; one with a slash is taken as it is. */
  readonly annotations?: Readonly<Record<string, string>>;
  readonly className?: string | null;
  readonly host?: string;
  readonly paths?: readonly PathOptions[];
  readonly spec?: object;
}

/** An Ingress of class alb with target type ip and, unless said otherwise, the path `/` to `web:80`. */
export function ingress(name: string, options: IngressOptions = {}): object {
  const { namespace = 'shop', annotations = {}, className = 'alb', host = 'a.com', paths = [{}], spec } = options;
  const written = { 'target-type': 'ip', ...annotations };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      namespace,
      name,
      annotations: Object.fromEntries(
        Object.entries(written).map(([key, value]) => [key.includes('/') ? key : `${PREFIX}/${key}`, value]),
      ),
    },
    spec: {
      ...(className === null ? {} : { ingressClassName: className }),
      rules: [{ ...(host === '' ? {} : { host }), http: { paths: paths.map(pathOf) } }],
      ...spec,
    },
  };
}

function pathOf({ path = '/', pathType = 'Prefix', service = 'web', port = 80 }: PathOptions): object {
  return {
    path,
    ...(pathType === null ? {} : { pathType }),
    backend: { service: { name: service, port: typeof port === 'string' ? { name: port } : { number: port } } },
  };
}

/** A Service with the ports 80 (http) and 9090 (metrics). */
export function service(name: string, { namespace = 'shop', annotations = {}, spec = {} } = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name, annotations },
    spec: {
      selector: { app: name },
      ports: [
        { name: 'http', port: 80, targetPort: 8080 },
        { name: 'metrics', port: 9090, targetPort: 'prom' },
      ],
      ...spec,
    },
  };
}

export const SERVICES = [service('web'), service('web-canary')];

export function worldOf(objects: readonly object[]): World {
  return World.of(objects.map((object) => Manifest.of(object)));
}

export function groupsOf(objects: readonly object[], options?: AlbOptions): readonly AlbGroup[] {
  return buildModel(worldOf([...SERVICES, ...objects]), options).groups;
}

/** The only group of these objects. */
export function groupOf(...objects: readonly object[]): AlbGroup {
  const groups = groupsOf(objects);
  if (groups.length !== 1) throw new Error(`${groups.length} groups`);
  return groups[0]!;
}

/** Why each load balancer is frozen, in one line; a place that leads to nothing is lost. */
export function frozen(...objects: readonly object[]): string[] {
  const { loadBalancers } = awsAlbRouter().routes(worldOf([...SERVICES, ...objects]));
  return loadBalancers.flatMap(({ frozen: why }) => {
    if (why === undefined) return [];
    const isLost = why.path !== undefined && why.manifest?.get(why.path) === undefined;
    const place = why.path === undefined ? 'nowhere' : formatPath(why.path).replaceAll(PREFIX, '…');
    return [
      `${why.reason} at ${why.manifest?.name ?? 'nobody'} ${isLost ? 'a lost ' : ''}${place}: ${why.why.replaceAll(PREFIX, '…')}`,
    ];
  });
}

/** The rules of the only listener of the only group; the failure's class where there is one. */
export function rulesOf(...objects: readonly object[]) {
  const { listeners, failure } = groupOf(...objects);
  if (failure !== undefined) throw failure;
  return listeners[0]!.rules;
}

/** The class of the failure that freezes the only group. */
export function errorOf(...objects: readonly object[]): string | undefined {
  return groupOf(...objects).failure?.errorClass;
}

/** An Ingress whose path `/` uses the action of this JSON. */
export function withAction(json: unknown, annotations: Readonly<Record<string, string>> = {}): object {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  return ingress('i', {
    annotations: { 'actions.web': text, ...annotations },
    paths: [{ port: 'use-annotation' }],
  });
}

/** An Ingress whose path `/` has the conditions of this JSON. */
export function withConditions(json: unknown): object {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  return ingress('i', { annotations: { 'conditions.web': text } });
}
