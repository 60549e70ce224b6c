/** The model of the Argo Rollouts controller: its writes to ALB Ingresses. Pure functions of manifests. */
export { actionKey, conditionKey, type HeaderRoute, readHeaderRoute, type WeightDestination } from './actions';
export * from './alb';
export * from './alb-rollout';
export { analysesOfExperiment, lacksTemplate, runsAnalysis } from './analysis';
export * from './apply';
export { MANAGED_ACTIONS, MANAGED_ANNOTATIONS } from './bookkeeping';
export { isEndless } from './experiment';
export type { AlbFailure, AlbFailureClass } from './failure';
export * from './going-back';
export { canaryIngressName, readNginxRollout } from './nginx';
export type { IngressRules } from './paths';
export {
  ARGO_REVISION_LABEL,
  type ArgoController,
  type ArgoDeclared,
  type ArgoMoment,
  type ArgoPlay,
  type ArgoStory,
  argoWorkloadOf,
  delayOf,
  isGivenAgain,
} from './play';
export { playArgoBlueGreen } from './play-blue-green';
export { type ArgoDeletion, playArgoCanary, playArgoDeletion, withIdleActions } from './play-canary';
export * from './reset';
export { otherRouters } from './routes';
export * from './steps';
export { tellArgoRollout } from './tell';
