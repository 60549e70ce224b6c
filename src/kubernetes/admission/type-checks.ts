import { accessTypes } from './access';
import { autoscalingTypes } from './autoscaling';
import { configTypes } from './config';
import type { TypeCheck } from './field-checks';
import { ingressTypes } from './ingresses';
import { jobTypes } from './jobs';
import { podTypes } from './pods';
import { policyTypes } from './policies';
import { quotaTypes } from './quotas';
import { serviceTypes } from './services';
import { workloadTypes } from './workloads';

/** What Kubernetes asks of its types beyond their schema, by the name of the type. */
export const TYPE_CHECKS: Readonly<Record<string, TypeCheck | undefined>> = {
  ...accessTypes,
  ...autoscalingTypes,
  ...configTypes,
  ...ingressTypes,
  ...jobTypes,
  ...podTypes,
  ...policyTypes,
  ...quotaTypes,
  ...serviceTypes,
  ...workloadTypes,
};
