/** Stacks of many Rollouts behind AWS load balancers, as a company with one App for all its services has them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a stack of many Rollouts may differ in. */
export interface RolloutsOptions {
  /**
   * Applications that share a load balancer, as AWS bills each of them and limits the rules of each.
   * @default 20
   */
  readonly perLoadBalancer?: number;
}

/** The objects of one application. */
export interface Application {
  readonly name: string;
  readonly objects: readonly object[];
}

const NAMESPACES = ['shop', 'billing', 'search', 'accounts', 'logistics', 'media', 'support'];
const PREFIX = 'alb.ingress.kubernetes.io/';
const SCRIPT = join(__dirname, '..', 'lua_configuration', 'trafficrouting_ingress', 'aws-alb.lua');

const header = (name: string, value: string, type = 'Exact') => ({ matches: [{ headers: [{ type, name, value }] }] });
const share = (percent: number) => ({ traffic: `${percent}%`, replicas: `${percent}%` });

/** Ways in which teams release; all have five steps. */
const STEPS: readonly (readonly object[])[] = [
  [share(5), share(20), share(50), share(80), share(100)],
  [{ ...header('user-agent', 'pc'), replicas: '10%' }, share(10), share(30), share(60), share(100)],
  [
    { ...header('cookie', 'beta=always'), replicas: 1 },
    { ...share(10), pause: { duration: 600 } },
    share(25),
    share(50),
    share(100),
  ],
  [
    { ...header('x-user', 'staff-[0-9]+', 'RegularExpression'), replicas: '20%' },
    {
      matches: [{ headers: [{ name: 'x-user', value: 'a' }] }, { headers: [{ name: 'x-user', value: 'b' }] }],
      replicas: '20%',
    },
    share(20),
    share(60),
    share(100),
  ],
  [
    { matches: [{ queryParams: [{ name: 'v', value: '2' }] }], replicas: '5%' },
    share(5),
    share(25),
    share(75),
    share(100),
  ],
];

/** So many applications, each with a Rollout of five steps, a Deployment, a Service and an Ingress. */
export function applications(count: number, options: RolloutsOptions = {}): Application[] {
  return Array.from({ length: count }, (_, index) => application(index, options));
}

/** What all applications share: their Namespaces, the class, and the script for the load balancer. */
export function platform(): object[] {
  return [
    ...NAMESPACES.map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name: 'alb' },
      spec: { controller: 'ingress.k8s.aws/alb' },
    },
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kruise-rollout-configuration', namespace: 'kruise-rollout' },
      data: { 'lua.traffic.routing.ingress.aws-alb': readFileSync(SCRIPT, 'utf8') },
    },
  ];
}

/** The whole stack. */
export function rolloutStack(count: number, options: RolloutsOptions = {}): object[] {
  return [...platform(), ...applications(count, options).flatMap(({ objects }) => objects)];
}

function application(index: number, { perLoadBalancer = 20 }: RolloutsOptions): Application {
  const group = Math.floor(index / perLoadBalancer);
  const name = `app-${index}`;
  // The teams of two namespaces share a load balancer.
  const metadata = { name, namespace: NAMESPACES[(group + (index % 2)) % NAMESPACES.length]! };
  const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': metadata.namespace };
  return {
    name,
    objects: [
      deployment(metadata, labels, index),
      { apiVersion: 'v1', kind: 'Service', metadata: { ...metadata, labels }, spec: serviceSpec(labels) },
      ingress(metadata, labels, index, `public-${group}`),
      rollout(metadata, STEPS[index % STEPS.length]!),
    ],
  };
}

interface Metadata {
  readonly name: string;
  readonly namespace: string;
}

type Labels = Readonly<Record<string, string>>;

function serviceSpec(selector: Labels): object {
  return { type: 'ClusterIP', selector, ports: [{ name: 'http', port: 80, targetPort: 8080 }] };
}

function deployment(metadata: Metadata, labels: Labels, index: number): object {
  const probe = (path: string) => ({ httpGet: { path, port: 8080 }, periodSeconds: 10, timeoutSeconds: 2 });
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...metadata, labels },
    spec: {
      replicas: 4 + (index % 17),
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: metadata.name,
          containers: [
            {
              name: 'app',
              image: `registry.example.com/${metadata.namespace}/${metadata.name}:1.${index % 10}.0`,
              ports: [{ name: 'http', containerPort: 8080 }],
              env: [
                { name: 'LOG_LEVEL', value: 'info' },
                { name: 'DATABASE_URL', valueFrom: { secretKeyRef: { name: `${metadata.name}-db`, key: 'url' } } },
              ],
              resources: { requests: { cpu: '250m', memory: '256Mi' }, limits: { memory: '512Mi' } },
              readinessProbe: probe('/ready'),
              livenessProbe: probe('/live'),
            },
          ],
        },
      },
    },
  };
}

function ingress(metadata: Metadata, labels: Labels, index: number, group: string): object {
  const { name } = metadata;
  const targetGroups = [{ serviceName: name, servicePort: 80 }];
  const path = (at: string) => ({
    path: at,
    pathType: 'Prefix',
    backend: { service: { name, port: { name: 'use-annotation' } } },
  });
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      ...metadata,
      labels,
      annotations: {
        [`${PREFIX}group.name`]: group,
        [`${PREFIX}group.order`]: '10',
        'rollout-constructs.io/canary-group-order': '9',
        [`${PREFIX}scheme`]: 'internet-facing',
        [`${PREFIX}target-type`]: 'ip',
        [`${PREFIX}listen-ports`]: '[{"HTTP": 80}, {"HTTPS": 443}]',
        [`${PREFIX}ssl-redirect`]: '443',
        [`${PREFIX}certificate-arn`]: 'arn:aws:acm:eu-central-1:111122223333:certificate/0f1e2d3c',
        [`${PREFIX}healthcheck-path`]: '/ready',
        [`${PREFIX}actions.${name}`]: JSON.stringify({ type: 'forward', forwardConfig: { targetGroups } }),
      },
    },
    spec: {
      ingressClassName: 'alb',
      rules: [
        { host: `${name}.example.com`, http: { paths: index % 3 === 0 ? [path('/'), path('/api')] : [path('/')] } },
      ],
    },
  };
}

function rollout(metadata: Metadata, steps: readonly object[]): object {
  const { name } = metadata;
  return {
    apiVersion: 'rollouts.kruise.io/v1beta1',
    kind: 'Rollout',
    metadata,
    spec: {
      workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      strategy: {
        canary: {
          enableExtraWorkloadForCanary: true,
          steps,
          trafficRoutings: [{ service: name, gracePeriodSeconds: 30, ingress: { name, classType: 'aws-alb' } }],
        },
      },
    },
  };
}
