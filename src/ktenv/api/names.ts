/** Group of the kinds of KtEnv. */
export const API_GROUP = 'env.alibaba.com';

/** The one version of the API that the releases since 0.5 serve. */
export const API_VERSION = `${API_GROUP}/v1alpha2`;

/** On a Service: more hosts for its VirtualService, separated by commas and nothing else. */
export const HOSTS_ANNOTATION = 'kt-virtual-environment/hosts';

/** On a Service: gateways besides the mesh for its VirtualService, separated by commas and nothing else. */
export const GATEWAYS_ANNOTATION = 'kt-virtual-environment/gateways';

/** On a Service: an HTTPRoute as JSON on which every route of its VirtualService is built. */
export const RULE_ANNOTATION = 'kt-virtual-environment/rule';

/**
 * On a VirtualEnvironment, for this library alone: environments that requests will name although no workload need carry
 * them, separated by commas. Checks and previews look at them too.
 */
export const ENVIRONMENTS_ANNOTATION = 'rollout-constructs.io/environments';

/** The header that names the environment where a VirtualEnvironment names none. */
export const DEFAULT_HEADER = 'X-Virtual-Env';

/** The label that names the environment where a VirtualEnvironment names none. */
export const DEFAULT_LABEL = 'virtual-env';

/** What separates the levels of an environment where a VirtualEnvironment does not say. */
export const DEFAULT_SPLITTER = '.';

/** Environment variable of the sidecar into which the webhook copies the label of the pod. */
export const TAG_VARIABLE = 'VIRTUAL_ENVIRONMENT_TAG';
