import { Construct } from 'constructs';
import type { Finding } from '../core/finding';
import type { Rehearsal } from '../core/rehearsal-result';
import type { Versions } from '../settings/versions';
import { addChecks, findingsFor, findingsOfStack, type KruiseCheckProps, rehearsalsFor } from './checks';
import { checkProps } from './construct-errors';
import { askForReport } from './report-file';
import { declareStack } from './stack';

/** Properties of a `StackCheck`. */
export interface StackCheckProps extends KruiseCheckProps, Versions {
  /**
   * Files that a synth writes, also where it fails: a folder for every format, or files separated by commas whose endings are
   * the formats: `.sarif`, `.json`, `.xml` (JUnit), `.md`, `.html` (the rehearsals). They have what this stack reports.
   * @default - those of the variable ROLLOUT_CONSTRUCTS_REPORT
   */
  readonly report?: string;
}

/**
 * Checks and rehearses all objects below its scope, including imported charts and plain ApiObjects. The constructs of this
 * library check themselves. Add a StackCheck to an app without them, or to state once what holds for the whole cluster.
 *
 * The scope counts as one cluster. An app for several clusters has one StackCheck per cluster, in its chart.
 *
 * @example
 * new StackCheck(app, 'Check', {
 *   awsLoadBalancerControllerVersion: AwsLoadBalancerControllerVersion.of('2.13.4'),
 *   rehearsal: { probes: ['GET https://shop.example.com/cart -H "user-agent: pc"'] },
 * });
 */
export class StackCheck extends Construct {
  constructor(scope: Construct, id: string, props: StackCheckProps = {}) {
    super(scope, id);
    checkProps(this, props);
    declareStack(scope);
    if (props.report !== undefined) askForReport(this, props.report);
    addChecks(this, props, { scope, role: 'stack' });
  }

  /**
   * All findings of the stack as it is now, whichever construct reports them, without suppressed ones; errors first. For tests.
   *
   * @example const errors = new StackCheck(app, 'Check').findings().filter(({ severity }) => severity === 'error');
   */
  findings(): readonly Finding[] {
    return findingsOfStack(this);
  }

  /** The findings that it reports itself at synth: those in objects that no construct of this library makes; errors first. */
  findingsInOtherObjects(): readonly Finding[] {
    return findingsFor(this);
  }

  /** The rehearsals of the stack as it is now, for a report: step by step, request by request. */
  rehearsals(): readonly Rehearsal[] {
    return rehearsalsFor(this);
  }
}
