/** Plays releases through the controller and the load balancers before anything is applied. */

export { type AllRouterOptions, allRouters } from '../routers';
export { findingsOf, type RehearseOptions, rehearsalFindings, rehearse } from './rehearse';
export { formatRequest, parseRequest, type RehearsalRequest, RequestSyntaxError } from './request';
export { routeRequest } from './route-request';
export { rehearsalRules } from './rules';
