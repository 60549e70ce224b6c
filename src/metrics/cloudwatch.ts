/** Metrics of Application Load Balancers in CloudWatch, and what a query of them needs. */
import { didYouMean } from '../core/did-you-mean';
import type { QueryProblem } from './check-promql';

/** The namespace of Application Load Balancers. */
export const APPLICATION_ELB = 'AWS/ApplicationELB';

const LOAD_BALANCER = [
  'ActiveConnectionCount',
  'BYoIPUtilPercentage',
  'ClientTLSNegotiationErrorCount',
  'ConsumedLCUs',
  'DesyncMitigationMode_NonCompliant_Request_Count',
  'DroppedInvalidHeaderRequestCount',
  'ELBAuthError',
  'ELBAuthFailure',
  'ELBAuthLatency',
  'ELBAuthRefreshTokenSuccess',
  'ELBAuthSuccess',
  'ELBAuthUserClaimsSizeExceeded',
  'ForwardedInvalidHeaderRequestCount',
  'GrpcRequestCount',
  'HTTPCode_ELB_3XX_Count',
  'HTTPCode_ELB_4XX_Count',
  'HTTPCode_ELB_5XX_Count',
  'HTTPCode_ELB_500_Count',
  'HTTPCode_ELB_502_Count',
  'HTTPCode_ELB_503_Count',
  'HTTPCode_ELB_504_Count',
  'HTTP_Fixed_Response_Count',
  'HTTP_Redirect_Count',
  'HTTP_Redirect_Url_Limit_Exceeded_Count',
  'IPv6ProcessedBytes',
  'IPv6RequestCount',
  'LowReputationPacketsDropped',
  'LowReputationRequestsDenied',
  'NewConnectionCount',
  'NonStickyRequestCount',
  'PeakLCUs',
  'ProcessedBytes',
  'RejectedConnectionCount',
  'ReservedLCUs',
  'RuleEvaluations',
] as const;

const TARGET_GROUP = [
  'AnomalousHostCount',
  'HealthyHostCount',
  'HealthyStateDNS',
  'HealthyStateRouting',
  'HTTPCode_Target_2XX_Count',
  'HTTPCode_Target_3XX_Count',
  'HTTPCode_Target_4XX_Count',
  'HTTPCode_Target_5XX_Count',
  'LambdaInternalError',
  'LambdaTargetProcessedBytes',
  'LambdaUserError',
  'MitigatedHostCount',
  'RequestCount',
  'RequestCountPerTarget',
  'TargetConnectionErrorCount',
  'TargetResponseTime',
  'TargetTLSNegotiationErrorCount',
  'UnHealthyHostCount',
  'UnhealthyRoutingRequestCount',
  'UnhealthyStateDNS',
  'UnhealthyStateRouting',
  'ZonalShiftedHostCount',
] as const;

/** The names of dimensions. */
const DIMENSIONS = ['LoadBalancer', 'TargetGroup', 'AvailabilityZone'] as const;
/** Metrics that a target group has without its load balancer too. */
const ALONE: ReadonlySet<string> = new Set([
  'RequestCountPerTarget',
  'LambdaInternalError',
  'LambdaUserError',
  'LambdaTargetProcessedBytes',
]);

const SHAPES: Readonly<Record<string, { readonly pattern: RegExp; readonly example: string }>> = {
  LoadBalancer: { pattern: /^app\/[^/]+\/[0-9a-f]+$/, example: 'app/<name>/<id>' },
  TargetGroup: { pattern: /^targetgroup\/[^/]+\/[0-9a-f]+$/, example: 'targetgroup/<name>/<id>' },
};

/** What is asked of a metric. */
export interface CloudWatchMetricQuery {
  readonly metricName: string;
  readonly dimensions: readonly { readonly name: string; readonly value: string }[];
}

/**
 * The problems of a query of one metric of AWS/ApplicationELB. Values with arguments of the analysis are not looked at.
 * @param separates whether the query is meant to measure the canary alone
 */
export function applicationElbProblems(
  { metricName, dimensions }: CloudWatchMetricQuery,
  separates: boolean,
): QueryProblem[] {
  if (metricName.includes('{{')) return [];
  const all: readonly string[] = [...LOAD_BALANCER, ...TARGET_GROUP];
  if (!all.includes(metricName)) return [unknownMetric(metricName, all)];
  const names = dimensions.map(({ name }) => name);
  const found = [...dimensions.flatMap(dimensionProblems), ...combinationProblems(metricName, names)];
  return [...found, ...(separates && found.length === 0 ? indistinct(metricName, names) : [])];
}

function unknownMetric(metricName: string, all: readonly string[]): QueryProblem {
  const meant = didYouMean(metricName, all);
  return {
    kind: 'metric-unknown',
    text: `${APPLICATION_ELB} has no metric "${metricName}"`,
    fix: meant === undefined ? 'use the name of a metric of Application Load Balancers' : `did you mean "${meant}"?`,
  };
}

function dimensionProblems({ name, value }: CloudWatchMetricQuery['dimensions'][number]): QueryProblem[] {
  if (name.includes('{{')) return [];
  if (!(DIMENSIONS as readonly string[]).includes(name)) {
    const meant = didYouMean(name, DIMENSIONS);
    const fix = meant === undefined ? `the dimensions are ${DIMENSIONS.join(', ')}` : `did you mean "${meant}"?`;
    return [{ kind: 'label-unknown', text: `${APPLICATION_ELB} has no dimension "${name}"`, fix }];
  }
  const shape = SHAPES[name];
  if (shape === undefined || value.includes('{{') || shape.pattern.test(value)) return [];
  return [
    {
      kind: 'label-unknown',
      text: `no metric has the ${name} "${value}"`,
      fix: `write the end of its ARN: ${shape.example}`,
    },
  ];
}

function combinationProblems(metricName: string, names: readonly string[]): QueryProblem[] {
  const isOfGroup = (TARGET_GROUP as readonly string[]).includes(metricName);
  if (names.includes('TargetGroup') && !isOfGroup) {
    const count = metricName.replace('_ELB_', '_Target_');
    const fix = (TARGET_GROUP as readonly string[]).includes(count)
      ? `use ${count}, which counts the responses of the targets`
      : 'leave the dimension TargetGroup out';
    return [{ kind: 'label-unknown', text: `${metricName} has no dimension TargetGroup`, fix }];
  }
  if (names.includes('TargetGroup') && !names.includes('LoadBalancer') && !ALONE.has(metricName)) {
    return [
      {
        kind: 'label-unknown',
        text: `${metricName} of a TargetGroup alone has no data`,
        fix: 'add the dimension LoadBalancer',
      },
    ];
  }
  return [];
}

function indistinct(metricName: string, names: readonly string[]): QueryProblem[] {
  if (names.includes('TargetGroup')) return [];
  return [
    {
      kind: 'canary-indistinct',
      text: `${metricName} without the dimension TargetGroup measures the requests of both versions`,
      fix: (TARGET_GROUP as readonly string[]).includes(metricName)
        ? 'add the dimension TargetGroup with the target group of the canary Service'
        : 'use a metric of target groups, such as HTTPCode_Target_5XX_Count or TargetResponseTime, with the one of the canary Service',
      because:
        'each Service has a target group of its own, and both are behind the same load balancer. A canary with few requests hides ' +
        'among those of the stable version',
    },
  ];
}
