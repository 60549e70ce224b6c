import { checkArgoAlb } from '../../../src/argo/rules';
import { type Json, type JsonObject, Manifest, World } from '../../../src/core';

/** What a stack behind an ALB differs in from one without a finding. */
export interface AlbStack {
  readonly alb?: object;
  readonly canary?: object;
  readonly routes?: readonly string[];
  readonly steps?: readonly object[];
  readonly spec?: object;
  /** The paths of the Ingress, as `backend`, or as whole paths. */
  readonly paths?: readonly (string | object)[];
  readonly rules?: readonly object[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ports?: readonly number[];
  readonly service?: object;
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  readonly more?: readonly object[];
}

const PREFIX = 'alb.ingress.kubernetes.io';

/** A path to an action. */
export function action(name: string, more: object = {}): object {
  return {
    path: '/*',
    pathType: 'ImplementationSpecific',
    backend: { service: { name, port: { name: 'use-annotation' } } },
    ...more,
  };
}

/** A Rollout with another name beside that of the stack, with Services of its own. */
export function other(alb: object, canary: object = {}): object[] {
  return [
    rollout('store', { stableService: 'store-stable', canaryService: 'store-canary', ...canary }, { alb }),
    ...['store-stable', 'store-canary'].map((name) => service(name, [80])),
  ];
}

function service(name: string, ports: readonly number[], metadata: object = {}): object {
  const spec = { selector: { app: 'shop' }, ports: ports.map((port) => ({ name: `p${port}`, port })) };
  return { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace: 'shop', ...metadata }, spec };
}

function rollout(name: string, canary: object, trafficRouting: object, spec: object = {}): object {
  const containers = [{ name: 'web', image: 'example.com/web', ports: [{ containerPort: 80 }] }];
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Rollout',
    metadata: { name, namespace: 'shop' },
    spec: {
      replicas: 5,
      selector: { matchLabels: { app: 'shop' } },
      template: { metadata: { labels: { app: 'shop' } }, spec: { containers } },
      strategy: { canary: { ...canary, trafficRouting } },
      ...spec,
    },
  };
}

/** An Ingress of the class alb. */
export function ingress(name: string, rules: readonly object[], annotations?: object): object {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name, namespace: 'shop', ...(annotations && { annotations }) },
    spec: { ingressClassName: 'alb', rules },
  };
}

/** The findings of a stack: the rule, the object if it is not the Rollout, the path, and the step. */
export function findingsOf(stack: AlbStack): string[] {
  const { alb, canary, routes, steps = [{ setWeight: 20 }], spec, paths = ['stable'], ports = [80] } = stack;
  const annotations = stack.annotations ?? { [`${PREFIX}/scheme`]: 'internal' };
  const rules = stack.rules ?? [
    { host: 'shop.example.com', http: { paths: paths.map((one) => (typeof one === 'string' ? action(one) : one)) } },
  ];
  const routing = {
    alb: { ingress: 'shop', servicePort: 80, ...alb },
    ...(routes && { managedRoutes: routes.map((name) => ({ name })) }),
  };
  const objects = [
    ...(stack.namespaceLabels
      ? [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: stack.namespaceLabels } }]
      : []),
    rollout('shop', { stableService: 'stable', canaryService: 'canary', steps, ...canary }, routing, spec),
    ingress('shop', rules, Object.keys(annotations).length === 0 ? undefined : annotations),
    service('stable', ports, stack.service),
    service('canary', ports),
    ...(stack.more ?? []),
  ];
  const world = World.of(objects.map((one) => Manifest.of(one as Json as JsonObject)));
  return checkArgoAlb(world).map(({ rule, object, path, step }) =>
    [
      rule.replace(/^argo-alb-/, ''),
      ...(object?.kind === 'Rollout' && object.name === 'shop' ? [] : [`${object?.kind} ${object?.name}`]),
      (path ?? '').replace('spec.strategy.canary.trafficRouting', 'routing').replace('spec.strategy.canary', 'canary'),
      ...(step === undefined ? [] : [`step ${step}`]),
    ].join(', '),
  );
}
