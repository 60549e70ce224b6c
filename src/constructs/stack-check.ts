import { Construct } from 'constructs';
import type { Finding } from '../core/finding';
import type { Rehearsal } from '../core/rehearsal-result';
import type { AwsLoadBalancerControllerVersion } from '../routers/aws-alb/version';
import { addChecks, findingsFor, type KruiseCheckProps, rehearsalsFor } from './checks';
import { declareStack, stackOf } from './stack';
import { readWorld } from './world';

/** Properties of a `StackCheck`. */
export interface StackCheckProps extends KruiseCheckProps {
  /**
   * The release of the AWS Load Balancer Controller.
   * @default AwsLoadBalancerControllerVersion.LATEST
   */
  readonly loadBalancerController?: AwsLoadBalancerControllerVersion;

  /**
   * The release of Istio, `1.24`. Without it what depends on the release is a warning.
   * @default - unknown
   */
  readonly istioVersion?: string;
}

/**
 * Checks and rehearses all objects below its scope, whoever made them: charts that were imported, plain ApiObjects. The
 * constructs of this library do it by themselves; add one to an app that has none of them, or to say once what holds
 * for the whole cluster.
 *
 * What is below the scope counts as one cluster. An app that writes for several clusters has one in the chart of each.
 *
 * @example
 * new StackCheck(app, 'Check', {
 *   loadBalancerController: AwsLoadBalancerControllerVersion.of('2.13.4'),
 *   rehearsal: { probes: ['GET https://shop.example.com/cart -H "user-agent: pc"'] },
 * });
 */
export class StackCheck extends Construct {
  constructor(scope: Construct, id: string, props: StackCheckProps = {}) {
    super(scope, id);
    declareStack(scope);
    addChecks(this, props, { scope });
  }

  /** What the checks find in the stack as it is now and what no other construct reports; errors first. */
  findings(): readonly Finding[] {
    return findingsFor(this, readWorld(stackOf(this)));
  }

  /** The rehearsals of the stack as it is now, for a report: step by step, request by request. */
  rehearsals(): readonly Rehearsal[] {
    return rehearsalsFor(this, readWorld(stackOf(this)));
  }
}
