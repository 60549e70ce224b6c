/** Names of an install of KtEnv. */

/** The namespace of the webhook in upstream's manifests. */
export const DEFAULT_WEBHOOK_NAMESPACE = 'kt-virtual-environment';

/** The Deployment of the webhook, and its Service. */
export const WEBHOOK_DEPLOYMENT = 'webhook-server';

/** The Secret from which the webhook reads its certificate. */
export const WEBHOOK_SECRET = 'webhook-server-tls';

/** The MutatingWebhookConfiguration. It sorts after `istio-sidecar-injector`, which must run first. */
export const WEBHOOK_CONFIGURATION = 'virtual-environment-webhook';

/** The Deployment of the operator, and its ServiceAccount, Role and RoleBinding. */
export const OPERATOR = 'virtual-env-operator';

/** The label of namespaces whose pods get a tag from the webhook. */
export const TAG_INJECTION_LABEL = 'environment-tag-injection';
