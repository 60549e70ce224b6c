/** Manifests for the examples of the rules: complete, valid, and without findings. */
import { edit } from '../../core/example';

export { edit, yaml } from '../../core/example';

export const VIRTUAL_ENVIRONMENT = `apiVersion: env.alibaba.com/v1alpha2
kind: VirtualEnvironment
metadata: { name: shop, namespace: shop }
spec:
  envHeader: { name: X-Virtual-Env }
  envLabel: { name: virtual-env, splitter: ".", defaultSubset: dev }
`;

export const SERVICE = `apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec:
  selector: { app: web }
  ports: [{ name: http, port: 80 }]
`;

/** A Deployment of an app in one environment. */
export const deployment = (environment: string, name = 'web'): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name}-${environment.toLowerCase().replace(/[^a-z0-9]/g, '-')}, namespace: shop }
spec:
  selector: { matchLabels: { app: ${name}, virtual-env: "${environment}" } }
  template:
    metadata: { labels: { app: ${name}, virtual-env: "${environment}" } }
    spec: { containers: [{ name: web, image: example.com/web:1 }] }
`;

export const DEV = deployment('dev');
export const PROJECT = deployment('dev.proj1');

export const NAMESPACE = `apiVersion: v1
kind: Namespace
metadata:
  name: shop
  labels: { istio-injection: enabled, environment-tag-injection: enabled }
`;

/** The VirtualEnvironment with \`autoInject\`. */
export const AUTO_INJECT = edit(VIRTUAL_ENVIRONMENT, [
  'name: X-Virtual-Env }',
  'name: X-Virtual-Env, autoInject: true }',
]);

export const OPERATOR = `apiVersion: apps/v1
kind: Deployment
metadata: { name: virtual-env-operator, namespace: shop }
spec:
  selector: { matchLabels: { name: virtual-env-operator } }
  template:
    metadata: { labels: { name: virtual-env-operator } }
    spec:
      serviceAccountName: virtual-env-operator
      containers:
        - name: virtual-env-operator
          image: virtualenvironment/virtual-env-operator:v0.6.0
          env:
            - { name: WATCH_NAMESPACE, valueFrom: { fieldRef: { fieldPath: metadata.namespace } } }
`;

export const OPERATOR_ACCOUNT = `apiVersion: v1
kind: ServiceAccount
metadata: { name: virtual-env-operator, namespace: shop }
`;

export const OPERATOR_ROLE = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: virtual-env-operator, namespace: shop }
rules:
  - { apiGroups: [""], resources: [services, configmaps, pods], verbs: ["*"] }
  - { apiGroups: [apps], resources: [deployments, statefulsets], verbs: [get, list, watch] }
  - { apiGroups: [env.alibaba.com], resources: [virtualenvironments], verbs: ["*"] }
  - { apiGroups: [networking.istio.io], resources: [virtualservices, destinationrules, envoyfilters], verbs: ["*"] }
`;

export const OPERATOR_BINDING = `apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: virtual-env-operator, namespace: shop }
subjects: [{ kind: ServiceAccount, name: virtual-env-operator }]
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: Role, name: virtual-env-operator }
`;

/** A namespace with two environments of one app. */
export const STACK = [VIRTUAL_ENVIRONMENT, SERVICE, DEV, PROJECT] as const;

/** The operator of the namespace and its permissions. */
export const OPERATOR_STACK = [OPERATOR, OPERATOR_ACCOUNT, OPERATOR_ROLE, OPERATOR_BINDING] as const;

/** The Deployment of the webhook, with a list of labels. */
const webhook = (labels: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: webhook-server, namespace: kt-virtual-environment }
spec:
  selector: { matchLabels: { app: webhook-server } }
  template:
    metadata: { labels: { app: webhook-server } }
    spec:
      containers:
        - name: server
          image: virtualenvironment/virtual-env-admission-webhook:v0.6.0
          ports: [{ name: webhook-api, containerPort: 8443 }]
          env: [{ name: envLabel, value: "${labels}" }]
      volumes: [{ name: certificate, secret: { secretName: webhook-server-tls } }]
`;

/** The parts of the webhook besides its Deployment. The CRD has any schema. */
const AROUND_WEBHOOK = [
  `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: virtualenvironments.env.alibaba.com }
spec:
  group: env.alibaba.com
  scope: Namespaced
  names: { kind: VirtualEnvironment, plural: virtualenvironments }
  versions:
    - name: v1alpha2
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`,
  `apiVersion: cert-manager.io/v1
kind: Certificate
metadata: { name: webhook-server, namespace: kt-virtual-environment }
spec:
  secretName: webhook-server-tls
  dnsNames: [webhook-server.kt-virtual-environment.svc]
  issuerRef: { name: corporate, kind: ClusterIssuer }
`,
  `apiVersion: v1
kind: Service
metadata: { name: webhook-server, namespace: kt-virtual-environment }
spec: { selector: { app: webhook-server }, ports: [{ port: 443, targetPort: webhook-api }] }
`,
  `apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata:
  { name: virtual-environment-webhook, annotations: { cert-manager.io/inject-ca-from: kt-virtual-environment/webhook-server } }
webhooks:
  - name: webhook-server.kt-virtual-environment.svc
    admissionReviewVersions: [v1]
    sideEffects: None
    clientConfig: { service: { name: webhook-server, namespace: kt-virtual-environment, path: /inject } }
    rules: [{ operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods] }]
    namespaceSelector: { matchLabels: { environment-tag-injection: enabled } }
`,
] as const;

/** The complete webhook of the cluster. */
export const webhookStack = (labels: string): readonly string[] => [...AROUND_WEBHOOK, webhook(labels)];

/** The webhook of the cluster for the default label. */
export const WEBHOOK_STACK = webhookStack('virtual-env');
