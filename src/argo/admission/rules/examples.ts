import type { RuleExample } from '../../../core/rule';

const SOURCE = 'https://github.com/argoproj/argo-rollouts/blob/v1.9.1';

/** The code of the controller's checks of a single Rollout. */
export const VALIDATION = [`${SOURCE}/pkg/apis/rollouts/validation/validation.go`];

/** The code of the controller's checks of referenced objects. */
export const REFERENCES = [
  `${SOURCE}/pkg/apis/rollouts/validation/validation_references.go`,
  `${SOURCE}/rollout/controller.go`,
];

/** The code for workloadRef. */
export const TEMPLATE_REF = [`${SOURCE}/rollout/templateref.go`];

/** The code of the controller's checks of an analysis. */
export const ANALYSIS = [
  `${SOURCE}/utils/analysis/factory.go`,
  `${SOURCE}/utils/analysis/helpers.go`,
  `${SOURCE}/utils/template/template.go`,
];

/** The code of the controller's checks of an Experiment. */
export const EXPERIMENT = [`${SOURCE}/utils/conditions/experiments.go`, `${SOURCE}/experiments/experiment.go`];

/** The API versions of the kinds. */
export const VERSION = [`${SOURCE}/manifests/crds`];

/** The consequence of every rule of the controller. */
export const REFUSED = 'kubectl apply succeeds, but the controller sets the condition InvalidSpec and releases nothing';

/** The pods of the examples. */
export const PODS = `  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec: {containers: [{name: web, image: "nginx:1.25", ports: [{containerPort: 8080}]}]}
`;

/** A Service of the examples. */
export function service(name: string, selector = '{app: shop}', annotations = ''): string {
  const metadata = annotations === '' ? `{name: ${name}}` : `{name: ${name}, annotations: {${annotations}}}`;
  return `---
apiVersion: v1
kind: Service
metadata: ${metadata}
spec: {selector: ${selector}, ports: [{port: 80, targetPort: 8080}]}
`;
}

interface IngressParts {
  readonly name?: string;
  readonly backend?: string;
  readonly annotations?: string;
  readonly path?: string;
  readonly pathType?: string;
}

/** An Ingress of the examples; its backend is the action that the controller writes. */
export function ingress({
  name = 'shop',
  backend = '{service: {name: shop-stable, port: {name: use-annotation}}}',
  annotations = 'alb.ingress.kubernetes.io/target-type: ip',
  path = '/*',
  pathType = 'ImplementationSpecific',
}: IngressParts = {}): string {
  return `---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: ${name}
  annotations: {${annotations}}
spec:
  ingressClassName: alb
  rules:
    - http: {paths: [{path: "${path}", pathType: ${pathType}, backend: ${backend}}]}
`;
}

/** Both Services and the Ingress. */
export const OBJECTS = `${service('shop-stable')}${service('shop-canary')}${ingress()}`;

/** The destinations of a route to both versions. */
export const BOTH_VERSIONS = '{destination: {host: shop-stable}}, {destination: {host: shop-canary}}';

/** A VirtualService with one route. */
export const virtualService = (destinations: string) => `---
apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: shop}
spec: {hosts: [shop.example.com], http: [{name: primary, route: [${destinations}]}]}
`;

/** An AnalysisTemplate with one argument. */
export const TEMPLATE = `---
apiVersion: argoproj.io/v1alpha1
kind: AnalysisTemplate
metadata: {name: shop}
spec:
  args: [{name: v, value: ""}]
  metrics: [{name: healthy, provider: {web: {url: "https://shop.example.com/healthy?v={{args.v}}", jsonPath: "{$.ok}"}}}]
`;

/** The traffic routing of the examples. */
export const ALB = 'alb: {ingress: shop, servicePort: 80}';

interface CanaryParts {
  readonly services?: string;
  readonly routing?: string;
  readonly steps?: string;
  readonly rest?: string;
  readonly objects?: string;
  readonly pods?: string;
  readonly spec?: string;
}

/** A canary through an ALB, with its objects. */
export function canary({
  services = 'canaryService: shop-canary, stableService: shop-stable',
  routing = ALB,
  steps = '- setWeight: 20\n        - pause: {}',
  rest = '',
  objects = OBJECTS,
  pods = PODS,
  spec = '',
}: CanaryParts = {}): RuleExample {
  const lines = [
    ...services.split(', ').filter((line) => line !== ''),
    ...(routing === '' ? [] : ['trafficRouting:', ...routing.split('\n').map((line) => `  ${line}`)]),
    ...(rest === '' ? [] : rest.split('\n')),
    'steps:',
    ...steps.split('\n').map((line) => `  ${line.trimStart()}`),
  ];
  return rollout(`    canary:\n${lines.map((line) => `      ${line}\n`).join('')}`, objects, pods, spec);
}

/** A Rollout around a strategy. */
export function rollout(strategy: string, objects = OBJECTS, pods = PODS, spec = ''): RuleExample {
  return {
    language: 'yaml',
    text: `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: shop}
spec:
${spec === '' ? '' : `  ${spec}\n`}${pods}  strategy:
${strategy}${objects}`,
  };
}

/** A blue-green Rollout, and its Services. */
export function blueGreen(fields: string, spec = ''): RuleExample {
  return rollout(`    blueGreen: {${fields}}\n`, `${service('shop-active')}${service('shop-preview')}`, PODS, spec);
}
