/** A namespace of KtEnv, as an API server has it: two Services, three environments, all written by the operator. */
import { selfSigned } from '../cli/certificate';

const { certificate } = selfSigned(['webhook-server.kt-virtual-environment.svc'], []);
const OWNER =
  'ownerReferences: [{apiVersion: env.alibaba.com/v1alpha2, kind: VirtualEnvironment, name: demo, uid: u-3, controller: true}]';

export const WEBHOOK = `apiVersion: apps/v1
kind: Deployment
metadata: {name: webhook-server, namespace: kt-virtual-environment}
spec:
  selector: {matchLabels: {app: webhook-server}}
  template:
    metadata: {labels: {app: webhook-server}}
    spec:
      containers:
        - name: server
          image: virtualenvironment/virtual-env-admission-webhook:v0.6.0
          ports: [{containerPort: 8443, name: webhook-api}]
          env: [{name: envLabel, value: virtual-env}]
status: {replicas: 1, availableReplicas: 1}
---
apiVersion: v1
kind: Service
metadata: {name: webhook-server, namespace: kt-virtual-environment}
spec:
  selector: {app: webhook-server}
  ports: [{port: 443, targetPort: webhook-api}]
`;

export const CONFIGURATION = `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: virtual-environment-webhook}
webhooks:
  - name: webhook-server.kt-virtual-environment.svc
    sideEffects: None
    admissionReviewVersions: [v1]
    namespaceSelector: {matchLabels: {environment-tag-injection: enabled}}
    clientConfig:
      service: {name: webhook-server, namespace: kt-virtual-environment, path: /inject}
      caBundle: ${Buffer.from(certificate).toString('base64')}
    rules: [{operations: [CREATE], apiGroups: [''], apiVersions: [v1], resources: [pods]}]
`;

export const NAMESPACE =
  'apiVersion: v1\nkind: Namespace\nmetadata: {name: demo, labels: {istio-injection: enabled, environment-tag-injection: enabled}}\n';

export const OPERATOR = `apiVersion: apps/v1
kind: Deployment
metadata: {name: virtual-env-operator, namespace: demo}
spec:
  selector: {matchLabels: {name: virtual-env-operator}}
  template:
    metadata: {labels: {name: virtual-env-operator}}
    spec:
      serviceAccountName: virtual-env-operator
      containers:
        - name: virtual-env-operator
          image: virtualenvironment/virtual-env-operator:v0.6.0
          env: [{name: WATCH_NAMESPACE, valueFrom: {fieldRef: {fieldPath: metadata.namespace}}}]
status: {replicas: 1, availableReplicas: 1}
`;

const ROLE = `apiVersion: v1
kind: ServiceAccount
metadata: {name: virtual-env-operator, namespace: demo}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: virtual-env-operator, namespace: demo}
rules:
  - {apiGroups: [''], resources: [pods, services, services/finalizers, endpoints, persistentvolumeclaims, events, configmaps, secrets], verbs: ['*']}
  - {apiGroups: [apps], resources: [deployments, daemonsets, replicasets, statefulsets], verbs: ['*']}
  - {apiGroups: [env.alibaba.com], resources: ['*'], verbs: ['*']}
  - {apiGroups: [networking.istio.io], resources: [envoyfilters, destinationrules, virtualservices], verbs: ['*']}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: virtual-env-operator, namespace: demo}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: virtual-env-operator}
subjects: [{kind: ServiceAccount, name: virtual-env-operator, namespace: demo}]
`;

export const ENVIRONMENT = (name = 'demo') => `apiVersion: env.alibaba.com/v1alpha2
kind: VirtualEnvironment
metadata: {name: ${name}, namespace: demo}
spec:
  envHeader: {name: ali-env-mark}
  envLabel: {name: virtual-env, splitter: '.', defaultSubset: dev}
`;

const workload = (app: string, environment: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${app}-${environment.replaceAll('.', '-')}, namespace: demo}
spec:
  selector: {matchLabels: {app: ${app}, virtual-env: ${environment}}}
  template:
    metadata: {labels: {app: ${app}, virtual-env: ${environment}}}
    spec: {containers: [{name: app, image: 'app:1'}]}
`;

export const pod = (app: string, environment: string, tag = environment) => `apiVersion: v1
kind: Pod
metadata: {name: ${app}-${environment.replaceAll('.', '-')}-1, namespace: demo, labels: {app: ${app}, virtual-env: ${environment}}}
spec:
  containers:
    - {name: app, image: 'app:1'}
    - name: istio-proxy
      image: istio/proxyv2:1.18.0
      env: [{name: VIRTUAL_ENVIRONMENT_TAG, value: ${tag}}]
status: {conditions: [{type: Ready, status: 'True'}]}
`;

const service = (name: string, port = 'http') => `apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: demo}
spec: {selector: {app: ${name}}, ports: [{name: ${port}, port: 8080, protocol: TCP, targetPort: 8080}]}
`;

const to = (name: string, subset: string) =>
  `route: [{destination: {host: ${name}, subset: ${subset}, port: {number: 8080}}, weight: 100}]`;
const marked = (environment: string) => `match: [{headers: {ali-env-mark: {exact: ${environment}}}, port: 8080}]`;

/** The routes of the operator's own example: the nearest parent that has pods answers. */
const virtualService = (
  name: string,
  routes: readonly (readonly [string, string])[],
) => `apiVersion: networking.istio.io/v1
kind: VirtualService
metadata: {name: ${name}, namespace: demo, ${OWNER}}
spec:
  hosts: [${name}]
  gateways: [mesh]
  http:
    - {match: [{port: 8080}], ${to(name, 'dev')}}
${routes.map(([environment, subset]) => `    - {${marked(environment)}, ${to(name, subset)}}\n`).join('')}`;

const destinationRule = (name: string, environments: readonly string[]) => `apiVersion: networking.istio.io/v1
kind: DestinationRule
metadata: {name: ${name}, namespace: demo, ${OWNER}}
spec:
  host: ${name}
  subsets:
${environments.map((one) => `    - {name: ${one.replaceAll('.', '-')}, labels: {virtual-env: ${one}}}\n`).join('')}`;

/** All is well. */
export function ktenvCluster(): string {
  const [FEATURE, PROJECT, DEV] = ['dev.proj1.feature1', 'dev.proj1', 'dev'];
  return [
    WEBHOOK,
    CONFIGURATION,
    NAMESPACE,
    OPERATOR,
    ROLE,
    ENVIRONMENT(),
    service('app-js'),
    service('app-java'),
    ...[DEV, PROJECT].map((one) => workload('app-js', one)),
    ...[DEV, PROJECT, FEATURE].map((one) => workload('app-java', one)),
    virtualService('app-js', [
      [FEATURE, 'dev-proj1'],
      [PROJECT, 'dev-proj1'],
    ]),
    destinationRule('app-js', [PROJECT, DEV]),
    virtualService('app-java', [
      [FEATURE, 'dev-proj1-feature1'],
      [PROJECT, 'dev-proj1'],
    ]),
    destinationRule('app-java', [FEATURE, PROJECT, DEV]),
    pod('app-js', DEV),
    pod('app-js', PROJECT),
    pod('app-java', FEATURE),
  ].join('---\n');
}
