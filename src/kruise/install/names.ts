/** Names and ports that the controller has built in, or that its chart gives. */

/** Deployment, ServiceAccount and the value of the label that selects the pods. */
export const CONTROLLER_NAME = 'kruise-rollout-controller-manager';

/** The label by which the webhook Service finds the pods. */
export const CONTROLLER_LABELS = { 'control-plane': CONTROLLER_NAME } as const;

/** The Service of the webhooks, unless the environment names another one (`SERVICE_NAME`). */
export const WEBHOOK_SERVICE_NAME = 'kruise-rollout-webhook-service';

/** The Secret of the webhooks' certificate, which the process makes itself (`SECRET_NAME` names another one). */
export const WEBHOOK_SECRET_NAME = 'kruise-rollout-webhook-certs';

/** The process looks for its webhooks under this name and no other. */
export const MUTATING_WEBHOOKS_NAME = 'kruise-rollout-mutating-webhook-configuration';

/** The process looks for its webhooks under this name and no other. */
export const VALIDATING_WEBHOOKS_NAME = 'kruise-rollout-validating-webhook-configuration';

/** The Lease by which replicas agree on which of them works. */
export const LEADER_ELECTION_ID = '71ddec2c.kruise.io';

/** Where the process keeps a copy of its certificate (`WEBHOOK_CERT_DIR` names another folder). */
export const WEBHOOK_CERT_DIR = '/tmp/kruise-rollout-webhook-certs';

/** The port of the webhooks, unless the environment names another one (`WEBHOOK_PORT`). */
export const DEFAULT_WEBHOOK_PORT = 9876;

/** The port of liveness and readiness. */
export const DEFAULT_HEALTH_PORT = 8081;

/** The port of metrics. */
export const DEFAULT_METRICS_PORT = 8080;

/** Group of the webhooks that workloads carry, and the label by which the controller marks those it looks after. */
export const WORKLOAD_TYPE_LABEL = 'rollouts.kruise.io/workload-type';

/** The CRDs of an install. */
export const CRD_NAMES = [
  'batchreleases.rollouts.kruise.io',
  'rollouthistories.rollouts.kruise.io',
  'rollouts.rollouts.kruise.io',
  'trafficroutings.rollouts.kruise.io',
] as const;

/** The CRDs that have two versions. The process writes its certificate into them, for the conversion webhook. */
export const CONVERTED_CRD_NAMES = ['batchreleases.rollouts.kruise.io', 'rollouts.rollouts.kruise.io'] as const;
