/** Every router of this library, as a rehearsal asks them. */
import type { World } from '../core';
import type { RouteSubject } from '../kruise/rules/subject';
import { awsAlbRouter, ROUTER_NAMES, type Router, routerNamed } from '../routers';
import { isAliyun } from '../routers/aliyun-alb';
import { AwsLoadBalancerControllerVersion } from '../routers/aws-alb/version';

/** What is known of the load balancers' controllers. */
export interface AllRouterOptions {
  /**
   * The release of the AWS Load Balancer Controller.
   * @default AwsLoadBalancerControllerVersion.LATEST
   */
  readonly awsLoadBalancerController?: AwsLoadBalancerControllerVersion;
}

/** All routers, in the order in which their answers are shown. */
export function allRouters(options: AllRouterOptions = {}): readonly Router[] {
  const { awsLoadBalancerController = AwsLoadBalancerControllerVersion.LATEST } = options;
  const { regexValues } = awsLoadBalancerController.facts;
  return ROUTER_NAMES.map((name) => (name === 'aws-alb' ? awsAlbRouter({ regexValues }) : routerNamed(name)));
}

/**
 * The routers that may serve a Rollout. AWS and Alibaba Cloud both call their class "alb" and share the prefix of their
 * annotations, so that one of the two has to be left out.
 */
export function routersFor(route: RouteSubject, world: World, routers: readonly Router[]): readonly Router[] {
  const other = route.ingress?.classType === 'aliyun-alb' || isAliyun(world) ? 'aws-alb' : 'aliyun-alb';
  return routers.filter(({ name }) => name !== other);
}
