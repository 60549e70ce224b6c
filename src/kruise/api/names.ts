/** The API group of Kruise Rollouts. */
export const API_GROUP = 'rollouts.kruise.io';

/** The ConfigMap of routing scripts in the controller's namespace. */
export const LUA_CONFIG_MAP_NAME = 'kruise-rollout-configuration';

/** The controller's default namespace, if its environment does not set `POD_NAMESPACE`. */
export const DEFAULT_CONTROLLER_NAMESPACE = 'kruise-rollout';

/** The key of an ingress script in the ConfigMap is this prefix and the class type. */
export const INGRESS_SCRIPT_KEY_PREFIX = 'lua.traffic.routing.ingress.';

/** The key of a custom script in the ConfigMap is this prefix and `<Kind>.<group>`. */
export const CUSTOM_SCRIPT_KEY_PREFIX = 'lua.traffic.routing.';

/** The annotation in which the controller stores the original state of a custom object, to restore it after the rollout. */
export const ORIGINAL_SPEC_ANNOTATION = 'rollouts.kruise.io/original-spec-configuration';

/** On a Rollout: the name of the TrafficRouting that routes its traffic. The controller reads only this annotation. */
export const TRAFFIC_ROUTING_ANNOTATION = 'rollouts.kruise.io/trafficrouting';

/** On a v1alpha1 Rollout: `canary` or `partition`. */
export const ROLLING_STYLE_ANNOTATION = 'rollouts.kruise.io/rolling-style';

/** On a Rollout: `"true"` rolls back in batches (CloneSet and StatefulSet without traffic routing). */
export const ROLLBACK_IN_BATCH_ANNOTATION = 'rollouts.kruise.io/rollback-in-batch';

/** On a workload: the state of its release. The webhook and the controller write it. */
export const IN_PROGRESSING_ANNOTATION = 'rollouts.kruise.io/in-progressing';

/** On a workload: while it has this annotation, another id starts a release, even without new pods, and nothing else does. */
export const RELEASE_ID_ANNOTATION = 'rollouts.kruise.io/rollout-id';
