/** Props of every construct as somebody might write them, and the same with something in them that no type allows. */
import { ApiObject, App, Chart, Duration } from 'cdk8s';
import {
  AlbCanaryIngress,
  AlbIngressClass,
  AliyunAlbCanaryIngress,
  ArgoAlbRollout,
  ArgoAlbStrategy,
  ArgoRolloutsInstall,
  ArgoStep,
  AwsAccess,
  GatewayKind,
  GatewayRoleBinding,
  HeaderMatch,
  IstioRoleBinding,
  KruiseRollout,
  KruiseRolloutInstall,
  KruiseRolloutStep,
  KruiseRolloutStrategy,
  KruiseTrafficRouting,
  KtEnvInstall,
  KtVirtualEnvironment,
  LuaRoutingConfigMap,
  LuaScripts,
  StackCheck,
  TargetGroupVerificationPolicy,
} from '../../src/constructs';
import { HOSTILE } from './hostile-texts';
import type { Chance } from './random';

/** What makes a construct of some props, and props that it takes. */
export interface ConstructCase {
  readonly name: string;
  readonly props: (chart: Chart) => object;
  readonly make: (chart: Chart, props: never) => unknown;
}

const RULES = [{ host: 'shop.example.com', paths: [{ path: '/', pathType: 'Prefix' }] }];
const TEMPLATE = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'example.com/web:1', ports: [{ containerPort: 8080 }] }] },
};
const WORKLOAD = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const ROUTING = { service: 'web', ingress: 'web', classType: 'nginx', gracePeriodSeconds: Duration.seconds(5) };

export const CONSTRUCTS: readonly ConstructCase[] = [
  {
    name: 'AlbCanaryIngress',
    props: () => ({
      metadata: { name: 'web', annotations: { a: 'b' }, labels: { c: 'd' } },
      service: { name: 'web', port: 80 },
      rules: RULES,
      certificates: ['arn:aws:acm:eu-west-1:111122223333:certificate/a'],
      sslRedirect: true,
    }),
    make: (chart, props) => new AlbCanaryIngress(chart, 'It', props),
  },
  {
    name: 'AlbIngressClass',
    props: () => ({ metadata: { name: 'alb' }, group: 'shop', targetType: 'ip', tags: { a: 'b' } }),
    make: (chart, props) => new AlbIngressClass(chart, 'It', props),
  },
  {
    name: 'AliyunAlbCanaryIngress',
    props: () => ({ metadata: { name: 'web' }, service: { name: 'web', port: 80 }, rules: RULES }),
    make: (chart, props) => new AliyunAlbCanaryIngress(chart, 'It', props),
  },
  {
    name: 'ArgoAlbRollout',
    props: () => ({
      metadata: { name: 'web' },
      replicas: 4,
      template: TEMPLATE,
      port: 8080,
      strategy: ArgoAlbStrategy.canary({ steps: [ArgoStep.setWeight(20), ArgoStep.pause()] }),
      ingress: { rules: RULES, group: { name: 'shop', order: 1 }, metadata: { annotations: { a: 'b' } } },
    }),
    make: (chart, props) => new ArgoAlbRollout(chart, 'It', props),
  },
  {
    name: 'ArgoRolloutsInstall',
    props: () => ({
      namespace: 'argo',
      replicas: 2,
      trafficRouters: ['alb'],
      metrics: { serviceMonitor: { interval: '30s' } },
      dashboard: {},
      crds: 'skip',
    }),
    make: (chart, props) => new ArgoRolloutsInstall(chart, 'It', props),
  },
  {
    name: 'GatewayRoleBinding',
    props: () => ({
      install: KruiseRolloutInstall.fromExisting({ namespace: 'kruise-rollout' }),
      kinds: [GatewayKind.CONTOUR_HTTP_PROXY],
    }),
    make: (chart, props) => new GatewayRoleBinding(chart, 'It', props),
  },
  {
    name: 'IstioRoleBinding',
    props: () => ({ name: 'x' }),
    make: (chart, props) => new IstioRoleBinding(chart, 'It', props),
  },
  {
    name: 'KruiseRollout',
    props: () => ({
      metadata: { name: 'web' },
      workload: WORKLOAD,
      trafficRouting: ROUTING,
      strategy: KruiseRolloutStrategy.canary({
        steps: [
          KruiseRolloutStep.matches([HeaderMatch.exact('a', 'b')], { replicas: 1 }),
          KruiseRolloutStep.traffic('100%'),
        ],
      }),
    }),
    make: (chart, props) => new KruiseRollout(chart, 'It', props),
  },
  {
    name: 'KruiseRolloutInstall',
    props: () => ({
      namespace: 'kruise-rollout',
      replicas: 2,
      permissions: { istio: false },
      metrics: { serviceMonitor: {} },
      networkPolicy: { apiServerCidrs: ['10.0.0.0/16'] },
      image: { repository: 'example.com/x', tag: 'v1' },
      featureGates: { AdvancedDeployment: true },
    }),
    make: (chart, props) => new KruiseRolloutInstall(chart, 'It', props),
  },
  {
    name: 'KruiseTrafficRouting',
    props: () => ({
      metadata: { name: 'web' },
      trafficRouting: ROUTING,
      matches: [HeaderMatch.exact('a', 'b')],
      requestHeaderModifier: { set: [{ name: 'x', value: 'y' }] },
    }),
    make: (chart, props) => new KruiseTrafficRouting(chart, 'It', props),
  },
  {
    name: 'KtVirtualEnvironment',
    props: () => ({
      name: 'env',
      envHeader: {
        name: 'X-Virtual-Env',
        autoInject: true,
        aliases: [{ name: 'a', pattern: 'b-(@)', placeholder: '(@)' }],
      },
      envLabel: { name: 'virtual-env', splitter: '.', defaultSubset: 'dev' },
    }),
    make: (chart, props) => new KtVirtualEnvironment(chart, 'It', props),
  },
  {
    name: 'KtEnvInstall',
    props: () => ({ namespace: 'kt-virtual-environment', replicas: 2 }),
    make: (chart, props) => new KtEnvInstall(chart, 'It', props),
  },
  {
    name: 'LuaRoutingConfigMap',
    props: () => ({
      namespace: 'kruise-rollout',
      scripts: [LuaScripts.fromLibrary('Ingress.networking.k8s.io')],
    }),
    make: (chart, props) => new LuaRoutingConfigMap(chart, 'It', props),
  },
  {
    name: 'StackCheck',
    props: () => ({
      istioVersion: '1.24',
      external: [{ kind: 'ConfigMap', name: 'x' }],
      suppressions: [{ rule: 'manifest-duplicate', reason: 'x' }],
    }),
    make: (chart, props) => {
      new ApiObject(chart, 'object', { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } });
      return new StackCheck(chart, 'It', props);
    },
  },
  {
    name: 'TargetGroupVerificationPolicy',
    props: () => ({
      region: 'eu-west-1',
      access: AwsAccess.podIdentity({ clusterName: 'prod', role: 'argo' }),
      tags: { team: 'shop' },
    }),
    make: (chart, props) => new TargetGroupVerificationPolicy(chart, 'It', props),
  },
];

/** Of the same type as the value, and nothing that anybody expects. */
function oddOf(value: unknown, chance: Chance): unknown {
  if (typeof value === 'string')
    return chance.of(['', ' ', 'x', 'X_y', '100%', '-1', '1e9', '*', '/', 'a/b', '.', '0', ...HOSTILE]);
  if (typeof value === 'number')
    return chance.of([0, -1, 1.5, 1e9, 1e21, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.MIN_VALUE]);
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return chance.of([[], [...value, ...value], Array.from({ length: 20 }, () => value[0])]);
  if (isPlain(value)) return { ...value, [chance.of(HOSTILE)]: chance.of(HOSTILE) };
  return value;
}

/** What a program without types, or with a cast, may put anywhere. */
const WRONG: readonly unknown[] = [
  null,
  '',
  'x',
  0,
  true,
  [],
  [null],
  {},
  { name: null },
  [[]],
  () => 'x',
  10n,
  Symbol('x'),
  new Date(0),
];

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

type Place = readonly (string | number)[];

/** Places in plain objects and lists; what has a class of its own is one value. */
function placesOf(value: unknown, path: Place = []): Place[] {
  const below =
    Array.isArray(value) || isPlain(value)
      ? Object.entries(value).flatMap(([key, item]) => placesOf(item, [...path, key]))
      : [];
  return path.length === 0 ? below : [path, ...below];
}

/** The props with something else at one place: of the same type, or of any. */
export function spoilt(
  props: object,
  chance: Chance,
  types: 'right' | 'wrong',
): { readonly props: object; readonly about: string } {
  const place = chance.of(placesOf(props));
  let odd: unknown;
  const replaced = (value: unknown, [key, ...rest]: Place): unknown => {
    if (key === undefined) {
      odd = types === 'right' ? oddOf(value, chance) : chance.of(WRONG);
      return odd;
    }
    const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
    copy[key] = replaced(copy[key], rest);
    return copy;
  };
  const changed = replaced(props, place) as object;
  return { props: changed, about: `${place.join('.')} = ${shown(odd)}` };
}

/** What comes of a construct: its manifests, or the error. */
export function outcomeOf({ make }: ConstructCase, props: (chart: Chart) => object): string | Error {
  const app = new App();
  const chart = new Chart(app, 'shop', { namespace: 'shop' });
  try {
    make(chart, props(chart) as never);
    return app.synthYaml();
  } catch (error) {
    return error as Error;
  }
}

/** Also what has a `toString` that is none. */
function shown(value: unknown): string {
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 80);
}
