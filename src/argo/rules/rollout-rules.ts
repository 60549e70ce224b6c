import { defineRules } from '../../core/rule';
import { ALB_PREFIX } from '../../routers/ingress/alb-annotations';
import { blueGreen, canary, ingress, OBJECTS, service } from '../admission/rules/examples';
import { withHeaderRoute } from './ingresses';
import { sources } from './sources';

const ports = (port: string, objects = OBJECTS) =>
  canary({ routing: `alb: {ingress: shop, servicePort: ${port}}`, objects });
const EXPERIMENT = (weight: number) =>
  `- setWeight: 60\n- experiment: {templates: [{name: a, specRef: canary, weight: ${weight}}]}`;
const experiment = (weight: number, port = 8080) =>
  canary({
    routing: `alb: {ingress: shop, servicePort: ${port}}`,
    steps: EXPERIMENT(weight),
    objects: OBJECTS.replaceAll('port: 80,', `port: ${port},`),
  });
const targeted = (type: string) =>
  canary({
    routing: 'alb: {ingress: shop, servicePort: 8080}',
    steps: EXPERIMENT(10),
    objects: OBJECTS.replaceAll('port: 80,', 'port: 8080,')
      .replaceAll('spec: {selector', 'spec: {type: NodePort, selector')
      .replace(`${ALB_PREFIX}/target-type: ip`, `${ALB_PREFIX}/target-type: ${type}`),
  });
const route = (name: string) => {
  const { text } = withHeaderRoute(ingress());
  return { language: 'yaml' as const, text: text.replaceAll('name: beta', `name: ${name}`) };
};
const value = (exact: string, header = 'x-beta') => {
  const { text } = withHeaderRoute(ingress());
  return {
    language: 'yaml' as const,
    text: text.replace('{exact: "1"}', `{exact: "${exact}"}`).replace('headerName: x-beta', `headerName: ${header}`),
  };
};
const scaled = (steps: string) =>
  canary({
    routing: 'alb: {ingress: shop, servicePort: 80}\nmanagedRoutes: [{name: beta}]',
    steps,
  });
const SET = '- setHeaderRoute: {name: beta, match: [{headerName: x-beta, headerValue: {exact: "1"}}]}';
/** Two Rollouts with separate Ingresses; the Services of the second one start with the given name. */
const pair = (services: string) => {
  const { text } = canary();
  const second = canary({
    services: `canaryService: ${services}-canary, stableService: ${services}-stable`,
    routing: 'alb: {ingress: inner, servicePort: 80, rootService: inner}',
    objects: `${services === 'shop' ? '' : `${service('store-stable')}${service('store-canary')}`}${ingress({ name: 'inner', backend: '{service: {name: inner, port: {name: use-annotation}}}' })}`,
  });
  return { language: 'yaml' as const, text: `${text}---\n${second.text.replace('{name: shop}', '{name: store}')}` };
};
const stickiness = (seconds: number) =>
  canary({
    routing: `alb: {ingress: shop, servicePort: 80, stickinessConfig: {enabled: true, durationSeconds: ${seconds}}}`,
  });
const rooted = (root: string) =>
  canary({
    routing: `alb: {ingress: shop, servicePort: 80${root === '' ? '' : `, rootService: ${root}`}}`,
    objects: `${service('shop-stable')}${service('shop-canary')}${ingress({ backend: `{service: {name: ${root || 'shop-stable'}, port: {name: use-annotation}}}` })}`,
  });
const active = (port: string) => {
  const { text } = blueGreen('activeService: shop-active, previewService: shop-preview');
  return {
    language: 'yaml' as const,
    text: `${text}${ingress({ backend: `{service: {name: shop-active, port: {${port}}}}` })}`,
  };
};
const namespace = (labels: string) =>
  `---\napiVersion: v1\nkind: Namespace\nmetadata: {name: default, labels: {${labels}}}\n`;
/** The label of namespaces that give their pods readiness gates for the load balancer. */
export const READINESS_LABEL = 'elbv2.k8s.aws/pod-readiness-gate-inject';
const ipMode = (labels: string) =>
  canary({
    objects: `${service('shop-stable')}${service('shop-canary')}${ingress()}${namespace(labels)}`,
  });

/** Rules for Rollouts through an ALB, in addition to Argo's own checks. */
export const argoAlbRolloutRules = defineRules({
  'argo-alb-service-port-invalid': {
    severity: 'error',
    title: 'servicePort is not a valid port',
    because: 'Argo does not validate the port, and the load balancer controller does not find it in the Services',
    fix: 'write the port of the Services, from 1 to 65535',
    basis: 'read',
    rehearsedAs: ['rehearsal-group-freezes'],
    sources: [sources.alb, sources.backend],
    failing: ports('0'),
    corrected: ports('80'),
  },
  'argo-alb-service-without-port': {
    severity: 'error',
    title: 'a Service of a Rollout does not have servicePort',
    because: 'the load balancer controller fails on the action, and the whole group of Ingresses keeps its old rules',
    fix: 'add the port to the Service, or set servicePort to one of its ports; it is the port of the Service, not of the pods',
    basis: 'run',
    rehearsedAs: ['rehearsal-group-freezes'],
    sources: [sources.backend],
    failing: ports('8080'),
    corrected: ports('80'),
  },
  'argo-service-shared': {
    severity: 'error',
    title: 'two Rollouts use the same Service',
    because:
      'the first Rollout marks the Service as its own. For the other one, Argo sets the condition InvalidSpec and ' +
      'releases nothing',
    fix: 'use separate Services for each Rollout',
    basis: 'run',
    rehearsedAs: ['rehearsal-ingress-unmanaged'],
    sources: [sources.references],
    failing: pair('shop'),
    corrected: pair('store'),
  },
  'argo-alb-header-limit': {
    severity: 'error',
    title: 'a header route exceeds the limits of AWS',
    because: 'AWS refuses the rule after Argo has written it, and the load balancer keeps its old rules',
    fix:
      'a header name has up to 40 characters and is not Host, a value up to 128; a header has up to 3 values and a ' +
      'rule up to 5, host and path included',
    basis: 'documented',
    sources: [sources.limits, sources.conditions],
    failing: value('1', 'Host'),
    corrected: value('1'),
  },
  'argo-alb-header-wildcard': {
    severity: 'warning',
    title: 'an exact value of a header route has a wildcard',
    because: 'an ALB treats * and ? as wildcards and ignores case, so an exact value is not exact',
    fix: 'use a value without * and ?; if you want the wildcard, suppress this finding',
    basis: 'documented',
    rehearsedAs: ['rehearsal-match-widened'],
    sources: [sources.conditions],
    failing: value('beta*'),
    corrected: value('beta'),
  },
  'argo-alb-route-name-invalid': {
    severity: 'error',
    title: 'the name of a managed route is not valid for a backend',
    because:
      'Argo uses the name as a backend of the Ingress and as a part of two annotations; the API server refuses it if it is ' +
      'not a DNS-1035 label, or longer than 52 characters',
    fix: 'use up to 52 lower case letters, digits and -, starting with a letter',
    basis: 'read',
    sources: [sources.alb, sources.names],
    failing: route('1-beta'),
    corrected: route('beta'),
  },
  'argo-alb-route-name-taken': {
    severity: 'error',
    title: 'a managed route has the name of a backend of the Ingress, or of a route of another Rollout',
    because: 'Argo removes every path with that backend when it removes the route',
    fix: 'use a name that is unique in the Ingress',
    basis: 'read',
    sources: [sources.alb, sources.ingress],
    failing: route('shop-stable'),
    corrected: route('beta'),
  },
  'argo-alb-header-before-canary': {
    severity: 'warning',
    title: 'a step sets a header route before the canary has pods',
    because:
      'Argo removes the route while the canary has no available pods, and never sets it again: the header has no effect',
    fix: 'add setCanaryScale or setWeight with a value above 0 before the step',
    basis: 'read',
    rehearsedAs: ['rehearsal-canary-gets-nothing'],
    sources: [sources.routing, 'https://github.com/argoproj/argo-rollouts/issues/4486'],
    failing: scaled(SET),
    corrected: scaled(`- setCanaryScale: {replicas: 1}\n${SET}`),
  },
  'argo-alb-weights-exceed': {
    severity: 'error',
    title: 'the weights of a canary and its experiment exceed 100',
    because: 'Argo writes a negative weight for the stable version, and the load balancer keeps its old rules',
    fix: 'lower setWeight or the weights of the experiment',
    basis: 'read',
    sources: [sources.alb],
    failing: experiment(50),
    corrected: experiment(40),
  },
  'argo-alb-experiment-port': {
    severity: 'error',
    title: 'servicePort is not a port of the containers, but an experiment has weight',
    because:
      'the Service of an experiment has the ports of the containers. The action refers to servicePort, which that Service lacks, ' +
      'and the whole group of Ingresses keeps its old rules',
    fix: 'use the port of the container in the Services, and set servicePort to it',
    basis: 'read',
    rehearsedAs: ['rehearsal-group-freezes', 'rehearsal-weight-differs'],
    sources: [sources.experiment, sources.backend],
    failing: experiment(10, 80),
    corrected: experiment(10),
  },
  'argo-alb-experiment-instance': {
    severity: 'error',
    title: 'an experiment has weight, but the targets of the load balancer are instances',
    because:
      'the Service that Argo creates for the experiment has no node port: the load balancer controller fails on the action, ' +
      'and the whole group of Ingresses keeps its old rules',
    fix: 'use the target-type ip, or remove the weights from the experiment',
    basis: 'read',
    rehearsedAs: ['rehearsal-group-freezes', 'rehearsal-weight-differs'],
    sources: [sources.experiment, sources.backend],
    failing: targeted('instance'),
    corrected: targeted('ip'),
  },
  'argo-alb-stickiness-range': {
    severity: 'error',
    title: 'the duration of stickiness is not between 1 second and 7 days',
    because: 'Argo validates the duration only when it sets a weight: each attempt fails, and the release hangs',
    fix: 'write durationSeconds from 1 to 604800',
    basis: 'read',
    rehearsedAs: ['rehearsal-controller-stuck'],
    sources: [sources.alb],
    failing: stickiness(604801),
    corrected: stickiness(3600),
  },
  'argo-blue-green-use-annotation': {
    severity: 'error',
    title: 'an Ingress routes to a Service of a blue-green Rollout through an action',
    because: 'Argo writes no action for blue-green: the load balancer answers 503 "Backend action does not exist"',
    fix: 'write the port of the Service',
    basis: 'read',
    rehearsedAs: ['rehearsal-requests-fail'],
    sources: [sources.backend],
    failing: active('name: use-annotation'),
    corrected: active('number: 80'),
  },
  'argo-alb-annotation-prefix': {
    severity: 'warning',
    title: 'annotationPrefix is not the one that the load balancer controller reads',
    because: `the AWS Load Balancer Controller reads only ${ALB_PREFIX}, so it ignores Argo's annotations`,
    fix: 'remove annotationPrefix',
    basis: 'read',
    rehearsedAs: ['rehearsal-requests-fail'],
    sources: [sources.group],
    failing: canary({ routing: 'alb: {ingress: shop, servicePort: 80, annotationPrefix: example.com}' }),
    corrected: canary(),
  },
  'argo-alb-root-service-frozen': {
    severity: 'note',
    title: 'the deletion of a Rollout with rootService does not reset the weights',
    because:
      'to reset the weights on deletion, Argo looks for a target group with the name of the action, but with rootService ' +
      'there is none',
    fix: 'let the Rollout finish before you delete it; only ping-pong needs rootService, so other canaries can remove it',
    basis: 'read',
    sources: [sources.reset],
    failing: rooted('shop-root'),
    corrected: rooted(''),
  },
  'argo-alb-no-readiness-gate': {
    severity: 'warning',
    title: 'pods behind an ALB in ip mode get no readiness gate',
    because:
      'pods become ready before the load balancer has registered them, when the old ones are already gone: 502 and 503',
    fix: `label the Namespace ${READINESS_LABEL}: enabled`,
    basis: 'documented',
    sources: [sources.readiness],
    failing: ipMode(''),
    corrected: ipMode(`${READINESS_LABEL}: enabled`),
  },
  'argo-alb-service-auth': {
    severity: 'warning',
    title: 'a Service of a Rollout has annotations for authentication',
    because:
      'the load balancer controller reads them only if an action has a single target group, but the action of Argo always ' +
      'has two: the application would be open to everyone',
    fix: 'move the annotations to the Ingress',
    basis: 'read',
    sources: [sources.backend],
    failing: canary({
      objects: `${service('shop-stable', '{app: shop}', `${ALB_PREFIX}/target-type: ip, ${ALB_PREFIX}/auth-type: oidc`)}${service('shop-canary')}${ingress()}`,
    }),
    corrected: canary({
      objects: `${service('shop-stable')}${service('shop-canary')}${ingress({ annotations: `${ALB_PREFIX}/target-type: ip, ${ALB_PREFIX}/auth-type: oidc` })}`,
    }),
  },
});
