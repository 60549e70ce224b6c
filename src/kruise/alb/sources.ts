import { sources as scriptSources } from '../scripts/rules/sources';

/** Sources of the behaviour behind the rules on load balancers. */
export const sources = {
  ...scriptSources,
  awsQuotas: 'https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-limits.html',
  awsConditions: 'https://docs.aws.amazon.com/elasticloadbalancing/latest/application/rule-condition-types.html',
  aliyunIngress:
    'https://www.alibabacloud.com/help/en/ack/ack-managed-and-ack-dedicated/user-guide/advanced-alb-ingress-configurations',
} as const;
