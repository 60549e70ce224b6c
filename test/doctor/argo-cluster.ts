/** A cluster in the middle of a release with Argo Rollouts and an ALB, as an API server has it. */

const A = 'alb.ingress.kubernetes.io';

export const ARGO_CONTROLLER = `apiVersion: apps/v1
kind: Deployment
metadata: {name: argo-rollouts, namespace: argo-rollouts}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: argo-rollouts}}
  template:
    metadata: {labels: {app.kubernetes.io/name: argo-rollouts}}
    spec:
      serviceAccountName: argo-rollouts
      containers:
        - name: argo-rollouts
          image: quay.io/argoproj/argo-rollouts:v1.8.3
          args: [--aws-verify-target-group]
          env: [{name: AWS_REGION, value: eu-west-1}]
status: {replicas: 1, availableReplicas: 1}
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: argo-rollouts
  namespace: argo-rollouts
  annotations: {eks.amazonaws.com/role-arn: 'arn:aws:iam::123456789012:role/argo'}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: argo-rollouts}
rules:
  - {apiGroups: [''], resources: [services], verbs: [get, list, patch, watch]}
  - {apiGroups: [networking.k8s.io], resources: [ingresses], verbs: [get, list, patch, update, watch]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: argo-rollouts}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: argo-rollouts}
subjects: [{kind: ServiceAccount, name: argo-rollouts, namespace: argo-rollouts}]
`;

const service = (name: string, hash: string) => `apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: shop, annotations: {argo-rollouts.argoproj.io/managed-by-rollouts: shop}}
spec:
  type: ClusterIP
  selector: {app: shop, rollouts-pod-template-hash: ${hash}}
  ports: [{port: 80, targetPort: 8080, protocol: TCP}]
`;

const pod = (name: string, hash: string) => `apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: shop, labels: {app: shop, rollouts-pod-template-hash: ${hash}}}
spec: {containers: [{name: shop, image: 'shop:1'}]}
status: {conditions: [{type: Ready, status: 'True'}]}
`;

export interface ArgoClusterOptions {
  /** What the action says. */
  readonly weight?: number;
  /** 0 is the weight, 1 the pause. */
  readonly step?: number;
  readonly status?: 'paused' | 'idle' | 'aborted';
  readonly verified?: boolean;
}

/** Step 2 of 4, a pause behind `setWeight: 20`, and all is well. */
export function argoCluster({ weight, step = 1, status = 'paused', verified = true }: ArgoClusterOptions = {}): string {
  const isIdle = status === 'idle';
  const canary = weight ?? (status === 'paused' ? 20 : 0);
  const target = (name: string, share: number) => `{"ServiceName":"${name}","ServicePort":"80","Weight":${share}}`;
  const action = `{"Type":"forward","ForwardConfig":{"TargetGroups":[${target('shop-canary', canary)},${target('shop-stable', 100 - canary)}]}}`;
  const states = {
    paused: `phase: Paused
  currentStepIndex: ${step}
  pauseConditions: [{reason: CanaryPauseStep, startTime: '2026-01-01T00:00:00Z'}]`,
    idle: 'phase: Healthy\n  currentStepIndex: 4',
    aborted: 'phase: Degraded\n  abort: true\n  currentStepIndex: 0\n  message: RolloutAborted',
  };
  return [
    ARGO_CONTROLLER,
    'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {elbv2.k8s.aws/pod-readiness-gate-inject: enabled}}\n',
    'apiVersion: networking.k8s.io/v1\nkind: IngressClass\nmetadata: {name: alb}\nspec: {controller: ingress.k8s.aws/alb}\n',
    `apiVersion: argoproj.io/v1alpha1
kind: Rollout
metadata: {name: shop, namespace: shop, uid: u-2}
spec:
  replicas: 4
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec: {containers: [{name: shop, image: 'shop:2', ports: [{containerPort: 8080}]}]}
  strategy:
    canary:
      stableService: shop-stable
      canaryService: shop-canary
      trafficRouting: {alb: {ingress: shop, servicePort: 80}}
      steps:
        - setWeight: 20
        - pause: {}
        - setWeight: 50
        - pause: {duration: 60}
status:
  ${states[status]}
  stableRS: ${isIdle ? 'new2' : 'old1'}
  currentPodHash: new2
  canary: {weights: {canary: {weight: ${canary}}, stable: {weight: ${100 - canary}}, verified: ${verified}}}
`,
    service('shop-stable', isIdle ? 'new2' : 'old1'),
    service('shop-canary', 'new2'),
    `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: shop
  namespace: shop
  annotations:
    ${A}/scheme: internet-facing
    ${A}/target-type: ip
    ${A}/actions.shop-stable: '${action}'
    rollouts.argoproj.io/managed-alb-annotations: '{"shop":["${A}/actions.shop-stable"]}'
spec:
  ingressClassName: alb
  rules:
    - host: shop.example.com
      http:
        paths:
          - {path: /, pathType: Prefix, backend: {service: {name: shop-stable, port: {name: use-annotation}}}}
`,
    ...['a', 'b', 'c', 'd'].map((name) => pod(`shop-${name}`, isIdle ? 'new2' : 'old1')),
    ...(isIdle ? [] : [pod('shop-new', 'new2')]),
  ].join('---\n');
}
