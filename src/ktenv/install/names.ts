/** Names of an install of KtEnv. */

/** Where upstream puts the webhook. */
export const DEFAULT_WEBHOOK_NAMESPACE = 'kt-virtual-environment';

/** The webhook's Deployment, and its Service. */
export const WEBHOOK_DEPLOYMENT = 'webhook-server';

/** The Secret from which the webhook reads its certificate. */
export const WEBHOOK_SECRET = 'webhook-server-tls';

/** The MutatingWebhookConfiguration. It sorts behind `istio-sidecar-injector`, which has to come first. */
export const WEBHOOK_CONFIGURATION = 'virtual-environment-webhook';

/** The operator's Deployment, and its ServiceAccount, Role and RoleBinding. */
export const OPERATOR = 'virtual-env-operator';

/** Namespaces with this label ask the webhook for a tag. */
export const TAG_INJECTION_LABEL = 'environment-tag-injection';
