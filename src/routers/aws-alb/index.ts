export type { Ingress } from '../ingress/ingress';
export type { AlbOptions, ClassOptions } from './class';
export { BuildFailure, type ErrorClass } from './failure';
export { type Match, matchRequest } from './match';
export type {
  Action,
  AlbGroup,
  AlbListener,
  AlbModel,
  Condition,
  FixedResponseAction,
  ForwardAction,
  HeaderCondition,
  ListenerRule,
  Protocol,
  QueryCondition,
  QueryPair,
  RedirectAction,
  TargetGroup,
  TextCondition,
  Transform,
  WeightedTargetGroup,
} from './model';
export { buildModel } from './model-builder';
export { awsAlbRouter } from './router';
