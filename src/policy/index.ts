/** The rules of this library as policies of Pulumi, over any stack with resources of Kubernetes. */

export type { ObjectRef } from '../core/finding';
export type { Suppression } from '../core/suppression';
export type { VersionTexts } from '../settings/versions';
export type { RolloutPoliciesOptions, RuleEnforcement } from './options';
export { policies, rolloutPolicies } from './policies';
