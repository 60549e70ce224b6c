/** The stable Service, and the canary Service that the controller makes of it. */
import type { Finding } from '../../core/finding';
import { defineRules } from '../../core/rule';
import { providerOf, providerOfClassType } from '../alb/provider';
import { asObject } from '../json';
import { ingressesOf, type RolloutCheck, type RolloutChecker, serviceOf } from './context';
import * as example from './examples';
import { edit, yaml } from './examples';
import { source } from './sources';
import type { RolloutSubject, RouteSubject } from './subject';

const STACK = [example.DEPLOYMENT, example.SERVICE, example.INGRESS] as const;
const LONG = 'web-of-the-shop-that-sells-everything-to-everybody-anytime';
const ALB_ROLLOUT = example.customRollout('apiVersion: networking.k8s.io/v1, kind: Ingress, name: web');
const ALB_STACK = [
  example.DEPLOYMENT,
  example.SERVICE,
  edit(
    example.INGRESS,
    [
      'metadata: { name: web, namespace: shop }',
      `metadata:
  name: web
  namespace: shop
  annotations:
    alb.ingress.kubernetes.io/target-type: ip
    alb.ingress.kubernetes.io/actions.web: '{"type":"forward","forwardConfig":{"targetGroups":[{"serviceName":"web","servicePort":80}]}}'`,
    ],
    ['ingressClassName: nginx', 'ingressClassName: alb'],
    ['port: { number: 80 }', 'port: { name: use-annotation }'],
  ),
  `apiVersion: v1
kind: ConfigMap
metadata: { name: kruise-rollout-configuration, namespace: kruise-rollout }
data:
  lua.traffic.routing.Ingress.networking.k8s.io: return obj.data
`,
] as const;

/** Rules on the Services of a release. */
export const serviceRules = defineRules({
  'kruise-service-name-too-long': {
    severity: 'error',
    title: 'the name of the Service leaves no room for "-canary"',
    because: 'the controller makes a Service "<service>-canary", and the name of a Service may have 63 characters',
    fix: 'shorten the name of the Service to 56 characters',
    basis: 'read',
    sources: [source.manager],
    failing: yaml(edit(example.ROLLOUT, ['service: web', `service: ${LONG}`])),
    corrected: yaml(example.ROLLOUT),
  },

  'kruise-canary-service-disabled': {
    severity: 'error',
    title: 'without a canary Service an Ingress or HTTPRoute has nothing to split between',
    because:
      'disableGenerateCanaryService makes the canary Service the stable Service itself; an Ingress or HTTPRoute tells ' +
      'versions apart by Service, so every request goes where it went before. It is meant for DestinationRule subsets',
    fix: 'take disableGenerateCanaryService out, or route through customNetworkRefs with a DestinationRule',
    basis: 'read',
    sources: [source.manager, source.types],
    failing: yaml(
      edit(example.ROLLOUT, [
        '      trafficRoutings:',
        '      disableGenerateCanaryService: true\n      trafficRoutings:',
      ]),
    ),
    corrected: yaml(example.ROLLOUT),
  },

  'kruise-service-panics': {
    severity: 'error',
    title: 'the Service has no selector, on which the controller crashes',
    because:
      'the controller adds the revision to the selector of the canary Service; without a selector it writes into ' +
      'nothing and the process dies, and with it every rollout of the cluster',
    fix: 'add the selector of the pods of the workload',
    basis: 'read',
    sources: [source.manager],
    failing: yaml(
      example.ROLLOUT,
      example.DEPLOYMENT,
      edit(example.SERVICE, ['  selector: { app: web }\n', '']),
      example.INGRESS,
    ),
    corrected: yaml(example.ROLLOUT, ...STACK),
  },

  'kruise-canary-service-type': {
    severity: 'warning',
    title: 'the canary Service copies a type that should not be copied',
    because:
      'the controller copies the spec of the stable Service, so a Service of type LoadBalancer gets a second load balancer for the length of each release',
    fix: 'use type ClusterIP for the Service behind the Ingress, and another Service for the load balancer',
    basis: 'read',
    sources: [source.manager],
    failing: yaml(
      example.ROLLOUT,
      example.DEPLOYMENT,
      edit(example.SERVICE, ['spec:\n', 'spec:\n  type: LoadBalancer\n']),
      example.INGRESS,
    ),
    corrected: yaml(example.ROLLOUT, ...STACK),
  },

  'kruise-grace-period-short': {
    severity: 'warning',
    title: 'the grace period is too short for an AWS load balancer',
    because:
      'at the end the controller restores the routes, waits gracePeriodSeconds (3 unless given) and deletes the canary ' +
      'Service; a load balancer outside of the cluster still sends requests there for many seconds, which fail',
    fix: 'set gracePeriodSeconds to 30 or more',
    basis: 'inferred',
    sources: [source.canary, 'https://github.com/argoproj/argo-rollouts/issues/4433'],
    failing: yaml(ALB_ROLLOUT, ...ALB_STACK),
    corrected: yaml(
      edit(ALB_ROLLOUT, ['service: web', 'service: web\n          gracePeriodSeconds: 30']),
      ...ALB_STACK,
    ),
  },
});

/** Checks the Services of every route. */
export const checkServices: RolloutChecker = (check) => [
  ...check.routes.flatMap((route) => [...canaryService(check, route), ...gracePeriod(check, route)]),
  ...check.rollouts.flatMap((rollout) => disabled(check, rollout)),
];

/** What a name of a Service may have, less "-canary". */
const MAX_NAME = 56;

function canaryService({ world }: RolloutCheck, route: RouteSubject): Finding[] {
  if (!route.makesCanaryService) return [];
  const tooLong =
    route.service.length <= MAX_NAME
      ? []
      : [
          route.manifest.finding(serviceRules['kruise-service-name-too-long'], {
            message: `the Service name "${route.service}" has ${route.service.length} characters; with "-canary" that is more than 63`,
            path: [...route.path, 'service'],
          }),
        ];
  const service = serviceOf(world, route);
  if (service === undefined) return tooLong;
  const selects = Object.keys(asObject(service.get('spec.selector'))).length > 0;
  const by = `the ${route.manifest.kind} "${route.manifest.name}"`;
  const type = service.get('spec.type');
  return [
    ...tooLong,
    ...(selects
      ? []
      : [
          service.finding(serviceRules['kruise-service-panics'], {
            message: `the Service has no selector, and ${by} makes a canary Service of it`,
            path: 'spec',
          }),
        ]),
    ...(type === 'LoadBalancer'
      ? [
          service.finding(serviceRules['kruise-canary-service-type'], {
            message: `the Service is of type LoadBalancer, and so will be "${route.canaryService}", which ${by} makes of it`,
            path: 'spec.type',
          }),
        ]
      : []),
    ...(service.get('spec.clusterIP') === 'None'
      ? [
          service.finding(serviceRules['kruise-canary-service-type'], {
            message: `the Service is headless, but "${route.canaryService}", which ${by} makes of it, will have a cluster IP`,
            because:
              'the controller clears clusterIP in the copy, so the canary Service answers differently from the stable one',
            fix: 'use a Service with a cluster IP for the release',
            path: 'spec.clusterIP',
          }),
        ]
      : []),
  ];
}

function disabled({ version }: RolloutCheck, { manifest, strategy, route, v1alpha1 }: RolloutSubject): Finding[] {
  if (strategy.object.disableGenerateCanaryService !== true) return [];
  const path = [...strategy.path, 'disableGenerateCanaryService'];
  const rule = serviceRules['kruise-canary-service-disabled'];
  if (v1alpha1 || !version.facts.disableGenerateCanaryService) {
    return [
      manifest.finding(rule, {
        severity: 'warning',
        message: `disableGenerateCanaryService has no effect in ${v1alpha1 ? 'v1alpha1' : `Kruise Rollouts ${version}`}, so a canary Service is made all the same`,
        because: v1alpha1
          ? 'the conversion from v1alpha1 to v1beta1 drops the field'
          : 'the field exists from v0.6.0 on; an older API server drops it',
        fix: v1alpha1 ? 'write the Rollout as v1beta1' : 'use v0.6.0 or newer, or take the field out',
        path,
      }),
    ];
  }
  if (route?.ingress === undefined && route?.gateway === undefined) return [];
  const by = route.ingress === undefined ? 'HTTPRoute' : 'Ingress';
  return [
    manifest.finding(rule, {
      message: `disableGenerateCanaryService leaves only the Service "${route.service}", so the ${by} splits nothing`,
      path,
    }),
  ];
}

/** What an AWS load balancer needs to follow a change. */
const ALB_SECONDS = 30;

/** What the controller waits where nothing, or nothing useful, is said. */
const DEFAULT_SECONDS = 3;

function gracePeriod({ world, routes }: RolloutCheck, route: RouteSubject): Finding[] {
  const alb =
    providerOfClassType(route.ingress?.classType ?? '') === 'aws' ||
    ingressesOf(world, route).some((ingress) => providerOf(world, ingress, routes) === 'aws');
  const seconds = route.gracePeriodSeconds || DEFAULT_SECONDS;
  if (!alb || seconds >= ALB_SECONDS || seconds < 0) return [];
  const isGiven = route.gracePeriodSeconds !== undefined;
  return [
    route.manifest.finding(serviceRules['kruise-grace-period-short'], {
      message: `gracePeriodSeconds is ${isGiven ? route.gracePeriodSeconds : `${DEFAULT_SECONDS} by default`}, which is probably too short for an AWS load balancer`,
      path: isGiven ? [...route.path, 'gracePeriodSeconds'] : route.path,
    }),
  ];
}
