/** Group of all the kinds of Kruise Rollouts. */
export const API_GROUP = 'rollouts.kruise.io';

/** The ConfigMap that holds routing scripts, in the controller's namespace. */
export const LUA_CONFIG_MAP_NAME = 'kruise-rollout-configuration';

/** The controller's namespace where its environment names none (`POD_NAMESPACE`). */
export const DEFAULT_CONTROLLER_NAMESPACE = 'kruise-rollout';

/** Key of an ingress script in the ConfigMap: this and the class type. */
export const INGRESS_SCRIPT_KEY_PREFIX = 'lua.traffic.routing.ingress.';

/** Key of a custom script in the ConfigMap: this and `<Kind>.<group>`. */
export const CUSTOM_SCRIPT_KEY_PREFIX = 'lua.traffic.routing.';

/** Where the controller keeps what a custom object was before the rollout, and from where it restores it. */
export const ORIGINAL_SPEC_ANNOTATION = 'rollouts.kruise.io/original-spec-configuration';

/** On a Rollout: the name of the TrafficRouting that routes its traffic. The controller reads only this. */
export const TRAFFIC_ROUTING_ANNOTATION = 'rollouts.kruise.io/trafficrouting';

/** On a v1alpha1 Rollout: `canary` or `partition`. */
export const ROLLING_STYLE_ANNOTATION = 'rollouts.kruise.io/rolling-style';

/** On a Rollout: `"true"` rolls back in batches (CloneSet and StatefulSet without traffic routing). */
export const ROLLBACK_IN_BATCH_ANNOTATION = 'rollouts.kruise.io/rollback-in-batch';
