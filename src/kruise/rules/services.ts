/** Checks the stable Service, and the canary Service that the controller creates from it. */
import type { Finding } from '../../core/finding';
import { asObject, isJsonObject, ownValue } from '../../core/json';
import { defineRules } from '../../core/rule';
import { providerOf, providerOfClassType } from '../alb/provider';
import { IN_PLACE_SCRIPT, scriptConfigMap } from '../scripts/example-scripts';
import type { RolloutSubject, RouteSubject } from '../subject';
import { ingressesOf, listed, type RolloutCheck, type RolloutChecker, serviceOf } from './context';
import * as example from './examples';
import { edit, yaml } from './examples';
import { source } from './sources';

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
  scriptConfigMap('Ingress.networking.k8s.io', IN_PLACE_SCRIPT),
] as const;

/** Rules for the Services of a release. */
export const serviceRules = defineRules({
  'kruise-service-name-too-long': {
    severity: 'error',
    title: 'the name of the Service leaves no room for "-canary"',
    because:
      'the controller creates a Service "<service>-canary", and the name of a Service may have at most 63 characters',
    fix: 'shorten the name of the Service to 56 characters',
    basis: 'read',
    sources: [source.manager],
    failing: yaml(edit(example.ROLLOUT, ['service: web', `service: ${LONG}`])),
    corrected: yaml(example.ROLLOUT),
  },

  'kruise-canary-service-disabled': {
    severity: 'error',
    title: 'without a canary Service, an Ingress or HTTPRoute splits no traffic',
    because:
      'with disableGenerateCanaryService, the canary Service is the stable Service. An Ingress or HTTPRoute distinguishes ' +
      'versions by Service, so every request goes where it went before. The field is meant for DestinationRule subsets',
    fix: 'remove disableGenerateCanaryService, or route through customNetworkRefs with a DestinationRule',
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
    title: 'a Service without selector crashes the controller',
    because:
      'the controller adds the revision to the selector of the canary Service. Without a selector it writes to ' +
      'a nil map and panics, and every rollout in the cluster stops',
    fix: 'add a selector for the pods of the workload',
    basis: 'read',
    rehearsedAs: ['rehearsal-controller-panics'],
    sources: [source.manager],
    failing: yaml(
      example.ROLLOUT,
      example.DEPLOYMENT,
      edit(example.SERVICE, ['  selector: { app: web }\n', '']),
      example.INGRESS,
    ),
    corrected: yaml(example.ROLLOUT, ...STACK),
  },

  'kruise-service-selects-no-pods': {
    severity: 'error',
    title: 'the Service does not select the pods of the workload',
    because:
      'the controller sends requests to the pods that the Service selects and that have the label of a revision. Pods ' +
      'without the labels of the selector are never among them, so neither the stable nor the canary Service reaches the application',
    fix: 'select labels that the pods of the workload have',
    basis: 'read',
    rehearsedAs: ['rehearsal-incomplete'],
    sources: [source.manager],
    failing: yaml(
      example.ROLLOUT,
      example.DEPLOYMENT,
      edit(example.SERVICE, ['selector: { app: web }', 'selector: { app: shop }']),
      example.INGRESS,
    ),
    corrected: yaml(example.ROLLOUT, ...STACK),
  },

  'kruise-canary-service-type': {
    severity: 'warning',
    title: 'the canary Service copies a type that should not be copied',
    because:
      'the controller copies the spec of the stable Service, so a Service of type LoadBalancer gets a second load balancer during each release',
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
      'at the end of a release the controller restores the routes, waits gracePeriodSeconds (3 by default) and deletes the canary ' +
      'Service. A load balancer outside the cluster still sends requests there for many seconds, and they fail',
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
  ...check.rollouts.flatMap((rollout) => [...disabled(check, rollout), ...selection(check, rollout)]),
];

/** Labels that controllers write, so that templates lack them. */
const LABELS_OF_CONTROLLERS = ['pod-template-hash', 'controller-revision-hash', 'apps.kruise.io/specified-delete'];

/** Reports a selector that the pods of the workload do not have. */
function selection({ world }: RolloutCheck, { workload, namespace, route }: RolloutSubject): Finding[] {
  const pods = workload && world.get({ ...workload.ref, namespace });
  const service = route && serviceOf(world, route);
  const template = pods?.get('spec.template.metadata.labels');
  if (pods === undefined || service === undefined || !isJsonObject(template)) return [];
  const missing = Object.entries(asObject(service.get('spec.selector'))).filter(
    ([label, value]) => !LABELS_OF_CONTROLLERS.includes(label) && ownValue(template, label) !== value,
  );
  if (missing.length === 0) return [];
  const wanted = missing.map(([label, value]) => `${label}: ${value}`);
  const given = missing.map(([label]) => {
    const own = ownValue(template, label);
    return own === undefined ? `no label ${label}` : `${label}: ${own}`;
  });
  return [
    service.finding(serviceRules['kruise-service-selects-no-pods'], {
      message: `the Service selects ${listed(wanted)}, but the pods of ${pods.kind} "${pods.name}" have ${listed(given)}`,
      path: 'spec.selector',
      related: pods.declaration,
    }),
  ];
}

/** The longest name of a Service, minus "-canary". */
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
            message: `the Service has no selector, and the controller copies it as the canary Service of ${by}`,
            path: 'spec',
          }),
        ]),
    ...(type === 'LoadBalancer'
      ? [
          service.finding(serviceRules['kruise-canary-service-type'], {
            message: `the Service has type LoadBalancer, and so will its copy "${route.canaryService}", the canary Service of ${by}`,
            path: 'spec.type',
          }),
        ]
      : []),
    ...(service.get('spec.clusterIP') === 'None'
      ? [
          service.finding(serviceRules['kruise-canary-service-type'], {
            message: `the Service is headless, but its copy "${route.canaryService}", the canary Service of ${by}, will have a cluster IP`,
            because:
              'the controller clears clusterIP in the copy, so clients resolve the canary Service differently from the stable one',
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
        message: `disableGenerateCanaryService has no effect in ${v1alpha1 ? 'v1alpha1' : `Kruise Rollouts ${version}`}, so the controller still creates a canary Service`,
        because: v1alpha1
          ? 'the conversion from v1alpha1 to v1beta1 drops the field'
          : 'the field exists since v0.6.0; the API server drops it with an older CRD',
        fix: v1alpha1 ? 'write the Rollout as v1beta1' : 'use v0.6.0 or newer, or remove the field',
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

/** The time that an AWS load balancer needs to apply a change. */
const ALB_SECONDS = 30;

/** The controller's delay if gracePeriodSeconds is not set or 0. */
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
