export type { Finding, ObjectRef, Severity, SourceLocation } from '../core/finding';
export type { Suppression } from '../core/suppression';
export type { AliyunAlbIngressPath, AliyunAlbIngressRule } from '../kruise/alb/aliyun-canary-ingress';
export type { AliyunOrder } from '../kruise/alb/aliyun-order';
export {
  AlbAuth,
  type AlbAuthOptions,
  AlbBackend,
  type AlbCanaryIngressModeOptions,
  AlbCanaryMode,
  type AlbCognitoOptions,
  type AlbFixedResponseOptions,
  type AlbGroupOptions,
  type AlbHealthCheck,
  type AlbIngressPath,
  type AlbIngressRule,
  AlbListenPort,
  type AlbOidcOptions,
  type AlbPathType,
  type AlbRedirectOptions,
  type ServiceReference,
} from '../kruise/alb/options';
export type {
  CanaryStep,
  HttpHeaderFilter,
  HttpHeaderMatch,
  HttpPathMatch,
  HttpQueryParamMatch,
  HttpRouteMatch,
  RolloutPause,
  TrafficRoutingRef,
} from '../kruise/api';
export { GatewayKind, type GatewayKindOptions } from '../kruise/gateway-kinds';
export type { ArgoCdIgnoreDifferences, FluxIgnoreRule } from '../kruise/gitops';
export type {
  CrdPolicy,
  KruiseInstallOptions,
  KruiseRolloutDisruptionBudget,
  KruiseRolloutImage,
  KruiseRolloutMetrics,
  KruiseRolloutNetworkPolicy,
  KruiseRolloutPermissions,
  KruiseRolloutServiceMonitor,
} from '../kruise/install/options';
export type { NameReference, ObjectReference, TrafficRoutingOptions } from '../kruise/references';
export { LuaScripts, type ShippedScript } from '../kruise/scripts/lua-scripts';
export {
  type DurationLike,
  HeaderMatch,
  KruiseRolloutStep,
  type MatchesStepOptions,
  PathMatch,
  type Pause,
  QueryParamMatch,
  RouteMatch,
  type StepOptions,
  type TrafficStepOptions,
} from '../kruise/steps';
export { type CanaryStrategyOptions, KruiseRolloutStrategy, type StrategyOptions } from '../kruise/strategy';
export { type KruiseRolloutFacts, KruiseRolloutVersion } from '../kruise/version';
export {
  type AwsLoadBalancerControllerFacts,
  AwsLoadBalancerControllerVersion,
} from '../routers/aws-alb/version';
export { AlbCanaryIngress, type AlbCanaryIngressProps } from './alb-canary-ingress';
export { AlbIngressClass, type AlbIngressClassProps, type IAlbIngressClass } from './alb-ingress-class';
export { AliyunAlbCanaryIngress, type AliyunAlbCanaryIngressProps } from './aliyun-alb-canary-ingress';
export type { CheckProps, KruiseCheckProps, RehearsalProps } from './checks';
export { GatewayRoleBinding, type GatewayRoleBindingProps } from './gateway-role-binding';
export { IstioRoleBinding, type IstioRoleBindingProps } from './istio-role-binding';
export { KruiseGitOps } from './kruise-git-ops';
export { KruiseRollout, type KruiseRolloutProps } from './kruise-rollout';
export {
  type ExistingKruiseRolloutInstall,
  type IKruiseRolloutInstall,
  KruiseRolloutInstall,
  type KruiseRolloutInstallProps,
} from './kruise-rollout-install';
export { KruiseTrafficRouting, type KruiseTrafficRoutingProps } from './kruise-traffic-routing';
export { KtVirtualEnvironment, type KtVirtualEnvironmentProps } from './kt-virtual-environment';
export { KtEnvInstall, type KtEnvInstallProps, KtEnvWebhookCertificate } from './ktenv-install';
export { LuaRoutingConfigMap, type LuaRoutingConfigMapProps } from './lua-routing-config-map';
export { StackCheck, type StackCheckProps } from './stack-check';
