import type { KubernetesObject, LabelSelectorRequirement } from '../../kubernetes/api';
import type { KruiseRolloutFacts } from '../facts';
import {
  CONTROLLER_LABELS,
  CONTROLLER_NAME,
  MUTATING_WEBHOOKS_NAME,
  VALIDATING_WEBHOOKS_NAME,
  WEBHOOK_SERVICE_NAME,
  WORKLOAD_TYPE_LABEL,
} from './names';

/** The name of the container's port, so that the Service does not depend on its number. */
export const WEBHOOK_PORT_NAME = 'webhook-server';

/** Options of the webhooks. */
export interface WebhookOptions {
  readonly facts: KruiseRolloutFacts;
  readonly namespace: string;
  readonly objectSelector: readonly LabelSelectorRequirement[];
}

/** One webhook that the controller serves. */
interface ServedWebhook {
  readonly name: string;
  readonly path: string;
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly string[];
  readonly resources: readonly string[];
}

const UNIFIED: ServedWebhook = {
  name: 'munifiedworload.kb.io',
  path: '/mutate-unified-workload',
  apiGroups: ['*'],
  apiVersions: ['*'],
  operations: ['CREATE', 'UPDATE'],
  resources: ['*'],
};

const DEPLOYMENT: ServedWebhook = {
  name: 'mdeployment.kb.io',
  path: '/mutate-apps-v1-deployment',
  apiGroups: ['apps'],
  apiVersions: ['v1'],
  operations: ['UPDATE'],
  resources: ['deployments'],
};

const CLONE_SET: ServedWebhook = {
  name: 'mcloneset.kb.io',
  path: '/mutate-apps-kruise-io-v1alpha1-cloneset',
  apiGroups: ['apps.kruise.io'],
  apiVersions: ['v1alpha1'],
  operations: ['UPDATE'],
  resources: ['clonesets'],
};

const STATEFUL_SET: ServedWebhook = {
  name: 'mstatefulset.kb.io',
  path: '/mutate-apps-v1-statefulset',
  apiGroups: ['apps'],
  apiVersions: ['v1'],
  operations: ['UPDATE'],
  resources: ['statefulsets'],
};

const ADVANCED_STATEFUL_SET: ServedWebhook = {
  name: 'madvancedstatefulset.kb.io',
  path: '/mutate-apps-kruise-io-statefulset',
  apiGroups: ['apps.kruise.io'],
  apiVersions: ['v1alpha1', 'v1beta1'],
  operations: ['CREATE', 'UPDATE'],
  resources: ['statefulsets'],
};

const DAEMON_SET: ServedWebhook = {
  name: 'mdaemonset.kb.io',
  path: '/mutate-apps-kruise-io-v1alpha1-daemonset',
  apiGroups: ['apps.kruise.io'],
  apiVersions: ['v1alpha1'],
  operations: ['UPDATE'],
  resources: ['daemonsets'],
};

const ROLLOUT_PATH = '/validate-rollouts-kruise-io-rollout';

function rolloutWebhook({ storedApiVersion }: KruiseRolloutFacts): ServedWebhook {
  return {
    name: 'vrollout.kb.io',
    path: ROLLOUT_PATH,
    apiGroups: ['rollouts.kruise.io'],
    apiVersions: storedApiVersion === 'v1alpha1' ? ['v1alpha1'] : ['v1alpha1', 'v1beta1'],
    operations: ['CREATE', 'UPDATE'],
    resources: ['rollouts'],
  };
}

/** The paths of the webhooks that this release serves. The controller removes all others from its configuration. */
export function servedPaths(facts: KruiseRolloutFacts): ReadonlySet<string> {
  return new Set([...mutatingWebhooks(facts), rolloutWebhook(facts)].map(({ path }) => path));
}

/** The paths of all releases, which identify a webhook configuration of Kruise Rollouts with any name. */
export const WEBHOOK_PATHS: { readonly mutating: ReadonlySet<string>; readonly validating: ReadonlySet<string> } = {
  mutating: new Set(
    [UNIFIED, DEPLOYMENT, CLONE_SET, STATEFUL_SET, ADVANCED_STATEFUL_SET, DAEMON_SET].map(({ path }) => path),
  ),
  validating: new Set([ROLLOUT_PATH]),
};

/** The Service of the webhooks, and their configurations. */
export function webhookObjects(options: WebhookOptions): KubernetesObject[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: WEBHOOK_SERVICE_NAME, namespace: options.namespace },
      spec: {
        ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: WEBHOOK_PORT_NAME }],
        selector: { ...CONTROLLER_LABELS },
      },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: MUTATING_WEBHOOKS_NAME },
      webhooks: mutatingWebhooks(options.facts).map((webhook) => mutating(webhook, options)),
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: VALIDATING_WEBHOOKS_NAME },
      webhooks: [webhook(rolloutWebhook(options.facts), options.namespace)],
    },
  ];
}

function mutatingWebhooks({ statefulSetWebhooks, advancedDaemonSets }: KruiseRolloutFacts): ServedWebhook[] {
  return [
    UNIFIED,
    DEPLOYMENT,
    CLONE_SET,
    ...(statefulSetWebhooks ? [STATEFUL_SET, ADVANCED_STATEFUL_SET] : []),
    ...(advancedDaemonSets ? [DAEMON_SET] : []),
  ];
}

function mutating(served: ServedWebhook, { namespace, objectSelector, facts }: WebhookOptions) {
  // Otherwise nobody could update the controller's own Deployment while no controller runs.
  const notItself = { key: 'control-plane', operator: 'NotIn', values: [CONTROLLER_NAME] } as const;
  const isLabelled = { key: WORKLOAD_TYPE_LABEL, operator: 'Exists' } as const;
  return {
    ...webhook(served, namespace),
    objectSelector: {
      matchExpressions: [
        ...(served === DEPLOYMENT ? [notItself] : []),
        ...(facts.labelsWorkloads || served === UNIFIED ? [isLabelled] : []),
        ...objectSelector,
      ],
    },
  };
}

function webhook({ name, path, ...rule }: ServedWebhook, namespace: string) {
  return {
    name,
    admissionReviewVersions: ['v1', 'v1beta1'],
    clientConfig: { service: { name: WEBHOOK_SERVICE_NAME, namespace, path } },
    // Without the webhook, an update would replace all pods immediately.
    failurePolicy: 'Fail',
    rules: [rule],
    sideEffects: 'None',
  };
}
