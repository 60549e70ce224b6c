/** Group of the kinds of KtEnv. */
export const API_GROUP = 'env.alibaba.com';

/** The only API version that releases from 0.5 on serve. */
export const API_VERSION = `${API_GROUP}/v1alpha2`;

/** On a Service: more hosts for its VirtualService, separated by commas without spaces. */
export const HOSTS_ANNOTATION = 'kt-virtual-environment/hosts';

/** On a Service: gateways for its VirtualService in addition to the mesh, separated by commas without spaces. */
export const GATEWAYS_ANNOTATION = 'kt-virtual-environment/gateways';

/** On a Service: an HTTPRoute as JSON, the base of every route of its VirtualService. */
export const RULE_ANNOTATION = 'kt-virtual-environment/rule';

/**
 * On a VirtualEnvironment, only for this library: environments that requests name although no workload has them, separated
 * by commas. Checks and previews include them.
 */
export const ENVIRONMENTS_ANNOTATION = 'rollout-constructs.io/environments';

/** The default header that names the environment. */
export const DEFAULT_HEADER = 'X-Virtual-Env';

/** The default label that names the environment. */
export const DEFAULT_LABEL = 'virtual-env';

/** The default separator between the levels of an environment. */
export const DEFAULT_SPLITTER = '.';

/** The environment variable of the sidecar to which the webhook copies the label of the pod. */
export const TAG_VARIABLE = 'VIRTUAL_ENVIRONMENT_TAG';
