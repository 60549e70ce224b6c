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
data: { lua.traffic.routing.ingress.aws-alb: "return obj.annotations" }
`;
const metricsService = `apiVersion: v1
kind: Service
metadata: { name: kruise-rollout-metrics, namespace: kruise-rollout }
spec:
  selector: { control-plane: kruise-rollout-controller-manager }
  ports: [{ name: metrics, port: 8080, targetPort: 8080 }]
`;

/** Rules on an install of Kruise Rollouts, whoever wrote it. */
export const installRules = defineRules({
  'kruise-install-duplicate': {
    severity: 'error',
    title: 'there are two installs of Kruise Rollouts',
    because:
      'the names of the webhook configurations, and the certificate in the CRDs, exist once in a cluster: each install ' +
      'writes its own into them, over and over, and both work on the same Rollouts',
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
    title: 'the controller does not know in which namespace it is',
    because:
      'it looks for its ConfigMap, Secret and Service in the namespace that POD_NAMESPACE names, and in ' +
      '"kruise-rollout" where that is not set',
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
    because: 'the controller looks for it in its own namespace only, and takes a missing one for an empty one',
    fix: 'move the ConfigMap to the namespace of the controller',
    basis: 'read',
    sources: [CONFIGURATION],
    failing: yaml(whole, config('shop')),
    corrected: yaml(whole, config('kruise-rollout')),
  },

  'kruise-webhook-port': {
    severity: 'error',
    title: 'the webhooks are not served at the port to which their Service sends',
    because:
      'the process listens at the port of the environment variable WEBHOOK_PORT, 9876 where that is not set; the ' +
      'port of the container changes nothing. While webhooks are not reached no Rollout and no workload of one can be ' +
      'changed',
    fix: 'set WEBHOOK_PORT to the port to which the Service sends',
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
    title: 'the Service of the webhooks is missing, or leads to no pod of the controller',
    because:
      'the process writes the Service "kruise-rollout-webhook-service" of its namespace into its webhooks, or the one ' +
      'that SERVICE_NAME names; while it leads nowhere no Rollout and no workload of one can be changed',
    fix: 'add the Service under that name, with a selector for the pods of the controller',
    basis: 'read',
    sources: [WEBHOOKS, WEBHOOK_ENV],
    failing: yaml(edit(whole, ['name: kruise-rollout-webhook-service, namespace', 'name: webhooks, namespace'])),
    corrected: yaml(whole),
  },

  'kruise-webhook-configuration': {
    severity: 'error',
    title: 'a webhook configuration is missing, or has another name than the one built into the controller',
    because:
      'the process looks for its webhooks under fixed names and writes its certificate into them; where they are not, ' +
      'it ends after 20 seconds with "failed to start webhook controller for waiting more than 20s"',
    fix: 'name it as the controller does',
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
    title: 'the release does not serve a webhook of its configuration',
    because: 'the process takes it out of the configuration, which a GitOps tool then shows as changed',
    fix: 'leave it out',
    basis: 'read',
    sources: [WEBHOOKS, CHART],
    failing: yaml(edit(whole, ['path: /mutate-unified-workload', 'path: /mutate-apps-v1-statefulset'])),
    corrected: yaml(whole),
  },

  'kruise-webhook-template': {
    severity: 'warning',
    title: 'a webhook configuration carries the copy that the controller made of it',
    because:
      'the process keeps a copy of the webhooks in the annotation "template", and writes the copy over what is in the ' +
      'configuration: changes to the webhooks have no effect',
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
    title: 'metrics are to be read where the controller does not serve them',
    because:
      'bound to 127.0.0.1, as in the Helm chart, metrics can be read only from inside the pod, whatever Service or ' +
      'monitor there is',
    fix: 'start the process with --metrics-bind-address=0.0.0.0:8080',
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
    because: 'the process ends at its start with "unrecognized feature gate"',
    fix: 'remove the feature gate, or take a release that has it',
    basis: 'read',
    sources: [FEATURES],
    failing: yaml(edit(whole, ['AdvancedDeployment=true', 'AdvancedDeployment=true,PartitionRollout=true'])),
    corrected: yaml(whole),
  },

  'kruise-flag-unknown': {
    severity: 'error',
    title: 'the process is started with a flag that the release does not have',
    because: 'the process ends at its start with "unknown flag"',
    fix: 'remove the flag',
    basis: 'read',
    sources: [MAIN],
    failing: yaml(edit(whole, ['--v=4', '--log-level=4'])),
    corrected: yaml(whole),
  },

  'kruise-leader-election': {
    severity: 'error',
    title: 'several controllers run without choosing one that works',
    because: "without --leader-elect every replica works on every Rollout, and they undo each other's steps",
    fix: 'add --leader-elect, or run one replica',
    basis: 'read',
    sources: [MAIN],
    failing: yaml(edit(whole, ['            - --leader-elect\n', ''])),
    corrected: yaml(whole),
  },

  'kruise-service-account': {
    severity: 'error',
    title: 'the controller runs as a ServiceAccount that does not exist or may do nothing',
    because:
      'without the ServiceAccount no pod is made; without a ClusterRole bound to it the controller can read nothing and ' +
      'ends. In the Helm chart, rollout.fullname and nameOverride lead here: neither changes all the names that belong ' +
      'together',
    fix: 'let serviceAccountName, the ServiceAccount, and the subject of the ClusterRoleBinding be the same',
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
    title: 'an install comes without a CRD',
    because: 'the controller watches this kind from its start, and ends where the kind does not exist',
    fix: 'add the CRD, or see to it that it is applied before',
    basis: 'inferred',
    sources: [MAIN],
    failing: yaml(
      edit(whole, [
        'metadata: { name: trafficroutings.rollouts.kruise.io }',
        'metadata: { name: routings.rollouts.kruise.io }',
      ]),
    ),
    corrected: yaml(whole),
  },
});
