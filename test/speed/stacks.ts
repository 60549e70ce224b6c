/** Stacks of many Rollouts behind each router, as the labs of the stage have them: each with a host of its own, or all behind one. */
import { type Manifest, parseManifests, World } from '../../src/core';
import type { KubernetesObject } from '../stage/cluster/api';
import * as argo from '../stage/labs/argo/stack';
import * as kruise from '../stage/labs/kruise/stack';
import { MODELS } from '../stage/models';

/** Whether each Rollout has a host and a load balancer of its own, or a path behind one of all. */
export type Hosts = 'own' | 'shared';

/** The releases of the stacks. */
const RELEASES = { kruise: '0.6.2', argo: '1.9.1' } as const;

interface Kind {
  /** Whose install is part of the stack. */
  readonly controller?: keyof typeof RELEASES;
  readonly objects: readonly KubernetesObject[];
  /** Gives an application a path, or a place in the namespace of all; without it, nothing can be shared. */
  readonly atPath?: (object: KubernetesObject, path: string) => KubernetesObject;
}

const ofKruise = (route: kruise.StackOptions['route'], atPath?: Kind['atPath']): Kind => ({
  controller: 'kruise',
  objects: kruise.stackOf({ route, style: 'canary' }),
  ...(atPath && { atPath }),
});

const ofArgo = (options: argo.StackOptions, atPath?: Kind['atPath']): Kind => ({
  controller: 'argo',
  objects: argo.stackOf(options),
  ...(atPath && { atPath }),
});

function replaced(object: KubernetesObject, kind: string, from: string, to: string): KubernetesObject {
  return object.kind === kind ? JSON.parse(JSON.stringify(object).replaceAll(from, to)) : object;
}

const ingressPath = (object: KubernetesObject, path: string) =>
  replaced(object, 'Ingress', '"path":"/"', `"path":"${path}"`);

const httpRoutePath = (object: KubernetesObject, path: string) =>
  replaced(
    object,
    'HTTPRoute',
    '"rules":[{',
    `"rules":[{"matches":[{"path":{"type":"PathPrefix","value":"${path}"}}],`,
  );

/** The hosts of both Services belong to the application. */
const blueGreen: Kind = {
  controller: 'argo',
  objects: argo
    .stackOf({ route: 'blueGreen' })
    .map((object) => replaced(object, 'Ingress', 'preview.example.com', 'preview.shop.example.com')),
};

/** An application in a shared environment and in one of a team. */
const ktEnv: Kind = {
  objects: [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { 'istio-injection': 'enabled' } } },
    {
      apiVersion: 'env.alibaba.com/v1alpha2',
      kind: 'VirtualEnvironment',
      metadata: { name: 'shop', namespace: 'shop' },
      spec: {
        envHeader: { name: 'x-virtual-env' },
        envLabel: { name: 'virtual-env', splitter: '.', defaultSubset: 'dev' },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'shop', namespace: 'shop' },
      spec: { selector: { app: 'shop' }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
    },
    ...['dev', 'dev.checkout'].map((environment) => {
      const labels = { app: 'shop', 'virtual-env': environment };
      const containers = [{ name: 'main', image: 'example.com/web:v1', ports: [{ containerPort: 8080 }] }];
      return {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: `shop-in-${environment.replace('.', '-')}`, namespace: 'shop' },
        spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
      };
    }),
  ],
  // The operator reads one VirtualEnvironment of a namespace, and all that is in it.
  atPath: ({ metadata, ...object }) => {
    const isOfAll = object.kind === 'Namespace' || object.kind === 'VirtualEnvironment';
    const placed = object.kind === 'Namespace' ? metadata : { ...metadata, namespace: 'all' };
    return { ...object, metadata: isOfAll ? { ...placed, name: 'all' } : placed } as KubernetesObject;
  },
};

/** All behind one Gateway. */
function atGateway(stack: readonly KubernetesObject[]): KubernetesObject[] {
  return stack.map((object) =>
    object.kind === 'Gateway'
      ? { ...object, metadata: { name: 'edge' } }
      : replaced(object, 'HTTPRoute', '"parentRefs":[{"name":"shop"}]', '"parentRefs":[{"name":"edge"}]'),
  );
}

/** The stacks by name. */
export const STACKS: Readonly<Record<string, Kind>> = {
  nginx: ofKruise('nginx', ingressPath),
  higress: ofKruise('higress', ingressPath),
  'aws-alb': ofKruise('aws-alb', ingressPath),
  'alb-in-place': ofKruise('alb-in-place', (object, path) => {
    const { metadata } = object;
    const annotations = { ...metadata.annotations, 'alb.ingress.kubernetes.io/group.name': 'all' };
    return object.kind === 'Ingress'
      ? ingressPath({ ...object, metadata: { ...metadata, annotations } }, path)
      : object;
  }),
  'aliyun-alb': ofKruise('aliyun-alb', ingressPath),
  istio: ofKruise('istio'),
  'gateway-api': {
    controller: 'kruise',
    objects: atGateway(kruise.stackOf({ route: 'gateway-api', style: 'canary' })),
    atPath: httpRoutePath,
  },
  contour: ofKruise('contour'),
  traefik: ofKruise('traefik', (object, path) =>
    replaced(object, 'IngressRoute', 'com`)', `com\`) && PathPrefix(\`${path}\`)`),
  ),
  apisix: ofKruise('apisix', (object, path) =>
    replaced(object, 'ApisixRoute', '"paths":["/*"]', `"paths":["${path}/*"]`),
  ),
  kuma: ofKruise('kuma-http'),
  'argo-alb': ofArgo({ route: 'alb' }),
  'argo-ping-pong': ofArgo({ route: 'alb-ping-pong' }),
  'argo-blue-green': blueGreen,
  'argo-nginx': ofArgo({ route: 'nginx' }, ingressPath),
  'argo-istio': ofArgo({ route: 'istio' }),
  ktenv: ktEnv,
};

/** Those that release canaries, step by step. */
export const CANARIES: readonly string[] = Object.keys(STACKS).filter((name) =>
  STACKS[name]!.objects.some(({ spec }) => spec?.strategy?.canary !== undefined),
);

/** So many applications behind a router, with the install of the controller. */
export function worldOf(
  name: string,
  count: number,
  hosts: Hosts = 'own',
  nameOf: (index: number) => string = (index) => `shop-${index}`,
): World {
  const { controller, objects, atPath } = STACKS[name]!;
  const all = Array.from({ length: count }, (_, index) =>
    objects.map((object) => application(object, nameOf(index), hosts === 'shared' ? atPath : undefined)),
  ).flat();
  const install = controller === undefined ? [] : MODELS[controller]!.install(RELEASES[controller]);
  return World.of([...manifestsOf(unique(all)), ...manifestsOf(install)]);
}

function application(object: KubernetesObject, name: string, atPath: Kind['atPath']): KubernetesObject {
  const placed = atPath === undefined ? object : atPath(object, `/${name}`);
  const text = JSON.stringify(placed);
  const hosted = atPath === undefined ? text.replaceAll('shop.example.com', `${name}.example.com`) : text;
  // The group and the host of all stay as they are.
  return JSON.parse(
    hosted.replaceAll(/\bshop\b(?![./-]?example|-\d)/g, (word, at: number) =>
      isShared(hosted, at, atPath) ? word : name,
    ),
  );
}

function isShared(text: string, at: number, atPath: Kind['atPath']): boolean {
  return atPath !== undefined && text.slice(0, at).endsWith('group.name":"');
}

function unique(objects: readonly KubernetesObject[]): KubernetesObject[] {
  return [...new Map(objects.map((object) => [`${object.kind}/${object.metadata.name}`, object])).values()];
}

function manifestsOf(objects: readonly KubernetesObject[]): readonly Manifest[] {
  return parseManifests(objects.map((object) => JSON.stringify(object)).join('\n---\n'), 'stack.yaml').manifests;
}
