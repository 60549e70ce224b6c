export { compileRegex, isRefusedByRe2, type RegexOptions } from '../core/regex';
export { aliyunAlbRouter } from './aliyun-alb';
export { apisixRouter } from './apisix';
export { awsAlbRouter } from './aws-alb';
export { higressRouter } from './canary-ingress/higress';
export { mseRouter } from './canary-ingress/mse';
export { nginxRouter } from './canary-ingress/nginx';
export { contourRouter } from './contour';
export { gatewayApiRouter } from './gateway-api';
export { patternTakes } from './hosts';
export type { IngressClassOptions } from './ingress/class';
export { istioRouter } from './istio';
export {
  ANY_FIELD,
  anyField,
  fieldsOfSpec,
  nameOfKind,
  type ObjectKind,
  type ObjectSample,
  type Place,
  placeAt,
  type RouteKind,
} from './kinds';
export { kumaRouter } from './kuma';
export { compilePcre, notModelled } from './pcre';
export { percentDecoded } from './request';
export { ANY_HOST, candidatesAt, type RequestCandidate, type RequestExtras } from './request-candidates';
export {
  type Answer,
  type Destination,
  type FixedResponseAnswer,
  type Frozen,
  type HttpRequest,
  type Ignored,
  type Listener,
  type LoadBalancer,
  type PassedOver,
  type RedirectAnswer,
  type Route,
  type RouteRule,
  type Router,
  type RouterHints,
  type RouteTable,
  routeOf,
  type ServicesAnswer,
  type Unavailable,
  withShares,
} from './router';
export {
  type AllRouterOptions,
  allRouters,
  candidatesOf,
  kindsOf,
  ROUTER_NAMES,
  RouteKinds,
  type RouterName,
  routerNamed,
  routersOf,
  scriptableKinds,
} from './routers';
export { nearExact, nearRegex, otherCase, sampleOf } from './samples';
export { sameForRouters } from './services';
export { type TraefikOptions, traefikRouter } from './traefik';
