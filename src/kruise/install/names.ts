/** Names and ports that are built into the controller or its Helm chart. */
import type { KruiseRolloutFacts } from '../facts';

/** The name of the Deployment and the ServiceAccount, and the value of the label that selects the pods. */
export const CONTROLLER_NAME = 'kruise-rollout-controller-manager';

/** The label in the selector of the webhook Service. */
export const CONTROLLER_LABELS = { 'control-plane': CONTROLLER_NAME } as const;

/** The Service of the webhooks, unless the environment sets `SERVICE_NAME`. */
export const WEBHOOK_SERVICE_NAME = 'kruise-rollout-webhook-service';

/** The Secret of the webhooks' certificate, which the controller creates, unless the environment sets `SECRET_NAME`. */
export const WEBHOOK_SECRET_NAME = 'kruise-rollout-webhook-certs';

/** The name of the mutating webhooks is built into the controller. */
export const MUTATING_WEBHOOKS_NAME = 'kruise-rollout-mutating-webhook-configuration';

/** The name of the validating webhooks is built into the controller. */
export const VALIDATING_WEBHOOKS_NAME = 'kruise-rollout-validating-webhook-configuration';

/** The Lease for the leader election of the replicas. */
export const LEADER_ELECTION_ID = '71ddec2c.kruise.io';

/** The folder of the controller's copy of its certificate, unless the environment sets `WEBHOOK_CERT_DIR`. */
export const WEBHOOK_CERT_DIR = '/tmp/kruise-rollout-webhook-certs';

/** The port of the webhooks, unless the environment sets `WEBHOOK_PORT`. */
export const DEFAULT_WEBHOOK_PORT = 9876;

/** The port of the liveness and readiness probes. */
export const DEFAULT_HEALTH_PORT = 8081;

/** The port of the metrics. */
export const DEFAULT_METRICS_PORT = 8080;

/** The label that the controller sets on the workloads that it manages. */
export const WORKLOAD_TYPE_LABEL = 'rollouts.kruise.io/workload-type';

/** The names of the CRDs of an install. */
export function crdNames({ trafficRoutings }: KruiseRolloutFacts): string[] {
  return [
    'batchreleases.rollouts.kruise.io',
    'rollouthistories.rollouts.kruise.io',
    'rollouts.rollouts.kruise.io',
    ...(trafficRoutings ? ['trafficroutings.rollouts.kruise.io'] : []),
  ];
}

/** The CRDs with two versions. The controller writes its certificate into them, for the conversion webhook. */
export const CONVERTED_CRD_NAMES = ['batchreleases.rollouts.kruise.io', 'rollouts.rollouts.kruise.io'] as const;
