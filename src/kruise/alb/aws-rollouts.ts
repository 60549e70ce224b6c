/** Checks a Rollout on an AWS load balancer, except for its steps. */
import type { Finding } from '../../core/finding';
import { defineRules } from '../../core/rule';
import { LUA_CONFIG_MAP_NAME } from '../api';
import { TRAFFIC_ROUTING } from '../subject';
import { type AlbCheck, type AlbChecker, type AlbRoute, awsRoutes } from './context';
import { ALIYUN_CONFIG_MAP, aliyun, edit, IN_PLACE, INGRESS, inPlace, ROLLOUT, SERVICE, yaml } from './examples';
import { statedProvider } from './provider';
import { sources } from './sources';

const LONG = 'web-of-the-shop-that-sells-everything-to-all';
const named = (texts: readonly string[], name: string) =>
  texts.map((text) =>
    text
      .replace(/service: web\n/, `service: ${name}\n`)
      .replace(/(service: \{ |"serviceName":"|actions\.)(name: )?web/g, `$1$2${name}`)
      .replace(/(kind: Service\nmetadata: \{ name: )web/, `$1${name}`),
  );

/** Rules on Rollouts on load balancers. */
export const awsRolloutRules = defineRules({
  'kruise-alb-service-name': {
    severity: 'error',
    title: 'the name of the Service is too long for the annotations of a canary',
    because:
      'the scripts write the annotation conditions.<service>-canary or conditions.<service>-match-16; the API server ' +
      'refuses an annotation name of more than 63 characters, and the release stops',
    fix: 'give the Service a name of at most 45 characters (ingress), 43 (customNetworkRefs)',
    basis: 'run',
    sources: [sources.lbcBackend],
    failing: yaml(...named(inPlace(), LONG)),
    corrected: yaml(...inPlace()),
  },

  'kruise-alb-no-canary-service': {
    severity: 'error',
    title: 'without a canary Service an AWS load balancer cannot split traffic',
    because:
      'the load balancer distinguishes versions by Service; if the canary Service is the stable Service, an action would ' +
      'split between a target group and itself, which the script refuses',
    fix: 'remove disableGenerateCanaryService; and use trafficRoutings in the Rollout instead of a TrafficRouting',
    basis: 'run',
    rehearsedAs: ['rehearsal-controller-stuck'],
    sources: [sources.custom, sources.lbcConfig],
    failing: yaml(
      edit(ROLLOUT, ['      trafficRoutings:', '      disableGenerateCanaryService: true\n      trafficRoutings:']),
      INGRESS,
      SERVICE,
      ...IN_PLACE,
    ),
    corrected: yaml(...inPlace()),
  },

  'kruise-script-elsewhere': {
    severity: 'error',
    title: 'the ConfigMap of scripts is not in the namespace of the controller',
    because: 'the controller reads the ConfigMap of its own namespace only, and reports that a script is not found',
    fix: 'move the ConfigMap to the namespace of the controller, or set that namespace in the options of the check',
    basis: 'read',
    sources: [sources.ingress, sources.custom],
    failing: yaml(edit(ALIYUN_CONFIG_MAP, ['namespace: kruise-rollout', 'namespace: shop'])),
    corrected: yaml(ALIYUN_CONFIG_MAP),
  },

  'kruise-alb-other-cloud': {
    severity: 'error',
    title: 'the script is the one for the load balancers of another cloud',
    because:
      'the load balancer controllers of AWS and of Alibaba Cloud share the class name alb and the prefix of their ' +
      'annotations, but hardly any annotation: each ignores what the script for the other one writes, and no traffic is split',
    fix: 'write classType: aws-alb for the AWS Load Balancer Controller, aliyun-alb for the one of Alibaba Cloud',
    basis: 'documented',
    rehearsedAs: ['rehearsal-controller-stuck'],
    sources: [
      sources.aliyunIngress,
      'https://kubernetes-sigs.github.io/aws-load-balancer-controller/latest/guide/ingress/annotations/',
    ],
    failing: yaml(edit(aliyun()[0]!, ['aliyun-alb', 'aws-alb']), ...aliyun().slice(1)),
    corrected: yaml(...aliyun()),
  },
});

/** Checks every Rollout on a load balancer. */
export const checkAwsRollouts: AlbChecker = (check) => [
  ...awsRoutes(check).flatMap((subject) => [...serviceName(subject), ...noCanaryService(subject)]),
  ...check.routes.flatMap((subject) => otherCloud(check, subject)),
  ...elsewhere(check),
];

const MAX_NAME = { ingress: 45, customNetworkRefs: 43 } as const;

function serviceName({ mode, route }: AlbRoute): Finding[] {
  const max = MAX_NAME[mode];
  const { length } = route.service;
  if (length <= max) return [];
  return [
    route.manifest.finding(awsRolloutRules['kruise-alb-service-name'], {
      message: `the Service name "${route.service}" has ${length} characters; with ${mode} an AWS load balancer allows ${max}`,
      path: [...route.path, 'service'],
    }),
  ];
}

function noCanaryService({ mode, route }: AlbRoute): Finding[] {
  // Another check reports this for a Rollout with a canary Ingress.
  if (route.makesCanaryService || (mode === 'ingress' && route.manifest.groupKind !== TRAFFIC_ROUTING)) return [];
  const isTrafficRouting = route.manifest.groupKind === TRAFFIC_ROUTING;
  return [
    route.manifest.finding(awsRolloutRules['kruise-alb-no-canary-service'], {
      message: isTrafficRouting
        ? `a TrafficRouting creates no canary Service, so an AWS load balancer cannot split the traffic of "${route.service}"`
        : `with disableGenerateCanaryService an AWS load balancer cannot split the traffic of "${route.service}"`,
      path: isTrafficRouting ? route.path : [...route.path.slice(0, -2), 'disableGenerateCanaryService'],
    }),
  ];
}

function otherCloud({ world }: AlbCheck, { mode, provider, route, ingress }: AlbRoute): Finding[] {
  const classType = route.ingress?.classType;
  const stated = ingress === undefined ? undefined : statedProvider(world, ingress);
  if (ingress === undefined || stated === undefined) return [];
  const wrong = { aws: 'aliyun-alb', aliyun: 'aws-alb' }[provider];
  const isWrong = mode === 'ingress' ? classType === wrong : provider === 'aliyun';
  if (!isWrong) return [];
  const cloud = provider === 'aws' ? 'AWS' : 'Alibaba Cloud';
  return [
    route.manifest.finding(awsRolloutRules['kruise-alb-other-cloud'], {
      message:
        mode === 'ingress'
          ? `the classType is "${classType}", and the Ingress "${ingress.name}" is for a load balancer of ${cloud}`
          : `customNetworkRefs names the Ingress "${ingress.name}", which is for a load balancer of ${cloud}; the script edits those of AWS`,
      path: mode === 'ingress' ? [...route.ingress!.path, 'classType'] : [...route.path, 'customNetworkRefs'],
      fix: `use ingress with classType: ${provider === 'aws' ? 'aws-alb' : 'aliyun-alb'}`,
    }),
  ];
}

function elsewhere({ world, rollouts }: AlbCheck): Finding[] {
  const { controllerNamespace } = rollouts;
  if (world.find('ConfigMap', LUA_CONFIG_MAP_NAME, controllerNamespace) !== undefined) return [];
  return world
    .list('ConfigMap')
    .filter(({ name }) => name === LUA_CONFIG_MAP_NAME)
    .map((configMap) =>
      configMap.finding(awsRolloutRules['kruise-script-elsewhere'], {
        message: `the ConfigMap is in the namespace "${world.namespaceOf(configMap)}", and the controller in "${controllerNamespace}"`,
        path: 'metadata.namespace',
      }),
    );
}
