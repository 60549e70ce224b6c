export { ArgoAlbClass, type ArgoAlbIngressOptions } from '../argo/alb/ingress-options';
export {
  ArgoAlbService,
  type ArgoObjectMetadata,
  type ArgoWorkloadRef,
} from '../argo/alb/options';
export {
  ArgoAlbStrategy,
  type ArgoBlueGreenOptions,
  type ArgoCanaryOptions,
  type ArgoPingPongOptions,
  type ArgoStableCanaryOptions,
} from '../argo/alb/strategy';
export type { ArgoAnalysisTemplateOptions } from '../argo/analysis';
export { type ArgoAnalysisMetric, ArgoMetric } from '../argo/analysis/metric';
export type * from '../argo/analysis/metric-options';
export type * as argo from '../argo/api';
export type { ArgoRolloutsFacts } from '../argo/facts';
export type {
  ArgoInstallOptions,
  ArgoRolloutsAws,
  ArgoRolloutsDashboard,
  ArgoRolloutsDisruptionBudget,
  ArgoRolloutsImage,
  ArgoRolloutsMetrics,
  ArgoRolloutsNotifications,
  ArgoRolloutsPermissions,
  ArgoRolloutsPlugin,
  ArgoRolloutsPlugins,
  ArgoRolloutsServiceMonitor,
  ArgoTrafficRouter,
} from '../argo/install/options';
export * from '../argo/steps';
export { ArgoRolloutsVersion } from '../argo/version';
export {
  AwsAccess,
  type AwsAccessKind,
  type IrsaOptions,
  type PodIdentityOptions,
  type PodRoleOptions,
  type StaticKeysOptions,
} from '../aws/access';
export { type AckOptions, type CrossplaneOptions, IamObjects } from '../aws/objects';
export type { OidcIssuer } from '../aws/oidc-provider';
export type { PolicyDocument, PolicyStatement } from '../aws/policy-document';
export type { ServiceAccountName } from '../aws/trust-policy';
export type { VerificationPolicyOptions, VerifiedRollouts } from '../aws/verification-policy';
export type { DurationLike } from '../core/duration';
export type { Finding, ObjectRef, Severity, SourceLocation } from '../core/finding';
export type { KustomizeConfiguration, KustomizeFieldSpec, KustomizeNameReference } from '../core/kustomize';
export type { Suppression } from '../core/suppression';
export { readClusterFacts } from '../files/cluster-facts';
export { LuaScripts, type ShippedScript } from '../files/scripts/lua-scripts';
export type { AliyunAlbIngressPath, AliyunAlbIngressRule } from '../kruise/alb/aliyun-canary-ingress';
export type { AliyunOrder } from '../kruise/alb/aliyun-order';
export { type AlbCanaryIngressModeOptions, AlbCanaryMode, type AlbGroupOptions } from '../kruise/alb/canary-mode';
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
export type { KruiseRolloutFacts } from '../kruise/facts';
export { GatewayKind, type GatewayKindOptions } from '../kruise/gateway-kinds';
export type { FluxHealthCheckExpr } from '../kruise/health';
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
export {
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
export { KruiseRolloutVersion } from '../kruise/version';
export type { EnvHeader, EnvHeaderAlias, EnvLabel } from '../ktenv/api';
export {
  AlbBackend,
  type AlbClassSettings,
  type AlbFixedResponseOptions,
  type AlbIngressPath,
  type AlbIngressRule,
  type AlbPathType,
  type AlbRedirectOptions,
  type ServiceReference,
} from '../routers/aws-alb/ingress-options';
export {
  AlbAuth,
  type AlbAuthOptions,
  type AlbCognitoOptions,
  type AlbHealthCheck,
  AlbListenPort,
  type AlbLoadBalancerOptions,
  type AlbOidcOptions,
} from '../routers/aws-alb/load-balancer-options';
export {
  type AwsLoadBalancerControllerFacts,
  AwsLoadBalancerControllerVersion,
} from '../routers/aws-alb/version';
export { type IngressNginxFacts, IngressNginxVersion } from '../routers/canary-ingress/nginx-version';
export { type TraefikFacts, TraefikVersion } from '../routers/traefik/version';
export { RolloutConstructsValidation, type RolloutConstructsValidationProps } from '../validation';
export { AlbCanaryIngress, type AlbCanaryIngressProps } from './alb-canary-ingress';
export { AlbIngressClass, type AlbIngressClassProps, type IAlbIngressClass } from './alb-ingress-class';
export { AliyunAlbCanaryIngress, type AliyunAlbCanaryIngressProps } from './aliyun-alb-canary-ingress';
export { ArgoAlbRollout, type ArgoAlbRolloutProps } from './argo-alb-rollout';
export { ArgoAnalysisTemplate, type ArgoAnalysisTemplateProps } from './argo-analysis-template';
export {
  ArgoRolloutsInstall,
  type ArgoRolloutsInstallProps,
  type IArgoRolloutsInstall,
} from './argo-rollouts-install';
export type { CheckProps, KruiseCheckProps, RehearsalProps } from './checks';
export { GatewayRoleBinding, type GatewayRoleBindingProps } from './gateway-role-binding';
export { ArgoGitOps, KruiseGitOps } from './git-ops';
export { IstioRoleBinding, type IstioRoleBindingProps } from './istio-role-binding';
export { KruiseRollout, type KruiseRolloutProps } from './kruise-rollout';
export {
  type ExistingKruiseRolloutInstall,
  type IKruiseRolloutInstall,
  KruiseRolloutInstall,
  type KruiseRolloutInstallProps,
} from './kruise-rollout-install';
export { KruiseTrafficRouting, type KruiseTrafficRoutingProps } from './kruise-traffic-routing';
export { KtVirtualEnvironment, type KtVirtualEnvironmentProps } from './kt-virtual-environment';
export type { KtEnvCheckProps } from './ktenv-checks';
export { KtEnvInstall, type KtEnvInstallProps, KtEnvWebhookCertificate } from './ktenv-install';
export { LuaRoutingConfigMap, type LuaRoutingConfigMapProps } from './lua-routing-config-map';
export { StackCheck, type StackCheckProps } from './stack-check';
export {
  TargetGroupVerificationPolicy,
  type TargetGroupVerificationPolicyProps,
  type VerifyingInstallProps,
} from './target-group-verification-policy';
