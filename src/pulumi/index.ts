/** The components of Pulumi: the same nouns as the constructs of cdk8s, made by the same functions. */
export type { CheckArgs, KruiseCheckArgs } from './checks';
export { KubernetesComponent } from './component';
export type { Inputs, MetadataArgs } from './inputs';
export { KruiseRollout, type KruiseRolloutArgs } from './kruise-rollout';
export {
  type ExistingKruiseRolloutInstall,
  type IKruiseRolloutInstall,
  KruiseRolloutInstall,
  type KruiseRolloutInstallArgs,
} from './kruise-rollout-install';
export { LuaRoutingConfigMap, type LuaRoutingConfigMapArgs } from './lua-routing-config-map';
export type { KubernetesResource, NameInput, ObjectInput } from './references';
export type { TrafficRoutingArgs } from './traffic-routing';
export { stackFindings } from './watch';
