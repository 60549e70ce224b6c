/** The rules of this library as policies of Pulumi, over any stack with resources of Kubernetes. */
export type { VersionTexts } from '../cli/versions';
export type { ObjectRef } from '../core/finding';
export type { Suppression } from '../core/suppression';
export type { RolloutPoliciesOptions, RuleEnforcement } from './options';
export { policies, rolloutPolicies } from './policies';
