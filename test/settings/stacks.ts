/** Stacks that every entry point is asked about: good and broken, with installs and without. */
import { canary } from '../../src/argo/admission/rules/examples';
import { ruleGroups } from '../../src/check';
import { edit } from '../../src/core/example';
import { installYaml } from '../../src/kruise/install/check/examples';

const rules = new Map(ruleGroups.flatMap((group) => group.rules.map((rule) => [rule.id, rule] as const)));
const failing = (id: string): string => rules.get(id)!.failing.text;
const corrected = (id: string): string => rules.get(id)!.corrected.text;

/** An application that Kruise Rollouts releases behind nginx. */
const KRUISE_APP = `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {selector: {app: web}, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  replicas: 5
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "nginx:1.25", ports: [{containerPort: 8080}]}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: shop}
spec:
  ingressClassName: nginx
  rules:
    - host: shop.example.com
      http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}
---
apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata: {name: web, namespace: shop}
spec:
  workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  strategy:
    canary:
      enableExtraWorkloadForCanary: true
      steps: [{traffic: 20%, replicas: 20%, pause: {}}, {traffic: 60%, replicas: 60%}]
      trafficRoutings: [{service: web, ingress: {name: web, classType: nginx}}]
`;

const PARTITION = edit(
  KRUISE_APP,
  ['enableExtraWorkloadForCanary: true', 'enableExtraWorkloadForCanary: false'],
  ['replicas: 60%', 'replicas: 80%'],
);
const BLUE_GREEN = edit(KRUISE_APP, ['    canary:\n      enableExtraWorkloadForCanary: true', '    blueGreen:']);
const ALB_RECIPE = edit(
  KRUISE_APP,
  ['classType: nginx', 'classType: aws-alb'],
  ['ingressClassName: nginx', 'ingressClassName: alb'],
);

const kruise = (tag: string, flag?: string): string =>
  edit(
    installYaml(),
    ['kruise-rollout:v0.6.2', `kruise-rollout:${tag}`],
    ...(flag === undefined
      ? []
      : [['            - --v=4', `            - --v=4\n            - ${flag}`] as [string, string]]),
  );

const argo = (tag: string): string => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: argo-rollouts, namespace: argo-rollouts}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: argo-rollouts}}
  template:
    metadata: {labels: {app.kubernetes.io/name: argo-rollouts}}
    spec:
      containers: [{name: argo-rollouts, image: "quay.io/argoproj/argo-rollouts:${tag}"}]
`;

const together = (...documents: readonly string[]): string =>
  documents.map((each) => each.replace(/^---\n/, '')).join('---\n');

const PING_PONG_PLUGIN = canary({
  services: '',
  routing: 'plugins: {example/plugin: {}}',
  rest: 'pingPong: {pingService: ping, pongService: pong}',
  objects: '',
}).text;

const LBC = `apiVersion: apps/v1
kind: Deployment
metadata: {name: aws-load-balancer-controller, namespace: kube-system}
spec:
  selector: {matchLabels: {app: lbc}}
  template:
    metadata: {labels: {app: lbc}}
    spec: {containers: [{name: controller, image: "public.ecr.aws/eks/aws-load-balancer-controller:v2.13.4"}]}
`;

/** The stacks as YAML, by what is special about each. */
export const STACKS: Readonly<Record<string, string>> = {
  'a canary behind nginx': KRUISE_APP,
  'the recipe for an ALB, without its script': ALB_RECIPE,
  'a weight that the webhook refuses': edit(KRUISE_APP, ['traffic: 20%', 'traffic: 500%']),
  'a Service that does not exist': edit(KRUISE_APP, ['{service: web, ingress', '{service: gone, ingress']),
  blueGreen: BLUE_GREEN,
  'blueGreen with an install of Kruise 0.5': together(kruise('v0.5.0'), BLUE_GREEN),
  'an install of Kruise 0.5.5': together(kruise('v0.5.5'), KRUISE_APP),
  'an install of an unknown patch of Kruise': together(kruise('v0.5.9'), BLUE_GREEN),
  'an install of an unknown minor of Kruise': together(kruise('v0.9.0'), KRUISE_APP),
  'an install whose image names no version': together(kruise('latest'), KRUISE_APP),
  'partition style above the limit': PARTITION,
  'partition style with a raised limit': together(kruise('v0.6.2', '--partition-percent-limit=100'), PARTITION),
  'a canary of Argo Rollouts': canary({}).text,
  'pingPong through a plugin': PING_PONG_PLUGIN,
  'pingPong through a plugin with Argo 1.10.0-rc1': together(PING_PONG_PLUGIN, argo('v1.10.0-rc1')),
  'an install of Argo 1.8.4': together(canary({}).text, argo('v1.8.4')),
  'an install of an unknown version of Argo': together(canary({}).text, argo('v1.99.0')),
  'regular expressions of an ALB': failing('alb-regex-version'),
  'regular expressions with an install of the controller 2.13.4': together(failing('alb-regex-version'), LBC),
  'values and regular expressions with 2.13.4': together(failing('alb-condition-invalid'), LBC),
  'an order that AWS refuses': failing('alb-group-order'),
  'an API that Kubernetes removed': `apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: web}\nspec: {maxUnavailable: 1}\n`,
  'a finding that an annotation accepts': edit(
    KRUISE_APP,
    ['{service: web, ingress', '{service: gone, ingress'],
    [
      'kind: Rollout\nmetadata: {name: web, namespace: shop}',
      'kind: Rollout\nmetadata:\n  name: web\n  namespace: shop\n  annotations: {rollout-constructs.io/ignore: "kruise-reference-missing: another repository has it"}',
    ],
  ),
  'a suppression that matches nothing': failing('suppression-unused'),
  'a virtual environment': failing(
    'ktenv-service-selector-empty' in Object.fromEntries(rules)
      ? 'ktenv-service-selector-empty'
      : [...rules.keys()].find((id) => id.startsWith('ktenv-'))!,
  ),
  'a corrected virtual environment': corrected([...rules.keys()].find((id) => id.startsWith('ktenv-'))!),
};
