const KINDS: readonly (readonly [kind: string, plural: string])[] = [
  ['BatchRelease', 'batchreleases'],
  ['Rollout', 'rollouts'],
  ['RolloutHistory', 'rollouthistories'],
  ['TrafficRouting', 'trafficroutings'],
];

/** A small complete install without findings, the base of the rules' examples. */
export function installYaml(namespace = 'kruise-rollout'): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: kruise-rollout-controller-manager, namespace: ${namespace} }
spec:
  replicas: 2
  selector: { matchLabels: { control-plane: kruise-rollout-controller-manager } }
  template:
    metadata: { labels: { control-plane: kruise-rollout-controller-manager } }
    spec:
      serviceAccountName: kruise-rollout-controller-manager
      containers:
        - name: manager
          image: openkruise/kruise-rollout:v0.6.2
          command: [/manager]
          args:
            - --leader-elect
            - --metrics-bind-address=127.0.0.1:8080
            - --v=4
            - --feature-gates=AdvancedDeployment=true
          env:
            - { name: POD_NAMESPACE, valueFrom: { fieldRef: { fieldPath: metadata.namespace } } }
          ports: [{ name: webhook-server, containerPort: 9876 }]
---
apiVersion: v1
kind: Service
metadata: { name: kruise-rollout-webhook-service, namespace: ${namespace} }
spec:
  selector: { control-plane: kruise-rollout-controller-manager }
  ports: [{ port: 443, targetPort: webhook-server }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: { name: kruise-rollout-mutating-webhook-configuration }
webhooks:
  - name: munifiedworload.kb.io
    admissionReviewVersions: [v1]
    sideEffects: None
    clientConfig: { service: { name: kruise-rollout-webhook-service, namespace: ${namespace}, path: /mutate-unified-workload } }
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: { name: kruise-rollout-validating-webhook-configuration }
webhooks:
  - name: vrollout.kb.io
    admissionReviewVersions: [v1]
    sideEffects: None
    clientConfig: { service: { name: kruise-rollout-webhook-service, namespace: ${namespace}, path: /validate-rollouts-kruise-io-rollout } }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: kruise-rollout-controller-manager, namespace: ${namespace} }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: kruise-rollout-manager-role }
rules: [{ apiGroups: [rollouts.kruise.io], resources: ['*'], verbs: ['*'] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: kruise-rollout-manager-rolebinding }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: kruise-rollout-manager-role }
subjects: [{ kind: ServiceAccount, name: kruise-rollout-controller-manager, namespace: ${namespace} }]
${KINDS.map(
  ([kind, plural]) => `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${plural}.rollouts.kruise.io }
spec: { group: rollouts.kruise.io, scope: Namespaced, names: { kind: ${kind}, plural: ${plural} }, versions: [] }
`,
).join('')}`;
}
