import { edit, yaml } from '../../../core/example';
import { defineRules } from '../../../core/rule';
import { installYaml } from './examples';

const SOURCE = 'https://github.com/openkruise/rollouts/blob/master';
const MAIN = `${SOURCE}/main.go`;
const WEBHOOKS = `${SOURCE}/pkg/webhook/util/configuration/configuration.go`;
const WEBHOOK_ENV = `${SOURCE}/pkg/webhook/util/util.go`;
const CRDS = `${SOURCE}/pkg/webhook/util/crd/crd.go`;
const CONFIGURATION = `${SOURCE}/pkg/util/configuration/configuration.go`;
const FEATURES = `${SOURCE}/pkg/feature/rollout_features.go`;
const CHART = 'https://github.com/openkruise/charts/tree/master/versions/kruise-rollout/0.6.2';
const RBAC = 'https://kubernetes.io/docs/reference/access-authn-authz/rbac/';

const whole = installYaml();
const config = (namespace: string) => `apiVersion: v1
kind: ConfigMap
metadata: { name: kruise-rollout-configuration, namespace: ${namespace} }
data:
  lua.traffic.routing.ingress.my-class: |
    local annotations = obj.annotations or {}
    if obj.matches or obj.requestHeaderModifier then error("weights only", 0) end
    annotations["nginx.ingress.kubernetes.io/canary"] = "true"
    annotations["nginx.ingress.kubernetes.io/canary-weight"] = obj.weight
    return annotations
`;
const metricsService = `apiVersion: v1
kind: Service
metadata: { name: kruise-rollout-metrics, namespace: kruise-rollout }
spec:
  selector: { control-plane: kruise-rollout-controller-manager }
  ports: [{ name: metrics, port: 8080, targetPort: 8080 }]
`;

/** Rules for an install of Kruise Rollouts from any source. */
export const installRules = defineRules({
  'kruise-install-duplicate': {
    severity: 'error',
    title: 'there are two installs of Kruise Rollouts',
    because:
      'the webhook configurations and the CRDs exist once in a cluster: each install ' +
      'overwrites the certificate of the other again and again, and both work on the same Rollouts',
    fix: 'remove one of the two Deployments',
    basis: 'read',
    sources: [WEBHOOKS, CRDS],
    failing: yaml(
      whole,
      edit(installYaml('rollouts'), ['name: kruise-rollout-manager-rolebinding', 'name: second-manager-rolebinding']),
    ),
    corrected: yaml(whole),
  },

  'kruise-pod-namespace': {
    severity: 'error',
    title: 'POD_NAMESPACE does not match the namespace of the controller',
    because:
      'the controller looks for its ConfigMap, Secret and Service in the namespace of POD_NAMESPACE, or in ' +
      '"kruise-rollout" if that is not set',
    fix: 'set POD_NAMESPACE from the field metadata.namespace',
    basis: 'read',
    sources: [WEBHOOK_ENV, CONFIGURATION],
    failing: yaml(
      edit(installYaml('rollouts'), [
        '            - { name: POD_NAMESPACE, valueFrom: { fieldRef: { fieldPath: metadata.namespace } } }\n',
        '',
      ]),
    ),
    corrected: yaml(installYaml('rollouts')),
  },

  'kruise-config-map-namespace': {
    severity: 'error',
    title: "the ConfigMap of routing scripts is not in the controller's namespace",
    because: 'the controller looks for the ConfigMap only in its own namespace, and treats a missing one as empty',
    fix: 'move the ConfigMap to the namespace of the controller',
    basis: 'read',
    sources: [CONFIGURATION],
    failing: yaml(whole, config('shop')),
    corrected: yaml(whole, config('kruise-rollout')),
  },

  'kruise-webhook-port': {
    severity: 'error',
    title: 'the Service of the webhooks sends to a port that the controller does not serve',
    because:
      'the controller listens on the port in the environment variable WEBHOOK_PORT, or 9876 if that is not set; the ' +
      'port of the container has no effect. While the API server cannot reach the webhooks, nobody can change a ' +
      'Rollout or its workload',
    fix: 'set WEBHOOK_PORT to the target port of the Service',
    basis: 'read',
    sources: [WEBHOOK_ENV, 'https://github.com/openkruise/rollouts/issues/169'],
    failing: yaml(edit(whole, ['containerPort: 9876', 'containerPort: 8443'])),
    corrected: yaml(
      edit(
        whole,
        ['containerPort: 9876', 'containerPort: 8443'],
        ['          env:\n', '          env:\n            - { name: WEBHOOK_PORT, value: "8443" }\n'],
      ),
    ),
  },

  'kruise-webhook-service': {
    severity: 'error',
    title: 'the Service of the webhooks is missing, or selects no pod of the controller',
    because:
      'the controller writes the Service "kruise-rollout-webhook-service" of its namespace, or the one in SERVICE_NAME, ' +
      'into its webhooks. Without that Service, nobody can change a Rollout or its workload',
    fix: 'add the Service with that name and a selector for the pods of the controller',
    basis: 'read',
    sources: [WEBHOOKS, WEBHOOK_ENV],
    failing: yaml(edit(whole, ['name: kruise-rollout-webhook-service, namespace', 'name: webhooks, namespace'])),
    corrected: yaml(whole),
  },

  'kruise-webhook-configuration': {
    severity: 'error',
    title: 'a webhook configuration is missing, or does not have the name that is built into the controller',
    because:
      'the controller looks for its webhooks by fixed names and writes its certificate into them. If they are missing, ' +
      'it exits after 20 seconds with "failed to start webhook controller for waiting more than 20s"',
    fix: 'use the name that is built into the controller',
    basis: 'read',
    sources: [WEBHOOKS],
    failing: yaml(
      edit(whole, [
        'name: kruise-rollout-validating-webhook-configuration',
        'name: rollouts-validating-webhook-configuration',
      ]),
    ),
    corrected: yaml(whole),
  },

  'kruise-webhook-not-served': {
    severity: 'note',
    title: 'the release does not serve a webhook in the configuration',
    because: 'the controller removes the webhook from the configuration, and a GitOps tool then reports a difference',
    fix: 'remove the webhook',
    basis: 'read',
    sources: [WEBHOOKS, CHART],
    failing: yaml(edit(whole, ['path: /mutate-unified-workload', 'path: /mutate-apps-v1-statefulset'])),
    corrected: yaml(whole),
  },

  'kruise-webhook-template': {
    severity: 'warning',
    title: 'a webhook configuration has the annotation that the controller stores in it',
    because:
      'the controller stores a copy of the webhooks in the annotation "template", and overwrites the configuration with ' +
      'that copy: changes to the webhooks have no effect',
    fix: 'remove the annotation "template" from the manifest',
    basis: 'read',
    sources: [WEBHOOKS],
    failing: yaml(
      edit(whole, [
        '{ name: kruise-rollout-mutating-webhook-configuration }',
        '{ name: kruise-rollout-mutating-webhook-configuration, annotations: { template: "[]" } }',
      ]),
    ),
    corrected: yaml(whole),
  },

  'kruise-metrics-unreachable': {
    severity: 'error',
    title: 'a metrics client cannot reach the metrics of the controller',
    because:
      'the controller binds metrics to 127.0.0.1, as in the Helm chart, so that only the pod itself can read them, ' +
      'despite the Service or monitor',
    fix: 'set the flag --metrics-bind-address=0.0.0.0:8080',
    basis: 'read',
    sources: [MAIN, CHART],
    failing: yaml(whole, metricsService),
    corrected: yaml(
      edit(whole, ['--metrics-bind-address=127.0.0.1:8080', '--metrics-bind-address=:8080']),
      metricsService,
    ),
  },

  'kruise-feature-gate-unknown': {
    severity: 'error',
    title: 'a feature gate does not exist in the release',
    because: 'the controller exits at startup with "unrecognized feature gate"',
    fix: 'remove the feature gate, or use a release that has it',
    basis: 'read',
    sources: [FEATURES],
    failing: yaml(edit(whole, ['AdvancedDeployment=true', 'AdvancedDeployment=true,PartitionRollout=true'])),
    corrected: yaml(whole),
  },

  'kruise-flag-unknown': {
    severity: 'error',
    title: 'the controller has a flag that does not exist in the release',
    because: 'the controller exits at startup with "unknown flag"',
    fix: 'remove the flag',
    basis: 'read',
    sources: [MAIN],
    failing: yaml(edit(whole, ['--v=4', '--log-level=4'])),
    corrected: yaml(whole),
  },

  'kruise-leader-election': {
    severity: 'error',
    title: 'several controllers run without leader election',
    because: "without --leader-elect every replica works on every Rollout, and they undo each other's steps",
    fix: 'add --leader-elect, or run one replica',
    basis: 'read',
    sources: [MAIN],
    failing: yaml(edit(whole, ['            - --leader-elect\n', ''])),
    corrected: yaml(whole),
  },

  'kruise-service-account': {
    severity: 'error',
    title: 'the ServiceAccount of the controller does not exist or has no permissions',
    because:
      'without the ServiceAccount, Kubernetes creates no pod. Without a ClusterRole for it, the controller can read nothing ' +
      'and exits. In the Helm chart, rollout.fullname and nameOverride cause this: neither changes all related ' +
      'names',
    fix: 'use the same name for serviceAccountName, the ServiceAccount, and the subject of the ClusterRoleBinding',
    basis: 'read',
    sources: [CHART, RBAC],
    failing: yaml(
      edit(whole, [
        'serviceAccountName: kruise-rollout-controller-manager',
        'serviceAccountName: kruise-rollout-manager',
      ]),
    ),
    corrected: yaml(whole),
  },

  'kruise-crd-missing': {
    severity: 'warning',
    title: 'an install does not include a CRD',
    because: 'the controller watches this kind at startup, and exits if the kind does not exist',
    fix: 'add the CRD, or make sure that it is applied first',
    basis: 'inferred',
    sources: [MAIN],
    failing: yaml(
      edit(
        whole,
        ['metadata: { name: trafficroutings.rollouts.kruise.io }', 'metadata: { name: routings.rollouts.kruise.io }'],
        ['names: { kind: TrafficRouting, plural: trafficroutings }', 'names: { kind: Routing, plural: routings }'],
      ),
    ),
    corrected: yaml(whole),
  },
});
