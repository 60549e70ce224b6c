/** A cluster in the middle of a release with Kruise Rollouts and an ALB, as an API server has it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SCRIPT = join(__dirname, '..', '..', 'lua_configuration', 'trafficrouting_ingress', 'aws-alb.lua');
const A = 'alb.ingress.kubernetes.io';
const OWNER =
  'ownerReferences: [{apiVersion: rollouts.kruise.io/v1beta1, kind: Rollout, name: web, uid: u-1, controller: true}]';

export const ROLES = `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: kruise-rollout-manager-role}
rules:
  - {apiGroups: [networking.k8s.io], resources: [ingresses], verbs: [create, delete, get, list, patch, update, watch]}
  - {apiGroups: [rollouts.kruise.io], resources: ['*'], verbs: ['*']}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: kruise-rollout-manager-rolebinding}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: kruise-rollout-manager-role}
subjects: [{kind: ServiceAccount, name: kruise-rollout-controller-manager, namespace: kruise-rollout}]
`;

export const CONTROLLER = `apiVersion: apps/v1
kind: Deployment
metadata: {name: kruise-rollout-controller-manager, namespace: kruise-rollout}
spec:
  replicas: 2
  selector: {matchLabels: {control-plane: kruise-rollout-controller-manager}}
  template:
    metadata: {labels: {control-plane: kruise-rollout-controller-manager}}
    spec:
      serviceAccountName: kruise-rollout-controller-manager
      containers:
        - name: kruise-rollout
          image: openkruise/kruise-rollout:v0.6.2
          command: [/manager]
          args: [--leader-elect]
          env: [{name: POD_NAMESPACE, valueFrom: {fieldRef: {fieldPath: metadata.namespace}}}]
status: {replicas: 2, availableReplicas: 2}
`;

export const configMap = (namespace = 'kruise-rollout', script = readFileSync(SCRIPT, 'utf8')) => `apiVersion: v1
kind: ConfigMap
metadata: {name: kruise-rollout-configuration, namespace: ${namespace}}
data:
  lua.traffic.routing.ingress.aws-alb: ${JSON.stringify(script)}
`;

const action = (web: number | undefined, canary?: number) =>
  JSON.stringify({
    type: 'forward',
    forwardConfig: {
      targetGroups: [
        ...(canary === undefined ? [] : [{ serviceName: 'web-canary', servicePort: 8080, weight: canary }]),
        { serviceName: 'web', servicePort: 8080, ...(web === undefined ? {} : { weight: web }) },
      ],
    },
  });

const service = (name: string, metadata: string, selector: string) => `apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: shop${metadata}}
spec:
  type: ClusterIP
  clusterIP: 10.1.2.${name.length}
  selector: {app: web${selector}}
  ports: [{name: http, port: 8080, protocol: TCP, targetPort: 8080}]
`;

const ingress = (
  name: string,
  order: number,
  metadata: string,
  annotations: string,
) => `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: ${name}
  namespace: shop
  ${metadata}
  managedFields: [{manager: kubectl, operation: Update, apiVersion: networking.k8s.io/v1}]
  annotations:
    ${A}/group.name: shop
    ${A}/group.order: "${order}"
    ${A}/target-type: ip
    rollout-constructs.io/canary-group-order: "9"
    ${A}/actions.web: '${action(undefined)}'
${annotations}
spec:
  ingressClassName: alb
  rules:
    - host: shop.example.com
      http:
        paths:
          - path: /
            pathType: Prefix
            backend: {service: {name: ${name}, port: {name: use-annotation}}}
`;

const pod = (name: string, hash: string, ready = true) => `apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: shop, labels: {app: web, pod-template-hash: ${hash}}}
spec: {containers: [{name: web, image: 'shop/web:1'}]}
status: {conditions: [{type: Ready, status: '${ready ? 'True' : 'False'}'}]}
`;

export interface KruiseClusterOptions {
  /** `status` of the Rollout; 'idle' for a cluster without a release. */
  readonly state?: string;
  readonly stepState?: string;
  readonly phase?: string;
  /** Weight of the canary in the canary Ingress; undefined for no canary Ingress. */
  readonly weight?: number;
  readonly hasCanaryIngress?: boolean;
  readonly configMap?: string;
  readonly roles?: string;
  readonly controller?: string;
  readonly since?: string;
}

/** Step 1 of 2 (20 %) is paused, and all is well. */
export function kruiseCluster(options: KruiseClusterOptions = {}): string {
  const { stepState = 'StepPaused', weight = 20, hasCanaryIngress = true, since = '2026-01-01T00:00:00Z' } = options;
  const isIdle = options.phase === 'Healthy';
  const status = isIdle
    ? 'status: {phase: Healthy, currentStepIndex: 2, currentStepState: Completed}'
    : `status:
  phase: Progressing
  conditions: [{type: Progressing, status: 'True', reason: InRolling}]
  currentStepIndex: 1
  currentStepState: ${stepState}
  canaryStatus: {currentStepIndex: 1, nextStepIndex: 2, currentStepState: ${stepState}, stableRevision: aaa1, podTemplateHash: bbb2, canaryRevision: x, canaryReplicas: 1, canaryReadyReplicas: 1, finalisingStep: '', lastUpdateTime: '${since}'}`;
  const canaryAction = `    ${A}/actions.web-canary: '${action(100 - weight, weight)
    .replace('{"type":"forward","forwardConfig"', '{"forwardConfig"')
    .replace(/\}$/, ',"type":"forward"}')}'`;
  return [
    options.controller ?? CONTROLLER,
    options.configMap ?? configMap(),
    options.roles ?? ROLES,
    'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n',
    'apiVersion: networking.k8s.io/v1\nkind: IngressClass\nmetadata: {name: alb}\nspec: {controller: ingress.k8s.aws/alb}\n',
    `apiVersion: rollouts.kruise.io/v1beta1
kind: Rollout
metadata: {name: web, namespace: shop, uid: u-1, generation: 2}
spec:
  workloadRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  strategy:
    canary:
      enableExtraWorkloadForCanary: true
      steps:
        - {traffic: 20%, replicas: 1, pause: {}}
        - {traffic: 100%, replicas: 100%, pause: {duration: 60}}
      trafficRoutings: [{service: web, gracePeriodSeconds: 30, ingress: {name: web, classType: aws-alb}}]
${status}
`,
    `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop${isIdle ? '' : ', annotations: {rollouts.kruise.io/in-progressing: \'{"rolloutName":"web"}\'}'}, labels: {rollouts.kruise.io/workload-type: deployment}}
spec:
  ${isIdle ? '' : 'paused: true'}
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: 'shop/web:2', ports: [{containerPort: 8080}]}]}
status: {replicas: 3, availableReplicas: 3}
`,
    service('web', '', isIdle ? '' : ', pod-template-hash: aaa1'),
    ingress('web', 10, '', ''),
    ...['web-1', 'web-2', 'web-3'].map((name) => pod(name, 'aaa1')),
    ...(isIdle ? [] : [service('web-canary', `, ${OWNER}`, ', pod-template-hash: bbb2'), pod('web-canary-1', 'bbb2')]),
    ...(isIdle || !hasCanaryIngress ? [] : [ingress('web-canary', 9, OWNER, canaryAction)]),
  ].join('---\n');
}
