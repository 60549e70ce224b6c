/** The components of Pulumi: the same nouns as the constructs of cdk8s, made by the same functions. */
export { ArgoAlbClass, ArgoAlbService, ArgoAlbStrategy } from '../argo/alb';
export { type ArgoAnalysisMetric, ArgoMetric } from '../argo/analysis/metric';
export type * from '../argo/analysis/metric-options';
export * from '../argo/steps';
export { ArgoRolloutsVersion } from '../argo/version';
export type { DurationLike } from '../core/duration';
export type { Finding, ObjectRef, Severity } from '../core/finding';
export type { Suppression } from '../core/suppression';
export { LuaScripts, type ShippedScript } from '../files/scripts/lua-scripts';
export type { AliyunOrder } from '../kruise/alb/aliyun-order';
export { AlbCanaryMode } from '../kruise/alb/canary-mode';
export type { CanaryStep, HttpHeaderFilter, HttpRouteMatch } from '../kruise/api';
export { GatewayKind, type GatewayKindOptions } from '../kruise/gateway-kinds';
export {
  HeaderMatch,
  KruiseRolloutStep,
  PathMatch,
  QueryParamMatch,
  RouteMatch,
} from '../kruise/steps';
export { KruiseRolloutStrategy } from '../kruise/strategy';
export { KruiseRolloutVersion } from '../kruise/version';
export { AlbBackend, type AlbIngressRule } from '../routers/aws-alb/ingress-options';
export { AlbAuth, type AlbHealthCheck, AlbListenPort } from '../routers/aws-alb/load-balancer-options';
export { AwsLoadBalancerControllerVersion } from '../routers/aws-alb/version';
export { AlbCanaryIngress, type AlbCanaryIngressArgs } from './alb-canary-ingress';
export { AlbIngressClass, type AlbIngressClassArgs, type IAlbIngressClass } from './alb-ingress-class';
export { AliyunAlbCanaryIngress, type AliyunAlbCanaryIngressArgs } from './aliyun-alb-canary-ingress';
export { ArgoAlbRollout, type ArgoAlbRolloutArgs } from './argo-alb-rollout';
export { ArgoAnalysisTemplate, type ArgoAnalysisTemplateArgs } from './argo-analysis-template';
export {
  ArgoRolloutsInstall,
  type ArgoRolloutsInstallArgs,
  type IArgoRolloutsInstall,
} from './argo-rollouts-install';
export type { CheckArgs, KruiseCheckArgs, RehearsalArgs } from './checks';
export { KubernetesComponent } from './component';
export {
  GatewayRoleBinding,
  type GatewayRoleBindingArgs,
  IstioRoleBinding,
  type IstioRoleBindingArgs,
} from './gateway-role-binding';
export { type IgnoreChangesOptions, KruiseGitOps } from './git-ops';
export type { Inputs, MetadataArgs, ServiceArgs, TrafficRoutingArgs } from './inputs';
export { KruiseRollout, type KruiseRolloutArgs } from './kruise-rollout';
export {
  type ExistingKruiseRolloutInstall,
  type IKruiseRolloutInstall,
  KruiseRolloutInstall,
  type KruiseRolloutInstallArgs,
} from './kruise-rollout-install';
export { KruiseTrafficRouting, type KruiseTrafficRoutingArgs } from './kruise-traffic-routing';
export { KtVirtualEnvironment, type KtVirtualEnvironmentArgs } from './kt-virtual-environment';
export { KtEnvInstall, type KtEnvInstallArgs } from './ktenv-install';
export { LuaRoutingConfigMap, type LuaRoutingConfigMapArgs } from './lua-routing-config-map';
export type { KubernetesResource, NamedComponent, NamedInput, NameInput, ObjectInput } from './references';
export {
  TargetGroupVerificationRole,
  type TargetGroupVerificationRoleArgs,
  type VerificationAccessArgs,
} from './target-group-verification-role';
export { stackFindings } from './watch';
