/** Plays releases through the controller and the load balancers before anything is applied. */

export { findingsOf, type RehearseOptions, rehearsalFindings, rehearse } from './rehearse';
export { formatRequest, parseRequest, type RehearsalRequest, RequestSyntaxError } from './request';
export { type AllRouterOptions, allRouters } from './routers';
export { rehearsalRules } from './rules';
