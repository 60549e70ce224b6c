export { aliyunAlbRouter } from './aliyun-alb';
export { apisixRouter } from './apisix';
export { awsAlbRouter } from './aws-alb';
export { higressRouter } from './canary-ingress/higress';
export { mseRouter } from './canary-ingress/mse';
export { nginxRouter } from './canary-ingress/nginx';
export { contourRouter } from './contour';
export { gatewayApiRouter } from './gateway-api';
export type { IngressClassOptions } from './ingress-class';
export { istioRouter } from './istio';
export { kumaRouter } from './kuma';
export { compileRegex, type RegexOptions } from './regex';
export {
  type Answer,
  type Destination,
  type FixedResponseAnswer,
  type Frozen,
  type HttpRequest,
  type Ignored,
  type Listener,
  type LoadBalancer,
  type RedirectAnswer,
  type Route,
  type RouteRule,
  type Router,
  type RouteTable,
  routeOf,
  type ServicesAnswer,
  type Unavailable,
  withShares,
} from './router';
export { ROUTER_NAMES, type RouterName, routerNamed, routersOf } from './routers';
export { type TraefikOptions, traefikRouter } from './traefik';
