/** Stacks that the tests of this folder share: whole, and as people write them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Manifest, World } from '../../src/core';
import type { Rehearsal } from '../../src/core/rehearsal-result';
import { type RehearseOptions, rehearse } from '../../src/rehearsal';

const ROOT = join(__dirname, '..', '..');

/** The script of document 000, as it is printed there. */
export const SCRIPT_OF_DOCUMENT_000 = readFileSync(
  join(ROOT, 'test/kruise/scripts/rejected/document-000/trafficrouting_ingress/aws-alb.lua'),
  'utf8',
);

/** A script of this library. */
export function ourScript(path: string): string {
  return readFileSync(join(ROOT, 'lua_configuration', path), 'utf8');
}

/** What a stack may differ in. */
export interface StackOptions {
  readonly name?: string;
  readonly namespace?: string;
  readonly host?: string;
  readonly steps?: readonly object[];
  readonly strategy?: object;
  readonly style?: 'canary' | 'blueGreen';
  /** @default 'v1beta1' */
  readonly api?: 'v1beta1' | 'v1alpha1';
  readonly route?: object;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ingressClassName?: string;
  readonly port?: { readonly name?: string; readonly number?: number };
  readonly servicePort?: number;
  readonly service?: object;
  readonly replicas?: number;
  readonly paths?: readonly object[];
  readonly scripts?: Readonly<Record<string, string>>;
  readonly more?: readonly object[];
}

/** A path of an Ingress. */
export function path(at: string, service: string, port: object = { number: 80 }, pathType = 'Prefix'): object {
  return { path: at, pathType, backend: { service: { name: service, port } } };
}

/** A Service. */
export function service(name: string, port = 80, namespace = 'shop'): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { selector: { app: name }, ports: [{ port, targetPort: 8080 }] },
  };
}

/** The annotations of a stable Ingress that forwards to its Service through an action. */
export function albAnnotations(name: string, port = 80, more: Readonly<Record<string, string>> = {}) {
  const targetGroups = [{ serviceName: name, servicePort: port }];
  return {
    'alb.ingress.kubernetes.io/target-type': 'ip',
    [`alb.ingress.kubernetes.io/actions.${name}`]: JSON.stringify({ type: 'forward', forwardConfig: { targetGroups } }),
    ...more,
  };
}

/** A group with an order, and the order that our script gives the canary. */
export const ORDERED = {
  'alb.ingress.kubernetes.io/group.name': 'shop',
  'alb.ingress.kubernetes.io/group.order': '10',
  'rollout-constructs.io/canary-group-order': '9',
};

/** Rollout, workload, Service, Ingress and scripts of one application. */
export function objectsOf(options: StackOptions = {}): object[] {
  const { name = 'web', namespace = 'shop', servicePort = 80, style = 'canary', api = 'v1beta1' } = options;
  const route = options.route ?? { ingress: { name, classType: 'aws-alb' } };
  const strategy = {
    ...(style === 'canary' && api === 'v1beta1' ? { enableExtraWorkloadForCanary: true } : {}),
    steps: options.steps ?? [
      { traffic: '20%', replicas: '20%' },
      { traffic: '100%', replicas: '100%' },
    ],
    trafficRoutings: [{ service: name, gracePeriodSeconds: 30, ...route }],
    ...options.strategy,
  };
  const workloadRef = { apiVersion: 'apps/v1', kind: 'Deployment', name };
  return [
    {
      apiVersion: `rollouts.kruise.io/${api}`,
      kind: 'Rollout',
      metadata: { name, namespace },
      spec: {
        ...(api === 'v1beta1' ? { workloadRef } : { objectRef: { workloadRef } }),
        strategy: { [style]: strategy },
      },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace },
      spec: {
        replicas: options.replicas ?? 10,
        selector: { matchLabels: { app: name } },
        template: {
          metadata: { labels: { app: name } },
          spec: { containers: [{ name, image: 'example.com/app', ports: [{ containerPort: 8080 }] }] },
        },
      },
    },
    options.service ?? service(name, servicePort, namespace),
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name, namespace, annotations: options.annotations ?? albAnnotations(name, servicePort, ORDERED) },
      spec: {
        ingressClassName: options.ingressClassName ?? 'alb',
        rules: [
          {
            host: options.host ?? 'shop.example.com',
            http: { paths: options.paths ?? [path('/', name, options.port ?? { name: 'use-annotation' })] },
          },
        ],
      },
    },
    ...(options.scripts === undefined ? [] : [configMap(options.scripts)]),
    ...(options.more ?? []),
  ];
}

/** The ConfigMap of scripts. */
export function configMap(data: Readonly<Record<string, string>>): object {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kruise-rollout-configuration', namespace: 'kruise-rollout' },
    data,
  };
}

/** The ConfigMap entry of an AWS ingress script. */
export const albScript = (source: string) => ({ 'lua.traffic.routing.ingress.aws-alb': source });

/** Rehearses plain objects. */
export function rehearseObjects(objects: readonly object[], options: RehearseOptions = {}): Rehearsal[] {
  return rehearse(World.of(objects.map((object) => Manifest.of(object))), options);
}

/** Rehearses the one application of a stack. */
export function rehearseStack(stack: StackOptions = {}, options: RehearseOptions = {}): Rehearsal {
  const [rehearsal] = rehearseObjects(objectsOf(stack), options);
  return rehearsal!;
}

/** Ids of what was found that is not only worth a note. */
export function rulesOf(rehearsal: Rehearsal): string[] {
  return [...new Set(rehearsal.findings.filter(({ severity }) => severity !== 'note').map(({ rule }) => rule))].sort();
}

/** The canary's share by moment and request, in percent. */
export function sharesOf(rehearsal: Rehearsal): Record<string, Record<string, number>> {
  return Object.fromEntries(
    rehearsal.moments.map(({ title, cells }) => [
      title,
      Object.fromEntries(
        cells.map(({ shares }, index) => [rehearsal.requests[index]!.label, Math.round(shares.canary * 100)]),
      ),
    ]),
  );
}
